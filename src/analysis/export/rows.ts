/** The rows of an export: served rows, and the lines of views. */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import { readRows } from "../../domain/row-fields.ts";
import { type Dataset, MAX_ROWS, padCik, rowKey } from "../../dataset/dataset.ts";
import { COMPENSATION, selected, type View } from "../sql/views.ts";
import { type ColumnKind, COLUMNS, type ExportColumn } from "./columns.ts";

/** The values of one row, in the order of the columns. */
export type FlatRow = readonly (string | number | boolean | null)[];

/** A served row as it is stored, with what columns have beside it. */
export interface StoredRow {
  ticker: string;
  /** The row's JSON after the ticker. */
  tail: string;
  complete: boolean;
  problems: string | null;
}

/** The keys of all served rows, by CIK, then in the order of the contract. */
export function allKeys(dataset: Dataset): number[] {
  return dataset.all<{ id: number }>("select id from rows order by id").map(({ id }) => id);
}

/** The keys of a company's rows. @param cik ten digits */
export function companyKeys(dataset: Dataset, cik: string): number[] {
  const rows = dataset.yearsOnce(cik).reduce((sum, { rowJson }) => sum + rowJson.length, 0);
  return Array.from({ length: rows }, (_, place) => rowKey(Number(cik), place));
}

/** Yields the rows with these keys, in their order. Rows of a company are stored as one text, so they should be adjacent. */
export function storedRows(dataset: Dataset, keys: ArrayLike<number>): Generator<StoredRow> {
  return byKey(keys, (cik) => companyRows(dataset, cik));
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

function companyRows(dataset: Dataset, cik: number): StoredRow[] {
  const ticker = dataset.findByCik(padCik(cik))?.ticker ?? "";
  const rows = dataset
    .yearsOnce(padCik(cik))
    .flatMap(({ complete, rowJson }) =>
      rowJson.map((tail): StoredRow => ({ ticker, tail, complete, problems: null })),
    );
  for (const { place, problems } of dataset.all<{ place: number; problems: string }>(
    "select place, problems from rows where id >= ? and id < ? and problems is not null",
    rowKey(cik, 0),
    rowKey(cik + 1, 0),
  )) {
    const row = rows[place];
    if (row !== undefined) row.problems = problems;
  }
  return rows;
}

/** The values of a row. */
export function flatRow(
  dataset: Dataset,
  { ticker, tail, complete, problems }: StoredRow,
  columns: readonly ExportColumn[],
): FlatRow {
  const [row] = readRows(ticker, [tail]);
  if (row === undefined) throw new Error("expected one row per text");
  const periodEnd = () =>
    dataset.all<{ day: string | null }>(
      "select period_end as day from filings where accession = ?",
      row.source.accession,
    )[0]?.day ?? null;
  return columns.map(({ valueIn }) => valueIn({ row, complete, problems, periodEnd }));
}

/** Served rows, all of them by default. Our own columns come from the tables: reading JSON takes three times as long. */
export function* flatRows(
  dataset: Dataset,
  columns: readonly ExportColumn[] = COLUMNS,
  keys: ArrayLike<number> = allKeys(dataset),
): Generator<FlatRow> {
  if (columns !== COLUMNS) for (const row of storedRows(dataset, keys)) yield flatRow(dataset, row, columns);
  else
    yield* byKey(keys, (cik) => {
      const rows: FlatRow[] = [];
      for (const line of dataset.all<SqlRow>(COMPANY_ROWS, rowKey(cik, 0), rowKey(cik + 1, 0)))
        rows[Number(line["place"])] = flatLine(line, COLUMNS);
      return rows;
    });
}

type SqlRow = Record<string, SQLQueryBindings>;
const COMPANY_ROWS = `select r.place, ${selected(COMPENSATION.columns)} from ${COMPENSATION.from} where r.id >= ? and r.id < ?`;

/** The rows of a view. @param database a snapshot with its views */
export function* viewRows(database: Database, view: View): Generator<FlatRow> {
  const lines = database.query<SqlRow, []>(`select * from "${view.name}"`).iterate();
  for (const line of lines) yield flatLine(line, view.columns);
}

function flatLine(line: SqlRow, columns: readonly Pick<ExportColumn, "name" | "kind">[]): FlatRow {
  return columns.map(({ name, kind }) => valueOf(line[name], kind));
}

function valueOf(value: SQLQueryBindings | undefined, kind: ColumnKind): FlatRow[number] {
  if (value === null || value === undefined) return null;
  if (kind === "flag") return value === 1;
  // The views have texts and numbers only.
  return value as string | number;
}
