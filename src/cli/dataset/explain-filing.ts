/** How `execcomp explain` describes a filing. */
import type { FilingRecord } from "../../dataset/record.ts";

/** The filing as JSON. */
export function filingJson({ accession, form, filingDate, url }: FilingRecord): object {
  return { accession, form, filing_date: filingDate, filing_url: url };
}

/** Its form, accession number, date and URL. */
export function* filingLines({ accession, form, filingDate, url }: FilingRecord): Generator<string> {
  yield `from ${form ?? "a filing"} ${accession}${filingDate === null ? "" : `, filed ${filingDate}`}`;
  if (url !== null) yield url;
}
