/** Hints for queries without rows: which years and currencies are available, and what may find more. */
import { shellWord } from "../../lib/text.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { type Company, normalizeCik, normalizeSymbol, symbolOf } from "../../domain/company.ts";
import type { GivenParameters } from "../../domain/parameters.ts";
import { YEAR_FILTERS } from "../../domain/years.ts";
import { readRows } from "../../domain/row-fields.ts";
import { foldedWords } from "../../domain/selection.ts";
import { companyMeant } from "../../operations/company.ts";

/** `fiscal 2020 to 2025`. @param years newest first, at least one */
export function yearsText(years: readonly number[]): string {
  const [newest] = years;
  const oldest = years.at(-1);
  return newest === oldest ? `fiscal ${newest}` : `fiscal ${oldest} to ${newest}`;
}

/**
 * A line for each requested company without rows in an answer; unknown companies are left out.
 *
 * @param named the requested tickers and CIKs, as entered
 * @param answered the CIKs that have rows
 * @param currency the requested currency, by default `USD`
 */
export function missingRows(
  dataset: Dataset,
  named: readonly string[],
  answered: ReadonlySet<string>,
  currency: string,
): string[] {
  const listed = new Set<string>();
  return named.flatMap((name) => {
    const { company, understood = null } = /^\d+$/.test(name)
      ? { company: dataset.findByCik(normalizeCik(name) ?? "") }
      : (companyMeant(dataset, name) ?? {});
    if (company === undefined || answered.has(company.cik) || listed.has(company.cik)) return [];
    listed.add(company.cik);
    return [
      `No rows for ${understood === null ? normalizeSymbol(name) : symbolOf(company)}${reasonFor(dataset, company, currency.toUpperCase())}.`,
    ];
  });
}

/** The command that fetches a company's filings. */
export function ingestOf({ cik, ticker }: Pick<Company, "cik" | "ticker">): string {
  return `execcomp ingest ${ticker === "" ? `--cik ${cik}` : ticker}`;
}

function reasonFor(dataset: Dataset, { cik, ticker }: Company, currency: string): string {
  const years = dataset.years(cik);
  if (years.length === 0)
    return `: none of its filings has been read yet; to fetch them: ${ingestOf({ cik, ticker })}`;
  const rows = years.flatMap(({ rowJson }) => readRows(ticker, rowJson));
  const currencies = [...new Set(rows.map(({ reporting_currency: one }) => one ?? "an unknown currency"))];
  if (!currencies.includes(currency))
    return `: it reports in ${currencies.join(", ")} (--reporting-currency)`;
  const inCurrency = rows.filter(({ reporting_currency: one }) => one === currency);
  const available = [...new Set(inCurrency.map(({ fiscal_year: year }) => year))];
  return `; available: ${yearsText(available)}`;
}

/** Whether a query names no fiscal year, so that only each company's latest is searched. */
export function isOfLatest(parameters: GivenParameters): boolean {
  return !YEAR_FILTERS.some(({ name }) => parameters.has(name));
}

/** Words of a name, the last of which may find somebody; empty for a name of one word. */
export function shorterName(parameters: GivenParameters): string[] {
  const words = foldedWords(parameters.get("executive")?.[0] ?? "");
  return words.length < 2
    ? []
    : [`No name in the filings contains all these words. Try --executive ${shellWord(words.at(-1) ?? "")}`];
}
