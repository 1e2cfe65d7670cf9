import type { ParsedFiling, ParsedRow } from "../../../src/reader/parsed-filing.ts";
import { hasDoubt } from "../parse-invariants.ts";
import type { Random } from "../layouts/random.ts";
import { bandInside } from "./bands.ts";
import { blankDashes, breakDashes, BROKEN_DASHES, capitals, emptyParagraphs } from "./cells.ts";
import {
  FOREIGN,
  foreignTable,
  headingHtml,
  headingsOf,
  plainForeignTable,
  type Foreign,
} from "./foreign.ts";
import { LOOK_ALIKES } from "./look-alikes.ts";
import { breakPage, PAGE_ENDS, pageEnd, placeBefore, untitled, withoutHeading } from "./pages.ts";
import type { Sample, TrueRow } from "./sample.ts";

export { generatedSample, realSamples, choicesFor, type Sample } from "./sample.ts";

/** A change to a document that does not affect its Summary Compensation Table. */
export interface Disturbance {
  readonly name: string;
  /** The changed document, or null if the sample offers no place for the change. */
  readonly apply: (sample: Sample, r: Random) => string | null;
}

const behind = (sample: Sample, html: string | null): string | null => {
  if (html === null) return null;
  const end = sample.tables.at(-1)?.[1] ?? 0;
  return sample.text.slice(0, end) + html + sample.text.slice(end);
};

const before = (sample: Sample, html: string | null, text = sample.text): string | null => {
  const at = placeBefore(sample);
  return at === null || html === null ? null : text.slice(0, at) + html + text.slice(at);
};

/** Between the heading of the true table and the table itself. */
const rightBefore = (sample: Sample, html: string | null): string | null => {
  const at = sample.tables[0]?.[0];
  return at === undefined || html === null ? null : sample.text.slice(0, at) + html + sample.text.slice(at);
};

/**
 * Tables that have the rule's columns and say in their heading whose or which they are, before and after the true
 * one.
 */
const lookAlikes: readonly Disturbance[] = LOOK_ALIKES.flatMap(({ name, table }): Disturbance[] => [
  { name: `${name} behind`, apply: (sample, r) => behind(sample, table(sample, r)) },
  { name: `${name} before`, apply: (sample, r) => before(sample, table(sample, r)) },
]);

/** Another person's table, or another view of pay, before or after the true one. */
function foreign(kind: Foreign): Disturbance[] {
  const words = (r: Random): string => r.pick(headingsOf(kind));
  const headed = (sample: Sample, r: Random): string | null => {
    const table = foreignTable(sample, kind, r);
    const page = r.chance(0.3)
      ? pageEnd(r.pick(["number", "running header", "footnotes", "rule alone"]), r)
      : "";
    return table === null ? null : `\n${page}${headingHtml(words(r), r)}\n${table}\n`;
  };
  const plain = (sample: Sample, r: Random): string =>
    `${headingHtml(words(r), r)}\n${plainForeignTable(sample, kind, r)}`;
  return [
    { name: `${kind} behind`, apply: (sample, r) => behind(sample, headed(sample, r)) },
    { name: `${kind} before`, apply: (sample, r) => before(sample, headed(sample, r)) },
    {
      name: `${kind} behind, the heading inside`,
      apply: (sample, r) => behind(sample, headingInside(foreignTable(sample, kind, r), words(r))),
    },
    {
      name: `${kind} behind, no heading`,
      apply: (sample, r) => behind(sample, foreignTable(sample, kind, r)),
    },
    {
      name: `${kind} before, no heading`,
      apply: (sample, r) => rightBefore(sample, foreignTable(sample, kind, r)),
    },
    {
      name: `${kind} before an untitled table`,
      apply: (sample, r) => {
        const bare = untitled(sample);
        return bare === null ? null : before(sample, plain(sample, r), bare);
      },
    },
    {
      name: `${kind} between two pages`,
      apply: (sample, r) => {
        const table = foreignTable(sample, kind, r);
        if (table === null) return null;
        const between = `${pageEnd("number", r)}${headingHtml(words(r), r)}\n${table}\n${pageEnd("continued", r)}`;
        return breakPage(sample, "between people", () => between, "headers again", r);
      },
    },
    { name: `${kind} behind, other markup`, apply: (sample, r) => behind(sample, plain(sample, r)) },
    { name: `${kind} before, other markup`, apply: (sample, r) => before(sample, plain(sample, r)) },
  ];
}

function headingInside(table: string | null, words: string): string | null {
  if (table === null || !/^<table/i.test(table)) return null;
  return table.replace(/<tr\b/i, `<tr><td colspan="6"><b>${words}</b></td></tr>\n<tr`);
}

const pages: readonly Disturbance[] = PAGE_ENDS.flatMap((end) =>
  (["between people", "inside a person"] as const).flatMap((where) =>
    (["headers again", "no headers"] as const).map((next): Disturbance => ({
      name: `page break ${where}, ${end}, ${next}`,
      apply: (sample, r) => breakPage(sample, where, () => pageEnd(end, r), next, r),
    })),
  ),
);

const bands: readonly Disturbance[] = (["other people", "another view"] as const).flatMap((kind) =>
  (["rows", "headers and rows"] as const).map((below): Disturbance => ({
    name: `${kind} inside, below a label, ${below}`,
    apply: (sample, r) => bandInside(sample, kind, below, r),
  })),
);

/** Every disturbance, each applied alone. */
export const DISTURBANCES: readonly Disturbance[] = [
  ...FOREIGN.flatMap(foreign),
  ...lookAlikes,
  ...bands,
  ...pages,
  { name: "heading removed", apply: withoutHeading },
  { name: "capitals", apply: capitals },
  { name: "dashes left out", apply: blankDashes },
  { name: "dashes mis-encoded", apply: (sample, r) => breakDashes(sample, r.pick(BROKEN_DASHES)) },
  {
    name: "empty paragraphs for dashes",
    apply: (sample, r) => emptyParagraphs(sample, r.pick(["", "&nbsp;", " "])),
  },
];

/**
 * The outcome of reading one changed document. `told` is acceptable too: a refusal, or a difference that a problem
 * reports.
 */
export interface Outcome {
  readonly verdict: "exact" | "told" | "foreign, told" | "foreign" | "silent";
  readonly differences: readonly string[];
}

/** Compares a reading with the true rows: no row of another person, no silent wrong amount, no silently lost row. */
export function judgeRows(parsed: ParsedFiling, truth: readonly TrueRow[]): Outcome {
  if (parsed.status === "refused")
    return { verdict: truth.length === 0 ? "exact" : "told", differences: [`refused: ${parsed.reason}`] };
  const left = new Map(truth.map((row) => [`${row.executive_id} ${row.fiscal_year}`, row]));
  const hasProblems = parsed.problems.length > 0;
  const differences: string[] = [];
  const kinds = new Set<Outcome["verdict"]>();
  for (const row of parsed.rows.filter((one) => !one.placeholder)) {
    const key = `${row.executive_id} ${row.fiscal_year}`;
    const want = left.get(key);
    left.delete(key);
    if (want === undefined) {
      differences.push(`foreign: ${key} ${row.amounts.total_compensation / 100}`);
      kinds.add(hasDoubt(row) ? "foreign, told" : "foreign");
    } else if (differs(row, want)) {
      differences.push(`${key}: ${JSON.stringify(row.amounts)} true ${JSON.stringify(want.amounts)}`);
      kinds.add(hasDoubt(row) ? "told" : "silent");
    }
  }
  differences.push(...wrongOffices(parsed, truth, kinds));
  for (const key of left.keys()) {
    differences.push(`missing: ${key}`);
    kinds.add(hasProblems ? "told" : "silent");
  }
  const worst = (["foreign", "silent", "foreign, told", "told"] as const).find((kind) => kinds.has(kind));
  // Another table was taken for the true one, and every row says so: nothing was mixed.
  if (worst === "foreign, told" && left.size === truth.length) return { verdict: "told", differences };
  return { verdict: worst ?? "exact", differences };
}

/** Offices that the document still states as before, in rows without a problem. */
function wrongOffices(
  parsed: ParsedFiling,
  truth: readonly TrueRow[],
  kinds: Set<Outcome["verdict"]>,
): string[] {
  return truth.flatMap((want) =>
    parsed.rows
      .filter((row) => row.executive_id === want.executive_id && row.fiscal_year === want.fiscal_year)
      .flatMap((row) =>
        (["is_peo", "is_pfo"] as const)
          .filter((flag) => want[flag] !== null && want[flag] !== row[flag])
          .map((flag) => {
            kinds.add(row.problems.length > 0 || parsed.problems.length > 0 ? "told" : "silent");
            return `${want.executive_id} ${want.fiscal_year}: ${flag} is ${row[flag]}, true ${want[flag]}`;
          }),
      ),
  );
}

function differs(row: ParsedRow, want: TrueRow): boolean {
  // The keys of `amounts` of a true row are fields of a served one.
  const got: Readonly<Record<string, number>> = row.amounts;
  return Object.entries(want.amounts).some(([field, value]) => got[field] !== value);
}
