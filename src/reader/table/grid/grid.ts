import { isCurrencySign, isFootnoteMarker } from "../../values/amounts.ts";
import { MAX_TABLE, type Located, type Region } from "./locate.ts";
import { hasControls, tidy } from "../../text.ts";
import { MAX_WIDTH, TableBuilder, type RawCell, type Run } from "./table-builder.ts";

/** A line of a cell, between two line breaks. */
export interface Line {
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
  readonly lines: readonly Line[];
  /** Visible text, raised markers included. */
  readonly raw: string;
  /** Its text has control characters, or is shown from right to left. */
  readonly controls?: boolean;
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
  return { row, rowEnd: row + 1, x0, x1, text, lines: [{ text }], raw, ...controlsIn(raw) };
}

function controlsIn(text: string): Pick<Cell, "controls"> {
  return hasControls(text) ? { controls: true } : {};
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
  const bounded = end < region.end || builder.full;
  return {
    table: region.ordinal,
    kind: "table",
    rows,
    width,
    cut: bounded ? "bounds" : region.closed ? null : "document",
  };
}

/** Lays the cells of each row into columns, as a browser does. */
function expand({ rows: raw, groups }: Pick<TableBuilder, "rows" | "groups">): Cell[][] {
  const rows: Cell[][] = raw.map(() => []);
  const taken: number[] = [];
  let group = 0;
  raw.forEach((cells, row) => {
    while ((groups[group] ?? Infinity) <= row) group++;
    const groupEnd = groups[group] ?? raw.length;
    let x = 0;
    const place: Cell[] = [];
    for (const source of cells) {
      while ((taken[x] ?? 0) > row) x++;
      if (x >= MAX_WIDTH) break;
      const x1 = Math.min(x + source.colspan, MAX_WIDTH);
      const rowEnd = Math.min(row + source.rowspan, groupEnd);
      const cell = finish(source, row, rowEnd, x, x1);
      for (let column = x; column < x1; column++) taken[column] = rowEnd;
      place.push(cell);
      x = x1;
    }
    for (const cell of place) for (let at = row; at < cell.rowEnd; at++) rows[at]?.push(cell);
  });
  for (const row of rows) row.sort((left, right) => left.x0 - right.x0);
  return rows;
}

function finish(source: RawCell, row: number, rowEnd: number, x0: number, x1: number): Cell {
  const runs = source.lines.flat().filter((run) => tidy(run.text) !== "");
  const largest = runs.reduce((most, run) => Math.max(most, run.size), 0);
  const mixed = !source.shaded && runs.some((run) => run.white) && runs.some((run) => !run.white);
  const raw: string[] = [];
  // A line for each line of the source, undefined for those without visible text.
  const all = source.lines.map((line): Line | undefined => {
    const shown = mixed ? line.filter((run) => !run.white) : line;
    const whole = tidy(shown.map((run) => run.text).join(""));
    if (whole === "") return undefined;
    raw.push(whole);
    const unmarked = shown.filter((run, at) => {
      const text = tidy(run.text);
      if (text === "" || !isFootnoteMarker(text)) return true;
      const small = run.size > 0 && largest > 0 && run.size <= largest * 0.75;
      return !run.raised && !(small && !belongsTo(shown[at - 1], run));
    });
    const text = tidy(unmarked.map((run) => run.text).join(""));
    const bold = boldStart(unmarked);
    return text === "" ? undefined : { text, ...(bold === "" ? {} : { bold }) };
  });
  const lines = all.filter((line) => line !== undefined);
  const paragraphs = source.paragraphs.length < 2 ? [] : paragraphsOf(source.paragraphs, all);
  return {
    row,
    rowEnd,
    x0,
    x1,
    text: lines.map((line) => line.text).join(" "),
    lines,
    raw: raw.join(" "),
    ...controlsIn(runs.map(({ text }) => text).join("")),
    ...(paragraphs.includes("") ? { paragraphs } : {}),
  };
}

/** Whether small text continues the text before it: small capitals (`W` before `U`), or an amount after its currency sign. */
function belongsTo(before: Run | undefined, { text }: Run): boolean {
  if (before === undefined) return false;
  return (
    (/\p{Lu}$/u.test(before.text) && /^\p{Lu}/u.test(text)) ||
    (isCurrencySign(before.text) && /^\s*\d/.test(text))
  );
}

function paragraphsOf(begins: RawCell["paragraphs"], lines: readonly (Line | undefined)[]): string[] {
  return begins.map(({ line }, index) =>
    lines
      .slice(line, begins[index + 1]?.line)
      .map((one) => one?.text ?? "")
      .join(" ")
      .trim(),
  );
}

function boldStart(runs: readonly Run[]): string {
  const plain = runs.findIndex(({ text, bold }) => !bold && tidy(text) !== "");
  return tidy(
    runs
      .slice(0, Math.max(0, plain))
      .map(({ text }) => text)
      .join(""),
  );
}
