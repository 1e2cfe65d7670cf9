/** Many rows are picked from the order of all rows, few are sorted: the pages are the same. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { compileData } from "../../../scripts/compile-data.ts";
import { readSelection, SORT_KEYS } from "../../../src/domain/selection.ts";
import { buildColumns } from "../../../src/snapshot/analysis/columns.ts";
import { matchRows } from "../../../src/snapshot/analysis/match.ts";
import { createPager } from "../../../src/snapshot/analysis/order.ts";
import { tempFolder } from "../../support/folder.ts";
import { datasetIn } from "../../support/snapshot.ts";

const path = join(tempFolder(), "all.sqlite");
compileData(join(import.meta.dir, "../../../data"), path);
const columns = buildColumns(datasetIn(path));
const [sorting, picking] = [createPager(columns, Infinity), createPager(columns, 0)];
const select = (given: Record<string, string>) => {
  const { tickers: _none, ...selection } = readSelection(new Map(Object.entries(given)));
  return matchRows(columns, { ...selection, onlyNamed: false }).rows.slice();
};

test.each([
  ["every row", { fiscal_year_gte: "0" }],
  ["the latest years", {}],
  ["principal executive officers", { fiscal_year_gte: "0", office: "peo" }],
  ["those without a bonus", { fiscal_year_gte: "0", bonus_lte: "0" }],
])("%s, in every order, page by page", (_, given: Record<string, string>) => {
  const rows = select(given);
  expect(rows.length).toBeGreaterThan(100);
  for (const by of SORT_KEYS) {
    for (const descending of [false, true]) {
      for (const [offset, count] of [
        [0, 25],
        [7, 1000],
        [rows.length - 3, 25],
        [rows.length, 25],
      ] as const) {
        const asked = [rows, { by, descending }, offset, count] as const;
        expect([by, descending, offset, picking(...asked)]).toEqual([
          by,
          descending,
          offset,
          sorting(...asked),
        ]);
      }
    }
  }
});

test("equal values come by row number both ways", () => {
  const rows = select({ fiscal_year_gte: "0", bonus_lte: "0", bonus_gte: "0" });
  for (const descending of [false, true]) {
    expect(picking(rows, { by: "bonus", descending }, 0, 50)).toEqual(Array.from(rows.subarray(0, 50)));
  }
});
