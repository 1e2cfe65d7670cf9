import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Runtime } from "../../runtime.ts";
import { type Actor, OPERATOR, recordAuditEvent } from "../../store/audit.ts";
import { oauthCodes, oauthGrants } from "../../store/oauth.ts";
import { users } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import type { StoreDb } from "../../store/store.ts";
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
export interface Connections {
  /** A user's active connections, newest first. */
  list(userId: string): Promise<Connection[]>;
  /**
   * A page of all users' active connections, newest first.
   * @param before end of the previous page
   */
  page(options: { before: ConnectionPlace | undefined; limit: number }): Promise<ListedConnection[]>;
  /**
   * Ends a connection immediately; false if there is none.
   * @param userId the connection's required user; null for an owner, who may end any
   */
  disconnect(userId: string | null, id: string, actor?: Actor): Promise<boolean>;
  /** Ends all connections of a user, and pending codes; inside a commit. */
  endAll(db: StoreDb, userId: string, why: RevocationReason): Promise<void>;
}

/** Creates the connections of a store. */
// oxlint-disable-next-line max-lines-per-function -- its methods share the store and its statements
export function createConnections(deps: { store: Store; runtime: Runtime; tokens: Tokens }): Connections {
  const { store, runtime, tokens } = deps;
  const live = (userId: string | null) =>
    and(
      userId === null ? undefined : eq(oauthGrants.userId, userId),
      isNull(oauthGrants.revokedAtMs),
      gt(oauthGrants.expiresAtMs, runtime.now()),
    );
  return {
    list: (userId) =>
      store.read(async (db) => {
        const rows = await db
          .select()
          .from(oauthGrants)
          .where(live(userId))
          .orderBy(desc(oauthGrants.createdAtMs), desc(oauthGrants.id))
          .all();
        return rows.map(connectionOf);
      }),
    page({ before, limit }) {
      const older =
        before === undefined
          ? undefined
          : sql`(${oauthGrants.createdAtMs}, ${oauthGrants.id}) < (${before.createdAtMs}, ${before.id})`;
      return store.read(async (db) => {
        const rows = await db
          .select({ grant: oauthGrants, email: users.email })
          .from(oauthGrants)
          .innerJoin(users, eq(users.id, oauthGrants.userId))
          .where(and(live(null), older))
          .orderBy(desc(oauthGrants.createdAtMs), desc(oauthGrants.id))
          .limit(limit)
          .all();
        return rows.map(({ grant, email }) => ({ ...connectionOf(grant), userId: grant.userId, email }));
      });
    },
    disconnect(userId, id, actor = OPERATOR) {
      return store.transact(async (db) => {
        const mine = await db
          .select()
          .from(oauthGrants)
          .where(and(eq(oauthGrants.id, id), live(userId)))
          .get();
        if (mine === undefined) return false;
        const before = { name: mine.clientName, redirects_to: describeRedirect(mine.redirectUri) };
        await recordAuditEvent(db, runtime.now(), actor, {
          act: "app_disconnected",
          userId: mine.userId,
          subject: id,
          before,
        });
        await tokens.revokeGrant(db, id, "disconnected");
        return true;
      });
    },
    async endAll(db, userId, why) {
      const grants = await db.select({ id: oauthGrants.id }).from(oauthGrants).where(live(userId)).all();
      for (const { id } of grants) await tokens.revokeGrant(db, id, why);
      await db
        .update(oauthCodes)
        .set({ expiresAtMs: runtime.now() })
        .where(and(eq(oauthCodes.userId, userId), isNull(oauthCodes.usedAtMs)))
        .run();
    },
  };
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
