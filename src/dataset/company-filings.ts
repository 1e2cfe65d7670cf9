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

/** Whether the filing prints a zero amount as a digit, such as `0` or `-0-`, rather than as a dash or a blank. */
export type PrintedZeros = (
  row: { cik: string; fiscal_year: number; executive_id: string },
  field: AmountField,
) => boolean;

/** The zero amounts of the companies' rows that are printed as a digit; rows without cell references have none. */
export function printedZeros(dataset: Dataset, ciks: readonly string[]): PrintedZeros {
  const lines = [...new Set(ciks)].flatMap((cik) =>
    dataset.all<{ cik: number; fiscal_year: number; executive_id: string; cells: string }>(
      `select rows.cik, rows.fiscal_year, rows.executive_id, cells
        from rows join observations on observations.id = rows.filing * ${MAX_ROWS} + rows.position
        where rows.id >= ? and rows.id < ? and cells is not null`,
      rowKey(Number(cik), 0),
      rowKey(Number(cik) + 1, 0),
    ),
  );
  const keyOf = (cik: string, year: number, executiveId: string) => `${cik} ${year} ${executiveId}`;
  const cellsOf = new Map(
    lines.map((line) => [
      keyOf(padCik(line.cik), line.fiscal_year, line.executive_id),
      // Written by `writer.ts` from an `Observation`.
      JSON.parse(line.cells) as CellsOf,
    ]),
  );
  return ({ cik, fiscal_year: year, executive_id: id }, field) =>
    (cellsOf.get(keyOf(cik, year, id))?.[field] ?? []).some(([, , , raw]) => isPrintedZero(raw));
}

/** `0`, `-0-`, `$0`, `0.00`; not a dash with a footnote such as `—(10)`. */
function isPrintedZero(raw: string): boolean {
  return /^\W*0(\.0+)?\W*$/.test(raw.replaceAll(/\(\w{1,2}\)/g, ""));
}
