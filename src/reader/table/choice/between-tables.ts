import { HEADINGS } from "../../lexicon/headings.ts";
import { PAGE_ARTIFACTS } from "../../lexicon/page-artifacts.ts";
import { decodeReferences, letters, tidy } from "../../text.ts";
import type { Located } from "../grid/locate.ts";
import { isFootnoteMarker, isNote } from "../../values/footnote-markers.ts";

/**
 * Whether two tables with a stretch of the document between them can be pages of one.
 *
 * - `same`: nothing but page artifacts, footnotes and the table's own title stands between, or `nothing` at all
 * - `other`: the words name somebody else's table or another view of pay
 * - `unclear`: other words; the table is left out, and that is said
 */
export type Boundary =
  | { readonly kind: "same"; readonly headed: boolean; readonly nothing: boolean }
  | { readonly kind: "other" | "unclear"; readonly words: string };

/** Blocks that a page break can leave are printed on many pages of the document. */
const MIN_REPEATS = 5;
const MAX_RUNNING_HEAD = 120;
const PAGE_END = /<hr\b|<page\b|(?:page-)?break-(?:before|after)/i;

/** Reads the blocks of text between two tables of a document. */
export function readBoundary(located: Located, from: number, to: number): Boundary {
  const { text } = located;
  const between = text.slice(text.indexOf(">", from) + 1, to);
  const boundary = judgeBlocks(blocksOf(between), (block) => isRunningHead(located, block));
  // A rule or a break without words ends a page, too.
  return boundary.kind === "same" && PAGE_END.test(between) ? { ...boundary, nothing: false } : boundary;
}

/** Judges what stands between two tables, or the titles inside the second one's grid. */
export function judgeBlocks(
  blocks: readonly string[],
  repeats: (block: string) => boolean = () => false,
): Boundary {
  let headed = false;
  // A marker in a cell of its own makes the next block its note; what follows a note in small letters is the rest of it.
  let after: "marker" | "note" | "other" = "other";
  for (const block of blocks) {
    if (isFootnoteMarker(block)) after = "marker";
    else if (isArtifact(block) || HEADINGS.has(block, "group")) continue;
    else if (HEADINGS.has(block, "continued", "summary_compensation")) {
      headed ||= !HEADINGS.has(block, "continued");
      after = "other";
    } else if (
      // A bare number may be a page's, too: what follows it is a note when it is a sentence.
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

/** Whether a line is what a page break leaves. */
export function isArtifact(block: string): boolean {
  return (
    PAGE_ARTIFACTS.has(block, "page number", "link", "running head", "continued", "notes below") ||
    letters(block) === ""
  );
}

/** Lines of text as a reader sees them, without the blank ones. In text without tags a blank line ends one. */
export function blocksOf(html: string): string[] {
  const parts = /<(?:p|div|br|tr|td|table)\b/i.test(html)
    ? html.split(/<\/?(?:p|div|br|tr|td|th|li|h[1-6]|table|ul|ol|hr|center)\b[^<>]*>/i)
    : html.split(/\n\s*\n/);
  return parts
    .map((part) => tidy(decodeReferences(part.replace(/<!--[^>]*>/g, "").replace(/<[^<>]*>/g, ""))))
    .filter((part) => part !== "");
}

/** Characters that a search passes at the cost of one, and those that cost as much as a place found. */
const SEARCH = 50;
const PLACE = 10;

/** Whether the block is a header or footer of pages: the same words, numbers apart, over and over in the document. */
function isRunningHead({ text, work }: Located, block: string): boolean {
  const words = block.replace(/^[\s\d|–-]+|[\s\d|–-]+$/g, "");
  if (words.length < 6 || words.length > MAX_RUNNING_HEAD) return false;
  work.spend(text.length / SEARCH);
  let count = 0;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    work.spend(PLACE);
    if (/>\s*[\d|\s–-]*$/.test(text.slice(Math.max(0, at - 12), at)) && ++count >= MIN_REPEATS) return true;
  }
  return false;
}
