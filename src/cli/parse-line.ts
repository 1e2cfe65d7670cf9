import { parseArgs } from "node:util";
import {
  flagOf,
  type LoadedConfig,
  loadConfig,
  SETTING_NAMES,
  type SettingName,
  SETTINGS,
} from "../config.ts";
import { nearest } from "../domain/spellings.ts";
import { type Command, type Flag, type Given, UsageError } from "./command.ts";

/** Settings accepted by every command. */
export const COMMON_SETTINGS: readonly SettingName[] = ["dataDir", "offline"];

/** Flags accepted by every command that are not settings. */
export const COMMON_FLAGS = {
  config: { value: "FILE", about: "Configuration file (TOML) to read settings from." },
  json: { about: "One JSON document on standard output, for scripts." },
  help: { about: "What this command does, with examples." },
} as const satisfies Readonly<Record<string, Flag>>;

/** A parsed command line. */
export interface Line {
  loaded: LoadedConfig;
  given: Given<Readonly<Record<string, Flag>>>;
  json: boolean;
  help: boolean;
  /** Flags that contained a secret, which every user of the machine can see in the process list. */
  secretFlags: readonly string[];
}

/** The settings that a command accepts as flags. */
export function settingsOf(command: Command): readonly SettingName[] {
  if (command.settings === "all") return SETTING_NAMES;
  return [...new Set([...COMMON_SETTINGS, ...command.settings])];
}

/** All that a command accepts as flags, by name: those of every command, its own, and settings. */
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
): Line {
  const accepted = acceptedFlags(command);
  const { texts, operands } = split(command, accepted, words);
  const help = texts["help"] === "true";
  const own = { command: command.name, commands, flags: Object.keys(command.flags) };
  const settingTexts = Object.fromEntries(
    settingsOf(command).flatMap((name) => (texts[name] === undefined ? [] : [[name, texts[name]]])),
  );
  const loaded = loadConfig(help ? {} : settingTexts, texts["config"], environment, own);
  const flags = Object.fromEntries(
    Object.entries(command.flags).map(([name, flag]) => {
      const text = texts[name] ?? loaded.own[name]?.text;
      return [name, help ? text : readFlag(command, name, flag, text)];
    }),
  );
  if (!help) checkOperands(command, operands);
  // `readFlag` returned a value of the declared kind for every declared flag.
  return {
    loaded,
    given: { flags: flags as Line["given"]["flags"], operands },
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
  const options = Object.entries(accepted).map(([name, flag]) => {
    const type = isSwitch(flag) ? ("boolean" as const) : ("string" as const);
    return [flagOf(name), name === "help" ? { type, short: "h" } : { type }] as const;
  });
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const texts: Record<string, string> = {};
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const { rawName: raw, value = "true" } = token;
    const name = names.get(token.name);
    const flag = accepted[name ?? ""];
    if (name === undefined || flag === undefined) throw unknownFlag(command, raw, [...names.keys()]);
    if (texts[name] !== undefined) throw new UsageError(`${raw} was given twice.${seeHelp(command)}`);
    if (isSwitch(flag)) {
      if (value !== "true" && value !== "false")
        throw new UsageError(
          `${raw} is a switch and takes no value: ${JSON.stringify(value)}.${seeHelp(command)}`,
        );
      // In `--years --json` the next argument is a flag, not a value; `--years=--json` would be deliberate.
    } else if (token.value === undefined || (!token.inlineValue && value.startsWith("--"))) {
      throw new UsageError(`${raw} needs a value.${seeHelp(command)}`);
    }
    texts[name] = value;
  }
  return { texts, operands };
}

function readFlag(
  command: Command,
  name: string,
  flag: Flag,
  text: string | undefined,
): string | boolean | undefined {
  if (isSwitch(flag)) {
    if (text === undefined || text === "true" || text === "false") return text === "true";
    throw new UsageError(`--${flagOf(name)} ${JSON.stringify(text)}: expected true or false.`);
  }
  if (text === undefined && flag.required) {
    throw new UsageError(`--${flagOf(name)} ${flag.value} is missing.${seeHelp(command)}`);
  }
  if (text !== undefined && flag.choices !== undefined && !flag.choices.includes(text)) {
    throw new UsageError(
      `Cannot read --${flagOf(name)} ${JSON.stringify(text)}: expected ${flag.choices.join(", ")}.${didYouMean(text, flag.choices)}`,
    );
  }
  return text;
}

function checkOperands(command: Command, operands: readonly string[]): void {
  const needed = command.operands.filter((operand) => operand.optional === undefined);
  const missing = needed.find((_, at) => (operands[at] ?? "").trim() === "");
  if (missing !== undefined) {
    throw new UsageError(`${missing.name} is missing: ${missing.about}${seeHelp(command)}`);
  }
  for (const [at, { name, choices }] of command.operands.entries()) {
    const word = operands[at];
    if (word !== undefined && choices !== undefined && !choices.includes(word))
      throw new UsageError(
        `Cannot read ${name} ${JSON.stringify(word)}: expected ${choices.join(", ")}.${didYouMean(word, choices)}`,
      );
  }
  const endless = command.operands.at(-1)?.many === true;
  const extra = operands[command.operands.length];
  if (!endless && extra !== undefined) {
    throw new UsageError(
      `Unexpected argument ${JSON.stringify(extra)}: ${command.name} takes ${operandsOf(command)}.${seeHelp(command)}`,
    );
  }
}

/** Describes a command's arguments: `no arguments`, `one ticker`, `TICKER YEAR ID FIELD`. */
function operandsOf({ operands: [first, ...more] }: Command): string {
  if (first === undefined) return "no arguments";
  return more.length === 0
    ? `one ${first.name.toLowerCase()}`
    : [first, ...more].map(({ name }) => name).join(" ");
}

function unknownFlag(command: Command, raw: string, known: readonly string[]): UsageError {
  const candidates = known.map((flag) => `--${flag}`);
  const all = SETTING_NAMES.map((name) => `--${flagOf(name)}`);
  if (all.includes(raw)) {
    return new UsageError(
      `"${command.name}" does not accept ${raw}, which is a setting of other commands.${seeHelp(command)}`,
    );
  }
  // `--year` suggests `--fiscal-year`, `--yeers` suggests `--years`, `--output` suggests `--out`.
  const meant =
    candidates.find((flag) => flag.endsWith(raw.replace("--", "-"))) ??
    nearest(raw, candidates) ??
    candidates.find((flag) => flag.length > 4 && raw.startsWith(flag));
  return new UsageError(
    `Unknown flag ${raw}.${meant === undefined ? "" : ` Did you mean ${meant}?`}${seeHelp(command)}`,
  );
}

/** ` Did you mean "x"?`, or an empty string if no candidate is similar. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}

function seeHelp(command: Command): string {
  return ` See: execcomp help ${command.name}`;
}
