import { and, desc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { invalid } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import {
  type Act,
  type Actor,
  audit,
  type AuditEvent,
  newestChange,
  recordAuditEvent,
  SERVER,
} from "../store/audit.ts";
import type { Store, StoreDb } from "../store/store.ts";
import { emailsOf } from "./users.ts";
import { type CsvCell, csvHead, csvRow } from "../lib/csv.ts";

export {
  ACT_NAMES,
  ACTS,
  type Act,
  type Actor,
  type AuditEvent,
  OPERATOR,
  RepeatedForm,
  SERVER,
} from "../store/audit.ts";

/** An audit entry, with current e-mail addresses. */
export interface AuditEntry {
  id: number;
  atMs: number;
  /** An e-mail address; `operator`, `server` or `visitor`; `deleted:{id}` for a deleted user. */
  actor: string;
  address: string | null;
  userAgent: string | null;
  act: Act;
  /** E-mail address of the affected account. */
  user: string | null;
  subject: string | null;
  /** JSON. */
  before: string | null;
  after: string | null;
}

/** Position of the last entry of a page; the next page continues before it. */
export interface AuditPlace {
  atMs: number;
  id: number;
}

/** Which entries to list. */
export interface AuditFilter {
  /** Entries by or about this user id, or by `operator`, `server` or `visitor`. */
  who?: string | undefined;
  act?: Act | undefined;
  sinceMs?: number | undefined;
  /** Exclusive. */
  untilMs?: number | undefined;
  before?: AuditPlace | undefined;
  limit: number;
}

/** Entries deleted per transaction, so that deleting a long log does not block others. */
const DELETE_BATCH_SIZE = 250;

/** The audit log: listing, recording actions outside the store, and deleting old entries. */
export class AuditLog {
  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now">,
  ) {}

  /** Records an action outside the store (on the dataset or a file); actions in the store record themselves. */
  record(actor: Actor, event: AuditEvent): Promise<void> {
    return this.store.transact((tx) => recordAuditEvent(tx, this.runtime.now(), actor, event));
  }

  /** The newest change of an account, which a form that changes it carries as `Actor.seen`. */
  newestChange(userId: string): Promise<number> {
    return this.store.read((db) => newestChange(db, userId));
  }

  /** Entries, newest first. */
  list({ who, limit, ...rest }: AuditFilter): Promise<readonly AuditEntry[]> {
    const shared = matching(rest);
    if (who === undefined) return this.store.read((db) => page(db, shared, limit));
    return this.store.read(async (db) => {
      // Each query uses its own index and reads at most a page; OR would read all matches of both.
      const acted = await page(db, and(shared, eq(audit.actor, who)), limit);
      const concerned = await page(db, and(shared, eq(audit.userId, who)), limit);
      const both = [...acted, ...concerned];
      return [...new Map(both.map((entry) => [entry.id, entry])).values()]
        .toSorted((a, b) => b.atMs - a.atMs || b.id - a.id)
        .slice(0, limit);
    });
  }

  /**
   * Deletes entries older than a given age. Records that first, without which the store refuses to delete any.
   * @returns the number of entries deleted
   */
  async expire(olderThanMs: number): Promise<number> {
    const untilMs = this.runtime.now() - olderThanMs;
    const old = lt(audit.atMs, untilMs);
    const entries = await this.store.read((db) => db.$count(audit, old));
    if (entries === 0) return 0;
    const after = { entries, until_ms: untilMs, until: new Date(untilMs).toISOString() };
    await this.record(SERVER, { act: "audit_expired", after });
    for (let deleted = 0; deleted < entries; deleted += DELETE_BATCH_SIZE) {
      await this.store.transact(async (tx) => {
        const some = tx
          .select({ id: audit.id })
          .from(audit)
          .where(old)
          .orderBy(audit.atMs)
          .limit(DELETE_BATCH_SIZE);
        await tx.delete(audit).where(inArray(audit.id, some)).run();
      });
    }
    return entries;
  }
}

async function page(db: StoreDb, which: SQL | undefined, limit: number): Promise<AuditEntry[]> {
  const rows = await db
    .select()
    .from(audit)
    .where(which)
    .orderBy(desc(audit.atMs), desc(audit.id))
    .limit(limit)
    .all();
  const emails = await emailsOf(db, [...new Set(rows.flatMap(({ actor, userId }) => [actor, userId ?? ""]))]);
  return rows.map(({ form: _form, userId, actor, ...row }) => ({
    ...row,
    actor: emails.get(actor) ?? actor,
    user: userId === null ? null : (emails.get(userId) ?? userId),
  }));
}

function matching({ act, sinceMs, untilMs, before }: Omit<AuditFilter, "who" | "limit">): SQL | undefined {
  return and(
    act === undefined ? undefined : eq(audit.act, act),
    sinceMs === undefined ? undefined : gte(audit.atMs, sinceMs),
    untilMs === undefined ? undefined : lt(audit.atMs, untilMs),
    before && sql`(${audit.atMs}, ${audit.id}) < (${before.atMs}, ${before.id})`,
  );
}

/** Parses an action's name. Refuses unknown ones with `invalid_parameter`. */
export function readAct(given: string, acts: readonly Act[]): Act {
  const found = acts.find((act) => act === given);
  if (found !== undefined) return found;
  throw invalid(`Cannot read act ${JSON.stringify(given)}: expected one of ${acts.join(", ")}.`);
}

/** Entries read at a time, so that a long log is never in memory as a whole. */
const PAGE = 1000;

/** The columns, in order. */
const COLUMNS: Readonly<Record<string, (entry: AuditEntry) => CsvCell>> = {
  id: ({ id }) => id,
  time: ({ atMs }) => new Date(atMs).toISOString(),
  who: ({ actor }) => actor,
  address: ({ address }) => address,
  user_agent: ({ userAgent }) => userAgent,
  act: ({ act }) => act,
  user: ({ user }) => user,
  subject: ({ subject }) => subject,
  before: ({ before }) => before,
  after: ({ after }) => after,
};

/** Entries of the audit log, newest first, in pages. @param max maximum number of entries */
export async function* auditPages(
  list: AuditLog["list"],
  filter: Omit<AuditFilter, "limit">,
  max: number,
): AsyncGenerator<readonly AuditEntry[]> {
  let before: AuditFilter["before"];
  for (let left = max; left > 0;) {
    const limit = Math.min(PAGE, left);
    const page = await list({ ...filter, before, limit });
    yield page;
    before = page.at(-1);
    left -= page.length;
    if (page.length < limit) return;
  }
}

/**
 * The audit log as CSV, one chunk per page of entries. Cells that a spreadsheet would read as a formula are prefixed
 * with an apostrophe, because addresses, names and user agents are user input.
 * @see RFC 4180
 */
export async function* auditCsv(pages: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<string> {
  yield `${csvHead(Object.keys(COLUMNS))}\r\n`;
  for await (const page of pages) {
    if (page.length > 0) yield `${page.map(line).join("\r\n")}\r\n`;
    // Lets other requests be answered between two pages.
    await Bun.sleep(0);
  }
}

function line(entry: AuditEntry): string {
  return csvRow(Object.values(COLUMNS).map((cell) => cell(entry)));
}
