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
  const { texts, operands } = split(command, words);
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
    secretFlags: Object.keys(texts).filter((name) => isSecret(command, name)),
  };
}

function isSecret(command: Command, name: string): boolean {
  const setting = SETTING_NAMES.find((known) => known === name);
  return (command.flags[name] ?? (setting && SETTINGS[setting]))?.secret === true;
}

/** The text of each flag by its camelCase name, and the positional arguments. */
function split(
  command: Command,
  words: readonly string[],
): { texts: Record<string, string>; operands: string[] } {
  const switches = new Map<string, { name: string; isSwitch: boolean }>();
  for (const [name, flag] of Object.entries<Flag>({ ...COMMON_FLAGS, ...command.flags })) {
    switches.set(flagOf(name), { name, isSwitch: flag.value === undefined });
  }
  for (const name of settingsOf(command)) {
    switches.set(flagOf(name), { name, isSwitch: SETTINGS[name].value === null });
  }
  const options = Object.fromEntries(
    [...switches].map(([flag, { isSwitch }]) => [
      flag,
      {
        type: isSwitch ? ("boolean" as const) : ("string" as const),
        ...(flag === "help" ? { short: "h" } : {}),
      },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const texts: Record<string, string> = {};
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const known = switches.get(token.name);
    if (known === undefined) throw unknownFlag(command, token.rawName, [...switches.keys()]);
    if (texts[known.name] !== undefined)
      throw new UsageError(`${token.rawName} was given twice.${seeHelp(command)}`);
    texts[known.name] = flagText(
      command,
      token.rawName,
      known.isSwitch,
      token.value,
      token.inlineValue === true,
    );
  }
  return { texts, operands };
}

function flagText(
  command: Command,
  raw: string,
  isSwitch: boolean,
  value: string | undefined,
  inline: boolean,
): string {
  if (!isSwitch) {
    // In `--years --json` the next argument is a flag, not a value; `--years=--json` would be deliberate.
    if (value === undefined || (!inline && value.startsWith("--"))) {
      throw new UsageError(`${raw} needs a value.${seeHelp(command)}`);
    }
    return value;
  }
  if (value === undefined) return "true";
  if (value === "true" || value === "false") return value;
  throw new UsageError(`${raw} is a switch and takes no value: ${JSON.stringify(value)}.${seeHelp(command)}`);
}

function readFlag(
  command: Command,
  name: string,
  flag: Flag,
  text: string | undefined,
): string | boolean | undefined {
  if (flag.value === undefined) {
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
