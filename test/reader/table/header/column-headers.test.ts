import { expect, test } from "bun:test";
import { letters } from "../../../../src/reader/clean-text.ts";
import { FOREIGN_HEADERS } from "../../../../src/reader/lexicon/column-headers.ts";
import { meaningOf, oldHeaders } from "../../../../src/reader/table/header/header.ts";
import { HEAD, read, row, summary, table } from "../../../support/small-table.ts";

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
  ["Fiscal Period", "year"],
  ["Principal Position", "position"],
  ["Total As Reported Under SEC Rules", "total_compensation"],
  ["Total Cash Compensation", "subtotal"],
  ["Total Compensation Without Change in Pension Value ($)", "subtotal"],
  ["Total Compensation Realized ($)", "subtotal"],
  ["Total of Salary", "unknown"],
  ["Salary Continuation ($)", "unknown"],
  ["Total Compensation Paid", "total_compensation"],
  ["Salary and Bonus", "unknown"],
  ["Cash Retention Bonus", "unknown"],
  ["Contributions to Deferred Compensation Plan", "unknown"],
  ["Employee Stock Purchase Plan", "unknown"],
  ["Bonus in Lieu of Salary", "unknown"],
  ["Base ($)", "base_pay"],
  ["Fees Earned ($)", "fees"],
  ["Stock Incentive Plan", "unknown"],
  ["Yr.", "year"],
  ["For the Year Ended December 31", "year"],
  ["Year of Hire", "unknown"],
  // A group over one column alone.
  ["Non-Equity Compensation Salary ($)", "unknown"],
  ["Dividends on Stock Awards ($)", "unknown"],
  ["Option All Other Compensation ($)", "unknown"],
  ["Awards Change in Pension Value ($)", "unknown"],
  ["Gain on Stock Option Exercise ($)", "unknown"],
  ["Options Exercised ($)", "unknown"],
  ["Stock Purchase Discount ($)", "unknown"],
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

test.each([
  ["Non-Equity Incentive Plan Compensation ($)", "Annual", "non_equity_incentive"],
  ["Stock Awards ($)", "Value", "stock_awards"],
  ["Incentive Plan All Other", "Compensation ($)", "unknown"],
  ["Awards Pension Value", "($)", "unknown"],
  ["Option Awards ($)", "Value", "option_awards"],
  ["All Other Compensation ($)", "Severance", "other_comp"],
  ["Change in Pension Value and Deferred Compensation Earnings", "Value", "pension_change"],
  // What these name alone is something else.
  ["Non-Equity Incentive Plan Compensation ($)", "Annual Bonus", "non_equity_incentive"],
  ["Stock Awards ($)", "Total", "stock_awards"],
  ["Option Awards ($)", "Total", "option_awards"],
  ["All Other Compensation ($)", "Stock Purchase Plan", "other_comp"],
  ["Change in Pension Value and Deferred Compensation Earnings", "Total", "pension_change"],
])("under %p a column %p is its part", (group, header, meaning) => {
  expect(meaningOf([group, header])).toBe(meaning as ReturnType<typeof meaningOf>);
});

test.each([
  ["Non-Equity Compensation", "Salary ($)", "salary"],
  ["Non-Equity Compensation", "Bonus ($)", "bonus"],
  ["Non-Equity", "Incentive ($)", "non_equity_incentive"],
  ["Stock Awards ($)", "Stock Options ($)", "option_awards"],
  ["Option Awards", "Restricted Stock ($)", "stock_awards"],
  ["Stock", "Bonus ($)", "unknown"],
  ["All Other", "Non-Equity Incentive Plan Compensation ($)", "non_equity_incentive"],
  ["Pension Earnings and Variable Pay", "Bonus ($)", "bonus"],
])("under %p a column %p is no part of it", (group, header, meaning) => {
  expect(meaningOf([group, header])).toBe(meaning as ReturnType<typeof meaningOf>);
});

test.each([
  ["LTIP Payouts ($)", { only: 1, all: 1 }],
  ["Securities Underlying Options/SARs (#)", { only: 1, all: 1 }],
  ["Shares Underlying Options", { only: 1, all: 1 }],
  ["Other Annual Compensation ($)", { only: 1, all: 1 }],
  ["Long-Term Compensation", { only: 0, all: 1 }],
  ["Annual Compensation", { only: 0, all: 1 }],
])("%p is a header of the table before December 2006", (header, found) => {
  expect(oldHeaders([header])).toEqual(found);
});

test.each([
  "Share-based awards ($) Option-based awards ($) Pension value ($)",
  "Salary, consulting fee, retainer or commission ($) Bonus ($) Committee or meeting fees ($) Value of perquisites ($)",
])("%s: a Canadian table", (headers) => {
  expect(FOREIGN_HEADERS.has(letters(headers), "canadian")).toBe(true);
});

test("the Canadian table of venture issuers, which leaves out options and has directors in it, is refused", () => {
  const head = [
    "Name and position",
    "Year",
    "Salary, consulting fee, retainer or commission ($)",
    "Bonus ($)",
    "Committee or meeting fees ($)",
    "Value of perquisites ($)",
    "Value of all other compensation ($)",
    "Total compensation ($)",
  ];
  const filing = read(
    table(
      row(...head),
      row("Ann Example<br>CEO", 2020, "5,000", "—", "—", "—", "100", "5,100"),
      row("Bo Sample<br>Director", 2020, "—", "—", "900", "—", "—", "900"),
    ),
    "10-K",
  );
  expect(filing).toMatchObject({ status: "refused", reason: "foreign_layout" });
});
