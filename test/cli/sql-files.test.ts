/** `sql` into a file or a pipe: all rows, in the formats of exports, limited by time and disk only. */
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { readParquet } from "../support/parquet.ts";
import { PROGRAM } from "../support/program.ts";

const folder = tempFolder();
const sql = (...words: string[]) =>
  cli("sql", ...words, { program: PROGRAM, environment: { EXECCOMP_DATA_DIR: join(folder, "data") } });

const STATEMENT =
  "SELECT accession, position, total_compensation / 3.0 AS third, is_peo, null AS empty FROM observations ORDER BY 1, 2";

test("more rows than an answer may have, the same in each format", async () => {
  const json = await sql(STATEMENT, "--json", "--max-rows", "100000");
  const { columns, rows } = JSON.parse(json.out) as { columns: string[]; rows: unknown[][] };
  expect(rows.length).toBeGreaterThan(2000);
  const file = (format: string) => join(folder, `rows.${format}`);
  for (const format of ["csv", "jsonl", "parquet"]) {
    const ran = await sql(STATEMENT, "--format", format, "--out", file(format));
    expect([ran.code, ran.err]).toEqual([0, ""]);
  }
  const lines = readFileSync(file("jsonl"), "utf8").trimEnd().split("\n");
  expect(lines.map((line) => Object.values(JSON.parse(line)))).toEqual(rows);
  const [head, ...csv] = readFileSync(file("csv"), "utf8").trimEnd().split("\n");
  expect(head).toBe(columns.join(","));
  expect(csv.map((line) => line.replaceAll('"', ""))).toEqual(
    rows.map((row) => row.map((value) => value ?? "").join()),
  );
  const read = await readParquet(readFileSync(file("parquet")));
  expect(read.map((row) => columns.map((name) => row[name] ?? null))).toEqual(rows);
  // A pipe has what a file has.
  expect((await sql(STATEMENT, "--format", "csv")).out).toBe(readFileSync(file("csv"), "utf8"));
});

test("what is cut says so and exits with 1; what fails leaves nothing behind", async () => {
  const { TMPDIR } = process.env;
  const temporary = mkdtempSync(join(folder, "tmp-"));
  process.env["TMPDIR"] = temporary;
  try {
    const cut = await sql("SELECT cik FROM companies", "--format", "csv", "--max-rows", "3");
    expect([cut.code, cut.out.split("\n").length]).toEqual([1, 5]);
    expect(cut.err).toContain("Wrote only the first 3 rows");
    const out = join(folder, "none.csv");
    const endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT * FROM r";
    const stopped = await sql(endless, "--format", "csv", "--max-seconds", "1", "--out", out);
    expect(stopped.code).toBe(1);
    expect(stopped.err).toContain("ran longer than 1 second");
    expect((await sql("SELECT wrong FROM companies", "--format", "csv", "--out", out)).code).toBe(2);
    expect([existsSync(out), existsSync(`${out}.part`)]).toEqual([false, false]);
    expect(readdirSync(temporary)).toEqual([]);
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  }
});
