/** Test keys: free, the latest years of five companies alone, and refusals on request. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ENDPOINTS } from "../../src/operations/endpoints.ts";
import { TEST_SYMBOLS } from "../../src/operations/test-keys.ts";
import { rowsOf, startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let key = "";
let userId = "";
beforeAll(async () => {
  server = await startTestServer({ rateKey: "10000" });
  userId = (await server.accounts.users.findOrCreate("ann@example.com")).id;
  key = (await server.accounts.keys.create(userId, { name: "tests", isTest: true })).secret;
});
afterAll(() => server.stop());

/** A value of each parameter across companies; one without a value needs a live key. */
const SAMPLES: readonly (readonly [RegExp, string?])[] = [
  [/^fiscal_year|^evidence$|^total_change/],
  [/^(ticker|rank_ticker)$/, "AAPL"],
  [/^cik$/, "320193"],
  [/^executive$/, "cook"],
  [/^executive_id$/, "tim-cook"],
  [/^office$/, "peo"],
  [/^sector$/, "information_technology"],
  [/^sic$/, "3"],
  [/^index$/, "sp500"],
  [/^filer_category$/, "large_accelerated_filer"],
  [/^state$/, "CA"],
  [/^reporting_currency$/, "USD"],
  [/^(complete_only|one_per_company_year)$/, "true"],
  [/^same_companies$/, "true&group_by=fiscal_year"],
  [/^doubtful$/, "include"],
  [/_gte?$/, "0"],
  [/_lte?$/, "900000000"],
  [/^sort$/, "company_name"],
  [/^max_rows$/, "1000"],
  [/^measures$/, "equity_share"],
  [/^field$/, "salary"],
  [/^group_by$/, "state"],
];

const REST = "/api/executive-compensation";
const get = (path: string) => server.get(path, { key });
const isFree = async () => {
  const { charged, given } = await server.accounts.credits.summary(userId);
  expect([charged, given]).toEqual([0, 100]);
};

test("a test key looks like a live one but for its prefix, and is a first key like any other", async () => {
  expect(key).toMatch(/^xc_test_[0-9A-Za-z]{38}$/);
  await isFree();
  const { secret } = await server.accounts.keys.rotate(
    null,
    (await server.accounts.keys.list(userId))[0]?.id ?? "",
    "week",
  );
  expect(secret).toStartWith("xc_test_");
  for (const wrong of [`${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`, key.replace("test", "live")])
    expect((await server.get(`${REST}?ticker=AAPL`, { key: wrong })).status).toBe(401);
});

test("what a live key has asked for is not what a test key is answered", async () => {
  const path = `${REST}?ticker=AAPL`;
  const live = await server.get(path, { key: await server.createKey() });
  const years = async (answer: Response) =>
    new Set((await rowsOf(answer)).map(({ fiscal_year }) => fiscal_year)).size;
  expect(await years(live)).toBe(4);
  expect(await years(await get(path))).toBe(1);
});

test.each([...TEST_SYMBOLS])(
  "%s: the latest year, however it is asked for, and nothing before it",
  async (symbol) => {
    const facts = (await (await server.get(`/t/${symbol}/facts`)).json()) as {
      fiscal_year: number;
      cik: string;
    };
    for (const path of [`ticker=${symbol}`, `ticker=${symbol.toLowerCase()}&limit=1`, `cik=${facts.cik}`]) {
      const answer = await get(`${REST}?${path}`);
      expect([answer.status, answer.headers.get("test-key"), answer.headers.get("credits-charged")]).toEqual([
        200,
        "true",
        null,
      ]);
      const years = new Set((await rowsOf(answer)).map(({ fiscal_year }) => fiscal_year));
      expect([...years]).toEqual([facts.fiscal_year]);
    }
    for (const more of [
      "limit=2",
      "limit=100",
      `fiscal_year=${facts.fiscal_year}`,
      "fiscal_year_gte=2000",
      "fiscal_year_lt=2024",
    ]) {
      const refused = await get(`${REST}?ticker=${symbol}&${more}`);
      expect([more, refused.status, refused.headers.get("test-key")]).toEqual([more, 402, "true"]);
    }
    await isFree();
  },
);

describe("every operation", () => {
  const ACROSS = ["/query", "/statistics"]
    .map((end) => REST + end)
    .concat("/api/ceo-pay", "/api/ceo-pay/statistics");

  test("is over the five companies alone, where none is named", async () => {
    const rows = await rowsOf(await get(`${REST}/query?max_rows=1000`));
    expect(new Set(rows.map(({ ticker }) => ticker))).toEqual(new Set(TEST_SYMBOLS));
    for (const { ticker, fiscal_year } of rows) {
      const facts = (await (await server.get(`/t/${ticker}/facts`)).json()) as { fiscal_year: number };
      expect([ticker, fiscal_year]).toEqual([ticker, facts.fiscal_year]);
    }
    for (const path of ACROSS) expect([path, (await get(path)).status]).toEqual([path, 200]);
    const { tickers } = (await (await get(`${REST}/tickers`)).json()) as { tickers: string[] };
    expect(tickers).toEqual([...TEST_SYMBOLS].toSorted());
    expect((await get("/api/companies?q=apple")).status).toBe(200);
    await isFree();
  });

  test("is over the five companies alone, whatever is asked beside", async () => {
    const five = new Set(
      TEST_SYMBOLS.map((symbol) => server.services.snapshots.current().findBySymbol(symbol)?.cik),
    );
    for (const { path, parameters } of [
      ENDPOINTS.query,
      ENDPOINTS.statistics,
      ENDPOINTS.ceoPay,
      ENDPOINTS.ceoPayStatistics,
    ])
      for (const { name } of parameters) {
        const [, value] = SAMPLES.find(([names]) => names.test(name)) ?? [];
        // A cursor is part of an answer.
        if (name === "cursor") continue;
        const answer = await get(`${path}?${name}=${value}`);
        const body = await answer.text();
        expect([path, name, answer.status]).toEqual([path, name, value === undefined ? 402 : 200]);
        const companies = [...body.matchAll(/"(?:companies|members)":(\d+)/g)].map(([, count]) =>
          Number(count),
        );
        expect([path, name, companies.filter((count) => count > 5)]).toEqual([path, name, []]);
        const others = [...body.matchAll(/"cik":"(\d{10})"/g)].filter(([, cik]) => !five.has(cik));
        expect([path, name, others]).toEqual([path, name, []]);
      }
    await isFree();
  });

  test("refuses another company with 404, years, changes and the export with 402, each with the reason", async () => {
    for (const path of [REST, ...ACROSS]) {
      for (const [query, status] of [
        ["ticker=NVDA", 404],
        ["cik=1045810", 404],
        ["ticker=NOSUCH", 404],
        ...(path === REST
          ? []
          : ([
              ["ticker=AAPL,NVDA", 404],
              ["fiscal_year=2024", 402],
            ] as const)),
      ] as const) {
        const refused = await get(`${path}?${query}`);
        const { message } = (await refused.json()) as { message: string };
        expect([path, query, refused.status]).toEqual([path, query, status]);
        expect(message).toMatch(/[Tt]est keys/);
      }
    }
    for (const path of [
      `${REST}/query?measures=total_change`,
      `${REST}/query?sort=-total_change_percent`,
      `${REST}/query?total_change_gte=1`,
      `${REST}/statistics?field=total_change`,
      "/export",
      "/export?ticker=AAPL",
    ])
      expect([path, (await get(path)).status]).toEqual([path, 402]);
    expect((await get(`${REST}/statistics?rank_ticker=NVDA`)).status).toBe(404);
    await isFree();
  });

  test("gives each refusal on request, with its headers", async () => {
    for (const status of [401, 402, 404, 429, 503]) {
      for (const path of [REST, `${REST}/query`, "/api/ceo-pay"]) {
        const answer = await get(`${path}?ticker=TEST${status}`);
        expect([path, answer.status, answer.headers.get("test-key")]).toEqual([path, status, "true"]);
        expect(answer.headers.has("retry-after")).toBe(status === 429 || status === 503);
        const body = (await answer.json()) as object;
        expect(Object.keys(body)).toEqual(["error", "message", ...(status === 402 ? ["purchase"] : [])]);
      }
      // Live keys know no such symbol.
      const live = await server.createKey();
      expect((await server.get(`${REST}?ticker=TEST${status}`, { key: live })).status).toBe(404);
    }
  });

  test("answers over MCP as over REST", async () => {
    const call = async (path: string, name: string, given: object) => {
      const answer = await server.get(path, {
        key,
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name, arguments: given },
        }),
      });
      expect(answer.headers.get("test-key")).toBe("true");
      return { status: answer.status, text: await answer.text() };
    };
    const ask = (given: object) => call("/mcp", "get_executive_compensation", given);
    const latest = await ask({ ticker: "AAPL" });
    expect(latest.text).toContain("Tim Cook");
    expect(new Set(latest.text.match(/fiscal_year\\*":\d{4}/g)).size).toBe(
      latest.text.includes("fiscal_year\\") ? 2 : 1,
    );
    expect((await ask({ ticker: "AAPL", limit: 4 })).text).toContain("Payment Required");
    expect((await ask({ ticker: "AAPL", fiscal_year: 2024 })).text).toContain("Payment Required");
    expect((await ask({ ticker: "NVDA" })).text).toContain("Test keys cover only");
    expect((await ask({ ticker: "TEST503" })).text).toContain("Service Unavailable");
    const across = await call("/mcp/analyst", "query_executive_compensation", {
      detail: "full",
      max_rows: 100,
    });
    for (const symbol of TEST_SYMBOLS) expect(across.text).toContain(symbol);
    expect(across.text).not.toContain("NVDA");
    for (const id of ["year:0000320193:2022", "executive:0000320193:tim-cook"])
      expect([id, (await call("/mcp/analyst", "fetch", { id })).text]).toEqual([
        id,
        expect.stringContaining("Payment Required"),
      ]);
    for (const id of ["company:0001045810", " company:1045810", "\tyear:0001045810:2026"])
      expect([id, (await call("/mcp/analyst", "fetch", { id })).text]).toEqual([
        id,
        expect.stringContaining("Test keys cover only"),
      ]);
    await isFree();
  });
});
