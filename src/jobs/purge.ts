import type { Config } from "../config/settings.ts";
import type { Log } from "../log.ts";
import { parseAs } from "../lib/validation.ts";
import { outputOf, type Program, repeat } from "./program.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long the server that purged holds the lock, so that the others do not purge in the same hour. */
const TURN_MS = 50 * MINUTE_MS;

type Retentions = Pick<Config, "ledgerRetention" | "auditRetention">;

/** The stores and folders from which expired data is deleted. */
interface Purged {
  grants: { purge(): Promise<number> };
  credits: { rollUp(olderThanMs: number): Promise<number> };
  audit: { expire(olderThanMs: number): Promise<number> };
}

/** What `purge` prints: what was done, as events of the log; with an error if it failed. */
const EVENTS = [{ event: "string", "[string]": "string | number" }, "[]"] as const;
type PurgeEvent = ReturnType<typeof parseAs<typeof EVENTS>>[number];

/**
 * Deletes expired codes, tokens, requests and clients, rolls up old ledger entries, and deletes old audit entries. A
 * retention of 0 days keeps them forever. One failure does not stop the others.
 */
export async function purge(
  { grants, credits, audit }: Purged,
  { ledgerRetention, auditRetention }: Retentions,
): Promise<readonly PurgeEvent[]> {
  const events: PurgeEvent[] = [];
  const run = async (work: () => Promise<number>, done: string, failed: string, what: string) => {
    try {
      events.push({ event: done, [what]: await work() });
    } catch (error) {
      events.push({ event: failed, error: String(error) });
    }
  };
  await run(() => grants.purge(), "oauth_purged", "oauth_purge_failed", "rows");
  if (ledgerRetention > 0) {
    const rollUp = () => credits.rollUp(ledgerRetention * DAY_MS);
    await run(rollUp, "ledger_rolled_up", "ledger_roll_up_failed", "entries");
  }
  if (auditRetention > 0) {
    const expire = () => audit.expire(auditRetention * DAY_MS);
    await run(expire, "audit_expired", "audit_expiry_failed", "entries");
  }
  return events;
}

/**
 * The same for a data folder, in a separate process whose commits and checkpoints delay no caller. Not at the lowest
 * priority: charges wait for a transaction that has begun.
 */
export async function purgeFolder(
  program: Program,
  { dataDir, ledgerRetention, auditRetention }: Pick<Config, "dataDir"> & Retentions,
): Promise<readonly PurgeEvent[]> {
  const retentions = ["--ledger-retention", `${ledgerRetention}`, "--audit-retention", `${auditRetention}`];
  const out = await outputOf(program, ["purge", "--json", "--data-dir", dataDir, ...retentions]);
  return parseAs(EVENTS, out);
}

/**
 * Purges one minute after startup, then hourly; of several servers on one database, one in each hour. Expired data is
 * refused long before it is purged.
 *
 * @param lock that one server of a database holds at a time; null for a store of its own
 * @returns a function that stops it
 */
export function purgeHourly(
  work: () => Promise<readonly PurgeEvent[]>,
  log: Log,
  lock: { run(work: () => Promise<void>): Promise<unknown> } | null,
  firstMs = MINUTE_MS,
): () => void {
  const ended = Promise.withResolvers<void>();
  const purgeOnce = async () => {
    for (const { event, ...fields } of await work()) {
      if (fields["error"] === undefined) log.info(event, fields);
      else log.warn(event, fields);
    }
  };
  const run = async () => {
    try {
      if (lock === null) return await purgeOnce();
      await lock.run(async () => {
        await purgeOnce();
        const { promise: isOver, resolve } = Promise.withResolvers<void>();
        const turn = setTimeout(resolve, TURN_MS);
        await Promise.race([isOver, ended.promise]);
        clearTimeout(turn);
      });
    } catch (error) {
      log.warn("purge_failed", { error: String(error) });
    }
  };
  const end = repeat(firstMs, async () => {
    void run();
    return HOUR_MS;
  });
  return () => {
    end();
    ended.resolve();
  };
}
