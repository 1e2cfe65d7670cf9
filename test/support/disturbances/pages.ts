import type { Random } from "../layouts/random.ts";
import { headingHtml } from "./foreign.ts";
import { changeText, firstDataRow, isSeam, partsOf, visibleText } from "./markup.ts";
import type { Sample } from "./sample.ts";

/** What is between two pages of one table. */
export const PAGE_ENDS = ["number", "running header", "continued", "footnotes", "rule alone"] as const;
export type PageEnd = (typeof PAGE_ENDS)[number];

/** The HTML between the pages. */
export function pageEnd(kind: PageEnd, r: Random): string {
  const page = r.int(20, 90);
  const number = r.pick([
    `<p align="center">${page}</p>\n<hr style="page-break-after:always">`,
    `<div style="text-align:center">- ${page} -</div><hr size="3" noshade>`,
    `<p align="center"><b>${page}</b></p><p style="page-break-before:always"><a href="#toc">Table of Contents</a></p>`,
  ]);
  switch (kind) {
    case "number":
      return number;
    case "running header":
      return `${number}\n<p align="right"><i>Lakeside Instruments, Inc. | ${r.int(2010, 2025)} Proxy Statement</i></p>`;
    case "continued":
      return `${number}\n${headingHtml(r.pick(["SUMMARY COMPENSATION TABLE (continued)", "Summary Compensation Table (cont’d)", "Summary Compensation Table – Continued"]), r)}`;
    case "footnotes":
      return `<p><sup>(1)</sup> Amounts are the aggregate grant date fair value computed under FASB ASC Topic 718.</p>\n<p>(2) Represents matching contributions to the 401(k) plan of $9,150 for each officer.</p>\n${number}`;
    case "rule alone":
      return `<hr style="page-break-after:always">`;
  }
}

/** How the next page starts: with the column headers again, or directly with rows. */
export type NextPage = "headers again" | "no headers";

/**
 * Breaks the table over two pages between two people, or (`inside`) between two years of one. Null if every place to
 * break would cut a cell that spans rows.
 */
export function breakPage(
  sample: Sample,
  where: "between people" | "inside a person",
  between: (r: Random) => string,
  next: NextPage,
  r: Random,
): string | null {
  const at = r.int(0, sample.tables.length - 1);
  const [from, to] = sample.tables[at] ?? [0, 0];
  const parts = partsOf(sample.text.slice(from, to));
  if (parts === null) return null;
  const starts = parts.rows.map((row) => startsPerson(row, sample.people));
  // A person's name may have its own row above the first year.
  const first = Math.min(firstDataRow(parts.rows), starts.indexOf(true));
  if (first < 1) return null;
  const places = parts.rows
    .map((_, row) => row)
    .filter((row) => row > first && isSeam(parts.rows, row))
    .filter((row) => (where === "between people" ? starts[row] === true : isInside(parts.rows, starts, row)));
  if (places.length === 0) return null;
  const cut = r.pick(places);
  const head = next === "headers again" ? parts.rows.slice(0, first) : [];
  const pages = [parts.rows.slice(0, cut), [...head, ...parts.rows.slice(cut)]].map(
    (rows) => parts.open + rows.join("\n") + parts.close,
  );
  return sample.text.slice(0, from) + pages.join(`\n${between(r)}\n`) + sample.text.slice(to);
}

function startsPerson(row: string, people: readonly string[]): boolean {
  const words = visibleText(row).toLowerCase();
  return people.some((name) => words.includes(lastWord(name)));
}

function lastWord(name: string): string {
  const parts = name.toLowerCase().split(/[\s,]+/);
  return (
    parts.findLast((part) => part.length > 2 && !/^(?:jr\.?|sr\.?|iii|cpa|m\.d\.|ph\.d\.)$/.test(part)) ??
    name
  );
}

/** Whether a row is a later year of a person: it has no name, and has its own year and amount. */
function isInside(rows: readonly string[], starts: readonly boolean[], at: number): boolean {
  const row = rows[at] ?? "";
  return starts[at] === false && firstDataRow([row]) === 0 && !/[a-z]{4}/i.test(visibleText(row));
}

/** Removes the words "Summary Compensation Table" from the text before the table. Null if they are not there. */
export function withoutHeading(sample: Sample): string | null {
  const [start] = sample.tables[0] ?? [0];
  const from = Math.max(0, start - 6000);
  const above = sample.text.slice(from, start);
  const changed = changeText(above, (text) =>
    text.replace(/summary\s+(?:of\s+)?(?:executive\s+)?compensation(?:\s+table)?/gi, ""),
  );
  return changed === above ? null : sample.text.slice(0, from) + changed + sample.text.slice(start);
}

/**
 * The document with a plain heading instead of the title Summary Compensation Table; all other text keeps its place.
 */
export function untitled(sample: Sample): string | null {
  const [start] = sample.tables[0] ?? [0];
  const from = Math.max(0, start - 8000);
  const above = sample.text.slice(from, start);
  const changed = above.replace(/summary\s+(?:of\s+)?(?:executive\s+)?compensation(?:\s+table)?/gi, (words) =>
    "Executive pay".padEnd(words.length),
  );
  return changed === above ? null : sample.text.slice(0, from) + changed + sample.text.slice(start);
}

/** A place for a table before the heading of the true one: the end of a block above that heading, or null. */
export function placeBefore(sample: Sample): number | null {
  const [start] = sample.tables[0] ?? [0];
  const from = Math.max(0, start - 8000);
  const above = sample.text.slice(from, start);
  const heading = [...above.matchAll(/summary(?:\s|&nbsp;|&#160;)+compensation/gi)].at(-1);
  if (heading === undefined) return null;
  const block = [...above.slice(0, heading.index).matchAll(/<\/(?:p|div|table|h\d)\s*>(?!\s*<\/t[dr])/gi)].at(
    -1,
  );
  if (block === undefined || /<(?:td|tr)\b/i.test(above.slice(block.index, heading.index))) return null;
  return from + block.index + block[0].length;
}
