import { HEADINGS, PAGE_ARTIFACTS, ROW_LABELS } from "../../lexicon/headings.ts";
import { ownName } from "../../officers/titles.ts";
import { COST } from "../../parsed-filing.ts";
import { BLOCK_TAG, letters, sliceBetweenTags, stripTags } from "../../clean-text.ts";
import { isFootnoteMarker, isNote } from "../../values/footnote-markers.ts";
import { readYear } from "../../values/years.ts";
import type { Located, Region } from "../grid/grid.ts";
import { MAX_HEADING, SENTENCE_END } from "../header/header.ts";

/** Blocks above a table that can be its heading and an introductory sentence. */
export const MAX_BLOCKS = 3;
const HEADING_CHARACTERS = 6000;
/** The blocks of text above a region, back to `from`, by default to the previous table. */
export function headingOf({ text, regions }: Located, region: Region, from?: number): readonly string[] {
  const isAbove = (one: Region) => one.end <= region.start && !isOnlyWords(text, one);
  const before = from ?? regions.findLast(isAbove)?.end ?? 0;
  const cut = sliceBetweenTags(text, Math.max(before, region.start - HEADING_CHARACTERS), region.start);
  const caption = CAPTION.exec(text.slice(region.start, region.start + HEADING_CHARACTERS))?.[1] ?? "";
  return [...blocksOf(cut.replace(IMG, imageAsBlock)), ...blocksOf(caption)];
}

/** Characters of markup and of text in a table that only lays out a heading. */
const MAX_LAYOUT = 4000;

/** Whether a table has a few words and no amounts: a heading or a page number. */
function isOnlyWords(text: string, { start, end }: Region): boolean {
  if (end - start > MAX_LAYOUT) return false;
  const words = stripTags(text.slice(start, end));
  return words.length < MAX_HEADING && !/\d[,.]?\d{3}\b(?<!\b(?:19|20)\d\d)/.test(words);
}

/** The block that stands for an image that could be a table's. */
export const IMAGE = "\ufffc";
const IMG = /<img\b[^<>]*>/gi;
/** A line, a logo or an icon, by its name or a side of fewer pixels than a table's. */
const NO_TABLE =
  /\b(?:logo|spacer|pixel|icon|rule|line|signature)|(?:width|height)\s*[:=]\s*["']?\d{1,2}(?:\.\d*)?(?:px|pt)?\s*(?:["';\s/>]|$)/i;

function imageAsBlock(tag: string): string {
  return NO_TABLE.test(tag) ? " " : `<p>${IMAGE}</p>`;
}

/** The caption element of a table, before its first row. */
const CAPTION = /^<table\b[^<>]*>\s*<caption\b[^<>]*>((?:(?!<tr\b|<table\b)[\s\S]){0,2000}?)<\/caption>/i;

/** Blocks right above a table that can assign it to other people. */
const MAX_NEAR = 4;

/** Whether a block is short and no sentence. */
function isHeading(block: string): boolean {
  return block.length < MAX_HEADING && !SENTENCE_END.test(block) && !/[:,]$/.test(block);
}

/** Whether a block is the table's title: a heading of its own, or one that runs into the sentence behind it. */
export function isTitle(block: string): boolean {
  return HEADINGS.has(block, "summary_compensation", "run_in_title");
}

/** Tables right before the first one that may contain only its headers or a name. */
const MAX_TABLES_BEFORE = 3;

/** The blocks above a table and, if only a page break separates it from a table with pay headers, those above that one. */
export function aboveFirstPage(
  located: Located,
  { start }: Region,
  above: readonly string[],
  steps = MAX_TABLES_BEFORE,
): readonly string[] {
  const before = located.regions.findLast(({ end }) => end <= start);
  if (before === undefined || steps === 0 || above.some(beginsTable)) return above;
  if (![...located.headers, ...located.candidates].includes(before)) return above;
  if (readBoundary(located, before.end, start).words !== undefined) return above;
  return [...aboveFirstPage(located, before, headingOf(located, before), steps - 1), ...above];
}

/** Mentions of the table that are examined. */
const MAX_MENTIONS = 200;
const MENTION = /\bsummary(?:\s|&nbsp;|&#160;|<[^<>]{0,300}>){1,20}compensation\b/gi;
/** Characters of markup around a mention that can belong to its block. */
const BLOCK_MARKUP = 2000;

/** Whether the table has a title somewhere in the document, outside tables, links and lists of contents. */
export function hasTitle({ text, regions }: Located): boolean {
  const isInside = (at: number) => regions.some(({ start, end }) => start < at && at < end);
  return text
    .matchAll(MENTION)
    .take(MAX_MENTIONS)
    .some(({ index }) => {
      const before =
        text
          .slice(Math.max(0, index - BLOCK_MARKUP), index)
          .split(BLOCK_TAG)
          .at(-1) ?? "";
      const [behind = "", ...next] = text.slice(index, index + BLOCK_MARKUP).split(BLOCK_TAG);
      const words = stripTags(before.replace(/^[^<>]*>/, "") + behind.replace(/<[^<>]*$/, ""));
      const following = next.map(stripTags).find((one) => one !== "") ?? "";
      const isListed =
        /[\s.…]\d{1,3}$/.test(words) || /^\d{1,3}$/.test(following) || /<a\s[^<>]*href/i.test(before);
      return isTitle(words) && !isListed && !isInside(index);
    });
}

/**
 * A heading above a table that can be neither its title nor one of the officers' pay; undefined if there is none. Below a title
 * every heading counts, else only the nearest.
 */
export function otherHeading(above: readonly string[], companyWords: readonly string[]): string | undefined {
  const isOwn = (one: string) =>
    HEADINGS.has(one, "neutral") || ROW_LABELS.has(one, "company") || ownName(one, companyWords);
  const headings = above.filter(
    (one) =>
      isHeading(one) &&
      letters(one) !== "" &&
      (!isArtifact(one) || isOwn(one)) &&
      !isNote(one) &&
      !HEADINGS.has(one, "units", "remark"),
  );
  const title = headings.findLastIndex(namesTable);
  return headings.slice(title < 0 ? -1 : title + 1).find((one) => !isOwn(one));
}

/** What the text above a table says it is. */
export type HeadingKind = "title" | "other people" | "another view" | "nothing";

/** Decides what the blocks above a table say it is, the nearest first. A title counts unless another heading follows it. */
export function classifyHeadings(above: readonly string[]): HeadingKind {
  const near = above.filter((one) => one === IMAGE || (!isArtifact(one) && !isNote(one))).toReversed();
  // The block that can introduce the table, not counting those about units.
  const first = near.findIndex((block) => !isHeading(block) || !HEADINGS.has(block, "units", "remark"));
  // Other people mentioned further up, or above a sentence about the executive officers, belong to another section.
  let others = MAX_NEAR;
  let between = false;
  for (const [at, block] of near.entries()) {
    const heading = isHeading(block);
    if (isTitle(block)) return between ? "nothing" : "title";
    // What stands under a title is the image.
    between ||= block === IMAGE;
    // A heading in brackets is only an explanation; a sentence must introduce the table below it.
    const isView = HEADINGS.has(heading ? block.replace(/^\(.*\)$/, "") : block, "other_view");
    const introduces = at === first && HEADINGS.has(block, "points_at_table") && !namesTable(block);
    const isOtherPay =
      at === first && block.split(/(?<=[.;])\s/).some((one) => HEADINGS.has(one, "introduces_other_pay"));
    if (heading ? isView && at < MAX_NEAR : isOtherPay || (isView && introduces)) return "another view";
    const named = HEADINGS.has(block, "our_officers");
    const ours = namesTable(block) || HEADINGS.has(block, "officers");
    const theirs =
      (HEADINGS.has(block, "others_only", "no_officers") && !named && (heading || !namesTable(block))) ||
      // `Director Summary Compensation Table` names a table, but not one of officers.
      (HEADINGS.has(block, "other_people") &&
        (!ours ||
          (heading && !HEADINGS.has(block.replace(/\bnon-?\s?(?:executive|officer)\b/gi, ""), "officers"))));
    if (theirs && at < others) return "other people";
    if (!heading && namesTable(block)) return between ? "nothing" : "title";
    if (ours && !theirs) others = 0;
    between ||= heading && !HEADINGS.has(block, "group", "units", "remark", "neutral");
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

/** Whether a heading names the Summary Compensation Table, or a sentence introduces it; one that only refers to it does not. */
export function namesTable(block: string): boolean {
  return isTitle(block) || HEADINGS.has(block, isHeading(block) ? "mentions_table" : "presents_table");
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
    // One table a year: the year of the next one.
    if (/\p{L}/u.test(block) && readYear(block) !== undefined) continue;
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
