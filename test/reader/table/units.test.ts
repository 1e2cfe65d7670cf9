/** What the words in, above and below a table say of the scale and the currency of its amounts. */
import { expect, test } from "bun:test";
import { codes, HEAD, read, row } from "../../support/small-table.ts";

const rows = (factor: number): string =>
  [
    row("Ann Example<br>Chief Executive Officer", 2020, 10_000 * factor, "—", "—", factor, 10_001 * factor),
    row("Bo Sample<br>Chief Financial Officer", 2020, 8000 * factor, "—", "—", factor, 8001 * factor),
  ].join("");
/** A table with other signs in its headers, with words above and below it. */
const filing = ({ sign = "$", above = "", below = "" }) =>
  read(
    `<p>Summary Compensation Table${above}</p><table>${row(...HEAD.map((header) => header.replace("$", sign)))}${rows(1)}</table><p>${below}</p>`,
  );
const scaleOf = (words: Parameters<typeof filing>[0]): number | undefined =>
  filing(words).rows.map((one) => one.amounts.salary / 1_000_000)[0];

test.each([
  "in thousands",
  "in US dollars in thousands",
  "RMB 000",
  "USD’000",
  "’000",
  "in 000s",
  "000",
  "$K",
  "$ thousands",
])("(%s) in every header: thousands", (sign) => {
  expect(scaleOf({ sign })).toBe(1000);
  expect(codes(filing({ sign }))).not.toContain("units_unclear");
});

test.each([
  "$(000)",
  " (in 000’s)",
  " (000s omitted)",
  " (’000)",
  " – Thousands of dollars",
  " – expressed in Canadian dollars in thousands",
  " ($ thousands)",
  " ($K)",
  " ($000s)",
])("%s above: thousands", (above) => {
  expect(scaleOf({ above })).toBe(1000);
});

test.each([
  "The amounts in this table are in thousands.",
  "Stated in thousands of dollars",
  "($ in thousands)",
  "Pay in $000s",
])("%s below: thousands", (below) => {
  expect(scaleOf({ below })).toBe(1000);
});

test.each([
  [{ sign: "in millions" }, 1_000_000],
  [{ sign: "$ millions" }, 1_000_000],
  [{ above: " (in millions)" }, 1_000_000],
  [{ above: ". Net sales in millions were higher" }, 1],
  [{ above: " (shares in thousands)" }, 1],
])("%p: times %p", (words, scale) => {
  expect(scaleOf(words)).toBe(scale);
});

test.each([
  [" and 000s", true],
  [" of $K", true],
  [", a thousand dollars each", true],
  [", rounded to the nearest thousand", false],
  [" (thousands of shares)", false],
])("%s above leaves the scale unclear: %p", (above, unclear) => {
  expect(scaleOf({ above })).toBe(1);
  expect(codes(filing({ above })).includes("units_unclear")).toBe(unclear);
});

test.each([
  [{ sign: "US$" }, "USD"],
  [{ sign: "U.S. $", above: " in Canadian dollars" }, "USD"],
  [{ sign: "CAD" }, "CAD"],
  [{ sign: "C$" }, "CAD"],
  [{ sign: "Cdn $" }, "CAD"],
  [{ sign: "€" }, "EUR"],
  [{ sign: "EUR" }, "EUR"],
  [{ sign: "£" }, "GBP"],
  [{ sign: "RMB" }, "CNY"],
  [{ sign: "HK$" }, "HKD"],
  [{ sign: "A$" }, "AUD"],
  [{ sign: "CHF" }, "CHF"],
  [{ sign: "NIS" }, "ILS"],
  [{ sign: "¥" }, "JPY"],
  [{ sign: "JPY" }, "JPY"],
  [{ sign: "", above: " (in euros)" }, "EUR"],
  [{ sign: "", above: ". All amounts are in pounds sterling." }, "GBP"],
  [{ sign: "", above: ". All amounts are in U.S. dollars, not in euros." }, "USD"],
  [{ above: ". All amounts are expressed in Canadian dollars." }, "CAD"],
  [{ above: ". All amounts are in euros." }, "USD"],
  [{ sign: "", above: ". Amounts paid in euros were converted." }, "USD"],
  [{ below: "All references to “$” are to Canadian dollars." }, "CAD"],
  [{}, "USD"],
])("%p: %s", (words, currency) => {
  expect(filing(words).rows.map((one) => one.reporting_currency)).toEqual([currency, currency]);
});

test.each([
  "<hr>",
  "<p>- 47 -</p><hr>",
  "<p>Summary Compensation Table (continued)</p>",
  "<p>(1) Amounts are the grant date fair value of awards.</p>",
])("the scale above a page that has no amounts yet holds for the next one, behind %s", (between) => {
  const name = `<table>${row(...HEAD)}${row("Ann Example<br>Chief Executive Officer")}</table>`;
  const page = `<table>${row(...HEAD)}${rows(1)}</table>`;
  const body = `<p>Summary Compensation Table</p><p>(in thousands)</p>${name}${between}${page}`;
  expect(read(body).rows.map((one) => one.amounts.salary / 1_000_000)).toEqual([1000, 800]);
});
