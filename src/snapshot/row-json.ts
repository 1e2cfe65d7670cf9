/** A served row as the JSON that answers carry, made once when the snapshot is written. */
import { writeCents } from "../domain/amount.ts";
import { AMOUNTS } from "../domain/components.ts";
import type { ServedRow } from "./assemble.ts";

/** The row's JSON from after `{"ticker":"…",` to its end: the remaining 21 fields in the order of `docs/contract.md`, "Rows". */
export function rowTail(cik: string, companyName: string, row: ServedRow): string {
  const text = (value: string | null) => JSON.stringify(value);
  const amounts = AMOUNTS.map((field) => `"${field}":${writeCents(row.amounts[field])}`).join(",");
  return (
    `"cik":${text(cik)},"company_name":${text(companyName)},"fiscal_year":${row.fiscalYear},` +
    `"reported_year":${row.reportedYear},"period":"annual","executive_id":${text(row.executiveId)},` +
    `"executive_name":${text(row.name)},"executive_role":${text(row.role)},"is_peo":${row.isPeo},"is_pfo":${row.isPfo},` +
    `"reporting_currency":${text(row.currency)},${amounts},"source":{"form":${text(row.filing.form)},` +
    `"accession":${text(row.filing.accession)},"filing_date":${text(row.filing.filingDate)},` +
    `"filing_url":${text(row.filing.url)}}}`
  );
}
