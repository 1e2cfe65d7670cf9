import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { postgresCredits } from "../../src/shared-store/postgres-charges.ts";
import { Users } from "../../src/accounts/users.ts";
import { ServiceError } from "../../src/errors.ts";
import { realRuntime } from "../../src/runtime.ts";
import { PostgresStore } from "../../src/shared-store/postgres-store.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { startTestServer } from "../support/server.ts";
import { startServerProcess } from "../support/server-process.ts";
import { until } from "../support/until.ts";

const HISTORY = "/api/executive-compensation?ticker=AAPL";

const postgres = hasPostgres ? await startPostgres({ settings: { fsync: "on" } }) : null;

describe.skipIf(postgres === null)("a PostgreSQL that goes away", () => {
  test("without it free answers continue, keys get 503 with the time to retry, and everything works afterwards", async () => {
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
    // A load balancer sends nothing here in that state: only the readiness check notices that it ends, and that it
    // begins.
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

  test("charges continue after a kill: each answered one is in the ledger once, no balance is negative", async () => {
    if (postgres === null) throw new Error("no PostgreSQL");
    const runtime = realRuntime();
    const store = new PostgresStore({ url: await postgres.createDatabase(), runtime });
    const credits = postgresCredits(store, runtime);
    const user = await new Users(store, runtime).findOrCreate("ann@example.com");
    await credits.grant(user.id, 100_000);
    const answered: string[] = [];
    const callersOf = { going: true };
    const caller = async () => {
      while (callersOf.going) {
        const requestId = runtime.id();
        try {
          await credits.charge({ userId: user.id, costCredits: 1, operation: "t", ticker: null, requestId });
          answered.push(requestId);
        } catch (error) {
          if (!(error instanceof ServiceError) || error.kind !== "unavailable") throw error;
          await Bun.sleep(20);
        }
      }
    };
    const callers = Array.from({ length: 20 }, caller);
    for (let round = 0; round < 3; round += 1) {
      const before = answered.length;
      await until("charges are answered", () => answered.length > before + 200);
      await postgres.kill();
      await postgres.start();
    }
    const before = answered.length;
    await until("charges are answered again", () => answered.length > before + 200);
    callersOf.going = false;
    await Promise.all(callers);
    const entries = await credits.entries(user.id, { limit: 1_000_000 });
    const charged = entries.filter(({ kind }) => kind === "charged");
    const times = Map.groupBy(charged, ({ requestId }) => requestId);
    expect(answered.filter((id) => times.get(id)?.length !== 1)).toEqual([]);
    // A refused charge is either absent or reversed by an entry.
    const told = new Set<string | null>(answered);
    const others = [...times].filter(([id]) => !told.has(id));
    expect(
      others.filter(([, all]) => all.reduce((sum, { amountCredits }) => sum + amountCredits, 0) !== 0),
    ).toEqual([]);
    expect(await credits.problems()).toEqual([]);
    await store.close();
  }, 300_000);

  test("one that hangs is abandoned, and its later effects are not duplicated", async () => {
    if (postgres === null) throw new Error("no PostgreSQL");
    const runtime = realRuntime();
    const store = new PostgresStore({ url: await postgres.createDatabase(), runtime });
    const credits = postgresCredits(store, runtime);
    const user = await new Users(store, runtime).findOrCreate("cat@example.com");
    await credits.grant(user.id, 1000);
    // The server and the processes that answer our connections, as on a machine that hangs.
    await using admin = new SQL(postgres.url, { max: 1 });
    const backends: { pid: number }[] =
      await admin`SELECT pid FROM pg_stat_activity WHERE application_name = 'execcomp'`;
    const signal = (name: NodeJS.Signals) => backends.forEach(({ pid }) => process.kill(pid, name));
    postgres.pause();
    signal("SIGSTOP");
    const charge = async (requestId: string) =>
      credits.charge({ userId: user.id, costCredits: 1, operation: "t", ticker: null, requestId });
    const refused = await charge("one").then(
      () => "charged",
      (error: unknown) => (error instanceof ServiceError ? error.kind : String(error)),
    );
    postgres.resume();
    signal("SIGCONT");
    expect(refused).toBe("unavailable");
    await until(
      "charges are answered again",
      async () =>
        await charge(runtime.id()).then(
          () => true,
          () => false,
        ),
    );
    const entries = await credits.entries(user.id, { limit: 100 });
    const sum = entries
      .filter(({ requestId }) => requestId === "one")
      .reduce((all, { amountCredits }) => all + amountCredits, 0);
    expect(sum + 0).toBe(0);
    expect(await credits.problems()).toEqual([]);
    await store.close();
  }, 300_000);

  test("a server that starts without it prints the set-up link when it is available", async () => {
    if (postgres === null) throw new Error("no PostgreSQL");
    const store = await postgres.createDatabase();
    await postgres.stop();
    const server = await startServerProcess([], { environment: { EXECCOMP_STORE: store } });
    await until("it says that the store is away", () => server.events("store_failed").length > 0);
    expect(server.output()).not.toContain("/set-up");
    await postgres.start();
    await until("it prints the link", () => server.output().includes("/set-up?token="));
    const [, path = ""] = /(\/set-up\?token=\S+)/.exec(server.output()) ?? [];
    const page = await fetch(server.origin + path);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("password")]);
    // Once, and not again.
    await Bun.sleep(2500);
    expect(server.output().split("/set-up?token=")).toHaveLength(2);
    await server.stop();
  }, 120_000);
});
