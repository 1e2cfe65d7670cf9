/** What a browser shows if there is no page: the reason, in the site's frame with search. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ServiceError } from "../../src/errors.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
let shared: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  shared = await startTestServer({ publicUrl: "https://pay.example.com", trustedProxies: "127.0.0.1" });
});
afterAll(async () => {
  await server.stop();
  await shared.stop();
});

const HTML = { accept: "text/html" };
const framed = async (answer: Response) => {
  const text = (await answer.text()).replaceAll(/\s+/g, " ");
  return {
    status: answer.status,
    heading: /<h1>([^<]*)<\/h1>/.exec(text)?.[1],
    search: text.includes('role="search" aria-label="Companies and people"'),
    navigation: text.includes('<a href="/rankings"'),
    stored: answer.headers.get("cache-control"),
    type: answer.headers.get("content-type"),
    text,
  };
};
const inFrame = (status: number, heading: string) => ({
  status,
  heading,
  search: true,
  navigation: true,
  stored: "no-store",
  type: "text/html; charset=utf-8",
});

test.each([
  ["/nowhere", 404, "Not found"],
  ["/t/APPLE", 404, "No ticker “APPLE”"],
  ["/c/99", 404, "No CIK “99”"],
  ["/t/AAPL/2025/nobody", 404, "Apple Inc."],
  ["/groups/nobodys", 404, "Not found"],
  ["/rankings?cursor=AAAA", 400, "Invalid request"],
  ["/t/AAPL/download?format=pdf", 400, "Unknown format"],
] as const)("%s: %i", async (path, status, heading) => {
  const seen = await framed(await server.get(path, { headers: HTML }));
  expect(seen).toMatchObject(inFrame(status, heading));
});

test("404: a page that is not there says what may be meant, and where else to look", async () => {
  const seen = async (path: string) => (await framed(await server.get(path, { headers: HTML }))).text;
  const near = await seen("/t/APPLE");
  expect(near).toContain('<a href="/t/AAPL">Apple Inc.</a> <span class="soft">AAPL</span>');
  expect(near).toMatch(/name="q"[^>]* value="APPLE"/);
  const none = await seen("/t/ZZZZ");
  expect(none).toContain("No company with the ticker “ZZZZ” is known here.");
  expect(none).not.toContain('class="results"');
  for (const text of [near, none, await seen("/nowhere"), await seen("/t/AAPL/2025/nobody")])
    for (const path of ["/rankings", "/coverage", "/api/docs"])
      expect(text.slice(text.indexOf("<main"))).toContain(`<a href="${path}">`);
});

test.each(["/", "/api/", "/.well-known/"])(
  "404: below %s a long address is not echoed in full",
  async (below) => {
    const answer = await server.get(`${below}${"x".repeat(3000)}`, { headers: HTML });
    expect(answer.status).toBe(404);
    const said = /x{50,}/.exec(await answer.text())?.[0].length;
    expect(said).toBeGreaterThan(150);
    expect(said).toBeLessThanOrEqual(200);
  },
);

test("403: a form sent by another site", async () => {
  const answer = await server.get("/groups", {
    method: "POST",
    headers: { ...HTML, "sec-fetch-site": "cross-site", "content-type": "application/x-www-form-urlencoded" },
    body: "name=x",
  });
  expect(await framed(answer)).toMatchObject({ ...inFrame(403, "Peer groups"), search: false });
});

test("429: an address that requests too many pages, with the time to wait", async () => {
  const from = { ...HTML, "x-forwarded-for": "203.0.113.77" };
  const statuses = new Set<number>();
  for (let n = 0; n < 300; n++) {
    statuses.add((await shared.get("/assets/icon.svg", { headers: from })).status);
  }
  expect([...statuses]).toEqual([200]);
  const answer = await shared.get("/", { headers: from });
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await framed(answer)).toMatchObject(inFrame(429, "Too many requests"));
  const program = await shared.get("/", { headers: { ...from, accept: "*/*" } });
  expect([program.status, program.headers.get("content-type")]).toEqual([429, "application/json"]);
});

test("500: the cause is reported to the operator, not to the reader", async () => {
  const { ask } = server.services.analyst;
  server.services.analyst.ask = () => {
    throw new Error("the secret of the house");
  };
  const seen = await framed(await server.get("/rankings", { headers: HTML }));
  const program = await server.get("/rankings");
  server.services.analyst.ask = ask;
  expect(seen).toMatchObject(inFrame(500, "Something went wrong"));
  expect(seen.text).toMatch(/request id [\w-]+\.\d+/);
  expect(seen.text).not.toContain("secret of the house");
  expect([program.status, program.headers.get("content-type")]).toEqual([500, "application/json"]);
  expect(server.lines.some((line) => line.includes("the secret of the house"))).toBeTrue();
});

test("503: a temporary failure states when to retry", async () => {
  const { ask } = server.services.analyst;
  const unavailable = () => {
    throw new ServiceError("unavailable", "The dataset cannot be read.", { retryAfterSeconds: 60 });
  };
  Object.assign(server.services.analyst, { ask: unavailable });
  const answer = await server.get("/search?q=cook", { headers: HTML });
  const thrown = await server.get("/", { headers: HTML });
  Object.assign(server.services.analyst, { ask });
  expect(answer.headers.get("retry-after")).toBe("60");
  expect(await framed(answer)).toMatchObject(inFrame(503, "Temporarily unavailable"));
  expect(await framed(thrown)).toMatchObject(inFrame(503, "Temporarily unavailable"));
});

test("the frame of a page that does not exist names the signed-in user", async () => {
  const { text } = await framed(await server.get("/nowhere", { headers: HTML }));
  expect(text).toContain("Local operator");
  const elsewhere = await framed(await shared.get("/nowhere", { headers: HTML }));
  expect(elsewhere.text).toContain('href="/sign-in"');
});

test("programs get JSON, and so does everything below /api, /mcp and /oauth", async () => {
  for (const path of ["/api/nowhere", "/mcp/nowhere", "/oauth/nowhere"]) {
    const answer = await server.get(path, { headers: HTML });
    expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
      path,
      404,
      "application/json",
    ]);
  }
});
