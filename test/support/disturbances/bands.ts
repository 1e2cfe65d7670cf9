import type { Random } from "../layouts/random.ts";
import { doubled, renamePeople } from "./foreign.ts";
import { changeText, firstDataRow, partsOf } from "./markup.ts";
import type { Sample } from "./sample.ts";

/** Labels over the whole width of a table, below which no row belongs to it. */
const LABELS = {
  "other people": [
    "Predecessor",
    "Officers of Target",
    "Affiliate Officers",
    "Lakeside Gas Company",
    "Scientific Advisory Board",
    "Former Parent Officers",
    "Key Employees",
    "Executives of Acquired Business",
  ],
  "another view": [
    "Supplemental Disclosure",
    "Pro Forma",
    "As Originally Reported",
    "Compensation Actually Paid",
    "Excluding One-Time Awards",
    "Total Direct Compensation",
  ],
} as const;

/** What follows the label: rows at once, or the column headers again. */
export type BandRows = "rows" | "headers and rows";

/**
 * The rows of the table over again, below a label inside it: other people's, or other amounts of the same. Null where the
 * table is in several parts or nests others, or where the names or amounts are not found.
 */
export function bandInside(
  sample: Sample,
  kind: keyof typeof LABELS,
  below: BandRows,
  r: Random,
): string | null {
  const [only, ...more] = sample.tables;
  if (only === undefined || more.length > 0) return null;
  const [from, to] = only;
  const parts = partsOf(sample.text.slice(from, to));
  const first = parts === null ? -1 : firstDataRow(parts.rows);
  if (parts === null || first < 1) return null;
  const rows = parts.rows.slice(first).join("\n");
  const renamed = kind === "other people" ? renamePeople(rows, sample.people) : rows;
  const theirs = changeText(renamed, doubled);
  if (theirs === rows || (kind === "other people" && renamed === rows)) return null;
  const label = `<tr><td colspan="${widthOf(parts.rows)}"><b>${r.pick(LABELS[kind])}</b></td></tr>`;
  const head = below === "rows" ? [] : parts.rows.slice(0, first);
  const table = parts.open + [...parts.rows, label, ...head, theirs].join("\n") + parts.close;
  return sample.text.slice(0, from) + table + sample.text.slice(to);
}

/** Columns of the widest row. */
function widthOf(rows: readonly string[]): number {
  const spans = rows.map((row) =>
    [...row.matchAll(/<t[dh]\b[^>]*>/gi)].map(([cell]) =>
      Number(/colspan\s*=\s*["']?(\d+)/i.exec(cell)?.[1] ?? 1),
    ),
  );
  return Math.max(...spans.map((row) => row.reduce((sum, span) => sum + span, 0)));
}
