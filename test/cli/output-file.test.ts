import { expect, test } from "bun:test";
import { existsSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
  "data publish PATH",
  "restore PATH",
  "version --verify PATH",
  "version --verify README.md --public-key PATH",
  "tickers --config PATH",
  "tickers --out PATH",
  "show AAPL --format jsonl --out PATH",
  "ingest --from-dir PATH",
  "store copy --from PATH",
  "tickers --data-dir PATH",
  "users list --data-dir PATH",
  "serve --check --data-dir PATH",
];

test("what is wrong with a path is told in words, not by a system's code, and is never a bug", async () => {
  mkdirSync(join(folder, "a-folder"));
  writeFileSync(join(folder, "a-file"), "x");
  for (const line of TAKES_PATH)
    for (const place of ["a-folder", "a-file", "a-file/x", "missing/x"]) {
      const { code, err } = await run(...line.replace("PATH", join(folder, place)).split(" "));
      const told = code === 0 ? "" : err.replaceAll(folder, "");
      expect([line, place, told]).toEqual([line, place, expect.not.stringMatching(/\bE[A-Z]{4,}\b|bug in/)]);
      expect([line, place, code === 0 || err.length > 10]).toEqual([line, place, true]);
    }
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
