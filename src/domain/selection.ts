/**
 * Selections: which rows a query across companies covers. REST parameters, MCP arguments, command-line flags and pages
 * share this validation.
 * @see docs/contract.md, "Analysis"
 */
import { invalid } from "../errors.ts";
import { type Cents, MAX_AMOUNT, readCents } from "./amount.ts";
import { normalizeCik, normalizeSymbol } from "./company.ts";
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
import { nearest } from "./spellings.ts";
import { type ParameterInfo, YEAR_FILTERS, type SingleParameters, unreadable } from "./parameters.ts";

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

const STATE_EXPECTED = "EDGAR's code of two characters such as CA or A1";
const CURRENCY_EXPECTED = "an ISO 4217 code such as USD";
const AMOUNT_EXPECTED = `an amount such as 20000000 or 12.5, from -${MAX_AMOUNT} to ${MAX_AMOUNT}`;

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
const MAX_TEXT = 100;

/** Which rows a query covers. Null and false mean no restriction. */
export interface Selection {
  /** In the SEC's spelling. */
  tickers: readonly string[];
  /** Ten digits. */
  ciks: readonly string[];
  /** Empty for each company's latest fiscal year. */
  years: readonly { bound: Bound | "eq"; year: number }[];
  office: "peo" | "pfo" | null;
  /** Folded words of a name. */
  executive: readonly string[];
  executiveId: string | null;
  sector: string | null;
  /** The leading digits of the SIC code. */
  sic: string | null;
  index: string | null;
  filerCategory: string | null;
  /** EDGAR's code of the business address. */
  state: string | null;
  /** `cents` of a measure is a whole number of its unit. */
  amounts: readonly { field: AmountField | Measure; bound: Bound; cents: Cents }[];
  /** ISO 4217 code. */
  currency: string;
  completeOnly: boolean;
  onePerCompanyYear: boolean;
}

/** Order and paging of what is selected. */
export interface Paging<Key> {
  sort: { by: Key; descending: boolean };
  maxRows: number;
  cursor: string | null;
}

const text = (more: Readonly<Record<string, unknown>> = {}) => ({ type: "string", ...more });
/** The bounds in words. */
export const BOUND_WORDS: Readonly<Record<Bound, string>> = {
  gte: "greater than or equal",
  lte: "less than or equal",
  gt: "greater than",
  lt: "less than",
};

/** Bounds of a filter on measures. */
const MEASURE_BOUNDS = ["gte", "lte"] as const;

/** The parameters of a selection, in the order of the contract. */
export const SELECTION_PARAMETERS: readonly ParameterInfo[] = [
  {
    name: "ticker",
    about: `ticker symbols, comma-separated; at most ${MAX_COMPANIES} together with cik`,
    schema: text({ pattern: "^[!-+\\--~]{1,20}(,[!-+\\--~]{1,20}){0,199}$", examples: ["AAPL,MSFT"] }),
  },
  {
    name: "cik",
    about: "CIKs, comma-separated; combined with ticker",
    schema: text({ pattern: "^\\d{1,10}(,\\d{1,10}){0,199}$", examples: ["320193,789019"] }),
  },
  ...YEAR_FILTERS.map(({ name, about, schema }) => ({
    name,
    about: name === "fiscal_year" ? `${about}; default each company's latest` : about,
    schema,
  })),
  {
    name: "office",
    about: "CEOs (peo, principal executive officers) or CFOs (pfo, principal financial officers)",
    schema: text({ enum: ["peo", "pfo"] }),
  },
  {
    name: "executive",
    about: "words of a name, ignoring case and accents",
    schema: text({ minLength: 1, maxLength: MAX_TEXT }),
  },
  {
    name: "executive_id",
    about: "exact executive_id",
    schema: text({ pattern: `^[a-z0-9-]{1,${MAX_TEXT}}$` }),
  },
  {
    name: "sector",
    about: "sector of the company (known for S&P 500 companies)",
    schema: text({ enum: SECTORS }),
  },
  {
    name: "sic",
    about: "SIC code of the company, or its first digits",
    schema: text({ pattern: "^\\d{1,4}$" }),
  },
  {
    name: "index",
    about: "member of the index on the last day of the fiscal year",
    schema: text({ enum: INDEXES }),
  },
  {
    name: "filer_category",
    about: "the SEC's filer category of the company",
    schema: text({ enum: FILER_CATEGORIES }),
  },
  {
    name: "state",
    about: "EDGAR's code of the company's business address: CA, NY, A1 (Alberta)",
    schema: text({ pattern: "^[A-Za-z][A-Za-z0-9]$" }),
  },
  ...AMOUNTS.flatMap((field) =>
    BOUNDS.map((bound) => ({
      name: `${field}_${bound}`,
      about: `${field} ${BOUND_WORDS[bound]}`,
      schema: { type: "number", minimum: -MAX_AMOUNT, maximum: MAX_AMOUNT },
    })),
  ),
  ...MEASURES.flatMap((name) =>
    MEASURE_BOUNDS.map((bound) => ({
      name: `${name}_${bound}`,
      about: `${name} ${BOUND_WORDS[bound]}`,
      schema: { type: "number" },
    })),
  ),
  {
    name: "reporting_currency",
    about: "ISO 4217 code; amounts in different currencies are never compared",
    schema: text({ default: "USD", pattern: "^[A-Za-z]{3}$" }),
  },
  {
    name: "complete_only",
    about: "only fiscal years whose own filing is loaded",
    schema: { type: "boolean", default: false },
  },
  {
    name: "one_per_company_year",
    about: "only the row with the highest total of each company and fiscal year",
    schema: { type: "boolean", default: false },
  },
];

/** The parameter for measures next to the rows. */
export const MEASURES_PARAMETER: ParameterInfo = {
  name: "measures",
  about: `figures next to the rows, comma-separated: ${MEASURES.map((name) => `${name} (${MEASURE_ABOUT[name]})`).join("; ")}`,
  schema: text({
    pattern: `^(${MEASURES.join("|")})(,(${MEASURES.join("|")})){0,3}$`,
    examples: ["total_change"],
  }),
};

/** The parameters for sorting and paging. */
export const PAGING_PARAMETERS: readonly ParameterInfo[] = [
  {
    name: "sort",
    about:
      "sort key, prefixed with `-` for descending; names ignore case; ties by CIK, fiscal year, executive_id",
    schema: text({
      enum: SORT_KEYS.flatMap((key) => [key, `-${key}`]),
      default: "-total_compensation",
    }),
  },
  {
    name: "max_rows",
    about: "maximum number of rows per page",
    schema: { type: "integer", minimum: 1, maximum: MAX_ROWS, default: DEFAULT_ROWS },
  },
  {
    name: "cursor",
    about: "next_cursor of the previous page",
    schema: text({ pattern: "^[A-Za-z0-9_-]{1,60}$" }),
  },
];

/** Validates a selection. Refuses with `invalid_parameter`, naming the parameter, its value and what was expected. */
export function readSelection(given: SingleParameters): Selection {
  const tickers = list(given, "ticker", "ticker symbols", readTicker);
  const ciks = list(given, "cik", "CIKs of 1 to 10 digits", normalizeCik);
  if (tickers.length + ciks.length > MAX_COMPANIES) {
    throw invalid(
      `Cannot read ticker and cik: ${tickers.length + ciks.length} companies, expected at most ${MAX_COMPANIES}. Narrow by sector, sic or index, or split the request.`,
    );
  }
  return {
    tickers,
    ciks,
    years: YEAR_FILTERS.flatMap(({ name }) => {
      const asked = given.get(name);
      if (asked === undefined) return [];
      if (!/^-?\d+$/.test(asked)) throw unreadable(name, asked, "a whole number");
      return [
        { bound: BOUNDS.find((bound) => name.endsWith(`_${bound}`)) ?? ("eq" as const), year: Number(asked) },
      ];
    }),
    office: choice(given, "office", ["peo", "pfo"] as const),
    executive: nameWords(given),
    executiveId: matching(given, "executive_id", /^[a-z0-9-]{1,100}$/, "an executive_id such as tim-cook"),
    sector: choice(given, "sector", SECTORS),
    sic: matching(given, "sic", /^\d{1,4}$/, "1 to 4 digits, the first of a SIC code"),
    index: choice(given, "index", INDEXES),
    filerCategory: choice(given, "filer_category", FILER_CATEGORIES),
    state: matching(given, "state", /^[a-z][a-z0-9]$/i, STATE_EXPECTED)?.toUpperCase() ?? null,
    amounts: [...AMOUNTS, ...MEASURES].flatMap((field) =>
      BOUNDS.flatMap((bound) => {
        const name = `${field}_${bound}`;
        const asked = given.get(name);
        if (asked === undefined) return [];
        const cents = isMeasure(field) ? readMeasure(asked, field) : readCents(asked);
        if (cents === undefined) throw unreadable(name, asked, AMOUNT_EXPECTED);
        return [{ field, bound, cents }];
      }),
    ),
    currency: (
      matching(given, "reporting_currency", /^[a-z]{3}$/i, CURRENCY_EXPECTED) ?? "USD"
    ).toUpperCase(),
    completeOnly: flag(given, "complete_only"),
    onePerCompanyYear: flag(given, "one_per_company_year"),
  };
}

/** A bound in units of the measure. */
function readMeasure(text: string, field: Measure): number | undefined {
  return /^-?\d{1,15}(\.\d{1,6})?$/.test(text) ? Number(text) * MEASURE_UNIT[field] : undefined;
}

/** The requested measures. Refuses with `invalid_parameter`. */
export function readMeasures(given: SingleParameters): Measure[] {
  const asked = given.get("measures");
  if (asked === undefined) return [];
  const words = asked.split(",", MEASURES.length + 1).map((word) => word.trim().toLowerCase());
  if (new Set(words).size !== words.length || !words.every(isMeasure))
    throw unreadable("measures", asked, `some of ${MEASURES.join(", ")}, comma-separated`);
  return words.filter(isMeasure);
}

/** Validates sorting and paging. @param byDefault the key, descending. Refuses with `invalid_parameter`. */
export function readPaging<Key extends string>(
  given: SingleParameters,
  keys: readonly Key[],
  byDefault: Key,
): Paging<Key> {
  const sort = given.get("sort") ?? `-${byDefault}`;
  const by = keys.find((key) => key === sort.replace(/^-/, ""));
  if (by === undefined)
    throw unreadable("sort", sort, `one of ${keys.join(", ")}, with - in front for descending`);
  const maxRows = readMaxRows(given, DEFAULT_ROWS, MAX_ROWS);
  return { sort: { by, descending: sort.startsWith("-") }, maxRows, cursor: given.get("cursor") ?? null };
}

/** The page size. Refuses with `invalid_parameter`. */
export function readMaxRows(given: SingleParameters, byDefault: number, max: number): number {
  const asked = given.get("max_rows") ?? String(byDefault);
  const rows = /^\d{1,9}$/.test(asked) ? Number(asked) : 0;
  if (rows < 1 || rows > max) throw unreadable("max_rows", asked, `a whole number from 1 to ${max}`);
  return rows;
}

/** One of several words, in any case; null if absent. Refuses with `invalid_parameter`, listing them. */
export function choice<const Word extends string>(
  given: SingleParameters,
  name: string,
  words: readonly Word[],
): Word | null {
  const asked = given.get(name);
  if (asked === undefined) return null;
  const folded = asked.trim().toLowerCase();
  const found = words.find((word) => word === folded);
  if (found !== undefined) return found;
  const joined = folded.replaceAll(/[^a-z0-9]+/g, "_");
  const meant = OTHER_WORDS[joined] ?? words.find((word) => word === joined) ?? nearest(joined, words);
  const hint = words.some((word) => word === meant) ? ` Did you mean ${meant}?` : "";
  throw unreadable(name, asked, `one of ${words.join(", ")}`, hint);
}

/** Common synonyms of our words, folded. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  ceo: "peo",
  ceos: "peo",
  chief_executive_officer: "peo",
  cfo: "pfo",
  cfos: "pfo",
  chief_financial_officer: "pfo",
  s_p_500: "sp500",
  s_p500: "sp500",
  tech: "information_technology",
  technology: "information_technology",
  it: "information_technology",
  healthcare: "health_care",
  banks: "financials",
  financial: "financials",
  communications: "communication_services",
  total: "total_compensation",
};

function list(
  given: SingleParameters,
  name: string,
  expected: string,
  read: (word: string) => string | undefined,
): string[] {
  const asked = given.get(name);
  if (asked === undefined) return [];
  const words = asked.split(",", MAX_COMPANIES * 10 + 1);
  if (words.length > MAX_COMPANIES * 10) {
    throw invalid(
      `Cannot read ${name}: more than ${MAX_COMPANIES * 10} entries, expected at most ${MAX_COMPANIES}.`,
    );
  }
  const found = words.map((word) => {
    const value = read(word);
    if (value === undefined) throw unreadable(name, word, `${expected}, comma-separated`);
    return value;
  });
  return [...new Set(found)];
}

function readTicker(word: string): string | undefined {
  const symbol = normalizeSymbol(word);
  return /^[\x21-\x7e]{1,20}$/.test(symbol) ? symbol : undefined;
}

function nameWords(given: SingleParameters): string[] {
  const asked = given.get("executive");
  if (asked === undefined) return [];
  const words = asked.length > MAX_TEXT ? [] : foldedWords(asked);
  if (words.length === 0)
    throw unreadable("executive", asked, `words of a name, at most ${MAX_TEXT} characters`);
  return words;
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

/** The text of a parameter, which must match the pattern; null if absent. */
function matching(given: SingleParameters, name: string, pattern: RegExp, expected: string): string | null {
  const asked = given.get(name) ?? null;
  if (asked !== null && !pattern.test(asked)) throw unreadable(name, asked, expected);
  return asked;
}

function flag(given: SingleParameters, name: string): boolean {
  return choice(given, name, ["true", "false"] as const) === "true";
}

/** `information_technology` as `Information technology`. */
export function sectorName(sector: string): string {
  const words = sector.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
