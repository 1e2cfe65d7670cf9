/** What public pages tell browsers, search engines and caches. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestServer, startTestServer } from "../support/server.ts";

/** Pages that anyone may read. */
const PUBLIC = [
  "/",
  "/t/AAPL",
  "/t/AAPL/2025/tim-cook",
  "/t/AAPL/2025/tim-cook/salary",
  "/coverage",
  "/rankings",
  "/compare",
  "/search?q=apple",
];
let server: TestServer;
let local: TestServer;
beforeAll(async () => {
  server = await startTestServer({ publicUrl: "https://pay.example.com" });
  local = await startTestServer();
});
afterAll(async () => {
  await server.stop();
  await local.stop();
});

const open = (path: string, headers: Record<string, string> = {}) =>
  server.get(path, { headers: { accept: "text/html", ...headers } });
describe("a public page", () => {
  test.each(PUBLIC)("%s has its own strong tag, and a cached copy is confirmed", async (path) => {
    const { headers, status } = await open(path);
    const etag = headers.get("etag") ?? "";
    expect([status, etag]).toEqual([200, expect.stringMatching(/^"[^"]+"$/)]);
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    // After signing in, the same address is a different page: the previous copy is not valid for it.
    expect(headers.get("vary")).toContain("Cookie");
    const again = await open(path, { "if-none-match": etag });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    const others = PUBLIC.filter((other) => other !== path);
    for (const other of others) expect((await open(other, { "if-none-match": etag })).status).toBe(200);
    const packed = await open(path, { "accept-encoding": "gzip" });
    const held = { "if-none-match": packed.headers.get("etag") ?? "", "accept-encoding": "gzip" };
    expect((await open(path, held)).status).toBe(304);
  });

  test("is never confirmed for the local operator, who sees more", async () => {
    const answer = await local.get("/t/AAPL", { headers: { accept: "text/html" } });
    expect([answer.headers.get("etag"), answer.headers.get("cache-control")]).toEqual([
      null,
      "private, no-cache",
    ]);
  });

  test("has another tag where the server's settings make another page of it", async () => {
    const settings = [
      { priceQuestion: "3" },
      { priceHistory: "3" },
      { signUp: "closed" },
      { publicRankings: "on" },
    ] as const;
    for (const setting of settings) {
      const other = await startTestServer({ publicUrl: "https://pay.example.com", ...setting });
      const get = (of: TestServer, headers = {}) =>
        of.get("/", { headers: { accept: "text/html", ...headers } });
      const held = (await get(server)).headers.get("etag") ?? "";
      expect([setting, (await get(other, { "if-none-match": held })).status]).toEqual([setting, 200]);
      await other.stop();
    }
  });

  test("has no tag if it does not exist, whatever the browser sends", async () => {
    const answer = await open("/t/NOPE", { "if-none-match": "*" });
    expect([answer.status, answer.headers.get("etag")]).toEqual([404, null]);
  });
});

test("a frame says in its own page that a selection is not public, and may stand on any site", async () => {
  const answer = await open("/rankings/embed?office=peo");
  const text = await answer.text();
  expect([answer.status, text.includes("<h1>Not public</h1>"), text.includes("<nav")]).toEqual([
    403,
    true,
    false,
  ]);
  expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors *");
});

describe("search engines and previews", () => {
  test("learn what a page is about and its address", async () => {
    const text = await (await open("/t/AAPL?year=2025")).text();
    expect(text).toContain('<link rel="canonical" href="https://pay.example.com/t/AAPL" />');
    expect(text).toContain('property="og:title" content="Apple Inc. executive compensation, fiscal 2025"');
  });

  test("a company without a symbol has no broken link", async () => {
    const text = await (await open("/c/0001418302")).text();
    expect(text).not.toContain("/c/0001418302/facts");
  });
});

test("the first page names the newest loaded filings, with date, form, company and document", async () => {
  const text = (await (await local.get("/", { headers: { accept: "text/html" } })).text()).replaceAll(
    /\s+/g,
    " ",
  );
  const list = /<h2>Latest filings<\/h2>([^]*?)<\/ol>/.exec(text)?.[1] ?? "";
  const dates = [...list.matchAll(/datetime="([\d-]+)"/g)].map(([, date = ""]) => date);
  expect(dates).toHaveLength(6);
  expect(dates).toEqual(dates.toSorted().toReversed());
  expect(list.match(/href="https:\/\/www\.sec\.gov\/[^"]+"\s*>DEF 14A</g)?.length).toBeGreaterThan(0);
  expect(list.match(/href="\/t\/[A-Z-]+">/g)).toHaveLength(6);
  expect(text).toMatch(/How the 500 totals are known<\/h2>.*<a href="\/coverage">Coverage<\/a>/);
});
