import { hashSecret, isWellFormed } from "../credentials.ts";
import { and, eq, isNull } from "drizzle-orm";
import type { Runtime } from "../../runtime.ts";
import { oauthClients, oauthCodes, oauthGrants } from "../../store/oauth.ts";
import { users } from "../../store/schema.ts";
import type { Store, StoreDb } from "../../store/store.ts";
import type { GrantRow, Lifetimes, TokenPair, Tokens } from "./tokens.ts";

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

/** The result of a code exchange. `replayed`: the code had been used, so its grant was revoked. */
export type Redeemed =
  { ok: true; pair: TokenPair } | { ok: false; error: "invalid_grant" | "invalid_target"; replayed: boolean };

type CodeRow = typeof oauthCodes.$inferSelect;

const MAX_FAILURES = 5;

/** What exchanging a code needs. */
export interface CodeDeps {
  store: Store;
  runtime: Runtime;
  lifetimes: Lifetimes;
  tokens: Tokens;
  /** Gives a user the first credits unless they were given before; called inside the commit. */
  giveFirstCredits: (db: StoreDb, userId: string, nowMs: number) => Promise<unknown>;
}

/** Authorization codes. */
export class Codes {
  constructor(private readonly deps: CodeDeps) {}

  /**
   * Exchanges a code for the first pair of tokens, once. One transaction marks the code as used, creates the grant and
   * both tokens, and gives the user the first credits if they were not given before. A wrong client, redirect URI or
   * resource leaves the code valid; five wrong verifiers invalidate it; reuse revokes the grant.
   *
   * @see RFC 6749 section 4.1.3, RFC 7636 section 4.6, docs/protocols.md, K-2, K-3, K-9
   */
  redeem({ code, clientId, redirectUri, codeVerifier, resource }: Redemption): Promise<Redeemed> {
    const { store, runtime, tokens } = this.deps;
    return store.transact(async (db): Promise<Redeemed> => {
      const refused = { ok: false, error: "invalid_grant", replayed: false } as const;
      if (!isWellFormed("code", code)) return refused;
      const now = runtime.now();
      const which = eq(oauthCodes.hash, hashSecret(code, "hex"));
      const row = await db.select().from(oauthCodes).where(which).get();
      if (row === undefined || row.clientId !== clientId) return refused;
      if (row.usedAtMs !== null) {
        if (row.grantId !== null) await tokens.revokeGrant(db, row.grantId, "code_replayed");
        return { ...refused, replayed: true };
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
    const { runtime, lifetimes, tokens, giveFirstCredits } = this.deps;
    const { hash, userId, clientId, clientName, redirectUri, scope, resource } = code;
    const grant: GrantRow = {
      id: runtime.id(),
      userId,
      clientId,
      clientName,
      redirectUri,
      scope,
      resource,
      createdAtMs: now,
      expiresAtMs: now + lifetimes.grantSeconds * 1000,
      lastUsedAtMs: null,
      revokedAtMs: null,
      revokedFor: null,
    };
    await db.insert(oauthGrants).values(grant).run();
    const used = { usedAtMs: now, grantId: grant.id };
    await db.update(oauthCodes).set(used).where(eq(oauthCodes.hash, hash)).run();
    const client = eq(oauthClients.id, clientId);
    await db.update(oauthClients).set({ lastGrantAtMs: now }).where(client).run();
    await giveFirstCredits(db, userId, now);
    return await tokens.issue(db, grant, scope, null);
  }
}

/** @see RFC 7636 sections 4.1 and 4.6 */
function verifies(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  return Bun.SHA256.hash(verifier, "base64url").replace(/=+$/, "") === challenge;
}
