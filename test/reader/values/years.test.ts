import { expect, test } from "bun:test";
import { readYear } from "../../../src/reader/values/years.ts";
import { HEAD, read, row, summary, table } from "../../support/small-table.ts";

const LABELS: readonly (readonly [string, number, string | null])[] = [
  ["FP24", 2024, null],
  ["FP 2024", 2024, null],
  ["CY 2024", 2024, null],
  ["Calendar 2024", 2024, null],
  ["For the year 2024", 2024, null],
  ["In 2024", 2024, null],
  ["30 June 2021", 2021, "2021-06-30"],
  ["June 2021", 2021, null],
  ["2024-12-31", 2024, "2024-12-31"],
  ["31-Dec-24", 2024, "2024-12-31"],
  ["30-Jun-2009", 2009, "2009-06-30"],
  ["Year ended 6/30/24", 2024, "2024-06-30"],
  ["31/12/2024", 2024, "2024-12-31"],
  ["2024 FY", 2024, null],
  ["2024 Fiscal Year", 2024, null],
  ["FY24/25", 2025, null],
  ["2024 (as restated)", 2024, null],
];

test.each(LABELS)("%p is the year %p", (label, year, end) => {
  expect(readYear(label)).toMatchObject({ year, end, partial: false, longer: false });
});

test.each(LABELS)("a table whose years read %p is found", (label, year) => {
  const filing = read(
    table(row(...HEAD), row("Ann Example<br>CEO", label, "5,000", "—", "—", "100", "5,100")),
  );
  expect(summary(filing)).toEqual([`Ann Example|CEO|${year}|5000|100|0|5100|PEO`]);
});

test.each([
  ["nine months ended September 30, 2021", true, false],
  ["2024T", true, false],
  ["Q4 2024", true, false],
  ["4Q2024", true, false],
  ["H1 2024", true, false],
  ["First quarter of 2024", true, false],
  ["2021 (stub period)", true, false],
  ["2024 (through March 31)", true, false],
  ["nine months ended 9/30/24", true, false],
  ["January 1, 2021 to June 30, 2021", true, false],
  ["January 1, 2021 to December 31, 2021", false, false],
  ["12 months ended June 30, 2021", false, false],
  ["May 22, 2022 to July 31, 2024", false, true],
])("%p is less than a year: %p, more: %p", (label, partial, longer) => {
  expect(readYear(label)).toMatchObject({ partial, longer });
});

test.each(["2024 and 2023", "24", "page 2024 of", "1,850", "12/31", "2024-27"])("%p is no year", (label) => {
  expect(readYear(label)).toBeUndefined();
});
