import { expect, test } from "bun:test";
import { assemble } from "../../src/dataset/assemble.ts";
import type { OfficeTerm } from "../../src/dataset/record.ts";
import { dated, OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";

const OLD = "0000000001-24-000001";
const NEW = "0000000001-25-000001";
const two = [testFiling({ year: 2024 }), testFiling()];
const ceo = { name: "Ada Byrne", peo: OFFICE };

test("an executive-year is served from the newest definitive filing, and older versions are kept as restated", () => {
  const record = testRecord({
    filings: two,
    observations: [
      testRow({ ...ceo, accession: OLD, fiscalYear: 2023 }, { salary: 300 }),
      testRow(ceo, { salary: 500 }),
      testRow({ ...ceo, position: 2, fiscalYear: 2023 }, { salary: 400 }),
    ],
  });
  const { rows, problems } = assemble(record);
  expect(
    rows.map((row) => [row.fiscalYear, row.filing.accession, row.amounts.salary, row.reportedYear]),
  ).toEqual([
    [2024, NEW, 500, 2024],
    [2023, NEW, 400, 2024],
  ]);
  expect(problems.map(({ code, position }) => [code, position])).toEqual([["restated", 2]]);
  expect(problems[0]?.message).toContain("salary 3 → 4");
});

test("of two filings on one day the higher accession is the newer", () => {
  const amendment = testFiling({ accession: "0000000001-25-000002", form: "DEF 14A/A" });
  const record = testRecord({
    filings: [amendment, testFiling()],
    observations: [
      testRow({ ...ceo, accession: amendment.accession }, { salary: 7 }),
      testRow(ceo, { salary: 6 }),
    ],
  });
  expect(assemble(record).rows.map((row) => row.filing.form)).toEqual(["DEF 14A/A"]);
});

test("a preliminary proxy serves nothing and completes no year", () => {
  for (const form of ["PRE 14A", "PREC14A", "PRER14A"]) {
    const record = testRecord({
      filings: [testFiling({ year: 2024 }), testFiling({ form })],
      observations: [
        testRow({ ...ceo, accession: OLD, fiscalYear: 2023 }, { salary: 300 }),
        testRow(ceo, { salary: 500 }),
        testRow({ ...ceo, position: 2, fiscalYear: 2023 }, { salary: 400 }),
      ],
    });
    const { rows, years } = assemble(record);
    expect(rows.map((row) => [row.fiscalYear, row.amounts.salary])).toEqual([[2023, 300]]);
    expect(years).toEqual([{ fiscalYear: 2023, complete: true }]);
  }
});

test("a year is complete only if the filing of that year is loaded", () => {
  const record = testRecord({
    filings: two,
    observations: [
      testRow({ ...ceo, accession: OLD, fiscalYear: 2022 }),
      testRow({ ...ceo, accession: OLD, fiscalYear: 2021, position: 2 }),
      testRow(ceo),
      testRow({ ...ceo, fiscalYear: 2023, position: 2 }),
    ],
  });
  expect(assemble(record).years).toEqual([
    { fiscalYear: 2024, complete: true },
    { fiscalYear: 2023, complete: false },
    { fiscalYear: 2022, complete: true },
    { fiscalYear: 2021, complete: false },
  ]);
});

test("the role is the one printed in that year's filing, otherwise in the filing served from", () => {
  const record = testRecord({
    filings: two,
    observations: [
      testRow({ ...ceo, accession: OLD, fiscalYear: 2023, role: "President" }),
      testRow({ ...ceo, role: "Chief Executive Officer" }),
      testRow({ ...ceo, fiscalYear: 2023, position: 2, role: "Chief Executive Officer" }),
      testRow({ ...ceo, fiscalYear: 2022, position: 3, role: "Chief Executive Officer" }),
      testRow({ name: "Cy Dunn", position: 4, role: null }),
    ],
  });
  expect(assemble(record).rows.map((row) => [row.name, row.fiscalYear, row.role])).toEqual([
    ["Ada Byrne", 2024, "Chief Executive Officer"],
    ["Cy Dunn", 2024, null],
    ["Ada Byrne", 2023, "President"],
    ["Ada Byrne", 2022, "Chief Executive Officer"],
  ]);
});

test("names are served as spelled in the filing served from, in normal case", () => {
  const record = testRecord({ observations: [testRow({ ...ceo, name: "VAN DE PUT, DIRK" })] });
  expect(assemble(record).rows.map((row) => [row.name, row.executiveId])).toEqual([
    ["Dirk Van de Put", "dirk-van-de-put"],
  ]);
});

test("within a year PEOs come first, then PFOs, then the higher total, then the id", () => {
  const record = testRecord({
    observations: [
      testRow({ position: 1, name: "Zoe Ash" }, { salary: 50 }),
      testRow({ position: 2, name: "Abe Ash" }, { salary: 50 }),
      testRow({ position: 3, name: "Max Top" }, { salary: 900 }),
      testRow({ position: 4, name: "Fin Oak", pfo: OFFICE }, { salary: 10 }),
      testRow({ position: 5, name: "Two Hats", peo: OFFICE, pfo: OFFICE }, { salary: 1 }),
      testRow({ position: 6, name: "Ada Byrne", peo: OFFICE }, { salary: 2 }),
    ],
  });
  expect(assemble(record).rows.map((row) => row.executiveId)).toEqual([
    "two-hats",
    "ada-byrne",
    "fin-oak",
    "max-top",
    "abe-ash",
    "zoe-ash",
  ]);
});

test("a date in any filing overrides the title in that year's filing", () => {
  const record = testRecord({
    filings: two,
    observations: [
      testRow({ ...ceo, accession: OLD, fiscalYear: 2023 }),
      testRow({ name: "Ben Cole", accession: OLD, fiscalYear: 2023, position: 2 }, { salary: 2 }),
      testRow(ceo),
      testRow({ name: "Ben Cole", position: 2, fiscalYear: 2023, pfo: dated(true) }, { salary: 2 }),
    ],
  });
  const ben = assemble(record).rows.find((row) => row.executiveId === "ben-cole" && row.fiscalYear === 2023);
  expect([ben?.isPfo, ben?.pfoBasis]).toEqual([true, "dated"]);
});

test("the title in that year's filing overrides the current title next to the older year", () => {
  const record = testRecord({
    filings: two,
    observations: [
      testRow({ ...ceo, accession: OLD, fiscalYear: 2023 }),
      testRow(
        { name: "Ben Cole", accession: OLD, fiscalYear: 2023, position: 2, role: "President" },
        { salary: 2 },
      ),
      testRow({ name: "Ben Cole", peo: OFFICE, role: "Chief Executive Officer" }),
      testRow(
        { name: "Ben Cole", fiscalYear: 2023, position: 2, peo: { ...OFFICE, evidence: "weak" } },
        { salary: 2 },
      ),
    ],
  });
  const ofYear = assemble(record).rows.filter((row) => row.fiscalYear === 2023);
  expect(ofYear.map((row) => [row.executiveId, row.isPeo, row.peoBasis])).toEqual([
    ["ada-byrne", true, "filing_of_year"],
    ["ben-cole", false, "filing_of_year"],
  ]);
});

test("the current title applies to an older year without its own filing, and is marked as weak", () => {
  const record = testRecord({
    observations: [testRow(ceo), testRow({ ...ceo, fiscalYear: 2023, position: 2 })],
  });
  expect(assemble(record).rows.map((row) => [row.fiscalYear, row.isPeo, row.peoBasis])).toEqual([
    [2024, true, "filing_of_year"],
    [2023, true, "todays_office"],
  ]);
});

test("a person missing in the filing of the year held neither office in it", () => {
  const record = testRecord({
    filings: two,
    observations: [
      testRow({ ...ceo, accession: OLD, fiscalYear: 2023 }),
      testRow({ name: "Ben Cole", peo: OFFICE }),
      testRow({ name: "Ben Cole", fiscalYear: 2023, position: 2, peo: { ...OFFICE, evidence: "weak" } }),
    ],
  });
  const ben = assemble(record).rows.find((row) => row.executiveId === "ben-cole" && row.fiscalYear === 2023);
  expect([ben?.isPeo, ben?.peoBasis]).toEqual([false, "not_in_filing_of_year"]);
});

const span = (name: string, start: string | null, end: string | null): OfficeTerm => ({
  accession: NEW,
  name,
  office: "peo",
  start,
  end,
  evidence: "dated",
  because: `${name} ${start}..${end}`,
});

/** Three filings; the oldest, of 2021, dates offices; only the newest prints 2023 and 2022. */
const spanned = (fiscalYearEnd: string, ...offices: OfficeTerm[]) => {
  const oldest = testFiling({ year: 2022 });
  return testRecord({
    filings: [oldest, testFiling({ periodEnd: `2024-${fiscalYearEnd}` })],
    observations: [
      testRow({ ...ceo, accession: oldest.accession, fiscalYear: 2021 }),
      ...[2024, 2023, 2022].flatMap((fiscalYear, index) => [
        testRow({ name: "Ada Byrne", fiscalYear, position: index + 1, peo: { ...OFFICE, evidence: "weak" } }),
        testRow({ name: "Ben Cole", fiscalYear, position: index + 4 }, { salary: 2 }),
      ]),
    ],
    offices: offices.map((one) => ({ ...one, accession: oldest.accession })),
  });
};
const flagsOf = (record: ReturnType<typeof spanned>, id: string) =>
  assemble(record)
    .rows.filter((row) => row.executiveId === id && row.fiscalYear < 2024)
    .map((row) => [row.fiscalYear, row.isPeo, row.peoBasis]);

test("a term of office dated by another filing decides years without their own filing", () => {
  const record = spanned(
    "12-31",
    span("Ada Byrne", "2023-06-01", null),
    span("Ben Cole", "2019-01-01", "2023-06-01"),
  );
  expect(flagsOf(record, "ada-byrne")).toEqual([
    [2023, true, "dated"],
    [2022, false, "dated"],
    [2021, true, "filing_of_year"],
  ]);
  expect(flagsOf(record, "ben-cole")).toEqual([
    [2023, true, "dated"],
    [2022, true, "dated"],
  ]);
});

test("an office that ends on the first day of the fiscal year belongs to the successor (FedEx, 1 June 2022)", () => {
  const record = spanned("05-31", span("Ben Cole", "2000-01-01", "2022-06-01"));
  expect(flagsOf(record, "ben-cole").map(([year, isPeo]) => [year, isPeo])).toEqual([
    [2023, false],
    [2022, true],
  ]);
});

test("if no filing states the end of its year, the company's last fiscal year end before the filing date counts", () => {
  const june = spanned("06-30", span("Ben Cole", "2021-07-15", "2022-09-30"));
  const filings = june.filings.map((filing) => ({ ...filing, periodEnd: null }));
  const flags = flagsOf({ ...june, filings, fiscalYearEnd: "06-30" }, "ben-cole");
  // Fiscal 2023 began in July 2022.
  expect(flags).toEqual([
    [2023, true, "dated"],
    [2022, true, "dated"],
  ]);
});

test("a term of office never overrides a filing's own rows, which have already weighed its dates (Ford, 0001552781-26-000164)", () => {
  const record = testRecord({
    observations: [
      testRow(ceo),
      testRow({ name: "Ben Cole", position: 2 }),
      testRow({ name: "Ben Cole", position: 3, fiscalYear: 2023 }),
    ],
    offices: [span("Ben Cole", "2001-10-01", null)],
  });
  const ben = assemble(record).rows.filter((row) => row.executiveId === "ben-cole");
  expect(ben.map((row) => [row.fiscalYear, row.isPeo])).toEqual([
    [2024, false],
    [2023, false],
  ]);
});

test("the filing of the year takes precedence over a biography in another filing", () => {
  const record = testRecord({
    filings: two,
    observations: [
      testRow({ ...ceo, accession: OLD, fiscalYear: 2023 }),
      testRow({ name: "Ben Cole", accession: OLD, fiscalYear: 2023, position: 2 }),
      testRow(ceo),
    ],
    offices: [span("Ben Cole", "2010-01-01", null)],
  });
  const ben = assemble(record).rows.find((row) => row.executiveId === "ben-cole");
  expect([ben?.isPeo, ben?.peoBasis]).toEqual([false, "filing_of_year"]);
});

test("if two filings date an office differently, the newer applies, and both sides are reported", () => {
  const record = testRecord({
    filings: two,
    observations: [
      testRow({ name: "Ada Byrne", accession: OLD, fiscalYear: 2023, peo: dated(false) }),
      testRow(ceo),
      testRow({ name: "Ada Byrne", fiscalYear: 2023, position: 2, peo: dated(true) }),
    ],
  });
  const { rows, problems } = assemble(record);
  expect(rows.map((row) => [row.fiscalYear, row.isPeo])).toEqual([
    [2024, true],
    [2023, true],
  ]);
  expect(problems.map(({ code }) => code)).toEqual(["flag_conflict"]);
  expect(problems[0]?.message).toContain(OLD);
});

test("an undecided flag is served as false and marked undecided", () => {
  const record = testRecord({
    observations: [
      testRow(ceo),
      testRow({ name: "Cy Dunn", position: 2, peo: { held: null, evidence: "none", because: "?" } }),
    ],
  });
  const { rows, problems } = assemble(record);
  expect(rows.map((row) => [row.executiveId, row.isPeo, row.peoBasis])).toEqual([
    ["ada-byrne", true, "filing_of_year"],
    ["cy-dunn", false, "undecided"],
  ]);
  expect(problems.map(({ code, position }) => [code, position])).toEqual([["undecided_flag", 2]]);
});

test("a year printed without any amount is served for a PEO and omitted for anyone else", () => {
  const blank = { placeholder: true };
  const record = testRecord({
    observations: [
      testRow({ ...ceo, ...blank }, {}),
      testRow({ ...ceo, ...blank, fiscalYear: 2023, position: 2 }, {}),
      testRow({ name: "Cy Dunn", position: 3 }, { salary: 5 }),
      testRow({ name: "Cy Dunn", position: 4, fiscalYear: 2023, ...blank }, {}),
    ],
  });
  const { rows, years } = assemble(record);
  expect(rows.map((row) => [row.executiveId, row.fiscalYear])).toEqual([
    ["ada-byrne", 2024],
    ["cy-dunn", 2024],
    ["ada-byrne", 2023],
  ]);
  expect(years.map(({ fiscalYear }) => fiscalYear)).toEqual([2024, 2023]);
});

test("the current office is not enough to serve a blank older year of a person who has joined since", () => {
  const record = testRecord({
    observations: [
      testRow(ceo),
      testRow(
        { ...ceo, fiscalYear: 2023, position: 2, peo: { ...OFFICE, evidence: "weak" }, placeholder: true },
        {},
      ),
    ],
  });
  const { rows, years } = assemble(record);
  expect(rows.map((row) => row.fiscalYear)).toEqual([2024]);
  expect(years).toEqual([{ fiscalYear: 2024, complete: true }]);
});

test("an older filing's amounts are used where the newer one prints only dashes", () => {
  const record = testRecord({
    filings: two,
    observations: [
      testRow({ ...ceo, accession: OLD, fiscalYear: 2023 }),
      testRow({ name: "Cy Dunn", accession: OLD, fiscalYear: 2023, position: 2 }, { salary: 77 }),
      testRow(ceo),
      testRow({ name: "Cy Dunn", fiscalYear: 2023, position: 2, placeholder: true }, {}),
    ],
  });
  const cy = assemble(record).rows.find((row) => row.executiveId === "cy-dunn");
  expect([cy?.amounts.salary, cy?.filing.accession]).toEqual([77, OLD]);
});

test("a period shorter than a year is served with its printed year and marked partial", () => {
  const period = { start: "2024-08-07", end: "2024-12-31" };
  const { rows, problems } = assemble(testRecord({ observations: [testRow({ ...ceo, period })] }));
  expect(rows.map(({ fiscalYear }) => fiscalYear)).toEqual([2024]);
  expect(problems.map(({ code, message }) => [code, message])).toEqual([
    ["partial_period", "covers 2024-08-07 to 2024-12-31, not a whole year"],
  ]);
});

test("if a full year and a transition period share a label, the full year is served, and both are kept", () => {
  const period = { start: "2024-10-01", end: "2024-12-31" };
  const record = testRecord({
    observations: [
      testRow({ ...ceo, period }, { salary: 25 }),
      testRow({ ...ceo, position: 2 }, { salary: 100 }),
    ],
  });
  const { rows, problems, executiveIds } = assemble(record);
  expect(rows.map((row) => row.amounts.salary)).toEqual([100]);
  expect(executiveIds).toEqual(["ada-byrne", "ada-byrne"]);
  expect(problems.map(({ code, position }) => [code, position])).toEqual([["printed_twice", 2]]);
});

test("as of a day only filings up to then count, under the ids that are pinned today", () => {
  const record = testRecord({
    filings: two,
    pins: [{ executiveId: "the-boss", spelling: "Ada Byrne" }],
    observations: [
      testRow({ ...ceo, accession: OLD, fiscalYear: 2023 }, { salary: 300 }),
      testRow(ceo, { salary: 500 }),
      testRow({ ...ceo, position: 2, fiscalYear: 2023 }, { salary: 400 }),
    ],
  });
  const on = (day: string) =>
    assemble(record, day).rows.map((row) => [row.fiscalYear, row.executiveId, row.amounts.salary]);
  expect(on("2024-03-14")).toEqual([]);
  expect(on("2024-03-15")).toEqual([[2023, "the-boss", 300]]);
  expect(on("2025-03-15")).toEqual([
    [2024, "the-boss", 500],
    [2023, "the-boss", 400],
  ]);
});

test("pending, refused and failed filings are ignored", () => {
  for (const status of ["pending", "refused", "failed"] as const) {
    const record = testRecord({ filings: [testFiling({ status })] });
    expect(assemble(record).rows).toEqual([]);
    expect(assemble(record).years).toEqual([]);
  }
});
