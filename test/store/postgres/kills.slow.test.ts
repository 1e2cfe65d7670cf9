import { describe, expect, test } from "bun:test";
import { postgresCredits } from "../../../src/accounts/credits.ts";
import { Keys } from "../../../src/accounts/keys.ts";
import { Users } from "../../../src/accounts/users.ts";
import { realRuntime } from "../../../src/runtime.ts";
import { PostgresStore } from "../../../src/store/postgres/store.ts";
import { hasPostgres, startPostgres } from "../../support/postgres.ts";
import { type ServerProcess, startServerProcess } from "../../support/server-process.ts";
import { until } from "../../support/until.ts";

const postgres = hasPostgres ? await startPostgres({ settings: { fsync: "on" } }) : null;

describe.skipIf(postgres === null)("three servers, each a process", () => {
  test("a server killed under load takes no answered charge with it, and charges nothing twice", async () => {
    const url = postgres?.url ?? "";
    const runtime = realRuntime();
    const store = new PostgresStore({ url, runtime });
    const user = await new Users(store, runtime).findOrCreate("ann@example.com");
    const { secret: key } = await new Keys(store, runtime).create(user.id, { name: "load" });
    const credits = postgresCredits(store, runtime);
    await credits.grant(user.id, 1_000_000);
    const flags = ["--rate-key", "1000000"];
    const start = () => startServerProcess(flags, { environment: { EXECCOMP_STORE: url } });
    const servers: ServerProcess[] = await Promise.all([start(), start(), start()]);

    const answered: string[] = [];
    let broken = 0;
    const load = { going: true };
    const caller = async (n: number) => {
      for (let at = n; load.going; at += 1) {
        const server = servers[at % servers.length];
        try {
          const answer = await fetch(`${server?.origin}/api/executive-compensation?ticker=AAPL`, {
            headers: { "x-api-key": key },
          });
          await answer.bytes();
          if (answer.status === 200) answered.push(answer.headers.get("x-request-id") ?? "");
        } catch {
          // The server was killed meanwhile, or is not there yet.
          broken += 1;
          await Bun.sleep(10);
        }
      }
    };
    const callers = Array.from({ length: 12 }, (_, n) => caller(n));
    for (let round = 0; round < 3; round += 1) {
      const before = answered.length;
      await until("charges are answered", () => answered.length > before + 150);
      await servers[round]?.stop("SIGKILL");
      servers[round] = await start();
    }
    load.going = false;
    await Promise.all(callers);
    await Promise.all(servers.map((server) => server.stop()));

    const entries = await credits.entries(user.id, { limit: 1_000_000 });
    const charged = entries.filter(({ kind }) => kind === "charged").map(({ requestId }) => requestId);
    expect(new Set(charged).size).toBe(charged.length);
    const there = new Set(charged);
    expect(answered.filter((id) => !there.has(id))).toEqual([]);
    // What was in flight when its server was killed may stand there without an answer, and nothing else.
    expect(charged.length - answered.length).toBeLessThanOrEqual(broken);
    expect(await credits.problems()).toEqual([]);
    await store.close();
  }, 240_000);
});
