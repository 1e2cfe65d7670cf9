/** A served row as a line of a table: the 22 fields in the order of the contract, the source spelled out, and what the dataset knows besides. */
import { readRows } from "../../domain/compensation.ts";
import { AMOUNTS } from "../../domain/components.ts";
import { type Dataset, padCik, rowKey } from "../reader.ts";

/** The columns of every table that is exported, in order, with what they hold. */
export const COLUMNS = [
  ["ticker", "text"],
  ["cik", "text"],
  ["company_name", "text"],
  ["fiscal_year", "whole"],
  ["reported_year", "whole"],
  ["period", "text"],
  ["executive_id", "text"],
  ["executive_name", "text"],
  ["executive_role", "text"],
  ["is_peo", "flag"],
  ["is_pfo", "flag"],
  ["reporting_currency", "text"],
  ...AMOUNTS.map((field) => [field, "amount"] as const),
  ["source_form", "text"],
  ["source_accession", "text"],
  ["source_filing_date", "date"],
  ["source_filing_url", "link"],
  ["year_complete", "flag"],
  ["problems", "text"],
] as const satisfies readonly (readonly [string, ColumnKind])[];

/** What a column holds; a text, date or link may be null. */
export type ColumnKind = "text" | "whole" | "flag" | "amount" | "date" | "link";

/** The values of one line, in the order of `COLUMNS`. */
export type FlatRow = readonly (string | number | boolean | null)[];

/** Every served row, by CIK, then in the order of the contract. Companies are read one at a time. */
export function* flatRows(dataset: Dataset): Generator<FlatRow> {
  const companies = dataset.all<{ cik: number; ticker: string }>(
    "select cik, ticker from companies where row_count > 0 order by cik",
  );
  for (const { cik, ticker } of companies) {
    const problems = problemsOf(dataset, cik);
    let place = 0;
    for (const { complete, rowJson } of dataset.years(padCik(cik))) {
      for (const row of readRows(ticker, rowJson)) {
        const { source, ...fields } = row;
        yield [
          ...Object.values(fields),
          source.form,
          source.accession,
          source.filing_date,
          source.filing_url,
          complete,
          problems.get(place++) ?? null,
        ];
      }
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
