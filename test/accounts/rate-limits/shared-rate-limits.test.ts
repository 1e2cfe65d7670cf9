import { describe, expect, test } from "bun:test";
import { postgresRateLimits } from "../../../src/shared-store/postgres-rate-limits.ts";
import { valkeyRateLimits } from "../../../src/shared-store/valkey-rate-limits.ts";
import { hasPostgres, startPostgres } from "../../support/postgres.ts";
import { hasRedis, startRedis } from "../../support/redis.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { until } from "../../support/until.ts";
import {
  describeWindows,
  many,
  serverOn,
  startPostgresBackend,
  startValkeyBackend,
  takes,
} from "./windows.ts";

const shared = hasPostgres ? await startPostgres() : null;

// Rate limits in PostgreSQL have the same guarantees: a slow test.
describeWindows("valkey", hasRedis, startValkeyBackend);

test.skipIf(!hasRedis || !hasPostgres)(
  "while Valkey is away PostgreSQL counts, and afterwards Valkey again",
  async () => {
    await using valkey = await startValkeyBackend();
    if (shared === null) throw new Error("no PostgreSQL");
    await using postgres = await startPostgresBackend(shared);
    const servers = [1, 2, 3].map(() => serverOn(valkey.windows(), postgres.windows()));
    expect(await many(30, (n) => takes(servers[n % 3] ?? serverOn()))).toBe(30);
    expect(await postgres.keys()).toEqual([]);
    await valkey.server.kill();
    await until("all have noticed", async () => {
      for (const server of servers) await takes(server, ["key", "k", "calls"]);
      return servers.every((server) => server.changes.length === 1);
    });
    // Over all servers, although Valkey's counts are gone with it.
    const other = ["anon", "203.0.113.5", "calls"] as const;
    expect(await many(300, (n) => takes(servers[n % 3] ?? serverOn(), other))).toBe(60);
    await valkey.server.start();
    await until("all use it again", () => servers.every((server) => server.up.get("valkey") === true));
    const keysBefore = (await valkey.keys()).length;
    expect(await takes(servers[0] ?? serverOn(), ["anon", "203.0.113.6", "calls"])).toBe(true);
    expect((await valkey.keys()).length).toBe(keysBefore + 1);
    for (const server of servers) server.close();
  },
);

test.skipIf(!hasPostgres)(
  "the table of rate limits is created once, however many servers start at the same time",
  async () => {
    const url = (await shared?.createDatabase()) ?? "";
    const servers = Array.from({ length: 8 }, () => serverOn(postgresRateLimits(url)));
    expect(await many(64, (n) => takes(servers[n % 8] ?? serverOn()))).toBe(60);
    for (const server of servers) {
      expect(server.changes).toEqual([]);
      server.close();
    }
  },
);

describe.skipIf(!hasRedis)("Valkey", () => {
  test("nothing stays for longer than a minute", async () => {
    await using redis = await startRedis();
    const server = serverOn(valkeyRateLimits(redis.url));
    await takes(server);
    const client = redis.connect();
    const [key = ""] = await client.keys("*");
    const lifetime = Number(await client.send("PTTL", [key]));
    expect(lifetime).toBeGreaterThan(0);
    expect(lifetime).toBeLessThanOrEqual(60_001);
    client.close();
    server.close();
  });
});

describe.skipIf(!hasRedis)("three servers, one Redis", () => {
  // In this process, so that separately counted requests stay within the minute, however long the test takes.
  const start = (windows: string) => startTestServer({ windows, metricsListen: "127.0.0.1:0" });
  /** Statuses of requests to the servers in sequence. */
  const ask = async (servers: readonly TestServer[], times: number) => {
    const answers = Array.from({ length: times }, (_, n) =>
      servers[n % servers.length]?.get("/t/AAPL/facts"),
    );
    return (await Promise.all(answers)).map((answer) => answer?.status).toSorted();
  };
  const events = ({ lines }: TestServer, event: string): Record<string, unknown>[] =>
    lines.map((line) => JSON.parse(line)).filter((line) => line.event === event);

  test("the quota applies across all; without Redis to each, and every request is answered", async () => {
    await using redis = await startRedis("a-password-of-redis");
    const servers = await Promise.all([1, 2, 3].map(() => start(redis.url)));
    expect(await ask(servers, 30)).toEqual(Array(30).fill(200));
    await redis.kill();
    // Ten were counted on each: fifty more each, and not one beyond.
    const without = await ask(servers, 300);
    expect(without).toEqual([...Array(150).fill(200), ...Array(150).fill(429)]);
    await redis.start();
    await until("all three use it again", () =>
      servers.every((server) => events(server, "windows_back").length === 1),
    );
    // It forgot everything; the servers did not.
    expect(await ask(servers, 30)).toEqual(Array(30).fill(429));
    for (const server of servers) {
      expect(events(server, "windows_lost")).toHaveLength(1);
      expect(server.lines.join()).not.toContain("a-password-of-redis");
      const metrics = await fetch(`http://${String(events(server, "metrics")[0]?.["address"])}/metrics`);
      const text = await metrics.text();
      expect(text).toContain('execcomp_rate_limit_service_up{service="valkey"} 1');
      expect(text).toContain('execcomp_rate_limit_service_losses_total{service="valkey"} 1');
      expect(text).not.toContain("a-password-of-redis");
    }
    await Promise.all(servers.map((server) => server.stop()));
  });

  test("a server starts and answers without it", async () => {
    const redis = await startRedis();
    await redis.kill();
    const server = await start(redis.url);
    expect(await ask([server], 70)).toEqual([...Array(60).fill(200), ...Array(10).fill(429)]);
    const [lost, ...more] = events(server, "windows_lost");
    expect([String(lost?.["message"]), more]).toEqual([
      expect.stringContaining("this server alone counts"),
      [],
    ]);
    await server.stop();
  });
});
