/** `data export` of all rows in other programs' formats, read back by them value for value. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parquetMetadata, parquetSchema } from "hyparquet";
import readXlsxFile from "read-excel-file/node";
import { AMOUNTS } from "../../src/domain/row-fields.ts";
import { type ColumnKind, COLUMNS } from "../../src/analysis/export/columns.ts";
import { VIEWS } from "../../src/analysis/sql/views.ts";
import { openDuckDb } from "../support/duckdb.ts";
import { exporting, names } from "./exporting.ts";

const { folder, here, exported, truth } = exporting();

test("the workbook opens: typed cells, a header that stays in view, links to the filings", async () => {
  const file = await exported("xlsx");
  const rows = await truth();
  const sheets = await readXlsxFile(file);
  const sheet =
    Array.isArray(sheets) && sheets[0] !== undefined && "data" in sheets[0] ? sheets[0].data : sheets;
  // The library returns rows of cells, or sheets of such rows.
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

test("Parquet has database types: dates, decimals, flags", async () => {
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

/** How DuckDB reads each format. */
const READERS = {
  csv: (file: string, cik = "cik") =>
    `read_csv('${file}', header = true, types = {'${cik}': 'VARCHAR', 'problems': 'VARCHAR'})`,
  jsonl: (file: string) => `read_json('${file}', format = 'newline_delimited')`,
  parquet: (file: string) => `read_parquet('${file}')`,
} as const;

test.each(["csv", "jsonl", "parquet"] as const)(
  "DuckDB reads the same rows from %s, value for value",
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

/** What DuckDB returns, converted to ours: decimals and integers arrive as text. */
function plain(value: unknown, kind: ColumnKind | undefined): unknown {
  return typeof value === "string" && (kind === "amount" || kind === "whole" || kind === "thousands")
    ? Number(value)
    : value;
}

test("ExecuComp columns have the same rows in thousands, in every table", async () => {
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
      read.map(({ EXEC_FULLNAME: name, YEAR: year, TOTAL_SEC: total }) => [
        name,
        year === null ? null : Number(year),
        Number(total),
      ]),
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

test("a database of the views has the same rows for bun:sqlite, and describes its columns", async () => {
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
