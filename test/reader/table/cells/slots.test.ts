import { expect, test } from "bun:test";
import type { Cell } from "../../../../src/reader/table/grid/grid.ts";
import type { TableColumn, Section } from "../../../../src/reader/table/header/header.ts";
import { assignCells, learnOffsets } from "../../../../src/reader/table/cells/slots.ts";

const column = (x0: number, x1: number, meaning: TableColumn["meaning"]): TableColumn => ({
  x0,
  x1,
  meaning,
  path: [meaning],
  touching: false,
});
/** Salary above the grid's columns 1 and 2, bonus above 4 and 5; nothing above 3 and 6. */
const COLUMNS = [column(1, 3, "salary"), column(4, 6, "bonus")];
const SECTION: Section = { headerRows: [0], columns: COLUMNS, titles: [], from: 1, to: 9 };

/** A cell of one grid column, or of several. */
const cell = (x0: number, text: string, x1 = x0 + 1): Cell => ({
  row: 1,
  rowEnd: 2,
  x0,
  x1,
  text,
  raw: text,
  lines: [],
  controls: false,
});
/** `[3, "bonus"]`: amounts in the third grid column are bonuses. */
const learnColumns = (...rows: Cell[][]) =>
  [...learnOffsets(rows, SECTION)].map(([x, { meaning }]) => [x, meaning]);

test("an amount right below a header belongs to it, and so does one behind a currency sign that stands there", () => {
  expect(learnColumns([cell(1, "100"), cell(5, "200")])).toEqual([
    [1, "salary"],
    [5, "bonus"],
  ]);
  expect(learnColumns([cell(2, "$"), cell(3, "100")])).toEqual([[3, "salary"]]);
});

test("a sign is good for the amount right behind it alone", () => {
  expect(learnColumns([cell(2, "$"), cell(2, "100"), cell(3, "200")])).toEqual([[2, "salary"]]);
});

test("an amount that reaches below two headers teaches nothing", () => {
  expect(learnColumns([cell(2, "100", 5)])).toEqual([]);
  expect(learnColumns([cell(1, "$"), cell(2, "100", 5)])).toEqual([]);
});

test("a place that holds amounts of two headers is nobody's", () => {
  expect(learnColumns([cell(2, "$"), cell(3, "100")], [cell(5, "$"), cell(3, "200")])).toEqual([]);
});

test("an amount with nothing above it goes where its place belongs in other rows, an unknown one to the free neighbour", () => {
  const offsets = learnOffsets([[cell(5, "$"), cell(6, "1")]], SECTION);
  const meanings = (...cells: Cell[]) =>
    assignCells(cells, SECTION, { offsets, edges: undefined, crowded: new Set(), kind: "table" }).slots.map(
      ({ column: { meaning }, texts }) => [meaning, texts],
    );
  expect(meanings(cell(1, "100"), cell(6, "200"))).toEqual([
    ["salary", ["100"]],
    ["bonus", ["200"]],
  ]);
  expect(meanings(cell(1, "100"), cell(3, "200"))).toEqual([
    ["salary", ["100"]],
    ["bonus", ["200"]],
  ]);
  // A footnote marker does not fill a column.
  expect(meanings(cell(1, "100"), cell(4, "(1)"), cell(7, "200"))).toEqual([
    ["salary", ["100"]],
    ["bonus", ["(1)", "200"]],
  ]);
});
