/** Totals of chief executives of which nothing else is known, in the places of rows. */
import { byAmount, COMPONENTS, type ExecutiveCompensation, ROW_COLUMNS } from "../domain/row-fields.ts";
import type { recordJson } from "../analysis/ceo-pay-questions.ts";
import type { FlatRow } from "../analysis/export/columns.ts";

type CeoTotal = ReturnType<typeof recordJson>;

/** A total whose components are not known, as a row without them. */
export function totalOnlyRow(total: CeoTotal): ExecutiveCompensation {
  const { ticker, cik, company_name, fiscal_year, reporting_currency, source } = total;
  return {
    ticker,
    cik,
    company_name,
    fiscal_year,
    reporting_currency,
    reported_year: null,
    period: "annual",
    executive_id: "",
    executive_name: officerOf(total),
    executive_role: null,
    is_peo: true,
    is_pfo: false,
    ...byAmount(() => 0),
    total_compensation: total.peo_total,
    source: {
      form: source?.form ?? "",
      accession: source?.accession ?? "",
      filing_date: source?.filing_date ?? null,
      filing_url: source?.filing_url ?? null,
    },
  };
}

/** The officer of a total, or that no name is known. */
export function officerOf({ peo_name: name, surname_only: isSurname }: CeoTotal): string {
  return (name ?? "Name not in the tagged data") + (isSurname ? " (surname as tagged)" : "");
}

/** What a table has of such a row, under the columns of rows. */
export function totalOnlyCells(row: ExecutiveCompensation): FlatRow {
  return ROW_COLUMNS.map(({ name, valueIn }) => (ABSENT.has(name) ? null : valueIn(row) || null));
}

/** What a total without a row does not have. */
const ABSENT: ReadonlySet<string> = new Set([...COMPONENTS, "is_pfo"]);
