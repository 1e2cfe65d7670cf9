import { hashSecret, newSecret, SECRETS } from "./credentials.ts";
import { and, eq, lte, ne } from "drizzle-orm";
import { DAY_MS } from "../domain/fiscal-year.ts";
import type { Runtime } from "../runtime.ts";
import { type Actor, actorIn, OPERATOR, recordAuditEvent } from "../store/audit.ts";
import type { Store, StoreDb } from "../store/store.ts";
import { sessions } from "../store/schema.ts";
import { type PersonRow, type User, toUser } from "./users.ts";

/** Maximum lifetime of a session. */
const SESSION_MS = 30 * DAY_MS;

/** Idle timeout of a session. */
const IDLE_MS = 14 * DAY_MS;

/** Minimum interval between writes of a session's last use. */
const SEEN_EVERY_MS = 5 * 60_000;

/** A session of a signed-in browser. */
export interface Session {
  user: User;
  /** Time of sign-in. */
  createdAtMs: number;
  expiresAtMs: number;
}

/** A browser in which someone signs in. */
export interface Browser {
  address: string;
  userAgent: string | null;
  /** The session cookie it sent, valid or not; that session ends. */
  previous: string | null;
}

/** How the person was authenticated. */
export type Proof = "password" | "link" | "provider";

/** A new session with its cookie value, which is not stored. */
export interface NewSession extends Session {
  secret: string;
}

// Plain SQL, prepared, because every page for a signed-in person runs it.
const FIND = `
  SELECT s.created_at_ms AS "signedInAtMs", s.expires_at_ms AS "expiresAtMs", s.last_seen_at_ms AS "lastSeenAtMs",
    u.id, u.email, u.role, u.created_at_ms AS "createdAtMs", u.disabled_at_ms AS "disabledAtMs",
    u.password_hash AS "passwordHash"
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = ? AND s.expires_at_ms > ? AND u.disabled_at_ms IS NULL AND u.deleted_at_ms IS NULL`;

type FoundRow = PersonRow &
  Pick<typeof sessions.$inferSelect, "expiresAtMs" | "lastSeenAtMs"> & { signedInAtMs: number };

/** Sessions of signed-in browsers. The store has only hashes, so reading it does not help to sign in. */
export class Sessions {
  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now" | "secret">,
  ) {}

  /** Opens a session with a new id. The browser's previous one, ours or planted, ends. Inside a transaction. */
  async open(tx: StoreDb, user: User, browser: Browser, proof: Proof): Promise<NewSession> {
    const { address, previous } = browser;
    const nowMs = this.runtime.now();
    const secret = newSecret("session", this.runtime);
    const expiresAtMs = nowMs + SESSION_MS;
    if (previous !== null) {
      const before = hashSecret(previous, "base64");
      await tx.delete(sessions).where(eq(sessions.hash, before)).run();
    }
    await tx.delete(sessions).where(lte(sessions.expiresAtMs, nowMs)).run();
    const hash = hashSecret(secret, "base64");
    const row = { hash, userId: user.id, createdAtMs: nowMs, expiresAtMs, lastSeenAtMs: nowMs, address };
    await tx.insert(sessions).values(row).run();
    await recordAuditEvent(tx, nowMs, actorIn(browser, user.id), {
      act: "signed_in",
      userId: user.id,
      after: { with: proof },
    });
    return { secret, user, createdAtMs: nowMs, expiresAtMs };
  }

  /** The session of a cookie; undefined if it is unknown or has ended, or its user is disabled. */
  async find(secret: string): Promise<Session | undefined> {
    if (!secret.startsWith(SECRETS.session.prefix)) return undefined;
    const nowMs = this.runtime.now();
    const hash = hashSecret(secret, "base64");
    const [row] = await this.store.rows<FoundRow>(FIND, hash, nowMs);
    if (row === undefined || nowMs - row.lastSeenAtMs > IDLE_MS) return undefined;
    if (nowMs - row.lastSeenAtMs >= SEEN_EVERY_MS) this.noteUse(hash, nowMs);
    return { user: toUser(row), createdAtMs: row.signedInAtMs, expiresAtMs: row.expiresAtMs };
  }

  /** Signs a browser out. */
  end(secret: string, actor: Actor = OPERATOR): Promise<void> {
    return this.store.transact(async (tx) => {
      const hash = hashSecret(secret, "base64");
      const ended = await tx.delete(sessions).where(eq(sessions.hash, hash)).returning().get();
      if (ended === undefined) return;
      await recordAuditEvent(tx, this.runtime.now(), actor, { act: "signed_out", userId: ended.userId });
    });
  }

  /** Signs a user out of all browsers, except the one with the cookie `exceptCookie`. */
  endAll(userId: string, exceptCookie: string | null = null, actor: Actor = OPERATOR): Promise<void> {
    return this.store.transact(async (tx) => {
      await endSessions(tx, userId, exceptCookie);
      await recordAuditEvent(tx, this.runtime.now(), actor, { act: "signed_out_everywhere", userId });
    });
  }

  private noteUse(hash: string, nowMs: number): void {
    const noted = this.store.transact((tx) =>
      tx.update(sessions).set({ lastSeenAtMs: nowMs }).where(eq(sessions.hash, hash)).run(),
    );
    // Not worth failing a page for: the next use retries, and the store reports its own failures.
    noted.catch(() => {});
  }
}

/** Ends all sessions of a user except that of the cookie `exceptCookie`. Inside a transaction. */
export async function endSessions(
  tx: StoreDb,
  userId: string,
  exceptCookie: string | null = null,
): Promise<void> {
  const others = exceptCookie === null ? undefined : ne(sessions.hash, hashSecret(exceptCookie, "base64"));
  await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), others))
    .run();
}
