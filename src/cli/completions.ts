/**
 * Shell completion: the shell's script asks this program for candidates, so that values match this version and
 * dataset.
 */
import { flagOf } from "../config/settings.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { openDataset } from "../dataset/snapshots.ts";
import { normalizeSymbol } from "../domain/company.ts";
import { readRows } from "../domain/row-fields.ts";
import { type Command, command, type Flag } from "./command.ts";
import type { CommandList } from "./help.ts";
import { acceptedFlags } from "./parse-line.ts";
import bash from "./completions/execcomp.bash" with { type: "text" };
import zsh from "./completions/execcomp.zsh" with { type: "text" };
import fish from "./completions/execcomp.fish" with { type: "text" };

/** The scripts by shell. Each calls the hidden command `complete` with the words of the line up to the one being typed. */
const SCRIPTS = { bash, zsh, fish };
const SHELLS = Object.keys(SCRIPTS);

/** The scripts by file name, as packages install them. */
export const COMPLETION_FILES: Readonly<Record<string, string>> = {
  "execcomp.bash": bash,
  _execcomp: zsh,
  "execcomp.fish": fish,
};

/** `execcomp completions SHELL` */
export const completions = command({
  name: "completions",
  summary: "Print the completion script of a shell.",
  details:
    "bash:  source <(execcomp completions bash)       in ~/.bashrc\n" +
    "zsh:   source <(execcomp completions zsh)        in ~/.zshrc, after compinit\n" +
    "fish:  execcomp completions fish | source        in ~/.config/fish/config.fish",
  operands: [{ name: "SHELL", about: "One of bash, zsh, fish.", choices: SHELLS }],
  examples: [["completions bash", "The script for bash, to be sourced."]],
  async run({ operands: [shell = ""] }, io) {
    // Other values have been refused because of `choices`.
    const script = SCRIPTS[shell as keyof typeof SCRIPTS];
    if (io.json) io.printJson({ shell, script });
    else await io.write(script);
  },
});

/** A completion candidate: a word and its description. */
type Completion = readonly [word: string, about: string];

/** Tells the shell to complete file names. */
const FILES = "files";
type Completions = readonly Completion[] | typeof FILES;

/** `execcomp complete -- WORDS…`: used by the scripts, and not listed. */
export const completeFor = ({ names, load }: CommandList) =>
  command({
    name: "complete",
    summary: "List the completions of a command line.",
    operands: [
      { name: "WORDS", about: "The words so far, the last one incomplete.", many: true, optional: true },
    ],
    async run({ operands }, io) {
      const dataset = () => openDataset(io.loaded.config.dataDir);
      const completions = await completionsOf({ names, load }, operands, dataset);
      if (completions === FILES) return io.print(":files");
      const typed = operands.at(-1)?.replace(/^--[^=]*=/, "") ?? "";
      for (const [word, about] of completions) if (word.startsWith(typed)) io.print(`${word}\t${about}`);
    },
  });

async function completionsOf(
  { names, load }: CommandList,
  given: readonly string[],
  dataset: () => Dataset,
): Promise<Completions> {
  // Bash splits `--format=csv` at the sign.
  const words = given.flatMap((word) => (word.startsWith("--") ? word.split(/(?<=^[^=]*)=/) : [word]));
  const before = words.slice(0, -1).filter((word) => word !== "=");
  const current = (words.at(-1) ?? "").replace(/^=$/, "");
  const name = names.findLast((one) => isStart(one.split(" "), before));
  if (name === undefined || (before.length === 1 && names.some((one) => one.startsWith(`${before[0]} `))))
    return nextWords(names, before, load);
  const one = await load(name);
  const accepted = Object.entries(acceptedFlags(one));
  const flags = new Map(accepted.map(([flag, declared]) => [`--${flagOf(flag)}`, declared]));
  const previous = before.at(-1) ?? "";
  const awaited = before.length > name.split(" ").length ? flags.get(previous) : undefined;
  if (takesValue(awaited)) return valuesOf(awaited, current, dataset);
  if (current.startsWith("-")) return [...flags].map(([flag, { about }]): Completion => [flag, about]);
  const operands = before
    .slice(name.split(" ").length)
    .filter((word, at, all) => !word.startsWith("-") && !takesValue(flags.get(all[at - 1] ?? "")));
  return operandsOf(one, operands, current, dataset);
}

function isStart(name: readonly string[], words: readonly string[]): boolean {
  return name.length <= words.length && name.every((word, at) => word === words[at]);
}

/** The first or second words of commands. */
async function nextWords(
  names: readonly string[],
  before: readonly string[],
  load: CommandList["load"],
): Promise<Completion[]> {
  const at = before.length;
  const found = names.filter((one) => isStart(before, one.split(" ")) && one.split(" ").length > at);
  const groups = Map.groupBy(found, (one) => one.split(" ")[at] ?? "");
  return Promise.all(
    [...groups].map(async ([word, [first = "", ...more]]): Promise<Completion> => {
      if (first.split(" ").length === at + 1) return [word, (await load(first)).summary];
      return [word, [first, ...more].map((one) => one.split(" ").at(-1)).join(", ")];
    }),
  );
}

type Valued = Flag & { value: string };

function takesValue(flag: Flag | undefined): flag is Valued {
  return typeof flag?.value === "string";
}

function valuesOf({ value, values, choices }: Valued, current: string, dataset: () => Dataset): Completions {
  if (/\b(?:FILE|DIR|FOLDER|PATH)\b/.test(value)) return FILES;
  const words = choices ?? values ?? (/^(?:A,B|T,|TICKER)/.test(value) ? dataset().tickers() : []);
  // Of a list, the last item is being typed; `-total` sorts the other way round.
  const typed = /^(?:.*,|-)/.exec(current)?.[0] ?? "";
  const held = typed.split(",");
  return words.flatMap((word) => (held.includes(word) ? [] : [[`${typed}${word}`, ""]]));
}

/** @param given the operands before the one being typed */
function operandsOf(
  { operands }: Command,
  given: readonly string[],
  current: string,
  dataset: () => Dataset,
): Completions {
  const last = operands.at(-1);
  const one = operands[given.length] ?? (last?.many ? last : undefined);
  if (one === undefined) return [];
  if (/^(?:FILE|.)$/.test(one.name)) return FILES;
  if (one.choices !== undefined) return one.choices.map((word) => [word, ""]);
  if (one.name === "TICKER") {
    const tickers = dataset().tickers();
    const isLower = current !== "" && current === current.toLowerCase();
    return tickers.map((word) => [isLower ? word.toLowerCase() : word, ""]);
  }
  const [ticker = "", year] = operands[0]?.name === "TICKER" ? given : [];
  const company = dataset().findBySymbol(normalizeSymbol(ticker));
  const years = company === undefined ? [] : dataset().years(company.cik);
  if (one.name === "YEAR") return years.map(({ fiscalYear }) => [String(fiscalYear), ""]);
  if (one.name !== "ID") return [];
  return years
    .filter(({ fiscalYear }) => String(fiscalYear) === year)
    .flatMap(({ rowJson }) => readRows(ticker, rowJson))
    .map((row) => [row.executive_id, row.executive_name]);
}
