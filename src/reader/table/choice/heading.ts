import { HEADINGS, PAGE_ARTIFACTS, ROW_LABELS } from "../../lexicon/headings.ts";
import { ownName } from "../../officers/titles.ts";
import { COST } from "../../parsed.ts";
import { BLOCK_TAG, letters, sliceBetweenTags, stripTags } from "../../text.ts";
import { isFootnoteMarker, isNote } from "../../values/values.ts";
import type { Located, Region } from "../grid/grid.ts";
import { MAX_HEADING } from "../header/header.ts";

const HEADING_CHARACTERS = 6000;
/** The blocks of text above a region, back to `from`, by default to the previous table. */
export function headingOf({ text, regions }: Located, region: Region, from?: number): readonly string[] {
  const before = from ?? regions.findLast((one) => one.end <= region.start)?.end ?? 0;
  const cut = sliceBetweenTags(text, Math.max(before, region.start - HEADING_CHARACTERS), region.start);
  const caption = CAPTION.exec(text.slice(region.start, region.start + HEADING_CHARACTERS))?.[1] ?? "";
  return [...blocksOf(cut), ...blocksOf(caption)];
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
    // A heading in brackets is only an explanation; a sentence must introduce the table below it.
    const isView = HEADINGS.has(heading ? block.replace(/^\(.*\)$/, "") : block, "other_view");
    const introduces = at === 0 && HEADINGS.has(block, "points_at_table") && !namesTable(block);
    if (isView && (heading ? at < MAX_NEAR : introduces)) return "another view";
    const named = HEADINGS.has(block, "our_officers");
    const ours = namesTable(block) || HEADINGS.has(block, "officers");
    const theirs =
      (HEADINGS.has(block, "others_only", "no_officers") && !named && (heading || !namesTable(block))) ||
      // `Director Summary Compensation Table` names a table, but not one of officers.
      (HEADINGS.has(block, "other_people") &&
        (!ours ||
          (heading && !HEADINGS.has(block.replace(/\bnon-?\s?(?:executive|officer)\b/gi, ""), "officers"))));
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

/** The block of text right above a table, apart from page artifacts and units. */
export function nearestBlock(above: readonly string[]): string | undefined {
  return above.findLast((one) => /[a-z]{4}/i.test(one) && !isArtifact(one) && !HEADINGS.has(one, "units"));
}

/**
 * Whether the text right above a table, apart from page artifacts and units, mentions the company's own officers.
 *
 * @param companyWords the company's name, from `companyWordsOf`
 */
export function mentionsOwnOfficers(above: readonly string[], companyWords: readonly string[]): boolean {
  const nearest = nearestBlock(above);
  if (nearest === undefined) return true;
  if (namesTable(nearest)) {
    // `Summary Compensation Table of Acme Power Company`
    if (!ROW_LABELS.has(nearest, "company") || companyWords.length === 0) return true;
    const company = /compensation(?:\s+tables?)?\W+(?:(?:of|for)\s+)?(.*)$/i.exec(nearest)?.[1] ?? "";
    return company === "" || ownName(company, companyWords);
  }
  const whose = /\b(?:officers?|executives?) of (.*)$/i.exec(nearest)?.[1];
  if (whose !== undefined) return ownName(whose, companyWords);
  const theirs = OFFICERS_OF.exec(nearest)?.[1];
  if (theirs !== undefined && companyWords.length > 0 && !ownName(theirs, companyWords)) return false;
  return HEADINGS.has(nearest, "officers", "one_officer");
}

/** Whether a heading names the Summary Compensation Table, and not its continuation. */
export function beginsTable(words: string): boolean {
  return namesTable(words) && !/\bcont(?:inu|['’]?d|\.)/i.test(words);
}

/** Whether a title or sentence names the Summary Compensation Table. */
export function namesTable(block: string): boolean {
  return HEADINGS.has(block, "summary_compensation", "mentions_table");
}

/** What the text between two tables says of them. */
export interface Boundary {
  /** Words that part them; undefined if they may be pages of one: only page artifacts, footnotes and the table's title. */
  readonly words?: string;
  /** The table's title is between them. */
  readonly headed: boolean;
  readonly nothing: boolean;
}

/** Least number of repetitions that make a block a running head. */
const MIN_REPEATS = 5;
const MAX_RUNNING_HEAD = 120;
const PAGE_END = /<hr\b|<page\b|(?:page-)?break-(?:before|after)/i;

/** Judges the text between two tables of a document. */
export function readBoundary(located: Located, from: number, to: number): Boundary {
  const { text } = located;
  const between = text.slice(text.indexOf(">", from) + 1, to);
  const boundary = judgeBlocks(blocksOf(between), (block) => isRunningHead(located, block));
  // A rule or a page break without text also ends a page.
  return PAGE_END.test(between) ? { ...boundary, nothing: false } : boundary;
}

/** Judges blocks of text between two tables, or the titles inside the second one. */
export function judgeBlocks(
  blocks: readonly string[],
  repeats: (block: string) => boolean = () => false,
): Boundary {
  let headed = false;
  let inNotes = false;
  for (const [at, block] of blocks.entries()) {
    if (isFootnoteMarker(block) || isArtifact(block) || HEADINGS.has(block, "group")) continue;
    if (HEADINGS.has(block, "continued", "summary_compensation"))
      headed ||= !HEADINGS.has(block, "continued");
    else if (
      isNote(block) ||
      // A bare number may also be a page number; a sentence after it is a note.
      (isFootnoteMarker(blocks[at - 1] ?? "") && (block.length > 80 || /[.;]$/.test(block))) ||
      (inNotes && /^\p{Ll}/u.test(block))
    ) {
      if (HEADINGS.has(block, "introduction")) return { words: block.slice(-80), headed, nothing: false };
      inNotes = true;
    } else if (HEADINGS.has(block, "other_people", "others_only", "other_view") || !repeats(block))
      return { words: block.slice(0, 80), headed, nothing: false };
  }
  return { headed, nothing: blocks.length === 0 };
}

/** Whether a line is a page artifact. */
export function isArtifact(block: string): boolean {
  if (letters(block) === "") return true;
  return PAGE_ARTIFACTS.has(block, "page number", "link", "running head", "continued", "notes below");
}

/** The non-empty blocks of text in HTML; in text without tags a blank line ends a block. */
export function blocksOf(html: string): string[] {
  const end = /<(?:p|div|br|tr|td|table)\b/i.test(html) ? BLOCK_TAG : /\n\s*\n/;
  return html
    .split(end)
    .map(stripTags)
    .filter((block) => block !== "");
}

/** Whether the block is a page header or footer: the same words, apart from numbers, recur in the document. */
function isRunningHead({ text, work }: Located, block: string): boolean {
  const words = block.replace(/^[\s\d|–-]+|[\s\d|–-]+$/g, "");
  if (words.length < 6 || words.length > MAX_RUNNING_HEAD) return false;
  work.spend(text.length * COST.search);
  let count = 0;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    work.spend(COST.match);
    if (/>\s*[\d|\s–-]*$/.test(text.slice(Math.max(0, at - 12), at)) && ++count >= MIN_REPEATS) return true;
  }
  return false;
}
