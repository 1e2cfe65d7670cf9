import { expect, test } from "bun:test";
import { purge } from "../../src/operate/purge.ts";
import { createLog } from "../../src/log.ts";
import { testRuntime } from "../support/runtime.ts";

const DAY_MS = 86_400_000;

/** Purges with retentions in days. @returns what was purged and at what age, and the log events */
async function purged(ledgerRetention: number, auditRetention: number, fails = false) {
  const asked: string[] = [];
  const work = (what: string) => (olderThanMs?: number) => {
    asked.push(olderThanMs === undefined ? what : `${what} ${olderThanMs / DAY_MS}`);
    return fails ? Promise.reject(new Error("the disk is full")) : Promise.resolve(3);
  };
  const lines: string[] = [];
  const accounts = {
    grants: { purge: work("grants") },
    credits: { rollUp: work("ledger") },
    audit: { expire: work("audit") },
  };
  const log = createLog(testRuntime(), (line) => lines.push(line));
  await purge(accounts, { ledgerRetention, auditRetention }, log);
  return { asked, events: lines.map((line) => JSON.parse(line)) };
}

test("entries of ledger and audit log expire after their retention; 0 keeps all", async () => {
  expect((await purged(0, 0)).asked).toEqual(["grants"]);
  expect((await purged(0, 400)).asked).toEqual(["grants", "audit 400"]);
  expect((await purged(30, 0)).asked).toEqual(["grants", "ledger 30"]);
});

test("deletions are logged, and one failure does not stop the others", async () => {
  expect((await purged(30, 400)).events).toMatchObject([
    { event: "oauth_purged", rows: 3 },
    { event: "ledger_rolled_up", entries: 3 },
    { event: "audit_expired", entries: 3 },
  ]);
  expect((await purged(30, 400, true)).events).toMatchObject([
    { level: "warn", event: "oauth_purge_failed", error: "Error: the disk is full" },
    { level: "warn", event: "ledger_roll_up_failed" },
    { level: "warn", event: "audit_expiry_failed" },
  ]);
});
