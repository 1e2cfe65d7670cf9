import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRows } from "../../src/domain/row-fields.ts";
import { ServiceError } from "../../src/errors.ts";
import { readCoverage } from "../../src/dataset/coverage.ts";
import { amountSource, flagSource, readHistory, yearsAsOf } from "../../src/dataset/detail.ts";
import { countDifferences, diffDatasets } from "../../src/dataset/diff.ts";
import type { Dataset } from "../../src/dataset/dataset.ts";
import { readRecord } from "../../src/dataset/read-records.ts";
import { rowRemarks } from "../../src/dataset/remarks.ts";
import { rederive } from "../../src/dataset/verify.ts";
import { tempFolder } from "../support/folder.ts";
import { OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";
import { datasetIn, writeTestSnapshot } from "../support/snapshot.ts";

const folder = tempFolder();
const OLD = "0000000001-24-000001";
const NEW = "0000000001-25-000001";
const acme = testRecord({
  filings: [
    testFiling({ year: 2024, symbol: "OLDA" }),
    testFiling({ captions: { "1:2": "Salary ($)" } }),
    testFiling({ year: 2026, status: "pending", form: null, read: null, currency: null, periodEnd: null }),
  ],
  observations: [
    testRow({ accession: OLD, fiscalYear: 2023, peo: OFFICE, role: "President" }, { salary: 300 }),
    testRow({ peo: OFFICE, role: "Chief", cells: { salary: [[1, 5, 2, "$5"]] } }, { salary: 500 }),
    testRow({ position: 2, fiscalYear: 2023, peo: OFFICE, role: "Chief" }, { salary: 400 }),
    testRow({ position: 3, name: "Ben Cole" }, { salary: 1, unknown_component: 2 }),
    testRow({ position: 4, name: "Ben Cole", fiscalYear: 2023, placeholder: true }, {}),
  ],
  grids: [
    {
      accession: NEW,
      table: 1,
      row: 5,
      caption: false,
      cells: [
        [0, "Ada Byrne"],
        [2, "$5"],
      ],
    },
  ],
  problems: [{ accession: NEW, position: 3, step: "reconcile", code: "filer_slip", message: "off by 2" }],
});
const bare = testRecord({
  cik: "0000000043",
  name: "No Symbol Inc",
  symbols: [],
  fiscalYearEnd: null,
  filings: [testFiling({ accession: "0000000002-25-000001", symbol: null, url: null })],
  observations: [testRow({ accession: "0000000002-25-000001", peo: OFFICE })],
});
const dataset = datasetIn(writeTestSnapshot(folder, "a.sqlite", [acme, bare]));

test("every symbol finds its company: present, former, with and without rows", () => {
  expect(dataset.findBySymbol("ACME")?.cik).toBe("0000000042");
  expect(dataset.findBySymbol("OLDA")).toEqual({
    cik: "0000000042",
    name: "Acme Corp",
    ticker: "ACME",
    hasRows: true,
    newestKnown: {
      accession: "0000000001-26-000001",
      form: null,
      filingDate: "2026-03-15",
      url: "https://www.sec.gov/Archives/edgar/data/42/000000000126000001/proxy.htm",
      isLoaded: false,
    },
    fiscalYearEnd: "12-31",
  });
  expect(dataset.findBySymbol("LIST")).toEqual({
    cik: "0000000099",
    name: "LISTED ONLY",
    ticker: "LIST",
    hasRows: false,
    newestKnown: null,
    fiscalYearEnd: null,
  });
  expect(dataset.symbols("0000000042")).toEqual(["ACME", "OLDA"]);
  expect(dataset.findBySymbol("NONE")).toBeUndefined();
  expect(dataset.findBySymbol("")).toBeUndefined();
  // Asking for a CIK as if it were a symbol hides no company.
  expect(dataset.findBySymbol("0000000043")).toBeUndefined();
  expect(dataset.findByCik("0000000043")?.cik).toBe("0000000043");
  expect(dataset.findByCik("0000000001")).toBeUndefined();
});

test("a registrant without a symbol is found by CIK and not among the tickers", () => {
  expect(dataset.findByCik("0000000043")).toMatchObject({ ticker: "", hasRows: true });
  expect(dataset.symbols("0000000043")).toEqual([]);
  expect(dataset.tickers()).toEqual(["ACME"]);
});

test("years are returned newest first, each with its rows and whether it is complete", () => {
  const years = dataset.years("0000000042");
  expect(years.map(({ fiscalYear, complete, rowJson }) => [fiscalYear, complete, rowJson.length])).toEqual([
    [2024, true, 2],
    [2023, true, 1],
  ]);
  expect(JSON.parse(`{"ticker":"ACME",${years[0]?.rowJson[0]}`)).toEqual({
    ticker: "ACME",
    cik: "0000000042",
    company_name: "Acme Corp",
    fiscal_year: 2024,
    reported_year: 2024,
    period: "annual",
    executive_id: "ada-byrne",
    executive_name: "Ada Byrne",
    executive_role: "Chief",
    is_peo: true,
    is_pfo: false,
    reporting_currency: "USD",
    salary: 5,
    bonus: 0,
    stock_awards: 0,
    option_awards: 0,
    non_equity_incentive: 0,
    pension_change: 0,
    other_comp: 0,
    unknown_component: 0,
    total_compensation: 5,
    source: {
      form: "DEF 14A",
      accession: NEW,
      filing_date: "2025-03-15",
      filing_url: "https://www.sec.gov/Archives/edgar/data/42/000000000125000001/proxy.htm",
    },
  });
  expect(dataset.years("0000000099")).toEqual([]);
  expect(dataset.years("0000000042")).toBe(years);
});

test("a row is served under the symbol that was asked for, with its problems, and its flag has a source", () => {
  const years = dataset.years("0000000042");
  const rows = years.flatMap(({ complete, rowJson }) =>
    readRows("OLDA", rowJson).map((row) => ({ row, complete })),
  );
  expect(rows.map(({ row, complete }) => [row.ticker, row.fiscal_year, row.executive_id, complete])).toEqual([
    ["OLDA", 2024, "ada-byrne", true],
    ["OLDA", 2024, "ben-cole", true],
    ["OLDA", 2023, "ada-byrne", true],
  ]);
  const remarks = rowRemarks(dataset, ["0000000042"]);
  expect(rows.map(({ row }) => remarks(row).map(({ code }) => code))).toEqual([
    [],
    ["filer_slip"],
    ["restated"],
  ]);
  expect(rows[2]?.row.executive_role).toBe("President");
  expect(rows[2]?.row.source.accession).toBe(NEW);
  const flag = flagSource(dataset, "0000000042", 2023, "ada-byrne", "peo");
  expect(flag?.decision.basis).toBe("filing_of_year");
});

test("the history of a row is what each filing printed, by date, with the served one marked", () => {
  const history = readHistory(dataset, "0000000042", 2023, "ada-byrne");
  expect(
    history.map(({ filing, amounts, served }) => [
      filing.accession,
      filing.filingDate,
      amounts.salary,
      served,
    ]),
  ).toEqual([
    [OLD, "2024-03-15", 3, false],
    [NEW, "2025-03-15", 4, true],
  ]);
  expect(
    readHistory(dataset, "0000000042", 2023, "ben-cole").map((one) => [one.placeholder, one.served]),
  ).toEqual([[true, false]]);
  expect(readHistory(dataset, "0000000042", 2023, "nobody")).toEqual([]);
});

test("as of a day answers come from the filings filed until then", () => {
  const years = yearsAsOf(dataset, "0000000042", "2024-12-31");
  expect(years.map(({ fiscalYear, complete }) => [fiscalYear, complete])).toEqual([[2023, true]]);
  expect(years[0]?.rowJson[0]).toContain('"salary":3,');
  expect(yearsAsOf(dataset, "0000000042", "2026-12-31")).toEqual([...dataset.years("0000000042")]);
  expect(yearsAsOf(dataset, "0000000099", "2026-12-31")).toEqual([]);
});

test("an amount is traced to its cell, its column headers and the copy of its table", () => {
  const source = amountSource(dataset, "0000000042", 2024, "ada-byrne", "salary");
  expect(source?.cells).toEqual([{ cell: [1, 5, 2, "$5"], caption: "Salary ($)" }]);
  expect(source?.grid.map(({ cells }) => cells)).toEqual([
    [
      [0, "Ada Byrne"],
      [2, "$5"],
    ],
  ]);
  expect(amountSource(dataset, "0000000042", 2023, "ada-byrne", "salary")?.cells).toEqual([]);
  expect(amountSource(dataset, "0000000042", 2024, "nobody", "salary")).toBeUndefined();
});

test("coverage lists every company with a known filing", () => {
  expect(readCoverage(dataset)).toEqual([
    {
      cik: "0000000042",
      ticker: "ACME",
      name: "Acme Corp",
      sector: null,
      newestKnown: dataset.findBySymbol("ACME")?.newestKnown ?? null,
      years: [
        { fiscalYear: 2024, complete: true },
        { fiscalYear: 2023, complete: true },
      ],
      filings: { pending: 1, parsed: 2, refused: 0, failed: 0 },
      withoutUrl: 0,
      read: ["transcribed"],
      rows: 3,
      checkedRows: 0,
      checks: {},
      problems: { filer_slip: 1, restated: 1 },
      missingYears: [],
    },
    expect.objectContaining({ cik: "0000000043", ticker: "", rows: 1 }),
  ]);
});

test("two datasets differ in exactly what was changed", () => {
  const changed = testRecord({
    ...acme,
    name: "Acme Corporation",
    filings: acme.filings.slice(0, 2),
    observations: [
      ...acme.observations.filter(({ name }) => name === "Ada Byrne"),
      testRow({ position: 9, name: "Cy Dunn" }, { salary: 9 }),
    ],
    problems: [],
  });
  const after = datasetIn(writeTestSnapshot(folder, "b.sqlite", [changed]));
  const differences = [...diffDatasets(dataset, after)];
  const told = differences.map(({ kind, change, cik, key, fields }) => [
    `${kind} ${change}`,
    Number(cik),
    key,
    fields.map(({ field }) => field).join(),
  ]);
  expect(told).toEqual([
    ["company changed", 42, "Acme Corporation", "name"],
    ["filing changed", 42, NEW, "row_count"],
    ["filing removed", 42, "0000000001-26-000001", ""],
    ["row changed", 42, "2024 ada-byrne", "company_name"],
    ["row removed", 42, "2024 ben-cole", ""],
    ["row changed", 42, "2023 ada-byrne", "company_name"],
    ["row added", 42, "2024 cy-dunn", ""],
    ["company removed", 43, "No Symbol Inc", ""],
    ["filing removed", 43, "0000000002-25-000001", ""],
    ["year removed", 43, "2024", ""],
    ["row removed", 43, "2024 ada-byrne", ""],
  ]);
  const counts = countDifferences(differences);
  expect([
    counts["rows added"],
    counts["rows removed"],
    counts["rows changed"],
    counts["years added"],
  ]).toEqual([1, 2, 2, 0]);
  expect([...diffDatasets(dataset, dataset)]).toEqual([]);
});

test("rows inconsistent with the observations are found", () => {
  expect(rederive(dataset)).toEqual([]);
  const path = join(folder, "forged.sqlite");
  const bytes = readFileSync(join(folder, "a.sqlite"));
  const at = bytes.indexOf('"salary":4,');
  bytes.write('"salary":9,', at, "latin1");
  writeFileSync(path, bytes);
  expect(rederive(datasetIn(path))).toEqual([
    "0000000042 ada-byrne 2023: the served row differs from what its filings give",
  ]);
});

test.each([
  ["company_rows", (rotten: Dataset) => rotten.years("0000000042")],
  ["observations", (rotten: Dataset) => readRecord(rotten, "0000000042")],
])(
  "a file whose table %s becomes unreadable is refused with the operator's next step, not as a bug",
  (table, read) => {
    const path = join(folder, `rotten-${table}.sqlite`);
    const bytes = readFileSync(join(folder, "a.sqlite"));
    const [root] = dataset.all<{ page: number }>(
      "select rootpage as page from sqlite_schema where name = ?",
      table,
    );
    const at = ((root?.page ?? 1) - 1) * 4096;
    expect(at).toBeGreaterThan(4096);
    bytes.fill(0xff, at, at + 64);
    writeFileSync(path, bytes);
    let refused: unknown;
    try {
      read(datasetIn(path));
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(ServiceError);
    expect(refused instanceof ServiceError && [refused.kind, refused.details.retryAfterSeconds]).toEqual([
      "unavailable",
      60,
    ]);
    expect(String(refused)).toContain("execcomp data verify");
  },
);
