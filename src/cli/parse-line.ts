import { parseArgs } from "node:util";
import { type LoadedConfig, loadConfig, nameWhereSet, withoutLineEnd } from "../config/load.ts";
import { flagOf, SETTING_NAMES, type SettingName, SETTINGS } from "../config/settings.ts";
import { nearest } from "../domain/spellings.ts";
import { shellWord } from "../lib/text.ts";
import { type Command, type Flag, type Arguments, UsageError } from "./command.ts";
import { elsewhere, formatOfFile } from "./file-format.ts";

/** Settings accepted by every command. */
export const COMMON_SETTINGS: readonly SettingName[] = ["dataDir", "offline"];

/** Flags accepted by every command that are not settings. */
export const COMMON_FLAGS = {
  config: { value: "FILE", about: "Configuration file (TOML) to read settings from." },
  json: { about: "One JSON document on standard output, for scripts." },
  help: { about: "What this command does, with examples." },
} as const satisfies Readonly<Record<string, Flag>>;

/** A parsed command line. */
export interface ParsedLine {
  loaded: LoadedConfig;
  given: Arguments<Readonly<Record<string, Flag>>>;
  json: boolean;
  help: boolean;
  /** Flags with a secret, which every user of the machine can see in the process list. */
  secretFlags: readonly string[];
}

/** The settings that a command accepts as flags. */
export function settingsOf(command: Command): readonly SettingName[] {
  if (command.settings === "all") return SETTING_NAMES;
  return [...new Set([...COMMON_SETTINGS, ...command.settings])];
}

/** All flags of a command by name: common ones, its own, and settings. */
export function acceptedFlags(command: Command): Readonly<Record<string, Flag>> {
  return { ...COMMON_FLAGS, ...command.flags, ...settingFlags(settingsOf(command)) };
}

/** Settings as flags. */
export function settingFlags(names: readonly SettingName[]): Readonly<Record<string, Flag>> {
  return Object.fromEntries(names.map((name) => [name, SETTINGS[name]]));
}

/** Whether a flag takes no value. */
export function isSwitch({ value = null }: Flag): boolean {
  return value === null;
}

/**
 * Parses the arguments after a command's name.
 *
 * @param commands names of all commands, for the tables of a configuration file
 * @throws UsageError for unknown, repeated or incomplete flags and for missing or unexpected arguments
 * @throws OperatorError for a malformed setting
 */
export function parseLine(
  command: Command,
  words: readonly string[],
  commands: readonly string[],
  environment?: Readonly<Record<string, string | undefined>>,
): ParsedLine {
  const accepted = acceptedFlags(command);
  const { texts, operands: given } = split(command, accepted, words);
  const operands = joinedName(command, given);
  const help = texts["help"] === "true";
  const own = { command: command.name, commands, flags: Object.keys(command.flags) };
  const loaded = loadConfig(help ? {} : texts, texts["config"], environment, own);
  const { out, format } = loaded.own;
  const ofFile =
    help || command.flags["out"] === undefined ? format?.text : formatOfFile(command, out?.text, format);
  const flags = Object.fromEntries(
    Object.entries(command.flags).map(([name, flag]) => {
      const { text: given, origin = "flag" } = loaded.own[name] ?? {};
      const text = name === "format" ? ofFile : given;
      const plain = flag.secret === true && text !== undefined ? withoutLineEnd(text) : text;
      const shown = nameWhereSet(name, origin, command.name);
      return [name, help ? text : readFlag(command, shown, flag, plain)];
    }),
  );
  if (!help) checkOperands(command, operands);
  return {
    loaded,
    // `readFlag` returned a value of the declared kind for every declared flag.
    given: { flags: flags as ParsedLine["given"]["flags"], operands },
    json: texts["json"] === "true",
    help,
    secretFlags: Object.keys(texts).filter((name) => accepted[name]?.secret),
  };
}

/** The text of each flag by its camelCase name, and the positional arguments. */
function split(
  command: Command,
  accepted: Readonly<Record<string, Flag>>,
  words: readonly string[],
): { texts: Record<string, string>; operands: string[] } {
  const names = new Map(Object.keys(accepted).map((name) => [flagOf(name), name]));
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      Object.entries(accepted).map(([name, flag]) => {
        const type = isSwitch(flag) ? "boolean" : "string";
        return [flagOf(name), name === "help" ? { type, short: "h" } : { type }];
      }),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const texts: Record<string, string> = {};
  const operands: string[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const after = tokens.slice(at + 1);
    const end = after.findIndex(({ kind }) => kind !== "positional");
    const more = after.slice(0, end < 0 ? undefined : end);
    refuseSplitValue(
      command,
      token,
      more.map((one) => ("value" in one ? (one.value ?? "") : "")),
    );
    const { rawName: raw, value = "true" } = token;
    const name = names.get(token.name);
    const flag = accepted[name ?? ""];
    if (name === undefined || flag === undefined) throw unknownFlag(command, raw, [...names.keys()]);
    if (texts[name] !== undefined) throw wrong(command, `${raw} was given twice.`);
    if (isSwitch(flag)) {
      if (value !== "true" && value !== "false")
        throw wrong(command, `${raw} is a switch and takes no value: ${JSON.stringify(value)}.`);
      // In `--years --json` the next argument is a flag, not a value; `--years=--json` would be deliberate.
    } else if (token.value === undefined || (!token.inlineValue && value.startsWith("--")))
      throw wrong(command, `${raw} needs a value.`);
    texts[name] = value;
  }
  return { texts, operands };
}

/** Refuses words that a shell has split off the value of a flag, where a command takes none. @param more what follows it */
function refuseSplitValue(
  command: Command,
  { rawName: raw, value }: { readonly rawName: string; readonly value?: string | undefined },
  more: readonly string[],
): void {
  if (command.operands.length > 0 || value === undefined || value.startsWith("--") || more.length === 0)
    return;
  const words = [value, ...more];
  const isList = words.every((word) => /^[A-Z0-9.-]+$/.test(word));
  throw wrong(
    command,
    `Unexpected argument ${JSON.stringify(more[0])}. For ${raw} with several words: ${raw} ${shellWord(words.join(isList ? "," : " "))}.`,
  );
}

/** @param shown the flag, or where else its text was set, for messages */
function readFlag(command: Command, shown: string, flag: Flag, text: string | undefined): unknown {
  if (isSwitch(flag)) {
    if (text === undefined || text === "true" || text === "false") return text === "true";
    throw new UsageError(`${shown} ${JSON.stringify(text)}: expected true or false.`);
  }
  if (text === undefined && flag.required) throw wrong(command, `${shown} ${flag.value} is missing.`);
  checkChoice(shown, text, flag);
  return text === undefined || flag.reads === undefined ? text : flag.reads(shown, text);
}

/** @param otherwise what may have been meant, with a leading space */
function checkChoice(
  what: string,
  text: string | undefined,
  { choices }: Pick<Flag, "choices">,
  otherwise = "",
): void {
  if (text === undefined || choices === undefined || choices.includes(text)) return;
  throw new UsageError(
    `Cannot read ${what} ${JSON.stringify(text)}: expected ${choices.join(", ")}.${didYouMean(text, choices) || elsewhere(text) || otherwise}`,
  );
}

/** The arguments, with the words of a name as one: `amazon.com, inc. 2024` are two. */
function joinedName({ operands }: Command, words: string[]): string[] {
  const { until } = operands[0] ?? {};
  const end = words.findIndex((word, at) => at > 0 && until?.test(word));
  return end < 2 ? words : [words.slice(0, end).join(" "), ...words.slice(end)];
}

function checkOperands(command: Command, words: readonly string[]): void {
  const { operands } = command;
  const missing = operands.find(({ optional }, at) => !optional && (words[at] ?? "").trim() === "");
  if (missing !== undefined) {
    const required = operands.flatMap(({ name, optional }) => (optional ? [] : [name]));
    const order = words.length === 0 ? "" : ` In order: ${required.join(" ")}.`;
    throw wrong(command, `${missing.name} is missing: ${missing.about}${order}`);
  }
  for (const [at, operand] of operands.entries()) {
    const name =
      at > 1 ? ` A name of several words: ${shellWord(words.slice(at - 1, at + 1).join(" "))}.` : "";
    checkChoice(operand.name, words[at], operand, name);
  }
  if (words.length > operands.length && !operands.at(-1)?.many) throw unexpectedArgument(command, words);
}

/** The refusal of more arguments than a command takes. */
export function unexpectedArgument(command: Command, words: readonly string[]): UsageError {
  const { operands } = command;
  const extra = words[operands.length];
  const [first, ...more] = operands.map(({ name }) => name);
  const taken = more.length > 0 ? [first, ...more].join(" ") : `one ${first?.toLowerCase()}`;
  return wrong(
    command,
    `Unexpected argument ${JSON.stringify(extra)}: ${command.name} takes ${first === undefined ? "no arguments" : taken}.${companiesHint(command, words)}`,
  );
}

/** How a command takes companies, for one that was given too many words. */
function companiesHint({ name, operands, flags }: Command, words: readonly string[]): string {
  if (operands.length === 0 && flags["ticker"] !== undefined)
    return ` For companies: --ticker ${shellWord(words.join(","))}.`;
  if (operands.length !== 1 || operands[0]?.name !== "TICKER") return "";
  const [company = "", more = ""] = words;
  if (words.length === 2 && /^[a-z]+(-[a-z]+)+$/.test(more))
    return ` For one executive: execcomp query --ticker ${shellWord(company)} --executive-id ${more} --fiscal-year-gte 0 --sort -fiscal_year.`;
  const [, year] = /^(?:FY)?(\d{4})$/i.exec(more) ?? [];
  if (words.length === 2 && year !== undefined && flags["fiscalYear"] !== undefined)
    return ` For a year: execcomp ${name} ${shellWord(company)} --fiscal-year ${year}.`;
  return ` For several companies: execcomp compare. A name of several words: ${shellWord(words.join(" "))}.`;
}

/** Flags by the names that they have elsewhere. */
const ALSO_CALLED: Readonly<Record<string, string>> = {
  "-o": "--out",
  "--csv": "--format",
  "--limit": "--max-rows",
  "--top": "--max-rows",
  "--name": "--executive",
  "--executive-name": "--executive",
};

function unknownFlag(command: Command, raw: string, flagNames: readonly string[]): UsageError {
  if (SETTING_NAMES.some((name) => `--${flagOf(name)}` === raw))
    return wrong(command, `"${command.name}" does not accept ${raw}, which is a setting of other commands.`);
  const operand = command.operands.find(({ name }) => `--${name.toLowerCase()}` === raw.toLowerCase());
  if (operand !== undefined)
    return wrong(command, `Unknown flag ${raw}: ${command.name} takes ${operand.name} without a flag.`);
  if (raw === "--cik" && command.operands.some(({ name }) => name === "TICKER"))
    return wrong(command, `Unknown flag --cik: ${command.name} takes a CIK as TICKER, without a flag.`);
  if (raw === "--office")
    return wrong(command, `Unknown flag --office. For officers of one office: execcomp query --office CFO.`);
  // `--year` suggests `--fiscal-year`, `--yeers` suggests `--years`, `--output` suggests `--out`, `--rank` suggests
  // `--rank-ticker`, `--total-gte` suggests `--total-compensation-gte`.
  const words = raw.slice(2).split("-");
  const candidates = flagNames.map((flag) => `--${flag}`);
  const meant =
    candidates.find((flag) => flag === ALSO_CALLED[raw]) ??
    candidates.find((flag) => flag.endsWith(raw.replace("--", "-"))) ??
    nearest(raw, candidates) ??
    candidates.find((flag) => flag.length > 4 && raw.startsWith(flag)) ??
    candidates.find((flag) => flag.startsWith(`${raw}-`)) ??
    candidates.find(
      (flag) => words.length > 1 && words.every((word) => flag.slice(2).split("-").includes(word)),
    );
  return wrong(command, `Unknown flag ${raw}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`);
}

/** ` Did you mean "x"?`, or an empty string if no candidate is similar. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates) ?? candidates.find((one) => one.startsWith(`${word}_`));
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}

function wrong(command: Command, what: string): UsageError {
  return new UsageError(`${what} See: execcomp help ${command.name}`);
}
