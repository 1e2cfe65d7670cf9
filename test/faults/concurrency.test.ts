import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "bun:sqlite";
import { backUp } from "../../src/store/backup.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

const HISTORY = "/api/executive-compensation?ticker=AAPL";
const folder = mkdtempSync(join(tmpdir(), "execcomp-test-"));
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ dataDir: folder });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

test("500 concurrent requests on a balance of 100: exactly 100 are charged, the others get 402, over two keys of one user", async () => {
  const keys = [await server.createKey("ann@example.com"), await server.createKey("ann@example.com")];
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, n) => server.get(HISTORY, { key: keys[n % 2] ?? "" })),
  );
  const paid = answers.filter(({ status }) => status === 200);
  expect(paid).toHaveLength(100);
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(400);
  const remaining = paid
    .map(({ headers }) => Number(headers.get("credits-remaining")))
    .toSorted((a, b) => a - b);
  expect(remaining).toEqual(Array.from({ length: 100 }, (_, n) => n));
  const user = await server.accounts.users.requireByEmail("ann@example.com");
  const entries = await server.accounts.credits.entries(user.id, { limit: 1000 });
  const charged = new Set(entries.filter(({ kind }) => kind === "charged").map(({ requestId }) => requestId));
  expect(charged).toEqual(new Set(paid.map(({ headers }) => headers.get("x-request-id"))));
  expect(await server.accounts.credits.problems()).toEqual([]);
});

test("700 concurrent requests with one key: exactly 600 are admitted, the others are told when to retry", async () => {
  const key = await server.createKey("bob@example.com");
  const statuses = await Promise.all(
    Array.from({ length: 700 }, async () => {
      const answer = await server.get(`${HISTORY}&limit=1`, { key });
      if (answer.status === 429) {
        expect(answer.headers.get("retry-after")).toBe("60");
        expect(answer.headers.get("ratelimit")).toBe('"key";r=0;t=60');
        expect(answer.headers.get("ratelimit-policy")).toBe('"key";q=600;w=60');
      }
      return answer.status;
    }),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(600);
  expect(statuses.filter((status) => status === 429)).toHaveLength(100);
});

test("a backup under load is consistent: complete, and every balance in it adds up", async () => {
  const key = await server.createKey("cat@example.com");
  const load = Promise.all(Array.from({ length: 300 }, () => server.get(HISTORY, { key })));
  await Bun.sleep(5);
  const file = join(folder, "backup");
  backUp(folder, file);
  await load;
  const copy = new Database(file, { readonly: true });
  const sums = copy
    .query(
      "SELECT b.balance_credits AS balance, sum(l.amount_credits) AS total FROM balances b JOIN ledger l USING (user_id) GROUP BY user_id",
    )
    .all() as { balance: number; total: number }[];
  copy.close();
  expect(sums.length).toBeGreaterThan(0);
  for (const { balance, total } of sums) expect(balance).toBe(total);
});
