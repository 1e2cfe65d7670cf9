/** Near pages are selected from the rows that match, far ones picked from the order of all rows: both are what a sort gives. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { compileData } from "../../../scripts/compile-data.ts";
import { foldToAscii } from "../../../src/domain/executive.ts";
import { readSelection, SORT_KEYS, type SortKey } from "../../../src/domain/selection.ts";
import { buildColumns } from "../../../src/snapshot/analysis/columns.ts";
import { createMatcher } from "../../../src/snapshot/analysis/match.ts";
import { createPager } from "../../../src/snapshot/analysis/order.ts";
import { tempFolder } from "../../support/folder.ts";
import { datasetIn } from "../../support/snapshot.ts";

const path = join(tempFolder(), "all.sqlite");
compileData(join(import.meta.dir, "../../../data"), path);
const columns = buildColumns(datasetIn(path));
const match = createMatcher(columns);
const [selecting, picking] = [createPager(columns, Infinity), createPager(columns, 0)];
const select = (given: Record<string, string>) => {
  const { tickers: _none, ...selection } = readSelection(new Map(Object.entries(given)));
  return match({ ...selection, onlyNamed: false }).rows.slice();
};

/** What a row is sorted by, as its answer has it. */
function valueOf(row: number, by: SortKey): string | number {
  const year = columns.companyYear[row] ?? 0;
  const { company, fiscalYear } = columns.companyYears;
  const folded = (text = "") => foldToAscii(text).toLowerCase();
  if (by === "fiscal_year") return fiscalYear[year] ?? 0;
  if (by === "company_name") return folded(columns.companies[company[year] ?? 0]?.name);
  if (by === "executive_name") return folded(columns.names[columns.name[row] ?? 0]);
  return columns.amounts[by][row] ?? 0;
}

function sorted(rows: Int32Array, by: SortKey, descending: boolean): number[] {
  const sign = descending ? -1 : 1;
  return Array.from(rows)
    .map((row) => ({ row, value: valueOf(row, by) }))
    .sort((a, b) => (a.value < b.value ? -sign : a.value > b.value ? sign : a.row - b.row))
    .map(({ row }) => row);
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
        const asked = [rows, { by, descending }, offset, count] as const;
        const page = all.slice(offset, offset + count);
        expect([by, descending, offset, selecting(...asked)]).toEqual([by, descending, offset, page]);
        expect([by, descending, offset, picking(...asked)]).toEqual([by, descending, offset, page]);
      }
    }
  }
});

test("equal values come by row number both ways", () => {
  const rows = select({ fiscal_year_gte: "0", bonus_lte: "0", bonus_gte: "0" });
  for (const descending of [false, true]) {
    for (const pager of [selecting, picking])
      expect(pager(rows, { by: "bonus", descending }, 0, 50)).toEqual(Array.from(rows.subarray(0, 50)));
  }
});
