/** Text tables: columns are as wide as needed; on a narrow terminal the least important ones are dropped and listed. */

/** A column of a table. */
export interface TextColumn<Row> {
  head: string;
  cell: (row: Row) => string;
  align: "left" | "right";
  /** Priority on a narrow terminal: higher ranks are dropped first, 0 never. */
  rank: number;
}

const GAP = "  ";
/** Text is not truncated below this width, which would be unreadable. */
const MIN_TEXT = 8;

/** Formats a table. @param width of the terminal; null if there is none, and then nothing is dropped */
export function textTable<Row>(
  columns: readonly TextColumn<Row>[],
  rows: readonly Row[],
  width: number | null,
): string {
  const natural = columns.map(({ head, cell }) =>
    Math.max(head.length, ...rows.map((row) => cell(row).length)),
  );
  const kept = keptColumns(columns, natural, width);
  const widths = cutWidths(columns, natural, kept, width);
  const line = (cells: readonly string[]) =>
    kept
      .map((at, place) => {
        const room = widths[at] ?? 0;
        const text = shortened(cells[at] ?? "", room);
        if (columns[at]?.align === "right") return text.padStart(room);
        return place === kept.length - 1 ? text : text.padEnd(room);
      })
      .join(GAP)
      .trimEnd();
  return [
    line(columns.map(({ head }) => head)),
    ...rows.map((row) => line(columns.map(({ cell }) => cell(row)))),
    ...notShown(columns.filter((_, at) => !kept.includes(at)).map(({ head }) => head)),
  ].join("\n");
}

/** Truncates text to a width. */
export function shortened(text: string, width: number | null): string {
  return width === null || text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/** A note on the columns dropped on a narrow terminal. */
export function notShown(heads: readonly string[]): string[] {
  return heads.length === 0 ? [] : [`(no room for ${heads.join(", ")})`];
}

/** The same as a Markdown table. */
export function markdownTable<Row>(columns: readonly TextColumn<Row>[], rows: readonly Row[]): string {
  const escaped = (text: string) => text.replaceAll("|", "\\|");
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(" | ")} |`;
  return [
    line(columns.map(({ head }) => head)),
    line(columns.map(({ align }) => (align === "right" ? "---:" : "---"))),
    ...rows.map((row) => line(columns.map(({ cell }) => cell(row)))),
  ].join("\n");
}

function totalWidth(kept: readonly number[], widths: readonly number[]): number {
  return kept.reduce((sum, at) => sum + (widths[at] ?? 0) + GAP.length, -GAP.length);
}

function keptColumns<Row>(
  columns: readonly TextColumn<Row>[],
  widths: readonly number[],
  width: number | null,
): number[] {
  const kept = columns.map((_, at) => at);
  if (width === null) return kept;
  while (totalWidth(kept, widths) > width) {
    const least = kept.toSorted((a, b) => (columns[b]?.rank ?? 0) - (columns[a]?.rank ?? 0))[0];
    if (least === undefined || columns[least]?.rank === 0) break;
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
  const texts = kept.filter((at) => columns[at]?.align === "left");
  for (;;) {
    const over = totalWidth(kept, widths) - width;
    const widest = texts.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    const now = widest === undefined ? 0 : (widths[widest] ?? 0);
    if (over <= 0 || widest === undefined || now <= MIN_TEXT) return widths;
    widths[widest] = Math.max(MIN_TEXT, now - over);
  }
}
