import { describe, expect, test } from "bun:test";
import { ServiceError } from "../../src/errors.ts";
import { TICKERS_PARAMETERS } from "../../src/domain/company-parameters.ts";
import { readQuery } from "../../src/domain/parameters.ts";
import { readCompensationQuery } from "../../src/operations/compensation.ts";
import { parameters } from "../../src/http/requests.ts";

const read = (search: string) => readCompensationQuery(parameters(search));

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (refused) {
    if (refused instanceof ServiceError && refused.kind === "invalid_parameter") return refused.message;
    throw refused;
  }
  throw new Error("was not refused");
}

describe("a symbol is the same in any spelling", () => {
  test.each([
    ["BRK.B", "BRK-B"],
    ["brk-b", "BRK-B"],
    ["BRK/B", "BRK-B"],
    [" aapl ", "AAPL"],
    ["BC-PC", "BC-PC"],
  ])("%p is %p", (asked, symbol) => {
    expect(read(`ticker=${encodeURIComponent(asked)}`).ticker).toBe(symbol);
  });
});

describe("a CIK is read with or without padding and prefix", () => {
  test.each(["320193", "0000320193", "CIK320193", "cik0000320193", "CIK0000320193"])("%p", (asked) => {
    expect(read(`cik=${asked}`).cik).toBe("0000320193");
  });
});

test("a year filter and a limit become numbers", () => {
  expect(read("ticker=AAPL&limit=0&fiscal_year_gte=2020&fiscal_year_lt=2024")).toEqual({
    ticker: "AAPL",
    limit: 0,
    fiscal_year_gte: 2020,
    fiscal_year_lt: 2024,
  });
});

describe("a refusal names the parameter, the value and what was expected", () => {
  test.each([
    ["", "Give ticker or cik: neither was sent."],
    [
      "ticker=AAPL,MSFT",
      'Cannot read ticker "AAPL,MSFT": expected a ticker symbol. For several companies ask query (/api/executive-compensation/query, query_executive_compensation) with ticker=AAPL,MSFT.',
    ],
    [
      `ticker=${encodeURIComponent('["AAPL", "MSFT"]')}`,
      'Cannot read ticker "[\\"AAPL\\", \\"MSFT\\"]": expected a ticker symbol. For several companies ask query (/api/executive-compensation/query, query_executive_compensation) with ticker=AAPL,MSFT.',
    ],
    ["ticker=", 'Cannot read ticker "": expected a ticker symbol.'],
    ["cik=12345678901", 'Cannot read cik "12345678901": expected 1 to 10 digits.'],
    ["ticker=A&limit=101", 'Cannot read limit "101": expected a whole number from 0 to 100.'],
    ["ticker=A&limit=4.0", 'Cannot read limit "4.0": expected a whole number from 0 to 100.'],
    ["ticker=A&limit=%2B4", 'Cannot read limit "+4": expected a whole number from 0 to 100.'],
    ["ticker=A&limit=4e0", 'Cannot read limit "4e0": expected a whole number from 0 to 100.'],
    ["ticker=A&limit=", 'Cannot read limit "": expected a whole number from 0 to 100.'],
    ["ticker=A&limit=-1", 'Cannot read limit "-1": expected a whole number from 0 to 100.'],
    ["ticker=A&limit=0000000004", 'Cannot read limit "0000000004": expected a whole number from 0 to 100.'],
    ["ticker=A&fiscal_year=20x4", 'Cannot read fiscal_year "20x4": expected a whole number.'],
    ["ticker=A&period=quarterly", 'Cannot read period "quarterly": expected "annual".'],
    ["ticker=A&ticker=B", "Cannot read ticker: it was given 2 times, expected once."],
    ["ticker=A&fiscal_year_get=1", 'Unknown parameter "fiscal_year_get". Did you mean fiscal_year_gte?'],
    ["tiker=A", 'Unknown parameter "tiker". Did you mean ticker?'],
  ])("%p", (search, message) => {
    expect(refusalOf(() => read(search))).toBe(message);
  });

  test("an unknown parameter without a similar one gets the list", () => {
    expect(refusalOf(() => read("ticker=A&api_key=x"))).toStartWith(
      'Unknown parameter "api_key". Known are ticker, cik',
    );
  });

  test("a very long value is truncated in the message", () => {
    expect(refusalOf(() => read(`ticker=A&limit=${"9".repeat(5000)}`)).length).toBeLessThan(200);
  });
});

test("tickers accept only a limit from 1 to 5000", () => {
  const tickers = (search: string) => readQuery(parameters(search), TICKERS_PARAMETERS);
  expect(tickers("")).toEqual({});
  expect(tickers("limit=5000")).toEqual({ limit: 5000 });
  expect(refusalOf(() => tickers("limit=0"))).toBe(
    'Cannot read limit "0": expected a whole number from 1 to 5000.',
  );
  expect(refusalOf(() => tickers("ticker=A"))).toStartWith('Unknown parameter "ticker".');
});
