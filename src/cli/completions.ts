/** Completion in a shell: its script asks this program what may come next, so that values are those of this version and dataset. */
import { flagOf, SETTINGS } from "../config.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { openDataset } from "../dataset/snapshots.ts";
import { normalizeSymbol } from "../domain/company.ts";
import { readRows } from "../domain/row-fields.ts";
import { type Command, command, type Flag } from "./command.ts";
import type { CommandList } from "./help.ts";
import { COMMON_FLAGS, settingsOf } from "./parse-line.ts";

/** The scripts by shell. Each calls the hidden command `complete` with the words of the line up to the one being typed. */
const SCRIPTS = {
  bash: `# bash completion for execcomp
_execcomp() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}" offers
  offers=$("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ "$offers" = :files ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$(cut -f 1 <<<"$offers")" -- "$current"))
  fi
}
complete -F _execcomp execcomp
`,
  zsh: `#compdef execcomp
_execcomp() {
  local -a lines offers
  lines=("\${(@f)$($words[1] complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $lines[1] == :files ]]; then _files; return; fi
  local line
  for line in $lines; do offers+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); done
  (( $#offers )) && _describe execcomp offers
}
# Found by its name in $fpath, or sourced.
if [ "$funcstack[1]" = _execcomp ]; then _execcomp "$@"; else compdef _execcomp execcomp; fi
`,
  fish: `# fish completion for execcomp
function __execcomp_offers
  set -l words (commandline -opc) (commandline -ct)
  set -l offers ($words[1] complete -- $words[2..-1] 2>/dev/null)
  if test "$offers[1]" = :files
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $offers
  end
end
complete -c execcomp -f -a '(__execcomp_offers)'
`,
} as const;
const SHELLS = Object.keys(SCRIPTS);

/** The scripts by file name, as packages install them. */
export const COMPLETION_FILES: Readonly<Record<string, string>> = {
  "execcomp.bash": SCRIPTS.bash,
  _execcomp: SCRIPTS.zsh,
  "execcomp.fish": SCRIPTS.fish,
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

/** What a shell may offer: a word and what it means. */
type Offer = readonly [word: string, about: string];

/** Tells a shell to offer its own files. */
const FILES = "files";

/** `execcomp complete -- WORDS…`: used by the scripts, and not listed. */
export const completeFor = ({ names, load }: CommandList) =>
  command({
    name: "complete",
    summary: "List what may come next on a command line.",
    operands: [
      { name: "WORDS", about: "The words so far; the last one is being typed.", many: true, optional: true },
    ],
    async run({ operands }, io) {
      const dataset = () => openDataset(io.loaded.config.dataDir);
      const offers = await offersFor({ names, load }, operands, dataset);
      if (offers === FILES) io.print(":files");
      else
        for (const [word, about] of offers)
          if (word.startsWith(operands.at(-1)?.replace(/^--[^=]*=/, "") ?? "")) io.print(`${word}\t${about}`);
    },
  });

async function offersFor(
  { names, load }: CommandList,
  given: readonly string[],
  dataset: () => Dataset,
): Promise<readonly Offer[] | typeof FILES> {
  // Bash splits `--format=csv` at the sign.
  const words = given.flatMap((word) => (word.startsWith("--") ? word.split(/(?<=^[^=]*)=/) : [word]));
  const before = words.slice(0, -1).filter((word) => word !== "=");
  const current = (words.at(-1) ?? "").replace(/^=$/, "");
  const name = names.findLast((one) => isStart(one.split(" "), before));
  if (name === undefined || (before.length === 1 && names.some((one) => one.startsWith(`${before[0]} `))))
    return nextWords(names, before, load);
  const one = await load(name);
  const flags = flagsOf(one);
  const previous = before.at(-1) ?? "";
  const isValue = before.length > name.split(" ").length && flags.get(previous)?.value !== undefined;
  if (isValue) return valuesOf(flags.get(previous), current, dataset);
  if (current.startsWith("-")) return [...flags].map(([flag, { about }]): Offer => [flag, about]);
  const operands = before
    .slice(name.split(" ").length)
    .filter((word, at, all) => !word.startsWith("-") && flags.get(all[at - 1] ?? "")?.value === undefined);
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
): Promise<Offer[]> {
  const at = before.length;
  const found = names.filter((one) => isStart(before, one.split(" ")) && one.split(" ").length > at);
  const groups = Map.groupBy(found, (one) => one.split(" ")[at] ?? "");
  return Promise.all(
    [...groups].map(async ([word, [first = "", ...more]]): Promise<Offer> => {
      if (first.split(" ").length === at + 1) return [word, (await load(first)).summary];
      return [word, [first, ...more].map((one) => one.split(" ").at(-1)).join(", ")];
    }),
  );
}

function flagsOf(one: Command): Map<string, Pick<Flag, "about" | "value" | "values" | "choices">> {
  const own = Object.entries<Flag>({ ...one.flags, ...COMMON_FLAGS });
  const settings = settingsOf(one).map((name): [string, Flag] => {
    const { about, value } = SETTINGS[name];
    return [name, value === null ? { about } : { about, value }];
  });
  return new Map([...own, ...settings].map(([name, flag]) => [`--${flagOf(name)}`, flag]));
}

function valuesOf(
  flag: Pick<Flag, "value" | "values" | "choices"> | undefined,
  current: string,
  dataset: () => Dataset,
): readonly Offer[] | typeof FILES {
  const { value = "", values, choices } = flag ?? {};
  if (/\b(?:FILE|DIR|FOLDER|PATH)\b/.test(value)) return FILES;
  const words = choices ?? values ?? (/^(?:A,B|T,|TICKER)/.test(value) ? dataset().tickers() : []);
  // Of a list, the last item is being typed; `-total` sorts the other way round.
  const typed = /^(?:.*,|-)/.exec(current)?.[0] ?? "";
  return words.map((word) => [`${typed}${word}`, ""]);
}

/** @param given the operands before the one being typed */
function operandsOf(
  { operands }: Command,
  given: readonly string[],
  current: string,
  dataset: () => Dataset,
): readonly Offer[] | typeof FILES {
  const last = operands.at(-1);
  const one = operands[given.length] ?? (last?.many ? last : undefined);
  if (one === undefined) return [];
  if (/^(?:FILE|ADDRESS|.)$/.test(one.name)) return FILES;
  if (one.choices !== undefined) return one.choices.map((word) => [word, ""]);
  if (one.name === "TICKER") {
    const isLower = current !== "" && current === current.toLowerCase();
    return dataset()
      .tickers()
      .map((word) => [isLower ? word.toLowerCase() : word, ""]);
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
