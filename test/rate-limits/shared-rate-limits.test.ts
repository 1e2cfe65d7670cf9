import { describe, expect, test } from "bun:test";
import { ServiceError } from "../../src/errors.ts";
import { QUOTAS } from "../../src/rate-limits/limits.ts";
import { RateLimits } from "../../src/rate-limits/rate-limits.ts";
import { SharedRateLimits, type WindowService } from "../../src/rate-limits/shared-rate-limits.ts";
import { valkeyWindows } from "../../src/rate-limits/valkey.ts";
import { realRuntime } from "../../src/runtime.ts";
import { hasRedis, startRedis, type TestRedis } from "../support/redis.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { until } from "../support/until.ts";

const CALL = ["anon", "198.51.100.7", "calls"] as const;

/** The windows of one server; several stand for several servers. */
function serverOn(...services: WindowService[]) {
  const runtime = realRuntime();
  const changes: string[] = [];
  const own = new RateLimits(runtime, null);
  const rateLimits = new SharedRateLimits({
    services,
    own,
    quotas: QUOTAS,
    runtime,
    onChange: (service, error) => void changes.push(`${service} ${error === null ? "back" : "lost"}`),
  });
  return Object.assign(rateLimits, { changes });
}

/** Whether a request was let in. */
async function takes(rateLimits: SharedRateLimits, call: readonly ["anon" | "key", string, "calls"] = CALL) {
  try {
    await rateLimits.acquire(...call);
    return true;
  } catch (refused) {
    if (refused instanceof ServiceError && refused.kind === "rate_limited") return false;
    throw refused;
  }
}

const many = async (times: number, take: (n: number) => Promise<boolean>) =>
  (await Promise.all(Array.from({ length: times }, (_, n) => take(n)))).filter(Boolean).length;

/** Moves every request that is counted on a Redis by so many seconds of its clock. */
async function shiftTimes(redis: TestRedis, seconds: number) {
  const client = redis.connect();
  await client.send("EVAL", [
    `for _, key in ipairs(redis.call('KEYS', '*')) do
       local times = redis.call('LRANGE', key, 0, -1)
       for at, time in ipairs(times) do
         redis.call('LSET', key, at - 1, string.format('%.0f', time + ARGV[1] * 1000000))
       end
     end`,
    "0",
    String(seconds),
  ]);
  client.close();
}

describe.skipIf(!hasRedis)("windows in Valkey", () => {
  test("three servers together let in the quota and not one more, whoever asks where", async () => {
    await using redis = await startRedis();
    const servers = [1, 2, 3].map(() => serverOn(valkeyWindows(redis.url)));
    const taken = await many(300, (n) => takes(servers[n % 3] ?? serverOn()));
    expect(taken).toBe(60);
    const other = await many(900, (n) => takes(servers[n % 3] ?? serverOn(), ["key", "ann", "calls"]));
    expect(other).toBe(600);
    for (const server of servers) server.close();
  });

  test("what is older than a window makes room, exactly as much as it took", async () => {
    await using redis = await startRedis();
    const server = serverOn(valkeyWindows(redis.url));
    expect(await many(20, () => takes(server))).toBe(20);
    await shiftTimes(redis, -59);
    expect(await many(40, () => takes(server))).toBe(40);
    const refused = await Promise.resolve(server.acquire(...CALL)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ details: { retryAfterSeconds: 1, window: { remaining: 0, quota: 60 } } });
    await shiftTimes(redis, -1);
    // What a server knows of a full window is over when its oldest request has left.
    expect(await many(40, () => takes(serverOn(valkeyWindows(redis.url))))).toBe(20);
    server.close();
  });

  test("a clock that was set back locks nobody out for longer than a window, and forgives nothing", async () => {
    await using redis = await startRedis();
    const server = serverOn(valkeyWindows(redis.url));
    expect(await many(60, () => takes(server))).toBe(60);
    await shiftTimes(redis, 3600);
    const other = serverOn(valkeyWindows(redis.url));
    const refused = await Promise.resolve(other.acquire(...CALL)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ details: { window: { remaining: 0 } } });
    const { retryAfterSeconds } = (refused as ServiceError).details;
    expect(retryAfterSeconds).toBeGreaterThan(50);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    server.close();
    other.close();
  });

  test("neither addresses nor ids stand in clear, and nothing stays for longer than a window", async () => {
    await using redis = await startRedis();
    const server = serverOn(valkeyWindows(redis.url));
    await takes(server);
    await takes(server, ["key", "0199-the-key", "calls"]);
    const client = redis.connect();
    const keys = (await client.keys("*")).toSorted();
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      expect(key).toMatch(/^\{execcomp:windows\}:[\w-]{22}$/);
      const lifetime = Number(await client.send("PTTL", [key]));
      expect(lifetime).toBeGreaterThan(0);
      expect(lifetime).toBeLessThanOrEqual(60_001);
    }
    client.close();
    server.close();
  });

  test("a window that is known to be full is refused without asking again", async () => {
    await using redis = await startRedis();
    const server = serverOn(valkeyWindows(redis.url));
    await many(61, () => takes(server));
    expect(server.refusalOf(...CALL)?.kind).toBe("rate_limited");
    expect(() => server.acquire(...CALL)).toThrow(ServiceError);
    server.close();
  });

  test("one that stands still is lost once, nobody waits for it again, and it is used when it goes on", async () => {
    await using redis = await startRedis();
    const server = serverOn(valkeyWindows(redis.url));
    expect(await many(10, () => takes(server))).toBe(10);
    redis.pause();
    expect(await takes(server)).toBe(true);
    expect(server.changes).toEqual(["valkey lost"]);
    // Counted in this process now, where the ten before are known.
    expect(server.acquire(...CALL)).toMatchObject({ remaining: 48 });
    redis.resume();
    await until("it is used again", () => server.up.get("valkey") === true);
    expect(server.changes).toEqual(["valkey lost", "valkey back"]);
    expect(server.acquire(...CALL)).toBeInstanceOf(Promise);
    server.close();
  });
});

describe.skipIf(!hasRedis)("three servers, one Redis", () => {
  const start = (redis: TestRedis) =>
    Promise.all([1, 2, 3].map(() => startServerProcess(["--windows", redis.url, "--metrics-listen", "0"])));
  /** Statuses of requests to one server after the other. */
  const ask = async (servers: readonly ServerProcess[], times: number) => {
    const statuses = Array.from({ length: times }, async (_, n) => {
      const { origin } = servers[n % servers.length] ?? { origin: "" };
      return (await fetch(`${origin}/t/AAPL/facts`)).status;
    });
    return (await Promise.all(statuses)).toSorted();
  };

  test("the quota holds over all; without Redis over each, and every request is answered", async () => {
    await using redis = await startRedis("a-password-of-redis");
    const servers = await start(redis);
    expect(await ask(servers, 30)).toEqual(Array(30).fill(200));
    await redis.kill();
    // Ten were counted on each: fifty more each, and not one beyond.
    const without = await ask(servers, 300);
    expect(without.filter((status) => status === 200)).toHaveLength(150);
    expect(without.filter((status) => status === 429)).toHaveLength(150);
    await redis.start();
    await until("all three use it again", () =>
      servers.every((server) => server.events("windows_back").length === 1),
    );
    // It forgot everything; the servers did not.
    expect(await ask(servers, 30)).toEqual(Array(30).fill(429));
    for (const server of servers) {
      expect(server.events("windows_lost")).toHaveLength(1);
      expect(server.log()).not.toContain("a-password-of-redis");
      const metrics = await fetch(
        `${String(server.events("metrics")[0]?.["address"])}/metrics`.replace(/^(?!http)/, "http://"),
      );
      const text = await metrics.text();
      expect(text).toContain('execcomp_rate_limit_service_up{service="valkey"} 1');
      expect(text).toContain('execcomp_rate_limit_service_losses_total{service="valkey"} 1');
      expect(text).not.toContain("a-password-of-redis");
    }
    await Promise.all(servers.map((server) => server.stop()));
  });

  test("a server starts and answers while it is away", async () => {
    const redis = await startRedis();
    await redis.kill();
    const [server] = await start(redis);
    if (server === undefined) throw new Error("no server");
    expect(await ask([server], 70)).toEqual([...Array(60).fill(200), ...Array(10).fill(429)]);
    expect(server.events("windows_lost")).toHaveLength(1);
    await server.stop();
  });
});
