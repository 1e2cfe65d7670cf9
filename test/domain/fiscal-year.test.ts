import { expect, test } from "bun:test";
import {
  fiscalYearEnding,
  fiscalYearOf,
  lastYearEnd,
  middleDay,
  shiftYears,
} from "../../src/domain/fiscal-year.ts";

test("a fiscal year begins on the day after the end of the previous one", () => {
  expect(fiscalYearEnding("2025-12-31")).toEqual({ first: "2025-01-01", last: "2025-12-31" });
  expect(fiscalYearEnding("2025-09-27", "2024-09-28")).toEqual({ first: "2024-09-29", last: "2025-09-27" });
});

test.each([
  ["2024-02-29", -1, "2023-02-28"],
  ["2023-02-28", 1, "2024-02-29"],
  ["2024-02-28", 1, "2025-02-28"],
  ["2025-06-30", -3, "2022-06-30"],
])("%s moved by %d years is %s", (day, years, moved) => {
  expect(shiftYears(day, years)).toBe(moved);
});

test("a year without its own end is counted from the nearest", () => {
  const ends = new Map([
    [2025, "2025-09-27"],
    [2021, "2021-09-25"],
  ]);
  expect(fiscalYearOf(2024, ends)).toEqual({ first: "2023-09-28", last: "2024-09-27" });
  expect(fiscalYearOf(2022, ends)).toEqual({ first: "2021-09-26", last: "2022-09-25" });
  expect(fiscalYearOf(2022, new Map())).toBeUndefined();
});

test("the possible meanings of a date have a middle", () => {
  expect(middleDay({ earliest: "2007-01-01", latest: "2007-12-31" })).toBe("2007-07-02");
  expect(middleDay({ earliest: "2007-03-04", latest: "2007-03-04" })).toBe("2007-03-04");
});

test.each([
  ["2025-03-15", "06-30", "2024-06-30"],
  ["2025-06-30", "06-30", "2025-06-30"],
  ["2025-05-10", "02-29", "2025-02-28"],
])("before %s the last fiscal year to end on %s ended on %s", (day, monthDay, end) => {
  expect(lastYearEnd(day, monthDay)).toBe(end);
});
