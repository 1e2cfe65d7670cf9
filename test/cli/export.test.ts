import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parquetMetadata, parquetSchema } from "hyparquet";
import readXlsxFile from "read-excel-file/node";
import { AMOUNTS, COMPONENTS } from "../../src/domain/row-fields.ts";
import { type ColumnKind, COLUMNS, flatRows } from "../../src/snapshot/export/flat.ts";
import { VIEWS } from "../../src/snapshot/views.ts";
import { openDuckDb } from "../support/duckdb.ts";
import { openFile } from "../../src/snapshot/open.ts";
import { datasetOf } from "../../src/snapshot/reader.ts";
import { testRuntime } from "../support/runtime.ts";
import { cli, type Ran } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
let secrets = 0;

/** A machine of its own: a data folder, and randomness that no other machine has. */
function machine(name: string) {
  const dataDir = join(folder, name);
  const runtime = testRuntime();
  for (let made = 0; made < secrets; made++) runtime.secret(1);
  secrets++;
  const run = (...words: string[]): Promise<Ran> =>
    cli(...words, { environment: { EXECCOMP_DATA_DIR: dataDir }, runtime });
  return { dataDir, run };
}

const here = machine("here");
const exported = async (format: string): Promise<string> => {
  const out = join(folder, `pay.${format}`);
  if (existsSync(out)) return out;
  const { code, err } = await here.run("data", "export", "--format", format, "--out", out);
  expect([code, err]).toEqual([0, ""]);
  return out;
};

const truth = async () => [...flatRows(datasetOf(openFile(await exported("sqlite")), "installed"))];
const names = COLUMNS.map(({ name }) => name);

test("every served row stands in each table with its 22 fields, and says whether its year is complete", async () => {
  const rows = await truth();
  expect(rows.length).toBeGreaterThan(1000);
  expect(names.slice(0, 21)).toContain("total_compensation");
  for (const row of rows) {
    expect(row.length).toBe(names.length);
    const line = Object.fromEntries(names.map((name, at) => [name, row[at]]));
    const cents = (field: string) => Math.round(Number(line[field]) * 100);
    expect(COMPONENTS.reduce((sum, field) => sum + cents(field), 0)).toBe(cents("total_compensation"));
  }
  expect(new Set(rows.map((row) => row[names.indexOf("year_complete")]))).toEqual(new Set([true, false]));
});

test("the workbook opens: typed cells, a header that stays, links to the filings", async () => {
  const file = await exported("xlsx");
  const rows = await truth();
  const sheets = await readXlsxFile(file);
  const sheet =
    Array.isArray(sheets) && sheets[0] !== undefined && "data" in sheets[0] ? sheets[0].data : sheets;
  // The library gives rows of cells, or sheets of such rows.
  const [header, ...lines] = sheet as unknown as (string | number | boolean | Date | null)[][];
  expect(header).toEqual([...names]);
  expect(lines.length).toBe(rows.length);
  for (const [at, line] of lines.entries()) {
    const told = line.map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : cell));
    expect(told).toEqual((rows[at] ?? []).map((value) => (value === "" ? null : value)));
  }
  const parts =
    await Bun.$`unzip -p ${file} xl/worksheets/sheet1.xml xl/worksheets/_rels/sheet1.xml.rels`.text();
  expect(parts).toContain('state="frozen"');
  expect(parts).toContain('Target="https://www.sec.gov/Archives/edgar/data/1800/');
  const linked = rows.filter((row) => row[names.indexOf("source_filing_url")] !== null).length;
  expect(parts.split("<hyperlink ").length - 1).toBe(linked);
});

test("Parquet has the types of a database: dates, decimals, flags", async () => {
  const bytes = readFileSync(await exported("parquet"));
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const types = Object.fromEntries(
    parquetSchema(parquetMetadata(file)).children.map(({ element }) => [element.name, element]),
  );
  expect(types["fiscal_year"]).toMatchObject({ type: "INT32", repetition_type: "REQUIRED" });
  expect(types["is_peo"]).toMatchObject({ type: "BOOLEAN" });
  expect(types["source_filing_date"]).toMatchObject({ converted_type: "DATE", repetition_type: "OPTIONAL" });
  for (const field of AMOUNTS)
    expect(types[field]).toMatchObject({ type: "INT64", converted_type: "DECIMAL", precision: 18, scale: 2 });
});

/** How DuckDB is told to read each format. */
const READERS = {
  csv: (file: string, cik = "cik") =>
    `read_csv('${file}', header = true, types = {'${cik}': 'VARCHAR', 'problems': 'VARCHAR'})`,
  jsonl: (file: string) => `read_json('${file}', format = 'newline_delimited')`,
  parquet: (file: string) => `read_parquet('${file}')`,
} as const;

test.each(["csv", "jsonl", "parquet"] as const)(
  "DuckDB reads the same rows out of %s, value for value",
  async (format) => {
    const duckdb = await openDuckDb();
    if (duckdb === undefined) return;
    const rows = await truth();
    const read = await duckdb(`select * from ${READERS[format](await exported(format))}`);
    expect(read.length).toBe(rows.length);
    for (const [at, line] of read.entries()) {
      expect(Object.keys(line)).toEqual(names);
      expect(names.map((name, column) => plain(line[name], COLUMNS[column]?.kind))).toEqual(
        (rows[at] ?? []).map((value) => (format === "csv" && value === "" ? null : value)),
      );
    }
  },
);

/** What DuckDB gives, as we have it: decimals and whole numbers come as text. */
function plain(value: unknown, kind: ColumnKind | undefined): unknown {
  return typeof value === "string" && (kind === "amount" || kind === "whole" || kind === "thousands")
    ? Number(value)
    : value;
}

test("the columns of ExecuComp hold the same rows in thousands, in every table", async () => {
  const rows = await truth();
  const at = (name: string) => names.indexOf(name);
  const out = (format: string) => join(folder, `anncomp.${format}`);
  for (const format of ["csv", "jsonl", "parquet", "xlsx"]) {
    const words = ["data", "export", "--format", format, "--columns", "execucomp", "--out", out(format)];
    expect((await here.run(...words)).code).toBe(0);
  }
  const lines = readFileSync(out("jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.length).toBe(rows.length);
  for (const [place, line] of lines.entries()) {
    const row = rows[place] ?? [];
    for (const [theirs, ours] of THOUSANDS)
      expect(Math.round(line[theirs] * 100_000)).toBe(Math.round(Number(row[at(ours)]) * 100));
    const parts = THOUSANDS.slice(0, -1).reduce((sum, [name]) => sum + Math.round(line[name] * 100_000), 0);
    expect(parts).toBe(Math.round(line.TOTAL_SEC * 100_000));
    expect([line.CEOANN === "CEO", line.CFOANN === "CFO"]).toEqual([
      row[at("is_peo")],
      row[at("is_pfo")],
    ] as boolean[]);
    expect([line.YEAR, line.YEAR + 1]).toContain(line.fiscal_year);
  }
  const yearOf = (ticker: string, fiscalYear: number) =>
    lines.find((line) => line.TICKER === ticker && line.fiscal_year === fiscalYear)?.YEAR;
  // Years that end on 31 January 2026, 1 February 2026, 31 May 2025 and 27 September 2025.
  expect([yearOf("WMT", 2026), yearOf("HD", 2025), yearOf("ORCL", 2025), yearOf("AAPL", 2025)]).toEqual([
    2025, 2025, 2024, 2025,
  ]);
  const sheet = await readXlsxFile(out("xlsx"));
  expect(JSON.stringify(sheet)).toContain('"NONEQ_INCENT"');
  const duckdb = await openDuckDb();
  if (duckdb === undefined) return;
  for (const format of ["csv", "parquet"] as const) {
    const read = await duckdb(`select * from ${READERS[format](out(format), "CIK")}`);
    expect(
      read.map((line) => [line["EXEC_FULLNAME"], Number(line["YEAR"]), Number(line["TOTAL_SEC"])]),
    ).toEqual(lines.map((line) => [line.EXEC_FULLNAME, line.YEAR, line.TOTAL_SEC]));
  }
});

const THOUSANDS = [
  ["SALARY", "salary"],
  ["BONUS", "bonus"],
  ["STOCK_AWARDS", "stock_awards"],
  ["OPTION_AWARDS", "option_awards"],
  ["NONEQ_INCENT", "non_equity_incentive"],
  ["PENSION_CHG", "pension_change"],
  ["OTHCOMP", "other_comp"],
  ["unknown_component", "unknown_component"],
  ["TOTAL_SEC", "total_compensation"],
] as const;

test("a database of the views has the same rows for bun:sqlite, and says what its columns mean", async () => {
  const rows = await truth();
  const database = new Database(await exported("sqlite-views"), { readonly: true });
  const tables = database.query<{ name: string }, []>("select name from sqlite_schema order by rowid").all();
  expect(tables.map(({ name }) => name)).toEqual([...VIEWS.map(({ name }) => name), "data_dictionary"]);
  const { n } = database.query<{ n: number }, []>("select count(*) as n from data_dictionary").get() ?? {
    n: 0,
  };
  expect(n).toBe(VIEWS.reduce((sum, { columns }) => sum + columns.length, 0));
  const lines = database
    .query<Record<string, string | number | null>, []>("select * from compensation")
    .all();
  database.close();
  const keyOf = (cells: readonly unknown[]) =>
    ["cik", "fiscal_year", "executive_id"].map((name) => cells[names.indexOf(name)]).join();
  const found = new Map(
    lines.map((line) => [`${line["cik"]},${line["fiscal_year"]},${line["executive_id"]}`, line]),
  );
  expect(found.size).toBe(rows.length);
  for (const row of rows) {
    const line = found.get(keyOf(row)) ?? {};
    expect(names.map((name) => line[name] ?? null)).toEqual(
      row.map((value) => (typeof value === "boolean" ? Number(value) : value)),
    );
  }
});

test("columns of ExecuComp are refused where there is no table", async () => {
  for (const format of ["sqlite", "sqlite-views", "json"]) {
    const ran = await here.run(
      "data",
      "export",
      "--format",
      format,
      "--columns",
      "execucomp",
      "--out",
      join(folder, "x"),
    );
    expect([ran.code, ran.err]).toEqual([
      2,
      `--columns execucomp needs a table: --format csv, jsonl, parquet or xlsx, not ${format}.\n`,
    ]);
  }
});

test("CSV and JSON read back value for value; nothing in a cell begins like a formula", async () => {
  const rows = await truth();
  const json = JSON.parse(readFileSync(await exported("json"), "utf8"));
  expect(json.executive_compensation.length).toBe(rows.length);
  expect(json.executive_compensation[0]).toMatchObject({
    ticker: "ABT",
    year_complete: true,
    source: { form: "DEF 14A" },
  });
  const [head = "", ...lines] = readFileSync(await exported("csv"), "utf8")
    .trimEnd()
    .split("\r\n");
  expect(head).toBe(names.join(","));
  const cells = lines.map((line) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^",]*)(?:,|$)/g)]
      .slice(0, names.length)
      .map(([, cell = ""]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)),
  );
  expect(cells).toEqual(rows.map((row) => row.map((value) => (value === null ? "" : String(value)))));
  expect(cells.flat().some((cell) => /^[=+@\t]/.test(cell ?? ""))).toBe(false);
});

test("a signed snapshot is carried: refused from an unknown signer, taken once trusted, and then without asking", async () => {
  const file = await exported("sqlite");
  const there = machine("there");
  const own = await here.run("data", "verify", file);
  expect(own.out).toMatch(/signed by +[0-9a-f]{4}( [0-9a-f]{4}){3} \(this machine\)/);
  expect((await there.run("data", "verify", file)).out).toContain("(unknown signer)");

  const refused = await there.run("data", "install", file);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("is unknown");
  expect(refused.err).toContain("--trust");
  expect(existsSync(join(there.dataDir, "snapshots", "current.json"))).toBe(false);

  expect((await there.run("data", "install", file, "--trust")).code).toBe(0);
  expect((await there.run("data", "verify")).out).toContain("(trusted)");
  await there.run("data", "rollback");
  expect((await there.run("data", "install", file)).code).toBe(0);
});

test("an unsigned snapshot and a forged signature are not installed", async () => {
  const there = machine("elsewhere");
  const bytes = readFileSync(await exported("sqlite"));
  const at = bytes.indexOf("execcomp-seal-1:") + "execcomp-seal-1:".length;
  const unsigned = join(folder, "unsigned.sqlite");
  writeFileSync(
    unsigned,
    Buffer.concat([
      bytes.subarray(0, at + 65),
      Buffer.from(`${"0".repeat(64)}:${"0".repeat(128)}`),
      bytes.subarray(at + 65 + 64 + 1 + 128),
    ]),
  );
  expect((await there.run("data", "verify", unsigned)).out).toMatch(/signed by +unsigned/);
  const refused = await there.run("data", "install", unsigned);
  expect([refused.code, refused.err.includes("it is unsigned")]).toEqual([1, true]);

  const forged = join(folder, "forged.sqlite");
  const other = Buffer.from(bytes);
  // The last digit of the signature, which the content hash does not cover.
  const last = at + 65 + 65 + 127;
  other.write(other.toString("latin1", last, last + 1) === "0" ? "1" : "0", last, "latin1");
  writeFileSync(forged, other);
  for (const verb of ["verify", "install"]) {
    const { code, err } = await there.run("data", verb, forged, ...(verb === "install" ? ["--trust"] : []));
    expect([verb, code, err.includes("does not match its content")]).toEqual([verb, 1, true]);
  }
});

test("one flipped byte anywhere in an export is refused, signed or not", async () => {
  const bytes = readFileSync(await exported("sqlite"));
  const damaged = join(folder, "damaged.sqlite");
  for (const at of [5000, Math.floor(bytes.length / 2), bytes.length - 1]) {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    writeFileSync(damaged, copy);
    const { code, err } = await here.run("data", "verify", damaged);
    expect([at, code]).toEqual([at, 1]);
    expect(err).toContain("damaged");
    expect((await here.run("data", "install", damaged, "--trust")).code).toBe(1);
  }
});

test("the operator's key is made once, for its owner's eyes only, and is not in what is printed", async () => {
  await exported("sqlite");
  const file = join(here.dataDir, "operator-key.pem");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const key = readFileSync(file, "utf8");
  const again = await here.run(
    "data",
    "export",
    "--format",
    "sqlite",
    "--out",
    join(folder, "again.sqlite"),
    "--json",
  );
  expect(readFileSync(file, "utf8")).toBe(key);
  const [, body = ""] = key.split("\n");
  expect(again.out).not.toContain(body);
  expect(readFileSync(join(folder, "again.sqlite")).equals(readFileSync(await exported("sqlite")))).toBe(
    true,
  );
});
