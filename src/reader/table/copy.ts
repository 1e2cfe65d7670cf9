import type { ParsedRow, TableCopy } from "../parsed.ts";
import type { Candidate } from "./candidates.ts";
import { PARTS } from "./header.ts";

/** A copy of a table's cells, so that `explain` works without the document. */
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

/** Whether the tables are the full one of Item 402(c) or the scaled one of 402(n). */
export function regimeOf(rows: readonly ParsedRow[], tables: readonly Candidate[]): "full" | "scaled" {
  const years = new Set(rows.map((row) => row.fiscal_year)).size;
  const people = new Set(rows.map((row) => row.executive_id)).size;
  const meanings = new Set(tables.flatMap(({ columns }) => columns.map(({ meaning }) => meaning)));
  const complete = [...PARTS].every((part) => meanings.has(part));
  return years >= 3 || people >= 5 || (complete && years > 2) ? "full" : "scaled";
}
