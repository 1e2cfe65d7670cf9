/** What each shell offers at the end of a line, as reported by the shell itself if it is installed. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_NAMES } from "../../src/cli/registry.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
const scriptOf = async (shell: string) => (await cli("completions", shell)).out;

/** A line, and words offered at its end; with `only`, no others are. */
const LINES: readonly (readonly [line: string, offered: readonly string[], only: "only" | "more"])[] = [
  ["sh", ["show"], "only"],
  ["keys ", ["create", "list", "revoke", "rotate", "rename"], "only"],
  ["show AAPL --as", ["--as-of"], "only"],
  ["show AAPL --format ", ["table", "csv", "json", "jsonl", "md"], "only"],
  ["keys create --us", ["--user"], "only"],
  ["data export --columns ", ["standard", "execucomp"], "only"],
  ["completions ", ["bash", "zsh", "fish", "powershell"], "only"],
  ["sql --max", ["--max-rows", "--max-seconds"], "only"],
  ["", ["sql", "query", "data", "help"], "more"],
];

function shell(name: string, words: readonly string[]): string {
  const child = Bun.spawnSync([name, ...words], { cwd: folder, timeout: 120_000, stdin: "ignore" });
  expect(child.stderr.toString()).toBe("");
  return child.stdout.toString();
}

function expectOffered(offered: readonly string[], expected: readonly string[], only: "only" | "more"): void {
  if (only === "only") expect(offered.toSorted()).toEqual(expected.toSorted());
  else for (const word of expected) expect(offered).toContain(word);
}

/** Skipped, with the reason, if the shell is not installed. */
function forShell(name: string, tests: () => void): void {
  const missing = process.platform === "win32" || Bun.which(name) === null;
  if (missing) console.log(`completions of ${name} are not tried: it is not installed`);
  describe.skipIf(missing)(name, tests);
}

forShell("bash", () => {
  test.each(LINES)("execcomp %s", async (line, expected, only) => {
    const file = join(folder, "completion.bash");
    writeFileSync(file, await scriptOf("bash"));
    const words = ["execcomp", ...line.split(" ")].map((word) => `'${word}'`);
    const asked = `source ${file}; COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _execcomp`;
    const out = shell("bash", ["--norc", "-c", `${asked}; printf '%s\\n' "\${COMPREPLY[@]}"`]);
    expectOffered(out.split("\n").filter(Boolean), expected, only);
  });
});

forShell("fish", () => {
  test.each(LINES)("execcomp %s", async (line, expected, only) => {
    const file = join(folder, "completion.fish");
    writeFileSync(file, await scriptOf("fish"));
    const out = shell("fish", ["--no-config", "-c", `source ${file}; complete -C 'execcomp ${line}'`]);
    const offered = out
      .split("\n")
      .filter(Boolean)
      .map((one) => one.split("\t")[0] ?? "");
    expectOffered(offered, expected, only);
  });
});

/** Types a line and the tab key into a new zsh; prints each word offered, and ends after the last expected one. */
const TYPE_INTO_ZSH = `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "fpath=($1 \\$fpath); autoload -Uz compinit; compinit -D -u; LISTMAX=1000"
zpty -w z 'compadd () { typeset -a hits; builtin compadd -A hits "$@"; [[ -n $hits ]] && print -rl -- "HIT "\${^hits}; builtin compadd "$@" }'
zpty -n -w z "$2"$'\\t'
shift 2
seen=
for word in "$@"; do
  until [[ $seen = *"HIT $word"[[:space:]]* ]]; do zpty -r z piece && seen+=$piece || exit 1; done
done
print -r -- "$seen"
`;

forShell("zsh", () => {
  test.each(LINES)("execcomp %s", async (line, expected) => {
    writeFileSync(join(folder, "_execcomp"), await scriptOf("zsh"));
    const file = join(folder, "type.zsh");
    writeFileSync(file, TYPE_INTO_ZSH);
    const out = shell("zsh", ["-f", file, folder, `execcomp ${line}`, ...expected]);
    for (const word of expected) expect(out).toContain(`HIT ${word}`);
  });
});

test("every shell's script contains every command, and an unknown shell is refused", async () => {
  for (const name of ["bash", "zsh", "fish", "powershell"]) {
    const script = await scriptOf(name);
    for (const command of COMMAND_NAMES) expect(script).toContain(command.split(" ").at(-1) ?? "");
    expect(script).not.toContain("sql-process");
  }
  expect(await cli("completions", "fsh")).toMatchObject({ code: 2, out: "" });
});
