import type { Dataset } from "../../../src/dataset/dataset.ts";

/** CIKs of companies whose newest loaded filing is of a year that ended over three years before the edition's date. */
export function staleCompanies(dataset: Dataset): Set<string> {
  const { edition } = dataset.info;
  const oldest = `${Number(edition.slice(0, 4)) - 3}${edition.slice(4)}`;
  const lines = dataset.all<{ cik: string }>(
    `select printf('%010d', cik) as cik from filings where status = 'parsed' group by cik having max(period_end) < ?`,
    oldest,
  );
  return new Set(lines.map(({ cik }) => cik));
}
