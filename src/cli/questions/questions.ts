/** Shared by the commands that query across companies: flags from parameters, and running the operation. */
import { type GivenParameters, type Parameter, wordMeant } from "../../domain/parameters.ts";
import type { ExecutiveCompensation, Measure } from "../../domain/row-fields.ts";
import { BOUNDS, COMPANY_FILTERS, GROUPINGS, SELECTION_PARAMETERS } from "../../domain/selection.ts";
import { CEO_PAY_SELECTION } from "../../domain/ceo-pay-selection.ts";
import { YEAR_FILTERS } from "../../domain/years.ts";
import { OperatorError, ServiceError } from "../../errors.ts";
import { silentLog } from "../../log.ts";
import type { CeoMedian } from "../../operations/ceo-median.ts";
import type { countsOf } from "../../operations/analysis.ts";
import type { CeoPayAnswer, CeoPayStatistics } from "../../operations/ceo-pay.ts";
import type { FoundCompany } from "../../operations/companies.ts";
import { AT_CEO_PAY } from "../../operations/empty.ts";
import { StatementStopped } from "../../operations/sql.ts";
import { LOOK_UP } from "../../operations/company.ts";
import type { GroupStatistics, Rank } from "../../operations/statistics.ts";
import { openServices, type Services } from "../../server/compose.ts";
import { shellWord } from "../../lib/text.ts";
import { type Flag, type Io, UsageError } from "../command.ts";

/** A flag for each parameter: `--fiscal-year-gte` for `fiscal_year_gte`. */
export function flagsOf(parameters: readonly Parameter[]): Record<string, Flag> {
  const names = namesOf(parameters);
  return Object.fromEntries(
    parameters.map((parameter) => {
      const flag = flagFor(parameter, names);
      return [camelCase(parameter.name), { ...flag, group: groupOf(parameter.name, flag) }];
    }),
  );
}

const namesOf = (parameters: readonly Parameter[]): ReadonlySet<string> =>
  new Set(parameters.map(({ name }) => name));
const OF_COMPANIES = namesOf(COMPANY_FILTERS);
const OF_YEARS = namesOf(YEAR_FILTERS);
const SELECTING = namesOf([...SELECTION_PARAMETERS, ...CEO_PAY_SELECTION]);

function groupOf(name: string, { together }: Flag): string {
  if (OF_COMPANIES.has(name)) return "Companies";
  if (together !== undefined && !OF_YEARS.has(name)) return "Bounds of amounts and measures";
  return SELECTING.has(name) ? "Years, people, rows" : "Answer";
}

/** @param names of all of the command, which helps with bounds of one amount in a line */
function flagFor(parameter: Parameter, names: ReadonlySet<string>): Flag {
  const { name, about: given, kind } = parameter;
  const about = sentenceOf(
    given.replaceAll(ASSIGNED, (_, other: string) => `--${other.replaceAll("_", "-")} `),
  );
  if (kind === "flag") return { about };
  const bounded = BOUNDED.exec(name)?.[1];
  if (bounded !== undefined) {
    const what = bounded === "fiscal_year" ? "Fiscal years" : bounded;
    const bounds = BOUNDS.filter((bound) => names.has(`${bounded}_${bound}`));
    return {
      about,
      value: "N",
      together: `${what}: ${bounds.map((bound) => BOUND_WORDS[bound]).join(", ")}.`,
    };
  }
  const words = name === "office" ? [...OFFICE_WORDS, ...wordsOf(parameter)] : wordsOf(parameter);
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

const BOUND_WORDS = { gte: "at least", lte: "at most", gt: "above", lt: "below" } as const;
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
  { ...COMPANY_OPERAND, until: /^\d{4}$/ },
  { name: "YEAR", about: "The fiscal year." },
  { name: "ID", about: "The executive's id, such as tim-cook, or an unambiguous part of the name." },
];

/** The values that a parameter accepts; `-salary` is left out next to `salary`. */
function wordsOf({ words = [] }: Parameter): string[] {
  return words.filter((word) => !word.startsWith("-"));
}

function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Everyday words, which our output uses too, for the rule's terms. */
export const OFFICE_WORDS = ["ceo", "cfo"];

/** The parameters set by flags. */
export function parametersOf(
  parameters: readonly Parameter[],
  flags: Readonly<Record<string, unknown>>,
): Map<string, string[]> {
  return new Map(
    parameters.flatMap(({ name, words = [] }): [string, string[]][] => {
      const value = flags[camelCase(name)];
      if (value === undefined || value === false) return [];
      const text = String(value);
      if (name === "ticker") refuseFile(text, "--ticker ");
      return [[name, [name === "office" ? (wordMeant(words, text) ?? text) : text]]];
    }),
  );
}

/** @throws UsageError for `@list.txt` and the like, with how to give the symbols in it */
export function refuseFile(text: string, before: string): void {
  if (!/^@|^[^,]+\.(txt|csv)$/i.test(text)) return;
  const file = shellWord(text.replace(/^@/, ""));
  throw new UsageError(
    `Companies are symbols and names, not a file. For a file with one on each line: ${before}"$(paste -sd, ${file})"`,
  );
}

/** Counts in the answer of every operation across companies. */
export type Counts = ReturnType<typeof countsOf> & {
  not_found: string[];
  /** What to ask instead, if nothing matched. */
  next_step?: string;
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
  /** With no others to compare, a percentile is null in JSON. */
  statistics: Counts & {
    statistics: GroupStatistics[];
    ceo_pay?: CeoMedian;
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
    // Any, because `Answers` describes what an operation writes.
    return JSON.parse(new TextDecoder().decode(answer.body));
  });
}

/** Runs work with the parts of a server, without a server. @param who its callers are */
export async function withServices<T>(
  io: Io,
  work: (services: Services) => Promise<T>,
  who: "operator" | "anyone" = "operator",
): Promise<T> {
  const services = openServices(io.loaded.config, io.runtime, silentLog(), who);
  return asUsage(work(services)).finally(() => services.close());
}

/** A refusal in the words of the command line: parameters as flags. */
function asFlags(message: string): string {
  const flag = (name: string) => (name === "q" ? "WORDS" : `--${name.replaceAll("_", "-")}`);
  return message
    .replace(/^Cannot read ([a-z][a-z0-9_]*)(?=[ :])/, (_, name: string) => `Cannot read ${flag(name)}`)
    .replaceAll(ASSIGNED, (_, name: string) => `${flag(name)} `)
    .replaceAll(BOUND_NAME, flag)
    .replace(`one of ${OFFICES.join(", ")}`, `one of ${[...OFFICE_WORDS, ...OFFICES].join(", ")}`)
    .replace(LOOK_UP, " To search: execcomp find WORDS");
}

/** What to ask instead of a question without an answer. */
export function nextStepNotes({ next_step: next }: { readonly next_step?: string | undefined }): string[] {
  if (next === undefined) return [];
  const words = next
    .replace(AT_CEO_PAY, ": execcomp ceo-pay")
    .replaceAll(/\bfiscal_year (?=\d)/g, "--fiscal-year ")
    .replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, flagIfParameter)
    .replace(/(?<=: leave out ).*(?=\.$)/, (names) => names.replaceAll(/(?<!-)\b[a-z]+\b/g, flagIfParameter));
  return [words];
}

const PARAMETER_NAMES: ReadonlySet<string> = new Set([
  ...SELECTION_PARAMETERS.map(({ name }) => name),
  "same_companies",
]);

function flagIfParameter(word: string): string {
  return PARAMETER_NAMES.has(word) ? `--${word.replaceAll("_", "-")}` : word;
}

/** A parameter in front of its value. */
const ASSIGNED = /\b([a-z]+(?:_[a-z0-9]+)*)=(?=\w)/g;
/** A bound, which is the name of a parameter wherever it stands. */
const BOUND_NAME = new RegExp(`\\b[a-z]+(?:_[a-z]+)*_(?:${BOUNDS.join("|")})\\b`, "g");
/** What `office` accepts over REST. */
const OFFICES = SELECTION_PARAMETERS.find(({ name }) => name === "office")?.words ?? [];

/** Turns refused parameters, or a refused statement, into wrong usage. */
export async function asUsage<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ServiceError) || error instanceof StatementStopped) throw error;
    if (error.kind === "invalid_parameter") throw new UsageError(asFlags(error.message));
    throw error.kind === "unknown_company" ? new OperatorError(asFlags(error.message)) : error;
  }
}
