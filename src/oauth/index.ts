import { ROUTES } from "../http/routes.ts";
import { Elysia } from "elysia";
import type { SessionCookies } from "../http/session-cookies.ts";
import { READ_SCOPE } from "../accounts/credentials.ts";
import type { Grants } from "../accounts/oauth/index.ts";
import type { Log } from "../log.ts";
import type { ContextOf, ServerUrls } from "../http/base-urls.ts";
import { authorization } from "./authorize.ts";
import { createRequestCookies } from "./carried.ts";
import { consent } from "./consent.ts";
import type { CreditsShown } from "./consent-page.ts";
import { createClientFinder } from "./find-client.ts";
import { wellKnown } from "./metadata.ts";
import { register } from "./register.ts";
import { createResources } from "./resources.ts";
import { revoke } from "./revoke.ts";
import { token } from "./token.ts";

export interface OAuthDeps {
  contextOf: ContextOf;
  /** The current base URLs; the port is known only after listening. */
  serverUrls: () => ServerUrls;
  sessionCookies: SessionCookies;
  grants: Grants;
  log: Log;
  creditsOf(userId: string): Promise<CreditsShown>;
  /** Whether the caller is on this computer and the server cannot be reached from any other. */
  isLocal(address: string): boolean;
}

/** The authorization server's routes. */
export function oauth({ contextOf, serverUrls, sessionCookies, grants, log, creditsOf, isLocal }: OAuthDeps) {
  const { clients, redirects, requests, codes, tokens } = grants;
  const scope = READ_SCOPE;
  const resources = createResources(serverUrls);
  const { documents } = grants;
  const finder = createClientFinder({ clients, redirects, documents });
  const known = { find: finder.forToken };
  const raw = { parse: "none" } as const;
  const { endpoint, carries, resume } = authorization({
    contextOf,
    sessionCookies,
    requestCookies: createRequestCookies(sessionCookies, grants.carriedRequests),
    findClient: finder.forAuthorization,
    keepClient: finder.keep,
    noteAsked: (id) => clients.noteAsked(id),
    redirects,
    requests,
    resources,
    scope,
    creditsOf,
  });
  return new Elysia({ name: "oauth" })
    .all(
      ROUTES.wellKnown.path,
      wellKnown({ contextOf, resources, scope, documents: documents !== null }),
      raw,
    )
    .all(ROUTES.register.path, register({ contextOf, clients, redirects, scope, isLocal }), raw)
    .all(ROUTES.authorize.path, endpoint, raw)
    .all(
      ROUTES.consent.path,
      consent({ contextOf, sessionCookies, requests, carries, resume, log, creditsOf }),
      raw,
    )
    .all(ROUTES.token.path, token({ contextOf, clients: known, codes, tokens, resources, scope, log }), raw)
    .all(ROUTES.revoke.path, revoke({ contextOf, clients: known, tokens }), raw);
}
