import { afterAll, expect, test } from "bun:test";
import { startTestServer } from "../../support/server.ts";

const server = await startTestServer();
afterAll(() => server.stop());

/** The log line of the request that `ask` makes. */
async function lineOf(ask: () => Promise<Response>): Promise<Record<string, unknown>> {
  const answer = await ask();
  const id = answer.headers.get("x-request-id") ?? "";
  const line = server.lines.find((one) => one.includes(`"id":"${id}"`));
  return JSON.parse(line ?? "{}");
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

test("a request's line has its route, address, user agent, trace and the id of the key, never the key", async () => {
  const key = await server.createKey();
  const headers = { "user-agent": `probe ${key}`, traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
  const line = await lineOf(() => server.get("/api/executive-compensation?ticker=AAPL", { key, headers }));
  expect(line).toMatchObject({ route: "compensation", status: 200, address: "127.0.0.1", trace: TRACE });
  expect(await server.accounts.keys.find(key, "127.0.0.1")).toMatchObject({ keyId: String(line["key"]) });
  expect(line["user_agent"]).toBe("probe xc_…");
  expect(server.lines.join("\n")).not.toContain(key);
});

test("the address is in every line, both for a valid key and for a refusal", async () => {
  const key = await server.createKey();
  const latest = "/api/executive-compensation?ticker=AAPL&limit=1";
  for (let n = 0; n < 3; n += 1) {
    expect(await lineOf(() => server.get(latest, { key }))).toMatchObject({
      status: 200,
      address: "127.0.0.1",
    });
    expect(await lineOf(() => server.get("/t/AAPL/facts"))).toMatchObject({ address: "127.0.0.1" });
    const wrong = { key, headers: { "x-api-key": `${key.slice(0, -1)}_` } };
    expect(await lineOf(() => server.get(latest, wrong))).toMatchObject({
      status: 401,
      address: "127.0.0.1",
    });
  }
});

test("a caller without a key, or with a bad one, is anonymous in the log", async () => {
  for (const key of [undefined, "xc_live_0123456789abcdefghijklmnopqrstuv012345"]) {
    const line = await lineOf(() => server.get("/t/AAPL/facts", key === undefined ? {} : { key }));
    expect(Object.keys(line)).not.toContain("key");
    expect(Object.keys(line)).not.toContain("user");
  }
});

test.each([
  `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
  `ff-${TRACE}-00f067aa0ba902b7-01`,
  `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
  "hello",
])("the traceparent %s is not valid", async (traceparent) => {
  const line = await lineOf(() => server.get("/livez", { headers: { traceparent } }));
  expect(Object.keys(line)).not.toContain("trace");
});

test("a very long user agent is truncated", async () => {
  const line = await lineOf(() => server.get("/livez", { headers: { "user-agent": "a".repeat(5000) } }));
  expect(String(line["user_agent"]).length).toBe(200);
});

test("an endless path is truncated, and a key at the cut is not partly logged", async () => {
  const key = "xc_live_0123456789abcdefghijklmnopqrstuv012345";
  const long = await lineOf(() => server.get(`/${"a".repeat(5000)}`));
  expect(String(long["path"]).length).toBe(500);
  const told = await lineOf(() => server.get(`/${"a".repeat(470)}${key}`));
  expect(String(told["path"])).toEndWith("aaxc_…");
});
