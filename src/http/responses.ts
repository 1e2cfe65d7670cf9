import { type Edition, editionName } from "../domain/edition.ts";
import { invalid, OperatorError, type RefusalKind, ServiceError, type WindowState } from "../errors.ts";

/** The `error` names of the flat envelope by status, from `docs/contract.md` ("Errors") or HTTP. */
const ERROR_NAMES = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

/** Statuses of refusals. */
export type ErrorStatus = keyof typeof ERROR_NAMES;

/** The flat envelope: exactly `error` and `message`, plus what the contract adds at 402. */
export function envelope(status: ErrorStatus, message: string, extra: object = {}): Record<string, unknown> {
  return { error: ERROR_NAMES[status], message, ...extra };
}

/** Headers by name. */
export type HeaderFields = Readonly<Record<string, string>>;

/** A response body. */
export type AnswerBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | Blob;

/** Longest body sent as bytes; Bun keeps a copy of these for each client that is slow to read. */
const MAX_PLAIN_BYTES = 64 * 1024;

/**
 * A response body from memory. Longer ones are sent as a `Blob`, which all clients share: 1,000 clients that never read
 * 1.3 MB take 5 MB of memory this way, and 395 MB as bytes.
 */
export function memoryBody(bytes: Uint8Array<ArrayBuffer>): AnswerBody {
  return bytes.length <= MAX_PLAIN_BYTES ? bytes : new Blob([bytes]);
}

/** The same for bytes that are kept and answer many: a blob copies its bytes, so they have one. */
export function keptBodies(): typeof memoryBody {
  const bodies = new WeakMap<Uint8Array, AnswerBody>();
  return (bytes) => {
    const body = bodies.get(bytes) ?? memoryBody(bytes);
    bodies.set(bytes, body);
    return body;
  };
}

/** Bun sends up to 16 KiB, head included, in one piece; 1 KiB is reserved for the head. */
const ONE_PIECE_BYTES = 15 * 1024;

/**
 * The body of a response sent after a wait (for a charge to reach disk). Bun 1.4.5 sends such responses above 16 KiB
 * with one system call per piece of the head, 30 to 40 in all: 51 us of CPU for 32 kB, compared to 14 us as a one-chunk
 * stream, which takes two calls. Responses without a wait are best sent as bytes, whatever their length.
 */
export function streamedBody(bytes: Uint8Array<ArrayBuffer>): AnswerBody {
  if (!shouldStream(bytes)) return bytes;
  return new ReadableStream<Uint8Array>({
    pull(stream) {
      stream.enqueue(bytes);
      stream.close();
    },
  });
}

/** Whether a response sent after a wait should be a stream. */
function shouldStream({ length }: Uint8Array): boolean {
  return length > ONE_PIECE_BYTES;
}

/** Whether the method carries no body. A body sent with GET is ignored. */
export function hasNoBody({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * Reads a request body. Refuses with `too_large` as soon as the declared or received length exceeds `maxBytes`, without
 * reading further; refuses a truncated body with `invalid_parameter`.
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new ServiceError("too_large", `The body exceeds ${maxBytes} bytes.`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let received = 0;
  try {
    // A body with a declared length cannot be longer, so it is read in one piece.
    if (request.headers.has("content-length")) return new Uint8Array(await request.arrayBuffer());
    for await (const chunk of request.body ?? []) {
      received += chunk.byteLength;
      if (received > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw invalid("The body is malformed, or incomplete.");
  }
  return Bun.concatArrayBuffers(chunks, Infinity, true);
}

/** The 404 message, with the path cut to 200 characters. */
export function nothingServedAt(pathname: string): string {
  return `Nothing found at ${pathname.slice(0, 200)}.`;
}

/** A refusal as an HTTP response: flat envelope, never cached. */
export function refusal(
  status: ErrorStatus,
  message: string,
  headers: HeaderFields = {},
  extra: object = {},
): Response {
  return new Response(JSON.stringify(envelope(status, message, extra)), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

/**
 * The rate-limit headers of a counted response.
 * @see draft-ietf-httpapi-ratelimit-headers-11
 */
export function rateLimitHeaders(window: WindowState | null | undefined): Record<string, string> {
  if (window === null || window === undefined) return {};
  return { "ratelimit-policy": rateLimitPolicyHeader(window), ratelimit: rateLimitHeader(window) };
}

/** The `RateLimit-Policy` header. */
export function rateLimitPolicyHeader({ name, quota, windowSeconds }: WindowState): string {
  return `"${name}";q=${quota};w=${windowSeconds}`;
}

/** The `RateLimit` header: remaining requests and seconds until reset. */
export function rateLimitHeader({ name, remaining, resetSeconds }: WindowState): string {
  return `"${name}";r=${remaining};t=${resetSeconds}`;
}

/** What a response cost and the remaining credits; empty for callers without credits or metering. */
export function creditHeaders(
  receipt: { charged: number; remaining: number | null } | null | undefined,
): Record<string, string> {
  if (receipt === null || receipt === undefined || receipt.remaining === null) return {};
  return { "credits-charged": String(receipt.charged), "credits-remaining": String(receipt.remaining) };
}

/** The `Newer-Filing` header: accession number with form and date, as a structured field. @see RFC 9651 */
export function newerFilingHeader(filing: {
  accession: string;
  form: string | null;
  filingDate: string;
}): string {
  const form = filing.form === null ? "" : `;form="${filing.form.replaceAll(/["\\]/g, "")}"`;
  return `"${filing.accession}"${form};filing_date="${filing.filingDate}"`;
}

/** The `Dataset` header: the edition a response was computed from, and its content hash. */
export function datasetHeader(dataset: Edition & { contentHash: string }): string {
  return `${editionName(dataset)} ${dataset.contentHash}`;
}

/** Whether `Accept` ranks `text/html` at least as high as JSON, as browsers do. */
export function prefersHtml(accept: string | null): boolean {
  if (accept === null || !accept.includes("text/html")) return false;
  const weights = new Map(
    accept.split(",").map((range) => {
      const [kind = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
      return [kind, Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1)];
    }),
  );
  const html = weights.get("text/html") ?? 0;
  return html > 0 && html >= (weights.get("application/json") ?? 0);
}

/** Whether a refusal should be a page: the client prefers HTML, outside the API. */
export function wantsPage(request: Request): boolean {
  return (
    prefersHtml(request.headers.get("accept")) &&
    !/^\/(api|mcp|oauth|export)\b/.test(new URL(request.url).pathname)
  );
}

/** The parameters of a query string, encoded: all values of each name, in order. */
export function parameters(search: string): Map<string, string[]> {
  const given = new Map<string, string[]>();
  // Most have nothing to decode; `URLSearchParams` takes several times as long.
  const pairs = /[%+]/.test(search) ? new URLSearchParams(search) : plainPairs(search);
  for (const [name, value] of pairs) given.getOrInsert(name, []).push(value);
  return given;
}

function plainPairs(search: string): [name: string, value: string][] {
  const pairs = (search.startsWith("?") ? search.slice(1) : search).split("&");
  return pairs.filter(Boolean).map((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
  });
}

/** A decoded path segment, or the raw one if its escapes are malformed. Index 1 is the first segment. */
export function pathSegment(pathname: string, index: number): string {
  let from = 0;
  for (let slash = 0; slash < index && from >= 0; slash++) from = pathname.indexOf("/", from) + 1 || -1;
  if (from < 0) return "";
  const end = pathname.indexOf("/", from);
  const segment = end < 0 ? pathname.slice(from) : pathname.slice(from, end);
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * The address a request is counted under: the peer's or, behind trusted proxies, the last address in `X-Forwarded-For`
 * that is not a trusted proxy. IPv6 addresses count by /64, IPv4-mapped ones as IPv4.
 *
 * @param trusted whether an address is a configured proxy
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  trusted: (address: string) => boolean,
): string {
  let address = plainAddress(peer);
  if (forwardedFor !== null && trusted(address)) {
    for (const hop of forwardedFor.split(",").reverse()) {
      const next = plainAddress(hop.trim());
      // Not an address, so not written by a proxy.
      if (next.length > MAX_ADDRESS || net().isIP(next) === 0) break;
      address = next;
      if (!trusted(address)) break;
    }
  }
  return networkOf(address);
}

/** `node:net`, loaded lazily: only proxy look-ups need it, startup does not (docs/decisions/executable.md). */
const net = () => process.getBuiltinModule("node:net");

/** The peer address of requests over a Unix socket; anyone who can open it is a trusted proxy. */
export const SOCKET_PEER = "unix";

/** Whether an address from `clientAddress` is this computer. */
export function isLoopbackClient(address: string): boolean {
  return address.startsWith("127.") || address === networkOf("::1");
}
const PLAIN_IPV4 = /^[\d.]+$/;

/** Longer text is not an address with a port and a zone. */
const MAX_ADDRESS = 100;

/** An address without port and zone, IPv6 compressed, and an IPv4 address as one however it is mapped into IPv6. */
function plainAddress(text: string): string {
  if (PLAIN_IPV4.test(text) || text.length > MAX_ADDRESS) return text;
  const address = text
    .replace(/^\[([^\]]*)\](:\d*)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d*$/, "$1")
    .replace(/%.*$/, "");
  const { isIPv6, SocketAddress } = net();
  // The parser reads more than addresses, so it is given nothing else.
  const compressed = isIPv6(address) ? SocketAddress.parse(`[${address}]`)?.address : undefined;
  return compressed?.replace(/^::ffff:(?=\d+\.)/, "") ?? address;
}

function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0");
  const groups = [...front, ...gap, ...back].map((group) => group.replace(/^0+(?=.)/, ""));
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/**
 * Returns a test for membership in a list of addresses and CIDR networks.
 * @throws OperatorError for an entry that is neither
 */
export function addressMatcher(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => false;
  const { BlockList, isIP } = net();
  const list = new BlockList();
  for (const entry of entries) {
    const [given = "", length] = entry.split("/");
    const address = plainAddress(given);
    const isMapped = isIP(given) === 6 && isIP(address) === 4;
    const bits =
      isMapped && length !== undefined
        ? String(Number(length) - 96)
        : (length ?? (isIP(address) === 6 ? "128" : "32"));
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits))
      throw new OperatorError(
        `Cannot read --trusted-proxies ${JSON.stringify(entry)}: expected an address or a network such as 10.0.0.0/8.`,
      );
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return (address) => {
    const family = address.length > MAX_ADDRESS ? 0 : isIP(address);
    return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
  };
}

/**
 * Content security policy of pages: only our own stylesheet, scripts and images. Without `form-action`, which browsers
 * also apply to redirects after a POST and would block OAuth's redirect to the client.
 */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; script-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The policy of pages with the search box, whose script fetches suggestions from this server. */
export const SEARCH_PAGE_POLICY = `${PAGE_POLICY}; connect-src 'self'`;

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": PAGE_POLICY,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

/** An HTML response. Not cached unless `headers` say so. */
export function pageResponse(body: AnswerBody, status = 200, headers: HeaderFields = {}): Response {
  return new Response(body, { status, headers: { ...PAGE_HEADERS, ...headers } });
}

/**
 * A page of sign-in or of the authorization server. An application may open it in a popup and watch it close, which the
 * opener policy of other pages would prevent; against misuse of that handle there are `frame-ancestors`, CSRF tokens and
 * no scripts.
 */
export function popupResponse(body: string, status = 200, headers: HeaderFields = {}): Response {
  return pageResponse(body, status, { "cross-origin-opener-policy": "unsafe-none", ...headers });
}

/** Appends `Set-Cookie` lines to a response. */
export function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append("set-cookie", cookie);
  return answer;
}

/** Sets headers of a response. */
export function withHeaders(response: Response, headers: HeaderFields): Response {
  for (const name in headers) response.headers.set(name, headers[name] ?? "");
  return response;
}

/** A redirect to a validated address, with the cookies a form set or cleared. Neither cached nor sent as a referrer. */
export function redirectTo(
  location: string,
  cookies: readonly string[] = [],
  status: 302 | 303 = 303,
): Response {
  const headers = { location, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return withCookies(new Response(null, { status, headers }), cookies);
}

/** The status of each kind of refusal. */
export const STATUS: Readonly<Record<RefusalKind, ErrorStatus>> = {
  invalid_parameter: 400,
  two_credentials: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  insufficient_scope: 403,
  unknown_company: 404,
  conflict: 409,
  stale_cursor: 410,
  no_route: 404,
  wrong_method: 405,
  too_large: 413,
  slow_body: 408,
  unsupported_media: 415,
  rate_limited: 429,
  unavailable: 503,
};

/** Default `Retry-After`, in seconds. */
const UNAVAILABLE_SECONDS = 5;

/** The `purchase` member of a 402 body. */
export interface Purchase {
  status: string;
  /** URL of the developer page. */
  url: string;
}

/** Whole seconds to wait before retrying; null where waiting does not help. */
export function retryAfterSeconds({ kind, details }: ServiceError): number | null {
  const status = STATUS[kind];
  return status === 429 || status === 503 ? (details.retryAfterSeconds ?? UNAVAILABLE_SECONDS) : null;
}

/** Headers of a refusal that are the same on all surfaces: rate limit, credits, `Allow`, `Retry-After`. */
export function refusalHeaders(refused: ServiceError): Record<string, string> {
  const { allow, receipt, window } = refused.details;
  const headers: Record<string, string> = { ...rateLimitHeaders(window), ...creditHeaders(receipt) };
  if (allow !== undefined) headers["allow"] = allow;
  const wait = retryAfterSeconds(refused);
  if (wait !== null) headers["retry-after"] = String(wait);
  return headers;
}

/** The message, status and headers of a refusal; rethrows anything that is not a `ServiceError`. */
export function refusalOf(refused: unknown) {
  if (!(refused instanceof ServiceError)) throw refused;
  return { message: refused.message, status: STATUS[refused.kind], headers: refusalHeaders(refused) };
}
