/** Loaded filings, for pages that list them. */
import { MAX_ROWS, padCik, rowKey, type Dataset } from "./dataset.ts";
import type { CellsOf, HowRead } from "./record.ts";
import type { AmountField } from "../domain/row-fields.ts";

/** A filing whose rows are loaded. */
export interface LoadedFiling {
  accession: string;
  form: string;
  filingDate: string;
  /** The newest fiscal year in its table. */
  fiscalYear: number | null;
  url: string | null;
  read: HowRead | null;
}

/** The loaded filings of a company, newest first. */
export function loadedFilings(dataset: Dataset, cik: string): LoadedFiling[] {
  return dataset.all<LoadedFiling>(
    `select accession, coalesce(form, '') as form, coalesce(filing_date, '') as filingDate,
        fiscal_year as fiscalYear, url, read
      from filings where cik = ? and status = 'parsed' order by id desc`,
    Number(cik),
  );
}

/** A loaded filing with its company. */
export interface LatestFiling extends LoadedFiling {
  cik: string;
  ticker: string;
  companyName: string;
}

/** The latest loaded filings of all companies, by filing date. Reads every filing, so callers should cache the result. */
export function latestFilings(dataset: Dataset, max: number): LatestFiling[] {
  return dataset
    .all<Omit<LatestFiling, "cik"> & { cik: number }>(
      `select filings.cik, ticker, name as companyName, accession, form, filing_date as filingDate,
          filings.fiscal_year as fiscalYear, url, read
        from filings join companies on companies.cik = filings.cik
        where status = 'parsed' and form is not null and filing_date is not null and companies.row_count > 0
        order by filing_date desc, accession desc limit ?`,
      max,
    )
    .map((line) => ({ ...line, cik: padCik(line.cik) }));
}

/** Fiscal years with rows, newest first. */
export function fiscalYearsOf(dataset: Dataset): number[] {
  return dataset
    .all<{ fiscal_year: number }>("select distinct fiscal_year from years order by fiscal_year desc")
    .map(({ fiscal_year: year }) => year);
}

/** How many rows are linked to the cells of their filing, of how many. Reads every row. */
export function countLinked(dataset: Dataset): { linked: number; rows: number } {
  const [counts] = dataset.all<{ linked: number; rows: number }>(
    `select count(cells) as linked, count(*) as rows
      from rows join observations on observations.id = rows.filing * ${MAX_ROWS} + rows.position`,
  );
  return counts ?? { linked: 0, rows: 0 };
}

/** A served row, identified. */
type RowName = { cik: string; fiscal_year: number; executive_id: string };

/** What is known of the cells that rows were read from. */
export interface RowCells {
  /** Whether the row's amounts are linked to the cells of the filing; a row that was typed from it is not. */
  isLinked(row: RowName): boolean;
  /** Whether the filing prints a zero amount as a digit, such as `0` or `-0-`, rather than as a dash or a blank. */
  isPrintedZero(row: RowName, field: AmountField): boolean;
}

/** The cells of the companies' rows. */
export function rowCells(dataset: Dataset, ciks: readonly string[]): RowCells {
  const lines = [...new Set(ciks)].flatMap((cik) =>
    dataset.all<{ cik: number; fiscal_year: number; executive_id: string; cells: string }>(
      `select rows.cik, rows.fiscal_year, rows.executive_id, cells
        from rows join observations on observations.id = rows.filing * ${MAX_ROWS} + rows.position
        where rows.id >= ? and rows.id < ? and cells is not null`,
      rowKey(Number(cik), 0),
      rowKey(Number(cik) + 1, 0),
    ),
  );
  const keyOf = ({ cik, fiscal_year: year, executive_id: id }: RowName) => `${cik} ${year} ${id}`;
  const cellsOf = new Map(lines.map((line) => [keyOf({ ...line, cik: padCik(line.cik) }), line.cells]));
  return {
    isLinked: (row) => cellsOf.has(keyOf(row)),
    isPrintedZero(row, field) {
      // Written by `writer.ts` from an `Observation`.
      const cells = JSON.parse(cellsOf.get(keyOf(row)) ?? "{}") as Partial<CellsOf>;
      return (cells[field] ?? []).some(([, , , raw]) => isPrintedZero(raw));
    },
  };
}

/** `0`, `-0-`, `$0`, `0.00`; not a dash with a footnote such as `—(10)`. */
function isPrintedZero(raw: string): boolean {
  return /^\W*0(\.0+)?\W*$/.test(raw.replaceAll(/\(\w{1,2}\)/g, ""));
}
