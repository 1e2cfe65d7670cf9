/**
 * Addresses of companies and their rows, and names within addresses. The paths are those of `http/routes.ts`, written out: a page has
 * thousands, and `pathTo` takes four times as long.
 */
import { type ExecutiveCompensation as Row } from "../../domain/row-fields.ts";
import type { PageCompany } from "../../operations/companies.ts";

/** The page of a company: by symbol, or by CIK where it has none. */
export function companyPath({ ticker, cik }: { ticker: string; cik: string }): string {
  return ticker === "" ? `/c/${cik}` : `/t/${encodeURIComponent(ticker)}`;
}

/** The page of a company that is already loaded for a page. */
export function pathOf({ company, ticker }: PageCompany): string {
  return companyPath({ ticker, cik: company.cik });
}

/** The page of a row: the person at the company in that fiscal year. */
export function rowPath(row: Row): string {
  return personYearPath(row, row.fiscal_year, row.executive_id);
}

/** The page of a person at a company in a fiscal year. */
export function personYearPath(
  company: { ticker: string; cik: string },
  year: number,
  executive: string,
): string {
  return `${companyPath(company)}/${year}/${executive}`;
}

/** The page of an amount of a row. */
export function amountPath(row: Row, field: string): string {
  return `${rowPath(row)}/${field}`;
}

/** A company in a list of an address: its symbol, or its CIK if it has none. */
export function nameInList({ company, ticker }: PageCompany): string {
  return ticker === "" ? `CIK${company.cik}` : ticker;
}

/** The name of an address among those that are known. */
export function nameIn<Name extends string>(
  names: Readonly<Record<Name, unknown>>,
  text: string | null,
): Name | undefined {
  // Keys of `known` are names.
  return text !== null && Object.hasOwn(names, text) ? (text as Name) : undefined;
}
