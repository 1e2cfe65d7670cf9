import type { Runtime } from "../../runtime.ts";
import type { StoredHolders } from "../principal.ts";
import type { Store, StoreDb } from "../../store/store.ts";
import { Clients, type RegistrationLimits } from "./clients.ts";
import { Codes } from "./codes.ts";
import { Connections } from "./connections.ts";
import { Documents } from "./documents.ts";
import { RedirectPolicy } from "./redirects.ts";
import { CarriedRequests } from "./carried.ts";
import { purgeGrants } from "./purge.ts";
import { Requests } from "./requests.ts";
import { accessTokens, type Lifetimes, Tokens } from "./tokens.ts";

/** The state of the authorization server, without HTTP. */
export interface Grants {
  redirects: RedirectPolicy;
  clients: Clients;
  requests: Requests;
  /** Requests of browsers without a signed-in user. */
  carriedRequests: CarriedRequests;
  codes: Codes;
  tokens: Tokens;
  access: StoredHolders<"token">;
  connections: Connections;
  /** Reads client ID metadata documents; null if turned off. */
  documents: Documents | null;
  /** Deletes expired requests, codes, tokens, grants and clients; returns the number of rows. Runs hourly. */
  purge(): Promise<number>;
}

/** Dependencies of the grants. */
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
  /** Gives a user the first credits unless they were given before; called inside a commit. */
  giveFirstCredits: (db: StoreDb, userId: string, nowMs: number) => Promise<unknown>;
}

/** Creates the authorization server's state on a store. */
export function createGrants(deps: GrantDeps): Grants {
  const { store, runtime, lifetimes, limits, allowedRedirects, giveFirstCredits } = deps;
  const redirects = new RedirectPolicy(allowedRedirects);
  const clients = new Clients({
    store,
    runtime,
    limits,
    isListed: (uri) => redirects.isListed(uri),
  });
  const requests = new Requests({ store, runtime, codeSeconds: lifetimes.codeSeconds });
  const tokens = new Tokens({ store, runtime, lifetimes });
  const codes = new Codes({ store, runtime, lifetimes, tokens, giveFirstCredits });
  const access = accessTokens(store, runtime);
  const connections = new Connections({ store, runtime, tokens });
  return {
    redirects,
    clients,
    requests,
    carriedRequests: new CarriedRequests(runtime, deps.sealKey),
    codes,
    tokens,
    access,
    connections,
    documents: deps.readDocuments ? new Documents(runtime) : null,
    purge: () => purgeGrants(store, runtime.now()),
  };
}
