/** What is offered at the end of a line: what the program answers, and what each installed shell makes of it. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_NAMES, loadCommand } from "../../src/cli/registry.ts";
import { flagOf, SETTINGS } from "../../src/config/settings.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const folder = tempFolder();
const scriptOf = async (shell: string) => (await cli("completions", shell)).out;

/** A line, and words offered at its end; with `only`, no others are. A shell is tried with the first five. */
const LINES: readonly (readonly [line: string, offered: readonly string[], only: "only" | "more"])[] = [
  ["sh", ["show"], "only"],
  ["show AAPL --as", ["--as-of"], "only"],
  ["query --ticker AAPL,MSF", ["AAPL,MSFT"], "only"],
  // No file is meant.
  ["query --executive ", [], "only"],
  ["", ["sql", "query", "data", "help"], "more"],
  ["keys ", ["create", "list", "revoke", "rotate"], "only"],
  ["show AAPL --format ", ["table", "csv", "json", "jsonl", "md"], "only"],
  ["keys create --us", ["--user"], "only"],
  ["data export --columns ", ["standard", "execucomp"], "only"],
  ["completions ", ["bash", "zsh", "fish"], "only"],
  ["show aap", ["aapl"], "only"],
  ["compare AAPL MSF", ["MSFT"], "only"],
  ["query --office ", ["ceo", "cfo", "other", "peo", "pfo"], "only"],
  ["query --sector heal", ["health_care"], "only"],
  ["query --sort -total_comp", ["-total_compensation"], "only"],
  ["stats --group-by sect", ["sector"], "only"],
  ["stats --field sal", ["salary"], "only"],
  // What a list has is not offered again.
  ["stats --group-by sector,sec", [], "only"],
  ["query --ticker AAPL,AAPL", [], "only"],
  ["query --index ", ["sp500"], "only"],
  ["ingest --ticker AAPL,MSF", ["AAPL,MSFT"], "only"],
  ["explain AAPL 202", ["2025", "2024", "2023", "2022", "2021", "2020"], "only"],
  ["explain aapl 2025 ti", ["tim-cook"], "only"],
  ["explain AAPL 2025 tim-cook sal", ["salary"], "only"],
  ["explain AAPL --format csv 2025 kev", ["kevan-parekh"], "only"],
  ["sql --max", ["--max-rows", "--max-seconds"], "only"],
];
const IN_SHELLS = LINES.slice(0, 5);

// The scripts ask the program for what may come next.
writeFileSync(
  join(folder, "execcomp"),
  `#!/bin/sh\nexec ${PROGRAM.map((word) => `'${word}'`).join(" ")} "$@"\n`,
  {
    mode: 0o755,
  },
);

function shell(name: string, words: readonly string[]): string {
  const child = Bun.spawnSync([name, ...words], {
    cwd: folder,
    timeout: 120_000,
    stdin: "ignore",
    env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}`, EXECCOMP_DATA_DIR: folder },
  });
  expect(child.stderr.toString()).toBe("");
  return child.stdout.toString();
}

function expectOffered(offered: readonly string[], expected: readonly string[], only: "only" | "more"): void {
  if (only === "only") expect(offered.toSorted()).toEqual(expected.toSorted());
  else for (const word of expected) expect(offered).toContain(word);
}

test.each(LINES)("complete -- %s", async (line, expected, only) => {
  const { out } = await cli("complete", "--", ...line.split(" "));
  const offered = out.split("\n").map((one) => one.split("\t")[0] ?? "");
  const last = line.split(" ").at(-1) ?? "";
  expectOffered(
    offered.filter((one) => one !== "" && one.startsWith(last)),
    expected,
    only,
  );
});

/** Skipped, with the reason, if the shell is not installed. */
function forShell(name: string, tests: () => void): void {
  const missing = process.platform === "win32" || Bun.which(name) === null;
  if (missing) console.log(`completions of ${name} are not tried: it is not installed`);
  describe.skipIf(missing)(name, tests);
}

forShell("bash", () => {
  test.each(IN_SHELLS)("execcomp %s", async (line, expected, only) => {
    const file = join(folder, "completion.bash");
    writeFileSync(file, await scriptOf("bash"));
    const words = ["execcomp", ...line.split(" ")].map((word) => `'${word}'`);
    const asked = `source ${file}; COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _execcomp`;
    const out = shell("bash", ["--norc", "-c", `${asked}; printf '%s\\n' "\${COMPREPLY[@]}"`]);
    expectOffered(out.split("\n").filter(Boolean), expected, only);
  });
});

forShell("fish", () => {
  test.each(IN_SHELLS)("execcomp %s", async (line, expected, only) => {
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
  test.each(IN_SHELLS)("execcomp %s", async (line, expected) => {
    writeFileSync(join(folder, "_execcomp"), await scriptOf("zsh"));
    const file = join(folder, "type.zsh");
    writeFileSync(file, TYPE_INTO_ZSH);
    const out = shell("zsh", ["-f", file, folder, `execcomp ${line}`, ...expected]);
    for (const word of expected) expect(out).toContain(`HIT ${word}`);
  });
});

test("files are offered where a file is meant, and nowhere else", async () => {
  const offered = async (...words: string[]) => (await cli("complete", "--", ...words)).out === ":files\n";
  const flags: string[] = [];
  const operands: string[] = [];
  for (const name of COMMAND_NAMES) {
    const { flags: own, operands: taken, settings } = await loadCommand(name);
    const isOwn = settings !== "all";
    const known = { ...(isOwn ? {} : SETTINGS), ...own };
    for (const [flag, { value }] of Object.entries<{ value?: string | null }>(known))
      if ((value ?? null) !== null && (await offered(...name.split(" "), `--${flagOf(flag)}`, "")))
        flags.push(flagOf(flag));
    const words = taken.map(({ name: one }) => one);
    for (const [at, one] of words.entries())
      if (await offered(...name.split(" "), ...words.slice(0, at), "")) operands.push(`${name} ${one}`);
  }
  expect([...new Set(flags)].toSorted()).toEqual([
    "backup-dir",
    "data-dir",
    "from",
    "from-dir",
    "html",
    "out",
    "report",
    "socket",
    "tls-cert",
    "tls-key",
    "to",
  ]);
  expect(operands).toEqual([
    "data verify FILE",
    "data install FILE",
    "data diff A",
    "data diff B",
    "parse FILE",
    "backup FILE",
    "restore FILE",
  ]);
}, 300_000);

test("every command is offered, hidden ones are not, and an unknown shell is refused", async () => {
  const offered = (await cli("complete", "--", "")).out.split("\n").map((line) => line.split("\t")[0]);
  for (const command of COMMAND_NAMES) expect(offered).toContain(command.split(" ")[0]);
  expect(offered).not.toContain("sql-process");
  expect((await cli("complete", "--", "parse", "")).out).toBe(":files\n");
  expect((await cli("complete", "--", "query", "--out", "x")).out).toBe(":files\n");
  expect(await cli("completions", "fsh")).toMatchObject({ code: 2, out: "" });
});
