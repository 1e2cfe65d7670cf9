import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { parquetMetadata, parquetSchema } from "hyparquet";
import readWorkbook from "read-excel-file/node";
import { openDataset } from "../../src/dataset/snapshots.ts";
import { datasetHeader } from "../../src/http/headers.ts";
import { VIEWS } from "../../src/analysis/sql/views.ts";
import { COMPONENTS } from "../../src/domain/row-fields.ts";
import { readParquet } from "../support/parquet.ts";
import { exporting, names } from "./exporting.ts";

const { folder, machine, here, exported, truth } = exporting();

test("every served row is in each table with its 22 fields, and states whether its year is complete", async () => {
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

test("text goes to standard output, byte for byte as to a file; nothing else is written", async () => {
  for (const format of ["csv", "jsonl", "json"]) {
    const { code, out, err } = await here.run("data", "export", "--format", format, "--out", "-");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(readFileSync(await exported(format), "utf8"));
  }
  const binary = await here.run("data", "export", "--format", "parquet", "--out", "-");
  expect([binary.code, binary.out]).toEqual([2, ""]);
  expect(existsSync("-")).toBe(false);
});

test("ExecuComp columns are refused for formats without a table", async () => {
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
      `--columns execucomp is not available for --format ${format}. Use csv, jsonl, parquet or xlsx.\n`,
    ]);
  }
});

test("options that a format does not have are refused; all views go to a folder, and a workbook is the same each time", async () => {
  const run = (...words: string[]) => here.run("data", "export", ...words);
  const out = join(folder, "views");
  for (const [words, message] of [
    [["--format", "sqlite", "--view", "filings"], "--format sqlite always has all views. Leave out --view."],
    [
      ["--format", "csv", "--amounts", "double"],
      "--amounts is for --format parquet: csv has no type for them.",
    ],
    [
      ["--format", "csv", "--view", "filings", "--columns", "execucomp"],
      "--columns execucomp is for the rows of compensation. Leave out --view filings.",
    ],
  ] as const) {
    const ran = await run(...words, "--out", out);
    expect([ran.code, ran.err]).toEqual([2, `${message}\n`]);
  }
  const ran = await run("--format", "csv", "--view", "all", "--out", out);
  expect(ran.code).toBe(0);
  expect(readdirSync(out).sort()).toEqual(VIEWS.map(({ name }) => `${name}.csv`).sort());
  expect(readFileSync(join(out, "compensation.csv"))).toEqual(readFileSync(await exported("csv")));
  const workbook = join(folder, "again.xlsx");
  await run("--format", "xlsx", "--out", workbook);
  expect(readFileSync(workbook).equals(readFileSync(await exported("xlsx")))).toBe(true);
});

test("amounts in Parquet are doubles or whole cents on request", async () => {
  const read = async (amounts: string) => {
    const file = join(folder, `${amounts}.parquet`);
    await here.run("data", "export", "--format", "parquet", "--amounts", amounts, "--out", file);
    const bytes = readFileSync(file);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const { children } = parquetSchema(parquetMetadata(buffer));
    return { rows: await readParquet(bytes), children };
  };
  const [rows, doubles, cents] = [await truth(), await read("double"), await read("cents")];
  const at = names.indexOf("total_compensation");
  expect(doubles.children.find(({ element }) => element.name === "salary")?.element.type).toBe("DOUBLE");
  expect(cents.children.find(({ element }) => element.name === "salary_cents")?.element).toMatchObject({
    type: "INT64",
  });
  expect(cents.children.some(({ element }) => element.name === "salary")).toBe(false);
  for (const [place, row] of rows.entries()) {
    expect(doubles.rows[place]?.["total_compensation"]).toBe(row[at]);
    expect(cents.rows[place]?.["total_compensation_cents"]).toBe(BigInt(Math.round(Number(row[at]) * 100)));
  }
});

test("CSV and JSON read back value for value; no cell begins like a formula", async () => {
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

test("a signed snapshot is installable: refused from an unknown signer, accepted once trusted, and then without confirmation", async () => {
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
  const at = bytes.indexOf("execcomp-seal-2:") + "execcomp-seal-2:2026-01-01.000001:".length;
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

test("the operator's key is created once, is readable by its owner only, and is not printed", async () => {
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

test("every file names the edition that the header Dataset names, also of a dataset made from another", async () => {
  const later = machine("later");
  const fixtures = join(import.meta.dir, "../reader/fixtures");
  expect((await later.run("ingest", "--from-dir", fixtures, "--offline")).code).not.toBe(2);
  const [edition = "", hash = ""] = datasetHeader(openDataset(later.dataDir).info).split(" ");
  expect(edition).toMatch(/^\d{4}-\d\d-\d\d\.2$/);
  const file = async (format: string) => {
    const out = join(folder, `later.${format}`);
    expect((await later.run("data", "export", "--format", format, "--out", out)).code).toBe(0);
    return readFileSync(out);
  };
  const about = (await readWorkbook(await file("xlsx"))).find(({ sheet }) => sheet === "About")?.data;
  expect(about?.slice(0, 2)).toEqual([
    ["edition", edition],
    ["content hash", hash],
  ]);
  const parquet = new Uint8Array(await file("parquet"));
  const told = parquetMetadata(parquet.buffer).key_value_metadata;
  expect(told).toEqual([
    { key: "edition", value: edition },
    { key: "content_hash", value: hash },
  ]);
  const { edition: inJson, content_hash: hashInJson } = JSON.parse((await file("json")).toString()) as Record<
    string,
    unknown
  >;
  expect([inJson, hashInJson]).toEqual([edition, hash]);
  expect((await later.run("coverage", "AAPL", "--json")).json()).toMatchObject({ edition });
});

test("a workbook has the default style that other programs ask for", async () => {
  const { "xl/styles.xml": styles = new Uint8Array() } = unzipSync(readFileSync(await exported("xlsx")));
  expect(new TextDecoder().decode(styles)).toMatch(
    /<cellStyleXfs count="1">.*<\/cellStyleXfs><cellXfs.*<\/cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0"/,
  );
});
