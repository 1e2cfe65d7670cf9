/** A table as text: columns as wide as they need to be, those that do not fit left out from the right. */

/** A column of a table. */
export interface TextColumn<Row> {
  head: string;
  cell: (row: Row) => string;
  align: "left" | "right";
  /** Columns that are needed least go first where the terminal is narrow; 0 stays always. */
  rank: number;
}

const GAP = "  ";

/** @param width characters of the terminal; null where there is none, and nothing is left out */
export function textTable<Row>(
  columns: readonly TextColumn<Row>[],
  rows: readonly Row[],
  width: number | null,
): string {
  const widths = columns.map(({ head, cell }) =>
    Math.max(head.length, ...rows.map((row) => cell(row).length)),
  );
  const kept = keptColumns(columns, widths, width);
  const line = (cells: readonly string[]) =>
    kept
      .map((at, place) => {
        const text = cells[at] ?? "";
        const room = widths[at] ?? 0;
        if (columns[at]?.align === "right") return text.padStart(room);
        return place === kept.length - 1 ? text : text.padEnd(room);
      })
      .join(GAP)
      .trimEnd();
  return [
    line(columns.map(({ head }) => head)),
    ...rows.map((row) => line(columns.map(({ cell }) => cell(row)))),
  ].join("\n");
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

function keptColumns<Row>(
  columns: readonly TextColumn<Row>[],
  widths: readonly number[],
  width: number | null,
): number[] {
  const kept = columns.map((_, at) => at);
  const total = () => kept.reduce((sum, at) => sum + (widths[at] ?? 0) + GAP.length, -GAP.length);
  if (width === null) return kept;
  while (total() > width) {
    const least = kept.toSorted((a, b) => (columns[b]?.rank ?? 0) - (columns[a]?.rank ?? 0))[0];
    if (least === undefined || columns[least]?.rank === 0) break;
    kept.splice(kept.indexOf(least), 1);
  }
  return kept;
}
