import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Runtime } from "../../runtime.ts";
import { type Actor, OPERATOR, recordAuditEvent } from "../../store/audit.ts";
import { oauthCodes, oauthGrants } from "../../store/oauth.ts";
import { users } from "../../store/schema.ts";
import type { Store, StoreDb } from "../../store/store.ts";
import { describeRedirect } from "./redirects.ts";
import type { RevocationReason, Tokens } from "./tokens.ts";

/** A connected application, as listed on the developer page. */
export interface Connection {
  id: string;
  clientId: string;
  /** The application's own name; not verified. */
  name: string | null;
  /** Where the authorization response was sent. */
  redirectHost: string;
  scope: string;
  createdAtMs: number;
  lastUsedAtMs: number | null;
}

/** A connection in a list across users. */
export interface ListedConnection extends Connection {
  userId: string;
  email: string;
}

/** Position of the last connection of a page; the next page continues before it. */
export type ConnectionPlace = Pick<Connection, "createdAtMs" | "id">;

/** Connected applications. */
export class Connections {
  constructor(private readonly deps: { store: Store; runtime: Runtime; tokens: Tokens }) {}

  /** A user's active connections, newest first. */
  list(userId: string): Promise<Connection[]> {
    return this.deps.store.read(async (db) => {
      const rows = await db
        .select()
        .from(oauthGrants)
        .where(this.live(userId))
        .orderBy(desc(oauthGrants.createdAtMs), desc(oauthGrants.id))
        .all();
      return rows.map(connectionOf);
    });
  }

  /** A page of all users' active connections, newest first. @param options.before end of the previous page */
  page(options: { before: ConnectionPlace | undefined; limit: number }): Promise<ListedConnection[]> {
    const { before, limit } = options;
    const older =
      before === undefined
        ? undefined
        : sql`(${oauthGrants.createdAtMs}, ${oauthGrants.id}) < (${before.createdAtMs}, ${before.id})`;
    return this.deps.store.read(async (db) => {
      const rows = await db
        .select({ grant: oauthGrants, email: users.email })
        .from(oauthGrants)
        .innerJoin(users, eq(users.id, oauthGrants.userId))
        .where(and(this.live(null), older))
        .orderBy(desc(oauthGrants.createdAtMs), desc(oauthGrants.id))
        .limit(limit)
        .all();
      return rows.map(({ grant, email }) => ({ ...connectionOf(grant), userId: grant.userId, email }));
    });
  }

  /**
   * Ends a connection immediately; false if there is none.
   * @param userId the connection's required user; null for an owner, who may end any
   */
  disconnect(userId: string | null, id: string, actor: Actor = OPERATOR): Promise<boolean> {
    const { store, runtime, tokens } = this.deps;
    return store.transact(async (db) => {
      const which = and(eq(oauthGrants.id, id), this.live(userId));
      const mine = await db.select().from(oauthGrants).where(which).get();
      if (mine === undefined) return false;
      const before = { name: mine.clientName, redirects_to: describeRedirect(mine.redirectUri) };
      const event = { act: "app_disconnected", userId: mine.userId, subject: id, before } as const;
      await recordAuditEvent(db, runtime.now(), actor, event);
      await tokens.revokeGrant(db, id, "disconnected");
      return true;
    });
  }

  /** Ends all connections of a user, and pending codes; inside a commit. */
  async endAll(db: StoreDb, userId: string, why: RevocationReason): Promise<void> {
    const { runtime, tokens } = this.deps;
    const live = this.live(userId);
    const grants = await db.select({ id: oauthGrants.id }).from(oauthGrants).where(live).all();
    for (const { id } of grants) await tokens.revokeGrant(db, id, why);
    const pending = and(eq(oauthCodes.userId, userId), isNull(oauthCodes.usedAtMs));
    await db.update(oauthCodes).set({ expiresAtMs: runtime.now() }).where(pending).run();
  }

  private live(userId: string | null) {
    return and(
      userId === null ? undefined : eq(oauthGrants.userId, userId),
      isNull(oauthGrants.revokedAtMs),
      gt(oauthGrants.expiresAtMs, this.deps.runtime.now()),
    );
  }
}

function connectionOf(row: typeof oauthGrants.$inferSelect): Connection {
  return {
    id: row.id,
    clientId: row.clientId,
    name: row.clientName,
    redirectHost: describeRedirect(row.redirectUri),
    scope: row.scope,
    createdAtMs: row.createdAtMs,
    lastUsedAtMs: row.lastUsedAtMs,
  };
}
