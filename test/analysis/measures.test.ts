/** Measures of a row against the year before: only full years of one person in one currency. */
import { expect, test } from "bun:test";
import { MEASURES } from "../../src/domain/row-fields.ts";
import { readSelection } from "../../src/domain/selection.ts";
import { analysisOf, type QueryResult } from "../../src/analysis/index.ts";
import { join } from "node:path";
import { writeSnapshot } from "../../src/dataset/writer.ts";
import { identifyPeople } from "../../src/dataset/people.ts";
import { tempFolder } from "../support/folder.ts";
import { OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";
import { datasetIn } from "../support/snapshot.ts";

const ada = { name: "Ada Byrne", peo: OFFICE, role: "Chief Executive Officer" };
const ben = { name: "Ben Cole", pfo: OFFICE, role: "Chief Financial Officer" };
const short = { start: "2023-08-01", end: "2023-12-31" };
const record = testRecord({
  filings: [testFiling()],
  observations: [
    testRow({ ...ada, position: 1 }, { salary: 30_000 }),
    testRow({ ...ada, position: 2, fiscalYear: 2023, period: short }, { salary: 10_000 }),
    testRow({ ...ada, position: 3, fiscalYear: 2022 }, { salary: 20_000 }),
    testRow({ ...ben, position: 4 }, { salary: 5000, stock_awards: 15_000 }),
    testRow({ ...ben, position: 5, fiscalYear: 2023 }, { salary: 10_000 }),
    // Not the year before.
    testRow({ ...ben, position: 6, fiscalYear: 2021 }, { salary: 10_000 }),
  ],
});
const path = join(tempFolder(), "measures.sqlite");
writeSnapshot(path, {
  edition: "2025-06-01",
  listed: [],
  records: [{ ...record, pins: identifyPeople(record).pins }],
});

test("a short year is compared with nothing, nor is a year after a gap", () => {
  const { tickers: _none, ...selection } = readSelection(new Map([["fiscal_year_gte", "0"]]));
  const { rows, measures } = analysisOf(datasetIn(path)).ask({
    kind: "query",
    selection: { ...selection, onlyNamed: false },
    sort: { by: "executive_name", descending: false },
    offset: 0,
    count: 10,
    measures: MEASURES,
    askedAs: new Map(),
  }) as QueryResult; // A query gets a page.
  // Rows of the snapshot just written.
  const named = JSON.parse(`[${new TextDecoder().decode(rows)}]`) as {
    executive_id: string;
    fiscal_year: number;
  }[];
  expect(
    named.map(({ executive_id: id, fiscal_year: year }, at) => [
      id,
      year,
      ...Object.values(measures[at] ?? {}),
    ]),
  ).toEqual([
    ["ada-byrne", 2022, null, null, 1, 0],
    ["ada-byrne", 2023, null, null, 1, 0],
    ["ada-byrne", 2024, null, null, 1, 0],
    ["ben-cole", 2021, null, null, 1, 0],
    ["ben-cole", 2023, null, null, 1, 0],
    ["ben-cole", 2024, 100, 100, 0.25, 0.75],
  ]);
});
