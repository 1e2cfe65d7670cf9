import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import { type Actor, OPERATOR, recordAuditEvent } from "../store/audit.ts";
import { oauthCodes, oauthGrants } from "../store/oauth.ts";
import { users } from "../store/schema.ts";
import type { MaybePromise } from "../domain/maybe-promise.ts";
import type { Store } from "../store/store.ts";
import { result, type StoreDb, type Work } from "../store/work.ts";
import { describeRedirect } from "./redirects.ts";
import type { RevocationReason, Tokens } from "./tokens.ts";

/** An application that a person has connected, as the developer page lists it. */
export interface Connection {
  id: string;
  clientId: string;
  /** As the application calls itself; not verified. */
  name: string | null;
  /** Where the answer to its sign-in went, in full. */
  redirectHost: string;
  scope: string;
  createdAtMs: number;
  lastUsedAtMs: number | null;
}

/** One in a list of everybody's. */
export interface ListedConnection extends Connection {
  userId: string;
  email: string;
}

/** Where a page of connections ends: the next one goes on before it. */
export type ConnectionPlace = Pick<Connection, "createdAtMs" | "id">;

/** The connected applications of people. */
export interface Connections {
  /** Live ones, newest first. */
  list(userId: string): MaybePromise<Connection[]>;
  /**
   * Live ones of everybody, newest first, a page of them.
   * @param before where the page before ended
   */
  page(options: { before: ConnectionPlace | undefined; limit: number }): MaybePromise<ListedConnection[]>;
  /**
   * Ends one at once; false when there is no such connection.
   * @param userId whose it must be; null for an owner, who may end any
   */
  disconnect(userId: string | null, id: string, actor?: Actor): Promise<boolean>;
  /** Ends all of a user's, codes under way included; inside a commit. */
  endAll(db: StoreDb, userId: string, why: RevocationReason): Work<void>;
}

/** The connections of a store. */
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
      store.read(function* (db) {
        const rows = yield* result(
          db
            .select()
            .from(oauthGrants)
            .where(live(userId))
            .orderBy(desc(oauthGrants.createdAtMs), desc(oauthGrants.id))
            .all(),
        );
        return rows.map(connectionOf);
      }),
    page({ before, limit }) {
      const older =
        before === undefined
          ? undefined
          : sql`(${oauthGrants.createdAtMs}, ${oauthGrants.id}) < (${before.createdAtMs}, ${before.id})`;
      return store.read(function* (db) {
        const rows = yield* result(
          db
            .select({ grant: oauthGrants, email: users.email })
            .from(oauthGrants)
            .innerJoin(users, eq(users.id, oauthGrants.userId))
            .where(and(live(null), older))
            .orderBy(desc(oauthGrants.createdAtMs), desc(oauthGrants.id))
            .limit(limit)
            .all(),
        );
        return rows.map(({ grant, email }) => ({ ...connectionOf(grant), userId: grant.userId, email }));
      });
    },
    disconnect(userId, id, actor = OPERATOR) {
      return store.transact(function* (db) {
        const mine = yield* result(
          db
            .select()
            .from(oauthGrants)
            .where(and(eq(oauthGrants.id, id), live(userId)))
            .get(),
        );
        if (mine === undefined) return false;
        const before = { name: mine.clientName, redirects_to: describeRedirect(mine.redirectUri) };
        yield* recordAuditEvent(db, runtime.now(), actor, {
          act: "app_disconnected",
          userId: mine.userId,
          subject: id,
          before,
        });
        yield* tokens.revokeGrant(db, id, "disconnected");
        return true;
      });
    },
    *endAll(db, userId, why) {
      const grants = yield* result(
        db.select({ id: oauthGrants.id }).from(oauthGrants).where(live(userId)).all(),
      );
      for (const { id } of grants) yield* tokens.revokeGrant(db, id, why);
      yield* result(
        db
          .update(oauthCodes)
          .set({ expiresAtMs: runtime.now() })
          .where(and(eq(oauthCodes.userId, userId), isNull(oauthCodes.usedAtMs)))
          .run(),
      );
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
