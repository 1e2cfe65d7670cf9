import { readQuery, textUpTo, unreadable, whole } from "../domain/parameters.ts";
import { type Company, labelOf, normalizeCik, normalizeSymbol, readCompanyList } from "../domain/company.ts";
import { foldedWords } from "../domain/selection.ts";
import { readCompanyFacts } from "../dataset/company-facts.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { type AnalysisDeps, analysisOperation } from "./analysis.ts";
import { searchCompanies } from "./company.ts";
import { encode } from "./operation.ts";

const DEFAULT_COMPANIES = 10;
const MAX_COMPANIES = 100;
const MAX_WORDS = 100;
const WORDS_EXPECTED = `a name, symbol or CIK of at most ${MAX_WORDS} characters`;

/** The parameters of the companies operation. */
export const COMPANIES_PARAMETERS = [
  {
    name: "q",
    about: "name, former name, ticker symbol, former symbol or CIK; tolerates typos",
    ...textUpTo(MAX_WORDS, WORDS_EXPECTED),
  },
  {
    name: "max_rows",
    about: "maximum number of companies",
    ...whole(1, MAX_COMPANIES, DEFAULT_COMPANIES),
  },
] as const;

/**
 * Finds companies by name, symbol or CIK. Free.
 * @see docs/contract.md, "Analysis"
 */
export function companiesOperation(deps: AnalysisDeps) {
  return analysisOperation(deps, "findCompanies", (given, dataset) => {
    const { q: words = "", max_rows: max = DEFAULT_COMPANIES } = readQuery(given, COMPANIES_PARAMETERS);
    if (words.trim() === "") throw unreadable("q", words, WORDS_EXPECTED);
    return {
      identity: `${max} ${words}`,
      answer: () => ({
        body: encode(JSON.stringify({ companies: findCompanies(dataset, words, max) })),
        costCredits: 0,
      }),
    };
  });
}

/** The companies matching the text, best match first; those without rows come last. */
export function findCompanies(dataset: Dataset, words: string, max: number): FoundCompany[] {
  return dataset.search(words, max).map((cik) => foundCompany(dataset, cik));
}

/** A company in the search results; unknown facts are null. */
export type FoundCompany = ReturnType<typeof foundCompany>;

/** A company's search result. @param cik ten digits, of a known company */
function foundCompany(dataset: Dataset, cik: string) {
  const company = dataset.findByCik(cik);
  const facts = readCompanyFacts(dataset, cik);
  const years = dataset.fiscalYears(cik);
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
    /** MM-DD */
    fiscal_year_end: company?.fiscalYearEnd ?? facts.fiscalYearEnd,
    /** Newest first. */
    fiscal_years: years.map(({ fiscalYear }) => fiscalYear),
    complete_fiscal_years: years.filter(({ complete }) => complete).map(({ fiscalYear }) => fiscalYear),
    /** Of the newest known filing, loaded or not. */
    latest_filing_date: latest?.day ?? null,
  };
}

/** A company and the symbol it was requested by. */
export interface PageCompany {
  company: Company;
  /** Empty if requested by CIK and the company has no symbol. */
  ticker: string;
}

/** The company of a page: by symbol in any spelling, or by CIK. */
export function findCompany(dataset: Dataset, by: "ticker" | "cik", text: string): PageCompany | undefined {
  if (by === "ticker") {
    const ticker = normalizeSymbol(text);
    const company = dataset.findBySymbol(ticker);
    return company && { company, ticker };
  }
  const cik = normalizeCik(text);
  const company = cik === undefined ? undefined : dataset.findByCik(cik);
  return company && { company, ticker: company.ticker };
}

/** The distinct companies of a list, in order, and the entries that match none. */
export type ListedCompanies = ReturnType<typeof findListed>;

/** Resolves the entries of a list: symbols, and CIKs prefixed `CIK`. @see readCompanyList */
export function findListed(dataset: Dataset, entries: readonly string[]) {
  const found = new Map<string, PageCompany>();
  const unknown: string[] = [];
  for (const entry of entries) {
    const one = findCompany(dataset, /^CIK\d+$/.test(entry) ? "cik" : "ticker", entry);
    if (one === undefined) unknown.push(entry);
    else if (!found.has(one.company.cik)) found.set(one.company.cik, one);
  }
  return { found: [...found.values()], unknown };
}

/** Names in a list that are looked up; each takes a search. */
const MAX_NAMES = 40;

/**
 * Resolves a list as people type it: symbols, CIKs and names, separated by commas, semicolons or line breaks; symbols
 * also by spaces. A name counts only if each of its words begins a word of the company's name.
 */
export function findTyped(dataset: Dataset, text: string): ListedCompanies {
  const bySymbol = findListed(dataset, readCompanyList(text));
  if (bySymbol.unknown.length === 0) return bySymbol;
  const entries = text.split(/[,;\n]/, 400).map((entry) => entry.trim());
  const found = new Map<string, PageCompany>();
  const unknown: string[] = [];
  let looked = 0;
  for (const entry of entries.filter((one) => one !== "")) {
    const symbols = findListed(dataset, readCompanyList(entry));
    const named =
      symbols.unknown.length > 0 && looked++ < MAX_NAMES ? companyWithWords(dataset, entry) : undefined;
    if (named === undefined) unknown.push(...symbols.unknown.filter((one) => !unknown.includes(one)));
    for (const one of named === undefined ? symbols.found : [named])
      if (!found.has(one.company.cik)) found.set(one.company.cik, one);
  }
  return { found: [...found.values()], unknown };
}

/** The company meant by a name, without typing mistakes. */
function companyWithWords(dataset: Dataset, name: string): PageCompany | undefined {
  const words = foldedWords(name);
  const [company] = words.length === 0 ? [] : searchCompanies(dataset, name, 1);
  const own = foldedWords(company?.name ?? "");
  if (company === undefined || !words.every((word) => own.some((one) => one.startsWith(word))))
    return undefined;
  return { company, ticker: company.ticker };
}

/** The closest company to an unknown entry, with its label for a hint; undefined if none is close. */
export function nearestCompany(dataset: Dataset, entry: string) {
  const [meant] = searchCompanies(dataset, entry, 1);
  return meant && { ticker: meant.ticker, cik: meant.cik, label: labelOf(meant) };
}
