/** The coverage page's companies are selected by SQL: the same as from all lines. */
import { expect, test } from "bun:test";
import { SECTORS } from "../../src/domain/selection.ts";
import {
  type CoverageLine,
  type CoverageQuery,
  coverageSums,
  findCoverage,
  readCoverage,
} from "../../src/dataset/coverage.ts";
import { tempFolder } from "../support/folder.ts";
import { copyCompiledData, datasetIn } from "../support/snapshot.ts";

const dataset = datasetIn(copyCompiledData(`${tempFolder()}/all.sqlite`));
const all = readCoverage(dataset);

const IS: Readonly<Record<CoverageQuery["status"], (line: CoverageLine) => boolean>> = {
  all: () => true,
  rows: ({ rows }) => rows > 0,
  complete: ({ rows, years }) => rows > 0 && years.every(({ complete }) => complete),
  partial: ({ years }) => years.some(({ complete }) => !complete),
  pending: ({ newestKnown }) => newestKnown !== null && !newestKnown.isLoaded,
};
const matches = ({ ticker, name, cik }: CoverageLine, words: string) =>
  ticker.toLowerCase().startsWith(words) || name.toLowerCase().includes(words) || cik.endsWith(words);

test("every status, sector and search selects the companies it describes", () => {
  let some = 0;
  for (const status of ["rows", "complete", "partial", "pending", "all"] as const) {
    for (const sector of ["", ...SECTORS]) {
      for (const search of ["", "a", "AAPL", "Corp", "0193", "&", "~", "0000320193", "é", "%", "nobody"]) {
        const expected = all.filter(
          (line) =>
            (search === "" ? IS[status](line) : matches(line, search.toLowerCase())) &&
            (sector === "" || line.sector === sector),
        );
        const { found, lines } = findCoverage(dataset, { search, status, sector }, 1, 10_000);
        expect([status, sector, search, found]).toEqual([status, sector, search, expected.length]);
        expect(lines).toEqual(expected);
        some += found > 0 ? 1 : 0;
      }
    }
  }
  expect(some).toBeGreaterThan(100);
});

test("pages follow one another, and one beyond the last is the last", () => {
  const query = { search: "", status: "all", sector: "" } as const;
  const first = findCoverage(dataset, query, 1, 100);
  expect(first.pages).toBe(Math.ceil(all.length / 100));
  const read = Array.from(
    { length: first.pages },
    (_, at) => findCoverage(dataset, query, at + 1, 100).lines,
  ).flat();
  expect(read.map(({ cik }) => cik)).toEqual(all.map(({ cik }) => cik));
  expect(findCoverage(dataset, query, 9999, 100)).toEqual(findCoverage(dataset, query, first.pages, 100));
  expect(findCoverage(dataset, query, -1, 100)).toEqual(first);
});

test("the sums are those of all lines", () => {
  const sums = coverageSums(dataset);
  const years = all.flatMap((line) => line.years);
  expect(sums).toEqual({
    companies: all.length,
    withRows: all.filter(({ rows }) => rows > 0).length,
    years: years.length,
    complete: years.filter(({ complete }) => complete).length,
    unloaded: all.reduce((sum, { filings }) => sum + filings.pending, 0),
    checked: all.reduce((sum, { checkedRows }) => sum + checkedRows, 0),
    reconciled: all.reduce(
      (sum, { checks }) => sum + (checks["sum"] ?? 0) + (checks["sum_to_total"] ?? 0),
      0,
    ),
    collected: all.filter(({ rows, read: how }) => rows > 0 && how.includes("collected")).length,
    manual: all.filter(({ rows, read }) => rows > 0 && read.includes("transcribed")).length,
    linked: all.filter(
      ({ rows, read }) => rows > 0 && !read.includes("transcribed") && !read.includes("collected"),
    ).length,
  });
  expect(sums.checked).toBeGreaterThan(sums.reconciled / 2);
});
