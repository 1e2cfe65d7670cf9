import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CompanyRecord, FilingRecord, Observation } from "../../src/dataset/record.ts";
import { openFile } from "../../src/dataset/open.ts";
import { datasetOf } from "../../src/dataset/read-snapshot.ts";
import { readRecords } from "../../src/dataset/read-records.ts";
import { InvariantError, writeSnapshot } from "../../src/dataset/writer.ts";
import { NO_OFFICE, OFFICE, testAmounts, testFiling, testRecord, testRow } from "../support/record.ts";

const folder = mkdtempSync(join(tmpdir(), "execcomp-writer-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const listed = [{ cik: "0000000042", name: "ACME CORP", symbols: [{ symbol: "ACME", exchange: "NYSE" }] }];
const write = (name: string, ...records: CompanyRecord[]) =>
  writeSnapshot(join(folder, name), { edition: "2026-01-01", listed, records });

test("the same records give the same bytes, whatever existed before", () => {
  const one = write("one.sqlite", testRecord());
  writeFileSync(join(folder, "two.sqlite"), "something else");
  const two = write("two.sqlite", testRecord());
  expect(readFileSync(join(folder, "one.sqlite")).equals(readFileSync(join(folder, "two.sqlite")))).toBe(
    true,
  );
  expect(one.contentHash).toBe(two.contentHash);
});

test("the records read back from a snapshot equal its input, and produce the same snapshot", () => {
  const record = testRecord({
    filings: [testFiling({ captions: { "1:2": "Salary" }, sha256: "cd".repeat(32), read: "pipeline" })],
    observations: [
      testRow({
        peo: OFFICE,
        cells: { salary: [[1, 3, 2, "$ 1"]] },
        checks: ["sum"],
        note: "n",
        label: "FY24",
      }),
      testRow({ position: 2, name: "Ben Cole", peo: { held: null, evidence: "none", because: "?" } }),
    ],
    pins: [
      { executiveId: "ada-byrne", spelling: "Ada Byrne" },
      { executiveId: "ben-cole", spelling: "Ben Cole" },
    ],
    offices: [
      {
        accession: "0000000001-25-000001",
        name: "Ada Byrne",
        office: "pfo",
        start: null,
        end: "2020-01-01",
        evidence: "dated",
        because: "was",
      },
    ],
    grids: [{ accession: "0000000001-25-000001", table: 1, row: 3, caption: true, cells: [[2, "$ 1"]] }],
    problems: [
      { accession: "0000000001-25-000001", position: 1, step: "rows", code: "rounding", message: "m" },
    ],
  });
  const first = write("first.sqlite", record);
  const dataset = datasetOf(openFile(join(folder, "first.sqlite")), "installed");
  const records = [...readRecords(dataset)];
  expect(records).toEqual([record]);
  const again = writeSnapshot(join(folder, "again.sqlite"), {
    edition: dataset.info.edition,
    listed,
    records,
  });
  expect(again.contentHash).toBe(first.contentHash);
});

const row = (parts: Partial<Observation>, amounts?: Parameters<typeof testRow>[1]) => testRow(parts, amounts);
const filing = (parts: Partial<FilingRecord>) => testRecord({ filings: [testFiling(parts)] });
const rows = (...observations: Observation[]) => testRecord({ observations });
const ceo = { peo: OFFICE };

/** Each violates one invariant; the message names the row or filing. */
const BROKEN: readonly (readonly [promise: string, record: CompanyRecord, message: RegExp])[] = [
  [
    "the eight amounts add up to the total",
    rows(row(ceo, { salary: 100, total_compensation: 101 })),
    /0000000042 Acme Corp, 0000000001-25-000001 row 1, "Ada Byrne" 2024: the eight components add up to 1, the total is 1.01/,
  ],
  [
    "an amount is a whole number of cents",
    rows(row(ceo, { salary: 0.5 })),
    /row 1, .*salary, total_compensation not a whole number of cents/,
  ],
  [
    "what is not attributed has a reason",
    rows(row(ceo, { salary: 100, unknown_component: 1 })),
    /row 1, .*unknown_component is 0.01 without a problem/,
  ],
  [
    "a person stands once in a filing's year",
    testRecord({
      observations: [row(ceo), row({ ...ceo, position: 2, name: "Ben Cole" })],
      pins: [
        { executiveId: "ada-byrne", spelling: "Ada Byrne" },
        { executiveId: "ada-byrne", spelling: "Ben Cole" },
      ],
    }),
    /row 2, "Ben Cole" 2024: row 1 of the filing has the same person and year/,
  ],
  [
    "a place in the table is taken once",
    rows(row(ceo), row({ name: "Ben Cole" })),
    /position 1 is used twice/,
  ],
  [
    "a complete year has a principal executive officer",
    rows(row({ peo: NO_OFFICE })),
    /0000000042 Acme Corp 2024: a complete year without a principal executive officer/,
  ],
  [
    "every row has its filing",
    rows(row({ ...ceo, accession: "0000000001-25-000009" })),
    /row 1, .*is not among the company's filings/,
  ],
  ["an accession is one", filing({ accession: "25-1" }), /filing 25-1: not an accession number/],
  ["a filing that was read has its form", filing({ form: null }), /has no form/],
  ["a form is one that carries the table", filing({ form: "DEFA14A" }), /form "DEFA14A" is not known/],
  ["a filing that was read says how", filing({ read: null }), /does not say how/],
  ["a currency is one", filing({ currency: "usd" }), /currency "usd" is not an ISO 4217 code/],
  ["a date is one", filing({ filingDate: "2025-02-30" }), /filing date "2025-02-30" is not a date/],
  [
    "a document lies in its filing's folder",
    filing({ url: "https://www.sec.gov/Archives/edgar/data/43/000000000125000001/proxy.htm" }),
    /is not in the filing's folder/,
  ],
  ["a filing without rows was not read", testRecord({ observations: [] }), /was read but has no rows/],
  ["a pending filing has no rows", filing({ status: "pending" }), /is pending but has 2 rows/],
  [
    "a refusal has a reason",
    testRecord({ filings: [testFiling({ status: "refused" })], observations: [] }),
    /is refused without a reason/,
  ],
  [
    "a placeholder has no amounts",
    rows(row({ ...ceo, placeholder: true })),
    /is a placeholder but has amounts/,
  ],
  ["a year is one", rows(row({ ...ceo, fiscalYear: 1999 })), /fiscal year 1999 is not between 2006 and 2026/],
  ["a year is not to come", rows(row({ ...ceo, fiscalYear: 2030 })), /fiscal year 2030 is not between/],
  [
    "a period has an end behind its start",
    rows(row({ ...ceo, period: { start: "2024-12-31", end: "2024-08-07" } })),
    /2024-12-31 to 2024-08-07 is not a valid period/,
  ],
  [
    "a name is left when marks are taken off",
    rows(row({ ...ceo, name: "(1)" })),
    /nothing is left of the name "\(1\)"/,
  ],
  [
    "a spelling is one person's",
    testRecord({
      pins: [
        { executiveId: "ada-byrne", spelling: "Ada Byrne" },
        { executiveId: "another", spelling: "Ada Byrne" },
      ],
    }),
    /executive "Ada Byrne": pinned to both ada-byrne and another/,
  ],
  [
    "an id is words joined by hyphens",
    testRecord({ pins: [{ executiveId: "Ada_Byrne", spelling: "Ada Byrne" }] }),
    /"Ada_Byrne" is not a valid id/,
  ],
  [
    "a problem belongs to a row",
    testRecord({
      problems: [{ accession: "0000000001-25-000001", position: 9, step: "s", code: "c", message: "m" }],
    }),
    /problem c: row 9 of 0000000001-25-000001 does not exist/,
  ],
  ["a CIK is ten digits", testRecord({ cik: "42" }), /company "42": a CIK has ten digits/],
];

test.each(BROKEN.map((one) => [...one] as const))(
  "nothing is written unless %s",
  (promise, record, message) => {
    const path = join(folder, `broken-${promise.length}.sqlite`);
    expect(() => writeSnapshot(path, { edition: "2026-01-01", listed: [], records: [record] })).toThrow(
      message,
    );
    expect(existsSync(path)).toBe(false);
    expect(existsSync(`${path}.building`)).toBe(false);
  },
);

test("a filing of a form that never contains the table is kept as refused", () => {
  const odd = testRecord({
    filings: [testFiling({ form: "6-K", status: "refused", reason: "foreign private issuer", read: null })],
    observations: [],
  });
  write("refused.sqlite", odd);
  expect([...readRecords(datasetOf(openFile(join(folder, "refused.sqlite")), "installed"))]).toEqual([odd]);
});

test("an accession belongs to one company, and companies come once and in order", () => {
  const other = testRecord({
    cik: "0000000043",
    filings: [testFiling({ url: null })],
    symbols: [],
  });
  expect(() => write("twice.sqlite", testRecord(), other)).toThrow(
    "0000000043 0000000001-25-000001: also filed by 0000000042",
  );
  expect(() => write("order.sqlite", other, testRecord())).toThrow("ascending order of CIK");
});

test("all violations are found at once, and the existing file stays", () => {
  const path = join(folder, "kept.sqlite");
  write("kept.sqlite", testRecord());
  const before = readFileSync(path);
  const bad = rows(
    row(ceo, { salary: 1, total_compensation: 2 }),
    row({ position: 2, name: "Ben Cole" }, { bonus: 1, total_compensation: 3 }),
  );
  let caught: unknown;
  try {
    write("kept.sqlite", bad);
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(InvariantError);
  expect(caught instanceof InvariantError && caught.violations).toHaveLength(2);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test("an amount with cents is served to the cent", () => {
  const record = rows(
    row(ceo, { salary: 100_050, pension_change: -7 }),
    row({ position: 2, name: "Ben Cole" }, testAmounts({ bonus: 5 })),
  );
  write("cents.sqlite", record);
  const dataset = datasetOf(openFile(join(folder, "cents.sqlite")), "installed");
  const [year] = dataset.years("0000000042");
  expect(year?.rowJson[0]).toContain('"salary":1000.5,');
  expect(year?.rowJson[0]).toContain('"pension_change":-0.07,');
  expect(year?.rowJson[0]).toContain('"total_compensation":1000.43,');
});
