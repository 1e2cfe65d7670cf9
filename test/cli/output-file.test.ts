import { expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseLine } from "../../src/cli/parse-line.ts";
import { COMMAND_NAMES, loadCommand } from "../../src/cli/registry.ts";
import { PROGRAM } from "../support/program.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
const run = (...words: string[]) =>
  cli(...words, { environment: { EXECCOMP_DATA_DIR: join(folder, "data") } });

test.skipIf(process.platform === "win32")(
  "a pipe is never replaced by a file: results are written to it, an export is refused",
  async () => {
    const pipe = join(folder, "pipe");
    expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
    const refused = await run("data", "export", "--format", "csv", "--out", pipe);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is not a regular file")]);
    const reader = Bun.spawn(["cat", pipe], { stdout: "pipe" });
    const answered = await run("find", "apple", "--format", "json", "--out", pipe);
    expect(answered.code).toBe(0);
    expect(JSON.parse(await new Response(reader.stdout).text())).toHaveProperty("companies");
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(existsSync(`${pipe}.part`)).toBe(false);
  },
);

/** Every command that takes a path; each takes `PATH` in its place. */
const TAKES_PATH = [
  "parse PATH",
  "parse README.md --html PATH",
  "data verify PATH",
  "data install PATH",
  "data diff PATH current",
  "data export --format csv --out PATH",
  "data export --format parquet --view all --out PATH",
  "backup PATH",
  "restore PATH",
  "audit --out PATH",
  "audit --format csv --out PATH",
  "data diff embedded current --out PATH",
  "coverage --config PATH",
  "coverage --tickers --out PATH",
  "show AAPL --format jsonl --out PATH",
  "ingest --from-dir PATH",
  "ingest --from-dir docs/decisions --report PATH",
  "store copy --from PATH",
  "coverage --data-dir PATH",
  "users list --data-dir PATH",
  "serve --check --data-dir PATH",
  "serve --check --socket PATH --public-url https://pay.example.com",
  "serve --check --tls-cert PATH --tls-key README.md",
  "serve --check --tls-cert README.md --tls-key PATH",
];

/** No file system takes a name of this length. */
const TOO_LONG = "n".repeat(300);

/** A system's code, SQLite's or OpenSSL's words, a name of ours for an unfinished file, or the report of a bug. */
const RAW = /\bE[A-Z]{4,}\b|\bError\b|I\/O error|unable to open|system call|OPENSSL|\.part\b|bug in/;

test("what is wrong with a path is told in words, not by a system's code, and is never a bug", async () => {
  mkdirSync(join(folder, "a-folder"));
  writeFileSync(join(folder, "a-file"), "x");
  // A backup needs accounts.
  await run("credits", "grant", "--user", "ann@example.com", "--amount", "1");
  for (const line of TAKES_PATH)
    for (const place of ["a-folder", "a-file", "a-file/x", "missing/x", TOO_LONG]) {
      const { code, err } = await run(...line.replace("PATH", join(folder, place)).split(" "));
      const told = code === 0 ? "" : err.replaceAll(folder, "");
      expect([line, place, told]).toEqual([line, place, expect.not.stringMatching(RAW)]);
      expect([line, place, code === 0 || err.length > 10]).toEqual([line, place, true]);
      if (place === TOO_LONG) expect([line, told]).toEqual([line, expect.stringContaining("too long")]);
    }
}, 300_000);

/** Starts the program as a user who owns nothing; root may do everything. */
const AS_NOBODY = process.getuid?.() === 0 ? ["setpriv", "--reuid=54321", "--clear-groups"] : [];
const canBeNobody = process.platform !== "win32" && (AS_NOBODY.length === 0 || Bun.which("setpriv") !== null);
if (!canBeNobody) console.log("skipped: to run as a user without permissions needs setpriv");

test.skipIf(!canBeNobody)(
  "a path without permission is told as one, with what to do",
  () => {
    chmodSync(folder, 0o755);
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0 });
    writeFileSync(join(folder, "secret"), "x", { mode: 0 });
    const data = join(folder, "nobody");
    mkdirSync(data);
    chmodSync(data, 0o777);
    const told = (line: string, path: string) => {
      const words = line.replace("PATH", join(folder, path)).split(" ");
      const ran = Bun.spawnSync([...AS_NOBODY, ...PROGRAM, ...words], {
        env: { PATH: process.env["PATH"] ?? "", HOME: data, EXECCOMP_DATA_DIR: data },
        stdin: "ignore",
      });
      expect([line, ran.exitCode]).toEqual([line, 1]);
      return ran.stderr.toString();
    };
    expect(told("restore PATH", "secret")).toContain("secret: this user is not permitted to.");
    expect(told("restore PATH", "closed/x")).toContain("closed/x: this user is not permitted to.");
    expect(told("audit --out PATH", "closed/x")).toContain("Change its permissions, or use another path.");
    expect(told("audit --out PATH", "secret")).toContain(`not permitted to create files in ${folder}.`);
    expect(told("ingest --from-dir PATH", "closed")).toContain("closed. Change its permissions");
    expect(told("serve --check --tls-cert PATH --tls-key README.md", "secret")).toContain(
      "not permitted to.",
    );
    const socket = "serve --check --socket PATH --public-url https://pay.example.com";
    expect(told(socket, "closed/x")).toContain("Give a new path in a folder that this user may write to.");
  },
  300_000,
);

test("a file's ending says its format, for every command with --out; one that says another is refused", async () => {
  const commands = (await Promise.all(COMMAND_NAMES.map(loadCommand))).filter(({ flags }) => "out" in flags);
  expect(commands.length).toBeGreaterThan(10);
  const environment = { EXECCOMP_DATA_DIR: join(folder, "data") };
  for (const command of commands) {
    const choices = command.flags["format"]?.choices ?? [];
    const operands = command.operands.filter(({ optional }) => !optional).map(() => "x");
    const user = command.flags["user"]?.required ? ["--user", "ann@example.com"] : [];
    const formatOf = (...flags: string[]) =>
      parseLine(command, [...operands, ...user, ...flags], COMMAND_NAMES, environment).given.flags["format"];
    const line = (words: string) => `${command.name} ${words}`;
    for (const format of choices) {
      if (format !== "table" && format !== "sqlite-views")
        expect([line(format), formatOf("--out", `pay/Q.${format.toUpperCase()}`)]).toEqual([
          line(format),
          format,
        ]);
      for (const out of ["-", "pay", "pay.d/q", "q.txt", "q.2026"])
        expect([line(out), formatOf("--out", out, "--format", format)]).toEqual([line(out), format]);
      const other = format === "csv" ? "json" : "csv";
      if (!choices.includes(other)) continue;
      expect(() => formatOf("--out", `q.${other}`, "--format", format)).toThrow(
        `--format ${format} contradicts --out q.${other}`,
      );
    }
    for (const out of ["-", "pay", "q.txt"]) expect(formatOf("--out", out)).toBeUndefined();
    expect(() => formatOf("--out", "q.2026")).toThrow(`"${command.name}" writes no .2026 file`);
    if (!choices.includes("xlsx")) expect(() => formatOf("--out", "q.xlsx")).toThrow("execcomp data export");
  }
  const csv = join(folder, "q.csv");
  expect(await run("query", "--ticker", "AAPL", "--out", csv)).toMatchObject({ code: 0, out: "" });
  expect(readFileSync(csv, "utf8")).toStartWith("ticker,");
  expect((await run("show", "AAPL", "--json", "--out", csv)).err).toContain("contradict each other");
  expect(await run("show", "AAPL", "--json", "--out", join(folder, "q.json"))).toMatchObject({ code: 0 });
  // A format from elsewhere is only a default.
  const configured = { environment: { ...environment, EXECCOMP_SHOW_FORMAT: "json" } };
  expect((await cli("show", "AAPL", "--out", csv, configured)).code).toBe(0);
  expect(readFileSync(csv, "utf8")).toStartWith("ticker,");
  expect((await run("data", "export", "--out", join(folder, "all.jsonl"))).code).toBe(0);
  const nameless = await run("data", "export", "--out", join(folder, "all"));
  expect([nameless.code, nameless.err]).toEqual([2, expect.stringContaining("does not say the format")]);
});

test("a socket never replaces a file or folder", async () => {
  for (const place of ["a-folder", "a-file"]) {
    const flags = ["--socket", join(folder, place), "--public-url", "https://pay.example.com"];
    const { code, err } = await run("serve", "--port", "0", ...flags);
    expect([code, err]).toEqual([1, expect.stringContaining("something else has this name")]);
  }
  expect([
    lstatSync(join(folder, "a-folder")).isDirectory(),
    lstatSync(join(folder, "a-file")).isFile(),
  ]).toEqual([true, true]);
});

test.skipIf(process.platform === "win32")("a reader that has gone ends a command quietly", () => {
  const program = PROGRAM.map((word) => `'${word}'`).join(" ");
  for (const line of [
    "sql 'select * from observations' --format jsonl",
    "data export --format csv --out -",
    "coverage",
  ]) {
    const script = `set -o pipefail; ${program} ${line} | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = Bun.spawnSync(["bash", "-c", script], {
      env: { ...process.env, EXECCOMP_DATA_DIR: join(folder, "data") },
    });
    expect([line, stdout.toString()]).toEqual([line, "0\n"]);
    expect([line, stderr.toString()]).toEqual([line, expect.not.stringContaining("EPIPE")]);
  }
});

test("in CSV numbers are numbers, negative ones too, and nothing is an empty cell", async () => {
  await run("keys", "create", "--user", "bob@example.com");
  await run("credits", "grant", "--user", "bob@example.com", "--amount", "-3");
  const user = ["--user", "bob@example.com"];
  const written = new Map<string, string>();
  for (const words of [
    ["credits", "ledger", ...user],
    ["keys", "list"],
    ["users", "list"],
    ["audit"],
    ["coverage", "AAPL", "MSFT"],
    ["explain", "AXP", "2024", "c-le-caillec"],
    ["query", "--office", "peo", "--sort", "total_change", "--measures", "total_change", "--max-rows", "2"],
    ["stats", "--office", "peo", "--field", "total_change"],
  ]) {
    const { out, code } = await run(...words, "--format", "csv");
    expect([words, code, out]).toEqual([words, 0, expect.not.stringMatching(/"'?-\d|"–"/)]);
    written.set(words.slice(0, 2).join(" "), out);
  }
  expect(written.get("credits ledger")).toMatch(/,"granted",-3,97,,,\n/);
  expect(written.get("coverage AAPL")).toContain('2020*",31,');
  expect(written.get("explain AXP")).toMatch(/,true,"C.Y. Le Caillec",750000,.*,-1,9643143\n/);
});
