import { shownSettings } from "../config/load.ts";
import { flagOf, SETTING_GROUPS, type SettingName, variableOf } from "../config/settings.ts";
import { type Command, type Flag, UsageError, command } from "./command.ts";
import { wrapped } from "../lib/text-table.ts";
import {
  COMMON_FLAGS,
  COMMON_SETTINGS,
  didYouMean,
  isSwitch,
  settingFlags,
  settingsOf,
} from "./parse-line.ts";

/** The commands available to help. */
export interface CommandList {
  names: readonly string[];
  load(name: string): Promise<Command>;
}

/** `execcomp help [COMMAND]` */
export const helpFor = ({ names: all, load }: CommandList) =>
  command({
    name: "help",
    summary: "List the commands, or explain one with examples.",
    operands: [{ name: "COMMAND", about: "The command to explain.", optional: true, many: true }],
    examples: [
      ["help", "All commands."],
      ["help keys create", "One command."],
    ],
    async run({ operands }, io) {
      const topic = operands.join(" ");
      const nouns = [...new Set(all.map((name) => name.split(" ")[0] ?? name))];
      const names = all.filter((name) => name === topic || name.startsWith(`${topic} `));
      const commands = await Promise.all((topic === "" ? all : names).map(load));
      if (commands.length === 0)
        throw new UsageError(
          `Unknown command ${JSON.stringify(topic)}.${didYouMean(topic, nouns) || didYouMean(topic, all)} See: execcomp help`,
        );
      if (io.json) io.printJson(commands.map(describe));
      else if (topic === "") io.print(overview(commands, io.columns));
      else io.print(commands.map((one) => helpPage(one, io.columns).trimEnd()).join("\n\n\n"));
    },
  });

const TRY = [
  "Try:",
  "  execcomp show AAPL                       a company's rows as a table",
  "  execcomp serve                           REST and MCP on http://localhost:8402",
  "  execcomp help serve                      one command with all its flags",
];

/** For a call without a command. */
export const SHORT_HELP = [
  "Usage: execcomp COMMAND [FLAGS]",
  "",
  ...TRY,
  "",
  "All commands: execcomp help",
].join("\n");

/** The overview of all commands. */
function overview(commands: readonly Command[], columns: number | null): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    wrapped(
      "execcomp: what public companies paid their named executive officers, from their own filings.",
      columns,
    ),
    "",
    "Usage: execcomp COMMAND [FLAGS]",
    "",
    ...commands.map(({ name, summary }) =>
      wrapped(`  ${name.padEnd(width)}  ${summary}`, columns, " ".repeat(width + 4)),
    ),
    "",
    "Try:",
    "  execcomp show AAPL                       a company's rows as a table",
    "  execcomp serve                           REST and MCP on http://localhost:8402",
    "  execcomp help serve                      one command with all its flags",
  ].join("\n");
}

/** The help page of a command, with a trailing newline. @param width of the terminal; null if there is none */
export function helpPage(one: Command, width: number | null = null): string {
  const tables: readonly HelpTable[] = [
    ["Arguments", one.operands.map(({ name, about }) => [name, about])],
    ["Examples", one.examples.map(([line, about]) => [`execcomp ${line}`, about])],
    ...flagTables(one.flags),
    ...settingTables(settingsOf(one).filter((name) => !COMMON_SETTINGS.includes(name))),
    ["Every command takes", flagLines({ ...settingFlags(COMMON_SETTINGS), ...COMMON_FLAGS })],
  ];
  const sections = [
    wrapped(`Usage: execcomp ${usageLine(one)}`, width, "  "),
    wrapped(one.summary, width),
    wrapped((one.details ?? "").replaceAll(/\n(?=[^\s])/g, width === null ? "\n" : " "), width),
    ...tables.map(([title, rows]) => titled(title, rows, width)),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

/** A heading and its lines. */
type HelpTable = readonly [title: string, rows: readonly HelpRow[]];

/** More lines of flags than this stand under several headings. */
const MAX_LINES = 12;

function flagTables(flags: Readonly<Record<string, Flag>>): HelpTable[] {
  if (flagLines(flags).length <= MAX_LINES) return [["Flags", flagLines(flags)]];
  const groups = Map.groupBy(Object.entries(flags), ([, { group = "Flags" }]) => group);
  return [...groups].map(([title, of]) => [title, flagLines(Object.fromEntries(of))]);
}

function settingTables(settings: readonly SettingName[]): HelpTable[] {
  const about = "each also EXECCOMP_… or a key of the configuration file";
  if (settings.length <= MAX_LINES) return [[`Settings (${about})`, flagLines(settingFlags(settings))]];
  return Object.entries(SETTING_GROUPS).map(([title, names], at) => [
    at === 0 ? `Settings (${about}): ${title}` : `Settings: ${title}`,
    flagLines(settingFlags(names.filter((name) => settings.includes(name)))),
  ]);
}

/** With more flags than this, the usage line shows only `[FLAGS]`. */
const MAX_FLAGS_IN_LINE = 8;

/** `keys create --user EMAIL [--name NAME]` */
export function usageLine(one: Command): string {
  const operands = one.operands.map(({ name, optional, many }) => {
    const shown = many === true ? `${name}…` : name;
    return optional ? `[${shown}]` : shown;
  });
  const own = Object.entries(one.flags).map(([name, { value, required }]) => {
    const shown = `--${flagOf(name)}${value ? ` ${value}` : ""}`;
    return required ? shown : `[${shown}]`;
  });
  return [one.name, ...operands, ...(own.length > MAX_FLAGS_IN_LINE ? ["[FLAGS]"] : own)].join(" ");
}

function describe(one: Command) {
  const { name, summary, operands } = one;
  const flags = Object.entries(one.flags).map(([flag, { about, value, required }]) => ({
    flag: `--${flagOf(flag)}`,
    variable: variableOf(flag, name),
    value: value ?? null,
    required: required ?? false,
    about,
  }));
  return { name, summary, usage: usageLine(one), operands, flags, settings: settingsOf(one).map(flagOf) };
}

type HelpRow = readonly [left: string, right: string];

function flagLines(flags: Readonly<Record<string, Flag>>): HelpRow[] {
  return flagsTogether(flags).map(({ names: [name = "", ...more], flag }) => {
    const short = name === "help" ? "-h, " : "";
    const ends = more.map((other) => `|${flagOf(other).replace(/.*-/, "")}`).join("");
    const standard = isSwitch(flag) || !flag.fallback ? "" : ` Default ${flag.fallback.replace(/\.$/, "")}.`;
    return [`${short}--${flagOf(name)}${ends}${flag.value ? ` ${flag.value}` : ""}`, flag.about + standard];
  });
}

/** Groups flags for help: `--salary-gte` and the other bounds of an amount share one line. */
function flagsTogether(flags: Readonly<Record<string, Flag>>): { names: string[]; flag: Flag }[] {
  const lines = Map.groupBy(Object.entries(flags), ([name, { together }]) => together ?? name);
  return [...lines.values()].flatMap((line) => {
    const flag = line[0]?.[1];
    if (flag === undefined) return [];
    return [{ names: line.map(([name]) => name), flag: { ...flag, about: flag.together ?? flag.about } }];
  });
}

/** Wider left columns have their text on the next line, on a terminal. */
const MAX_LEFT = 30;

function titled(title: string, rows: readonly HelpRow[], columns: number | null): string {
  if (rows.length === 0) return "";
  const widest = Math.max(...rows.map(([left]) => left.length));
  const room = columns === null ? widest : Math.min(widest, MAX_LEFT);
  const indent = " ".repeat(room + 4);
  const lines = rows.map(([left, right]) =>
    left.length > room
      ? `${wrapped(`  ${left}`, columns, "    ")}\n${wrapped(`${indent}${right}`, columns, indent)}`
      : wrapped(`  ${left.padEnd(room)}  ${right}`, columns, indent),
  );
  return [`${title}:`, ...lines].join("\n");
}

/** `execcomp config print` */
export const print = command({
  name: "config print",
  summary: "Show every setting and its source, with secrets masked.",
  settings: "all",
  examples: [
    ["config print", "The settings that a server would use."],
    ["config print --port 9000 --json", "The same with a flag, as JSON."],
  ],
  async run(_given, { loaded, json, ...io }) {
    const rows = shownSettings(loaded.config, loaded.origins).map(
      ({ flag: setting, variable, value, origin }) => ({ setting, variable, value, origin }),
    );
    if (json) return io.printJson(rows);
    const width = Math.max(...rows.map(({ setting }) => setting.length));
    for (const { setting, value, origin } of rows) {
      const shown = String(value ?? "") || "–";
      const from = origin === "default" ? "" : `  (${origin})`;
      io.print(`${setting.padEnd(width)}  ${shown}${from}`, " ".repeat(width + 2));
    }
  },
});
