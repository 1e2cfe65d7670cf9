import { META_SERVER, type PlainCall, type ProtocolFamily } from "./plain.ts";
import { IMPLEMENTATION } from "./tools.ts";
import { READ_SCOPE } from "../accounts/credentials.ts";
import { type RefusalDetails, type RefusalKind, ServiceError } from "../errors.ts";
import {
  creditHeaders,
  envelope,
  type Purchase,
  rateLimitHeaders,
  refusal,
  refusalHeaders,
  retryAfterSeconds,
  STATUS,
} from "../http/responses.ts";
import { encode, joined } from "../operations/operation.ts";
import type { McpEndpoint } from "../http/base-urls.ts";

/** A tool's result, for both protocol families and both paths (fast path and protocol library). */
export interface ToolAnswer {
  /** JSON text of `content` and, for a success, `structuredContent`, without braces; shared, never modified. */
  members: Uint8Array<ArrayBuffer>;
  isError: boolean;
  /** Members of `_meta` in the result. */
  meta: Readonly<Record<string, unknown>>;
  /** Headers of the HTTP response. */
  headers: Readonly<Record<string, string>>;
  /** Whether the answer waited for a charge. */
  awaitedCharge: boolean;
}

/** A success that the operations did not answer, such as a table of SQL. Free. */
export function freeAnswer(members: ToolAnswer["members"], headers: ToolAnswer["headers"]): ToolAnswer {
  return { members, isError: false, meta: {}, headers, awaitedCharge: false };
}

/** An error, with the flat envelope as its text. */
export function errorAnswer(
  body: object,
  meta: ToolAnswer["meta"],
  headers: ToolAnswer["headers"] = {},
): ToolAnswer {
  // Text only: structured content would violate the declared schema.
  const members = encode(`"content":[${textBlock(JSON.stringify(body))}]`);
  return { members, isError: true, meta, headers, awaitedCharge: false };
}

const decoder = new TextDecoder();

/** Decodes UTF-8. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * The members of a success: the body as text, followed by notes for the model, and the body
 * again as structured content.
 *
 * @param body JSON text of the REST body
 */
export function successMembers(body: string, notes: readonly string[]): Uint8Array<ArrayBuffer> {
  return membersOf([body, ...notes], body);
}

/** The members of a success whose text differs from its structured content. @param structured JSON text of an object */
export function membersOf(texts: readonly string[], structured: string): Uint8Array<ArrayBuffer> {
  return encode(`"content":[${texts.map(textBlock).join(",")}],"structuredContent":${structured}`);
}

function textBlock(text: string): string {
  return `{"type":"text","text":${JSON.stringify(text)}}`;
}

/** The result as a value for the protocol library, which adds what its family requires. */
export function resultValue({ members, isError, meta }: ToolAnswer): Record<string, unknown> {
  // Built by the functions above: the members of an object.
  const parsed = JSON.parse(`{${decode(members)}}`) as Record<string, unknown>;
  if (isError) parsed["isError"] = true;
  if (Object.keys(meta).length > 0) parsed["_meta"] = meta;
  return parsed;
}

/** The complete JSON-RPC answer to a plain call, identical to the protocol library's. */
export function answerBody(
  { family, id }: PlainCall,
  { members, isError, meta }: ToolAnswer,
): Uint8Array<ArrayBuffer> {
  const before = encode(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{`);
  const after = encode(`${isError ? ',"isError":true' : ""}${metaMember(family, meta)}}}`);
  return joined([before, members, after]);
}

function metaMember(family: ProtocolFamily, meta: ToolAnswer["meta"]): string {
  if (family === "modern")
    return `,"_meta":${JSON.stringify({ ...meta, [META_SERVER]: IMPLEMENTATION })},"resultType":"complete"`;
  return Object.keys(meta).length === 0 ? "" : `,"_meta":${JSON.stringify(meta)}`;
}

/** Refusals that a model can act on become tool results; others are HTTP responses for the client. */
export const FOR_THE_MODEL: ReadonlySet<RefusalKind> = new Set<RefusalKind>([
  "invalid_parameter",
  "payment_required",
  "unknown_company",
  "stale_cursor",
  "unavailable",
]);

/** An error as a result. Errors other than refusals are bugs, and their details are not disclosed. */
export function refusalAnswer(refused: unknown, purchase: Purchase): ToolAnswer {
  if (!(refused instanceof ServiceError)) {
    const body = envelope(500, "Internal error. Please report it to the operator.");
    return errorAnswer(body, { http_status: 500 });
  }
  const status = STATUS[refused.kind];
  const body =
    status === 402
      ? // Models pass on the sentence rather than the member.
        envelope(402, `${refused.message} Developer page: ${purchase.url}`, { purchase })
      : envelope(status, refused.message);
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
 * @see docs/protocols.md, 2.4 and 2.6
 */
export function challenge(
  presented: RefusalDetails["presented"] = "none",
  { metadataUrl, eager }: McpEndpoint,
): string {
  if (presented === "key") return 'ApiKey realm="executive-compensation"';
  const where = `resource_metadata="${metadataUrl}", scope="${READ_SCOPE}"`;
  if (presented === "token")
    return `Bearer error="invalid_token", error_description="The access token is expired, revoked or unknown", ${where}`;
  // RFC 6750 omits the error code if no credential was sent; Claude's "lazy authentication" needs one on a tool call.
  if (eager) return `Bearer ${where}`;
  return `Bearer error="invalid_token", error_description="Sign in to read historical fiscal years", ${where}`;
}

/**
 * Whether a client reads the challenge only in the result (the ChatGPT family). Both names are unverified; they affect
 * only the form of an answer, not its contents.
 */
export function readsChallengeInBand(userAgent: string | null, clientName: string | undefined): boolean {
  return /openai|chatgpt/i.test(`${userAgent ?? ""} ${clientName ?? ""}`);
}
