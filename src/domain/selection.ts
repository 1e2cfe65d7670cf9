/**
 * Selections: which rows a query across companies covers. REST parameters, MCP arguments, command-line flags and pages
 * share this validation.
 * @see docs/contract.md, "Analysis"
 */
import { invalid } from "../errors.ts";
import { type Cents, MAX_AMOUNT, readCents } from "./amount.ts";
import { normalizeCik } from "./company.ts";
import {
  AMOUNTS,
  type AmountField,
  isMeasure,
  type Measure,
  MEASURE_ABOUT,
  MEASURE_UNIT,
  MEASURES,
  ROW_EVIDENCE,
  type RowEvidence,
} from "./row-fields.ts";
import { foldToAscii } from "./executive.ts";
import {
  defined,
  FLAG,
  like,
  listAsText,
  listOf,
  type QueryOf,
  readValues,
  shorten,
  type SingleParameters,
  textUpTo,
  unreadable,
  whole,
  word,
} from "./parameters.ts";
import { YEAR_FILTERS } from "./years.ts";

/** Sectors of the S&P 500, as spelled in the dataset. */
export const SECTORS = [
  "communication_services",
  "consumer_discretionary",
  "consumer_staples",
  "energy",
  "financials",
  "health_care",
  "industrials",
  "information_technology",
  "materials",
  "real_estate",
  "utilities",
] as const;

/** Indexes with known members. */
export const INDEXES = ["sp500"] as const;

/** The SEC's filer categories, in lower case with `_`. */
export const FILER_CATEGORIES = [
  "large_accelerated_filer",
  "accelerated_filer",
  "non_accelerated_filer",
  "smaller_reporting_company",
  "emerging_growth_company",
  "well_known_seasoned_issuer",
] as const;

/** Groupings for statistics. `sic2` is the first two digits of the SIC code. */
export const GROUPINGS = [
  "fiscal_year",
  "sector",
  "sic2",
  "office",
  "index",
  "filer_category",
  "state",
] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Bounds of a filter on amounts or years; for years there is also `eq`, named without a suffix. */
export const BOUNDS = ["gte", "lte", "gt", "lt"] as const;
export type Bound = (typeof BOUNDS)[number];

/** Sort keys of rows. */
export const SORT_KEYS = [...AMOUNTS, ...MEASURES, "fiscal_year", "company_name", "executive_name"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** Maximum number of companies a selection may name. */
export const MAX_COMPANIES = 200;
/** Default page size, in rows. */
export const DEFAULT_ROWS = 25;
/** Maximum page size, in rows. */
export const MAX_ROWS = 1000;
const MAX_TEXT = 200;
const AT_MOST = `at most ${MAX_COMPANIES}`;
/** Most people that a selection may name. */
const MAX_NAMES = 10;
/** Longest name of a company. */
const MAX_NAME = 80;

/** Which companies and years a question covers. Null means no restriction. */
export interface CompanyYears {
  /** Symbols and names as they were given. */
  tickers: readonly string[];
  /** Ten digits. */
  ciks: readonly string[];
  /** Empty for each company's latest fiscal year. */
  years: readonly { bound: Bound | "eq"; year: number }[];
  sector: string | null;
  /** The leading digits of the SIC code. */
  sic: string | null;
  /** EDGAR's code of the business address. */
  state: string | null;
  index: string | null;
  filerCategory: string | null;
  /** ISO 4217 code. */
  currency: string;
}

/** Which rows a query covers. Null and false mean no restriction. */
export interface Selection extends CompanyYears {
  office: "peo" | "pfo" | "other" | null;
  /** Folded words of each name. */
  executive: readonly (readonly string[])[];
  executiveId: string | null;
  /** `cents` of a measure is a whole number of its unit. */
  amounts: readonly { field: AmountField | Measure; bound: Bound; cents: Cents }[];
  completeOnly: boolean;
  onePerCompanyYear: boolean;
  /** The evidence for the rows; null for any. */
  evidence: readonly RowEvidence[] | null;
}

/** The order of what is selected. */
export interface Sort<Key> {
  by: Key;
  descending: boolean;
}

/** The bounds in words. */
export const BOUND_WORDS: Readonly<Record<Bound, string>> = {
  gte: "greater than or equal",
  lte: "less than or equal",
  gt: "greater than",
  lt: "less than",
};

/** A symbol or a name, not part of a JSON list; its bounded length bounds backtracking. */
const NAME_LETTERS = `[^\\p{C}[\\]"]{0,${MAX_NAME - 1}}`;
const SYMBOL_OR_NAME = new RegExp(`^${NAME_LETTERS}[\\p{L}\\p{N}]${NAME_LETTERS}$`, "u");

const NAMES_EXPECTED = `words of a name, or of up to ${MAX_NAMES} names, comma-separated; at most ${MAX_TEXT} characters`;

/** What is wrong with a list that a model wrote as JSON. */
function listHint(text: string): string {
  const list = listAsText(text);
  return list === undefined ? "" : ` It is a list as text: send ${shorten(list)}.`;
}

/** Filters that name companies. */
const NAMED = [
  {
    name: "ticker",
    about: `ticker symbols or names of companies, comma-separated; at most ${MAX_COMPANIES} together with cik`,
    ...listOf(like(SYMBOL_OR_NAME, "ticker symbols or names, comma-separated"), MAX_COMPANIES, AT_MOST),
    hint: listHint,
    examples: ["AAPL,MSFT"],
  },
  {
    name: "cik",
    about: "CIKs, comma-separated; combined with ticker",
    ...listOf(
      like(/^\s*([Cc][Ii][Kk])?[0-9]{1,10}\s*$/, "CIKs of 1 to 10 digits, comma-separated"),
      MAX_COMPANIES,
      AT_MOST,
    ),
    examples: ["320193,789019"],
  },
] as const;

const YEARS = YEAR_FILTERS.map(({ history: _of, ...filter }) => ({
  ...filter,
  about: filter.name === "fiscal_year" ? `${filter.about}; default each company's latest` : filter.about,
}));

/** Filters on people. */
const PEOPLE = [
  {
    name: "office",
    about:
      "CEOs (peo, principal executive officers), CFOs (pfo, principal financial officers) or rows of neither (other)",
    ...word(["peo", "pfo", "other"]),
  },
  {
    name: "executive",
    about: "words of a name, ignoring case and accents; several names comma-separated",
    ...listOf(textUpTo(MAX_TEXT, NAMES_EXPECTED), MAX_NAMES, NAMES_EXPECTED),
  },
  {
    name: "executive_id",
    about: "exact executive_id",
    ...like(/^[a-z0-9-]{1,100}$/, "an executive_id such as tim-cook"),
  },
] as const;

/** Filters on facts of companies. */
const FACTS = [
  { name: "sector", about: "sector of the company (known for S&P 500 companies)", ...word(SECTORS) },
  {
    name: "sic",
    about: "SIC code of the company, or its first digits",
    ...like(/^\d{1,4}$/, "1 to 4 digits, the first of a SIC code"),
  },
  { name: "index", about: "member of the index on the last day of the fiscal year", ...word(INDEXES) },
  {
    name: "filer_category",
    about: "the SEC's filer category of the company",
    ...word(FILER_CATEGORIES),
  },
  {
    name: "state",
    about: "EDGAR's code of the company's business address: CA, NY, A1 (British Columbia)",
    ...like(/^[A-Za-z][A-Za-z0-9]$/, "EDGAR's code of two characters such as CA or A1"),
  },
] as const;

const AMOUNT_EXPECTED = `an amount such as 20000000 or 12.5, from -${MAX_AMOUNT} to ${MAX_AMOUNT}`;

/** An amount, positive or negative. */
export const AN_AMOUNT = defined<number>(
  "number",
  `-${MAX_AMOUNT} <= number <= ${MAX_AMOUNT}`,
  AMOUNT_EXPECTED,
);

const A_MEASURE = defined<number>(
  "number",
  "-1000000000000000 <= number <= 1000000000000000",
  "a number such as 20 or 12.5",
);

/** Filters on amounts and measures. */
const AMOUNT_FILTERS = [
  ...AMOUNTS.flatMap((field) => BOUNDS.map((bound) => ({ ...boundOf(field, bound), ...AN_AMOUNT }))),
  ...MEASURES.flatMap((field) =>
    (["gte", "lte"] as const).map((bound) => ({
      ...boundOf(field, bound),
      ...A_MEASURE,
    })),
  ),
];

function boundOf<Field extends string>(field: Field, bound: Bound) {
  return { name: `${field}_${bound}` as const, about: `${field} ${BOUND_WORDS[bound]}`, field, bound };
}

/** The cents of an amount. Refuses fractions of a cent. @param name of the parameter */
export function centsGiven(name: string, value: number): Cents {
  const cents = readCents(String(value));
  if (cents === undefined) throw unreadable(name, String(value), AMOUNT_EXPECTED);
  return cents;
}

const CURRENCY = {
  name: "reporting_currency",
  about: "ISO 4217 code; amounts in different currencies are never compared",
  ...like(/^[A-Za-z]{3}$/, "an ISO 4217 code such as USD"),
  default: "USD",
} as const;

/** Which years and rows count. */
const COUNTED = [
  { name: "complete_only", about: "only fiscal years whose own filing has been read", ...FLAG },
  {
    name: "one_per_company_year",
    about: "only the row with the highest total of each company and fiscal year",
    ...FLAG,
  },
  {
    name: "evidence",
    about:
      "how rows are known, comma-separated: linked (to cells), typed (from the filing), collected (components not checked); default all",
    ...listOf(word(ROW_EVIDENCE), ROW_EVIDENCE.length, `some of ${ROW_EVIDENCE.join(", ")}, comma-separated`),
    examples: ["linked,typed"],
  },
] as const;

/** Filters that say which companies. */
export const COMPANY_FILTERS = [...NAMED, ...FACTS] as const;

/** The parameters of companies and years. */
export const COMPANY_PARAMETERS = [...NAMED, ...YEARS, ...FACTS, CURRENCY] as const;

/** The parameters of a selection, in the order of the contract. */
export const SELECTION_PARAMETERS = [
  ...NAMED,
  ...YEARS,
  ...PEOPLE,
  ...FACTS,
  ...AMOUNT_FILTERS,
  CURRENCY,
  ...COUNTED,
] as const;

/** The parameter for measures next to the rows. */
export const MEASURES_PARAMETER = {
  name: "measures",
  about: `figures next to the rows, comma-separated: ${MEASURES.map((name) => `${name} (${MEASURE_ABOUT[name]})`).join("; ")}`,
  ...listOf(word(MEASURES), MEASURES.length, `some of ${MEASURES.join(", ")}, comma-separated`),
  examples: ["total_change"],
} as const;

/** The parameters for sorting and paging. @param about of the sort key */
export function pagingBy<const Key extends string>(keys: readonly Key[], byDefault: Key, about: string) {
  const sorts = keys.flatMap((key) => [key, `-${key}`] as const);
  const expected = `one of ${keys.join(", ")}, with - in front for descending`;
  return [
    { name: "sort", about, ...word(sorts, `-${byDefault}`), expected },
    { name: "max_rows", about: "maximum number of rows per page", ...whole(1, MAX_ROWS, DEFAULT_ROWS) },
    CURSOR_PARAMETER,
  ] as const;
}

/** The order that a value of `sort` stands for. */
export function sortOf<Key extends string>(keys: readonly Key[], sort: Key | `-${Key}`): Sort<Key> {
  const by = keys.find((key) => key === sort.replace(/^-/, ""));
  if (by === undefined) throw new Error(`no order by ${sort}`);
  return { by, descending: sort.startsWith("-") };
}

/** The parameter for paging. */
export const CURSOR_PARAMETER = {
  name: "cursor",
  about: "next_cursor of the previous page",
  ...like(/^[A-Za-z0-9_-]{1,60}$/, "the next_cursor of the previous page"),
} as const;

/** The bounds of fiscal years that values name. */
export function yearBoundsOf(query: QueryOf<typeof YEAR_FILTERS>): CompanyYears["years"] {
  return YEAR_FILTERS.flatMap(({ name }) => {
    const { [name]: year } = query;
    const bound = BOUNDS.find((one) => name.endsWith(`_${one}`)) ?? ("eq" as const);
    return year === undefined ? [] : [{ bound, year }];
  });
}

/** The companies and years that values name. Refuses too many companies with `invalid_parameter`. */
export function companyYearsOf(query: QueryOf<typeof COMPANY_PARAMETERS>): CompanyYears {
  const tickers = [...new Set(query.ticker?.map((one) => one.trim()))];
  const ciks = [...new Set(query.cik?.flatMap((cik) => normalizeCik(cik) ?? []))];
  if (tickers.length + ciks.length > MAX_COMPANIES)
    throw invalid(
      `Cannot read ticker and cik: ${tickers.length + ciks.length} companies, expected at most ${MAX_COMPANIES}. Narrow by sector, sic or index, or split the request.`,
    );
  return {
    tickers,
    ciks,
    years: yearBoundsOf(query),
    sector: query.sector ?? null,
    sic: query.sic ?? null,
    state: query.state?.toUpperCase() ?? null,
    index: query.index ?? null,
    filerCategory: query.filer_category ?? null,
    currency: (query.reporting_currency ?? "USD").toUpperCase(),
  };
}

/** The selection that values stand for. Refuses a name without words and fractions of a cent, too. */
export function selectionOf(query: QueryOf<typeof SELECTION_PARAMETERS>): Selection {
  const executive = (query.executive ?? []).map(foldedWords);
  if (executive.some((words) => words.length === 0))
    throw unreadable("executive", query.executive?.join() ?? "", NAMES_EXPECTED);
  // Cursors are bound to the order of the members.
  return {
    ...companyYearsOf(query),
    office: query.office ?? null,
    executive,
    executiveId: query.executive_id ?? null,
    amounts: AMOUNT_FILTERS.flatMap(({ name, field, bound }) => {
      const { [name]: value } = query;
      if (value === undefined) return [];
      return [
        { field, bound, cents: isMeasure(field) ? value * MEASURE_UNIT[field] : centsGiven(name, value) },
      ];
    }),
    completeOnly: query.complete_only === true,
    onePerCompanyYear: query.one_per_company_year === true,
    // All of them are no restriction.
    evidence: ROW_EVIDENCE.every((one) => query.evidence?.includes(one) !== false)
      ? null
      : ROW_EVIDENCE.filter((one) => query.evidence?.includes(one)),
  };
}

/** The selection of parameters with a single value each. Refuses with `invalid_parameter`. */
export function readSelection(given: SingleParameters): Selection {
  return selectionOf(readValues(given, SELECTION_PARAMETERS));
}

/** The words of a text in lower-case ASCII, without apostrophes. */
export function foldedWords(of: string): string[] {
  return (
    foldToAscii(of)
      .toLowerCase()
      .replaceAll(/['`’‘´]/g, "")
      .match(/[a-z0-9]+/g) ?? []
  );
}

/** A value of a filter in words: `Information technology`, `Non-accelerated filer`, `S&P 500`. */
export function valueName(value: string): string {
  if (value === "sp500") return "S&P 500";
  const words = value.replaceAll("_", " ").replace(/^(non|well) /, "$1-");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
