/** The views of the data dictionary as tables of an export. */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { FieldKind } from "../../domain/row-fields.ts";
import type { View, ViewColumn } from "../sql/views.ts";
import type { ExportColumn, FlatRow } from "./flat.ts";

/** Width of a column of a workbook, in characters. */
const WIDTHS: Readonly<Record<FieldKind, number>> = {
  text: 20,
  link: 40,
  date: 11,
  whole: 9,
  flag: 9,
  amount: 16,
};

/** A column of a view as one of an export. */
export function viewColumn({ name, kind, nullable, about }: ViewColumn): ExportColumn {
  return { name, kind, nullable, about, width: WIDTHS[kind], valueIn: () => null };
}

/** The rows of a view. @param database a snapshot with its views */
export function* viewRows(database: Database, { name, columns }: View): Generator<FlatRow> {
  const lines = database.query<Record<string, SQLQueryBindings>, []>(`select * from "${name}"`).iterate();
  for (const line of lines) yield columns.map(({ name: column, kind }) => valueOf(line[column], kind));
}

function valueOf(value: SQLQueryBindings | undefined, kind: FieldKind): FlatRow[number] {
  if (value === null || value === undefined) return null;
  if (kind === "flag") return value === 1;
  // The views have texts and numbers only.
  return value as string | number;
}
