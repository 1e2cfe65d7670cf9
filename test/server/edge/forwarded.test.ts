/** A caller cannot choose the address that a request counts for. */
import { expect, test } from "bun:test";
import { startTestServer } from "../../support/server.ts";
import { until } from "../../support/until.ts";

test.each([
  ["no proxy is trusted", "", [200, 200, 429]],
  ["another machine is", "192.0.2.1", [200, 200, 429]],
  ["this machine is", "127.0.0.1", [200, 200, 200]],
] as const)("X-Forwarded-For if %s", async (_, trustedProxies, expected) => {
  const server = await startTestServer({ rateAnonymous: "2", trustedProxies });
  const statuses: number[] = [];
  for (const address of ["203.0.113.1", "203.0.113.2", "203.0.113.3"]) {
    const headers = { "x-forwarded-for": address };
    statuses.push((await server.get("/t/AAPL/facts", { headers })).status);
  }
  expect(statuses).toEqual([...expected]);
  await server.stop();
});

test("the use of a key is recorded with the client's address", async () => {
  const server = await startTestServer({ trustedProxies: "127.0.0.1" });
  const { keys, users } = server.accounts;
  const key = await server.createKey("ann@example.com");
  const { id } = await users.requireByEmail("ann@example.com");
  const headers = { "x-forwarded-for": "203.0.113.7" };
  expect((await server.get("/api/executive-compensation?ticker=AAPL", { key, headers })).status).toBe(200);
  const usedFrom = async () => (await keys.list(id)).map(({ lastUsedAddress }) => lastUsedAddress);
  await until("it is recorded", async () => (await usedFrom())[0] !== null);
  expect(await usedFrom()).toEqual(["203.0.113.7"]);
  await server.stop();
});
