/** What servers on one database share besides accounts: rate limits; the exclusive right to fetch is in a slow test. */
import { describe, expect, test } from "bun:test";
import { Keys } from "../../src/accounts/keys.ts";
import { Users } from "../../src/accounts/users.ts";
import { realRuntime } from "../../src/runtime.ts";
import { PostgresStore } from "../../src/shared-store/postgres-store.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { testRuntime } from "../support/runtime.ts";
import { startTestServer } from "../support/server.ts";

describe.skipIf(!hasPostgres)("servers of one database", () => {
  test("share rate limits without --windows", async () => {
    await using postgres = await startPostgres();
    const servers = await Promise.all([1, 2, 3].map(() => startTestServer({ store: postgres.url })));
    const statuses = await Promise.all(
      Array.from({ length: 150 }, async (_, n) => (await servers[n % 3]?.get("/t/AAPL/facts"))?.status),
    );
    expect(statuses.toSorted()).toEqual([...Array(60).fill(200), ...Array(90).fill(429)]);
    await Promise.all(servers.map((server) => server.stop()));
  });

  test("refuse what one of them revoked, whatever their clocks say", async () => {
    await using postgres = await startPostgres();
    const clocks = [-40_000, 0, 40_000].map((ms) => testRuntime(Date.UTC(2026, 5, 1, 12) + ms));
    // Ids count up in a test's runtime: each server has its own.
    const runtimes = clocks.map((clock, at) => ({
      ...clock,
      id: () => `${at}${clock.id()}`,
      secret: realRuntime().secret,
    }));
    const servers = runtimes.map((runtime) => {
      const store = new PostgresStore({ url: postgres.url, runtime });
      return { store, keys: new Keys(store, runtime), users: new Users(store, runtime) };
    });
    const user = await servers[0]?.users.findOrCreate("ann@example.com");
    for (const { keys } of servers) {
      const made = [
        await keys.create(user?.id ?? "", { name: "k" }),
        await keys.create(user?.id ?? "", { name: "k" }),
      ];
      const [revoked = "", rotated = ""] = made.map(({ key }) => key.id);
      await keys.revoke(null, revoked);
      await keys.rotate(null, rotated, "none");
      for (const clock of clocks) clock.advance(1000);
      for (const other of servers) {
        const found = await Promise.all(made.map(({ secret }) => other.keys.find(secret, "a")));
        expect(found).toEqual([undefined, undefined]);
      }
    }
    await Promise.all(servers.map(({ store }) => store.close()));
  });
});
