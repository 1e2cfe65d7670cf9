/**
 * Early pages are selected from the matches, late ones picked from the order of all rows: each equals that of a full sort.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { foldToAscii } from "../../src/domain/executive.ts";
import { readSelection, SORT_KEYS, type SortKey } from "../../src/domain/selection.ts";
import { buildColumns } from "../../src/dataset/columns/columns.ts";
import { createMatcher } from "../../src/analysis/match.ts";
import { rankedOf, UNDEFINED } from "../../src/analysis/measures.ts";
import { createPager } from "../../src/analysis/order.ts";
import { numberOf } from "../../src/dataset/arrays.ts";
import { tempFolder } from "../support/folder.ts";
import { copyCompiledData, datasetIn } from "../support/snapshot.ts";

const path = join(tempFolder(), "all.sqlite");
copyCompiledData(path);
const columns = buildColumns(datasetIn(path), datasetIn(path).info.edition);
const match = createMatcher(columns);
const pagers = { selecting: createPager(columns, Infinity), picking: createPager(columns, 0) };
const select = (given: Record<string, string>) => {
  const { tickers: _none, ...selection } = readSelection(new Map(Object.entries(given)));
  return match({ ...selection, onlyNamed: false }).rows.slice();
};

/** The sort key of a row, as in its answer. */
function valueOf(row: number, by: SortKey): string | number {
  const year = columns.companyYear[row] ?? 0;
  const { company, fiscalYear } = columns.companyYears;
  const folded = (text = "") => foldToAscii(text).toLowerCase();
  if (by === "fiscal_year") return fiscalYear[year] ?? 0;
  if (by === "company_name") return folded(columns.companies[company[year] ?? 0]?.name);
  if (by === "executive_name") return folded(columns.names.at(columns.name[row] ?? 0));
  return numberOf(rankedOf(columns, by), row);
}

function sorted(rows: Int32Array, by: SortKey, descending: boolean): number[] {
  const sign = descending ? -1 : 1;
  return (
    Array.from(rows)
      .map((row) => ({ row, value: valueOf(row, by) }))
      // A row without the measure comes last in both directions.
      .sort(
        (a, b) =>
          Number(a.value === UNDEFINED) - Number(b.value === UNDEFINED) ||
          (a.value < b.value ? -sign : a.value > b.value ? sign : a.row - b.row),
      )
      .map(({ row }) => row)
  );
}

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
      const all = sorted(rows, by, descending);
      for (const [offset, count] of [
        [0, 25],
        [7, 1000],
        [rows.length - 3, 25],
        [rows.length, 25],
      ] as const) {
        const page = all.slice(offset, offset + count);
        for (const [way, pager] of Object.entries(pagers)) {
          const found = pager(rows, { by, descending }, offset, count);
          expect([way, by, descending, offset, found]).toEqual([way, by, descending, offset, page]);
        }
      }
    }
  }
});

test("equal values are ordered by row number in both directions", () => {
  const rows = select({ fiscal_year_gte: "0", bonus_lte: "0", bonus_gte: "0" });
  for (const descending of [false, true]) {
    for (const pager of Object.values(pagers))
      expect(pager(rows, { by: "bonus", descending }, 0, 50)).toEqual(Array.from(rows.subarray(0, 50)));
  }
});
