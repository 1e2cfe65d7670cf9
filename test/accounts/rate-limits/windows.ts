import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { ServiceError } from "../../../src/errors.ts";
import { QUOTAS } from "../../../src/accounts/rate-limits/limits.ts";
import { postgresRateLimits } from "../../../src/shared-store/postgres-rate-limits.ts";
import { RateLimits } from "../../../src/accounts/rate-limits/rate-limits.ts";
import {
  SharedRateLimits,
  type WindowService,
} from "../../../src/accounts/rate-limits/shared-rate-limits.ts";
import { valkeyRateLimits } from "../../../src/shared-store/valkey-rate-limits.ts";
import { realRuntime } from "../../../src/runtime.ts";
import type { BackgroundServer } from "../../support/background-server.ts";
import type { TestPostgres } from "../../support/postgres.ts";
import { startRedis } from "../../support/redis.ts";
import { until } from "../../support/until.ts";

/** A request without a key. */
export const CALL = ["anon", "198.51.100.7", "calls"] as const;

/** The rate limits of one server; several of them represent several servers. */
export function serverOn(...services: WindowService[]) {
  const runtime = realRuntime();
  const changes: string[] = [];
  const own = new RateLimits(runtime, null);
  const rateLimits = new SharedRateLimits({
    services,
    local: own,
    quotas: QUOTAS,
    runtime,
    onChange: (service, error) => void changes.push(`${service} ${error === null ? "back" : "lost"}`),
  });
  return Object.assign(rateLimits, { changes });
}

/** Whether a request was admitted. */
export async function takes(
  rateLimits: SharedRateLimits,
  call: readonly ["anon" | "key", string, "calls"] = CALL,
) {
  try {
    await rateLimits.acquire(...call);
    return true;
  } catch (refused) {
    if (refused instanceof ServiceError && refused.kind === "rate_limited") return false;
    throw refused;
  }
}

/** How many of a number of requests were admitted. */
export const many = async (times: number, take: (n: number) => Promise<boolean>) =>
  (await Promise.all(Array.from({ length: times }, (_, n) => take(n)))).filter(Boolean).length;

/** A rate-limit service, and what a test can do to it directly. */
export interface Backend extends AsyncDisposable {
  server: BackgroundServer;
  windows(): WindowService;
  /** Ages every request counted there by the given number of seconds. */
  shiftTimes(seconds: number): Promise<void>;
  keys(): Promise<string[]>;
}

/** A service that is awaited however busy the machine is; a server's time limit is tested with a paused service. */
const patient = (service: WindowService): WindowService => ({ ...service, maxWaitMs: 60_000 });

/** A service with its own Valkey. */
export async function startValkeyBackend(): Promise<Backend> {
  const server = await startRedis();
  const client = server.connect();
  return {
    server,
    windows: () => patient(valkeyRateLimits(server.url, 60_000)),
    async shiftTimes(seconds) {
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
    },
    keys: () => client.keys("*"),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A separate database on one server, which takes a second to start. */
export async function startPostgresBackend(server: TestPostgres): Promise<Backend> {
  const url = await server.createDatabase();
  const sql = new SQL(url, { max: 1 });
  const maker = postgresRateLimits(url);
  await maker.connect();
  maker.close();
  return {
    server,
    windows: () => patient(postgresRateLimits(url)),
    async shiftTimes(seconds) {
      await sql`UPDATE execcomp_windows SET hits = ARRAY(
        SELECT at + ${seconds * 1_000_000}::bigint FROM unnest(hits) WITH ORDINALITY AS t (at, place) ORDER BY place)`;
    },
    async keys() {
      const rows = (await sql`SELECT key FROM execcomp_windows`) as { key: string }[];
      return rows.map(({ key }) => key);
    },
    [Symbol.asyncDispose]: () => sql.close(),
  };
}

/** What rate limits in a service guarantee. */
export function describeWindows(
  name: WindowService["name"],
  isThere: boolean,
  startBackend: () => Promise<Backend>,
): void {
  describe.skipIf(!isThere)(`rate limits in ${name}`, () => {
    test("the quota holds across three servers, whichever is called", async () => {
      await using backend = await startBackend();
      const servers = [1, 2, 3].map(() => serverOn(backend.windows()));
      const taken = await many(300, (n) => takes(servers[n % 3] ?? serverOn()));
      expect(taken).toBe(60);
      const other = await many(900, (n) => takes(servers[n % 3] ?? serverOn(), ["key", "ann", "calls"]));
      expect(other).toBe(600);
      // Many rate limits in one batch, in another order on each server.
      const crowd = await many(3000, (n) =>
        takes(servers[n % 3] ?? serverOn(), [
          "anon",
          `crowd-${n % 3 === 0 ? n % 40 : 39 - (n % 40)}`,
          "calls",
        ]),
      );
      expect(crowd).toBe(40 * 60);
      for (const server of servers) {
        expect(server.changes).toEqual([]);
        server.close();
      }
    });

    test("requests older than a minute make room, exactly as much as they took", async () => {
      await using backend = await startBackend();
      const server = serverOn(backend.windows());
      expect(await many(20, () => takes(server))).toBe(20);
      await backend.shiftTimes(-59);
      expect(await many(40, () => takes(server))).toBe(40);
      const refused = await Promise.resolve(server.acquire(...CALL)).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        details: { retryAfterSeconds: 1, window: { remaining: 0, quota: 60 } },
      });
      await backend.shiftTimes(-1);
      // What a server knows about an exhausted limit expires with the oldest request.
      const other = serverOn(backend.windows());
      expect(await many(40, () => takes(other))).toBe(20);
      server.close();
      other.close();
    });

    test("a clock set back locks no one out for longer than a minute, and forgets nothing", async () => {
      await using backend = await startBackend();
      const server = serverOn(backend.windows());
      expect(await many(60, () => takes(server))).toBe(60);
      await backend.shiftTimes(3600);
      const other = serverOn(backend.windows());
      const refused = await Promise.resolve(other.acquire(...CALL)).catch((error: unknown) => error);
      expect(refused).toMatchObject({ details: { window: { remaining: 0 } } });
      const { retryAfterSeconds } = (refused as ServiceError).details;
      expect(retryAfterSeconds).toBeGreaterThan(50);
      expect(retryAfterSeconds).toBeLessThanOrEqual(60);
      server.close();
      other.close();
    });

    test("neither addresses nor ids are stored in clear", async () => {
      await using backend = await startBackend();
      const server = serverOn(backend.windows());
      await takes(server);
      await takes(server, ["key", "0199-the-key", "calls"]);
      const keys = await backend.keys();
      expect(keys).toHaveLength(2);
      for (const key of keys) expect(key).toMatch(/^(execcomp:windows:\{[\w-]{22}\}|[\w-]{22})$/);
      server.close();
    });

    test("a limit known to be exhausted is refused without another call", async () => {
      await using backend = await startBackend();
      const server = serverOn(backend.windows());
      await many(61, () => takes(server));
      expect(server.refusalOf(...CALL)?.kind).toBe("rate_limited");
      await expect(Promise.try(() => server.acquire(...CALL))).rejects.toThrow(ServiceError);
      server.close();
    });

    test("one that is killed fails once, every request is still answered, and it is used when it is back", async () => {
      await using backend = await startBackend();
      const server = serverOn(backend.windows());
      expect(await many(10, () => takes(server))).toBe(10);
      await backend.server.kill();
      expect(await takes(server)).toBe(true);
      expect(server.changes).toEqual([`${name} lost`]);
      // Now counted in this process, which knows of the ten before.
      expect(await server.acquire(...CALL)).toMatchObject({ remaining: 48 });
      await backend.server.start();
      await until("it is used again", () => server.up.get(name) === true);
      expect(server.changes).toEqual([`${name} lost`, `${name} back`]);
      // It forgot its counts; this server did not.
      expect(await many(60, () => takes(server))).toBe(48);
      server.close();
    });
  });
}
