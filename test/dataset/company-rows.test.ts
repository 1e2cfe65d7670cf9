/** A company's rows are one text since format 3; a snapshot of an older format gives the same answers. */
import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { Database } from "bun:sqlite";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { rowsOf } from "../../src/domain/row-text.ts";
import { compareSnapshots } from "../../src/dataset/changes/compare.ts";
import { COLUMNS } from "../../src/analysis/export/flat.ts";
import { exportedRows } from "../../src/analysis/export/selected.ts";
import { FORMAT, openFile } from "../../src/dataset/open.ts";
import { openPatch } from "../../src/dataset/patch.ts";
import { TABLES } from "../../src/dataset/schema.ts";
import { rederive } from "../../src/dataset/verify.ts";
import { createViews, VIEWS } from "../../src/analysis/sql/views.ts";
import { tempFolder } from "../support/folder.ts";
import { OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";
import { asFormat, datasetIn, writeTestSnapshot } from "../support/snapshot.ts";

const folder = tempFolder();
const CIK = "0000000042";
const OLD = "0000000001-24-000001";
/** Part of a value that looks like the start of a row. */
const ROLE = 'Chief,{"ticker":"ACME","cik" $& é';
const record = testRecord({
  filings: [testFiling({ year: 2024, symbol: "OLDA" }), testFiling()],
  observations: [
    testRow({ accession: OLD, role: ROLE, fiscalYear: 2022, peo: OFFICE }, { salary: 300 }),
    testRow({ role: ROLE, peo: OFFICE }, { salary: 500 }),
    testRow({ role: ROLE, position: 2, fiscalYear: 2023, peo: OFFICE }, { salary: 400 }),
    testRow({ position: 3, name: "Ben Côle" }, { salary: 1 }),
    testRow({ position: 4, name: "Ben Côle", fiscalYear: 2023 }, { salary: 2 }),
  ],
});
const path = writeTestSnapshot(folder, "now.sqlite", [record]);
const now = datasetIn(path);
const older = ([1, 2] as const).map((format) => {
  const copy = join(folder, `format-${format}.sqlite`);
  copyFileSync(path, copy);
  return asFormat(format, copy);
});
const text = (pieces: readonly Uint8Array[]) =>
  pieces.map((piece) => new TextDecoder().decode(piece)).join("");

test.each([
  ["the primary symbol", "ACME", [2024, 2023, 2022]],
  ["the latest year", "ACME", [2024]],
  ["years with one between them", "ACME", [2024, 2022]],
  ["a former symbol", "OLDA", [2024, 2023]],
  ["a symbol that means something to a replacement", "$&", [2023]],
  ["no year", "ACME", []],
])("rows under %s are those of the years, each with its symbol", (_, ticker, asked) => {
  const years = now.years(CIK).filter(({ fiscalYear }) => asked.includes(fiscalYear));
  const json = text(now.rowsJson(CIK, ticker, asked));
  expect(json).toBe(rowsOf(ticker, years));
  const rows: { ticker: string; fiscal_year: number; executive_role: string }[] = JSON.parse(`[${json}]`);
  expect([...new Set(rows.map((row) => row.fiscal_year))]).toEqual(asked);
  expect(rows.map((row) => row.ticker)).toEqual(rows.map(() => ticker));
  expect(rows.filter(({ executive_role: role }) => role === ROLE)).toHaveLength(asked.length);
});

test("a company without rows has no years", () => {
  expect(now.fiscalYears("0000000099")).toEqual([]);
  expect(now.rowTails("0000000099")).toEqual([]);
  expect(now.rowsJson("0000000099", "LIST", [2024])).toEqual([]);
});

test.each([1, 2] as const)("a snapshot of format %d answers the same", async (format) => {
  const old = datasetIn(older[format - 1] ?? "");
  expect([old.info.format, now.info.format]).toEqual([format, FORMAT]);
  expect(old.years(CIK)).toEqual([...now.years(CIK)]);
  expect(old.years(CIK).map(({ rowJson }) => rowJson.length)).toEqual([2, 2, 1]);
  for (const ticker of ["ACME", "OLDA"])
    expect(text(old.rowsJson(CIK, ticker, [2024, 2022]))).toBe(text(now.rowsJson(CIK, ticker, [2024, 2022])));
  expect(old.rowTails(CIK)).toEqual([...now.rowTails(CIK)]);
  const keys = now.all<{ id: number }>("select id from rows order by id desc").map(({ id }) => id);
  const csv = async (dataset: typeof now) =>
    Buffer.concat(await Array.fromAsync(exportedRows(dataset, keys, "csv", COLUMNS))).toString();
  expect(await csv(old)).toBe(await csv(now));
  expect((await csv(now)).split("\r\n")).toHaveLength(keys.length + 2);
  expect(rederive(old)).toEqual([]);
});

test.each([1, 2] as const)("the views of a snapshot of format %d show the same rows", (format) => {
  const [old, present] = [older[format - 1] ?? "", path].map((one) => {
    const { database } = openFile(one);
    createViews(database);
    return VIEWS.filter(({ name }) => name !== "companies").map(({ name }) =>
      database.query(`select * from ${name}`).all(),
    );
  });
  expect(old).toEqual(present);
  expect(present?.[0]).toHaveLength(5);
});

test.each([
  [2, FORMAT],
  [FORMAT, 2],
  [2, 2],
  [FORMAT, FORMAT],
])("changes from format %d to %d are exactly the rows that differ", (from, to) => {
  const after = writeTestSnapshot(folder, `after-${from}-${to}.sqlite`, [
    testRecord({
      ...record,
      observations: record.observations.map((row) =>
        row.position === 3 ? { ...row, amounts: { ...row.amounts, salary: 7, total_compensation: 7 } } : row,
      ),
    }),
  ]);
  if (to === 2) asFormat(2, after);
  const before = from === 2 ? (older[1] ?? "") : path;
  expect([...compareSnapshots(before, before)]).toEqual([]);
  const changes = [...compareSnapshots(before, after)];
  expect(
    changes.map(({ change, executiveId, fiscalYear, totalAfter }) => [
      change,
      executiveId,
      fiscalYear,
      totalAfter,
    ]),
  ).toEqual([["changed", "ben-cole", 2024, 0.07]]);
});

test.each([
  [2, FORMAT],
  [FORMAT, 2],
  [2, 2],
  [FORMAT, FORMAT],
])("a row that disappears from format %d to %d is reported", (from, to) => {
  const made = (name: string, observations: typeof record.observations, format: number): string => {
    const file = writeTestSnapshot(folder, `${name}-${from}-${to}.sqlite`, [
      testRecord({ ...record, observations }),
    ]);
    return format === 2 ? asFormat(2, file) : file;
  };
  // The very last row: no other takes its place.
  const last = testRow({ accession: OLD, position: 2, name: "Ben Côle", fiscalYear: 2022 }, { salary: 3 });
  const before = made("with-last", [...record.observations, last], from);
  const after = made("without-last", record.observations, to);
  expect(
    [...compareSnapshots(before, after)].map(({ change, kind, fiscalYear }) => [change, kind, fiscalYear]),
  ).toEqual([["removed", "executive_year", 2022]]);
});

test("an ingest turns a snapshot of format 2 into the same as one of the current format", () => {
  const made = [older[1] ?? "", path].map((base, at) => {
    const [building, out] = ["building", "out"].map((name) => join(folder, `${name}-${at}.sqlite`));
    copyFileSync(base, building ?? "");
    using patch = openPatch(building ?? "", out ?? "");
    patch.finish();
    const database = new Database(out, { readonly: true });
    const names = TABLES.map((table) => getTableConfig(table).name).filter((name) => name !== "seal");
    return names.map((name) => [name, database.query(`select * from ${name}`).all()]);
  });
  expect(made[0]).toEqual(made[1] ?? []);
  expect(rederive(datasetIn(join(folder, "out-0.sqlite")))).toEqual([]);
});

test("positions that do not match the text are found", () => {
  const forged = join(folder, "forged.sqlite");
  copyFileSync(path, forged);
  const database = new Database(forged);
  database.run("update rows set start = start + 1, length = length - 1 where place = 1");
  database.close();
  const { database: opened } = openFile(path);
  opened.close();
  expect(rederive(datasetIn(forged))).toEqual([
    `${CIK}: the stored positions of its rows do not match their text`,
  ]);
});
