import type { Runtime } from "../../runtime.ts";
import { type Access, createAccess } from "./access.ts";
import type { Store } from "../../store/store.ts";
import type { StoreDb } from "../../store/store.ts";
import { createClients, type Clients, type RegistrationLimits } from "./clients.ts";
import { createCodes, type Codes } from "./codes.ts";
import { createConnections, type Connections } from "./connections.ts";
import { createDocuments, type Documents } from "./documents.ts";
import { createRedirectPolicy, type RedirectPolicy } from "./redirects.ts";
import { createCarriedRequests, type CarriedRequests } from "./carried.ts";
import { Requests } from "./requests.ts";
import { type Lifetimes, Tokens } from "./tokens.ts";

/** The state of the authorization server, without HTTP. */
export interface Grants {
  redirects: RedirectPolicy;
  clients: Clients;
  requests: Requests;
  /** Requests of browsers without a signed-in user. */
  carriedRequests: CarriedRequests;
  codes: Codes;
  tokens: Tokens;
  access: Access;
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
  const redirects = createRedirectPolicy(allowedRedirects);
  const clients = createClients({ store, runtime, limits, isListed: redirects.isListed });
  const requests = new Requests({ store, runtime, codeSeconds: lifetimes.codeSeconds });
  const tokens = new Tokens({ store, runtime, lifetimes });
  const codes = createCodes({ store, runtime, lifetimes, tokens, giveFirstCredits });
  const access = createAccess({ store, runtime });
  const connections = createConnections({ store, runtime, tokens });
  return {
    redirects,
    clients,
    requests,
    carriedRequests: createCarriedRequests(runtime, deps.sealKey),
    codes,
    tokens,
    access,
    connections,
    documents: deps.readDocuments ? createDocuments(runtime) : null,
    purge: () =>
      store.transact(async (db) => {
        const unused = (await requests.purge(db)) + (await codes.purge(db));
        return unused + (await tokens.purge(db)) + (await clients.purge(db));
      }),
  };
}
