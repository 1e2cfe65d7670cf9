import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { postgresCredits } from "../../src/shared-store/postgres-charges.ts";
import { AdvisoryLock } from "../../src/shared-store/connection.ts";
import { PostgresStore } from "../../src/shared-store/postgres-store.ts";
import { Users } from "../../src/accounts/users.ts";
import { AuditLog } from "../../src/accounts/audit.ts";
import { purge, purgeFolder, purgeHourly } from "../../src/jobs/purge.ts";
import { createLog } from "../../src/log.ts";
import { realRuntime } from "../../src/runtime.ts";
import { withAccounts } from "../support/accounts.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { PROGRAM } from "../support/program.ts";
import { testRuntime } from "../support/runtime.ts";
import { until } from "../support/until.ts";

const DAY_MS = 86_400_000;

/** Purges with retentions in days. @returns what was purged and at what age, and what is told of it */
async function purged(ledgerRetention: number, auditRetention: number, fails = false) {
  const asked: string[] = [];
  const work = (what: string) => (olderThanMs?: number) => {
    asked.push(olderThanMs === undefined ? what : `${what} ${olderThanMs / DAY_MS}`);
    return fails ? Promise.reject(new Error("the disk is full")) : Promise.resolve(3);
  };
  const accounts = {
    grants: { purge: work("grants") },
    credits: { rollUp: work("ledger") },
    audit: { expire: work("audit") },
  };
  return { asked, events: await purge(accounts, { ledgerRetention, auditRetention }) };
}

test("entries of ledger and audit log expire after their retention; 0 keeps all", async () => {
  expect((await purged(0, 0)).asked).toEqual(["grants"]);
  expect((await purged(0, 400)).asked).toEqual(["grants", "audit 400"]);
  expect((await purged(30, 0)).asked).toEqual(["grants", "ledger 30"]);
});

test("deletions are told, and one failure does not stop the others", async () => {
  expect((await purged(30, 400)).events).toEqual([
    { event: "oauth_purged", rows: 3 },
    { event: "ledger_rolled_up", entries: 3 },
    { event: "audit_expired", entries: 3 },
  ]);
  expect((await purged(30, 400, true)).events).toEqual([
    { event: "oauth_purge_failed", error: "Error: the disk is full" },
    { event: "ledger_roll_up_failed", error: "Error: the disk is full" },
    { event: "audit_expiry_failed", error: "Error: the disk is full" },
  ]);
});

test("a process of its own purges a folder that a server uses", () =>
  withAccounts(async ({ store, users, credits }) => {
    const { id } = await users.findOrCreate("ann@example.com");
    for (let n = 0; n < 3; n += 1) await credits.grant(id, 1);
    const settings = { dataDir: dirname(store.path), ledgerRetention: 1, auditRetention: 0 };
    expect(await purgeFolder(PROGRAM, settings)).toEqual([
      { event: "oauth_purged", rows: 0 },
      { event: "ledger_rolled_up", entries: 2 },
    ]);
    expect((await credits.entries(id, { limit: 9 })).map(({ kind }) => kind)).toEqual(["granted", "rolled"]);
    expect(await credits.problems()).toEqual([]);
    await expect(purgeFolder(PROGRAM, { ...settings, dataDir: "/dev/null/no" })).rejects.toThrow("/dev/null");
  }));

test.skipIf(!hasPostgres)(
  "of two servers on one database, one purges in an hour",
  async () => {
    await using postgres = await startPostgres();
    const lines: string[][] = [];
    const servers = [0, 1].map((at) => {
      const runtime = { ...testRuntime(), secret: realRuntime().secret };
      const store = new PostgresStore({ url: postgres.url, runtime });
      const credits = postgresCredits(store, runtime);
      const log: string[] = [];
      lines.push(log);
      const lock = new AdvisoryLock(postgres.url, "purge");
      const turns: unknown[] = [];
      const counted = {
        run: async (work: () => Promise<void>) => void turns.push(await lock.run(async () => work())),
      };
      const accounts = { grants: { purge: async () => at }, credits, audit: new AuditLog(store, runtime) };
      const start = () =>
        purgeHourly(
          () => purge(accounts, { ledgerRetention: 1, auditRetention: 0 }),
          createLog(testRuntime(), (line) => log.push(line)),
          counted,
          0,
        );
      return { store, runtime, credits, turns, start, accounts };
    });
    const [first, second] = servers;
    if (first === undefined || second === undefined) throw new Error("two servers");
    const { id } = await new Users(first.store, first.runtime).findOrCreate("ann@example.com");
    for (let n = 0; n < 5; n += 1) await first.credits.grant(id, 1);
    for (const { runtime } of servers) runtime.advance(2 * DAY_MS);
    const [stop, stopOther] = [first.start(), second.start()];
    await until("one is refused its turn", () => first.turns.length + second.turns.length === 1);
    await until("the other has purged", () => lines.flat().length === 2);
    expect(lines.flat().map((line) => JSON.parse(line).event)).toEqual(["oauth_purged", "ledger_rolled_up"]);
    expect([first.turns, second.turns].flat()).toEqual([null]);
    stop();
    stopOther();
    await until("its turn is over", () => first.turns.length + second.turns.length === 2);
    expect(await first.accounts.audit.list({ limit: 9, act: "ledger_rolled_up" })).toHaveLength(1);
    expect((await first.credits.entries(id, { limit: 9 })).map(({ kind }) => kind)).toEqual([
      "granted",
      "rolled",
    ]);
    expect(await second.credits.problems()).toEqual([]);
    for (const { store } of servers) await store.close();
  },
  300_000,
);
