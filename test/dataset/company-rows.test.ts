/** A company's rows are one text. */
import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { Database } from "bun:sqlite";
import { rowsOf } from "../../src/domain/row-fields.ts";
import { diffDatasets } from "../../src/dataset/diff.ts";
import { openFile } from "../../src/dataset/open.ts";
import { rederive } from "../../src/dataset/verify.ts";
import { tempFolder } from "../support/folder.ts";
import { OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";
import { datasetIn, writeTestSnapshot } from "../support/snapshot.ts";

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
const text = (pieces: readonly Uint8Array[]) =>
  pieces.map((piece) => new TextDecoder().decode(piece)).join("");

test.each([
  ["the primary symbol", "ACME", [2024, 2023, 2022]],
  ["the latest year", "ACME", [2024]],
  ["years with one between them", "ACME", [2024, 2022]],
  ["a former symbol", "OLDA", [2024, 2023]],
  ["a former symbol, every year", "OLDA", [2024, 2023, 2022]],
  ["a symbol that means something to a replacement", "$&", [2023]],
  ["no year", "ACME", []],
])("rows under %s are those of the years, each with its symbol", (_, ticker, asked) => {
  const years = now.years(CIK).filter(({ fiscalYear }) => asked.includes(fiscalYear));
  const json = text(now.rowsJson(CIK, ticker, asked));
  expect(json).toBe(rowsOf(ticker, years));
  expect(text([now.rowsBody(CIK, ticker, asked)])).toBe(`{"executive_compensation":[${json}]}`);
  const rows: { ticker: string; fiscal_year: number; executive_role: string }[] = JSON.parse(`[${json}]`);
  expect([...new Set(rows.map((row) => row.fiscal_year))]).toEqual(asked);
  expect(rows.map((row) => row.ticker)).toEqual(rows.map(() => ticker));
  expect(rows.filter(({ executive_role: role }) => role === ROLE)).toHaveLength(asked.length);
});

test("a company without rows has no years", () => {
  expect(now.fiscalYears("0000000099")).toEqual([]);
  expect(now.yearsOnce("0000000099")).toEqual([]);
  expect(now.rowsJson("0000000099", "LIST", [2024])).toEqual([]);
});

test("differences are exactly the rows that differ", () => {
  const after = writeTestSnapshot(folder, "after.sqlite", [
    testRecord({
      ...record,
      observations: record.observations.map((row) =>
        row.position === 3 ? { ...row, amounts: { ...row.amounts, salary: 7, total_compensation: 7 } } : row,
      ),
    }),
  ]);
  expect([...diffDatasets(now, datasetIn(path))]).toEqual([]);
  expect(
    [...diffDatasets(now, datasetIn(after))].map(({ change, kind, key, fields }) => [
      change,
      kind,
      key,
      fields.map((one) => [one.field, one.after]),
    ]),
  ).toEqual([
    [
      "changed",
      "row",
      "2024 ben-cole",
      [
        ["salary", 0.07],
        ["total_compensation", 0.07],
      ],
    ],
  ]);
});

test("a row that disappears is reported", () => {
  const made = (name: string, observations: typeof record.observations) =>
    datasetIn(writeTestSnapshot(folder, `${name}.sqlite`, [testRecord({ ...record, observations })]));
  // The very last row: no other takes its place.
  const last = testRow({ accession: OLD, position: 2, name: "Ben Côle", fiscalYear: 2022 }, { salary: 3 });
  const before = made("with-last", [...record.observations, last]);
  const after = made("without-last", record.observations);
  expect(
    [...diffDatasets(before, after)]
      .filter(({ kind }) => kind === "row")
      .map(({ change, key }) => [change, key]),
  ).toEqual([["removed", "2022 ben-cole"]]);
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
