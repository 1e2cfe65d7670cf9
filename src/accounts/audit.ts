import { and, count, desc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { ServiceError } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import { type Act, type Actor, audit, type Deed, recordDeed, SERVER } from "../store/audit.ts";
import type { MaybePromise } from "../domain/maybe-promise.ts";
import type { Store } from "../store/store.ts";
import { result, type StoreDb, type Work } from "../store/work.ts";
import { users } from "../store/schema.ts";

export {
  ACT_NAMES,
  ACTS,
  type Act,
  type Actor,
  type Deed,
  OPERATOR,
  RepeatedForm,
  SERVER,
} from "../store/audit.ts";

/** An entry, with the addresses that its people have today. */
export interface AuditEntry {
  id: number;
  atMs: number;
  /** An e-mail address; `operator`, `server` or `visitor`; `deleted:{id}` for somebody who was deleted. */
  actor: string;
  address: string | null;
  userAgent: string | null;
  act: Act;
  /** The account that it is about, by its address. */
  user: string | null;
  subject: string | null;
  /** JSON. */
  before: string | null;
  after: string | null;
}

/** Where a page of entries ends: the next one goes on before it. */
export interface AuditPlace {
  atMs: number;
  id: number;
}

/** What to list. */
export interface AuditFilter {
  /** Entries by this user and about them, by id; or by `operator`, `server`, `visitor`. */
  who?: string | undefined;
  act?: Act | undefined;
  sinceMs?: number | undefined;
  /** Not itself in it. */
  untilMs?: number | undefined;
  before?: AuditPlace | undefined;
  limit: number;
}

/** Entries deleted in one transaction: a large log goes in steps that hold nobody up. */
const EXPIRED_AT_A_TIME = 250;

/** The audit log: read, added to by what is not in the store itself, and cut at its far end. */
export class AuditLog {
  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now">,
  ) {}

  /** Tells of something that was done outside the store (the dataset, a file); what is in the store tells by itself. */
  record(actor: Actor, deed: Deed): Promise<void> {
    return this.store.transact((tx) => recordDeed(tx, this.runtime.now(), actor, deed));
  }

  /** Entries, the newest first. */
  list({ who, limit, ...rest }: AuditFilter): MaybePromise<readonly AuditEntry[]> {
    const shared = conditions(rest);
    if (who === undefined) return this.store.read((db) => page(db, shared, limit));
    return this.store.read(function* (db) {
      // Each by its own index and no longer than a page; OR would read all that either of them has.
      const acted = yield* page(db, [...shared, eq(audit.actor, who)], limit);
      const concerned = yield* page(db, [...shared, eq(audit.userId, who)], limit);
      const both = [...acted, ...concerned];
      return [...new Map(both.map((entry) => [entry.id, entry])).values()]
        .toSorted((a, b) => b.atMs - a.atMs || b.id - a.id)
        .slice(0, limit);
    });
  }

  /**
   * Deletes entries older than that, and says so in an entry, without which the store refuses to delete any.
   * @returns how many went
   */
  async expire(olderThanMs: number): Promise<number> {
    const untilMs = this.runtime.now() - olderThanMs;
    const old = lt(audit.atMs, untilMs);
    const counted = await this.store.read((db) =>
      result(db.select({ n: count() }).from(audit).where(old).get()),
    );
    const entries = counted?.n ?? 0;
    if (entries === 0) return 0;
    const after = { entries, until_ms: untilMs, until: new Date(untilMs).toISOString() };
    await this.record(SERVER, { act: "audit_expired", after });
    for (let gone = 0; gone < entries; gone += EXPIRED_AT_A_TIME) {
      await this.store.transact(function* (tx) {
        const some = tx
          .select({ id: audit.id })
          .from(audit)
          .where(old)
          .orderBy(audit.atMs)
          .limit(EXPIRED_AT_A_TIME);
        yield* result(tx.delete(audit).where(inArray(audit.id, some)).run());
      });
    }
    return entries;
  }
}

function* page(db: StoreDb, where: readonly SQL[], limit: number): Work<AuditEntry[]> {
  const rows = yield* result(
    db
      .select()
      .from(audit)
      .where(and(...where))
      .orderBy(desc(audit.atMs), desc(audit.id))
      .limit(limit)
      .all(),
  );
  const ids = new Set(rows.flatMap(({ actor, userId }) => [actor, userId ?? ""]));
  const found = yield* result(
    db
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(inArray(users.id, [...ids]))
      .all(),
  );
  const emails = new Map(found.map(({ id, email }) => [id, email]));
  return rows.map(({ form: _form, userId, actor, ...row }) => ({
    ...row,
    actor: emails.get(actor) ?? actor,
    user: userId === null ? null : (emails.get(userId) ?? userId),
  }));
}

function conditions({ act, sinceMs, untilMs, before }: Omit<AuditFilter, "who" | "limit">): SQL[] {
  return [
    act === undefined ? undefined : eq(audit.act, act),
    sinceMs === undefined ? undefined : gte(audit.atMs, sinceMs),
    untilMs === undefined ? undefined : lt(audit.atMs, untilMs),
    before === undefined ? undefined : sql`(${audit.atMs}, ${audit.id}) < (${before.atMs}, ${before.id})`,
  ].filter((condition) => condition !== undefined);
}

/** An act by its name. Refuses with `invalid_parameter` what is none. */
export function readAct(given: string, acts: readonly Act[]): Act {
  const found = acts.find((act) => act === given);
  if (found !== undefined) return found;
  throw new ServiceError(
    "invalid_parameter",
    `Cannot read act ${JSON.stringify(given)}: expected one of ${acts.join(", ")}.`,
  );
}
