/** Loads the configuration from flags, environment, file and defaults. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { nearest } from "../domain/spellings.ts";
import { Unreadable } from "../lib/text.ts";
import { messageOf, OperatorError } from "../errors.ts";
import { ENDS_WITH_STDIN } from "./process.ts";
import { type Config, flagOf, SETTING_NAMES, type SettingName, SETTINGS, variableOf } from "./settings.ts";

/** Where a setting's value came from. */
export type SettingOrigin = "flag" | "environment" | "file" | "default";

/** A configuration with the origin and text of each setting, for `config print`. */
export interface LoadedConfig {
  config: Config;
  origins: Readonly<Record<SettingName, SettingText>>;
  /** The command's own flags, by name. */
  own: Readonly<Record<string, SettingText | undefined>>;
}

interface SettingText {
  origin: SettingOrigin;
  text: string;
}

/**
 * A command's own flags. Like settings, they may be set in the environment, or in the file in a table
 * named after the command.
 */
export interface OwnFlags {
  command: string;
  /** Names of all commands that may have a table in the file. */
  commands: readonly string[];
  /** Names of the command's flags, in camelCase. */
  flags: readonly string[];
}

/** `EXECCOMP_…` variables that are no setting. @param own known variables of flags */
export function unknownVariables(
  own: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  const settings = SETTING_NAMES.map((name) => variableOf(name));
  const expected = new Set(["EXECCOMP_CONFIG", ENDS_WITH_STDIN, ...settings, ...own]);
  // Kubernetes sets such variables for every service, including one called execcomp.
  const isService = /^EXECCOMP_(?:SERVICE|PORT_\d+_(?:TCP|UDP))(?:_|$)/;
  return Object.keys(environment).filter(
    (name) => name.startsWith("EXECCOMP_") && !expected.has(name) && !isService.test(name),
  );
}

/**
 * Loads the configuration from flags, environment, file and defaults, in that order.
 *
 * @param texts settings and own flags given on the command line, by name
 * @param file path of a TOML file (`--config`, else `EXECCOMP_CONFIG`); none if undefined
 * @param command the command being run, for its own flags
 * @throws OperatorError naming the setting, its value, where it was given and what was expected
 */
export function loadConfig(
  texts: Readonly<Record<string, string | undefined>> = {},
  file?: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  command: OwnFlags = { command: "", commands: [], flags: [] },
): LoadedConfig {
  const path = file ?? environment["EXECCOMP_CONFIG"] ?? "";
  const tables = path === "" ? { settings: {}, own: {} } : readFile(path, command);
  const given = (name: string, variable: string, table: Texts): SettingText | undefined => {
    const places = { flag: texts[name], environment: environment[variable], file: table[flagOf(name)] };
    for (const [origin, text] of Object.entries(places))
      // The keys are those above.
      if (text !== undefined) return { origin: origin as keyof typeof places, text };
    return undefined;
  };
  const settings = SETTING_NAMES.map((name) => {
    const fallback = { origin: "default", text: SETTINGS[name].fallback } as const;
    return [name, given(name, variableOf(name), tables.settings) ?? fallback] as const;
  });
  const config = Object.fromEntries(settings.map(([name, one]) => [name, readSetting(name, one, path)]));
  config["dataDir"] ||= userDataDir(environment);
  const own = command.flags.map((name) => [name, given(name, variableOf(name, command.command), tables.own)]);
  // Both records were built from SETTING_NAMES, each value by its own parser.
  return {
    config: config as Config,
    origins: Object.fromEntries(settings) as LoadedConfig["origins"],
    own: Object.fromEntries(own),
  };
}

/** The text of a setting with secrets, and passwords in URLs, masked. */
function shownSetting(name: SettingName, text: string): string {
  return SETTINGS[name].secret && text !== ""
    ? "********"
    : text
        .replace(/\/\/[^/@\s]*@/, "//********@")
        .replace(/^([a-z][a-z0-9+.-]*:\/\/[^?#\s]*\?)[^#\s]+/i, "$1********");
}

/** A setting in force, for people: its value with secrets masked, and where it was set. */
export interface ShownSetting {
  /** Without the dashes. */
  flag: string;
  variable: string;
  value: unknown;
  origin: SettingOrigin;
  about: string;
}

/** Every setting, in table order. */
export function shownSettings(config: Config, origins: LoadedConfig["origins"] | null): ShownSetting[] {
  return SETTING_NAMES.map((name) => {
    const read = config[name];
    const shown = (text: string) => shownSetting(name, text);
    const { origin, text: given } = origins?.[name] ?? { origin: "default" as const, text: String(read) };
    // A duration is `5m`, not its milliseconds.
    const plain = typeof read === "number" && String(read) !== given ? given : read;
    const value = Array.isArray(read) ? read.map(shown) : typeof read === "string" ? shown(read) : plain;
    return { flag: flagOf(name), variable: variableOf(name), value, origin, about: SETTINGS[name].about };
  });
}

/** A flag with an invalid value: wrong usage. The same value in a file or the environment is an `OperatorError`. */
export class FlagError extends OperatorError {}

/** @param path of the configuration file, for a message */
function readSetting(name: SettingName, { origin, text }: SettingText, path: string): unknown {
  const { reads, secret } = SETTINGS[name];
  const value: unknown = reads(secret === true ? withoutLineEnd(text) : text);
  if (!(value instanceof Unreadable)) return value;
  const message = `Cannot read ${nameWhereSet(name, origin)} ${JSON.stringify(shownSetting(name, text))}: expected ${value.expected}${origin === "file" ? ` (in ${path})` : ""}.`;
  throw origin === "flag" ? new FlagError(message) : new OperatorError(message);
}

/** A setting or flag as it is called where it was set. @param command of a flag */
export function nameWhereSet(name: string, origin: SettingOrigin, command = ""): string {
  const ofTable = command === "" ? "" : ` of [${command}] in the configuration file`;
  return {
    flag: `--${flagOf(name)}`,
    environment: variableOf(name, command),
    file: flagOf(name) + ofTable,
    default: name,
  }[origin];
}

/** A refusal that calls settings by what they are called where they were set; commands, and what is to be set, stay. */
export function namedWhereSet(error: OperatorError, { origins }: LoadedConfig): OperatorError {
  const byFlag = new Map(SETTING_NAMES.map((name) => [`--${flagOf(name)}`, name]));
  const message = error.message
    .split(/(execcomp [a-z][^.`)]*)/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replaceAll(/(?<!\b(?:Set|Add|Use) )--[a-z][a-z-]*/g, (flag) => {
            const name = byFlag.get(flag);
            const origin = name === undefined ? "default" : origins[name].origin;
            if (name === undefined || name === "dataDir" || origin === "default") return flag;
            return nameWhereSet(name, origin) + (origin === "file" ? " (configuration file)" : "");
          }),
    )
    .join("");
  return message === error.message ? error : new OperatorError(message);
}

/** A secret without a trailing line end, as from `KEY=$(<file; echo)` or an environment file. */
export function withoutLineEnd(secret: string): string {
  return secret.replace(/[\r\n]+$/, "");
}

/** Texts by the names of their flags, without the dashes. */
type Texts = Record<string, string>;

function readFile(path: string, command: OwnFlags): { settings: Texts; own: Texts } {
  let text = "";
  let parsed: Record<string, unknown>;
  try {
    text = readFileSync(path, "utf8");
    // Bun's parser returns a plain object for any TOML document.
    parsed = Bun.TOML.parse(text) as Record<string, unknown>;
  } catch (cause) {
    const place = cause instanceof SyntaxError ? `, line ${wrongLine(text)}` : "";
    const why = messageOf(cause).replace("TOML Parse error: ", "");
    throw new OperatorError(`Cannot read the configuration file ${path}${place}: ${why}.`);
  }
  const flags = SETTING_NAMES.map(flagOf);
  const tables: { settings: Texts; own: Texts } = { settings: {}, own: {} };
  for (const [key, value] of Object.entries(parsed)) {
    if (isTable(value)) {
      requireKnown(`table ${JSON.stringify(key)}`, key, command.commands, path);
      if (key !== command.command) continue;
      for (const [flag, text] of Object.entries(value)) {
        if (flags.includes(flag) && !command.flags.map(flagOf).includes(flag))
          throw new OperatorError(
            `${JSON.stringify(flag)} in ${path} is a setting, not a flag of "${key}": move it above the first [table].`,
          );
        requireKnown(`flag ${JSON.stringify(flag)} of "${key}"`, flag, command.flags.map(flagOf), path);
        tables.own[flag] = String(text);
      }
    } else {
      requireKnown(`setting ${JSON.stringify(key)}`, key, flags, path);
      tables.settings[key] = String(value);
    }
  }
  return tables;
}

/** The number of the line at which a text stops being TOML, from 1: Bun's parser says 1 for every error. */
function wrongLine(text: string): number {
  const lines = text.split("\n");
  const isToml = (count: number): boolean => {
    try {
      Bun.TOML.parse(lines.slice(0, count).join("\n"));
      return true;
    } catch {
      return false;
    }
  };
  let good = lines.length - 1;
  while (!isToml(good)) good--;
  return good + 1;
}

function requireKnown(what: string, key: string, names: readonly string[], path: string): void {
  if (names.includes(key)) return;
  const meant = nearest(key, names);
  throw new OperatorError(
    `Unknown ${what} in ${path}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
  );
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function userDataDir(environment: Readonly<Record<string, string | undefined>>): string {
  const home = userHome();
  if (process.platform === "win32")
    return join(environment["LOCALAPPDATA"] ?? home ?? "C:\\ProgramData", "execcomp");
  if (process.platform === "darwin" && home !== null)
    return join(home, "Library", "Application Support", "execcomp");
  const data = environment["XDG_DATA_HOME"] ?? (home === null ? "/var/lib" : join(home, ".local", "share"));
  return join(data, "execcomp");
}

/** Null for a user without a home folder, as in containers and systemd services. */
function userHome(): string | null {
  try {
    return homedir() || null;
  } catch {
    // No HOME, and no entry in the user database.
    return null;
  }
}
