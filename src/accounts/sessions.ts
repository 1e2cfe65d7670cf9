import { hashSecret, newSecret, SECRETS } from "../credentials.ts";
import { and, eq, gt, lte, ne, sql } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import { type Actor, OPERATOR, recordDeed } from "../store/audit.ts";
import { andThen, type MaybePromise } from "../domain/maybe-promise.ts";
import type { Store } from "../store/store.ts";
import { keptPer, result, type StoreDb, type Work } from "../store/work.ts";
import { sessions, users } from "../store/schema.ts";
import { type User, toUser } from "./users.ts";

/** A session ends this long after sign-in, whatever happens. */
const SESSION_MS = 30 * 86_400_000;

/** A session ends when it was not used for this long. */
const IDLE_MS = 14 * 86_400_000;

/** Its last use is written at most this often. */
const SEEN_EVERY_MS = 5 * 60_000;

/** A signed-in browser. */
export interface Session {
  user: User;
  /** When its person signed in. */
  createdAtMs: number;
  expiresAtMs: number;
}

/** A browser in which somebody signs in. */
export interface Browser {
  address: string;
  userAgent: string | null;
  /** The session cookie that it sent, whatever it is worth; it ends. */
  previous: string | null;
}

/** What somebody proved who they are with. */
export type Proof = "password" | "link" | "provider";

/** A session just opened, with the cookie's value, which is shown this once. */
export interface NewSession extends Session {
  secret: string;
}

/** Signed-in browsers. The store has hashes only: whoever reads it cannot sign in with what stands there. */
export class Sessions {
  /** Prepared: every page for a signed-in person asks it. */
  private readonly findRow = keptPer(prepareFind);

  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now" | "secret">,
  ) {}

  /**
   * Opens a session with a new id: the one that the browser had before, ours or planted, ends.
   * Inside a transaction.
   */
  *open(tx: StoreDb, user: User, browser: Browser, proof: Proof): Work<NewSession> {
    const { address, userAgent, previous } = browser;
    const nowMs = this.runtime.now();
    const secret = newSecret("session", this.runtime);
    const expiresAtMs = nowMs + SESSION_MS;
    if (previous !== null) {
      const before = hashSecret(previous, "base64");
      yield* result(tx.delete(sessions).where(eq(sessions.hash, before)).run());
    }
    yield* result(tx.delete(sessions).where(lte(sessions.expiresAtMs, nowMs)).run());
    const hash = hashSecret(secret, "base64");
    const row = { hash, userId: user.id, createdAtMs: nowMs, expiresAtMs, lastSeenAtMs: nowMs, address };
    yield* result(tx.insert(sessions).values(row).run());
    const actor = { actor: user.id, address, userAgent, form: null };
    yield* recordDeed(tx, nowMs, actor, { act: "signed_in", userId: user.id, after: { with: proof } });
    return { secret, user, createdAtMs: nowMs, expiresAtMs };
  }

  /** The session of a cookie: undefined when unknown, over, or its user is shut out. */
  find(secret: string): MaybePromise<Session | undefined> {
    if (!secret.startsWith(SECRETS.session.prefix)) return undefined;
    const nowMs = this.runtime.now();
    const hash = hashSecret(secret, "base64");
    const found = this.store.read((db) => result(this.findRow(db).get({ hash, nowMs })));
    return andThen(found, (row) => {
      if (row === undefined || row.users.disabledAtMs !== null || row.users.deletedAtMs !== null)
        return undefined;
      const { lastSeenAtMs, createdAtMs, expiresAtMs } = row.sessions;
      if (nowMs - lastSeenAtMs > IDLE_MS) return undefined;
      if (nowMs - lastSeenAtMs >= SEEN_EVERY_MS) this.noteUse(hash, nowMs);
      return { user: toUser(row.users), createdAtMs, expiresAtMs };
    });
  }

  /** Signs this browser out. */
  end(secret: string, actor: Actor = OPERATOR): Promise<void> {
    const { runtime } = this;
    return this.store.transact(function* (tx) {
      const hash = hashSecret(secret, "base64");
      const ended = yield* result(tx.delete(sessions).where(eq(sessions.hash, hash)).returning().get());
      if (ended === undefined) return;
      yield* recordDeed(tx, runtime.now(), actor, { act: "signed_out", userId: ended.userId });
    });
  }

  /** Signs a user out everywhere, but for one browser if `keep` is its cookie. */
  endAll(userId: string, keep: string | null = null, actor: Actor = OPERATOR): Promise<void> {
    const { runtime } = this;
    return this.store.transact(function* (tx) {
      yield* endSessions(tx, userId, keep);
      yield* recordDeed(tx, runtime.now(), actor, { act: "signed_out_everywhere", userId });
    });
  }

  private noteUse(hash: string, nowMs: number): void {
    const noted = this.store.transact((tx) =>
      result(tx.update(sessions).set({ lastSeenAtMs: nowMs }).where(eq(sessions.hash, hash)).run()),
    );
    // Not worth refusing a page for: the next use tries again, and the store tells the operator itself.
    noted.catch(() => {});
  }
}

function prepareFind(db: StoreDb) {
  return db
    .select()
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(eq(sessions.hash, sql.placeholder("hash")), gt(sessions.expiresAtMs, sql.placeholder("nowMs"))),
    )
    .prepare();
}

/** Ends all sessions of a user, but the one of the cookie `keep`. Inside a transaction. */
export function* endSessions(tx: StoreDb, userId: string, keep: string | null = null): Work<void> {
  const others = keep === null ? undefined : ne(sessions.hash, hashSecret(keep, "base64"));
  yield* result(
    tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), others))
      .run(),
  );
}
