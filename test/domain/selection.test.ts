/** Everything that the parameter schemas allow is readable and read as intended. */
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { CEO_PAY_GROUPINGS } from "../../src/domain/ceo-pay-selection.ts";
import { parameterSchema, readValues } from "../../src/domain/parameters.ts";
import { readSelection, SELECTION_PARAMETERS } from "../../src/domain/selection.ts";
import { groupByParameter } from "../../src/operations/groups.ts";

const read = (given: Record<string, string>) => readSelection(new Map(Object.entries(given)));

test("every value that a text parameter's schema allows is read", () => {
  for (const parameter of SELECTION_PARAMETERS) {
    const { name } = parameter;
    const schema = parameterSchema(parameter);
    const { pattern, enum: words, maxLength } = (schema["items"] ?? schema) as Record<string, unknown>;
    if (Array.isArray(words))
      for (const word of words) expect(() => read({ [name]: String(word) })).not.toThrow();
    // fast-check does not make values of a class of letters.
    if (typeof pattern !== "string" || pattern.includes("\\p{")) continue;
    const values = fc
      .stringMatching(new RegExp(pattern))
      .filter((value) => typeof maxLength !== "number" || value.length <= maxLength);
    fc.assert(
      fc.property(values, (value) => void read({ [name]: value })),
      { numRuns: 200 },
    );
  }
});

test("lists are read in the spelling of the SEC, each once", () => {
  expect(read({ ticker: "brk.b, aapl,AAPL", cik: "320193,CIK0000320193" })).toMatchObject({
    tickers: ["brk.b", "aapl", "AAPL"],
    ciks: ["0000320193"],
  });
});

test("a refusal names the entry of a list, and the word that was meant", () => {
  expect(() => read({ ticker: "AAPL,--" })).toThrow(
    'Cannot read ticker "--": expected ticker symbols or names, comma-separated.',
  );
  expect(() => read({ office: "chief executive officer" })).toThrow(
    'Cannot read office "chief executive officer": expected one of peo, pfo, other. Did you mean peo?',
  );
});

test("groups are in the order in which they are asked for", () => {
  const groupBy = [groupByParameter(CEO_PAY_GROUPINGS)] as const;
  expect(readValues(new Map([["group_by", "state, Sector"]]), groupBy)).toEqual({
    group_by: ["state", "sector"],
  });
});

test("bounds are read literally, amounts in cents", () => {
  expect(read({ fiscal_year: "2024", fiscal_year_lt: "2026", salary_gt: "12.5" })).toMatchObject({
    years: [
      { bound: "eq", year: 2024 },
      { bound: "lt", year: 2026 },
    ],
    amounts: [{ field: "salary", bound: "gt", cents: 1250 }],
  });
});

test("words of a name are folded; an empty value is not a restriction", () => {
  expect(read({ executive: "JOSÉ O’Brien, tim cook" }).executive).toEqual([
    ["jose", "obrien"],
    ["tim", "cook"],
  ]);
  expect(() => read({ executive: "cook,,musk" })).toThrow("Cannot read executive");
  expect(read({})).toEqual({
    tickers: [],
    ciks: [],
    years: [],
    office: null,
    executive: [],
    executiveId: null,
    evidence: null,
    sector: null,
    sic: null,
    index: null,
    filerCategory: null,
    state: null,
    amounts: [],
    currency: "USD",
    completeOnly: false,
    onePerCompanyYear: false,
  });
});
