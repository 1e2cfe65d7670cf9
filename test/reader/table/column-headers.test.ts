import { expect, test } from "bun:test";
import { meaningOf } from "../../../src/reader/table/column-headers.ts";

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
