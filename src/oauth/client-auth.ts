import { hashSecret } from "../accounts/credentials.ts";
import type { Client, Clients } from "../accounts/oauth/clients.ts";
import { OAuthError } from "./errors.ts";
import type { Parameters } from "./form.ts";

/**
 * Authenticates the client of a request to the token or revocation endpoint, by its registered method.
 *
 * @throws OAuthError `invalid_client` (401), or `invalid_request` for two methods at once
 * @see RFC 6749 section 2.3, docs/protocols.md, K-1
 */
export async function authenticateClient(
  request: Request,
  form: Parameters,
  clients: Pick<Clients, "find">,
): Promise<Client> {
  const header = request.headers.get("authorization") ?? "";
  const basic = /^basic(\s|$)/i.test(header) ? readBasic(header) : null;
  const idInForm = form.get("client_id");
  const secretInForm = form.get("client_secret");
  if (basic !== null && secretInForm !== undefined) {
    throw new OAuthError(
      "invalid_request",
      "The client secret was sent twice: in the header and in the form.",
    );
  }
  if (basic !== null && idInForm !== undefined && idInForm !== basic.id) {
    throw new OAuthError("invalid_request", "The header and the form name different clients.");
  }
  const id = basic?.id ?? idInForm;
  if (id === undefined) throw refused(basic !== null, "client_id is missing.");
  const client = await clients.find(id);
  const used =
    basic !== null ? "client_secret_basic" : secretInForm !== undefined ? "client_secret_post" : "none";
  if (client === undefined || client.authMethod !== used) {
    throw refused(basic !== null, "Unknown client, or wrong client authentication.");
  }
  const secret = basic?.secret ?? secretInForm;
  if (
    client.secretHash !== null &&
    (secret === undefined || hashSecret(secret, "hex") !== client.secretHash)
  ) {
    throw refused(basic !== null, "Unknown client, or wrong client authentication.");
  }
  return client;
}

/** Id and secret are form-encoded inside the header. @see RFC 6749 section 2.3.1 */
function readBasic(header: string): { id: string; secret: string } {
  try {
    const bytes = Uint8Array.fromBase64(header.replace(/^basic\s*/i, "").trim());
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const colon = text.indexOf(":");
    if (colon < 1) throw new Error("no colon");
    const decode = (part: string) => decodeURIComponent(part.replaceAll("+", " "));
    return { id: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) };
  } catch {
    throw refused(true, "Cannot read the Basic credentials.");
  }
}

function refused(basic: boolean, description: string): OAuthError {
  const challenge: Record<string, string> = basic ? { "www-authenticate": 'Basic realm="execcomp"' } : {};
  return new OAuthError("invalid_client", description, 401, challenge);
}
