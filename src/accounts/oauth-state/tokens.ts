import { hashSecret, isWellFormed, newSecret } from "../credentials.ts";
import { and, count, eq, gt, inArray, isNotNull, isNull, min, type SQL } from "drizzle-orm";
import { ServiceError } from "../../errors.ts";
import type { Runtime } from "../../runtime.ts";
import type { StoredCredential } from "../principal.ts";
import { users } from "../../store/schema.ts";
import { oauthGrants, oauthTokens } from "../../store/oauth-schema.ts";
import type { Store, StoreDb } from "../../store/store.ts";

/** Lifetimes of codes, tokens and grants. */
export interface Lifetimes {
  /** An authorization code: default 300, at most 600. */
  codeSeconds: number;
  /** An access token; default 3600. */
  accessTokenSeconds: number;
  /** A refresh token without use; default 30 days. */
  refreshIdleSeconds: number;
  /** A grant with all its tokens, however often refreshed; default 180 days. */
  grantSeconds: number;
}

/** Limits on registrations. */
export interface RegistrationLimits {
  /** Successful registrations per address in any hour. */
  registrationsPerHour: number;
  /** Maximum number of applications without a connection; beyond it, the oldest are removed. */
  unconnectedApplications: number;
}

/** What the state of the authorization server is built from. */
export interface GrantDeps {
  store: Store;
  runtime: Runtime;
  lifetimes: Lifetimes;
  limits: RegistrationLimits;
  /** The key that seals requests in cookies. Refuses with `unavailable` until it is known. */
  sealKey: () => Uint8Array;
  /** Allowed redirect URIs other than loopback. */
  allowedRedirects: readonly string[];
  /** Whether client ID metadata documents are supported. */
  readDocuments: boolean;
}

/** A pair of tokens, sent to the client once. */
export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  expiresInSeconds: number;
  scope: string;
  grantId: string;
  userId: string;
}

/** The result of exchanging a code or a refresh token. `reused`: it had been used, so its grant was revoked. */
export type Exchanged =
  | { ok: true; pair: TokenPair }
  | { ok: false; error: "invalid_grant" | "invalid_scope" | "invalid_target"; reused: boolean };

/** Why a grant was revoked. */
export type RevocationReason = NonNullable<(typeof oauthGrants.$inferSelect)["revokedFor"]>;

/** A stored grant. */
export type GrantRow = typeof oauthGrants.$inferSelect;

const GRACE_MS = 30_000;
/** Maximum token chains of a grant: its own, and one for each of ten other processes. */
const MAX_LINES = 11;
/** Maximum refreshes per connection in ten minutes. */
const MAX_REFRESHES = 60;
const REFRESH_WINDOW_MS = 10 * 60_000;

/** Access tokens as credentials of requests; a use is one of their connection. */
export const ACCESS_TOKEN: StoredCredential = {
  secret: "accessToken",
  find:
    `SELECT 'token' AS kind, t.id AS "tokenId", g.user_id AS "userId", g.client_id AS "clientId", t.scope,` +
    ` g.id AS "usedId", t.expires_at_ms AS "endsAtMs", g.last_used_at_ms AS "usedAtMs" FROM oauth_tokens t` +
    " JOIN oauth_grants g ON g.id = t.grant_id JOIN users u ON u.id = g.user_id" +
    " WHERE t.hash = ? AND t.kind = 'access' AND t.revoked_at_ms IS NULL AND g.revoked_at_ms IS NULL" +
    " AND u.disabled_at_ms IS NULL AND u.deleted_at_ms IS NULL",
  write: (tx, grantId, { atMs }) =>
    tx.rows("UPDATE oauth_grants SET last_used_at_ms = ? WHERE id = ?", atMs, grantId),
};

/** Access and refresh tokens. */
export class Tokens {
  constructor(private readonly deps: GrantDeps) {}

  /** Issues a pair of tokens for a grant; inside a commit. */
  async issue(db: StoreDb, grant: GrantRow, scope: string, parentHash: string | null): Promise<TokenPair> {
    const { runtime, lifetimes } = this.deps;
    const now = runtime.now();
    const accessToken = newSecret("accessToken", runtime);
    const refreshToken = newSecret("refreshToken", runtime);
    const accessEndMs = Math.min(now + lifetimes.accessTokenSeconds * 1000, grant.expiresAtMs);
    const refreshEndMs = Math.min(now + lifetimes.refreshIdleSeconds * 1000, grant.expiresAtMs);
    const row = (kind: "access" | "refresh", secret: string, scopes: string, expiresAtMs: number) => ({
      kind,
      hash: hashSecret(secret, "hex"),
      id: runtime.id(),
      grantId: grant.id,
      scope: scopes,
      createdAtMs: now,
      expiresAtMs,
      uses: 0,
      parentHash,
    });
    await db
      .insert(oauthTokens)
      .values([
        row("access", accessToken, scope, accessEndMs),
        // The refresh token keeps the granted scope: a narrower access token does not narrow later ones.
        row("refresh", refreshToken, grant.scope, refreshEndMs),
      ])
      .run();
    return {
      accessToken,
      refreshToken,
      expiresInSeconds: Math.max(0, Math.floor((accessEndMs - now) / 1000)),
      scope,
      grantId: grant.id,
      userId: grant.userId,
    };
  }

  /**
   * Exchanges a refresh token for a new pair. Within 30 seconds of its first use it is accepted again, each time
   * starting another chain of tokens, because several processes of a client share its token, and answers get lost; a
   * grant has at most eleven chains. Any later reuse revokes the grant. Refuses far more refreshes than a client
   * needs with
   * `rate_limited`.
   *
   * @param narrowed requested scope and resource; null for those granted
   * @see RFC 9700 section 4.14.2, test/contract/protocols.md, K-4
   */
  refresh(
    secret: string,
    clientId: string,
    narrowed: { scope: readonly string[] | null; resource: string | null },
  ): Promise<Exchanged> {
    const { store, runtime } = this.deps;
    return store.transact(async (db): Promise<Exchanged> => {
      const refused = { ok: false, error: "invalid_grant", reused: false } as const;
      if (!isWellFormed("refreshToken", secret)) return refused;
      const found = await withGrant(db, hashSecret(secret, "hex"));
      if (found === undefined || found.token.kind !== "refresh") return refused;
      const { token, grant, user } = found;
      const now = runtime.now();
      if (grant.clientId !== clientId || grant.revokedAtMs !== null || token.revokedAtMs !== null)
        return refused;
      if (user.disabledAtMs !== null || user.deletedAtMs !== null) return refused;
      await refuseFrequentRefreshes(db, grant.id, now);
      if (token.expiresAtMs <= now || grant.expiresAtMs <= now) return refused;
      if (token.usedAtMs !== null && now - token.usedAtMs > GRACE_MS) {
        await this.revokeGrants(db, eq(oauthGrants.id, grant.id), "refresh_reused");
        return { ...refused, reused: true };
      }
      const lines = (await liveLines(db, [grant.id], now)).get(grant.id) ?? 0;
      if (token.usedAtMs !== null && lines >= MAX_LINES) return refused;
      const granted = grant.scope.split(" ");
      const scope = narrowed.scope ?? granted;
      if (scope.some((name) => !granted.includes(name))) return { ...refused, error: "invalid_scope" };
      if (narrowed.resource !== null && narrowed.resource !== grant.resource) {
        return { ...refused, error: "invalid_target" };
      }
      await db
        .update(oauthTokens)
        .set({ usedAtMs: token.usedAtMs ?? now, uses: token.uses + 1 })
        .where(eq(oauthTokens.hash, token.hash))
        .run();
      return { ok: true, pair: await this.issue(db, grant, scope.join(" "), token.hash) };
    });
  }

  /**
   * Revokes a refresh token with its grant, or a single access token; ignores unknown tokens and those of other
   * clients. @see RFC 7009
   */
  revoke(secret: string, clientId: string): Promise<void> {
    const { store, runtime } = this.deps;
    return store.transact(async (db) => {
      if (!isWellFormed("accessToken", secret) && !isWellFormed("refreshToken", secret)) return;
      const found = await withGrant(db, hashSecret(secret, "hex"));
      if (found === undefined || found.grant.clientId !== clientId) return;
      if (found.token.kind === "refresh")
        return await this.revokeGrants(db, eq(oauthGrants.id, found.grant.id), "revoked");
      await db
        .update(oauthTokens)
        .set({ revokedAtMs: runtime.now() })
        .where(and(eq(oauthTokens.hash, found.token.hash), isNull(oauthTokens.revokedAtMs)))
        .run();
    });
  }

  /** Revokes grants with all their tokens; inside a commit. */
  async revokeGrants(db: StoreDb, which: SQL, why: RevocationReason): Promise<void> {
    const revoked = { revokedAtMs: this.deps.runtime.now(), revokedFor: why };
    const live = and(which, isNull(oauthGrants.revokedAtMs));
    await db.update(oauthGrants).set(revoked).where(live).run();
  }
}

function withGrant(db: StoreDb, hash: string) {
  return db
    .select({ token: oauthTokens, grant: oauthGrants, user: users })
    .from(oauthTokens)
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthTokens.grantId))
    .innerJoin(users, eq(users.id, oauthGrants.userId))
    .where(eq(oauthTokens.hash, hash))
    .get();
}

/** Numbers of live token chains of grants: each ends in a refresh token that has not been used. */
export async function liveLines(
  db: StoreDb,
  grantIds: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const ends = and(
    inArray(oauthTokens.grantId, [...grantIds]),
    eq(oauthTokens.kind, "refresh"),
    isNull(oauthTokens.usedAtMs),
    isNull(oauthTokens.revokedAtMs),
    gt(oauthTokens.expiresAtMs, nowMs),
  );
  const { grantId } = oauthTokens;
  const lines = await db.select({ grantId, n: count() }).from(oauthTokens).where(ends).groupBy(grantId).all();
  return new Map(lines.map(({ grantId: id, n }) => [id, n]));
}

/** Clients refresh about once an hour; constant refreshing would fill the store. */
async function refuseFrequentRefreshes(db: StoreDb, grantId: string, nowMs: number): Promise<void> {
  const recent = await db
    .select({ issued: count(), oldestMs: min(oauthTokens.createdAtMs) })
    .from(oauthTokens)
    .where(
      and(
        eq(oauthTokens.grantId, grantId),
        eq(oauthTokens.kind, "refresh"),
        // The first token of a connection came with its code.
        isNotNull(oauthTokens.parentHash),
        gt(oauthTokens.createdAtMs, nowMs - REFRESH_WINDOW_MS),
      ),
    )
    .get();
  if ((recent?.issued ?? 0) < MAX_REFRESHES) return;
  const waitMs = (recent?.oldestMs ?? nowMs) + REFRESH_WINDOW_MS - nowMs;
  throw new ServiceError(
    "rate_limited",
    `${MAX_REFRESHES} tokens were issued to this connection within ten minutes, the maximum. Use the access token until it expires.`,
    { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) },
  );
}
