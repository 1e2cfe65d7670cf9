/** Without facts about registrants a dataset answers what it can and invents nothing. */
import { expect, test } from "bun:test";
import { readSelection } from "../../src/domain/selection.ts";
import { lastDayOf } from "../../src/domain/fiscal-year.ts";
import { analysisOf, type QueryResult, type StatisticsResult } from "../../src/analysis/index.ts";
import { tempFolder } from "../support/folder.ts";
import { datasetIn, writeTestSnapshot } from "../support/snapshot.ts";

const folder = tempFolder();
const bare = analysisOf(datasetIn(writeTestSnapshot(folder, "bare.sqlite")));
const select = (given: Record<string, string>) => {
  const { tickers: _none, ...selection } = readSelection(new Map(Object.entries(given)));
  return { ...selection, onlyNamed: false };
};
const query = (given: Record<string, string>) =>
  // A query gets a page.
  bare.ask({
    kind: "query",
    selection: select(given),
    sort: { by: "salary", descending: false },
    offset: 0,
    count: 10,
    askedAs: new Map(),
  }) as QueryResult;

test("rows are found, and no company is in a sector or an index", () => {
  expect(query({ fiscal_year_gte: "0" }).matched.rows).toBe(2);
  expect(query({ fiscal_year_gte: "0", sector: "energy" }).matched.rows).toBe(0);
  expect(query({ fiscal_year_gte: "0", sic: "1" }).matched.rows).toBe(0);
  expect(query({ fiscal_year_gte: "0", index: "sp500" })).toMatchObject({
    matched: { rows: 0 },
    index: { members: 0, withoutRows: 0 },
  });
});

test("groups of unknown values are null, not none", () => {
  // Statistics get groups.
  const { json } = bare.ask({
    kind: "statistics",
    selection: select({ fiscal_year_gte: "0" }),
    question: { field: "salary", groupBy: ["index", "sector"], rankCik: null },
  }) as StatisticsResult;
  expect(JSON.parse(`${new TextDecoder().decode(json)}}`)).toMatchObject({
    statistics: [{ group: { index: null, sector: null, reporting_currency: "USD" } }],
    ranks: [],
  });
});

test("the last day of a year is the filing's period end, for older columns the same day in earlier years", () => {
  expect(lastDayOf(2025, { printed: 2025, periodEnd: "2026-01-31", filingDate: null }, "01-31")).toBe(
    "2026-01-31",
  );
  expect(lastDayOf(2023, { printed: 2025, periodEnd: "2026-01-31", filingDate: null }, "01-31")).toBe(
    "2024-01-31",
  );
  expect(lastDayOf(2023, { printed: null, periodEnd: null, filingDate: null }, "09-30")).toBe("2023-09-30");
  // A retailer's year without a stated end: the last year end before its proxy.
  expect(lastDayOf(2024, { printed: 2025, periodEnd: null, filingDate: "2026-04-07" }, "01-31")).toBe(
    "2025-01-31",
  );
});
