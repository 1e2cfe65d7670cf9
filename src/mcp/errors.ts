import { type RefusalKind, ServiceError } from "../errors.ts";
import { type ErrorStatus, envelope, refusal, rateLimitHeaders } from "../http.ts";
import type { McpEndpoint } from "../base-urls.ts";
import { challenge, scopeChallenge } from "./challenge.ts";

/** How MCP says a refusal: to the model as a tool's result, or to the client as an HTTP answer. */
interface ErrorAnswer {
  status: ErrorStatus;
  as: "result" | "http";
}

/** Every kind of refusal; a new one does not compile until it stands here. */
const ERROR_ANSWERS: Readonly<Record<RefusalKind, ErrorAnswer>> = {
  invalid_parameter: { status: 400, as: "result" },
  payment_required: { status: 402, as: "result" },
  unknown_company: { status: 404, as: "result" },
  stale_cursor: { status: 410, as: "result" },
  unavailable: { status: 503, as: "result" },
  two_credentials: { status: 400, as: "http" },
  unauthenticated: { status: 401, as: "http" },
  forbidden: { status: 403, as: "http" },
  insufficient_scope: { status: 403, as: "http" },
  no_route: { status: 404, as: "http" },
  wrong_method: { status: 405, as: "http" },
  too_large: { status: 413, as: "http" },
  unsupported_media: { status: 415, as: "http" },
  rate_limited: { status: 429, as: "http" },
};

/** Seconds to wait where a refusal names none. */
const UNAVAILABLE_SECONDS = 5;

/** What the 402 body says besides error and message. */
export interface Purchase {
  status: string;
  /** Address of the developer page. */
  url: string;
}

/** A refusal in the flat envelope, the same body as on REST. */
export interface ErrorBody {
  status: ErrorStatus;
  body: Record<string, unknown>;
}

/** Whether a refusal is for the model, as a tool's result; else it is an HTTP answer for the client. */
export function isForTheModel({ kind }: ServiceError): boolean {
  return ERROR_ANSWERS[kind].as === "result";
}

/** What is said of a refusal; anything else that was thrown is a bug of ours, of which nothing is told. */
export function errorBody(refused: unknown, purchase: Purchase): ErrorBody {
  if (!(refused instanceof ServiceError)) {
    return { status: 500, body: envelope(500, "Internal error. Please tell the operator.") };
  }
  const { status } = ERROR_ANSWERS[refused.kind];
  return { status, body: envelope(status, refused.message, status === 402 ? { purchase } : {}) };
}

/** Whole seconds to wait before what is refused now may be answered; null where waiting does not help. */
export function retryAfterSeconds({ kind, details }: ServiceError): number | null {
  const { status } = ERROR_ANSWERS[kind];
  return status === 429 || status === 503 ? (details.retryAfterSeconds ?? UNAVAILABLE_SECONDS) : null;
}

/** What is said beside a challenge to sign in; elsewhere a key is the only way. */
const SIGN_IN = "Sign in (Authorization: Bearer), or send an API key in the X-API-KEY header.";

/** The refusal as an HTTP answer, with the challenge that its status asks for. */
export function errorResponse(refused: ServiceError, endpoint: McpEndpoint): Response {
  const { status } = ERROR_ANSWERS[refused.kind];
  const { details } = refused;
  const headers: Record<string, string> = rateLimitHeaders(details.window);
  if (refused.kind === "unauthenticated")
    headers["www-authenticate"] = challenge(details.presented, endpoint);
  if (refused.kind === "insufficient_scope") headers["www-authenticate"] = scopeChallenge(endpoint);
  if (details.allow !== undefined) headers["allow"] = details.allow;
  const wait = retryAfterSeconds(refused);
  if (wait !== null) headers["retry-after"] = String(wait);
  const isMissing = refused.kind === "unauthenticated" && details.presented === "none" && endpoint.eager;
  return refusal(status, isMissing ? SIGN_IN : refused.message, headers);
}
