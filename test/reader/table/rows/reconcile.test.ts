/** Amounts checked against the printed total. */
import { expect, test } from "bun:test";
import { codes, HEAD, read, row, table } from "../../../support/small-table.ts";

const OTHER = row("Bo Sample<br>CFO", 2020, "8,000", "—", "—", "1,000", "9,000");
const amounts = (...cells: string[]) => {
  const filing = read(
    table(
      row(...HEAD),
      `<tr><td>Ann Example<br>CEO</td><td>2020</td>${cells.map((cell) => (cell.startsWith("<td") ? cell : `<td>${cell}</td>`)).join("")}</tr>`,
      OTHER,
    ),
  );
  const ann = filing.rows.find((one) => one.executive_name === "Ann Example");
  return { ann: ann?.amounts, reason: ann?.unknownReason, codes: codes(filing) };
};

test("a total that cannot be read drops the row and is told", () => {
  const { ann, codes: told } = amounts("9,000", "—", "—", "1,000", "10,0x0");
  expect(ann).toBeUndefined();
  expect(told).toContain("row_unreadable");
});

test.each([
  ["a cell more than the headers have", ["9,000", "", "—", "500", "1,000", "10,500"]],
  ["a number split over two cells", ["9,000", "—", "1", ",500", "1,000", "11,500"]],
])(
  "a row shifted to the right is dropped and told, not served with another cell as its total: %s",
  (_, cells) => {
    const { ann, codes: told } = amounts(...cells);
    expect(ann).toBeUndefined();
    expect(told).toContain("row_unreadable");
  },
);

test.each([
  ["split over two cells", ["9,000", "—", "—", "1,000", "1", ",000"]],
  ["missing before its footnote marker", ["9,000", "—", "—", "1,000", "(3)"]],
])("a total a tenth of one of its components is none: %s", (_, cells) => {
  const { ann, codes: told } = amounts(...cells);
  expect(ann).toBeUndefined();
  expect(told).toContain("row_unreadable");
});

test("a filer's slip stays its total, also below its component", () => {
  const { ann } = amounts("9,000", "—", "—", "—", "8,000");
  expect(ann).toMatchObject({ total_compensation: 800_000, unknown_component: -100_000 });
});

test("an amount without a header right of a total that the components confirm is only told", () => {
  const { ann, codes: told } = amounts("9,000", "—", "—", "1,000", "10,000", "7,777");
  expect(ann).toMatchObject({ total_compensation: 1_000_000, unknown_component: 0 });
  expect(told).toContain("cell_ambiguous");
});

test("a marker that may be an amount is in doubt only where the total does not settle which of two it is", () => {
  expect(amounts("9,000", "(6)", "(6)", "1,000", "9,994").codes).toContain("cell_ambiguous");
  expect(amounts("9,000", "(6)", "—", "1,000", "9,994").codes).not.toContain("cell_ambiguous");
});

test("an amount under two headers is in neither; the total says how much it is", () => {
  const { ann, reason, codes: told } = amounts('<td colspan="2">9,000</td>', "—", "1,000", "10,000");
  expect(ann).toMatchObject({ salary: 0, bonus: 0, other_comp: 100_000, unknown_component: 900_000 });
  expect(reason).toBe("cell_ambiguous");
  expect(told).toContain("cell_ambiguous");
});

test("a cell that is no amount is told, and what the total has over the others is unknown", () => {
  const { ann, reason, codes: told } = amounts("9,000", "see below", "—", "1,000", "10,500");
  expect(ann).toMatchObject({ salary: 900_000, bonus: 0, unknown_component: 50_000 });
  expect(reason).toBe("cell_unreadable");
  expect(told).toContain("cell_unreadable");
});

test.each([
  ["10,002", "rounding"],
  ["10,004", "sum_mismatch"],
  ["18,000", "sum_mismatch"],
])("components of 10,000 against a total of %s: %s", (total, code) => {
  expect(amounts("9,000", "—", "—", "1,000", total).codes).toContain(code);
});

test("a component that is the sum of the others is told, and so is a total that nobody was paid", () => {
  expect(amounts("9,000", "1,000", "10,000", "—", "20,000").codes).toContain("doubled");
  expect(amounts("30,000,000,000", "—", "—", "—", "30,000,000,000").codes).toContain("implausible_amount");
});

test("digits whose separators are wrong are read where the total confirms them", () => {
  const { ann, codes: told } = amounts("9.000", "—", "—", "1,000", "10,000");
  expect(ann).toMatchObject({ salary: 900_000, unknown_component: 0 });
  expect(told).toContain("cell_irregular");
});

test("a mark in brackets or an amount below zero: the total decides", () => {
  expect(amounts("9,000", "(5)", "—", "1,000", "10,000").ann).toMatchObject({
    bonus: 0,
    unknown_component: 0,
  });
  expect(amounts("9,000", "(5)", "—", "1,000", "9,995").ann).toMatchObject({
    bonus: -500,
    unknown_component: 0,
  });
});
