/** The rows of an export: served rows, and the lines of views. */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import { type FieldKind, readRows } from "../../domain/row-fields.ts";
import { type Dataset, MAX_ROWS, padCik, rowKey } from "../../dataset/dataset.ts";
import type { View } from "../sql/views.ts";
import { COLUMNS, type ExportColumn } from "./columns.ts";

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
export function* storedRows(dataset: Dataset, keys: ArrayLike<number>): Generator<StoredRow> {
  let read = -1;
  let company: StoredRow[] = [];
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? 0;
    const cik = Math.floor(key / MAX_ROWS);
    if (cik !== read) company = companyRows(dataset, cik);
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

/** The values of a row. @param ticker ticker of the row, if not the company's own */
export function flatRow(
  dataset: Dataset,
  { ticker: own, tail, complete, problems }: StoredRow,
  columns: readonly ExportColumn[],
  ticker = own,
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

/** Yields served rows, all of them by default. */
export function* flatRows(
  dataset: Dataset,
  columns: readonly ExportColumn[] = COLUMNS,
  keys: ArrayLike<number> = allKeys(dataset),
  ticker?: string,
): Generator<FlatRow> {
  for (const row of storedRows(dataset, keys)) yield flatRow(dataset, row, columns, ticker);
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
