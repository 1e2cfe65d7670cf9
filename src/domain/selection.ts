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
} from "./row-fields.ts";
import { foldToAscii } from "./executive.ts";
import {
  FLAG,
  like,
  listAsText,
  type Parameter,
  type ParameterInfo,
  readValue,
  readValues,
  shorten,
  type SingleParameters,
  whole,
  word,
  YEAR_FILTERS,
} from "./parameters.ts";
import { anyText, Unreadable } from "./text.ts";

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
  office: "peo" | "pfo" | null;
  /** Folded words of each name. */
  executive: readonly (readonly string[])[];
  executiveId: string | null;
  /** `cents` of a measure is a whole number of its unit. */
  amounts: readonly { field: AmountField | Measure; bound: Bound; cents: Cents }[];
  completeOnly: boolean;
  onePerCompanyYear: boolean;
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

/** A list of companies, comma-separated. @param read undefined for an entry that is none */
function companies(
  name: string,
  expected: string,
  schema: ParameterInfo["schema"],
  read: (entry: string) => string | undefined,
) {
  const reads = (text: string): string[] | Unreadable => {
    const entries = text.split(",", MAX_COMPANIES * 10 + 1);
    if (entries.length > MAX_COMPANIES * 10)
      throw invalid(
        `Cannot read ${name}: more than ${MAX_COMPANIES * 10} entries, expected at most ${MAX_COMPANIES}.`,
      );
    const list = listAsText(text);
    if (list !== undefined)
      return new Unreadable(
        `${expected}, comma-separated`,
        undefined,
        ` It is a list as text: send ${shorten(list)}.`,
      );
    const wrong = entries.find((entry) => read(entry) === undefined);
    if (wrong !== undefined) return new Unreadable(`${expected}, comma-separated`, wrong);
    return [...new Set(entries.flatMap((entry) => read(entry) ?? []))];
  };
  return { schema: { type: "string", ...schema }, reads };
}

/** A symbol or a name as it was given. */
function readSymbolOrName(text: string): string | undefined {
  const entry = text.trim();
  return entry.length <= MAX_NAME && /^[^\p{C}]*[\p{L}\p{N}][^\p{C}]*$/u.test(entry) ? entry : undefined;
}

function readNames(text: string): string[][] | Unreadable {
  const names = text.split(",", MAX_NAMES + 1).map(foldedWords);
  return text.length <= MAX_TEXT && names.length <= MAX_NAMES && names.every((words) => words.length > 0)
    ? names
    : new Unreadable(
        `words of a name, or of up to ${MAX_NAMES} names, comma-separated; at most ${MAX_TEXT} characters`,
      );
}

/** A symbol or a name, as a pattern of the schema: without a comma, and no list as text. */
const NAME = "[ -+\\--Z\\\\-~]{0,30}[A-Za-z0-9][ -+\\--Z\\\\-~]{0,30}";

/** Filters that name companies. */
const NAMED = [
  {
    name: "ticker",
    about: `ticker symbols or names of companies, comma-separated; at most ${MAX_COMPANIES} together with cik`,
    ...companies(
      "ticker",
      "ticker symbols or names",
      { pattern: `^${NAME}(,${NAME}){0,199}$`, examples: ["AAPL,MSFT"] },
      readSymbolOrName,
    ),
  },
  {
    name: "cik",
    about: "CIKs, comma-separated; combined with ticker",
    ...companies(
      "cik",
      "CIKs of 1 to 10 digits",
      { pattern: "^\\d{1,10}(,\\d{1,10}){0,199}$", examples: ["320193,789019"] },
      normalizeCik,
    ),
  },
] as const;

const YEARS = YEAR_FILTERS.map(({ name, about, schema, reads }) => {
  const withDefault = name === "fiscal_year" ? `${about}; default each company's latest` : about;
  return { name, about: withDefault, schema, reads };
});

/** Filters on people. */
const PEOPLE = [
  {
    name: "office",
    about: "CEOs (peo, principal executive officers) or CFOs (pfo, principal financial officers)",
    ...word(["peo", "pfo"]),
  },
  {
    name: "executive",
    about: "words of a name, ignoring case and accents; several names comma-separated",
    schema: { type: "string", minLength: 1, maxLength: MAX_TEXT },
    reads: readNames,
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
    about: "EDGAR's code of the company's business address: CA, NY, A1 (Alberta)",
    ...like(/^[A-Za-z][A-Za-z0-9]$/, "EDGAR's code of two characters such as CA or A1"),
  },
] as const;

const AMOUNT_EXPECTED = new Unreadable(
  `an amount such as 20000000 or 12.5, from -${MAX_AMOUNT} to ${MAX_AMOUNT}`,
);

/** Filters on amounts and measures. */
const AMOUNT_FILTERS = [
  ...AMOUNTS.flatMap((field) =>
    BOUNDS.map((bound) => ({
      ...boundOf(field, bound, { minimum: -MAX_AMOUNT, maximum: MAX_AMOUNT }),
      reads: (text: string) => readCents(text) ?? AMOUNT_EXPECTED,
    })),
  ),
  ...MEASURES.flatMap((field) =>
    (["gte", "lte"] as const).map((bound) => ({
      ...boundOf(field, bound),
      reads: (text: string) =>
        /^-?\d{1,15}(\.\d{1,6})?$/.test(text) ? Number(text) * MEASURE_UNIT[field] : AMOUNT_EXPECTED,
    })),
  ),
];

function boundOf<Field extends string>(field: Field, bound: Bound, schema: ParameterInfo["schema"] = {}) {
  const [name, about] = [`${field}_${bound}`, `${field} ${BOUND_WORDS[bound]}`];
  return { name, about, schema: { type: "number", ...schema }, field, bound };
}

const CURRENCY = {
  name: "reporting_currency",
  about: "ISO 4217 code; amounts in different currencies are never compared",
  ...like(/^[A-Za-z]{3}$/, "an ISO 4217 code such as USD", { default: "USD" }),
} as const;

/** Which years and rows count. */
const COUNTED = [
  { name: "complete_only", about: "only fiscal years whose own filing is loaded", ...FLAG },
  {
    name: "one_per_company_year",
    about: "only the row with the highest total of each company and fiscal year",
    ...FLAG,
  },
] as const;

/** The parameters of companies and years. */
export const COMPANY_PARAMETERS: readonly Parameter[] = [...NAMED, ...YEARS, ...FACTS, CURRENCY];

/** The parameters of a selection, in the order of the contract. */
export const SELECTION_PARAMETERS: readonly Parameter[] = [
  ...NAMED,
  ...YEARS,
  ...PEOPLE,
  ...FACTS,
  ...AMOUNT_FILTERS,
  CURRENCY,
  ...COUNTED,
];

/** The parameter for measures next to the rows. */
export const MEASURES_PARAMETER = {
  name: "measures",
  about: `figures next to the rows, comma-separated: ${MEASURES.map((name) => `${name} (${MEASURE_ABOUT[name]})`).join("; ")}`,
  schema: {
    type: "string",
    pattern: `^(${MEASURES.join("|")})(,(${MEASURES.join("|")})){0,3}$`,
    examples: ["total_change"],
  },
  reads(text: string): Measure[] | Unreadable {
    const words = text.split(",", MEASURES.length + 1).map((one) => one.trim().toLowerCase());
    return new Set(words).size === words.length && words.every(isMeasure)
      ? words
      : new Unreadable(`some of ${MEASURES.join(", ")}, comma-separated`);
  },
} as const;

/** The parameters for sorting and paging. @param about of the sort key */
export function pagingBy<const Key extends string>(keys: readonly Key[], byDefault: Key, about: string) {
  const reads = (text: string): Sort<Key> | Unreadable => {
    const by = keys.find((key) => key === text.replace(/^-/, ""));
    return by === undefined
      ? new Unreadable(`one of ${keys.join(", ")}, with - in front for descending`)
      : { by, descending: text.startsWith("-") };
  };
  const sorts = keys.flatMap((key) => [key, `-${key}`]);
  return [
    { name: "sort", about, schema: { type: "string", enum: sorts, default: `-${byDefault}` }, reads },
    { name: "max_rows", about: "maximum number of rows per page", ...whole(1, MAX_ROWS, DEFAULT_ROWS) },
    CURSOR_PARAMETER,
  ] as const;
}

/** The parameter for paging. */
export const CURSOR_PARAMETER = {
  name: "cursor",
  about: "next_cursor of the previous page",
  schema: { type: "string", pattern: "^[A-Za-z0-9_-]{1,60}$" },
  reads: anyText,
} as const;

/** Validates what names companies and years. Refuses with `invalid_parameter`, naming the parameter, its value and what was expected. */
export function readCompanyYears(given: SingleParameters): CompanyYears {
  const query = readValues(given, [...NAMED, ...YEAR_FILTERS, ...FACTS, CURRENCY]);
  const { ticker: tickers = [], cik: ciks = [] } = query;
  if (tickers.length + ciks.length > MAX_COMPANIES)
    throw invalid(
      `Cannot read ticker and cik: ${tickers.length + ciks.length} companies, expected at most ${MAX_COMPANIES}. Narrow by sector, sic or index, or split the request.`,
    );
  return {
    tickers,
    ciks,
    years: YEAR_FILTERS.flatMap(({ name }) => {
      const { [name]: year } = query;
      const bound = BOUNDS.find((one) => name.endsWith(`_${one}`)) ?? ("eq" as const);
      return year === undefined ? [] : [{ bound, year }];
    }),
    sector: query.sector ?? null,
    sic: query.sic ?? null,
    state: query.state?.toUpperCase() ?? null,
    index: query.index ?? null,
    filerCategory: query.filer_category ?? null,
    currency: (query.reporting_currency ?? "USD").toUpperCase(),
  };
}

/** Validates a selection. Refuses likewise. */
export function readSelection(given: SingleParameters): Selection {
  // Cursors are bound to the order of the members.
  const { tickers, ciks, years, sector, sic, index, filerCategory, state, currency } =
    readCompanyYears(given);
  const query = readValues(given, [...PEOPLE, ...COUNTED]);
  return {
    tickers,
    ciks,
    years,
    office: query.office ?? null,
    executive: query.executive ?? [],
    executiveId: query.executive_id ?? null,
    sector,
    sic,
    index,
    filerCategory,
    state,
    amounts: AMOUNT_FILTERS.flatMap((filter) => {
      const { field, bound } = filter;
      const cents = readValue(given, filter);
      return cents === undefined ? [] : [{ field, bound, cents }];
    }),
    currency,
    completeOnly: query.complete_only === "true",
    onePerCompanyYear: query.one_per_company_year === "true",
  };
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

/** `information_technology` as `Information technology`. */
export function sectorName(sector: string): string {
  const words = sector.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
