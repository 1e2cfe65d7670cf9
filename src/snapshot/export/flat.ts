/** A served row as a line of a table: the fields in the order of the contract, the source spelled out, and what the dataset knows besides. */
import { type FieldKind, type ExecutiveCompensation, ROW_COLUMNS } from "../../domain/row-fields.ts";
import { readRows } from "../../domain/row-text.ts";
import { type Dataset, padCik, rowKey } from "../dataset.ts";

/** A line before it is cut into columns. */
interface Line {
  row: ExecutiveCompensation;
  complete: boolean;
  problems: string | null;
}

/** A column of every table that is exported. */
export interface ExportColumn {
  readonly name: string;
  readonly kind: FieldKind;
  readonly nullable: boolean;
  readonly width: number;
  readonly valueIn: (line: Line) => string | number | boolean | null;
}

/** The columns, in order. */
export const COLUMNS: readonly ExportColumn[] = [
  ...ROW_COLUMNS.map((column): ExportColumn => ({ ...column, valueIn: ({ row }) => column.valueIn(row) })),
  { name: "year_complete", kind: "flag", nullable: false, width: 9, valueIn: ({ complete }) => complete },
  { name: "problems", kind: "text", nullable: true, width: 18, valueIn: ({ problems }) => problems },
];

/** The values of one line, in the order of `COLUMNS`. */
export type FlatRow = readonly (string | number | boolean | null)[];

/** Every served row, by CIK, then in the order of the contract. Companies are read one at a time. */
export function* flatRows(dataset: Dataset): Generator<FlatRow> {
  const companies = dataset.all<{ cik: number; ticker: string }>(
    "select cik, ticker from companies where row_count > 0 order by cik",
  );
  for (const { cik, ticker } of companies) yield* companyRows(dataset, cik, ticker);
}

/** The served rows of one company, in the order of the contract. @param ticker symbol to put into them */
export function* companyRows(dataset: Dataset, cik: number, ticker: string): Generator<FlatRow> {
  const problems = problemsOf(dataset, cik);
  let place = 0;
  for (const { complete, rowJson } of dataset.years(padCik(cik))) {
    for (const row of readRows(ticker, rowJson)) {
      const line = { row, complete, problems: problems.get(place++) ?? null };
      yield COLUMNS.map(({ valueIn }) => valueIn(line));
    }
  }
}

/** Codes of the problems of each row, by the row's place among the company's. */
function problemsOf(dataset: Dataset, cik: number): Map<number, string> {
  const lines = dataset.all<{ place: number; codes: string }>(
    `select r.place, group_concat(distinct p.code) as codes from rows r
     join problems p on p.filing = r.filing and p.position = r.position
     where r.id >= ? and r.id < ? group by r.place`,
    rowKey(cik, 0),
    rowKey(cik + 1, 0),
  );
  return new Map(lines.map(({ place, codes }) => [place, codes.split(",").sort().join(" ")]));
}
