import { Elysia } from "elysia";
import type { Browsers } from "../browser.ts";
import { type Grants, SCOPE } from "../grants/index.ts";
import type { Log } from "../log.ts";
import type { CallOf, Sites } from "../sites.ts";
import { authorize } from "./authorize.ts";
import { type CreditsShown, consent } from "./consent.ts";
import { createClientFinder } from "./find-client.ts";
import { ENDPOINTS, wellKnown } from "./metadata.ts";
import { register } from "./register.ts";
import { createResources } from "./resources.ts";
import { revoke } from "./revoke.ts";
import { token } from "./token.ts";

/** What the authorization server is built from. */
export interface OAuthParts {
  callOf: CallOf;
  /** Read at each request: the port is known only after listening. */
  sites: () => Sites;
  browsers: Browsers;
  grants: Grants;
  log: Log;
  creditsOf(userId: string): CreditsShown;
  /** Whether a caller is on this computer and nobody else can reach the server. */
  isLocal(address: string): boolean;
}

/** The authorization server: one line an endpoint. */
export function oauth({ callOf, sites, browsers, grants, log, creditsOf, isLocal }: OAuthParts) {
  const { clients, redirects, requests, codes, tokens } = grants;
  const scope = SCOPE;
  const resources = createResources(sites);
  const { documents } = grants;
  const finder = createClientFinder({ clients, redirects, documents });
  const known = { find: finder.forToken };
  const raw = { parse: "none" } as const;
  return new Elysia({ name: "oauth" })
    .all("/.well-known/*", wellKnown({ callOf, resources, scope, documents: documents !== null }), raw)
    .all(ENDPOINTS.register, register({ callOf, clients, redirects, scope, isLocal }), raw)
    .all(
      ENDPOINTS.authorize,
      authorize({
        callOf,
        browsers,
        findClient: finder.forAuthorization,
        redirects,
        requests,
        resources,
        scope,
        creditsOf,
      }),
      raw,
    )
    .all(ENDPOINTS.consent, consent({ callOf, browsers, requests, log, creditsOf }), raw)
    .all(ENDPOINTS.token, token({ clients: known, codes, tokens, resources, scope, log }), raw)
    .all(ENDPOINTS.revoke, revoke({ clients: known, tokens }), raw);
}
