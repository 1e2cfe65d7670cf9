import type { Clients } from "../accounts/oauth/clients.ts";
import type { Tokens } from "../accounts/oauth/tokens.ts";
import type { ContextOf } from "../http/base-urls.ts";
import { authenticateClient } from "./client-auth.ts";
import { CORS, OAuthError, endpoint } from "./errors.ts";
import { readForm } from "./form.ts";

/**
 * `POST /oauth/revoke`: a refresh token ends the whole connection, an access token only itself. Unknown and foreign
 * tokens receive the same response.
 *
 * @see RFC 7009 section 2
 */
export function revoke({
  contextOf,
  clients,
  tokens,
}: {
  contextOf: ContextOf;
  clients: Pick<Clients, "find">;
  tokens: Tokens;
}) {
  return endpoint(async (request) => {
    const form = await readForm(request, contextOf(request));
    const client = await authenticateClient(request, form, clients);
    const token = form.get("token");
    if (token === undefined) throw new OAuthError("invalid_request", "The parameter token is missing.");
    await tokens.revoke(token, client.id);
    return new Response(null, { status: 200, headers: { ...CORS, "cache-control": "no-store" } });
  });
}
