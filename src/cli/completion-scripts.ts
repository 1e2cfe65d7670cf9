/** Completion scripts for common shells, generated from the commands. */
import { flagOf, SETTINGS } from "../config.ts";
import type { Command, Flag } from "./command.ts";
import { COMMON_FLAGS, settingsOf } from "./parse-line.ts";

/** A flag as offered by a shell. */
interface Offer {
  flag: string;
  about: string;
  /** Its accepted values, if they are limited. */
  choices: readonly string[];
  /** Whether it takes a value. */
  hasValue: boolean;
}

/** The scripts by file name, one per shell. */
export function completions(commands: readonly Command[]): Readonly<Record<string, string>> {
  return {
    "execcomp.bash": bash(commands),
    _execcomp: zsh(commands),
    "execcomp.fish": fish(commands),
    "execcomp.ps1": powershell(commands),
  };
}

function offersOf(one: Command): Offer[] {
  const own = Object.entries<Flag>({ ...one.flags, ...COMMON_FLAGS }).map(([name, flag]): Offer => ({
    flag: `--${flagOf(name)}`,
    about: flag.about,
    choices: flag.choices ?? [],
    hasValue: flag.value !== undefined,
  }));
  const settings = settingsOf(one).map((name): Offer => {
    const { about, value } = SETTINGS[name];
    return { flag: `--${flagOf(name)}`, about, choices: [], hasValue: value !== null };
  });
  return [...own, ...settings].toSorted((a, b) => (a.flag < b.flag ? -1 : 1));
}

/** First words, with the second words that can follow: `keys` with `create`, `list` and so on. */
function wordTree(commands: readonly Command[]): Map<string, string[]> {
  const tree = new Map<string, string[]>();
  for (const { name } of commands) {
    const [first = "", second] = name.split(" ");
    tree.set(first, [...(tree.get(first) ?? []), ...(second === undefined ? [] : [second])]);
  }
  return tree;
}

/** The accepted values of a command's first argument; empty if it is free text. */
function firstArgument({ operands: [first] }: Command): readonly string[] {
  return first?.choices ?? [];
}

/** Whether files are among a command's arguments; otherwise the shell should not offer any. */
function takesFiles({ operands }: Command): boolean {
  return operands.some(({ name }) => name === "FILE" || name.length === 1);
}

function bash(commands: readonly Command[]): string {
  const tree = wordTree(commands);
  const choices = commands.flatMap((one) =>
    offersOf(one)
      .filter((offer) => offer.choices.length > 0)
      .map((offer) => `    "${one.name} ${offer.flag}") words="${offer.choices.join(" ")}" ;;`),
  );
  return `# bash completion for execcomp
_execcomp() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  local first="\${COMP_WORDS[1]}" name="\${COMP_WORDS[1]}"
  case "$first" in
    ${[...tree]
      .filter(([, seconds]) => seconds.length > 0)
      .map(([first]) => first)
      .join("|")}) name="$first \${COMP_WORDS[2]}" ;;
  esac
  case "$name $previous" in
${choices.join("\n")}
  esac
  if [ -z "$words" ] && [ "$COMP_CWORD" = 1 ]; then
    words="${[...tree.keys()].join(" ")}"
  elif [ -z "$words" ] && [ "$COMP_CWORD" = 2 ] && [[ "$current" != -* ]]; then
    case "$first" in
${[...tree]
  .filter(([, seconds]) => seconds.length > 0)
  .map(([first, seconds]) => `      ${first}) words="${seconds.join(" ")}" ;;`)
  .join("\n")}
    esac
  fi
  if [ -z "$words" ] && [[ "$current" != -* ]]; then
    case "$name $COMP_CWORD" in
${commands
  .filter((one) => firstArgument(one).length > 0)
  .map(
    (one) =>
      `      "${one.name} ${one.name.split(" ").length + 1}") words="${firstArgument(one).join(" ")}" ;;`,
  )
  .join("\n")}
    esac
  fi
  if [ -z "$words" ] && [[ "$current" == -* ]]; then
    case "$name" in
${commands
  .map(
    (one) =>
      `      "${one.name}") words="${offersOf(one)
        .map((offer) => offer.flag)
        .join(" ")}" ;;`,
  )
  .join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _execcomp execcomp
`;
}

function zsh(commands: readonly Command[]): string {
  const quote = (text: string) => text.replaceAll("'", "'\\''");
  const label = (text: string) => quote(text).replaceAll(/[[\]:]/g, (sign) => `\\${sign}`);
  const entries = commands.map(({ name, summary }) => `    '${name.replace(" ", "\\ ")}:${label(summary)}'`);
  const cases = commands.map((one) => {
    const flags = offersOf(one).map(({ flag, about, hasValue, choices }) => {
      const value = !hasValue ? "" : choices.length > 0 ? `:value:(${choices.join(" ")})` : ":value:_files";
      return `'${flag}[${label(about)}]${value}'`;
    });
    const place = one.name.split(" ").length + 1;
    const first = firstArgument(one).length > 0 ? [`'${place}:value:(${firstArgument(one).join(" ")})'`] : [];
    const rest = takesFiles(one) ? "'*:file:_files'" : "'*:argument: '";
    return `    '${one.name}') _arguments ${[...flags, ...first, rest].join(" ")} ;;`;
  });
  const nouns = [...wordTree(commands)].filter(([, seconds]) => seconds.length > 0);
  return `#compdef execcomp
_execcomp() {
  local name="$words[2]"
  case "$name" in
    ${nouns.map(([first]) => first).join("|")})
      if (( CURRENT == 3 )); then
        case "$name" in
${nouns.map(([first, seconds]) => `          ${first}) compadd ${seconds.join(" ")} ;;`).join("\n")}
        esac
        return
      fi
      name="$name $words[3]" ;;
  esac
  local -a commands=(
${entries.filter((entry) => !entry.includes("\\ ")).join("\n")}
${nouns
  .filter(([first]) => !commands.some((one) => one.name === first))
  .map(([first, seconds]) => `    '${first}:${seconds.join(", ")}'`)
  .join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$name" in
${cases.join("\n")}
  esac
}
# Found by its name in $fpath, or sourced.
if [ "$funcstack[1]" = _execcomp ]; then _execcomp "$@"; else compdef _execcomp execcomp; fi
`;
}

function fish(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replaceAll(/['\\]/g, (sign) => `\\${sign}`)}'`;
  const lines = commands.flatMap((one) => {
    const [first = "", second] = one.name.split(" ");
    const isThis =
      second === undefined
        ? `__fish_seen_subcommand_from ${first}`
        : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
    const place =
      second === undefined
        ? `complete -c execcomp -n __fish_use_subcommand -a ${first} -d ${quote(one.summary)}`
        : `complete -c execcomp -n '__fish_seen_subcommand_from ${first}; and test (count (commandline -opc)) = 2' -a ${second} -d ${quote(one.summary)}`;
    const flags = offersOf(one).map(({ flag, about, hasValue, choices }) => {
      const value = choices.length > 0 ? ` -x -a ${quote(choices.join(" "))}` : hasValue ? " -r" : "";
      return `complete -c execcomp -n ${quote(isThis)} -l ${flag.slice(2)}${value} -d ${quote(about)}`;
    });
    const words = firstArgument(one).map((word) => `complete -c execcomp -n ${quote(isThis)} -a ${word}`);
    const noFiles = takesFiles(one) ? [] : [`complete -c execcomp -n ${quote(isThis)} -f`];
    return [place, ...noFiles, ...words, ...flags];
  });
  const nouns = [...wordTree(commands)].filter(
    ([first, seconds]) => seconds.length > 0 && !commands.some((one) => one.name === first),
  );
  const firsts = nouns.map(
    ([first, seconds]) =>
      `complete -c execcomp -n __fish_use_subcommand -a ${first} -d ${quote(seconds.join(", "))}`,
  );
  const noFiles = [
    "complete -c execcomp -n __fish_use_subcommand -f",
    ...nouns.map(
      ([first]) =>
        `complete -c execcomp -n '__fish_seen_subcommand_from ${first}; and test (count (commandline -opc)) = 2' -f`,
    ),
  ];
  return `# fish completion for execcomp\n${[...noFiles, ...firsts, ...lines].join("\n")}\n`;
}

function powershell(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const entries = commands.map(
    (one) =>
      `    ${quote(one.name)} = @(${offersOf(one)
        .map((offer) => quote(offer.flag))
        .join(", ")})`,
  );
  return `# PowerShell completion for execcomp
Register-ArgumentCompleter -Native -CommandName execcomp -ScriptBlock {
  param($word, $ast, $position)
  $commands = [ordered]@{
${entries.join("\n")}
  }
  $typed = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  $name = $typed | Select-Object -First 1
  if ($typed.Count -ge 2 -and $commands.Contains("$name $($typed[1])")) { $name = "$name $($typed[1])" }
  $offers = if ($word -like '-*' -and $commands.Contains("$name")) { $commands["$name"] }
    elseif ($typed.Count -le 1) { $commands.Keys | ForEach-Object { $_.Split(' ')[0] } | Select-Object -Unique }
    else { $commands.Keys | Where-Object { $_ -like "$($typed[0]) *" } | ForEach-Object { $_.Split(' ')[1] } }
  $offers | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
