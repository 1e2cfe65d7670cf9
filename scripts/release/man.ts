/**
 * The manual page, generated from the table of commands. @see man-pages(7) for the sections, groff_man(7) for the
 * macros
 */
import type { Command, Flag } from "../../src/cli/command.ts";
import { usageLine } from "../../src/cli/help.ts";
import { COMMON_FLAGS, COMMON_SETTINGS } from "../../src/cli/parse-line.ts";
import { flagOf, SETTING_NAMES, SETTINGS, type SettingName, variableOf } from "../../src/config/settings.ts";

/** `execcomp.1` as groff source. */
export function manPage(commands: readonly Command[], version: string, date: Date): string {
  return [
    `.TH EXECCOMP 1 "${date.toISOString().slice(0, 10)}" "execcomp ${version}" "User Commands"`,
    ".SH NAME",
    "execcomp \\- pay of named executive officers from SEC proxy statements",
    ".SH SYNOPSIS",
    ".B execcomp",
    "[\\fICOMMAND\\fR] [\\fIFLAGS\\fR]",
    ".SH DESCRIPTION",
    roff(
      "One executable with its own dataset: rows of the Summary Compensation Tables of public companies, each with the filing that it was read from. It needs no network and no account. It answers on the command line, over REST and MCP, and on pages. Without a command it serves.",
    ),
    ".SH COMMANDS",
    ...commands.flatMap(commandSection),
    ".SH OPTIONS",
    "Every command takes:",
    ...COMMON_SETTINGS.flatMap(settingItem),
    ...Object.entries<Flag>(COMMON_FLAGS).flatMap(flagItem),
    ".SH SETTINGS",
    roff(
      "A setting is a flag of the commands that use it, an environment variable and a key of the configuration file (TOML), in that order of precedence.",
    ),
    ...SETTING_NAMES.filter((name) => !COMMON_SETTINGS.includes(name)).flatMap(settingItem),
    ".SH EXIT STATUS",
    ".TP\n0\nThe answer was given.",
    ".TP\n1\nIt was refused; standard error says why.",
    ".TP\n2\nThe command line could not be read.",
    ".SH FILES",
    ".TP\n\\fI~/.local/share/execcomp\\fR\nData folder, unless \\fB\\-\\-data\\-dir\\fR names another.",
    ".SH EXAMPLES",
    ...commands.flatMap((one) => one.examples.slice(0, 1)).flatMap(example),
    "",
  ].join("\n");
}

function commandSection(one: Command): string[] {
  return [
    `.SS ${roff(one.name)}`,
    `.B execcomp ${roff(usageLine(one))}`,
    ".PP",
    roff(one.summary),
    ...(one.details === undefined ? [] : [".PP", roff(one.details)]),
    ...one.operands.flatMap(({ name, about }) => [".TP", `\\fI${roff(name)}\\fR`, roff(about)]),
    ...Object.entries(one.flags).flatMap(flagItem),
  ];
}

function flagItem([name, { value, about }]: [string, Flag]): string[] {
  return [".TP", optionText(name, value ?? null), roff(about)];
}

function settingItem(name: SettingName): string[] {
  const { value, about, fallback } = SETTINGS[name];
  const standard = fallback === "" || value === null ? "" : ` Default: ${fallback}.`;
  return [".TP", optionText(name, value), roff(`${about}${standard} (${variableOf(name)})`)];
}

function optionText(name: string, value: string | null): string {
  const operand = value === null ? "" : ` \\fI${roff(value)}\\fR`;
  return `\\fB${roff(`--${flagOf(name)}`)}\\fR${operand}`;
}

function example([line, about]: readonly [string, string]): string[] {
  return [".TP", `.B execcomp ${roff(line)}`, roff(about)];
}

const SPECIAL: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "-": "\\-",
  "'": "\\(aq",
  "`": "",
  "…": "...",
};

/** Text escaped for groff, so that no line is taken for a request. */
function roff(text: string): string {
  const escaped = text.replaceAll(/[\\\-'`…]/g, (sign) => SPECIAL[sign] ?? sign);
  return escaped.replaceAll(/^\./gm, "\\&.").replaceAll(/\n+/g, "\n");
}
