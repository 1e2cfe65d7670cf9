/** Grants: a code becomes a connected application, and a connection ends. */
import { and, desc, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { type Actor, OPERATOR, recordAuditEvent } from "../../store/audit.ts";
import { oauthClients, oauthCodes, oauthGrants } from "../../store/oauth-schema.ts";
import { users } from "../../store/schema.ts";
import type { StoreDb } from "../../store/store.ts";
import { hashSecret, isWellFormed } from "../credentials.ts";
import { giveFirstCredits } from "../credits.ts";
import { describeRedirect } from "./redirects.ts";
import {
  type Exchanged,
  type GrantDeps,
  type GrantRow,
  liveLines,
  type RevocationReason,
  type TokenPair,
  type Tokens,
} from "./tokens.ts";

/** The parameters of a code exchange. */
export interface Redemption {
  code: string;
  clientId: string;
  /** Null if absent. */
  redirectUri: string | null;
  codeVerifier: string;
  /** Null for the authorized resource. */
  resource: string | null;
}

type CodeRow = typeof oauthCodes.$inferSelect;

const MAX_FAILURES = 5;

/** Authorization codes. */
export class Codes {
  constructor(
    private readonly deps: GrantDeps,
    private readonly tokens: Tokens,
  ) {}

  /**
   * Exchanges a code for the first pair of tokens, once. One transaction marks the code as used, creates the grant and
   * both tokens, and gives the user the first credits if they were not given before. A wrong client, redirect URI or
   * resource leaves the code valid; five wrong verifiers invalidate it; reuse revokes the grant.
   *
   * @see RFC 6749 section 4.1.3, RFC 7636 section 4.6, test/contract/protocols.md, K-2, K-3, K-9
   */
  redeem({ code, clientId, redirectUri, codeVerifier, resource }: Redemption): Promise<Exchanged> {
    const { store, runtime } = this.deps;
    return store.transact(async (db): Promise<Exchanged> => {
      const refused = { ok: false, error: "invalid_grant", reused: false } as const;
      if (!isWellFormed("code", code)) return refused;
      const now = runtime.now();
      const which = eq(oauthCodes.hash, hashSecret(code, "hex"));
      const row = await db.select().from(oauthCodes).where(which).get();
      if (row === undefined || row.clientId !== clientId) return refused;
      if (row.usedAtMs !== null) {
        if (row.grantId !== null)
          await this.tokens.revokeGrants(db, eq(oauthGrants.id, row.grantId), "code_replayed");
        return { ...refused, reused: true };
      }
      if (row.expiresAtMs <= now || row.failures >= MAX_FAILURES) return refused;
      if (row.redirectUri !== redirectUri) return refused;
      if (!verifies(codeVerifier, row.codeChallenge)) {
        const failed = { failures: row.failures + 1 };
        await db.update(oauthCodes).set(failed).where(eq(oauthCodes.hash, row.hash)).run();
        return refused;
      }
      if (resource !== null && resource !== row.resource) return { ...refused, error: "invalid_target" };
      const mayUse = and(eq(users.id, row.userId), isNull(users.disabledAtMs), isNull(users.deletedAtMs));
      const user = await db.select({ id: users.id }).from(users).where(mayUse).get();
      if (user === undefined) return refused;
      return { ok: true, pair: await this.grant(db, row, now) };
    });
  }

  /** Uses a code: creates the grant and its tokens, and gives the first credits if due. */
  private async grant(db: StoreDb, code: CodeRow, now: number): Promise<TokenPair> {
    const { runtime, lifetimes } = this.deps;
    const { hash, userId, clientId, scope } = code;
    const grant: GrantRow = {
      ...code,
      id: runtime.id(),
      createdAtMs: now,
      expiresAtMs: now + lifetimes.grantSeconds * 1000,
      lastUsedAtMs: null,
      revokedAtMs: null,
      revokedFor: null,
    };
    await db.insert(oauthGrants).values(grant).run();
    const used = { usedAtMs: now, grantId: grant.id };
    await db.update(oauthCodes).set(used).where(eq(oauthCodes.hash, hash)).run();
    const approved = { lastGrantAtMs: now };
    await db.update(oauthClients).set(approved).where(eq(oauthClients.id, clientId)).run();
    await giveFirstCredits(db, userId, now);
    return await this.tokens.issue(db, grant, scope, null);
  }
}

/** @see RFC 7636 sections 4.1 and 4.6 */
function verifies(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  return Bun.SHA256.hash(verifier, "base64url").replace(/=+$/, "") === challenge;
}

/** A connected application, as listed on the developer page. The name is its own; not verified. */
export interface Connection extends Pick<
  GrantRow,
  "id" | "clientId" | "scope" | "createdAtMs" | "lastUsedAtMs"
> {
  name: string | null;
  /** Where the authorization response was sent. */
  redirectHost: string;
  /** Programs that use it: its live chains of refresh tokens. */
  programs: number;
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
  constructor(
    private readonly deps: GrantDeps,
    private readonly tokens: Tokens,
  ) {}

  /** A user's active connections, newest first. */
  list(userId: string): Promise<Connection[]> {
    return this.deps.store.read(async (db) => {
      const grants = await db
        .select()
        .from(oauthGrants)
        .where(this.live(userId))
        .orderBy(desc(oauthGrants.createdAtMs), desc(oauthGrants.id))
        .all();
      const lines = await this.linesOf(db, grants);
      return grants.map((grant) => connectionOf(grant, lines));
    });
  }

  /** A page of all users' active connections, newest first. @param options.before end of the previous page */
  page(options: { before: ConnectionPlace | undefined; limit: number }): Promise<ListedConnection[]> {
    const { before, limit } = options;
    const older =
      before && sql`(${oauthGrants.createdAtMs}, ${oauthGrants.id}) < (${before.createdAtMs}, ${before.id})`;
    return this.deps.store.read(async (db) => {
      const rows = await db
        .select({ grant: oauthGrants, email: users.email })
        .from(oauthGrants)
        .innerJoin(users, eq(users.id, oauthGrants.userId))
        .where(and(this.live(null), older))
        .orderBy(desc(oauthGrants.createdAtMs), desc(oauthGrants.id))
        .limit(limit)
        .all();
      const lines = await this.linesOf(
        db,
        rows.map(({ grant }) => grant),
      );
      return rows.map(({ grant, email }) => ({ ...connectionOf(grant, lines), userId: grant.userId, email }));
    });
  }

  /**
   * Ends a connection immediately, and its application's pending codes; false if there is none.
   * @param userId the connection's required user; null for an owner, who may end any
   */
  disconnect(userId: string | null, id: string, actor: Actor = OPERATOR): Promise<boolean> {
    const { store, runtime } = this.deps;
    return store.transact(async (db) => {
      const which = and(eq(oauthGrants.id, id), this.live(userId));
      const mine = await db.select().from(oauthGrants).where(which).get();
      if (mine === undefined) return false;
      const before = { name: mine.clientName, redirects_to: describeRedirect(mine.redirectUri) };
      const event = { act: "app_disconnected", userId: mine.userId, subject: id, before } as const;
      await recordAuditEvent(db, runtime.now(), actor, event);
      await this.tokens.revokeGrants(db, eq(oauthGrants.id, id), "disconnected");
      await deletePending(db, mine.userId, eq(oauthCodes.clientId, mine.clientId));
      return true;
    });
  }

  /** Ends all connections of a user, expired ones too, and pending codes; inside a commit. */
  async endAll(db: StoreDb, userId: string, why: RevocationReason): Promise<void> {
    await this.tokens.revokeGrants(db, eq(oauthGrants.userId, userId), why);
    await deletePending(db, userId);
  }

  private linesOf(db: StoreDb, grants: readonly GrantRow[]): Promise<ReadonlyMap<string, number>> {
    return liveLines(
      db,
      grants.map(({ id }) => id),
      this.deps.runtime.now(),
    );
  }

  private live(userId: string | null) {
    return and(
      userId === null ? undefined : eq(oauthGrants.userId, userId),
      isNull(oauthGrants.revokedAtMs),
      gt(oauthGrants.expiresAtMs, this.deps.runtime.now()),
    );
  }
}

/** Deletes codes that a user approved and no application has redeemed. */
async function deletePending(db: StoreDb, userId: string, which?: SQL): Promise<void> {
  const pending = and(eq(oauthCodes.userId, userId), isNull(oauthCodes.usedAtMs), which);
  await db.delete(oauthCodes).where(pending).run();
}

function connectionOf(
  { clientName: name, redirectUri, ...row }: GrantRow,
  lines: ReadonlyMap<string, number>,
): Connection {
  const { id, clientId, scope, createdAtMs, lastUsedAtMs } = row;
  const redirectHost = describeRedirect(redirectUri);
  return { id, clientId, name, redirectHost, scope, createdAtMs, lastUsedAtMs, programs: lines.get(id) ?? 0 };
}
