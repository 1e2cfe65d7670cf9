import { expect, test } from "bun:test";
import { merge } from "../../src/ingest/merge.ts";
import type { IngestedFiling } from "../../src/ingest/ingested-filing.ts";
import { NO_OFFICE, OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";

const ACCESSION = "0000000001-25-000001";
const typed = testRecord({
  observations: [
    testRow({ peo: { ...OFFICE, because: null }, note: "typed" }, { salary: 100, unknown_component: 1 }),
    testRow({ position: 2, name: "Ben Cole" }, { bonus: 7 }),
  ],
  pins: [
    { executiveId: "ada-byrne", spelling: "Ada Byrne" },
    { executiveId: "ben-cole", spelling: "Ben Cole" },
  ],
  problems: [
    { accession: ACCESSION, position: 1, step: "transcribe", code: "filer_arithmetic", message: "1 above" },
  ],
});
const tag = { held: true, evidence: "tag", because: "ecd:PeoName" } as const;
const read = (bonus = 7): IngestedFiling => ({
  tags: [],
  company: { cik: typed.cik, name: typed.name, fiscalYearEnd: "12-31", symbols: [] },
  filing: testFiling({
    read: "pipeline",
    sha256: "ab".repeat(32),
    captions: { "1:2": "Salary ($)" },
    symbol: null,
  }),
  observations: [
    testRow(
      { peo: tag, cells: { salary: [[1, 4, 2, "$1"]] }, checks: ["header_grid"], label: "FY24" },
      { salary: 100, unknown_component: 1 },
    ),
    testRow(
      { position: 3, name: "Ben Cole", peo: NO_OFFICE, cells: { bonus: [[1, 6, 3, "$0.07"]] } },
      { bonus },
    ),
  ],
  offices: [],
  grids: [],
  problems: [{ accession: ACCESSION, position: 3, step: "people", code: "name_unclear", message: "m" }],
});

test("a manually entered document that is read identically keeps its rows, and gains cells, checks and evidence", () => {
  const { record, changed, left } = merge(typed, [read()]);
  expect([changed, left]).toEqual([true, []]);
  expect(record.filings.map((filing) => [filing.read, filing.sha256?.slice(0, 4), filing.symbol])).toEqual([
    ["both", "abab", "ACME"],
  ]);
  const [ada, ben] = record.observations;
  expect(ada).toMatchObject({
    note: "typed",
    label: "FY24",
    peo: tag,
    checks: ["header_grid", "read_twice"],
  });
  expect(ada?.cells).toEqual({ salary: [[1, 4, 2, "$1"]] });
  expect([ben?.position, ben?.cells]).toEqual([2, { bonus: [[1, 6, 3, "$0.07"]] }]);
  expect(record.problems.map(({ position, code }) => [position, code])).toEqual([
    [1, "filer_arithmetic"],
    [2, "name_unclear"],
  ]);
  expect(merge(record, [read()]).changed).toBe(false);
});

test("if the two differ the manual entry stays, and both versions are reported once", () => {
  const once = merge(typed, [read(9)]).record;
  expect(once.observations).toEqual([...typed.observations]);
  expect(once.filings[0]?.read).toBe("transcribed");
  const told = (record: typeof once) => record.problems.filter(({ code }) => code === "reading_differs");
  expect(told(once).map(({ message }) => message.includes("Ben Cole 2024: bonus"))).toEqual([true]);
  expect(told(merge(once, [read(9)]).record)).toHaveLength(1);
});

test("rows that would violate an invariant are left out: the filing is stored as failed, with the reason", () => {
  const broken = read();
  const [first] = broken.observations;
  if (first === undefined) throw new Error("no rows");
  // The components no longer add up to the total.
  const rows = [{ ...first, amounts: { ...first.amounts, salary: first.amounts.salary + 1 } }];
  const { record, left } = merge(undefined, [{ ...broken, observations: rows, problems: [] }]);
  expect(left).toEqual([{ accession: ACCESSION, why: expect.stringContaining("add up to") }]);
  expect(record.observations).toEqual([]);
  expect(record.filings).toMatchObject([
    { accession: ACCESSION, status: "failed", currency: null, reason: expect.stringContaining("add up to") },
  ]);
});

test("a filing that cannot be stored at all leaves the record as it is, and the others are added", () => {
  const unread = { ...read(), observations: [], problems: [] };
  const filing = testFiling({ status: "pending", read: null, currency: null, year: 2024 });
  const lost = { ...unread, filing: { ...filing, url: "https://example.com/elsewhere" } };
  const slip = {
    accession: ACCESSION,
    position: 1,
    step: "rows",
    code: "filer_arithmetic",
    message: "1 above",
  };
  const { record, left } = merge(undefined, [lost, { ...read(), problems: [slip] }]);
  expect(left).toEqual([{ accession: filing.accession, why: expect.stringContaining("address") }]);
  expect(record.filings.map(({ accession }) => accession)).toEqual([ACCESSION]);
  expect(record.observations).toHaveLength(2);
});
