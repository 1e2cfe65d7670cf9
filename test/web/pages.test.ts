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
  expect((await open("/search?q=brk.b")).headers.get("location")).toBe(`${server.origin}/t/BRK-B`);
  expect((await open("/t/brk.b")).text).toMatch(/<h1>\s*Berkshire Hathaway Inc\. /);
});

test("an address in a symbol does not redirect elsewhere", async () => {
  const { status, headers } = await open("/search?q=//evil.example.com");
  expect([status, headers.get("location")]).toEqual([200, null]);
});

describe("coverage", () => {
  test("says which years are available, which are partial and which filings are not loaded", async () => {
    const { text } = await open("/coverage?search=AAPL");
    expect(text).toContain("1 company");
    expect(text).toContain("0001308179-26-000008");
    expect(text.replaceAll(/\s+/g, " ")).toMatch(/>(\d+) of \1 add up</);
    const sherwin = (await open("/coverage?search=SHW")).text;
    expect(sherwin).toContain("its newest filing 0000089800-26-000025 has not been read");
  });

  test("shows the totals first, then a map of years, filtered by status and sector", async () => {
    const first = (await open("/coverage")).text;
    expect(first).toMatch(/Companies with pay by component<\/dt> ?<dd>\d{3} /);
    expect(first).toMatch(
      /Companies checked cell by cell<\/dt> ?<dd>\d+ <span>\d+ typed, \d+ collected, some in two ways</,
    );
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

  test("a ranking's cursor of another dataset is 410, with a link to the first page", async () => {
    const { text } = await open("/rankings?fiscal_year=2024");
    const cursor = /[?&;]cursor=([\w.~%-]+)/.exec(text)?.[1] ?? "";
    expect((await open(`/rankings?fiscal_year=2024&cursor=${cursor}`)).status).toBe(200);
    const known = Buffer.from(cursor, "base64url").toString();
    const old = Buffer.from(`0123456789abcdef${known.slice(16)}`).toString("base64url");
    const gone = await open(`/rankings?fiscal_year=2024&cursor=${old}`);
    expect([gone.status, gone.text.includes("The dataset has changed")]).toEqual([410, true]);
    expect(gone.text).toContain('<a href="/rankings?fiscal_year=2024">Open the first page</a>');
  });
});
