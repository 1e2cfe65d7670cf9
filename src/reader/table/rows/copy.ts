import type { ParsedRow, TableCopy } from "../../parsed.ts";
import type { Candidate } from "../choice/candidates.ts";

/** Copies the cells of a table. `explain` uses the copy instead of the document. */
export function copyOf(table: Candidate): TableCopy {
  return {
    table: table.grid.table,
    rows: table.grid.rows.map((row, at) =>
      row
        .filter((cell) => cell.row === at && cell.raw !== "")
        .map((cell): readonly [number, string] => [cell.x0, cell.raw]),
    ),
    headerRows: table.sections.flatMap((section) => section.headerRows),
  };
}

/** Whether the rows are from the full table of Item 402(c) or the scaled one of 402(n). */
export function regimeOf(rows: readonly ParsedRow[]): "full" | "scaled" {
  const years = new Set(rows.map((row) => row.fiscal_year)).size;
  const people = new Set(rows.map((row) => row.executive_id)).size;
  return years >= 3 || people >= 5 ? "full" : "scaled";
}
