/** A table as text: columns as wide as they need to be; where the terminal is narrow, those needed least are left out and named. */

/** A column of a table. */
export interface TextColumn<Row> {
  head: string;
  cell: (row: Row) => string;
  align: "left" | "right";
  /** Columns that are needed least go first where the terminal is narrow; 0 stays always. */
  rank: number;
}

const GAP = "  ";
/** A text that is cut to less than this says nothing. */
const MIN_TEXT = 8;

/** @param width characters of the terminal; null where there is none, and nothing is left out */
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

/** A text of at most so many characters, its end cut off. */
export function shortened(text: string, width: number | null): string {
  return width === null || text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/** Names the columns that a narrow terminal has no room for. */
export function notShown(heads: readonly string[]): string[] {
  return heads.length === 0 ? [] : [`(no room for ${heads.join(", ")})`];
}

/** The same as Markdown. */
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

/** What does not fit even then is cut off the widest texts; numbers are never cut. */
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
