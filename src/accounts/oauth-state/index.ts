import { and, eq, inArray, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  oauthClients,
  oauthCodes,
  oauthGrants,
  oauthRequests,
  oauthTokens,
} from "../../store/oauth-schema.ts";
import type { Store } from "../../store/store.ts";
import { Clients } from "./clients.ts";
import { Codes, Connections } from "./grants.ts";
import { Documents } from "./documents.ts";
import { RedirectPolicy } from "./redirects.ts";
import { CarriedRequests, Requests } from "./requests.ts";
import { ACCESS_TOKEN, type GrantDeps, Tokens } from "./tokens.ts";
import { StoredHolders } from "../principal.ts";
import { DAY_MS } from "../../domain/fiscal-year.ts";

/** The state of the authorization server, without HTTP. */
export type Grants = ReturnType<typeof createGrants>;

/** Creates the authorization server's state on a store. */
export function createGrants(deps: GrantDeps) {
  const { store, runtime } = deps;
  const redirects = new RedirectPolicy(deps.allowedRedirects);
  const tokens = new Tokens(deps);
  return {
    redirects,
    clients: new Clients(deps, redirects),
    requests: new Requests(deps),
    /** Requests of browsers without a signed-in user. */
    carriedRequests: new CarriedRequests(runtime, deps.sealKey),
    codes: new Codes(deps, tokens),
    tokens,
    access: new StoredHolders<"token">(store, runtime, ACCESS_TOKEN),
    connections: new Connections(deps, tokens),
    /** Reads client ID metadata documents; null if turned off. */
    documents: deps.readDocuments ? new Documents(runtime) : null,
    /** Deletes expired requests, codes, tokens, grants and clients; returns the number of rows. Runs hourly. */
    purge: () => purgeGrants(store, runtime.now()),
  };
}

/** How long ended grants are kept, to detect reuse and for reference. */
const KEEP_ENDED_MS = 90 * DAY_MS;
/** Rows per transaction; charges wait for it to end. */
const BATCH_SIZE = 250;
/** Rows found at a time, whose keys are held in memory: a search may read the whole table. */
const FOUND_SIZE = 20_000;

/**
 * Deletes expired requests, codes, tokens and grants, and applications without an active grant: after a day if never
 * approved, else 90 days after the last approval. Some rows in each transaction.
 *
 * @returns the number of rows
 */
async function purgeGrants(store: Store, nowMs: number): Promise<number> {
  const dayAgo = nowMs - DAY_MS;
  const ended = sql`coalesce(${oauthGrants.revokedAtMs}, ${oauthGrants.expiresAtMs}) < ${nowMs - KEEP_ENDED_MS}`;
  const live = sql`${oauthGrants.revokedAtMs} is null and ${oauthGrants.expiresAtMs} > ${nowMs}`;
  const hasGrant = (which: SQL | undefined) => sql`exists (select 1 from ${oauthGrants} where ${which})`;
  const lapsed = and(eq(oauthTokens.kind, "access"), lt(oauthTokens.expiresAtMs, dayAgo));
  const neverApproved = and(isNull(oauthClients.lastGrantAtMs), lt(oauthClients.createdAtMs, dayAgo));
  const unused = or(neverApproved, lt(oauthClients.lastGrantAtMs, nowMs - KEEP_ENDED_MS));
  // Tokens before their grants.
  const expired: [SQLiteTable, SQLiteColumn, SQL | undefined][] = [
    [oauthRequests, oauthRequests.hash, lte(oauthRequests.expiresAtMs, nowMs)],
    [oauthCodes, oauthCodes.hash, lt(oauthCodes.expiresAtMs, dayAgo)],
    [
      oauthTokens,
      oauthTokens.hash,
      or(hasGrant(and(eq(oauthGrants.id, oauthTokens.grantId), ended)), lapsed),
    ],
    [oauthGrants, oauthGrants.id, ended],
    [
      oauthClients,
      oauthClients.id,
      sql`${unused} and not ${hasGrant(and(eq(oauthGrants.clientId, oauthClients.id), live))}`,
    ],
  ];
  let deleted = 0;
  for (const [table, key, condition] of expired) {
    for (let isMore = true; isMore;) {
      const found = await store.read((db) =>
        db.select({ key }).from(table).where(condition).limit(FOUND_SIZE).all(),
      );
      for (let at = 0; at < found.length; at += BATCH_SIZE) {
        const some = found.slice(at, at + BATCH_SIZE).map((row) => row.key);
        // A connection may have been made since.
        const which = and(inArray(key, some), condition);
        deleted += await store.transact(
          async (db) => (await db.delete(table).where(which).returning({ key }).all()).length,
        );
      }
      isMore = found.length === FOUND_SIZE;
    }
  }
  return deleted;
}
