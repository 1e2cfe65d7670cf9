import { expect, test } from "bun:test";
import { codes, read, row } from "../../../support/small-table.ts";

const HEAD = [
  "Name and Principal Position",
  "Year",
  "Salary ($)",
  "Annual Incentive ($)",
  "Long-Term Incentive ($)",
  "Total Non-Equity Incentive Plan Compensation ($)",
  "All Other Compensation ($)",
  "Total ($)",
];
const ANN = row("Ann Example<br>CEO", 2020, "100", "30", "20", "50", "1", "151");
const BO = row("Bo Sample<br>CFO", 2020, "200", "40", "—", "40", "2", "242");
const page = (...rows: string[]): string => `<table>${rows.join("")}</table>`;
const incentives = (body: string): number[] =>
  read(`<p>Summary Compensation Table</p>${body}`).rows.map((one) => one.amounts.non_equity_incentive / 100);

test("columns that add up to the total of a component are its parts", () => {
  const filing = read(`<p>Summary Compensation Table</p>${page(row(...HEAD), ANN, BO)}`);
  expect(filing.rows.map(({ amounts }) => [amounts.non_equity_incentive, amounts.unknown_component])).toEqual(
    [
      [5000, 0],
      [4000, 0],
    ],
  );
  expect(codes(filing).filter((code) => code !== "units_unclear")).toEqual([]);
});

test("a page of such a table without its own header is tied to the columns", () => {
  expect(incentives(page(row(...HEAD), ANN) + page(BO))).toEqual([50, 40]);
});

test("where one row does not add up they are not taken for its parts", () => {
  const filing = read(
    `<p>Summary Compensation Table</p>${page(row(...HEAD), ANN, BO.replace(">40</td><td>2", ">45</td><td>2"))}`,
  );
  expect(codes(filing)).toContain("sum_mismatch");
});

test.each([
  ["101", "150"],
  ["150", "101"],
])("of two totals (%s, %s) the one that the components add up to", (first, second) => {
  const headers = ["Name", "Year", "Salary ($)", "All Other Compensation ($)", "Total ($)", "Total ($)"];
  const ann = row("Ann Example<br>CEO", 2020, "100", "1", first, second);
  const filing = read(`<p>Summary Compensation Table</p>${page(row(...headers), ann)}`);
  expect(filing.rows.map(({ amounts }) => amounts.total_compensation)).toEqual([10_100]);
  expect(codes(filing)).not.toContain("sum_mismatch");
});

test.each([
  [["40", "40", "181"], 80, "the printed total includes both"],
  [["40", "40", "141"], 40, "the printed total includes one"],
])("two equal columns of one component: %j", ([first = "", second = "", total = ""], stock) => {
  const headers = [
    "Name",
    "Year",
    "Salary ($)",
    "RSUs ($)",
    "PSUs ($)",
    "All Other Compensation ($)",
    "Total ($)",
  ];
  const ann = row("Ann Example<br>CEO", 2020, "100", first, second, "1", total);
  const filing = read(`<p>Summary Compensation Table</p>${page(row(...headers), ann)}`);
  expect(filing.rows.map(({ amounts }) => amounts.stock_awards / 100)).toEqual([stock]);
  expect(codes(filing)).not.toContain("sum_mismatch");
});
