/** Shared by the commands that query across companies: flags from parameters, and running the operation. */
import { readCompanyFacts } from "../../dataset/company-facts.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { type Company, normalizeCik, normalizeSymbol } from "../../domain/company.ts";
import { type ParameterInfo, YEAR_FILTERS, type GivenParameters } from "../../domain/parameters.ts";
import { type ExecutiveCompensation, type Measure, readRows } from "../../domain/row-fields.ts";
import { BOUNDS, foldedWords, GROUPINGS } from "../../domain/selection.ts";
import { OperatorError, ServiceError } from "../../errors.ts";
import { silentLog } from "../../log.ts";
import type { countsOf } from "../../operations/analysis.ts";
import type { CeoPayAnswer, CeoPayStatistics } from "../../operations/ceo-pay.ts";
import { requireCompany, suggestions } from "../../operations/company.ts";
import { findCompany, type FoundCompany, type PageCompany } from "../../operations/companies.ts";
import { StatementStopped } from "../../operations/sql.ts";
import type { GroupStatistics, Rank } from "../../operations/statistics.ts";
import { openServices, type Services } from "../../server/compose.ts";
import { type Flag, type Io, UsageError } from "../command.ts";

/** A flag for each parameter: `--fiscal-year-gte` for `fiscal_year_gte`. */
export function flagsOf(parameters: readonly ParameterInfo[]): Record<string, Flag> {
  return Object.fromEntries(parameters.map((parameter) => [camelCase(parameter.name), flagFor(parameter)]));
}

function flagFor(parameter: ParameterInfo): Flag {
  const { name, about: given, schema } = parameter;
  const about = sentenceOf(given);
  if (schema["type"] === "boolean") return { about };
  const bounded = BOUNDED.exec(name)?.[1];
  if (bounded !== undefined) {
    const what = bounded === "fiscal_year" ? "Fiscal years" : bounded;
    return { about, value: "N", together: `${what}: at least, at most, above, below.` };
  }
  const words = wordsOf(parameter);
  const offered = name === "group_by" ? GROUPINGS : words;
  const values = offered.length > 0 ? { values: offered } : {};
  if (words.length === 0) return { about, value: VALUE[name] ?? "TEXT", ...values };
  const all = words.join("|");
  if (all.length <= MAX_WORDS_LENGTH) return { about, value: all, ...values };
  return { about: `${about} One of ${words.join(", ")}.`, value: VALUE[name] ?? "TEXT", ...values };
}

/** `Exact fiscal year.` A name of the API keeps its spelling. */
function sentenceOf(about: string): string {
  return /^\w+_/.test(about) ? `The ${about}.` : `${about.charAt(0).toUpperCase()}${about.slice(1)}.`;
}

const BOUNDED = new RegExp(`^(.+)_(?:${BOUNDS.join("|")})$`);
/** Longer lists of values are moved to the description of the flag. */
const MAX_WORDS_LENGTH = 30;
/** Placeholders of values that are not from a list. */
const VALUE: Readonly<Record<string, string>> = {
  ticker: "A,B",
  cik: "CIK",
  fiscal_year: "YEAR",
  rank_ticker: "TICKER",
  sic: "CODE",
  max_rows: "N",
  reporting_currency: "CODE",
};

/** The argument that names a company. */
export const COMPANY_OPERAND = {
  name: "TICKER",
  about: "A ticker symbol in any spelling, a CIK, or a company name that is unambiguous.",
};

/** The arguments that name an executive's year. */
export const EXECUTIVE_OPERANDS = [
  COMPANY_OPERAND,
  { name: "YEAR", about: "The fiscal year." },
  { name: "ID", about: "The executive's id, such as tim-cook, or an unambiguous part of the name." },
];

/** The values that a parameter accepts; `-salary` is left out next to `salary`. */
function wordsOf({ schema }: ParameterInfo): string[] {
  const words: unknown = schema["enum"];
  return Array.isArray(words) ? words.map(String).filter((word) => !word.startsWith("-")) : [];
}

function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The parameters set by flags. */
export function parametersOf(
  parameters: readonly ParameterInfo[],
  flags: Readonly<Record<string, unknown>>,
): Map<string, string[]> {
  return new Map(
    parameters.flatMap(({ name }): [string, string[]][] => {
      const value = flags[camelCase(name)];
      return value === undefined || value === false ? [] : [[name, [String(value)]]];
    }),
  );
}

/** Counts in the answer of every operation across companies. */
export type Counts = ReturnType<typeof countsOf> & {
  not_found: string[];
  /** Absent from answers that are not paged. */
  next_cursor?: string | null;
};

/** The bodies of the operations that commands use. */
export interface Answers {
  query: Counts & {
    executive_compensation: ExecutiveCompensation[];
    /** One for each row, if measures were requested. */
    measures?: Partial<Record<Measure, number | null>>[];
  };
  /** A percentile among no others is null in JSON. */
  statistics: Counts & {
    statistics: GroupStatistics[];
    ranks: (Omit<Rank, "percentile"> & { percentile: number | null })[];
    definition: string;
  };
  ceoPay: CeoPayAnswer;
  ceoPayStatistics: CeoPayStatistics;
  companies: { companies: FoundCompany[] };
}

/** Runs an operation as the local operator, who is not charged. Refuses as the operation does. @returns its body */
export function callOperation<Name extends keyof Answers>(
  io: Io,
  operation: Name,
  parameters: GivenParameters,
): Promise<Answers[Name]> {
  return withServices(io, async (services) => {
    const caller = { presented: { kind: "none" }, address: "127.0.0.1", requestId: io.runtime.id() } as const;
    const answer = await services.operations[operation]({
      caller,
      parameters,
      ifNoneMatch: null,
      need: "credential",
    });
    // Any, as what an operation writes is what `Answers` says of it.
    return JSON.parse(new TextDecoder().decode(answer.body));
  });
}

/** Does work with the parts of a server, without one. @param who its callers are */
export async function withServices<T>(
  io: Io,
  work: (services: Services) => Promise<T>,
  who: "operator" | "anyone" = "operator",
): Promise<T> {
  const services = openServices(io.loaded.config, io.runtime, silentLog(), who);
  return asUsage(work(services)).finally(() => services.close());
}

/** Turns refused parameters, or a refused statement, into wrong usage. */
export async function asUsage<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const isWrong = error instanceof ServiceError && error.kind === "invalid_parameter";
    if (isWrong && !(error instanceof StatementStopped)) throw new UsageError(error.message);
    throw error;
  }
}

/** Hints for queries without rows: which years and currencies are available, and what may find more. */

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
    const company = /^\d+$/.test(name)
      ? dataset.findByCik(normalizeCik(name) ?? "")
      : dataset.findBySymbol(normalizeSymbol(name));
    if (company === undefined || answered.has(company.cik) || listed.has(company.cik)) return [];
    listed.add(company.cik);
    return [`No rows for ${normalizeSymbol(name)}${reasonFor(dataset, company, currency.toUpperCase())}.`];
  });
}

function reasonFor(dataset: Dataset, { cik, ticker }: Company, currency: string): string {
  const years = dataset.years(cik);
  if (years.length === 0) return ": none of its filings has been loaded yet";
  const rows = years.flatMap(({ rowJson }) => readRows(ticker, rowJson));
  const currencies = [...new Set(rows.map(({ reporting_currency: one }) => one ?? "an unknown currency"))];
  if (!currencies.includes(currency))
    return `: it reports in ${currencies.join(", ")} (--reporting-currency)`;
  const inCurrency = rows.filter(({ reporting_currency: one }) => one === currency);
  const available = [...new Set(inCurrency.map(({ fiscal_year: year }) => year))];
  return `; available: ${yearsText(available)}`;
}

/** Suggestions for a query that found nothing. */
export function widerQuestions(parameters: GivenParameters): string[] {
  const words = foldedWords(parameters.get("executive")?.[0] ?? "");
  const isAnyYear = YEAR_FILTERS.some(({ name }) => parameters.has(name));
  const hints = [
    words.length > 1 && `No name in the filings contains all these words. Try --executive ${words.at(-1)}`,
    !isAnyYear &&
      "Only each company's latest fiscal year was searched. Use --fiscal-year-gte 0 to search all years.",
  ];
  return hints.filter((hint) => hint !== false);
}

/**
 * The company that is meant by a current or former ticker, a CIK, or words of its name; undefined if there is none. All words
 * must be in the current or a former name: a mistyped ticker must never show another company's rows.
 *
 * @throws OperatorError listing the companies if the words match several
 */
export function companyMeant(dataset: Dataset, input: string): PageCompany | undefined {
  if (/\d/.test(input) && normalizeCik(input) !== undefined) return findCompany(dataset, "cik", input);
  const bySymbol = findCompany(dataset, "ticker", input);
  if (bySymbol !== undefined) return bySymbol;
  const all = companiesNamed(dataset, input);
  const withRows = all.filter(({ hasRows }) => hasRows);
  const named = withRows.length > 0 ? withRows : all;
  if (named.length > 1) {
    const listed = named.map(({ name, ticker, cik }) => `${name} (${ticker === "" ? cik : ticker})`);
    throw new OperatorError(
      `${JSON.stringify(input)} matches ${listed.join(", ")}. Specify one by its ticker.`,
    );
  }
  const [company] = named;
  return company && { company, ticker: company.ticker };
}

/**
 * Like `companyMeant`, for a company with rows.
 *
 * @throws OperatorError likewise
 * @throws ServiceError `unknown_company`
 */
export function resolveCompany(dataset: Dataset, input: string): PageCompany {
  const meant = companyMeant(dataset, input);
  if (meant?.company.hasRows) return meant;
  const cik = meant?.company.cik ?? (/\d/.test(input) ? normalizeCik(input) : undefined);
  if (cik === undefined && suggestions(dataset, [input]) === "")
    throw new OperatorError(
      `No ticker or company name ${JSON.stringify(input)}. To search: execcomp find WORDS`,
    );
  const query = cik === undefined ? { ticker: normalizeSymbol(input) } : { cik };
  const company = requireCompany(dataset, query, { kind: "operator" }, null);
  return { company, ticker: company.ticker };
}

const MAX_CANDIDATES = 20;

/** Companies whose current name, or a former one, contains all the words. */
function companiesNamed(dataset: Dataset, input: string): Company[] {
  const words = foldedWords(input);
  return dataset.search(input, MAX_CANDIDATES).flatMap((cik) => {
    const company = dataset.findByCik(cik);
    if (company === undefined) return [];
    const names = [company.name, ...readCompanyFacts(dataset, cik).formerNames.map(({ name }) => name)];
    return names.some((name) => hasWords(name, words)) ? [company] : [];
  });
}

function hasWords(text: string, words: readonly string[]): boolean {
  const held = foldedWords(text);
  return words.length > 0 && words.every((word) => held.includes(word));
}

/**
 * Finds the id of an executive: the id itself, or words of a name printed in the company's filings. Text that matches no one
 * is returned unchanged, for the command to refuse.
 *
 * @throws OperatorError listing the ids if the words match several people
 */
export function resolveExecutive(dataset: Dataset, { cik, name }: Company, input: string): string {
  const people = dataset.all<{ id: string; spelling: string }>(
    "select executive_id as id, spelling from executives where cik = ? order by executive_id",
    Number(cik),
  );
  if (people.some(({ id }) => id === input)) return input;
  const words = foldedWords(input);
  const ids = [...new Set(people.filter(({ spelling }) => hasWords(spelling, words)).map(({ id }) => id))];
  const [only, ...others] = ids;
  if (others.length > 0)
    throw new OperatorError(
      `${JSON.stringify(input)} matches ${ids.join(", ")} at ${name}. Specify one by id.`,
    );
  return only ?? input;
}
