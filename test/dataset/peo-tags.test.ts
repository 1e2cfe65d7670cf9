/**
 * Totals tagged in proxies, as a check on rows: a disagreement is a problem of the row, and never changes an amount.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { companyFiles, peoTagsOf, readCompany } from "../../scripts/compile-data.ts";
import { assemble } from "../../src/dataset/assemble.ts";
import { checkPeoTag, type PeoTag, peoTagProblems } from "../../src/dataset/peo-tags.ts";
import { datasetIn } from "../support/snapshot.ts";
import { tempFolder } from "../support/folder.ts";
import { writeSnapshot } from "../../src/dataset/writer.ts";

const DATA = join(import.meta.dir, "../../data");
const tags = peoTagsOf(DATA);
const newestOf = (cik: string) => tags.find((tag) => tag.cik === cik && tag.provider === "scorecard");
const records = companyFiles(DATA).map((path) => readCompany(DATA, path));
const apple = records.find(({ cik }) => cik === "0000320193") ?? records[0];
if (apple === undefined) throw new Error("no companies");
const assembled = assemble(apple);
const tagged = (cents: number, year = 2025): PeoTag => ({
  cik: apple.cik,
  frame: `ended ${year}`,
  periodEnd: null,
  fiscalYear: null,
  name: null,
  cents,
  farBelowOthers: false,
  sameAs: null,
  provider: "scorecard",
  accession: null,
});

test("at least 98 companies have rows for the tagged year, and all of them agree to the dollar", () => {
  const kinds = records.flatMap((record) => {
    const tag = newestOf(record.cik);
    return tag === undefined ? [] : [checkPeoTag(record, assemble(record), tag).kind];
  });
  expect(kinds.filter((kind) => kind === "agrees").length).toBeGreaterThanOrEqual(98);
  expect(kinds.filter((kind) => kind === "differs" || kind === "scaled")).toEqual([]);
});

test("matched by the end of the fiscal year: HD, LOW and TGT end in 2026 what they call 2025", () => {
  for (const cik of ["0000354950", "0000060667", "0000027419"]) {
    const record = records.find((one) => one.cik === cik);
    if (record === undefined) throw new Error(cik);
    const tag = newestOf(cik);
    if (tag === undefined) throw new Error(`no tag of ${cik}`);
    const check = checkPeoTag(record, assemble(record), tag);
    expect(tag.frame).toBe("ended 2026");
    expect(check.kind === "agrees" && check.row.fiscalYear).toBe(2025);
  }
});

test("a different total is a problem of that row, with both values; no amount changes", () => {
  const before = JSON.stringify(assembled.rows);
  const [problem, ...more] = peoTagProblems(apple, assembled, [tagged(7_000_000_000)]);
  expect(more).toEqual([]);
  expect(problem).toMatchObject({ code: "peo_total_differs", step: "assemble" });
  expect(problem?.message).toContain("74294811");
  expect(problem?.message).toContain("70000000");
  expect(JSON.stringify(assembled.rows)).toBe(before);
  const path = join(tempFolder(), "checked.sqlite");
  writeSnapshot(path, {
    edition: "2026-01-01",
    listed: [],
    records: [apple],
    peoTags: [tagged(7_000_000_000)],
  });
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
      expect(checkPeoTag(record, of, tagged(amounts.total_compensation, year)).kind).toBe("agrees");
    }
  }
});

test("a wrong scale is an error of the tag", () => {
  for (const slip of [7_429_500, 7_429_481_100_000]) {
    expect(checkPeoTag(apple, assembled, tagged(slip)).kind).toBe("scaled");
    expect(peoTagProblems(apple, assembled, [tagged(slip)])).toEqual([]);
  }
});

test("a year other than the tagged one is not compared", () => {
  expect(checkPeoTag(apple, assembled, tagged(1, 2019)).kind).toBe("absent");
});
