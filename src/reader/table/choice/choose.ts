import { FOREIGN_HEADERS } from "../../lexicon/column-headers.ts";
import { HEADINGS } from "../../lexicon/headings.ts";
import { type ParsedFiling, type RefusalReason, type Tell, refusedFiling } from "../../parsed.ts";
import { letters, sliceBetweenTags, stripTags } from "../../text.ts";
import { buildGrid, type Located } from "../grid/grid.ts";
import { headerAbove, readSections } from "../header/header.ts";
import { type Candidate, readCandidates, readUnder } from "./candidates.ts";
import {
  IMAGE,
  aboveFirstPage,
  blocksOf,
  headingOf,
  hasTitle,
  isTitle,
  mentionsOwnOfficers,
  otherHeading,
} from "./heading.ts";
import { pagesBeside, sameTotals } from "./pages.ts";

/** The chosen table and its other pages, in order. */
export type Pages = readonly [Candidate, ...Candidate[]];

/** Two candidates within this many points of each other are equally likely. */
const RIVAL_MARGIN = 2;
/** The same if no heading calls the better one the Summary Compensation Table. */
const UNTITLED_MARGIN = 20;
/** Columns of Item 402(c) that a table of officers needs if no text above it says whose it is. */
const MIN_PARTS = 3;

/**
 * Chooses the Summary Compensation Table among all candidates.
 *
 * @param companyWords the company's name, from `companyWordsOf`
 */
export function chooseTable(located: Located, companyWords: readonly string[]): Pages | ParsedFiling {
  const read = readCandidates(located);
  // Headers in a separate table are considered only if no complete table has the title.
  const apart = read.some((one) => one.ruledOut === null && isSure(one)) ? [] : headersApart(located);
  const fit = [...read, ...apart].filter((one) => one.ruledOut === null).sort((a, b) => b.score - a.score);
  const best = bestOf(
    fit.filter(
      (one) =>
        one.headingKind === "title" ||
        ((one.headingKind !== "nothing" || otherHeading(one.above, companyWords) === undefined) &&
          (isOfOfficers(one, companyWords) || (one.hasOfficers && one.parts >= MIN_PARTS))),
    ),
  );
  if (best === undefined) return explainRejection(located, read);
  // What is under the title cannot be read, so a table elsewhere is another one.
  const above = aboveFirstPage(located, best.region, best.above);
  const isUnder = above.slice(above.lastIndexOf(IMAGE) + 1).some(isTitle);
  if (best.headingKind === "nothing" && !isUnder && hasTitle(located)) return unreadTitle(located);
  const newer = fit.find((one) => isNewer(one, best));
  const before = pagesBeside(located, best, "before");
  const rival = newer?.region ?? before.rival;
  if (rival !== undefined) {
    const both = `table ${best.region.ordinal} and table ${rival.ordinal}`;
    return refusedFiling("ambiguous", `${both} have the same columns and differ`);
  }
  const behind = pagesBeside(located, best, "after");
  const [first = best, ...rest] = [...before.tables.toReversed(), best, ...behind.tables];
  const { tell } = located;
  const chosen = `Table ${best.region.ordinal} was read`;
  for (const { region } of rivalsOf(best, fit, [first, ...rest]))
    tell("several_tables", `${chosen}; table ${region.ordinal} is about as likely`);
  // A table under a heading of other people was recognized by its people's offices alone.
  if (best.headingKind === "other people" || !isOfOfficers(best, companyWords)) {
    const above = best.above.at(-1) ?? "";
    tell("table_untitled", `The text right above table ${best.region.ordinal} is "${above}"`);
  }
  for (const table of [first, ...rest]) tellOf(table, tell);
  return [first, ...rest];
}

/** Other tables that could be the right one: with a similar score, or titled or introduced by a sentence and with other people. */
function rivalsOf(best: Candidate, fit: readonly Candidate[], tables: readonly Candidate[]) {
  const margin = isSure(best) ? RIVAL_MARGIN : UNTITLED_MARGIN;
  const newest = Math.max(...tables.map(({ newestYear }) => newestYear));
  const names = new Set(tables.flatMap((table) => [...table.names]));
  return fit.filter((one) => {
    if (tables.some(({ region }) => region === one.region) || isNewer(best, one)) return false;
    const isSame = samePeople(one, best);
    if (isSame && sameTotals(one, best)) return false;
    if (best.score - one.score <= margin) return true;
    if (isSame)
      return one.newestYear > newest || (names.size < one.names.size && names.isSubsetOf(one.names));
    return isSure(one) || (!one.anotherView && HEADINGS.has(one.above.at(-1) ?? "", "introduces_table"));
  });
}

/** Whether the text above a table says that it covers the company's officers. */
function isOfOfficers({ headingKind, above }: Candidate, companyWords: readonly string[]): boolean {
  return headingKind === "title" || mentionsOwnOfficers(above, companyWords);
}

function tellOf({ region, sections, byOrder, yearFrom }: Candidate, tell: Tell): void {
  const table = `Table ${region.ordinal}`;
  const headed = `${table} has no column headers; each row has as many amounts as the previous header has columns`;
  const dated = `${table} has no year column; its rows have the year of its heading, "${yearFrom?.slice(0, 120)}"`;
  if (byOrder) tell("header_apart", headed);
  if (yearFrom !== undefined) tell("year_from_heading", dated);
  for (const heading of sections.flatMap(({ endedBy }) => endedBy ?? []))
    tell("table_left_out", `${table}: the rows under "${heading}" were left out`);
}

/**
 * The best of the candidates, given in order of score. A table of the same people is preferred to another view of their pay, and a
 * table that repeats another with a newer year is preferred to it.
 */
function bestOf(fit: readonly Candidate[]): Candidate | undefined {
  const [top] = fit;
  if (top === undefined) return undefined;
  const plain = top.anotherView ? (fit.find((one) => !one.anotherView && samePeople(one, top)) ?? top) : top;
  const isTitled = ({ headingKind }: Candidate) => headingKind === "title";
  const newer = fit.filter(
    (one) => isNewer(one, plain) && !one.anotherView && (isTitled(one) || !isTitled(plain)),
  );
  return newer.find((one) => !newer.some((other) => isNewer(other, one))) ?? plain;
}

/** Whether a table is titled as the Summary Compensation Table and is not another view of pay. */
function isSure({ headingKind, anotherView }: Candidate): boolean {
  return headingKind === "title" && !anotherView;
}

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
function explainRejection(located: Located, read: readonly Candidate[]): ParsedFiling {
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
function unreadTitle({ text }: Located): ParsedFiling {
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

/** Whether two tables share a person. The same totals under other names are other people's. */
function samePeople(one: Candidate, other: Candidate): boolean {
  return !one.names.isDisjointFrom(other.names);
}

/** Whether a table repeats rows of another and adds a newer year. */
function isNewer(one: Candidate, other: Candidate): boolean {
  return one.newestYear > other.newestYear && !one.personYears.isDisjointFrom(other.personYears);
}

/** Finds tables whose column headers are in a separate table before them. */
function* headersApart(located: Located): Generator<Candidate> {
  for (const header of located.headers.slice(0, 20)) {
    const next = located.regions.find((region) => region.start >= header.end);
    if (next === undefined || next.kind !== "table" || next.start - header.end > 4000) continue;
    const headers = buildGrid(located, header);
    const section = headerAbove(headers);
    const body = buildGrid(located, next);
    if (section === undefined || readSections(body).length > 0) continue;
    const fit = readUnder(located, next, body, section, headers.width, headingOf(located, header));
    if (fit !== undefined) yield fit;
  }
}
