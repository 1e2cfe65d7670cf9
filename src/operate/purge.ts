import type { Config } from "../config.ts";
import type { Log } from "../log.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Retentions = Pick<Config, "ledgerRetention" | "auditRetention">;

/** Where expired data is removed. */
interface Purged {
  grants: { purge(): Promise<number> };
  credits: { rollUp(olderThanMs: number): Promise<number> };
  audit: { expire(olderThanMs: number): Promise<number> };
}

/**
 * Deletes expired codes, tokens, requests and clients, rolls up old ledger entries, and deletes old audit entries. A
 * retention of 0 days keeps them forever. Logs what was done or failed.
 */
export async function purge(
  { grants, credits, audit }: Purged,
  { ledgerRetention, auditRetention }: Retentions,
  log: Log,
): Promise<void> {
  const tell = async (work: Promise<number>, done: string, failed: string, what: string) => {
    try {
      log.info(done, { [what]: await work });
    } catch (error) {
      log.warn(failed, { error: String(error) });
    }
  };
  const jobs = [tell(grants.purge(), "oauth_purged", "oauth_purge_failed", "rows")];
  if (ledgerRetention > 0) {
    const rolledUp = credits.rollUp(ledgerRetention * DAY_MS);
    jobs.push(tell(rolledUp, "ledger_rolled_up", "ledger_roll_up_failed", "entries"));
  }
  if (auditRetention > 0) {
    const expired = audit.expire(auditRetention * DAY_MS);
    jobs.push(tell(expired, "audit_expired", "audit_expiry_failed", "entries"));
  }
  await Promise.all(jobs);
}

/**
 * Purges one minute after startup, then hourly; of several servers on one database, one at a time. Expired data is
 * refused long before it is purged.
 *
 * @param lock that one server of a database holds at a time; null for a store of its own
 * @returns a function that stops it
 */
export function purgeHourly(
  accounts: Purged,
  config: Retentions,
  log: Log,
  lock: { run(work: () => Promise<void>): Promise<unknown> } | null,
): () => void {
  const run = () => {
    const work = () => purge(accounts, config, log);
    if (lock === null) return void work();
    lock.run(work).catch((error: unknown) => log.warn("purge_failed", { error: String(error) }));
  };
  const first = setTimeout(run, MINUTE_MS);
  const timer = setInterval(run, HOUR_MS);
  first.unref();
  timer.unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}
