import { HEADINGS } from "../../lexicon/headings.ts";
import { PAGE_ARTIFACTS } from "../../lexicon/page-artifacts.ts";
import { BLOCK_TAG, letters, stripTags } from "../../text.ts";
import { COST } from "../../work.ts";
import type { Located } from "../grid/locate.ts";
import { isFootnoteMarker, isNote } from "../../values/footnote-markers.ts";

/**
 * Whether the text between two tables allows them to be pages of one.
 *
 * - `same`: only page artifacts, footnotes and the table's own title, or `nothing` at all
 * - `other`: the text names other people's table or another view of pay
 * - `unclear`: other text; the table is left out and a problem reported
 */
export type Boundary =
  | { readonly kind: "same"; readonly headed: boolean; readonly nothing: boolean }
  | { readonly kind: "other" | "unclear"; readonly words: string };

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
  return boundary.kind === "same" && PAGE_END.test(between) ? { ...boundary, nothing: false } : boundary;
}

/** Judges blocks of text between two tables, or the titles inside the second one. */
export function judgeBlocks(
  blocks: readonly string[],
  repeats: (block: string) => boolean = () => false,
): Boundary {
  let headed = false;
  // After a marker in its own cell the next block is a note; a block in lower case continues a note.
  let after: "marker" | "note" | "other" = "other";
  for (const block of blocks) {
    if (isFootnoteMarker(block)) after = "marker";
    else if (isArtifact(block) || HEADINGS.has(block, "group")) continue;
    else if (HEADINGS.has(block, "continued", "summary_compensation")) {
      headed ||= !HEADINGS.has(block, "continued");
      after = "other";
    } else if (
      // A bare number may also be a page number; a sentence after it is a note.
      (after === "marker" && (block.length > 80 || /[.;]$/.test(block))) ||
      isNote(block) ||
      (after === "note" && /^\p{Ll}/u.test(block))
    ) {
      if (HEADINGS.has(block, "introduction")) return { kind: "unclear", words: block.slice(-80) };
      after = "note";
    } else if (HEADINGS.has(block, "other_people", "others_only", "other_view"))
      return { kind: "other", words: block.slice(0, 80) };
    else if (!repeats(block)) return { kind: "unclear", words: block.slice(0, 80) };
  }
  return { kind: "same", headed, nothing: blocks.length === 0 };
}

/** Whether a line is a page artifact. */
export function isArtifact(block: string): boolean {
  return (
    PAGE_ARTIFACTS.has(block, "page number", "link", "running head", "continued", "notes below") ||
    letters(block) === ""
  );
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
