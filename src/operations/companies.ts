import type { ParameterInfo } from "../domain/parameters.ts";
import { readMaxRows, singleParameters, unreadable } from "../domain/selection.ts";
import { readCompanyFacts } from "../dataset/company-facts.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { type AnalysisDeps, analysisOperation } from "./analysis.ts";

const DEFAULT_COMPANIES = 10;
const MAX_COMPANIES = 100;
const MAX_WORDS = 100;

/** The parameters of the companies operation. */
export const COMPANIES_PARAMETERS: readonly ParameterInfo[] = [
  {
    name: "q",
    about: "name, former name, ticker symbol, former symbol or CIK; tolerates typos",
    schema: { type: "string", pattern: "\\S", maxLength: MAX_WORDS },
  },
  {
    name: "max_rows",
    about: "maximum number of companies",
    schema: { type: "integer", minimum: 1, maximum: MAX_COMPANIES, default: DEFAULT_COMPANIES },
  },
];

/** A company in the search results; unknown facts are null. */
export interface FoundCompany {
  ticker: string;
  cik: string;
  company_name: string;
  former_names: string[];
  sic: string | null;
  sector: string | null;
  /** MM-DD */
  fiscal_year_end: string | null;
  /** Newest first. */
  fiscal_years: number[];
  complete_fiscal_years: number[];
  /** Of the newest known filing, loaded or not. */
  latest_filing_date: string | null;
}

/**
 * Finds companies by name, symbol or CIK. Costs `priceCompanies`, by default 0.
 * @see docs/contract.md, "Analysis"
 */
export function companiesOperation(deps: AnalysisDeps) {
  return analysisOperation(deps, "findCompanies", (given, dataset) => {
    const single = singleParameters(given, COMPANIES_PARAMETERS);
    const words = single.get("q") ?? "";
    if (words.trim() === "" || words.length > MAX_WORDS) {
      throw unreadable("q", words, `a name, symbol or CIK of at most ${MAX_WORDS} characters`);
    }
    const max = readMaxRows(single, DEFAULT_COMPANIES, MAX_COMPANIES);
    return {
      identity: `${max} ${words}`,
      priceCredits: deps.prices.priceCompanies,
      answer: () => ({
        json: JSON.stringify({ companies: findCompanies(dataset, words, max) }),
        costCredits: deps.prices.priceCompanies,
      }),
    };
  });
}

/** The companies matching the text, best match first; those without rows come last. */
export function findCompanies(dataset: Dataset, words: string, max: number): FoundCompany[] {
  return dataset.search(words, max).map((cik) => foundCompany(dataset, cik));
}

/** A company's search result. @param cik ten digits, of a known company */
function foundCompany(dataset: Dataset, cik: string): FoundCompany {
  const company = dataset.findByCik(cik);
  const facts = readCompanyFacts(dataset, cik);
  const years = dataset.all<{ fiscal_year: number; complete: number }>(
    "select fiscal_year, complete from years where cik = ? order by fiscal_year desc",
    Number(cik),
  );
  const [latest] = dataset.all<{ day: string | null }>(
    "select max(filing_date) as day from filings where cik = ?",
    Number(cik),
  );
  return {
    ticker: company?.ticker ?? "",
    cik,
    company_name: company?.name ?? "",
    former_names: facts.formerNames.map(({ name }) => name),
    sic: facts.sic,
    sector: facts.sector,
    fiscal_year_end: company?.fiscalYearEnd ?? facts.fiscalYearEnd,
    fiscal_years: years.map(({ fiscal_year: year }) => year),
    complete_fiscal_years: years
      .filter(({ complete }) => complete === 1)
      .map(({ fiscal_year: year }) => year),
    latest_filing_date: latest?.day ?? null,
  };
}
