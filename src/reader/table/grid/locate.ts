import { mentionsYear } from "../../lexicon/years.ts";
import { mentionsPayAndTotal } from "../../lexicon/column-headers.ts";
import { readStyleSheet, type ClassStyles, type TextStyle } from "../../document/styles.ts";
import { decodeReferences, letters } from "../../text.ts";
import type { Work } from "../../work.ts";

/** A stretch of the document that could hold a table. */
export interface Region {
  /** Ordinal among all tables and preformatted blocks of the document, from 0. */
  readonly ordinal: number;
  readonly kind: "table" | "text";
  readonly start: number;
  readonly end: number;
  /** Stretches of tables inside this one that are candidates of their own. */
  readonly inner: readonly Region[];
  /** False when the document ends before the table does. */
  readonly closed: boolean;
}

/** What one pass over the document found. */
export interface Located {
  readonly text: string;
  readonly regions: readonly Region[];
  /** Regions whose text has what a Summary Compensation Table cannot lack, in document order. */
  readonly candidates: readonly Region[];
  /** Tables with the column headers, but without a year: the rows may stand in the next table. */
  readonly headers: readonly Region[];
  readonly styles: ClassStyles;
  /** What may still be done for the document. */
  readonly work: Work;
}

/** Regions kept at most; a document with more is no proxy statement. */
const MAX_REGIONS = 100_000;
/** Tables inside tables that are told apart; deeper ones count as text of the one they stand in, so that time stays linear. */
const MAX_NESTED = 64;
/** Characters of one table that are looked at. */
export const MAX_TABLE = 6_000_000;
/** Characters of one table that are searched for column headers and a year. */
const MAX_LOOK = 2_000_000;

/** A region whose end was not yet seen. */
interface OpenRegion extends Region {
  end: number;
  inner: OpenRegion[];
  closed: boolean;
}

/** Finds tables and preformatted blocks without building a tree, and keeps those worth one. */
export function locate(text: string, work: Work): Located {
  const styles = new Map<string, TextStyle>();
  const all = scan(text, styles);
  const hidden = hiddenRanges(text, styles, work);
  let passed = 0;
  const visible = all.filter(({ start }) => {
    while ((hidden[passed]?.[1] ?? Infinity) < start) passed++;
    return start < (hidden[passed]?.[0] ?? Infinity);
  });
  const candidates: Region[] = [];
  const headers: Region[] = [];
  for (const region of visible) {
    if (region.kind === "text") candidates.push(region);
    else if (region.end - region.start >= 150) {
      const own = ownText(text, region).slice(0, MAX_LOOK);
      work.spend(own.length);
      const words = plain(own);
      if (!mentionsPayAndTotal(letters(words))) continue;
      if (mentionsYear(words)) candidates.push(region);
      else headers.push(region);
    }
  }
  return { text, regions: visible, candidates, headers, styles, work };
}

function scan(text: string, styles: Map<string, TextStyle>): OpenRegion[] {
  const all: OpenRegion[] = [];
  const open: OpenRegion[] = [];
  let deeper = 0;
  const marks = /<!--|<(\/?)(table|pre|style|script)(?=[\s>/])/gi;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const name = mark[2]?.toLowerCase();
    if (name === undefined) {
      const end = text.indexOf("-->", mark.index + 4);
      if (end >= 0) marks.lastIndex = end + 3;
      else return all;
      continue;
    }
    const closing = mark[1] === "/";
    if (name === "style" || name === "script") {
      if (closing) continue;
      const end = text.indexOf(`</${mark[2] ?? ""}`, mark.index);
      if (end < 0) continue;
      if (name === "style" && end - mark.index < 2_000_000)
        readStyleSheet(text.slice(text.indexOf(">", mark.index) + 1, end), styles);
      marks.lastIndex = end;
      continue;
    }
    const kind = name === "table" ? "table" : "text";
    if (!closing) {
      if (all.length >= MAX_REGIONS) break;
      if (open.length >= MAX_NESTED) {
        deeper++;
        continue;
      }
      const region: OpenRegion = {
        ordinal: all.length,
        kind,
        start: mark.index,
        end: text.length,
        inner: [],
        closed: false,
      };
      open.at(-1)?.inner.push(region);
      all.push(region);
      open.push(region);
      continue;
    }
    if (deeper > 0) {
      deeper--;
      continue;
    }
    const top = open.at(-1);
    if (top === undefined || top.kind !== kind) continue;
    open.pop();
    top.end = mark.index;
    top.closed = true;
  }
  return all;
}

/** Text of the table itself, without the tables inside it. */
function ownText(text: string, region: Region): string {
  let out = "";
  let at = region.start;
  for (const inner of region.inner) {
    out += text.slice(at, inner.start);
    at = inner.end;
    if (out.length > MAX_TABLE) break;
  }
  return out + text.slice(at, Math.min(region.end, at + MAX_TABLE));
}

/** The region's text with tags and references off; words broken over tags come together. */
function plain(html: string): string {
  return decodeReferences(html.replace(/<[^<>]*>/g, ""));
}

/** Characters of a tag in which its styles are looked for. */
const MAX_TAG = 2000;
/** The beginning of a tag, of an element that can hide a table. */
const HIDING_TAG =
  /^<(div|section|span|p|table|body|article|ix:header|font|template|noscript|textarea)(?![\w:.-])[^>]*$/i;

/** Stretches that the document's own styles hide, in order. Bounded in number. */
function hiddenRanges(text: string, styles: ClassStyles, work: Work): [number, number][] {
  const ranges: [number, number][] = [];
  const names = [...styles].filter(([, style]) => style.hidden === true).map(([name]) => name);
  const words = [
    "display\\s*:\\s*none",
    // The word first, then what stands before it: an alternative that begins with a blank is tried at each of them.
    "hidden(?<=visibility\\s*:\\s*hidden|\\shidden(?=[\\s>/]))",
    "<(?:template|noscript)\\b",
    ...names
      .slice(0, 20)
      .map((name) => `class\\s*=\\s*["'][^"'<>]{0,200}\\b${name.replaceAll("-", "\\-")}\\b`),
  ];
  const hiding = new RegExp(words.join("|"), "gi");
  let count = 0;
  for (let found = hiding.exec(text); found !== null && ++count < 5000; found = hiding.exec(text)) {
    const near = text.slice(Math.max(0, found.index - MAX_TAG), hiding.lastIndex);
    const opened = near.slice(near.lastIndexOf("<"));
    const tag = HIDING_TAG.exec(opened)?.[1];
    if (tag === undefined) continue;
    const start = hiding.lastIndex - opened.length;
    const end = closingOf(text, tag, start, work);
    if (end > start) {
      ranges.push([start, end]);
      hiding.lastIndex = end;
    }
  }
  return ranges;
}

/** Characters that cost as much as to find one tag. */
const TAG = 10;

/** Where the element that starts at `start` ends; `start` when it does not within reach. */
function closingOf(text: string, tag: string, start: number, work: Work): number {
  const tags = new RegExp(`<(/?)${tag}(?=[\\s>/])[^<>]*>`, "gi");
  tags.lastIndex = start;
  let depth = 0;
  for (let steps = 0; steps < 20000; steps++) {
    work.spend(TAG);
    const found = tags.exec(text);
    if (found === null) return start;
    if (found[1] === "/") depth--;
    else if (!found[0].endsWith("/>")) depth++;
    if (depth <= 0) return found.index;
  }
  return start;
}
