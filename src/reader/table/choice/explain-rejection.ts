import type { Located } from "../grid/locate.ts";
import { FOREIGN_HEADERS } from "../../lexicon/column-headers.ts";
import { refuse, type RefusalReason, type Refused } from "../../problem.ts";
import type { Candidate } from "./candidates.ts";
import { BLOCK_TAG, letters, stripTags, sliceBetweenTags } from "../../text.ts";

/** Refusal and explanation for the likeliest table, by what rules it out. */
const EXPLANATIONS: Partial<Record<NonNullable<Candidate["ruledOut"]> | "nothing", [RefusalReason, string]>> =
  {
    old_layout: ["old_layout", ""],
    foreign_layout: ["foreign_layout", ""],
    no_total: ["no_total", ""],
    another_view: ["no_table", " is under a heading of another view of pay"],
    other_people: ["no_table", " is under a heading of other people"],
    nothing: [
      "no_table",
      " has such columns, but neither the text right above it nor its people's offices show whose pay it is",
    ],
  };

/** Explains why none of the document's tables was chosen: the old table, another country's, an image, or none at all. */
export function explainRejection(located: Located, read: readonly Candidate[]): Refused {
  const { text, regions } = located;
  const [named] = [...read].sort((a, b) => b.score - a.score);
  const score = named?.score ?? 0;
  const table = `table ${named?.region.ordinal}`;
  const undated = score >= 5 && named?.ruledOut === "no_total" && named.sections.length === 0;
  const said = score >= 5 && !undated ? EXPLANATIONS[named?.ruledOut ?? "nothing"] : undefined;
  if (said !== undefined) return refuse(said[0], `${table}${said[1]}`);
  const old = oldWords(text);
  if (old !== undefined)
    return refuse("old_layout", `column headers of the table before December 2006: "${old}"`);
  if (undated)
    return refuse(
      "rows_unreadable",
      `${table} has column headers for pay and a total, but no year next to its amounts`,
    );
  if (named !== undefined && score >= 8)
    return refuse("rows_unreadable", `${table} has the columns, but no row with a name, a year and amounts`);
  if (read.length === 0 && imageUnderHeading(text))
    return refuse("image_only", 'there is an image under the heading "Summary Compensation Table"');
  const withPay = new Set([...read.map(({ region }) => region), ...located.headers]).size;
  return refuse(
    "no_table",
    `${regions.length} tables, ${withPay} with pay headers, none of them the Summary Compensation Table`,
  );
}

/** Characters of markup before and after a mention; a single cell may take 500. */
const MARKUP = 20_000;
/**
 * The old table's column headers around "name and position", in any layout: fixed-width text, or headers apart from their rows. The
 * old table has no total and has headers that the current one lacks.
 */
function oldWords(text: string): string | undefined {
  let mentions = 0;
  for (const found of text.matchAll(
    /\b(?:name(?:\s|&nbsp;|&#160;|<[^<>]{0,200}>){1,40}and|principal|and)(?:\s|&nbsp;|&#160;|<[^<>]{0,200}>){1,40}(?:principal|positions?)\b/gi,
  )) {
    if (++mentions > MAX_MENTIONS) break;
    const before = stripTags(sliceBetweenTags(text, found.index - MARKUP, found.index)).slice(-500);
    const behind = stripTags(sliceBetweenTags(text, found.index, found.index + MARKUP)).slice(0, 400);
    const bare = letters(before + behind);
    const total = letters(before.slice(-120) + behind.slice(0, 250)).includes("total");
    if (
      FOREIGN_HEADERS.has(bare, "old", "old_and_new") &&
      /salary/.test(bare) &&
      !total &&
      /(?:19|20)\d\d/.test(behind)
    )
      return behind.slice(0, 120);
  }
  return undefined;
}

/** Mentions of the table that are examined, and characters of text between a heading and its image. */
const MAX_MENTIONS = 200;
const MAX_BETWEEN = 400;

/** Whether the table's heading is followed by an image. A mention in running text, such as a reference to the proxy, is not a heading. */
function imageUnderHeading(text: string): boolean {
  if (!/<img\b/i.test(text)) return false;
  let mentions = 0;
  for (const found of text.matchAll(/summary\s+compensation(?:\s+tables?)?/gi)) {
    if (++mentions > MAX_MENTIONS) break;
    const end = found.index + found[0].length;
    const before = text.slice(Math.max(0, found.index - 600), found.index);
    const start = [...before.matchAll(BLOCK_TAG)].at(-1)?.index;
    if (start === undefined || stripTags(before.slice(start)).length > 20) continue;
    const after = text.slice(end, end + 8000);
    const line = after.slice(0, after.search(BLOCK_TAG));
    const image = after.search(/<img\b/i);
    if (image >= 0 && stripTags(line).length < 60 && stripTags(after.slice(0, image)).length < MAX_BETWEEN)
      return true;
  }
  return false;
}
