import type { CallToolResult } from "@modelcontextprotocol/server";
import { READ_SCOPE } from "../accounts/credentials.ts";
import { type RefusalDetails, type RefusalKind, ServiceError } from "../errors.ts";
import {
  envelope,
  type Purchase,
  refusal,
  refusalHeaders,
  retryAfterSeconds,
  STATUS,
} from "../http/refusals.ts";
import { creditHeaders, rateLimitHeaders } from "../http/headers.ts";
import type { McpEndpoint } from "../http/base-urls.ts";

/** A tool's result, and the headers of the HTTP response that carries it. */
export interface ToolAnswer {
  result: CallToolResult;
  headers: Readonly<Record<string, string>>;
}

/** What a tool says: texts for the model, and for a success the same as structured content. */
export type ToolContent = Pick<CallToolResult, "content" | "structuredContent">;

/** A success that the operations did not answer, such as a table of SQL. Free. */
export function freeAnswer(content: ToolContent, headers: ToolAnswer["headers"]): ToolAnswer {
  return { result: content, headers };
}

/** An error, with the flat envelope as its text: structured content would violate the declared schema. */
export function errorAnswer(
  body: object,
  meta: CallToolResult["_meta"],
  headers: ToolAnswer["headers"] = {},
): ToolAnswer {
  return { result: { content: [textBlock(JSON.stringify(body))], isError: true, _meta: meta }, headers };
}

const decoder = new TextDecoder();

/** Decodes UTF-8. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** A success whose first text is the JSON of its structured content, followed by notes for the model. */
export function jsonContent(body: string, notes: readonly string[] = []): ToolContent {
  // A body of an operation, or built by a tool: an object.
  return contentOf([body, ...notes], JSON.parse(body) as object);
}

/** A success whose texts differ from its structured content. */
export function contentOf(texts: readonly string[], structured: object): ToolContent {
  return { content: texts.map(textBlock), structuredContent: { ...structured } };
}

/** A text of a result. */
export function textBlock(text: string) {
  return { type: "text", text } as const;
}

/** Refusals that a model can act on become tool results; others are HTTP responses for the client. */
export const FOR_THE_MODEL: ReadonlySet<RefusalKind> = new Set<RefusalKind>([
  "invalid_parameter",
  "payment_required",
  "unknown_company",
  "stale_cursor",
  "unavailable",
]);

/**
 * An error as a result. Errors other than refusals are bugs, and their details are not disclosed.
 * @param more what the model is told besides
 */
export function refusalAnswer(refused: unknown, purchase: Purchase, more = ""): ToolAnswer {
  if (!(refused instanceof ServiceError)) {
    const body = envelope(500, "Internal error. Please report it to the operator.");
    return errorAnswer(body, { http_status: 500 });
  }
  const status = STATUS[refused.kind];
  const body =
    status === 402
      ? // Models pass on the sentence rather than the member.
        envelope(402, `${refused.message} Developer page: ${purchase.url}`, { purchase })
      : envelope(status, refused.message + more);
  const wait = retryAfterSeconds(refused);
  const meta = { http_status: status, ...(wait === null ? {} : { retry_after_seconds: wait }) };
  const { window, receipt } = refused.details;
  return errorAnswer(body, meta, { ...rateLimitHeaders(window), ...creditHeaders(receipt) });
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
  // A 403: the token is valid, but its scope is insufficient (RFC 6750, section 3.1).
  if (refused.kind === "insufficient_scope")
    headers["www-authenticate"] =
      `Bearer error="insufficient_scope", error_description="The access token lacks the scope ${READ_SCOPE}", resource_metadata="${endpoint.metadataUrl}", scope="${READ_SCOPE}"`;
  const isMissing = refused.kind === "unauthenticated" && details.presented === "none" && endpoint.eager;
  return refusal(status, isMissing ? SIGN_IN : refused.message, headers);
}

/**
 * The `WWW-Authenticate` header of a 401, depending on the credential sent. `Bearer` is the first and only challenge,
 * because clients read the first scheme. An invalid API key receives no Bearer challenge, or VS Code would sign in and
 * then send both.
 * @see test/contract/protocols.md, 2.4 and 2.6
 */
export function challenge(
  presented: RefusalDetails["presented"] = "none",
  { metadataUrl }: McpEndpoint,
): string {
  if (presented === "key") return 'ApiKey realm="executive-compensation"';
  const where = `resource_metadata="${metadataUrl}", scope="${READ_SCOPE}"`;
  if (presented === "token")
    return `Bearer error="invalid_token", error_description="The access token is expired, revoked or unknown", ${where}`;
  // Without a credential there is no error to name (RFC 6750, section 3.1).
  return `Bearer ${where}`;
}

/**
 * Whether a client reads the challenge only in the result (the ChatGPT family). Both names are unverified; they affect
 * only the form of an answer, not its contents.
 */
export function readsChallengeInBand(userAgent: string | null, clientName: string | undefined): boolean {
  return /openai|chatgpt/i.test(`${userAgent ?? ""} ${clientName ?? ""}`);
}
