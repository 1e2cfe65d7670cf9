import { describe, expect, test } from "bun:test";
import type { AvailableYear } from "../../src/domain/company.ts";
import { incompleteYears, reachesIntoHistory, selectYears } from "../../src/domain/years.ts";

const held: AvailableYear[] = [2025, 2024, 2023, 2022].map((fiscalYear) => ({
  fiscalYear,
  complete: fiscalYear > 2023,
  rowJson: [],
}));
const years = (query: object, limit = 4) =>
  selectYears(held, query, limit).map(({ fiscalYear }) => fiscalYear);

describe("filters restrict first, then the limit counts fiscal years", () => {
  test.each<[object, number, number[]]>([
    [{}, 4, [2025, 2024, 2023, 2022]],
    [{}, 2, [2025, 2024]],
    [{}, 0, []],
    [{ fiscal_year: 2023 }, 4, [2023]],
    [{ fiscal_year_lte: 2024 }, 1, [2024]],
    [{ fiscal_year_lt: 2024 }, 4, [2023, 2022]],
    [{ fiscal_year_gte: 2023, fiscal_year_lt: 2025 }, 4, [2024, 2023]],
    [{ fiscal_year_gt: 2024 }, 4, [2025]],
    [{ fiscal_year_gt: 2024, fiscal_year_lt: 2024 }, 4, []],
    [{ fiscal_year: 1999 }, 4, []],
  ])("%j with limit %p selects %j", (query, limit, expected) => {
    expect(years(query, limit)).toEqual(expected);
  });
});

test("only the latest available year, or nothing, is not history", () => {
  expect(reachesIntoHistory(held, selectYears(held, {}, 1))).toBe(false);
  expect(reachesIntoHistory(held, [])).toBe(false);
  expect(reachesIntoHistory(held, selectYears(held, { fiscal_year: 2024 }, 1))).toBe(true);
});

test("incomplete years are those selected that may lack an executive", () => {
  expect(incompleteYears(held)).toEqual([2023, 2022]);
  expect(incompleteYears(held.slice(0, 2))).toEqual([]);
});
