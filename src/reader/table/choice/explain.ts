/** Why a document is refused if none of its tables was chosen. */
import { FOREIGN_HEADERS } from "../../lexicon/column-headers.ts";
import { HEADINGS } from "../../lexicon/headings.ts";
import { type ParsedFiling, type RefusalReason, refusedFiling } from "../../parsed-filing.ts";
import { letters, sliceBetweenTags, stripTags } from "../../clean-text.ts";
import type { Located } from "../grid/grid.ts";
import { blocksOf } from "../heading/heading.ts";
import type { Candidate } from "./judge.ts";

const UNIDENTIFIED =
  " has such columns, but neither the text right above it nor its people's offices show whose pay it is";

/** Refusal and explanation for the likeliest table, by what rules it out. */
const EXPLANATIONS: Readonly<Partial<Record<string, readonly [RefusalReason, string]>>> = {
  old_layout: ["old_layout", ""],
  foreign_layout: ["foreign_layout", ""],
  no_total: ["no_total", ""],
  another_view: ["no_table", " is under a heading of another view of pay"],
  other_people: ["no_table", " is under a heading of other people"],
  nothing: ["no_table", UNIDENTIFIED],
};

/** Explains why none of the document's tables was chosen: the old table, another country's, an image, or none at all. */
export function explainRejection(located: Located, read: readonly Candidate[]): ParsedFiling {
  const { text, regions, headers } = located;
  const [named] = read.toSorted((a, b) => b.score - a.score);
  const score = named?.score ?? 0;
  const table = `table ${named?.region.ordinal}`;
  const undated = score >= 5 && named?.ruledOut === "no_total" && named.sections.length === 0;
  const explanation = score >= 5 && !undated ? EXPLANATIONS[named?.ruledOut ?? "nothing"] : undefined;
  if (explanation !== undefined) return refusedFiling(explanation[0], `${table}${explanation[1]}`);
  const old = oldWords(text);
  if (old !== undefined)
    return refusedFiling("old_layout", `column headers of the table before December 2006: "${old}"`);
  const without = undated
    ? "column headers for pay and a total, but no year next to its amounts"
    : "the columns, but no row with a name, a year and amounts";
  if (undated || score >= 8) return refusedFiling("rows_unreadable", `${table} has ${without}`);
  if (read.length === 0 && imageUnderHeading(text)) return unreadTitle(located);
  const withPay = new Set([...read.map(({ region }) => region), ...headers]).size;
  const found = `${regions.length} tables, ${withPay} with pay headers`;
  return refusedFiling("no_table", `${found}, none of them the Summary Compensation Table`);
}

/** The refusal of a document with the table's title and nothing readable under it. */
export function unreadTitle({ text }: Located): ParsedFiling {
  return imageUnderHeading(text)
    ? refusedFiling("image_only", 'there is an image under the heading "Summary Compensation Table"')
    : refusedFiling("no_table", 'no table could be read under the heading "Summary Compensation Table"');
}

/** Characters of markup before and after a mention; a single cell may take 500. */
const MARKUP = 20_000;
/**
 * The old table's column headers around "name and position", in any layout: fixed-width text, or headers apart from their rows. The
 * old table has no total and has headers that the current one lacks.
 */
function oldWords(text: string): string | undefined {
  for (const { index } of text.matchAll(NAME_HEADER).take(MAX_MENTIONS)) {
    const before = stripTags(sliceBetweenTags(text, index - MARKUP, index)).slice(-500);
    const behind = stripTags(sliceBetweenTags(text, index, index + MARKUP)).slice(0, 400);
    const bare = letters(before + behind);
    const total = letters(before.slice(-120) + behind.slice(0, 250)).includes("total");
    const isOld = FOREIGN_HEADERS.has(bare, "old", "old_and_new") && bare.includes("salary");
    if (isOld && !total && /(?:19|20)\d\d/.test(behind)) return behind.slice(0, 120);
  }
  return undefined;
}

/** `Name and principal position`, whatever separates the words. */
const NAME_HEADER =
  /\b(?:name(?:\s|&nbsp;|&#160;|<[^<>]{0,200}>){1,40}and|principal|and)(?:\s|&nbsp;|&#160;|<[^<>]{0,200}>){1,40}(?:principal|positions?)\b/gi;

/** Mentions of the table that are examined, and characters of text between a heading and its image. */
const MAX_MENTIONS = 200;
const MAX_BETWEEN = 400;

/** Whether an image follows the table's heading. A mention in running text, such as a reference to the proxy, is not a heading. */
function imageUnderHeading(text: string): boolean {
  return text
    .matchAll(/<img\b/gi)
    .take(MAX_MENTIONS)
    .some(({ index }) => {
      const above = blocksOf(sliceBetweenTags(text, index - MARKUP, index));
      const heading = above.findLastIndex((block) => HEADINGS.has(block, "summary_compensation"));
      return heading >= 0 && above.slice(heading + 1).join(" ").length < MAX_BETWEEN;
    });
}
