import { hashSecret, isWellFormed } from "../credentials.ts";
import type { Runtime } from "../../runtime.ts";
import { GenerationCache, type Store, WriteBehind } from "../../store/store.ts";
import { andThen, type MaybePromise } from "../../domain/maybe-promise.ts";

/** The holder of an access token. */
export interface TokenHolder {
  tokenId: string;
  grantId: string;
  userId: string;
  clientId: string;
  /** Space-separated scopes. */
  scope: string;
}

interface Found extends TokenHolder {
  endsAtMs: number;
  usedAtMs: number;
}

interface FoundRow {
  id: string;
  grant_id: string;
  user_id: string;
  client_id: string;
  scope: string;
  expires_at_ms: number;
  last_used_at_ms: number | null;
}

/** Number of token holders cached: about 15 MB. */
const MAX_CACHED_HOLDERS = 50_000;

/** Minimum interval between writes of a connection's last use. */
const USE_EVERY_MS = 60_000;

// Raw prepared SQL, run for each request whose token is not cached.
const FIND =
  "SELECT t.id, t.grant_id, g.user_id, g.client_id, t.scope, t.expires_at_ms, g.last_used_at_ms FROM oauth_tokens t" +
  " JOIN oauth_grants g ON g.id = t.grant_id JOIN users u ON u.id = g.user_id" +
  " WHERE t.hash = ? AND t.kind = 'access' AND t.revoked_at_ms IS NULL AND g.revoked_at_ms IS NULL" +
  " AND u.disabled_at_ms IS NULL AND u.deleted_at_ms IS NULL";
const USE = "UPDATE oauth_grants SET last_used_at_ms = ? WHERE id = ?";

/** Looks up access tokens, as fast as keys. */
export class Access {
  private readonly known = new GenerationCache<Found>(MAX_CACHED_HOLDERS);
  private readonly uses = new WriteBehind<string, number>();

  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now">,
  ) {
    const { uses } = this;
    store.onEveryCommit({
      size: () => uses.size,
      async write(tx) {
        if (uses.size === 0) return;
        for (const [grantId, atMs] of uses.take()) await tx.rows(USE, atMs, grantId);
      },
      settled: (error) => uses.settled(error),
    });
  }

  /**
   * The holder of a token; undefined if the token is unknown, expired or revoked, its connection has ended, or its user
   * is disabled, without distinction. A wrong checksum is rejected without reading the store. Records the use. Refuses
   * with `unavailable` while the store is down.
   */
  find(secret: string): MaybePromise<TokenHolder | undefined> {
    const hash = hashSecret(secret, "hex");
    const generation = this.store.generation();
    const known = this.known.get(hash, generation);
    if (known !== undefined) return this.use(known);
    if (!isWellFormed("accessToken", secret)) return undefined;
    return andThen(this.store.rows<FoundRow>(FIND, hash), ([row]) => {
      if (row === undefined) return undefined;
      const found = {
        tokenId: row.id,
        grantId: row.grant_id,
        userId: row.user_id,
        clientId: row.client_id,
        scope: row.scope,
        endsAtMs: row.expires_at_ms,
        usedAtMs: row.last_used_at_ms ?? Number.NEGATIVE_INFINITY,
      };
      this.known.set(hash, found, generation);
      return this.use(found);
    });
  }

  private use(found: Found): TokenHolder | undefined {
    const nowMs = this.runtime.now();
    if (found.endsAtMs <= nowMs) return undefined;
    if (nowMs - found.usedAtMs >= USE_EVERY_MS || nowMs < found.usedAtMs) {
      found.usedAtMs = nowMs;
      this.uses.set(found.grantId, nowMs);
      this.store.commitSoon();
    }
    return found;
  }
}
