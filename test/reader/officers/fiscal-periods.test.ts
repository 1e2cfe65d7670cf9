import { expect, test } from "bun:test";
import { readPeriods, readShortPeriod } from "../../../src/reader/officers/fiscal-years.ts";

const daysOf = (...given: Parameters<typeof readPeriods>) =>
  [...readPeriods(...given)].map(([year, { first, last }]) => `${year}: ${first} to ${last}`);

test("without a word on it the fiscal year is the calendar year", () => {
  expect(daysOf([2024, 2023], [], null, "", null)).toEqual([
    "2024: 2024-01-01 to 2024-12-31",
    "2023: 2023-01-01 to 2023-12-31",
  ]);
});

test("the document's period goes before words, words before the month and day of EDGAR's header", () => {
  const words = "the fiscal year ended September 27, 2025 and the year ended September 27, 2025";
  expect(daysOf([2025], [], "2025-06-30", words, "0131")).toEqual(["2025: 2024-07-01 to 2025-06-30"]);
  expect(daysOf([2025], [], null, words, "0131")).toEqual(["2025: 2024-09-28 to 2025-09-27"]);
  expect(daysOf([2025], [], null, "", "0331")).toEqual(["2025: 2024-04-01 to 2025-03-31"]);
});

test("a fiscal year that is named after the year before its end is believed where the text says so", () => {
  const words = "fiscal 2013, which ended on February 1, 2014. In fiscal 2013 ended February 1, 2014 we";
  expect(daysOf([2013], [], null, words, null)).toEqual(["2013: 2013-02-02 to 2014-02-01"]);
});

test("the end of a document's period that is years away is not that of the table", () => {
  expect(daysOf([2020], [], "2025-06-30", "", null)).toEqual(["2020: 2020-01-01 to 2020-12-31"]);
});

test("a fiscal year that ends on a weekday of a month is not the calendar year", () => {
  const words = (when: string): string => `Our fiscal year ends on the ${when}.`;
  expect(daysOf([2024], [], null, words("last Saturday of September"), null)).toEqual([
    "2024: 2023-09-29 to 2024-09-28",
  ]);
  expect(daysOf([2024], [], null, words("Sunday nearest to June 30"), null)).toEqual([
    "2024: 2023-07-01 to 2024-06-30",
  ]);
});

const YEAR = { first: "2025-01-01", last: "2025-12-31" };

test("a newest year that the text calls shorter has its own days", () => {
  const text =
    "The compensation is in respect of the period commencing on August 7, 2025 and ending December 31, 2025.";
  expect(readShortPeriod(text, YEAR)).toEqual({ start: "2025-08-07", end: "2025-12-31" });
});

test.each([
  "revenue for the period from August 7, 2025 to December 31, 2025",
  "compensation for the period from January 1, 2025 to December 31, 2025",
  "salary for the period from August 7, 2023 to December 31, 2023",
])("%j shortens no year", (text) => {
  expect(readShortPeriod(text, YEAR)).toBeUndefined();
});
