/** A served row as a flat table row: its fields in the order of the contract, the flattened source, and other facts of the dataset. */
import { type FieldKind, type ExecutiveCompensation, ROW_COLUMNS } from "../../domain/row-fields.ts";
import { readRows } from "../../domain/row-text.ts";
import { type Dataset, padCik, rowKey } from "../../dataset/dataset.ts";

/** A row with the facts from which columns take their values. */
export interface Line {
  row: ExecutiveCompensation;
  complete: boolean;
  problems: string | null;
  /** Last day of the newest fiscal year in the source filing, if known. */
  periodEnd: string | null;
}

/** The type of a column: a kind of field, an amount in thousands, or an amount as another type of Parquet. */
export type ColumnKind = FieldKind | "thousands" | "double" | "cents";

/** A column of an exported table. */
export interface ExportColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  readonly width: number;
  /** Its description, for the dictionary. */
  readonly about: string;
  readonly valueIn: (line: Line) => string | number | boolean | null;
}

/** The columns, in order. */
export const COLUMNS: readonly ExportColumn[] = [
  ...ROW_COLUMNS.map((column): ExportColumn => ({ ...column, valueIn: ({ row }) => column.valueIn(row) })),
  {
    name: "year_complete",
    kind: "flag",
    nullable: false,
    width: 9,
    about:
      "false: that year's proxy statement is not loaded; executives who left before the next one are missing",
    valueIn: ({ complete }) => complete,
  },
  {
    name: "problems",
    kind: "text",
    nullable: true,
    width: 18,
    about: "problem codes of the row (docs/data-dictionary.md), separated by spaces",
    valueIn: ({ problems }) => problems,
  },
];

/** The values of one row, in the order of the columns. */
export type FlatRow = readonly (string | number | boolean | null)[];

/** Yields all served rows, by CIK, then in the order of the contract. Companies are read one at a time. */
export function* flatRows(dataset: Dataset, columns: readonly ExportColumn[] = COLUMNS): Generator<FlatRow> {
  const companies = dataset.all<{ cik: number; ticker: string }>(
    "select cik, ticker from companies where row_count > 0 order by cik",
  );
  for (const { cik, ticker } of companies) yield* companyRows(dataset, cik, ticker, columns);
}

/** Yields the served rows of one company in the order of the contract. @param ticker ticker of the rows */
export function* companyRows(
  dataset: Dataset,
  cik: number,
  ticker: string,
  columns: readonly ExportColumn[] = COLUMNS,
): Generator<FlatRow> {
  const facts = factsOf(dataset, cik);
  let place = 0;
  for (const { complete, rowJson } of dataset.years(padCik(cik))) {
    for (const row of readRows(ticker, rowJson)) {
      const line = { row, complete, ...(facts[place++] ?? { problems: null, periodEnd: null }) };
      yield columns.map(({ valueIn }) => valueIn(line));
    }
  }
}

/** Facts that are not in the rows' JSON, in the order of the company's rows. */
function factsOf(dataset: Dataset, cik: number): Pick<Line, "problems" | "periodEnd">[] {
  const lines = dataset.all<{ codes: string | null; period_end: string | null }>(
    `select f.period_end, (select group_concat(distinct p.code) from problems p
       where p.filing = r.filing and p.position = r.position) as codes
     from rows r join filings f on f.id = r.filing where r.id >= ? and r.id < ? order by r.place`,
    rowKey(cik, 0),
    rowKey(cik + 1, 0),
  );
  return lines.map(({ codes, period_end: periodEnd }) => ({
    problems: codes?.split(",").sort().join(" ") ?? null,
    periodEnd,
  }));
}

const ROWS_A_BATCH = 1000;

/** Rows in batches of a thousand; at least one, which may be empty. */
export function* batches(rows: Iterable<FlatRow>): Generator<FlatRow[]> {
  let batch: FlatRow[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < ROWS_A_BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
