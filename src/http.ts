import { OperatorError, ServiceError, type WindowState } from "./errors.ts";

/** The error names of the flat envelope, by status (`docs/contract.md`, "Errors", and those of HTTP for the rest). */
const ERROR_NAMES = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  410: "Gone",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

/** The statuses of refusals. */
export type ErrorStatus = keyof typeof ERROR_NAMES;

/** The flat envelope: exactly `error` and `message`, besides what the contract adds at 402. */
export function envelope(status: ErrorStatus, message: string, extra: object = {}): Record<string, unknown> {
  return { error: ERROR_NAMES[status], message, ...extra };
}

/** The body of an answer, as a `Response` takes it. */
export type AnswerBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | Blob;

/** Longest body that is sent as plain bytes, of which Bun keeps a copy for each reader that does not read. */
const MAX_PLAIN_BYTES = 64 * 1024;

/**
 * The body of an answer that is in memory. A longer one goes as a `Blob`, which all readers share: 1,000 readers of
 * 1.3 MB who never read cost 5 MB so, 395 MB as plain bytes.
 */
export function heldBody(bytes: Uint8Array<ArrayBuffer>): AnswerBody {
  return bytes.length <= MAX_PLAIN_BYTES ? bytes : new Blob([bytes]);
}

/** What Bun sends of an answer in one piece, head included; a KiB is left for the head. */
const ONE_PIECE_BYTES = 15 * 1024;

/**
 * The body of an answer that came after a wait (a charge on disk). Bun 1.4.5 sends such an answer above 16 KiB with a
 * system call for every piece of its head, 30 to 40 of them: 51 us of CPU for 32 kB, against 14 us as a stream of one
 * chunk, which goes out in two. What is answered at once is best sent as plain bytes, whatever its length.
 */
export function streamedBody(bytes: Uint8Array<ArrayBuffer>): AnswerBody {
  if (!isLongAfterWait(bytes)) return bytes;
  return new ReadableStream<Uint8Array>({
    pull(stream) {
      stream.enqueue(bytes);
      stream.close();
    },
  });
}

/** Whether an answer that came after a wait goes out as a stream. */
export function isLongAfterWait({ length }: Uint8Array): boolean {
  return length > ONE_PIECE_BYTES;
}

/** Whether a request is one that is read with its head. What a GET carries, nothing of ours looks at. */
export function hasNoBody({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

/** The refusal of a body that breaks off. */
export function brokenBody(): ServiceError {
  return new ServiceError("invalid_parameter", "The body is malformed, or incomplete.");
}

/**
 * The body of a request. What declares more than `maxBytes`, or turns out longer while it is read, is refused there and
 * then: nothing more of it is read. Refuses with `too_large`, and with `invalid_parameter` a body that breaks off.
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new ServiceError("too_large", `The body exceeds ${maxBytes} bytes.`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let received = 0;
  try {
    // What declares its length has no more than that, and is read in one piece.
    if (request.headers.has("content-length")) return new Uint8Array(await request.arrayBuffer());
    for await (const chunk of request.body ?? []) {
      received += chunk.byteLength;
      if (received > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw brokenBody();
  }
  return Bun.concatArrayBuffers(chunks, Infinity, true);
}

/** What is said of an address that no route has: as much of it as a person needs to see. */
export function nothingServedAt(pathname: string): string {
  return `Nothing is served at ${pathname.slice(0, 200)}.`;
}

/** A refusal as HTTP: flat envelope, never stored. */
export function refusal(
  status: ErrorStatus,
  message: string,
  headers: Record<string, string> = {},
  extra: object = {},
): Response {
  return new Response(JSON.stringify(envelope(status, message, extra)), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

/**
 * The headers of a counted answer.
 * @see draft-ietf-httpapi-ratelimit-headers-11
 */
export function rateLimitHeaders(window: WindowState | null | undefined): Record<string, string> {
  if (window === null || window === undefined) return {};
  return { "ratelimit-policy": rateLimitPolicyHeader(window), ratelimit: rateLimitHeader(window) };
}

/** The `RateLimit-Policy` of a window. */
export function rateLimitPolicyHeader({ name, quota, windowSeconds }: WindowState): string {
  return `"${name}";q=${quota};w=${windowSeconds}`;
}

/** The `RateLimit` of a window: what is left of it. */
export function rateLimitHeader({ name, remaining, resetSeconds }: WindowState): string {
  return `"${name}";r=${remaining};t=${resetSeconds}`;
}

/** What an answer cost a caller and what is left; nothing for who has no credits or is not metered. */
export function creditHeaders(
  receipt: { charged: number; remaining: number | null } | null | undefined,
): Record<string, string> {
  if (receipt === null || receipt === undefined || receipt.remaining === null) return {};
  return { "credits-charged": String(receipt.charged), "credits-remaining": String(receipt.remaining) };
}

/** The `Newer-Filing` of an answer: an accession number with its form and date, as a structured field. @see RFC 9651 */
export function newerFilingHeader(filing: {
  accession: string;
  form: string | null;
  filingDate: string;
}): string {
  const form = filing.form === null ? "" : `;form="${filing.form.replaceAll(/["\\]/g, "")}"`;
  return `"${filing.accession}"${form};filing_date="${filing.filingDate}"`;
}

/** The `Dataset` of an answer: the edition that it was made from, and its hash. */
export function datasetHeader({ edition, contentHash }: { edition: string; contentHash: string }): string {
  return `${edition} ${contentHash}`;
}

/** Whether a person's browser asks: `text/html` stands in `Accept` before JSON and before anything. */
export function prefersHtml(accept: string | null): boolean {
  if (accept === null || !accept.includes("text/html")) return false;
  let html = 0;
  let json = 0;
  for (const range of accept.split(",")) {
    const [kind = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const weight = Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
    if (kind === "text/html") html = weight;
    if (kind === "application/json") json = weight;
  }
  return html > 0 && html >= json;
}

/** Whether a refusal is for a person's browser, which shows a page, and not for a program. */
export function wantsPage(request: Request): boolean {
  return (
    prefersHtml(request.headers.get("accept")) && !/^\/(api|mcp|oauth)\b/.test(new URL(request.url).pathname)
  );
}

/** Parameters of a query string, every value of every name, in order. */
export function parameters(search: URLSearchParams): Map<string, string[]> {
  const given = new Map<string, string[]>();
  for (const [name, value] of search) {
    const values = given.get(name);
    if (values === undefined) given.set(name, [value]);
    else values.push(value);
  }
  return given;
}

/** A segment of a path, decoded; as it stands when its escapes are broken. The first one behind the root is 1. */
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
 * The address that a request is counted under: the peer's, or, behind a trusted proxy, the last
 * address of `X-Forwarded-For` that no trusted proxy has. IPv6 counts by /64, IPv4 in IPv6 as IPv4.
 *
 * @param trusted says whether an address is a proxy named in the configuration
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
      // What is no address was not written by a proxy.
      if (net().isIP(next) === 0) break;
      address = next;
      if (!trusted(address)) break;
    }
  }
  return networkOf(address);
}

/** The module of sockets, which a start does not need (docs/decisions/executable.md): only proxies are looked up with it. */
const net = () => process.getBuiltinModule("node:net");

/** The peer of a request that came over a Unix socket: whoever may open it is a trusted proxy. */
export const SOCKET_PEER = "unix";

/** Whether an address as `clientAddress` gives it is this computer's. */
export function isLoopbackClient(address: string): boolean {
  return address.startsWith("127.") || address === networkOf("::1");
}
const PLAIN_IPV4 = /^[\d.]+$/;

function plainAddress(address: string): string {
  if (PLAIN_IPV4.test(address)) return address;
  return address
    .replace(/^\[([^\]]*)\](:\d*)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d*$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "")
    .replace(/%.*$/, "");
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
 * A test for addresses in a list of addresses and networks (CIDR).
 * @throws OperatorError for an entry that is neither
 */
export function addressMatcher(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => false;
  const { BlockList, isIP } = net();
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits = isIP(address) === 6 ? "128" : "32"] = entry.split("/");
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits)) {
      throw new OperatorError(
        `Cannot read --trusted-proxies ${JSON.stringify(entry)}: expected an address or a network such as 10.0.0.0/8.`,
      );
    }
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
  };
}

/**
 * What a page may load and do: our own stylesheet and scripts, nothing else. Without `form-action`:
 * browsers apply it to the redirects after a POST, which would cut OAuth's way back to the client.
 */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The policy of pages with the search box, whose script asks this server what it may suggest. */
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

/** A page for a person, from the text that `html.ts` makes. Not cached unless the headers say so. */
export function pageResponse(body: AnswerBody, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(body, { status, headers: { ...PAGE_HEADERS, ...headers } });
}

/** Adds cookies to an answer. */
export function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append("set-cookie", cookie);
  return answer;
}

/** A redirect to an address that was checked, with the cookies that a form opened or ended; nothing of it is stored or told on. */
export function redirectTo(
  location: string,
  cookies: readonly string[] = [],
  status: 302 | 303 = 303,
): Response {
  const headers = { location, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return withCookies(new Response(null, { status, headers }), cookies);
}
