/** Text tables: columns are as wide as needed; on a narrow terminal the least important ones are dropped and listed. */
import { elementAt } from "./checked-access.ts";

/** A column of a table. */
export interface TextColumn<Row> {
  head: string;
  cell: (row: Row) => string;
  /** Left by default. */
  align?: "left" | "right";
  /** Priority on a narrow terminal: higher ranks are dropped first; 0, the default, never. */
  rank?: number;
  /** The link of the cell, on a terminal that shows links. */
  link?: (row: Row) => string | null;
}

/** How a terminal marks text; each function takes text without control characters. */
export interface Style {
  bold(text: string): string;
  link(text: string, url: string): string;
}

const GAP = "  ";
/** Text is not truncated below this width, which would be unreadable. */
const MIN_TEXT = 8;

/**
 * Formats a table.
 *
 * @param width of the terminal; null if there is none, and then nothing is dropped
 * @param style of the terminal; null for plain text
 */
export function textTable<Row>(
  columns: readonly TextColumn<Row>[],
  rows: readonly Row[],
  width: number | null,
  style: Style | null = null,
): string {
  const { line, lines, dropped } = layOut(columns, rows, width, style);
  const head = line(columns.map((column) => column.head));
  return [style === null ? head : style.bold(head), ...lines, ...notShown(dropped, width)].join("\n");
}

/** A column with its cells and width. */
interface LaidOut<Row> {
  column: TextColumn<Row>;
  /** Its place among all columns. */
  at: number;
  cells: readonly string[];
  width: number;
  /** Columns with a higher rank are dropped first; 0 never. */
  rank: number;
}

/**
 * Lays out a table for callers that insert lines of their own. @returns how to write another line, the lines of the
 * rows, and the headers of columns that do not fit
 */
export function layOut<Row>(
  columns: readonly TextColumn<Row>[],
  rows: readonly Row[],
  width: number | null,
  style: Style | null,
) {
  const all = columns.map((column, at): LaidOut<Row> => {
    const { head, cell, rank = 0 } = column;
    const cells = rows.map((row) => printable(cell(row)));
    // A column with the same text in every row is the least informative.
    const isConstant = cells.length > 1 && new Set(cells).size === 1;
    const widest = Math.max(head.length, ...cells.map((text) => text.length));
    return { column, at, cells, width: widest, rank: rank === 0 ? 0 : rank + (isConstant ? 100 : 0) };
  });
  const shown = width === null ? all : fitted(all, width);
  const last = shown.at(-1);
  const lineOf = (textOf: (one: LaidOut<Row>) => string, row?: Row) =>
    shown
      .map((one) => {
        const { link, align } = one.column;
        const text = shortened(textOf(one), one.width);
        const url = (row === undefined ? null : link?.(row)) ?? null;
        const shown = style === null || url === null || text === "" ? text : style.link(text, printable(url));
        const space = " ".repeat(one.width - text.length);
        if (align === "right") return space + shown;
        return one === last ? shown : shown + space;
      })
      .join(GAP)
      .trimEnd();
  return {
    line: (texts: readonly string[]) => lineOf(({ at }) => elementAt(texts, at)),
    lines: rows.map((row, place) => lineOf(({ cells }) => elementAt(cells, place), row)),
    dropped: all.filter((one) => !shown.includes(one)).map(({ column }) => column.head),
  };
}

/** Drops columns, then truncates the widest text columns until the table fits; numbers are never truncated. */
function fitted<Row>(all: readonly LaidOut<Row>[], width: number): LaidOut<Row>[] {
  const shown = [...all];
  const missing = () => shown.reduce((sum, one) => sum + one.width + GAP.length, -GAP.length) - width;
  for (const one of all.filter(({ rank }) => rank > 0).toSorted((a, b) => b.rank - a.rank))
    if (missing() > 0) shown.splice(shown.indexOf(one), 1);
  const texts = shown.filter(({ column }) => column.align !== "right");
  for (;;) {
    const over = missing();
    const [widest] = texts.toSorted((a, b) => b.width - a.width);
    if (over <= 0 || widest === undefined || widest.width <= MIN_TEXT) return shown;
    widest.width = Math.max(MIN_TEXT, widest.width - over);
  }
}

// Text from a manifest or filing must not move the cursor, hide text or change the window title of a terminal.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)/g;

/** Replaces control characters, except newlines and tabs, with the replacement character. */
export function printable(text: string): string {
  return text.replaceAll(CONTROLS, "\ufffd");
}

/** The same for JSON, where escapes preserve the characters. */
export function escapeControls(json: string): string {
  return json.replaceAll(CONTROLS, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Truncates text to a width. */
export function shortened(text: string, width: number | null): string {
  return width === null || text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/**
 * Breaks each line of a text between words, and lists without spaces after their commas or bars. Addresses and commands to
 * copy stay whole.
 * @param width null: nothing is broken
 * @param indent of all lines but the first
 */
export function wrapped(text: string, width: number | null, indent = ""): string {
  if (width === null) return text;
  return text
    .split("\n")
    .map((line) => {
      let room = width;
      return line.replaceAll(PIECES, (word, at: number) => {
        const whole = word.trimStart();
        const isLong = whole.length > width - indent.length && !whole.includes("execcomp ");
        const parts = isLong ? whole.split(/(?<=[,|])(?=\S)/) : [whole];
        parts[0] = word.slice(0, word.length - whole.length) + (parts[0] ?? "");
        return parts
          .map((part, piece) => {
            if ((at === 0 && piece === 0) || part.length <= room) {
              room -= part.length;
              return part;
            }
            const rest = part.trimStart();
            room = width - indent.length - rest.length;
            return `\n${indent}${rest}`;
          })
          .join("");
      });
    })
    .join("\n");
}

/** What is never broken: a command in backticks or brackets, one after a colon to the end of its line, or a word. */
const PIECES = / *(?:`execcomp [^`]*`[^ ]*|\(execcomp [^)]*\)[^ ]*|(?<=: +)execcomp .*$|[^ ]+)/g;

/** A note on the columns dropped on a narrow terminal. */
export function notShown(heads: readonly string[], width: number | null): string[] {
  return heads.length === 0 ? [] : [wrapped(`(no room for ${heads.join(", ")})`, width, "  ")];
}

/** The same as a Markdown table. */
export function markdownTable<Row>(columns: readonly TextColumn<Row>[], rows: readonly Row[]): string {
  const onOneLine = (text: string) => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
  const line = (cells: readonly string[]) => `| ${cells.map(onOneLine).join(" | ")} |`;
  return [
    line(columns.map(({ head }) => head)),
    line(columns.map(({ align }) => (align === "right" ? "---:" : "---"))),
    ...rows.map((row) => line(columns.map(({ cell }) => cell(row)))),
  ].join("\n");
}
