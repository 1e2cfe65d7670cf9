/** The rows of an export: served rows, and the lines of views. */
import type { Database } from "bun:sqlite";
import { type Dataset, MAX_ROWS, rowKey } from "../../dataset/dataset.ts";
import { COMPENSATION, selected, type View } from "../sql/views.ts";
import { COLUMNS, type ExportColumn, type TableRow } from "./columns.ts";

/** The values of one row, in the order of the columns. */
export type FlatRow = readonly (string | number | boolean | null)[];

/** The keys of all served rows, by CIK, then in the order of the contract. */
export function allKeys(dataset: Dataset): number[] {
  return dataset.all<{ id: number }>("select id from rows order by id").map(({ id }) => id);
}

/** The keys of a company's rows. @param cik ten digits */
export function companyKeys(dataset: Dataset, cik: string): number[] {
  const rows = dataset.yearsOnce(cik).reduce((sum, { rowJson }) => sum + rowJson.length, 0);
  return Array.from({ length: rows }, (_, place) => rowKey(Number(cik), place));
}

/** @param rowsOf the rows of a company, by their place */
function* byKey<Row>(keys: ArrayLike<number>, rowsOf: (cik: number) => readonly Row[]): Generator<Row> {
  let read = -1;
  let company: readonly Row[] = [];
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? 0;
    const cik = Math.floor(key / MAX_ROWS);
    if (cik !== read) company = rowsOf(cik);
    read = cik;
    const row = company[key % MAX_ROWS];
    if (row !== undefined) yield row;
  }
}

/** Served rows, all of them by default, from the tables: reading their JSON takes three times as long. */
export function flatRows(
  dataset: Dataset,
  columns: readonly ExportColumn[] = COLUMNS,
  keys: ArrayLike<number> = allKeys(dataset),
): Generator<FlatRow> {
  return byKey(keys, (cik) => {
    const rows: FlatRow[] = [];
    for (const line of dataset.all<TableRow>(COMPANY_ROWS, rowKey(cik, 0), rowKey(cik + 1, 0)))
      rows[Number(line["place"])] = flatLine(line, columns);
    return rows;
  });
}

const COMPANY_ROWS = `select r.place, f.period_end, ${selected(COMPENSATION.columns)} from ${COMPENSATION.from} where r.id >= ? and r.id < ?`;

/** The rows of a view. @param database a snapshot with its views */
export function* viewRows(database: Database, { name, columns }: View): Generator<FlatRow> {
  const lines = database.query<TableRow, []>(`select * from "${name}"`).iterate();
  for (const line of lines) yield flatLine(line, columns);
}

function flatLine(
  line: TableRow,
  columns: readonly Pick<ExportColumn, "name" | "kind" | "valueIn">[],
): FlatRow {
  return columns.map(({ name, kind, valueIn }) => {
    if (valueIn !== undefined) return valueIn(line);
    const value = line[name] ?? null;
    return kind === "flag" && value !== null ? value === 1 : value;
  });
}
