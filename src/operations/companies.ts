import type { Endpoint } from "./endpoint.ts";
import { readQuery, textUpTo, unreadable, whole } from "../domain/parameters.ts";
import {
  type Company,
  COMPANY,
  labelOf,
  normalizeCik,
  normalizeSymbol,
  readCompanyList,
} from "../domain/company.ts";
import { foldedWords } from "../domain/selection.ts";
import { named, orNull } from "../lib/definition.ts";
import { newestFilingDate, readCompanyFacts } from "../dataset/company-facts.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { type AnalysisDeps, analysisOperation } from "./analysis.ts";
import { companyMeant, searchCompanies } from "./company.ts";
import { companyMistyped, wholeNames } from "./typed-names.ts";
import { encode } from "./operation.ts";

const DEFAULT_COMPANIES = 10;
const MAX_COMPANIES = 100;
const MAX_WORDS = 100;
const WORDS_EXPECTED = `a name, symbol or CIK of at most ${MAX_WORDS} characters`;

/** The parameters of the companies operation. */
const COMPANIES_PARAMETERS = [
  {
    name: "q",
    about: "name, former name, ticker symbol, former symbol or CIK; tolerates typos",
    ...textUpTo(MAX_WORDS, WORDS_EXPECTED),
    required: true,
  },
  {
    name: "max_rows",
    about: "maximum number of companies",
    ...whole(1, MAX_COMPANIES, DEFAULT_COMPANIES),
  },
] as const;

const COMPANIES = named("CompaniesResponse", {
  companies: [
    named("Company", {
      ...COMPANY,
      former_names: ["string", "[]"],
      sic: orNull("string"),
      sector: orNull("string"),
      fiscal_year_end: [orNull("string"), "@", "MM-DD"],
      fiscal_years: [["number.integer", "[]"], "@", "newest first"],
      complete_fiscal_years: ["number.integer", "[]"],
      latest_filing_date: [orNull("string"), "@", "of the newest known filing, read or not"],
    }),
    "[]",
  ],
});

export const companiesEndpoint = {
  id: "findCompanies",
  path: "/api/companies",
  methods: ["GET", "HEAD"],
  caller: "credential",
  price: null,
  tag: "Analysis",
  summary: "Find companies by name",
  description:
    "Companies by name, former name, symbol, former symbol or CIK; case, accents, legal forms and small typing mistakes are " +
    "ignored, large companies come first, those without rows last. Free.",
  parameters: COMPANIES_PARAMETERS,
  example: { q: "facebook" },
  answer: { about: "The companies found, best match first.", body: COMPANIES },
  says: ["credits"],
  refusals: ["402", "503"],
} as const satisfies Endpoint;

/**
 * Finds companies by name, symbol or CIK. Free.
 * @see docs/contract.md, "Analysis"
 */
export function companiesOperation(deps: AnalysisDeps) {
  return analysisOperation(deps, companiesEndpoint, (given, dataset) => {
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
export function foundCompany(dataset: Dataset, cik: string) {
  const company = dataset.findByCik(cik);
  const facts = readCompanyFacts(dataset, cik);
  const years = dataset.fiscalYears(cik);
  return {
    ticker: company?.ticker ?? "",
    cik,
    company_name: company?.name ?? "",
    former_names: facts.formerNames.map(({ name }) => name),
    sic: facts.sic,
    sector: facts.sector,
    fiscal_year_end: company?.fiscalYearEnd ?? facts.fiscalYearEnd,
    fiscal_years: years.map(({ fiscalYear }) => fiscalYear),
    complete_fiscal_years: years.filter(({ complete }) => complete).map(({ fiscalYear }) => fiscalYear),
    latest_filing_date: newestFilingDate(dataset, cik),
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

/** How many names of a list are looked up: each takes 1 ms, and with a typing mistake in it 10 ms. A page has at most 5 of these. */
export interface LookUps {
  names: number;
  mistaken: number;
}

/** For whoever is known; a visitor has fewer. */
export const LOOK_UPS: LookUps = { names: 40, mistaken: 2 };
/** For a visitor. */
export const VISITOR_LOOK_UPS: LookUps = { names: 12, mistaken: 1 };

/** Most entries of a list. */
const MAX_ENTRIES = 400;

/**
 * Resolves a list as people type it: symbols, CIKs and names, separated by commas, semicolons or line breaks; symbols
 * also by spaces. A name counts if it means one company, also with a typing mistake if that is the only one with rows. What is not
 * found stays as it was typed.
 */
export function findTyped(dataset: Dataset, text: string, lookUps: LookUps): ListedCompanies {
  const bySymbol = findListed(dataset, readCompanyList(text));
  if (bySymbol.unknown.length === 0) return bySymbol;
  const found = new Map<string, PageCompany>();
  const unknown: string[] = [];
  const left = { ...lookUps };
  const add = (one: PageCompany) => found.getOrInsert(one.company.cik, one);
  for (const entry of typedEntries(dataset, text)) {
    const symbols = findListed(dataset, readCompanyList(entry));
    if (symbols.unknown.length === 0) symbols.found.forEach(add);
    else {
      const named =
        (left.names-- > 0 ? pageOf(companyMeant(dataset, entry)?.company) : undefined) ??
        (symbols.found.length === 0 && left.mistaken-- > 0
          ? pageOf(companyMistyped(dataset, entry))
          : undefined);
      if (named !== undefined) add(named);
      else if (/[a-z]/.test(entry)) {
        // Symbols with one that is none are in capitals: `Foo Bar Inc` does not mean the symbol BAR.
        if (!unknown.includes(entry)) unknown.push(entry);
      } else {
        symbols.found.forEach(add);
        unknown.push(...symbols.unknown.filter((one) => !unknown.includes(one)));
      }
    }
  }
  return { found: [...found.values()], unknown };
}

/** The entries of a list; `Nike, Inc.` is one. */
function typedEntries(dataset: Dataset, text: string): string[] {
  const parts = text.split(/[,;\n]/, MAX_ENTRIES).map((part) => part.trim());
  return wholeNames(
    dataset,
    parts.filter((part) => foldedWords(part).length > 0),
  );
}

function pageOf(company: Company | undefined): PageCompany | undefined {
  return company && { company, ticker: company.ticker };
}

/** The closest company to an unknown entry, with its label for a hint; undefined if none is close. */
export function nearestCompany(dataset: Dataset, entry: string) {
  const [meant] = searchCompanies(dataset, entry, 1);
  return meant && { ticker: meant.ticker, cik: meant.cik, label: labelOf(meant) };
}
