import { describe, expect, test } from "bun:test";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

describe.skipIf(!hasPostgres)("servers of one database", () => {
  test("one at a time fetches from EDGAR; the others answer with the time to retry", async () => {
    await using postgres = await startPostgres();
    let asked = 0;
    const over = Promise.withResolvers<Response>();
    const settings = { store: postgres.url, contact: "A Tester tester@example.com" };
    const fetch = () => {
      asked += 1;
      return over.promise;
    };
    const [one, two] = await Promise.all([
      startTestServer(settings, { fetch }),
      startTestServer(settings, { fetch }),
    ]);
    const key = await one.createKey();
    const [unread] = one.services.snapshots
      .current()
      .all<{ ticker: string }>(
        "select ticker from companies where row_count = 0 and ticker <> '' and newest_filing is not null limit 1",
      );
    const company = `/api/executive-compensation?ticker=${unread?.ticker}`;
    const first = await one.get(company, { key });
    expect([first.status, await first.text()]).toEqual([503, expect.stringContaining("is being fetched")]);
    await until("it is asked for", () => asked === 1);
    expect((await two.get(company, { key })).status).toBe(503);
    await until("the other server knows", async () => {
      const told = await (await two.get(company, { key })).text();
      return told.includes("waiting for another server that is fetching");
    });
    expect(asked).toBe(1);
    over.resolve(new Response("", { status: 404 }));
    await until("it has ended", () => one.lines.some((line) => line.includes("on_demand_ended")));
    two.advance(6000);
    await until("it is the other server's turn", async () => {
      two.advance(6000);
      await two.get(company, { key });
      return asked > 1;
    });
    await Promise.all([one.stop(), two.stop()]);
  });
});
