import type { Bench } from "./types.ts";

/** The three most frequent answers, compared with a bare server that returns the same bytes. */
export const bench: Bench = {
  name: "serving",
  async run({ compare, key }) {
    await compare("facts", { path: "/t/AAPL/facts" });
    await compare("company, keyed, latest year", {
      path: "/api/executive-compensation?ticker=AAPL&limit=1",
      headers: { "x-api-key": key },
    });
    await compare("company, keyed, four years, unmetered", {
      path: "/api/executive-compensation?ticker=AAPL",
      headers: { "x-api-key": key },
    });
    await compare("tickers, keyed", {
      path: "/api/executive-compensation/tickers",
      headers: { "x-api-key": key },
    });
  },
};
