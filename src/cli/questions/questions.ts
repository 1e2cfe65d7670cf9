/** Shared by the commands that query across companies: flags from parameters, running the operation, writing the answer. */
import { writeFileSync } from "node:fs";
import { openServices, type Services } from "../../server/compose.ts";
import type { ParameterInfo } from "../../domain/parameters.ts";
import type { GivenParameters } from "../../domain/query.ts";
import { BOUNDS } from "../../domain/selection.ts";
import { silentLog } from "../../log.ts";
import { ServiceError } from "../../errors.ts";
import { replaceFile } from "../../files.ts";
import { type Flag, type Io, UsageError } from "../command.ts";
import { csvCell } from "../../analysis/export/text.ts";
import { isReplaceable } from "../output-file.ts";
import { markdownTable, type TextColumn, textTable } from "../text-table.ts";

/** Output formats of answers across companies. */
const ANSWER_FORMATS = ["table", "csv", "json", "jsonl", "md"] as const;
/** One of them. */
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** Flags accepted by all these commands. */
export const OUTPUT_FLAGS = {
  format: {
    value: ANSWER_FORMATS.join("|"),
    choices: ANSWER_FORMATS,
    about: "Output format; default table, JSON with `--json`.",
  },
  out: { value: "FILE", about: "Write to a file; `-` is standard output." },
} as const satisfies Readonly<Record<string, Flag>>;

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
      const isShort = words.length > 0 && words.join("|").length <= MAX_WORDS_LENGTH;
      const value = isShort ? words.join("|") : (VALUE[name] ?? "TEXT");
      const all = words.length > 0 && !isShort ? ` One of ${words.join(", ")}.` : "";
      return [camelCase(name), { about: sentence + all, value }];
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
  operation: "query" | "statistics" | "companies" | "changes",
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

/** The requested output format. */
export function formatOf(io: Io, given: string | undefined): AnswerFormat {
  // Other values have been refused because of `choices`.
  return io.json ? "json" : ((given ?? "table") as AnswerFormat);
}

/** The line width of the output in characters; null for a file. */
export function widthOf(io: Io, out: string | undefined): number | null {
  return out === undefined || out === "-" ? io.columns : null;
}

/** The rows of an answer, and how to show them. */
interface Lines<T> {
  rows: readonly T[];
  columns: readonly TextColumn<T>[];
  /** Printed instead of a table without rows. */
  none: string;
  /** Header and rows for CSV; the columns of the table by default. */
  csv?: () => readonly (readonly Parameters<typeof csvCell>[0][])[];
}

/** Writes an answer in the requested format: JSON in full, otherwise its rows. @returns the format */
export function printAnswer<T>(
  io: Io,
  flags: { readonly format: string | undefined; readonly out: string | undefined },
  answer: unknown,
  { rows, columns, none, csv = () => cellsOf(columns, rows) }: Lines<T>,
): AnswerFormat {
  const texts = {
    json: () => JSON.stringify(answer, null, 2),
    jsonl: () => rows.map((row) => JSON.stringify(row)).join("\n"),
    csv: () =>
      csv()
        .map((cells) => cells.map(csvCell).join(","))
        .join("\n"),
    md: () => markdownTable(columns, rows),
    table: () => (rows.length === 0 ? none : textTable(columns, rows, widthOf(io, flags.out))),
  };
  const format = formatOf(io, flags.format);
  writeAnswer(io, flags.out, texts[format]());
  return format;
}

function cellsOf<T>(columns: readonly TextColumn<T>[], rows: readonly T[]): string[][] {
  return [columns.map(({ head }) => head), ...rows.map((row) => columns.map(({ cell }) => cell(row)))];
}

/** Writes an answer to its destination: a regular file is replaced atomically; a device or pipe is written directly. */
export function writeAnswer(io: Io, out: string | undefined, text: string): void {
  if (out === undefined || out === "-") {
    io.print(text);
    return;
  }
  if (!isReplaceable(out)) {
    writeFileSync(out, `${text}\n`);
    return;
  }
  replaceFile(out, `${text}\n`);
}
