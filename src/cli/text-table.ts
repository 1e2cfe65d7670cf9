/** Text tables: columns are as wide as needed; on a narrow terminal the least important ones are dropped and listed. */

/** A column of a table. */
export interface TextColumn<Row> {
  head: string;
  cell: (row: Row) => string;
  /** Left by default. */
  align?: "left" | "right";
  /** Priority on a narrow terminal: higher ranks are dropped first; 0, the default, never. */
  rank?: number;
  /** What the cell leads to on a terminal that shows links. */
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

/**
 * Lays out a table for callers that put more between its lines.
 * @returns how to write another line, the lines of the rows, and the heads of columns for which there is no room
 */
export function layOut<Row>(
  columns: readonly TextColumn<Row>[],
  rows: readonly Row[],
  width: number | null,
  style: Style | null,
) {
  const cells = rows.map((row) => columns.map(({ cell }) => printable(cell(row))));
  const natural = columns.map(({ head }, at) =>
    Math.max(head.length, ...cells.map((line) => line[at]?.length ?? 0)),
  );
  const kept = keptColumns(columns, natural, cells, width);
  const widths = cutWidths(columns, natural, kept, width);
  const line = (texts: readonly string[], linkOf?: (at: number) => string | null | undefined) =>
    kept
      .map((at, place) => {
        const room = widths[at] ?? 0;
        const text = shortened(texts[at] ?? "", room);
        const url = linkOf?.(at) ?? null;
        const shown = style === null || url === null || text === "" ? text : style.link(text, printable(url));
        const space = " ".repeat(room - text.length);
        if (columns[at]?.align === "right") return space + shown;
        return place === kept.length - 1 ? shown : shown + space;
      })
      .join(GAP)
      .trimEnd();
  return {
    line,
    lines: rows.map((row, at) => line(cells[at] ?? [], (column) => columns[column]?.link?.(row))),
    dropped: columns.filter((_, at) => !kept.includes(at)).map((column) => column.head),
  };
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
 * Breaks each line of a text between words, and lists without spaces after their commas or bars. Addresses stay whole.
 * @param width null: nothing is broken
 * @param indent of all lines but the first
 */
export function wrapped(text: string, width: number | null, indent = ""): string {
  if (width === null) return text;
  return text
    .split("\n")
    .map((line) => {
      let room = width;
      return line.replaceAll(/ *[^ ]+/g, (word, at: number) => {
        const whole = word.trimStart();
        const isLong = whole.length > width - indent.length;
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

/** A note on the columns dropped on a narrow terminal. */
export function notShown(heads: readonly string[], width: number | null): string[] {
  return heads.length === 0 ? [] : [wrapped(`(no room for ${heads.join(", ")})`, width, "  ")];
}

/** The same as a Markdown table. */
export function markdownTable<Row>(columns: readonly TextColumn<Row>[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownCell).join(" | ")} |`;
  return [
    line(columns.map(({ head }) => head)),
    line(columns.map(({ align }) => (align === "right" ? "---:" : "---"))),
    ...rows.map((row) => line(columns.map(({ cell }) => cell(row)))),
  ].join("\n");
}

/** Text on one line of a Markdown table. */
function markdownCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}

function totalWidth(kept: readonly number[], widths: readonly number[]): number {
  return kept.reduce((sum, at) => sum + (widths[at] ?? 0) + GAP.length, -GAP.length);
}

function keptColumns<Row>(
  columns: readonly TextColumn<Row>[],
  widths: readonly number[],
  cells: readonly (readonly string[])[],
  width: number | null,
): number[] {
  const kept = columns.map((_, at) => at);
  if (width === null) return kept;
  // A column with the same text in every row tells least.
  const isConstant = (at: number) =>
    cells.length > 1 && new Set(cells.map((line) => line[at])).size === 1 ? 100 : 0;
  const order = columns.map(({ rank = 0 }, at) => (rank === 0 ? 0 : rank + isConstant(at)));
  while (totalWidth(kept, widths) > width) {
    const least = kept.toSorted((a, b) => (order[b] ?? 0) - (order[a] ?? 0))[0];
    if (least === undefined || order[least] === 0) break;
    kept.splice(kept.indexOf(least), 1);
  }
  return kept;
}

/** Truncates the widest text columns until the table fits; numbers are never truncated. */
function cutWidths<Row>(
  columns: readonly TextColumn<Row>[],
  natural: readonly number[],
  kept: readonly number[],
  width: number | null,
): number[] {
  const widths = [...natural];
  if (width === null) return widths;
  const texts = kept.filter((at) => columns[at]?.align !== "right");
  for (;;) {
    const over = totalWidth(kept, widths) - width;
    const widest = texts.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    const now = widest === undefined ? 0 : (widths[widest] ?? 0);
    if (over <= 0 || widest === undefined || now <= MIN_TEXT) return widths;
    widths[widest] = Math.max(MIN_TEXT, now - over);
  }
}
