import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openPage } from "../support/html.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const open = (path: string) => openPage(server, path);

test("the first page says what this is and links to a company", async () => {
  const { status, text, headers } = await open("/");
  expect(status).toBe(200);
  expect(text).toContain(`${server.origin}/mcp`);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  const found = await open("/t?ticker=brk.b");
  expect(found.status).toBe(303);
  expect(found.headers.get("location")).toBe(`${server.origin}/search?q=brk.b`);
  expect((await open("/search?q=brk.b")).headers.get("location")).toBe(`${server.origin}/t/BRK-B`);
  expect((await open("/t/brk.b")).text).toMatch(/<h1>\s*Berkshire Hathaway Inc\. /);
  expect((await open("/t")).headers.get("location")).toBe(`${server.origin}/`);
});

test("an address in a symbol does not redirect elsewhere", async () => {
  const { headers } = await open("/t?ticker=//evil.example.com");
  expect(headers.get("location")).toBe(`${server.origin}/search?q=%2F%2Fevil.example.com`);
});

describe("coverage", () => {
  test("says which years are available, which are partial and which filings are not loaded", async () => {
    const { text } = await open("/coverage?search=AAPL");
    expect(text).toContain("1 company");
    expect(text).toContain("0001308179-26-000008");
    expect(text.replaceAll(/\s+/g, " ")).toMatch(/>(\d+) of \1 totals reconcile</);
    const skyworks = (await open("/coverage?search=SWKS")).text;
    expect(skyworks).toContain("its newest filing 0001104659-26-039476 is not loaded");
  });

  test("shows the totals first, then a map of years, filtered by status and sector", async () => {
    const first = (await open("/coverage")).text;
    expect(first).toMatch(/Companies with rows<\/dt> ?<dd>\d{3} /);
    expect(first).toMatch(/[\d,]+ complete, [\d,]+ partial/);
    const counted = async (path: string) =>
      Number(/(\d+) compan(y|ies)/.exec((await open(path)).text.split("<caption>")[1] ?? "")?.[1] ?? 0);
    const withRows = await counted("/coverage");
    expect(withRows).toBeGreaterThan(100);
    expect(await counted("/coverage?status=all")).toBeGreaterThan(withRows);
    expect(await counted("/coverage?sector=energy")).toBeLessThan(withRows);
    expect(await counted("/coverage?status=partial&page=99")).toBeGreaterThan(0);
    expect((await open("/coverage?sector=nonsense")).text).toContain("No companies match");
  });

  test("search terms stay text", async () => {
    const { text } = await open(`/coverage?search=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(text).not.toContain("<script>alert");
  });
});

describe("a company's page as of a day", () => {
  test("shows the latest year according to the filings up to then", async () => {
    const { text } = await open("/t/AAPL?as_of=2026-01-08");
    expect(text).toContain("74,294,811");
    expect(text).toMatch(/Tim Cook\s*<abbr[^>]*Principal executive officer[^>]*>CEO</);
    expect(text).not.toContain(">(PEO)");
    const before = await open("/t/AAPL?as_of=2026-01-07");
    expect(before.status).toBe(404);
    expect(before.text).not.toContain("74,609,802");
  });

  test("offers no download, which would contain all filings; today's page does", async () => {
    expect((await open("/t/AAPL?as_of=2026-01-08")).text).not.toContain("/download?");
    expect((await open("/t/AAPL")).text).toContain("/t/AAPL/download?format=csv");
  });

  test("is found by CIK if the company has no ticker", async () => {
    const { status, text } = await open("/c/0001418302?as_of=2026-11-01");
    expect(status).toBe(200);
    expect(text).toContain("Renewable Energy Acquisition Corp.");
  });

  test.each(["yesterday", "2026-02-31x", "2026-13-01", ""])("%p is not a day", async (day) => {
    expect((await open(`/t/AAPL?as_of=${day}`)).status).toBe(400);
  });
});

describe("a refusal on a page", () => {
  test("states when to retry: 429 with Retry-After, and without the API's RateLimit", async () => {
    const crowded = await startTestServer({ publicUrl: "https://pay.example.com" });
    const visit = (accept: string) =>
      crowded.get("/coverage", { headers: { accept, host: "pay.example.com" } });
    for (let count = 0; count < 300; count++) expect((await visit("text/html")).status).toBe(200);
    for (const accept of ["text/html", "*/*"]) {
      const { status, headers } = await visit(accept);
      expect(status).toBe(429);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect(headers.get("ratelimit")).toBeNull();
    }
    await crowded.stop();
  });

  test("suggestions over their rate limit are 429 with Retry-After", async () => {
    const crowded = await startTestServer();
    const ask = () => crowded.get("/suggest?q=app");
    for (let count = 0; count < 600; count++) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await crowded.stop();
  });

  test("a ranking's cursor of another dataset is 410", async () => {
    const { text } = await open("/rankings?fiscal_year=2024");
    const cursor = /[?&;]cursor=([\w.~%-]+)/.exec(text)?.[1] ?? "";
    expect((await open(`/rankings?fiscal_year=2024&cursor=${cursor}`)).status).toBe(200);
    const known = Buffer.from(cursor, "base64url").toString();
    const old = Buffer.from(`0123456789abcdef${known.slice(16)}`).toString("base64url");
    const gone = await open(`/rankings?fiscal_year=2024&cursor=${old}`);
    expect([gone.status, gone.text.includes("The dataset has changed")]).toEqual([410, true]);
  });
});
