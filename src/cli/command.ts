/**
 * Defines what a command is. Each file in this folder contains one command, or one noun with its verbs (`keys.ts`:
 * `keys create`, `keys list`, `keys revoke`). To add one:
 *
 *     export const create = command({
 *       name: "keys create",
 *       summary: "Create an API key, and its user if there is none.",
 *       operands: [{ name: "TICKER", about: "A symbol." }],
 *       flags: {                                            // camelCase here, `--kebab-case` outside
 *         user: { value: "EMAIL", about: "Whose key it is.", required: true },
 *         name: { value: "NAME", about: "What the key is for." },
 *         overlap: { choices: ["none", "day"], about: "…" },          // and `numberFlag`, `reads: readDay` of output.ts
 *         passwordStdin: { about: "Read the password from standard input." },   // no `value`: a switch
 *       },
 *       settings: ["store"],                                // settings that it takes besides the four
 *       examples: [["keys create --user ann@example.com", "A first key for Ann."]],
 *       async run({ flags, operands }, io) {                // flags.user: string, flags.name: string | undefined
 *         ...
 *         if (io.json) io.printJson(value); else io.print(text);
 *       },
 *     });
 *
 * and add its name to `registry.ts`. The rest follows: parsing, `--data-dir --config --offline --json` (accepted by every
 * command), `EXECCOMP_…` variables and configuration file entries for every flag, help, the generated table in `docs/`, and
 * refusal of unknown flags with the nearest valid one.
 *
 * Omit what a command does not have. Exit codes: 0, unless `run` returns 1 after explaining a negative result with
 * `io.note`. To refuse, throw `OperatorError` or
 * `ServiceError` (exit 1) or `UsageError` (exit 2): the message is written to standard error.
 */
import { shellWord } from "../lib/text.ts";
import type { Runtime } from "../runtime.ts";
import type { Style } from "../lib/text-table.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { SettingName } from "../config/settings.ts";

/** The flag to append to a command named in a message so that it uses the same data folder; empty for the default folder. */
export function sameFolder({ config, origins }: LoadedConfig): string {
  return origins.dataDir.origin === "default" ? "" : ` --data-dir ${shellWord(config.dataDir)}`;
}

/** A flag of a command. Like settings, it can also be set by `EXECCOMP_…` or the configuration file. */
export interface Flag {
  /** One sentence for help and docs. */
  about: string;
  /** The placeholder of its value in help (`EMAIL`); its choices by default, absent or null for switches. */
  value?: string | null;
  /** The text used where it is not given, for help. */
  fallback?: string;
  /** Refused with exit code 2 if missing. Not for switches. */
  required?: true;
  /** The only accepted values; others are refused with the nearest one. */
  choices?: readonly string[];
  /** Parses its value. @param flag its name, for the refusal @throws UsageError */
  reads?(flag: string, text: string): unknown;
  /** Values that a shell offers, where the operation checks them. */
  values?: readonly string[];
  /** Help lists flags with the same text here on a single line, such as the bounds of an amount. */
  together?: string;
  /** The heading under which help lists it, if the command has many flags; default "Flags". */
  group?: string;
  /** Whether its value is masked in output; such values are better set by environment variable. */
  secret?: true;
}

/** A positional argument. Only the last ones may be optional. */
export interface Operand {
  name: string;
  about: string;
  optional?: true;
  /** The only accepted values; others are refused with the nearest one. */
  choices?: readonly string[];
  /** Takes all remaining arguments, `words` as those of one name; only for the last operand. */
  many?: true | "words";
  /** A first operand whose words may be arguments of their own, until one that looks like this. */
  until?: RegExp;
}

/** The values of declared flags: text or what was read from it, or whether a switch is set. */
export type FlagValues<F extends Readonly<Record<string, Flag>>> = {
  readonly [Name in keyof F]: string extends keyof F
    ? string | boolean | undefined
    : F[Name] extends { value: string } | { choices: readonly string[] }
      ? ValueOf<F[Name]> | (F[Name] extends { required: true } ? never : undefined)
      : boolean;
};

type ValueOf<F> = F extends { choices: readonly (infer Choice extends string)[] }
  ? Choice
  : F extends { reads(flag: string, text: string): infer Value }
    ? Value
    : string;

/** The arguments of a command, checked against its declaration. */
export interface Arguments<F extends Readonly<Record<string, Flag>>> {
  flags: FlagValues<F>;
  /** As many as declared; missing optional ones are absent. */
  operands: readonly string[];
}

/** The environment of a command: its settings and its only access to the outside. */
export interface Io {
  /** The settings in effect, with the origin of each. */
  loaded: LoadedConfig;
  runtime: Runtime;
  /** Whether `--json` was given: standard output is then exactly one JSON document. */
  json: boolean;
  /** Writes a line to standard output, broken between words on a terminal. @param indent of all lines but the first */
  print(text: string, indent?: string): void;
  /** Writes one JSON document to standard output. */
  printJson(value: unknown): void;
  /** Answers with one JSON document if `--json` was given, otherwise with lines, as `print` writes them. */
  answer(json: unknown, lines: string | Iterable<string>, indent?: string): void;
  /** Confirms what was done: with one JSON document if `--json` was given, otherwise with a line to standard error. */
  confirm(json: unknown, text: string): void;
  /** Writes bytes or text to standard output unchanged; resolves when they have been written. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Writes a line for people to standard error. */
  note(text: string): void;
  /** Shows a status line that the next one replaces, if standard error is a terminal. An empty text clears it. */
  status(text: string): void;
  /** Standard input as a stream of bytes. */
  stdin(): ReadableStream<Uint8Array>;
  /** All of standard input as text. */
  readStdin(): Promise<string>;
  /** Resolves when the process is asked to stop (SIGTERM, SIGINT, or SIGHUP at a terminal). */
  untilStopped(): Promise<string>;
  /** Calls `work` whenever the process is asked to reload (SIGHUP without a terminal). */
  whenReloaded(work: () => void): void;
  /** Whether standard error is a terminal. */
  watched: boolean;
  /** Whether standard output is a terminal. */
  terminal: boolean;
  /** Width of standard output in characters; null if it is not a terminal. */
  columns: number | null;
  /** How standard output marks text; null if it is not a terminal, or NO_COLOR is set. */
  style: Style | null;
  /** Writes text to standard output unchanged, through the user's pager if it is longer than the terminal. */
  page(text: string): Promise<void>;
  /** The command line that starts this program in another process, without the command; null if it cannot be started. */
  program: readonly string[] | null;
}

/** A command in the registry. */
export interface Command {
  name: string;
  summary: string;
  operands: readonly Operand[];
  flags: Readonly<Record<string, Flag>>;
  /** Settings accepted as flags besides the common ones; `"all"` for commands that run parts of the server. */
  settings: readonly SettingName[] | "all";
  /** Arguments after `execcomp`, with a description. The first example is the one to try first. */
  examples: readonly (readonly [line: string, about: string])[];
  /** Additional paragraphs for its help page. */
  details?: string;
  run(args: Arguments<Readonly<Record<string, Flag>>>, io: Io): Promise<number>;
}

/** Wrong usage: exit code 2. The message says what was given and what is expected. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What a command declares; `command` adds what it leaves out. */
export type Declared<F extends Readonly<Record<string, Flag>>> = Pick<Command, "name" | "summary"> &
  Partial<Pick<Command, "operands" | "settings" | "examples" | "details">> & {
    flags?: F;
    run(args: Arguments<F>, io: Io): Promise<number | void>;
  };

/** Declares a command; `run` receives typed flags, and returns nothing for 0. */
export function command<const F extends Readonly<Record<string, Flag>> = Readonly<Record<never, Flag>>>({
  flags,
  run,
  ...declared
}: Declared<F>): Command {
  return {
    operands: [],
    settings: [],
    examples: [],
    flags: Object.fromEntries(
      Object.entries<Flag>(flags ?? {}).map(([name, flag]) => [
        name,
        { value: flag.choices?.join("|") ?? null, ...flag },
      ]),
    ),
    ...declared,
    // `parse-line.ts` fills `flags` from this declaration, so the values have the types of F.
    run: async (args, io) => (await run(args as Arguments<F>, io)) ?? 0,
  };
}
