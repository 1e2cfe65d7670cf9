import { int32At } from "../../../lib/checked-access.ts";
import {
  type ClassStyles,
  MAX_WIDTH,
  type RawCell,
  type Run,
  TableBuilder,
  type TextStyle,
  UNSEEN,
  readStyleSheet,
} from "./table-builder.ts";
import { mentionsPayAndTotal } from "../../lexicon/column-headers.ts";
import { ANY_YEAR } from "../../lexicon/years.ts";
import { COST, type ReportProblem, type Work } from "../../parsed-filing.ts";
import { decodeReferences, hasControls, letters, tidy } from "../../clean-text.ts";
import { isCurrencySign } from "../../values/amounts.ts";
import { isFootnoteMarker } from "../../values/footnote-markers.ts";

/** A part of the document that could contain a table. */
export interface Region {
  /** Index among all tables and preformatted blocks of the document, from 0. */
  readonly ordinal: number;
  readonly kind: "table" | "text";
  readonly start: number;
  readonly end: number;
  /** Nested tables, which are candidates of their own. */
  readonly inner: readonly Region[];
  /** False if the document ends before the table does. */
  readonly closed: boolean;
}

/** The tables of a document. */
export interface Located {
  /** The document with blanks for what its styles hide. */
  readonly text: string;
  readonly regions: readonly Region[];
  /** Regions that mention pay, a total and a year, as every Summary Compensation Table does, in document order. */
  readonly candidates: readonly Region[];
  /** Tables with the column headers but without a year: the rows may be in the next table. */
  readonly headers: readonly Region[];
  readonly styles: ClassStyles;
  /** The document's work limit. */
  readonly work: Work;
  readonly report: ReportProblem;
}

/** No proxy statement has more regions. */
const MAX_REGIONS = 100_000;
/** Nesting depth of tables; deeper ones count as text of the table around them, so that time stays linear. */
const MAX_NESTED = 64;
/** Characters of one table that are read. */
const MAX_TABLE = 6_000_000;
/** Characters of one table that are searched for column headers and a year. */
const MAX_SEARCHED = 2_000_000;

/** A region whose end has not been reached yet. */
type OpenRegion = { -readonly [Key in keyof Region]: Region[Key] } & { readonly inner: Region[] };

/** Finds tables and preformatted blocks without building a tree, and selects those worth one. */
export function locate(source: string, work: Work, report: ReportProblem): Located {
  const styles = new Map<string, TextStyle>();
  const all = scan(source, styles);
  const text = blankHidden(source, styles, work);
  const regions = all.filter(({ start }) => text[start] === "<");
  const candidates: Region[] = [];
  const headers: Region[] = [];
  for (const region of regions) {
    if (region.kind === "text") candidates.push(region);
    else if (region.end - region.start >= 150) {
      const own = ownText(text, region);
      work.spend(own.length);
      // Words split by tags become one.
      const words = decodeReferences(own.replace(/<[^<>]*>/g, ""));
      if (mentionsPayAndTotal(letters(words))) (ANY_YEAR.test(words) ? candidates : headers).push(region);
    }
  }
  return { text, regions, candidates, headers, styles, work, report };
}

function scan(text: string, styles: Map<string, TextStyle>): OpenRegion[] {
  const all: OpenRegion[] = [];
  const open: OpenRegion[] = [];
  let deeper = 0;
  const marks = /<!--|<(style|script)(?=[\s>/])|<(\/?)(table|pre)(?=[\s>/])/gi;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const { 1: raw, 2: slash, 3: name, index } = mark;
    if (name === undefined) {
      const end = text.indexOf(raw === undefined ? "-->" : `</${raw}`, marks.lastIndex);
      if (end < 0 && raw === undefined) return all;
      if (raw?.toLowerCase() === "style" && end >= 0 && end - index < 2_000_000)
        readStyleSheet(text.slice(text.indexOf(">", index) + 1, end), styles);
      marks.lastIndex = Math.max(marks.lastIndex, end);
      continue;
    }
    const kind = name.toLowerCase() === "table" ? "table" : "text";
    const top = open.at(-1);
    if (slash === "/") {
      if (deeper > 0) deeper--;
      else if (top?.kind === kind) {
        open.pop();
        top.end = index;
        top.closed = true;
      }
    } else if (all.length >= MAX_REGIONS) break;
    else if (open.length >= MAX_NESTED) deeper++;
    else {
      const whole = { start: index, end: text.length, inner: [], closed: false };
      const region: OpenRegion = { ordinal: all.length, kind, ...whole };
      top?.inner.push(region);
      all.push(region);
      open.push(region);
    }
  }
  return all;
}

/** Characters of a table inside another's cell that can be a header. */
const MAX_HEADER_CELL = 1000;

/** Text of the table itself, without the tables inside it, except those as small as a header. */
function ownText(text: string, { start, end, inner: all }: Region): string {
  const inner = all.filter((one) => one.end - one.start > MAX_HEADER_CELL);
  const starts = [...inner.map((one) => one.start), end];
  const ends = [start, ...inner.map((one) => one.end)];
  return ends
    .map((from, at) => text.slice(from, starts[at]))
    .join("")
    .slice(0, MAX_SEARCHED);
}

/** Characters of a tag that are searched for its styles. */
const MAX_TAG = 2000;
/** The beginning of a tag of an element that can hide a table. */
const HIDING_TAG = new RegExp(
  `^<(div|section|span|p|table|body|article|ix:header|font|${UNSEEN})(?![\\w:.-])[^>]*$`,
  "i",
);

/** Replaces what the document's own styles hide by blanks; the first 5,000 mentions of hiding are examined. */
function blankHidden(text: string, styles: ClassStyles, work: Work): string {
  let shown = "";
  const names = [...styles].filter(([, { hidden }]) => hidden === true).map(([name]) => RegExp.escape(name));
  const words = [
    "display\\s*:\\s*none",
    // The word first, then its context: an alternative that begins with whitespace is tried at every space.
    "hidden(?<=visibility\\s*:\\s*hidden|\\shidden(?=[\\s>/]))",
    `<(?:${UNSEEN})\\b`,
    // Off the screen, or without size or colour; most documents have no such word, and searching for it takes as long as the rest.
    ...(/opacity|font-size:\s?0/i.test(text) ? ["(?:opacity|font-size)\\s*:\\s*0(?![.\\d]*[1-9])"] : []),
    ...(/:\s?-\d{4}/.test(text) ? ["(?:left|top|right|bottom|text-indent)\\s*:\\s*-\\d{4,}"] : []),
    ...names.slice(0, 20).map((name) => `class\\s*=\\s*["'][^"'<>]{0,200}\\b${name}\\b`),
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
      shown += text.slice(shown.length, start) + " ".repeat(end - start);
      hiding.lastIndex = end;
    }
  }
  return shown + text.slice(shown.length);
}

/** Where the element that starts at `start` ends; `start` if it does not end within 20,000 tags. */
function closingOf(text: string, tag: string, start: number, work: Work): number {
  const tags = new RegExp(`<(/?)${tag}(?=[\\s>/])[^<>]*>`, "gi");
  tags.lastIndex = start;
  let depth = 0;
  for (const { 0: found, 1: slash, index } of text.matchAll(tags).take(20_000)) {
    work.spend(COST.match);
    if (slash === "/") depth--;
    else if (!found.endsWith("/>")) depth++;
    if (depth <= 0) return index;
  }
  return start;
}

/** A line of a cell, between two line breaks. */
export interface CellLine {
  readonly text: string;
  /** The bold text at its beginning, if plain text follows: a name before a title. */
  readonly bold?: string;
}

/** First grid column and one past the last; characters in preformatted text. */
export interface Range {
  readonly x0: number;
  readonly x1: number;
}

/** One cell of the expanded grid, or one group of words in preformatted text. */
export interface Cell extends Range {
  readonly row: number;
  readonly rowEnd: number;
  /** Visible text without raised footnote markers, lines joined by a space. */
  readonly text: string;
  readonly lines: readonly CellLine[];
  /** Visible text, raised markers included. */
  readonly raw: string;
  /** Its text has control characters, or is shown from right to left. */
  readonly controls: boolean;
  /** In preformatted text: only one blank separates it from the next header or amount. */
  readonly touching?: boolean;
  /** The text of each paragraph if some are empty; in a cell that stacks years each keeps its line. */
  readonly paragraphs?: readonly string[];
}

/** A table as rows of cells; a cell that spans rows appears in each of them. */
export interface Grid {
  readonly table: number;
  readonly kind: "table" | "text";
  readonly rows: readonly (readonly Cell[])[];
  readonly width: number;
  /** What cut off the end of the table: the document's end or our size limits. */
  readonly cut: "document" | "bounds" | null;
}

/** Makes a cell of one line of plain text. */
export function textCell(row: number, x0: number, x1: number, text: string, raw = text): Cell {
  return { row, rowEnd: row + 1, x0, x1, text, lines: [{ text }], raw, controls: hasControls(raw) };
}

/** Columns, or characters, shared by two ranges; 0 or less if they do not overlap. */
export function overlap(one: Range, other: Range): number {
  return Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0);
}

/** The non-empty cells that begin in a row. */
export function ownCells(row: readonly Cell[] | undefined, at: number): Cell[] {
  return row?.filter((cell) => cell.row === at && cell.text !== "") ?? [];
}

/** The text of some cells in sequence. */
export function wordsOf(cells: readonly Cell[]): string {
  return tidy(cells.map((cell) => cell.text).join(" "));
}

/** Whether a cell spans the table. */
export function isWholeWidth(cell: Cell, grid: Grid): boolean {
  return grid.kind === "table" && cell.x1 - cell.x0 >= grid.width * 0.8 && grid.width > 3;
}

/** Expands one table into a grid of its visible text. */
export function buildGrid({ text, styles, work }: Located, region: Region): Grid {
  const end = Math.min(region.end, region.start + MAX_TABLE);
  work.spend(end - region.start);
  const builder = new TableBuilder(text.slice(region.start, end), styles);
  const rows = expand(builder);
  let width = 0;
  for (const row of rows) for (const cell of row) width = Math.max(width, cell.x1);
  const cut = end < region.end || builder.full ? "bounds" : region.closed ? null : "document";
  return { table: region.ordinal, kind: "table", rows, width, cut };
}

/** Lays the cells of each row into columns, as a browser does. */
function expand({ rows: raw, groups }: Pick<TableBuilder, "rows" | "groups">): Cell[][] {
  const rows: Cell[][] = raw.map(() => []);
  const taken = new Int32Array(MAX_WIDTH);
  raw.forEach((cells, row) => {
    const groupEnd = groups.find((start) => start > row) ?? raw.length;
    let x = 0;
    for (const source of cells) {
      while (x < MAX_WIDTH && int32At(taken, x) > row) x++;
      if (x >= MAX_WIDTH) break;
      const x1 = Math.min(x + source.colspan, MAX_WIDTH);
      const rowEnd = Math.min(row + source.rowspan, groupEnd);
      const cell = { row, rowEnd, x0: x, x1, ...finish(source) };
      taken.fill(rowEnd, x, x1);
      for (let at = row; at < rowEnd; at++) rows[at]?.push(cell);
      x = x1;
    }
  });
  for (const row of rows) row.sort((left, right) => left.x0 - right.x0);
  return rows;
}

/** The visible text of a cell, by line and paragraph. */
function finish(source: RawCell) {
  const runs = source.lines.flat().filter((run) => tidy(run.text) !== "");
  const largest = runs.reduce((most, run) => Math.max(most, run.size), 0);
  const mixed = !source.shaded && runs.some((run) => run.white) && runs.some((run) => !run.white);
  const shown = source.lines.map((line) => (mixed ? line.filter((run) => !run.white) : line));
  const all = shown.map((line): CellLine => {
    const unmarked = line.filter((run, at) => {
      if (!isFootnoteMarker(tidy(run.text))) return true;
      const small = run.size > 0 && run.size <= largest * 0.75;
      return !run.raised && !(small && !belongsTo(line[at - 1]?.text ?? "", run.text));
    });
    const plain = unmarked.findIndex((run) => !run.bold && tidy(run.text) !== "");
    const bold = textOf(unmarked.slice(0, Math.max(0, plain)));
    return { text: textOf(unmarked), ...(bold === "" ? {} : { bold }) };
  });
  const texts = all.map((line) => line.text);
  const lines = all.filter((line) => line.text !== "");
  const paragraphs = source.paragraphs.map(({ line }, at, begins) =>
    tidy(texts.slice(line, begins[at + 1]?.line).join(" ")),
  );
  return {
    text: lines.map((line) => line.text).join(" "),
    lines,
    raw: tidy(shown.map(textOf).join(" ")),
    controls: hasControls(runs.map(({ text }) => text).join("")),
    ...(paragraphs.length > 1 && paragraphs.includes("") ? { paragraphs } : {}),
  };
}

/** Whether small text continues the text before it: small capitals (`W` before `U`), or an amount after its currency sign. */
function belongsTo(before: string, text: string): boolean {
  return (
    (/\p{Lu}$/u.test(before) && /^\p{Lu}/u.test(text)) || (isCurrencySign(before) && /^\s*\d/.test(text))
  );
}

function textOf(runs: readonly Run[]): string {
  return tidy(runs.map(({ text }) => text).join(""));
}
