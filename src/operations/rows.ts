/** Single rows and fiscal years of one company, for pages. Access control is up to the pages. */
import type { AvailableYear } from "../domain/company.ts";
import { type ExecutiveCompensation, readRows } from "../domain/row-fields.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { PageCompany } from "./companies.ts";

/** A company's fiscal year on a page. */
export interface PageYear {
  fiscalYear: number;
  complete: boolean;
  rows: ExecutiveCompensation[];
}

/** The rows of a company's years, newest first. */
export function yearsOf(
  { ticker }: Pick<PageCompany, "ticker">,
  years: readonly AvailableYear[],
): PageYear[] {
  return years.map(({ fiscalYear, complete, rowJson }) => ({
    fiscalYear,
    complete,
    rows: readRows(ticker, rowJson),
  }));
}

/** The row of a page, by year and executive. */
export function findRow(
  dataset: Dataset,
  { company, ticker }: PageCompany,
  fiscalYear: number,
  executiveId: string,
): ExecutiveCompensation | undefined {
  const year = dataset.years(company.cik).find((one) => one.fiscalYear === fiscalYear);
  const tail = year && rowJsonOf(year, executiveId);
  return tail === undefined ? undefined : readRows(ticker, [tail])[0];
}

/** The row of the same executive in the fiscal year before. */
export function rowBefore(dataset: Dataset, row: ExecutiveCompensation): ExecutiveCompensation | undefined {
  const year = dataset.years(row.cik).find(({ fiscalYear }) => fiscalYear === row.fiscal_year - 1);
  const tail = year && rowJsonOf(year, row.executive_id);
  return tail === undefined ? undefined : readRows(row.ticker, [tail])[0];
}

/** Finds the row of the principal executive officer with a total in a company's fiscal year. */
export function rowsOfOfficers(dataset: Dataset) {
  return (of: { cik: string; ticker: string; fiscal_year: number | null; peo_total: number | null }) => {
    const year = dataset.years(of.cik).find(({ fiscalYear }) => fiscalYear === of.fiscal_year);
    const rows = year === undefined ? [] : readRows(of.ticker, year.rowJson);
    return rows.find((row) => row.is_peo && row.total_compensation === of.peo_total);
  };
}

/** Whether the fiscal year of a row is partial: its own filing is not loaded. */
export function isPartialYear(dataset: Dataset, { cik, fiscal_year: of }: ExecutiveCompensation): boolean {
  return dataset.years(cik).some(({ fiscalYear, complete }) => fiscalYear === of && !complete);
}

/** The stored row of an executive in a company's year. */
export function rowJsonOf({ rowJson }: AvailableYear, executiveId: string): string | undefined {
  const marked = `"executive_id":${JSON.stringify(executiveId)}`;
  return rowJson.find((one) => one.includes(marked));
}

const decoder = new TextDecoder();

/** The rows of an answer. */
export function decodeRows(json: Uint8Array): ExecutiveCompensation[] {
  // The snapshot was compiled from rows of this type, and is verified by its content hash.
  return JSON.parse(`[${decoder.decode(json)}]`) as ExecutiveCompensation[];
}
