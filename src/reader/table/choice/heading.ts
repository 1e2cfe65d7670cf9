import { HEADINGS, ROW_LABELS } from "../../lexicon/headings.ts";
import { blocksOf, isArtifact } from "./between-tables.ts";
import { isNote } from "../../values/footnote-markers.ts";
import { MAX_HEADING } from "../header/others.ts";
import { ownName } from "../../officers/own-name.ts";
import type { Region } from "../grid/locate.ts";

const HEADING_CHARACTERS = 6000;
/** The blocks of text above a region, back to the previous table. */
export function headingOf(text: string, region: Region, before: number): readonly string[] {
  const from = Math.max(before, region.start - HEADING_CHARACTERS);
  const cut = text.slice(from, region.start);
  const caption = CAPTION.exec(text.slice(region.start, region.start + HEADING_CHARACTERS))?.[1] ?? "";
  return [...blocksOf(cut.slice(cut.indexOf(">") < 200 ? cut.indexOf(">") + 1 : 0)), ...blocksOf(caption)];
}

/** The caption element of a table, before its first row. */
const CAPTION = /^<table\b[^<>]*>\s*<caption\b[^<>]*>((?:(?!<tr\b|<table\b)[\s\S]){0,2000}?)<\/caption>/i;

/** Blocks right above a table that can assign it to other people. */
const MAX_NEAR = 4;

/** What the text above a table says it is. */
export type HeadingKind = "title" | "other people" | "another view" | "nothing";

/** Decides what the blocks above a table say it is, the nearest first. A title counts unless another heading follows it. */
export function classifyHeadings(above: readonly string[]): HeadingKind {
  const near = above.filter((one) => !isArtifact(one) && !isNote(one)).toReversed();
  // Other people mentioned further up, or above a sentence about the executive officers, belong to another section.
  let others = MAX_NEAR;
  let between = false;
  for (const [at, block] of near.entries()) {
    const heading = block.length < MAX_HEADING && !/[.;:,]$/.test(block);
    if (HEADINGS.has(block, "summary_compensation")) return between ? "nothing" : "title";
    if (heading ? at < MAX_NEAR && isOtherView(block) : at === 0 && introducesView(block))
      return "another view";
    const named = HEADINGS.has(block, "our_officers");
    const ours = namesTable(block) || HEADINGS.has(block, "officers");
    const theirs =
      (HEADINGS.has(block, "others_only") && !named && (heading || !namesTable(block))) ||
      (HEADINGS.has(block, "other_people") && (!ours || (heading && isOthersTable(block))));
    if (theirs && at < others) return "other people";
    if (!heading && namesTable(block)) return "nothing";
    if (ours && !theirs) others = 0;
    between ||= heading && !HEADINGS.has(block, "group", "units");
  }
  return "nothing";
}

/** The company whose officers a heading or sentence names: `Lakeside’s Executive Officers`, `paid by Lakeside to its officers`. */
const OFFICERS_OF =
  /\b((?!Bank\b)[A-Z][\w&.-]*(?:\s+[A-Z][\w&.-]*){0,4})(?:[’']s|\s+(?:paid\s+)?to\s+its)\s+(?:[Nn]amed\s+)?(?:[Ee]xecutive\s+)?[Oo]fficers\b/;

/**
 * Whether the text right above a table, apart from page artifacts and units, mentions the company's own officers.
 *
 * @param companyWords the company's name, from `companyWordsOf`
 */
export function mentionsOwnOfficers(above: readonly string[], companyWords: readonly string[]): boolean {
  const nearest = above.findLast(
    (block) => /[a-z]{4}/i.test(block) && !isArtifact(block) && !HEADINGS.has(block, "units"),
  );
  if (nearest === undefined) return true;
  if (namesTable(nearest)) return !ROW_LABELS.has(nearest, "company") || isOwn(nearest, companyWords);
  const whose = /\b(?:officers?|executives?) of (.*)$/i.exec(nearest)?.[1];
  if (whose !== undefined) return ownName(whose, companyWords);
  const theirs = OFFICERS_OF.exec(nearest)?.[1];
  if (theirs !== undefined && companyWords.length > 0 && !ownName(theirs, companyWords)) return false;
  return HEADINGS.has(nearest, "officers", "one_officer");
}

/** Whether a title that ends with a company's name, such as `Summary Compensation Table of Acme Power Company`, means this company. */
function isOwn(title: string, companyWords: readonly string[]): boolean {
  const whose = /compensation(?:\s+tables?)?\W+(?:(?:of|for)\s+)?(.*)$/i.exec(title)?.[1] ?? "";
  return companyWords.length === 0 || whose === "" || ownName(whose, companyWords);
}

/** Whether a title names a table of people other than officers: `Director Summary Compensation Table`. */
function isOthersTable(title: string): boolean {
  return !HEADINGS.has(title.replace(/\bnon-?\s?(?:executive|officer)\b/gi, ""), "officers");
}

/** Whether a heading names another view of pay. A heading in brackets is only an explanation. */
function isOtherView(heading: string): boolean {
  return HEADINGS.has(heading.replace(/^\(.*\)$/, ""), "other_view");
}

/** Whether a sentence introduces the table below it as another view of pay. */
function introducesView(sentence: string): boolean {
  return (
    HEADINGS.has(sentence, "other_view") && HEADINGS.has(sentence, "points_at_table") && !namesTable(sentence)
  );
}

/** Whether a heading names the Summary Compensation Table, and not its continuation. */
export function beginsTable(words: string): boolean {
  return namesTable(words) && !/\bcont(?:inu|['’]?d|\.)/i.test(words);
}

/** Whether a title or sentence names the Summary Compensation Table. */
export function namesTable(block: string): boolean {
  return HEADINGS.has(block, "summary_compensation", "mentions_table");
}
