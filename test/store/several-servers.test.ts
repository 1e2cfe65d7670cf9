/** What servers on one database share besides accounts: rate limits; the exclusive right to fetch is in a slow test. */
import { describe, expect, test } from "bun:test";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
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
});
