/**
 * What a command of the command line is. One file in this folder holds one command, or one noun with its verbs
 * (`keys.ts`: `keys create`, `keys list`, `keys revoke`). To add one:
 *
 *     export const create = command({
 *       name: "keys create",
 *       summary: "Make an API key, and its user where there is none.",
 *       operands: [],                                       // e.g. [{ name: "TICKER", about: "A symbol." }]
 *       flags: {                                            // camelCase here, `--kebab-case` outside
 *         user: { value: "EMAIL", about: "Whose key it is.", required: true },
 *         name: { value: "NAME", about: "What the key is for." },
 *         passwordStdin: { about: "Read the password from standard input." },   // no `value`: a switch
 *       },
 *       settings: [],                                       // settings of config.ts that it takes besides the four
 *       examples: [["keys create --user ann@example.com", "A first key for Ann."]],
 *       async run({ flags, operands }, io) {                // flags.user: string, flags.name: string | undefined
 *         ...
 *         if (io.json) io.printJson(value); else io.print(text);
 *         return 0;
 *       },
 *     });
 *
 * and name it in `registry.ts`. The rest follows: parsing, `--data-dir --config --offline --json` (every command
 * takes them), `EXECCOMP_…` and configuration file for every flag, help, the generated table in `docs/`, refusal of
 * unknown flags with the nearest right one.
 *
 * Exit codes: `run` returns 0, or 1 when the answer is a refusal that it has explained with `io.note`. To refuse,
 * throw `OperatorError` or `ServiceError` (exit 1) or `UsageError` (exit 2): the message goes to standard error.
 */
import type { Runtime } from "../runtime.ts";
import type { Supervisor } from "./supervisor.ts";
import type { LoadedConfig, SettingName } from "../config.ts";

/** What a command that is named in a message needs to work on the same data folder: nothing where it is the default one. */
export function sameFolder({ config, origins }: LoadedConfig): string {
  return origins.dataDir.origin === "default" ? "" : ` --data-dir ${config.dataDir}`;
}

/** A flag of one command. Like a setting it can also come from `EXECCOMP_…` or the configuration file. */
export interface Flag {
  /** One sentence for help and docs. */
  about: string;
  /** What stands behind the flag in help (`EMAIL`, `table|json`); a switch has none. */
  value?: string;
  /** Refused with exit 2 when missing. Not for switches. */
  required?: true;
  /** The only words it takes; another is refused with the nearest of them. */
  choices?: readonly string[];
  /** What help says of all flags that have this very sentence, in one line: the bounds of an amount. */
  together?: string;
  /** Its value is masked where values are shown, and its environment variable is the better place for it. */
  secret?: true;
}

/** A word that stands without a flag. All but the last ones must be given. */
export interface Operand {
  name: string;
  about: string;
  optional?: true;
  /** The only words it takes; another is refused with the nearest of them. */
  choices?: readonly string[];
  /** Takes all words that are left; only as the last one. */
  many?: true;
}

/** The values of declared flags: text, or whether a switch is on. */
export type FlagValues<F extends Readonly<Record<string, Flag>>> = {
  readonly [Name in keyof F]: string extends keyof F
    ? string | boolean | undefined
    : F[Name] extends { value: string }
      ? F[Name] extends { required: true }
        ? string
        : string | undefined
      : boolean;
};

/** What a command is given, already checked against its declaration. */
export interface Given<F extends Readonly<Record<string, Flag>>> {
  flags: FlagValues<F>;
  /** As many as declared; an optional one that is missing is not there. */
  operands: readonly string[];
}

/** Where a command stands: its settings and its only ways to the outside. */
export interface Io {
  /** What is in force, with the origin of every setting. */
  loaded: LoadedConfig;
  runtime: Runtime;
  /** Whether `--json` was given: exactly one JSON document goes to standard output. */
  json: boolean;
  /** Writes to standard output, with a line end. */
  print(text: string): void;
  /** Writes one JSON document to standard output. */
  printJson(value: unknown): void;
  /** Writes bytes or text to standard output as they are; resolves when they have gone out. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Writes a line for people to standard error. */
  note(text: string): void;
  /** Shows a line that the next one replaces, where people watch standard error; elsewhere nothing. Empty clears it. */
  status(text: string): void;
  /** Standard input as a stream of bytes. */
  stdin(): ReadableStream<Uint8Array>;
  /** All of standard input as text. */
  readStdin(): Promise<string>;
  /** Resolves when the process is asked to end (SIGTERM, SIGINT, or SIGHUP at a terminal). */
  untilStopped(): Promise<string>;
  /** Does the work whenever the process is asked to read its files again (SIGHUP without a terminal). */
  whenReloaded(work: () => void): void;
  /** Standard error is a terminal for people. */
  watched: boolean;
  /** Standard output is a terminal for people. */
  terminal: boolean;
  /** Who started this process and wants to know how it is. */
  supervisor(): Promise<Supervisor>;
  /** Characters that fit into a line of standard output; null where it is no terminal. */
  columns: number | null;
  /** What starts this program in a further process, before the command; null where there is none to start. */
  program: readonly string[] | null;
}

/** A command as the registry holds it. */
export interface Command {
  name: string;
  summary: string;
  operands: readonly Operand[];
  flags: Readonly<Record<string, Flag>>;
  /** Settings that it takes as flags besides those that every command takes; `"all"` for what runs the server's parts. */
  settings: readonly SettingName[] | "all";
  /** What follows `execcomp`, and what it does. The first is the one to try first. */
  examples: readonly (readonly [line: string, about: string])[];
  /** More for its help page, in paragraphs. */
  details?: string;
  run(given: Given<Readonly<Record<string, Flag>>>, io: Io): Promise<number>;
}

/** Wrong usage: exit code 2. The message says what was asked and what is right. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Declares a command; `run` sees its flags with their types. */
export function command<const F extends Readonly<Record<string, Flag>>>(
  declared: Omit<Command, "flags" | "run"> & { flags: F; run(given: Given<F>, io: Io): Promise<number> },
): Command {
  // parse-line.ts fills `flags` from this same declaration, so the values have the types that F says.
  return { ...declared, run: (given, io) => declared.run(given as Given<F>, io) };
}
