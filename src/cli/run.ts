import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { shellWord } from "../lib/text.ts";
import type { Runtime } from "../runtime.ts";
import { FlagError, namedWhereSet, unknownVariables } from "../config/load.ts";
import { type PagerCommand, pagerOf, refuseRuntimeVariables, wantsColor } from "../config/process.ts";
import { flagOf, SETTING_NAMES, variableOf } from "../config/settings.ts";
import { escapeControls, printable, type Style, wrapped } from "../lib/text-table.ts";
import { isSystemError, messageOf, OperatorError, ServiceError } from "../errors.ts";
import { type Command, type Io, UsageError } from "./command.ts";
import { helpPage, SHORT_HELP } from "./help.ts";
import { hasNoInodes } from "../store/faults.ts";
import { nearest } from "../domain/spellings.ts";
import { didYouMean, parseLine } from "./parse-line.ts";
import {
  ALIASES,
  COMMAND_NAMES,
  isInternal,
  loadCommand,
  OTHER_NAMES,
  TERMINAL_COMMAND,
} from "./registry.ts";

export { endsWithStdin } from "../config/process.ts";

/** The process of a command line, supplied by `main.ts` or a test. */
export interface Process extends Pick<
  Io,
  "write" | "stdin" | "untilStopped" | "whenReloaded" | "terminal" | "watched" | "columns" | "program"
> {
  runtime: Runtime;
  /** Writes to standard error. */
  printError(text: string): void;
  /** Height of standard output in lines; null if it is not a terminal. */
  rows: number | null;
  /** Shows text in a pager. @returns whether the pager could be started */
  page?(command: PagerCommand, text: string): Promise<boolean>;
  /** Environment variables to use instead of the process's own. */
  environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a command line.
 *
 * @param argv the arguments after the program's name
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage, 3 partly done; the reason is on standard error
 */
export async function run(argv: readonly string[], process: Process): Promise<number> {
  try {
    refuseRuntimeVariables(process.environment);
    const { name, words } = findCommand(argv, process.terminal && process.watched);
    const command = await loadCommand(name);
    const line = parseLine(command, words, COMMAND_NAMES, process.environment);
    await refuseUnknownVariables(command, process.environment);
    if (line.help) {
      await process.write(helpPage(command, process.columns));
      return 0;
    }
    const io = ioOf(process, line.loaded, line.json);
    for (const flag of line.secretFlags) {
      // Scripts read the standard error of `get --key`, so a command's own flag is only mentioned on a terminal.
      const isOwn = Object.hasOwn(command.flags, flag);
      if (isOwn && !process.watched) continue;
      const variable = variableOf(flag, isOwn ? command.name : "");
      io.note(`--${flagOf(flag)} is visible to every user of this machine. Set ${variable} instead.`);
    }
    const code = await command.run(line.given, io).catch((error: unknown) => {
      throw error instanceof OperatorError ? namedWhereSet(error, line.loaded) : error;
    });
    await io.flush();
    return code;
  } catch (error) {
    return explain(error, process);
  }
}

/**
 * @throws OperatorError for an `EXECCOMP_…` variable that is no setting and no flag of any command, as for a key of
 * the file
 */
async function refuseUnknownVariables(
  command: Command,
  environment: Readonly<Record<string, string | undefined>> | undefined,
): Promise<void> {
  const variablesOf = ({ name, flags }: Command) => Object.keys(flags).map((flag) => variableOf(flag, name));
  const odd = unknownVariables(variablesOf(command), environment);
  if (odd.length === 0) return;
  const others = (await Promise.all(COMMAND_NAMES.map(loadCommand))).flatMap(variablesOf);
  const unknown = odd.find((name) => !others.includes(name));
  if (unknown === undefined) return;
  const variables = [...SETTING_NAMES.map((name) => variableOf(name)), ...others];
  throw new OperatorError(
    `Unknown variable ${unknown}.${didYouMean(unknown, variables)} See: execcomp config print`,
  );
}

/**
 * Finds the longest command name at the start of the arguments. Without any arguments on a terminal, it is the welcome.
 * @throws UsageError without a command otherwise: a server starts only when asked to
 */
function findCommand(
  argv: readonly string[],
  onTerminal: boolean,
): { name: string; words: readonly string[] } {
  const [first, second] = argv;
  if (first === undefined) {
    if (onTerminal) return { name: TERMINAL_COMMAND, words: [] };
    throw new UsageError(SHORT_HELP);
  }
  const alias = ALIASES[first];
  if (alias !== undefined) return { name: alias, words: argv.slice(1) };
  if (first.startsWith("-"))
    throw new UsageError(`The command is missing. To serve: execcomp serve ${argv.map(shellWord).join(" ")}`);
  const pair = `${first} ${second ?? ""}`;
  if (COMMAND_NAMES.includes(pair)) return { name: pair, words: argv.slice(2) };
  if (COMMAND_NAMES.includes(first) || isInternal(first)) return { name: first, words: argv.slice(1) };
  const verbs = COMMAND_NAMES.filter((name) => name.startsWith(`${first} `)).map((name) =>
    name.slice(first.length + 1),
  );
  if (verbs.length > 0) {
    if (second === "--help" || second === "-h") return { name: "help", words: [first] };
    const given = second === undefined || second.startsWith("-") ? "" : `, not ${JSON.stringify(second)}`;
    throw new UsageError(
      `"${first}" needs one of ${verbs.join(", ")}${given}.${verbMeant(first, verbs, second)} See: execcomp help ${first}`,
    );
  }
  throw new UsageError(
    `Unknown command ${JSON.stringify(first)}.${commandMeant(first, second)} See: execcomp help`,
  );
}

/** ` Did you mean "keys create"?`, or nothing if no verb is similar. */
function verbMeant(noun: string, verbs: readonly string[], word: string | undefined): string {
  const verb = verbs.length === 1 && word === undefined ? verbs[0] : nearest(word ?? "", verbs);
  return verb === undefined ? "" : ` Did you mean "${noun} ${verb}"?`;
}

/** ` Did you mean "data export"?`: matches an alternative name, the last word of a command, or a similar spelling. */
function commandMeant(word: string, second: string | undefined): string {
  const joined = word.replaceAll(/[-_.:]/g, "");
  const pair = COMMAND_NAMES.find((name) => name.includes(" ") && name.replaceAll(/[ -]/g, "") === joined);
  if (pair !== undefined) return ` Did you mean "${pair}"?`;
  const named = OTHER_NAMES[word] ?? COMMAND_NAMES.filter((name) => name.endsWith(` ${word}`));
  const [only, another] = typeof named === "string" ? [named] : named;
  if (only !== undefined && another === undefined) return ` Did you mean "${only}"?`;
  if (/^[A-Z][A-Z.-]{0,6}$|^\d{4,10}$/.test(word)) return ` To see a company: execcomp show ${word}.`;
  const first = nearest(word, [...new Set(COMMAND_NAMES.map((name) => name.split(" ")[0] ?? name))]);
  const verbs = COMMAND_NAMES.filter((name) => name.startsWith(`${first} `)).map(
    (name) => name.split(" ")[1] ?? "",
  );
  const whole = first === undefined ? "" : verbMeant(first, verbs, second);
  return whole || (first === undefined ? "" : ` Did you mean "${first}"?`);
}

function ioOf(process: Process, loaded: Io["loaded"], json: boolean): Io & { flush(): Promise<void> } {
  const { terminal, watched, columns, rows, environment } = process;
  let pending = Promise.resolve();
  const write = (bytes: Uint8Array | string) => {
    pending = pending.then(() => process.write(bytes));
    return pending;
  };
  // A rejected write (a closed pipe) is handled where it is awaited: by the command, or by `flush`.
  const later = (bytes: string) => void write(bytes).catch(() => {});
  const print: Io["print"] = (text, indent) => later(`${wrapped(printable(text), columns, indent)}\n`);
  const printJson: Io["printJson"] = (value) => later(`${escapeControls(JSON.stringify(value, null, 2))}\n`);
  const note = (text: string) => {
    const printNote = () => printReason(text, process);
    // On a terminal, notes appear after earlier output; an unread pipe does not delay them.
    if (!terminal || !watched) return printNote();
    pending = pending.finally(printNote);
    pending.catch(() => {});
  };
  return {
    ...process,
    loaded,
    json,
    style: terminal && wantsColor(environment) ? ANSI : null,
    async page(text) {
      const pager = terminal && text.split("\n").length >= (rows ?? Infinity) ? pagerOf(environment) : null;
      await pending;
      if (pager !== null && (await process.page?.(pager, `${text}\n`)) === true) return;
      await write(`${text}\n`);
    },
    print,
    printJson,
    answer(value, lines, indent) {
      if (json) printJson(value);
      else for (const line of typeof lines === "string" ? [lines] : lines) print(line, indent);
    },
    confirm: (value, text) => (json ? printJson(value) : note(text)),
    write,
    note,
    status: (text) => {
      if (watched) process.printError(`\r\u001b[2K${printable(text)}`);
    },
    readStdin: () => Bun.readableStreamToText(process.stdin()),
    flush: () => pending,
  };
}

/** @see ECMA-48, 8.3.117 (SGR); OSC 8 for links */
const ANSI: Style = {
  bold: (text) => `\u001b[1m${text}\u001b[22m`,
  link: (text, url) => `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\`,
};

/** A system error (a full disk, a missing folder) as a sentence; undefined for a bug. */
function systemSentence(error: unknown): string | undefined {
  if (!isSystemError(error)) return undefined;
  // For a copy, the path is the source. A temporary file is not what the user named.
  const named = "dest" in error ? String(error.dest) : "path" in error ? String(error.path) : undefined;
  const path = named?.replace(/\.part$/, "") || "a file";
  const folder = dirname(resolve(path));
  switch (error.code) {
    case "ENOSPC":
    case "EDQUOT":
      return hasNoInodes(path)
        ? `No inodes are left to write ${path}: the disk cannot hold more files. Delete some, then try again.`
        : `No space is left to write ${path}. Free some space on the disk, then try again.`;
    case "EACCES":
    case "EPERM":
      return `This user is not permitted to ${path === named ? `read or write ${path}` : `create files in ${folder}`}. Change its permissions, or use another path.`;
    case "EROFS":
      return `${path} is on a read-only disk. Use another path.`;
    case "EISDIR":
      return `${path} is a folder. Specify a file.`;
  }
  if (named === undefined) return undefined;
  if (error.code === "ENOENT" && !existsSync(folder))
    return `There is no folder ${folder}. Create it, or use another path.`;
  return `Cannot read or write ${path}: ${messageOf(error).replace(/^E[A-Z0-9]+: /, "")}. Use another path.`;
}

/** Writes a text for people to standard error. */
function printReason(text: string, { columns, watched, printError }: Process): void {
  printError(`${wrapped(printable(text), watched ? columns : null)}\n`);
}

/** Prints the reason on standard error and returns the exit code. */
function explain(error: unknown, process: Process): number {
  // The reader of our output has gone (`execcomp coverage --tickers | head`), so there is nothing to report.
  if (error instanceof Error && "code" in error && error.code === "EPIPE") return 0;
  const isUsage = error instanceof UsageError || error instanceof FlagError;
  const isReason = isUsage || error instanceof OperatorError || error instanceof ServiceError;
  const reason = isReason ? error.message : systemSentence(error);
  if (reason !== undefined) {
    printReason(reason, process);
    return isUsage ? 2 : 1;
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.printError(`This is a bug in execcomp. Please report it with these lines:\n${details}\n`);
  return 1;
}
