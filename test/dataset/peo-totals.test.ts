/**
 * Totals tagged in proxies, as a check on rows: a disagreement is a problem of the row, and never changes an amount.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { companyFiles, peoTotalsOf, readCompany } from "../../scripts/compile-data.ts";
import { assemble } from "../../src/dataset/assemble.ts";
import { checkPeoTotal, peoTotalProblems, readPeoTotals } from "../../src/dataset/peo-totals.ts";
import { datasetIn } from "../support/snapshot.ts";
import { tempFolder } from "../support/folder.ts";
import { writeSnapshot } from "../../src/dataset/writer.ts";

const DATA = join(import.meta.dir, "../../data");
const totals = peoTotalsOf(DATA);
const records = companyFiles(DATA).map((path) => readCompany(DATA, path));
const apple = records.find(({ cik }) => cik === "0000320193") ?? records[0];
if (apple === undefined) throw new Error("no companies");
const assembled = assemble(apple);
const tagged = (cents: number, periodEndYear = 2025) => ({ cents, periodEndYear });

test("at least 98 companies have rows for the tagged year, and all of them agree to the dollar", () => {
  const kinds = records.map((record) => checkPeoTotal(record, assemble(record), totals.get(record.cik)).kind);
  expect(kinds.filter((kind) => kind === "agrees").length).toBeGreaterThanOrEqual(98);
  expect(kinds.filter((kind) => kind === "differs" || kind === "scaled")).toEqual([]);
});

test("matched by the end of the fiscal year: HD, LOW and TGT end in 2026 what they call 2025", () => {
  for (const cik of ["0000354950", "0000060667", "0000027419"]) {
    const record = records.find((one) => one.cik === cik);
    if (record === undefined) throw new Error(cik);
    const check = checkPeoTotal(record, assemble(record), totals.get(cik));
    expect(totals.get(cik)?.periodEndYear).toBe(2026);
    expect(check.kind === "agrees" && check.row.fiscalYear).toBe(2025);
  }
});

test("a different total is a problem of that row, with both values; no amount changes", () => {
  const before = JSON.stringify(assembled.rows);
  const [problem, ...more] = peoTotalProblems(apple, assembled, tagged(7_000_000_000));
  expect(more).toEqual([]);
  expect(problem).toMatchObject({ code: "peo_total_differs", step: "assemble" });
  expect(problem?.message).toContain("74294811");
  expect(problem?.message).toContain("70000000");
  expect(JSON.stringify(assembled.rows)).toBe(before);
  const path = join(tempFolder(), "checked.sqlite");
  const peoTotals = new Map([[apple.cik, tagged(7_000_000_000)]]);
  writeSnapshot(path, { edition: "2026-01-01", listed: [], records: [apple], peoTotals });
  const dataset = datasetIn(path);
  const kept = dataset.all("select code, assembled from problems where code = 'peo_total_differs'");
  expect(kept).toEqual([{ code: "peo_total_differs", assembled: 1 }]);
  expect(dataset.years(apple.cik)[0]?.rowJson[0]).toContain('"total_compensation":74294811');
});

test("of two PEOs in one year, either may be the tagged one", () => {
  const two = records
    .map((record) => ({ record, of: assemble(record) }))
    .flatMap(({ record, of }) => {
      const newest = record.filings.filter(({ periodEnd }) => periodEnd !== null).at(-1);
      const peos = of.rows.filter(
        ({ isPeo, filing, fiscalYear }) =>
          isPeo && filing.accession === newest?.accession && fiscalYear === of.rows[0]?.fiscalYear,
      );
      return peos.length === 2 ? [{ record, of, peos, year: Number(newest?.periodEnd?.slice(0, 4)) }] : [];
    });
  expect(two.length).toBeGreaterThan(0);
  for (const { record, of, peos, year } of two) {
    for (const { amounts } of peos) {
      expect(checkPeoTotal(record, of, tagged(amounts.total_compensation, year)).kind).toBe("agrees");
    }
  }
});

test("a zero is a placeholder and not a total; a wrong scale is an error of the tag", () => {
  expect(readPeoTotals("cik\tperiod_end_year\tpeo_total\n0000320193\t2025\t0\n").size).toBe(0);
  for (const slip of [7_429_500, 7_429_481_100_000]) {
    expect(checkPeoTotal(apple, assembled, tagged(slip)).kind).toBe("scaled");
    expect(peoTotalProblems(apple, assembled, tagged(slip))).toEqual([]);
  }
});

test("a year other than the tagged one is not compared", () => {
  expect(checkPeoTotal(apple, assembled, tagged(1, 2019)).kind).toBe("absent");
  expect(checkPeoTotal(apple, assembled, undefined).kind).toBe("absent");
});
