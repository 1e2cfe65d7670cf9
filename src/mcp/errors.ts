import { type RefusalKind, ServiceError } from "../errors.ts";
import { type ErrorStatus, envelope, refusal } from "../http.ts";
import { type Purchase, refusalHeaders, STATUS } from "../refusals.ts";
import type { McpEndpoint } from "../base-urls.ts";
import { challenge, scopeChallenge } from "./challenge.ts";

/** What a model can act on, and is told as a tool's result; the rest is an HTTP answer for the client. */
const FOR_THE_MODEL: ReadonlySet<RefusalKind> = new Set<RefusalKind>([
  "invalid_parameter",
  "payment_required",
  "unknown_company",
  "stale_cursor",
  "unavailable",
]);

/** A refusal in the flat envelope, the same body as on REST. */
export interface ErrorBody {
  status: ErrorStatus;
  body: Record<string, unknown>;
}

/** Whether a refusal is for the model, as a tool's result; else it is an HTTP answer for the client. */
export function isForTheModel({ kind }: ServiceError): boolean {
  return FOR_THE_MODEL.has(kind);
}

/** What is said of a refusal; anything else that was thrown is a bug of ours, of which nothing is told. */
export function errorBody(refused: unknown, purchase: Purchase): ErrorBody {
  if (!(refused instanceof ServiceError)) {
    return { status: 500, body: envelope(500, "Internal error. Please report it to the operator.") };
  }
  const status = STATUS[refused.kind];
  return { status, body: envelope(status, refused.message, status === 402 ? { purchase } : {}) };
}

/** What is said beside a challenge to sign in; elsewhere a key is the only way. */
const SIGN_IN = "Sign in (Authorization: Bearer), or send an API key in the X-API-KEY header.";

/** The refusal as an HTTP answer, with the challenge that its status asks for. */
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
