import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { COMPONENTS, type ExecutiveCompensation } from "../../src/domain/row-fields.ts";
import { type TestServer, rowsOf, startTestServer } from "../support/server.ts";

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.createKey();
});
afterAll(() => server.stop());

const years = (rows: ExecutiveCompensation[]) => [...new Set(rows.map(({ fiscal_year }) => fiscal_year))];
const ask = (search: string) => server.get(`/api/executive-compensation?${search}`, { key });

describe("rows of a company", () => {
  test("Apple's four latest years, newest first, with every executive of each", async () => {
    const answer = await ask("ticker=AAPL");
    expect(answer.status).toBe(200);
    const rows = await rowsOf(answer);
    expect(years(rows)).toEqual([2025, 2024, 2023, 2022]);
    const cook = rows[0];
    expect(cook).toMatchObject({
      ticker: "AAPL",
      cik: "0000320193",
      executive_id: "tim-cook",
      fiscal_year: 2025,
      reported_year: 2025,
      is_peo: true,
      total_compensation: 74_294_811,
      source: { form: "DEF 14A", accession: "0001308179-26-000008", filing_date: "2026-01-08" },
    });
    const served2022 = rows.filter(({ fiscal_year }) => fiscal_year === 2022);
    expect(served2022.length).toBeGreaterThan(4);
    for (const row of served2022) {
      if (row.source.accession === "0001308179-25-000008") expect(row.reported_year).toBe(2024);
    }
    expect(served2022.find(({ executive_id }) => executive_id === "tim-cook")).toMatchObject({
      reported_year: 2024,
      source: { accession: "0001308179-25-000008" },
    });
  });

  test("within a year PEOs come first, then PFOs, then by total, then by id", async () => {
    const rows = await rowsOf(await ask("ticker=AAPL&limit=100"));
    const rank = (row: ExecutiveCompensation) => (row.is_peo ? 0 : row.is_pfo ? 1 : 2);
    const sorted = rows.toSorted(
      (a, b) =>
        b.fiscal_year - a.fiscal_year ||
        rank(a) - rank(b) ||
        b.total_compensation - a.total_compensation ||
        (a.executive_id < b.executive_id ? -1 : 1),
    );
    expect(rows).toEqual(sorted);
  });

  test("the eight components add up to the printed total in every row of every company", async () => {
    const { tickers } = (await (await server.get("/api/executive-compensation/tickers", { key })).json()) as {
      tickers: string[];
    };
    const operator = server.asOperator();
    let seen = 0;
    for (const ticker of tickers) {
      for (const row of await rowsOf(
        await operator(`/api/executive-compensation?ticker=${ticker}&limit=100`),
      )) {
        const cents = COMPONENTS.reduce((sum, name) => sum + Math.round(row[name] * 100), 0);
        expect(`${ticker} ${row.executive_id} ${cents}`).toBe(
          `${ticker} ${row.executive_id} ${Math.round(row.total_compensation * 100)}`,
        );
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThan(1500);
  });

  test.each([
    ["ticker=aapl&limit=1", [2025]],
    ["cik=320193&limit=2", [2025, 2024]],
    ["cik=CIK0000320193&limit=1", [2025]],
    ["ticker=AAPL&cik=0000320193&limit=1", [2025]],
    ["ticker=AAPL&limit=0", []],
    ["ticker=AAPL&fiscal_year=2023", [2023]],
    ["ticker=AAPL&fiscal_year_gte=2023&fiscal_year_lt=2025", [2024, 2023]],
    ["ticker=AAPL&fiscal_year_gt=2024&fiscal_year_lt=2024", []],
    ["ticker=AAPL&fiscal_year=1999", []],
    ["ticker=AAPL&period=annual&limit=1", [2025]],
  ])("%s returns the years %j", async (search, expected) => {
    const answer = await ask(search);
    expect(answer.status).toBe(200);
    expect(years(await rowsOf(answer))).toEqual(expected);
  });

  test.each(["BRK.B", "brk-b", "BRK%2FB"])("%s is Berkshire, in the SEC's spelling", async (ticker) => {
    const [row] = await rowsOf(await ask(`ticker=${ticker}&limit=1`));
    expect(row).toMatchObject({ ticker: "BRK-B", cik: "0001067983" });
  });

  test("another symbol of the company finds it and appears in its rows", async () => {
    const [row] = await rowsOf(await ask("ticker=GOOG&limit=1"));
    expect(row).toMatchObject({ ticker: "GOOG", cik: "0001652044" });
    const [byCik] = await rowsOf(await ask("cik=1652044&limit=1"));
    expect(byCik).toMatchObject({ ticker: "GOOGL" });
  });

  test("years that may lack executives are named in a header, complete ones are not", async () => {
    const answer = await ask("ticker=MSFT&limit=3");
    const incomplete = answer.headers.get("incomplete-fiscal-years") ?? "";
    expect(incomplete).toMatch(/^\d{4}(, \d{4})*$/);
    expect((await ask("ticker=AAPL")).headers.get("incomplete-fiscal-years")).toBeNull();
  });

  test("the answer states its caching and its cost, and never contains the key", async () => {
    const answer = await ask("ticker=AAPL&limit=1");
    expect(answer.headers.get("cache-control")).toContain("private");
    expect(answer.headers.get("vary")).toBe("X-API-KEY, Authorization");
    expect(answer.headers.get("etag")).toMatch(/^"[^"]+"$/);
    expect(answer.headers.get("credits-charged")).toBe("0");
    expect(answer.headers.get("ratelimit-policy")).toBe('"key";q=600;w=60');
    expect(answer.headers.get("x-request-id")).toBeString();
    expect(JSON.stringify([...answer.headers]) + (await answer.text())).not.toContain(key);
  });
});

describe("years that limit leaves out are counted in a header", () => {
  const leftOut = async (query: string, of = key) => {
    const answer = await server.get(`/api/executive-compensation?ticker=AAPL${query}`, { key: of });
    const rows = await rowsOf(answer);
    return [answer.headers.get("fiscal-years-left-out"), new Set(rows.map((row) => row.fiscal_year)).size];
  };

  test("of those that the filters select, whether limit is given or not", async () => {
    const [, held = 0] = await leftOut("&limit=100");
    expect(await leftOut("")).toEqual([String(Number(held) - 4), 4]);
    expect(await leftOut("&limit=100")).toEqual([null, held]);
    expect(await leftOut("&limit=0")).toEqual([String(held), 0]);
    expect(await leftOut("&limit=1&fiscal_year_gte=2023&fiscal_year_lte=2024")).toEqual(["1", 1]);
    expect(await leftOut("&fiscal_year=1900")).toEqual([null, 0]);
  });

  test("a page of another site may read it, a revalidation repeats it, facts never have it", async () => {
    const path = "/api/executive-compensation?ticker=AAPL&limit=2";
    const answer = await server.get(path, { key });
    const again = await server.get(path, {
      key,
      headers: { "if-none-match": answer.headers.get("etag") ?? "" },
    });
    expect([again.status, again.headers.get("fiscal-years-left-out")]).toEqual([
      304,
      answer.headers.get("fiscal-years-left-out"),
    ]);
    const facts = await server.get("/t/AAPL/facts");
    expect(facts.headers.get("access-control-expose-headers")).toContain("Fiscal-Years-Left-Out");
    expect(facts.headers.get("fiscal-years-left-out")).toBeNull();
  });

  test("over MCP in _meta, and with a credential as a second text item", async () => {
    const call = async (given: object, of?: string) => {
      const answer = await server.get("/mcp", {
        ...(of === undefined ? {} : { key: of }),
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "get_executive_compensation", arguments: given },
        }),
      });
      const { result } = (await answer.json()) as {
        result: { content: { text: string }[]; _meta: Record<string, unknown> };
      };
      const { content, _meta: meta } = result;
      return [meta["fiscal_years_left_out"], content.slice(1).map(({ text }) => text.split(". ")[0])];
    };
    const [, held = 0] = await leftOut("&limit=100");
    const before = Number(held) - 1;
    expect(await call({ ticker: "AAPL", limit: 1 })).toEqual([before, []]);
    expect(await call({ ticker: "AAPL", limit: 1 }, key)).toEqual([
      before,
      [`${before} more fiscal years are loaded and left out by limit`],
    ]);
    expect(await call({ ticker: "AAPL", limit: 1 })).toEqual([before, []]);
    expect(await call({ ticker: "AAPL", limit: 100 }, key)).toEqual([undefined, expect.any(Array)]);
  });
});

test("tickers are those of all companies with rows, once each, ascending, up to the limit", async () => {
  const answer = await server.get("/api/executive-compensation/tickers", { key });
  const body = (await answer.json()) as { resource: string; tickers: string[] };
  expect(body.resource).toBe("executive_compensation");
  expect(body.tickers.length).toBeGreaterThan(100);
  expect(body.tickers).toEqual([...new Set(body.tickers)].sort());
  expect(body.tickers).not.toContain("");
  const three = await server.get("/api/executive-compensation/tickers?limit=3", { key });
  expect(((await three.json()) as { tickers: string[] }).tickers).toEqual(body.tickers.slice(0, 3));
});

describe("anonymous facts", () => {
  test("the latest year only, with a link to history, publicly cacheable", async () => {
    const answer = await server.get("/t/aapl/facts");
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as Record<string, unknown> & {
      executive_compensation: ExecutiveCompensation[];
    };
    expect(Object.keys(body)).toEqual([
      "ticker",
      "cik",
      "company_name",
      "fiscal_year",
      "executive_compensation",
      "history",
      "newer_filing",
    ]);
    expect(years(body.executive_compensation)).toEqual([2025]);
    expect(body["history"]).toEqual({
      message: expect.any(String),
      url: `${server.origin}/api/executive-compensation?ticker=AAPL`,
    });
    expect(answer.headers.get("cache-control")).toContain("public");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("ratelimit-policy")).toBe('"anon";q=60;w=60');
    expect(answer.headers.get("credits-charged")).toBeNull();
  });

  test("an outdated latest year names the newer known filing: in facts, REST, MCP and on the page", async () => {
    const newer = { accession: "0001324424-26-000022" };
    const facts = await server.get("/t/EXPE/facts");
    const body = (await facts.json()) as {
      fiscal_year: number;
      newer_filing: Record<string, unknown> | null;
    };
    expect(body.fiscal_year).toBe(2019);
    expect(body.newer_filing).toMatchObject(newer);
    expect(Object.keys(body.newer_filing ?? {})).toEqual(["accession", "form", "filing_date", "filing_url"]);
    const header = facts.headers.get("newer-filing") ?? "";
    expect(header).toStartWith(`"${newer.accession}"`);
    expect(header).toContain(`;filing_date="${String(body.newer_filing?.["filing_date"])}"`);
    const rest = await server.get("/api/executive-compensation?ticker=EXPE", { key });
    expect(rest.headers.get("newer-filing")).toBe(header);
    expect(await (await server.get("/t/EXPE")).text()).toContain("A newer filing has not been read yet");
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_executive_compensation", arguments: { ticker: "EXPE" } },
    };
    const headers = { "content-type": "application/json" };
    const mcp = await server.get("/mcp", { method: "POST", headers, body: JSON.stringify(call) });
    expect(mcp.headers.get("newer-filing")).toBe(header);
    expect(await mcp.text()).toContain(`A newer filing is known and not loaded yet: ${newer.accession}`);
  });

  test("a latest year that is current does not", async () => {
    const facts = await server.get("/t/AAPL/facts");
    expect(facts.headers.get("newer-filing")).toBeNull();
    expect(await facts.json()).toMatchObject({ newer_filing: null });
    expect(await (await server.get("/t/AAPL")).text()).not.toContain("newer filing");
  });

  test("credentials are ignored, even two bad ones", async () => {
    const headers = { "x-api-key": "nonsense", authorization: "Bearer nonsense" };
    expect((await server.get("/t/AAPL/facts", { headers })).status).toBe(200);
  });

  test("a browser is redirected to the company's page, which shows the rows and links to the filing", async () => {
    const accept = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    const answer = await server.get("/t/aapl/facts", { headers: accept, redirect: "manual" });
    expect(answer.status).toBe(303);
    const page = await server.get(new URL(answer.headers.get("location") ?? "").pathname, {
      headers: accept,
    });
    const text = await page.text();
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text).toContain("74,294,811");
    expect(text).toContain("https://www.sec.gov/Archives/edgar/data/320193/000130817926000008/");
    // Structured data for search engines is not an executable script; everything else comes from our own file.
    expect(text).not.toMatch(/<script(?! src="\/assets\/| type="application\/ld\+json">)/);
  });
});

test("HEAD answers as GET does, without a body", async () => {
  const answer = await server.get("/t/AAPL/facts", { method: "HEAD" });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe("");
});
