import type { Client, Clients } from "../accounts/oauth/clients.ts";
import { type Documents, isDocumentId, reasonAgainstId } from "../accounts/oauth/documents.ts";
import type { RedirectPolicy } from "../accounts/oauth/redirects.ts";
import { OAuthError } from "./errors.ts";
import { readMetadata } from "./register.ts";

/** Finds the client of a request. */
export interface ClientFinder {
  /**
   * A registered client, or one described by a metadata document; undefined if unknown.
   *
   * @throws OAuthError `invalid_client` with the reason if a document cannot be used
   */
  forAuthorization(id: string, address: string): Promise<Client | undefined>;
  /** Stores the client of a metadata document, once a signed-in person uses it. */
  keep(client: Client, address: string): Promise<void>;
  /** The client of a token or revocation request. Uses the stored metadata; never fetches a document. */
  forToken(id: string): Promise<Client | undefined>;
}

/** @param deps.documents null if metadata documents are off, so that URLs are not valid client ids */
export function createClientFinder(deps: {
  clients: Clients;
  redirects: RedirectPolicy;
  documents: Documents | null;
}): ClientFinder {
  const { clients, redirects, documents } = deps;
  return {
    async forAuthorization(id, address) {
      if (!isDocumentId(id)) return clients.find(id);
      if (documents === null) return undefined;
      const against = reasonAgainstId(id);
      if (against !== undefined) throw unusable(against);
      const answer = await documents.read(id, address);
      if (!answer.ok) throw unusable(UNREADABLE);
      const metadata = readDocument(id, answer.document, redirects);
      return { ...metadata, id, kind: "document", secretHash: null, createdAtMs: 0 };
    },
    async keep(client, address) {
      if (client.kind === "document") await clients.keepDocument(client.id, client, address);
    },
    forToken: async (id) => (documents === null && isDocumentId(id) ? undefined : clients.find(id)),
  };
}

/** One message for all failures, so that callers cannot use us to probe other hosts. */
const UNREADABLE =
  "it could not be read. Its URL must be on the public internet and answer within 5 seconds with JSON of at most 5 KiB";

/** @see draft-ietf-oauth-client-id-metadata-document section 4 */
function readDocument(id: string, document: Record<string, unknown>, redirects: RedirectPolicy) {
  if (document["client_id"] !== id) throw unusable("its client_id is not its own URL");
  if (typeof document["client_name"] !== "string") throw unusable("it has no client_name");
  if ("client_secret" in document || "client_secret_expires_at" in document) {
    throw unusable("it contains a secret, but documents are public");
  }
  const offered = document["token_endpoint_auth_methods_supported"];
  const preferred = document["token_endpoint_auth_method"] ?? "none";
  // ChatGPT prefers a signed assertion, but also offers `none`.
  if (preferred !== "none" && !(Array.isArray(offered) && offered.includes("none"))) {
    throw unusable("it cannot be a public client: token_endpoint_auth_method must be none");
  }
  try {
    const asked = { ...document, token_endpoint_auth_method: "none" };
    return readMetadata(asked, redirects, new URL(id).host);
  } catch (refused) {
    if (refused instanceof OAuthError) throw unusable(refused.description);
    throw refused;
  }
}

function unusable(reason: string): OAuthError {
  return new OAuthError(
    "invalid_client",
    `The application's metadata document cannot be used: ${reason.replace(/\.$/, "")}.`,
  );
}
