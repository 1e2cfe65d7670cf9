/** Shared by the commands that query across companies: flags from parameters, and running the operation. */
import { openServices, type Services } from "../../server/compose.ts";
import type { ParameterInfo } from "../../domain/parameters.ts";
import type { GivenParameters } from "../../domain/query.ts";
import { BOUNDS, GROUPINGS } from "../../domain/selection.ts";
import { silentLog } from "../../log.ts";
import { ServiceError } from "../../errors.ts";
import { type Flag, type Io, UsageError } from "../command.ts";

/** A flag for each parameter: `--fiscal-year-gte` for `fiscal_year_gte`. */
export function flagsOf(parameters: readonly ParameterInfo[]): Record<string, Flag> {
  return Object.fromEntries(
    parameters.map((parameter): [string, Flag] => {
      const { name, about, schema } = parameter;
      const sentence = `${about.charAt(0).toUpperCase()}${about.slice(1)}.`;
      if (schema["type"] === "boolean") return [camelCase(name), { about: sentence }];
      const bounded = BOUNDED.exec(name)?.[1];
      if (bounded !== undefined) {
        const what = bounded === "fiscal_year" ? "Fiscal years" : bounded;
        const together = `${what}: at least, at most, above, below.`;
        return [camelCase(name), { about: sentence, value: "N", together }];
      }
      const words = wordsOf(parameter);
      const offered = name === "group_by" ? GROUPINGS : words;
      const values = offered.length > 0 ? { values: offered } : {};
      const isShort = words.length > 0 && words.join("|").length <= MAX_WORDS_LENGTH;
      const value = isShort ? words.join("|") : (VALUE[name] ?? "TEXT");
      const all = words.length > 0 && !isShort ? ` One of ${words.join(", ")}.` : "";
      return [camelCase(name), { about: sentence + all, value, ...values }];
    }),
  );
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
  since: "EDITION",
};

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
  flags: Readonly<Record<string, string | boolean | undefined>>,
): Map<string, string[]> {
  return new Map(
    parameters.flatMap(({ name }): [string, string[]][] => {
      const value = flags[camelCase(name)];
      return value === undefined || value === false ? [] : [[name, [String(value)]]];
    }),
  );
}

/** Runs an operation as the local operator, who is not charged. Refuses as the operation does. @returns its body */
export async function callOperation(
  io: Io,
  operation: "query" | "statistics" | "ceoPay" | "ceoPayStatistics" | "companies" | "changes",
  parameters: GivenParameters,
): Promise<unknown> {
  const services: Services = openServices(io.loaded.config, io.runtime, silentLog(), "operator");
  try {
    const caller = { presented: { kind: "none" }, address: "127.0.0.1", requestId: io.runtime.id() } as const;
    const answer = await services.operations[operation]({
      caller,
      parameters,
      ifNoneMatch: null,
      need: "credential",
    });
    return JSON.parse(new TextDecoder().decode(answer.body));
  } catch (refused) {
    if (refused instanceof ServiceError && refused.kind === "invalid_parameter") {
      throw new UsageError(refused.message);
    }
    throw refused;
  } finally {
    await services.close();
  }
}
