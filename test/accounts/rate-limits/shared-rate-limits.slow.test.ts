import { describe, expect, test } from "bun:test";
import { slotOf, valkeyRateLimits } from "../../../src/shared-store/valkey-rate-limits.ts";
import { hasPostgres, startPostgres } from "../../support/postgres.ts";
import { clusterPort, hasRedis, startRedis } from "../../support/redis.ts";
import { until } from "../../support/until.ts";
import { CALL, describeWindows, many, serverOn, startPostgresBackend, takes } from "./windows.ts";

const postgres = hasPostgres ? await startPostgres() : null;

describeWindows("postgresql", hasPostgres, () => {
  if (postgres === null) throw new Error("no PostgreSQL");
  return startPostgresBackend(postgres);
});

describe.skipIf(!hasRedis)("Valkey", () => {
  test("a cluster's servers share the callers, each with its exact quota", async () => {
    const cluster = [await startRedis("", true), await startRedis("", true)];
    const clients = cluster.map((redis) => redis.connect());
    const [first, second] = clients;
    const other = cluster[1]?.port ?? 0;
    await first?.send("CLUSTER", ["ADDSLOTSRANGE", "0", "8191"]);
    await second?.send("CLUSTER", ["ADDSLOTSRANGE", "8192", "16383"]);
    // Two servers begin with the same version of their configuration.
    await second?.send("CLUSTER", ["SET-CONFIG-EPOCH", "2"]);
    await first?.send("CLUSTER", ["MEET", "127.0.0.1", String(other), String(clusterPort(other))]);
    await until("the cluster is up", async () => {
      const states = await Promise.all(clients.map((client) => client.send("CLUSTER", ["INFO"])));
      return states.every((state) => /cluster_state:ok[^]*cluster_known_nodes:2/.test(String(state)));
    });
    for (const tag of ["a", "execcomp", "123456789"])
      expect(slotOf(tag)).toBe(Number(await first?.send("CLUSTER", ["KEYSLOT", `{${tag}}`])));
    const servers = cluster.map(({ url }) => serverOn(valkeyRateLimits(url)));
    const callers = Array.from({ length: 20 }, (_, n) => ["anon", `203.0.113.${n}`, "calls"] as const);
    const asked = (n: number) => takes(servers[n % 2] ?? serverOn(), callers[n % 20]);
    expect(await many(20 * 70, asked)).toBe(20 * 60);
    expect(servers.map(({ changes }) => changes)).toEqual([[], []]);
    const held = await Promise.all(clients.map(async (client) => (await client.keys("*")).length));
    expect(held.reduce((sum, one) => sum + one)).toBe(20);
    expect(Math.min(...held)).toBeGreaterThan(3);
    for (const server of servers) server.close();
    for (const client of clients) client.close();
    for (const redis of cluster) await redis.stop();
  });

  test("one that hangs fails once, no caller waits for it again, and it is used when it resumes", async () => {
    await using redis = await startRedis();
    const server = serverOn(valkeyRateLimits(redis.url));
    expect(await many(10, () => takes(server))).toBe(10);
    redis.pause();
    expect(await takes(server)).toBe(true);
    expect(server.changes).toEqual(["valkey lost"]);
    // Now counted in this process, which knows of the ten before.
    expect(await server.acquire(...CALL)).toMatchObject({ remaining: 48 });
    redis.resume();
    await until("it is used again", () => server.up.get("valkey") === true);
    expect(server.changes).toEqual(["valkey lost", "valkey back"]);
    expect(server.acquire(...CALL)).toBeInstanceOf(Promise);
    server.close();
  });
});
