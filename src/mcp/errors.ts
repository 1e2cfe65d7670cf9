import { type RefusalKind, ServiceError } from "../errors.ts";
import {
  envelope,
  type ErrorStatus,
  type Purchase,
  refusal,
  refusalHeaders,
  STATUS,
} from "../http/responses.ts";
import type { McpEndpoint } from "../http/base-urls.ts";
import { challenge, scopeChallenge } from "./challenge.ts";

/** Refusals that a model can act on become tool results; others are HTTP responses for the client. */
const FOR_THE_MODEL: ReadonlySet<RefusalKind> = new Set<RefusalKind>([
  "invalid_parameter",
  "payment_required",
  "unknown_company",
  "stale_cursor",
  "unavailable",
]);

/** A refusal in the flat envelope, as in REST. */
export interface ErrorBody {
  status: ErrorStatus;
  body: Record<string, unknown>;
}

/** Whether a refusal becomes a tool result for the model rather than an HTTP response for the client. */
export function isForTheModel({ kind }: ServiceError): boolean {
  return FOR_THE_MODEL.has(kind);
}

/** The status and body of an error. Errors other than refusals are bugs, and their details are not disclosed. */
export function errorBody(refused: unknown, purchase: Purchase): ErrorBody {
  if (!(refused instanceof ServiceError)) {
    return { status: 500, body: envelope(500, "Internal error. Please report it to the operator.") };
  }
  const status = STATUS[refused.kind];
  if (status !== 402) return { status, body: envelope(status, refused.message) };
  // Models pass on the sentence rather than the member.
  return { status, body: envelope(402, `${refused.message} Developer page: ${purchase.url}`, { purchase }) };
}

/** The message with a challenge on endpoints where signing in is required. */
const SIGN_IN = "Sign in (Authorization: Bearer), or send an API key in the X-API-KEY header.";

/** A refusal as an HTTP response, with the challenge of its status. */
export function errorResponse(refused: ServiceError, endpoint: McpEndpoint): Response {
  const status = STATUS[refused.kind];
  const { details } = refused;
  const headers = refusalHeaders(refused);
  if (refused.kind === "unauthenticated")
    headers["www-authenticate"] = challenge(details.presented, endpoint);
  if (refused.kind === "insufficient_scope") headers["www-authenticate"] = scopeChallenge(endpoint);
  const isMissing = refused.kind === "unauthenticated" && details.presented === "none" && endpoint.eager;
  return refusal(status, isMissing ? SIGN_IN : refused.message, headers);
}
