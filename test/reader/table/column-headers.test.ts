import { expect, test } from "bun:test";
import { meaningOf } from "../../../src/reader/table/column-headers.ts";
import { HEAD, read, row, summary, table } from "../../support/small-table.ts";

test.each([
  ["Stock/Option Awards ($)", "unknown"],
  ["Stock & Option Awards", "unknown"],
  ["Stock Awards / Options", "unknown"],
  ["Option/Stock Awards", "unknown"],
  ["Restricted Stock + Stock Options", "unknown"],
  ["Equity Awards ($)", "unknown"],
  ["Stock Option Awards", "option_awards"],
  ["Option/SAR Awards ($)", "option_awards"],
  ["Stock/Unit Awards ($)(2)", "stock_awards"],
])("a column of both kinds of award is neither: %p is %p", (caption, meaning) => {
  expect(meaningOf([caption])).toBe(meaning as ReturnType<typeof meaningOf>);
});

test.each([
  ["Bonus and Non-Equity Incentive Plan Compensation", "unknown"],
  ["Long-Term Incentive Awards", "unknown"],
  ["Long-Term Cash Incentive", "non_equity_incentive"],
  ["Long-Term Incentive Plan", "non_equity_incentive"],
  ["Yr.", "year"],
  ["For the Year Ended December 31", "year"],
])("%p is %p", (caption, meaning) => {
  expect(meaningOf([caption])).toBe(meaning as ReturnType<typeof meaningOf>);
});

test.each([
  "Guaranteed Payments ($)",
  "Base Pay ($)",
  "Wages",
  "Consulting Fees ($)",
  "Base Compensation ($)",
])("a table whose salary is called %p is found, and it is the salary", (header) => {
  const headers = HEAD.map((one) => (one === "Salary ($)" ? header : one));
  const filing = read(table(row(...headers), row("Ann Example<br>CEO", 2020, "100", "—", "—", "1", "101")));
  expect(summary(filing)).toEqual(["Ann Example|CEO|2020|100|1|0|101|PEO"]);
});
