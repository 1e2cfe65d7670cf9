import { Elysia } from "elysia";
import { ROUTES } from "../http/routes.ts";
import { Authorization } from "./authorize.ts";
import { register } from "./clients.ts";
import type { OAuthDeps } from "./endpoint.ts";
import { wellKnown } from "./metadata.ts";
import { revoke, token } from "./token.ts";

/** The authorization server's routes. */
export function oauth(deps: OAuthDeps) {
  const raw = { parse: "none" } as const;
  const authorization = new Authorization(deps);
  return new Elysia({ name: "oauth" })
    .all(ROUTES.wellKnown.path, wellKnown(deps), raw)
    .all(ROUTES.register.path, register(deps), raw)
    .all(ROUTES.authorize.path, authorization.authorize, raw)
    .all(ROUTES.consent.path, authorization.consent, raw)
    .all(ROUTES.token.path, token(deps), raw)
    .all(ROUTES.revoke.path, revoke(deps), raw);
}
