import { describe, expect, test } from "bun:test";
import { realRuntime } from "../../../src/runtime.ts";
import { hasPostgres, startPostgres } from "../../support/postgres.ts";
import { startTestServer } from "../../support/server.ts";
import { until } from "../../support/until.ts";

const postgres = hasPostgres ? await startPostgres() : null;

const HISTORY = "/api/executive-compensation?ticker=AAPL";

describe.skipIf(postgres === null)("a PostgreSQL that goes away", () => {
  test("without it free answers go on, keys are refused with 503 and when to come back, and all is well behind it", async () => {
    if (postgres === null) throw new Error("no PostgreSQL");
    const { monotonic, now } = realRuntime();
    const server = await startTestServer({ store: await postgres.createDatabase() }, { monotonic, now });
    const key = await server.createKey("bob@example.com");
    expect((await server.get(HISTORY, { key })).status).toBe(200);
    await postgres.stop();
    const refused = await server.get(HISTORY, { key });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await server.get("/t/AAPL/facts")).status).toBe(200);
    expect((await server.get("/readyz")).status).toBe(503);
    // A balancer sends nothing here as long as that is so: asking for readiness alone finds out that it is over, and that it begins.
    await postgres.start();
    await until("it is ready again", async () => (await server.get("/readyz")).status === 200);
    await postgres.stop();
    await until("it is not ready", async () => (await server.get("/readyz")).status === 503);
    expect(server.lines.some((line) => line.includes("store_failed"))).toBe(true);
    expect(server.lines.join()).not.toContain("postgres://");
    await postgres.start();
    await until("keys are good again", async () => (await server.get(HISTORY, { key })).status === 200);
    expect(server.lines.some((line) => line.includes("store_recovered"))).toBe(true);
    await server.stop();
  }, 300_000);
});
