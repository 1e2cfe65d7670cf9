import type { Dataset } from "../../../src/dataset/dataset.ts";

/** CIKs of companies whose newest loaded filing is of a year that ended over three years before the edition's date. */
export function staleCompanies(dataset: Dataset): Set<string> {
  const { edition } = dataset.info;
  const oldest = `${Number(edition.slice(0, 4)) - 3}${edition.slice(4)}`;
  const lines = dataset.all<{ cik: string }>(
    `select printf('%010d', cik) as cik from filings where status = 'parsed' group by cik
      having max(coalesce(period_end,
        -- Only some years of a collected table are here.
        (select max(r.fiscal_year) || '-' || coalesce((select fiscal_year_end from registrants g where g.cik = filings.cik), '12-31')
          from rows r where r.filing = filings.id))) < ?`,
    oldest,
  );
  return new Set(lines.map(({ cik }) => cik));
}
