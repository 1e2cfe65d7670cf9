import type { Runtime } from "../runtime.ts";
import { type Access, createAccess } from "./access.ts";
import type { Store } from "../store/store.ts";
import type { StoreDb, Work } from "../store/work.ts";
import { createClients, type Clients, type RegistrationLimits } from "./clients.ts";
import { createCodes, type Codes } from "./codes.ts";
import { createConnections, type Connections } from "./connections.ts";
import { createDocuments, type Documents } from "./documents.ts";
import { createRedirectPolicy, type RedirectPolicy } from "./redirects.ts";
import { createCarriedRequests, type CarriedRequests } from "./carried.ts";
import { createRequests, type Requests } from "./requests.ts";
import { createTokens, type Lifetimes, type Tokens } from "./tokens.ts";

/** All state of the authorization server, without HTTP. */
export interface Grants {
  redirects: RedirectPolicy;
  clients: Clients;
  requests: Requests;
  /** Requests of browsers in which nobody has signed in. */
  carriedRequests: CarriedRequests;
  codes: Codes;
  tokens: Tokens;
  access: Access;
  connections: Connections;
  /** Reads client ID metadata documents; null where they are off. */
  documents: Documents | null;
  /** Removes what is over: requests, codes, tokens, grants, clients. Returns how many rows; meant to run every hour. */
  purge(): Promise<number>;
}

/** What the grants of a store are made from. */
export interface GrantDeps {
  store: Store;
  runtime: Runtime;
  lifetimes: Lifetimes;
  limits: RegistrationLimits;
  /** What requests that browsers carry are sealed with. Refuses with `unavailable` while it is not known. */
  sealKey: () => Uint8Array;
  /** Redirect addresses beyond this computer that are taken. */
  allowedRedirects: readonly string[];
  /** Whether client ID metadata documents are read. */
  readDocuments: boolean;
  /** Gives a user the lifetime credits unless they were given; called inside a commit. */
  giveFirstCredits: (db: StoreDb, userId: string, nowMs: number) => Work<unknown>;
}

/** The authorization server's state over a store. */
export function createGrants(deps: GrantDeps): Grants {
  const { store, runtime, lifetimes, limits, allowedRedirects, giveFirstCredits } = deps;
  const redirects = createRedirectPolicy(allowedRedirects);
  const clients = createClients({ store, runtime, limits, isListed: redirects.isListed });
  const requests = createRequests({ store, runtime, codeSeconds: lifetimes.codeSeconds });
  const tokens = createTokens({ store, runtime, lifetimes });
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
      store.transact(function* (db) {
        const unused = (yield* requests.purge(db)) + (yield* codes.purge(db));
        return unused + (yield* tokens.purge(db)) + (yield* clients.purge(db));
      }),
  };
}
