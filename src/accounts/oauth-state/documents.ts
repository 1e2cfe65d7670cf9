import type { BlockList } from "node:net";
import { parseJson } from "../../lib/text.ts";
import type { Runtime } from "../../runtime.ts";

/** A fetched metadata document. */
export type MetadataDocument = Readonly<Record<string, unknown>>;

/** Maximum length of a `client_id` URL, in characters. */
const MAX_ID_LENGTH = 2048;
const MAX_BYTES = 5 * 1024;
const TIMEOUT_MS = 5000;
const MIN_FRESH_MS = 5 * 60_000;
const MAX_FRESH_MS = 24 * 3_600_000;
const FAILURE_MS = 30_000;
const MAX_CACHED = 1000;
const FETCHES_PER_MINUTE = 10;

/** Whether a `client_id` is the URL of a metadata document. */
export function isDocumentId(id: string): boolean {
  return /^https:/i.test(id);
}

/**
 * Why a URL cannot be a client id; undefined if it can. It must be spelled as a browser would normalize it, so that
 * only one spelling is valid.
 *
 * @see draft-ietf-oauth-client-id-metadata-document section 3
 */
export function reasonAgainstId(id: string): string | undefined {
  if (id.length > MAX_ID_LENGTH) return `it is longer than ${MAX_ID_LENGTH} characters`;
  if (!URL.canParse(id)) return "it is not an absolute URL";
  const url = new URL(id);
  if (url.protocol !== "https:") return "it is not https";
  if (url.username !== "" || url.password !== "") return "it has a user name";
  if (id.includes("#")) return "it has a fragment";
  if (url.pathname === "/") return "it has no path";
  if (url.port !== "") return "it has a port";
  if (url.href !== id || /%2e|%2f|%5c/i.test(url.pathname)) return "it is not normalized";
  const { hostname } = url;
  if (
    net().isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 ||
    !hostname.includes(".") ||
    hostname.endsWith(".")
  ) {
    return "its host is not a public name";
  }
  return undefined;
}

/**
 * Fetches client ID metadata documents from the public internet, protected against SSRF: the name is resolved once and
 * the connection goes to that address, which must be public; redirects are not followed; limits are five seconds and
 * 5 KiB; no credentials are sent.
 *
 * @see test/contract/protocols.md, 3.5, RFC 6890
 */
export class Documents {
  /** The last document of each URL; one that is being fetched stays until it arrives. */
  private readonly cache = new Map<
    string,
    { document: Promise<MetadataDocument | undefined>; untilMs: number }
  >();
  private readonly fetches = new Map<string, number[]>();

  /** @param timeoutMs for look-up, connection and transfer together */
  constructor(
    private readonly runtime: Pick<Runtime, "now" | "fetch" | "resolve">,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /**
   * The document at a URL, cached while fresh; undefined if it could not be read, for whatever reason, which is cached for
   * 30 seconds: callers must not learn about other hosts through us. Concurrent requests share a fetch.
   *
   * @param address the caller's; each address may cause ten fetches per minute
   */
  async read(id: string, address: string): Promise<MetadataDocument | undefined> {
    const { runtime, cache } = this;
    const cached = cache.get(id);
    if (cached !== undefined && runtime.now() < cached.untilMs) return cached.document;
    if (reasonAgainstId(id) !== undefined || !this.mayFetch(address)) return undefined;
    for (const [oldest, { untilMs }] of cache)
      if (cache.size >= MAX_CACHED && untilMs < Number.POSITIVE_INFINITY) cache.delete(oldest);
    const signal = AbortSignal.timeout(this.timeoutMs);
    const fetched = withSignal(fetchDocument(id, runtime, signal), signal).catch(() => FAILED);
    const entry = { document: fetched.then(({ document }) => document), untilMs: Number.POSITIVE_INFINITY };
    void fetched.then(({ freshMs }) => (entry.untilMs = runtime.now() + freshMs));
    cache.set(id, entry);
    return entry.document;
  }

  private mayFetch(address: string): boolean {
    const now = this.runtime.now();
    const recent = (this.fetches.get(address) ?? []).filter((atMs) => now - atMs < 60_000 && atMs <= now);
    if (recent.length >= FETCHES_PER_MINUTE) return false;
    if (this.fetches.size >= MAX_CACHED) this.fetches.clear();
    this.fetches.set(address, [...recent, now]);
    return true;
  }
}

const FAILED = { document: undefined, freshMs: FAILURE_MS };

async function fetchDocument(
  id: string,
  { fetch, resolve }: Pick<Runtime, "fetch" | "resolve">,
  signal: AbortSignal,
): Promise<{ document: MetadataDocument; freshMs: number }> {
  const { hostname, host, pathname, search } = new URL(id);
  const addresses = await resolve(hostname);
  const [first] = addresses;
  // A name with both public and private addresses is suspicious.
  if (first === undefined || !addresses.every(publicAddressTest())) throw new Error("not a public host");
  const pinned = first.includes(":") ? `[${first}]` : first;
  const response = await fetch(`https://${pinned}${pathname}${search}`, {
    headers: { host, accept: "application/json", "user-agent": "execcomp" },
    redirect: "manual",
    credentials: "omit",
    signal,
    // The address is pinned, but the certificate must be valid for the name.
    tls: { serverName: hostname, rejectUnauthorized: true },
  });
  const type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (response.status !== 200 || !/^application\/([a-z0-9.-]+\+)?json$/.test(type))
    throw new Error("no JSON");
  const document = parseJson(await readBounded(response, MAX_BYTES));
  if (typeof document !== "object" || document === null || Array.isArray(document))
    throw new Error("no JSON object");
  // Objects from JSON.parse have string keys.
  return { document: document as MetadataDocument, freshMs: freshness(response.headers) };
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error("too long");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("too slow")));
    work.then(resolve, reject);
  });
}

/** Freshness according to the headers, limited to between five minutes and a day. @see RFC 9111 section 4.2 */
function freshness(headers: Headers): number {
  const control = headers.get("cache-control") ?? "";
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(control)?.[1];
  const never = /(?:^|[\s,])(no-store|no-cache)(?:$|[\s,=])/i.test(control);
  const maxAgeMs = never || seconds === undefined ? 0 : Number(seconds) * 1000;
  return Math.min(MAX_FRESH_MS, Math.max(MIN_FRESH_MS, maxAgeMs));
}

/** Addresses outside the public internet. @see RFC 6890 and the IANA special-purpose address registries */
const SPECIAL_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** Reserved ranges within 2000::/3, the only allocated part of IPv6; everything outside that is refused. */
const SPECIAL_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

/** Returns a test for public addresses: not loopback, private, link-local, mapped, translated or reserved. */
export function publicAddressTest(): (address: string) => boolean {
  const { isIP } = net();
  const special = listOf(SPECIAL_IPV4, "ipv4");
  const reserved = listOf(SPECIAL_IPV6, "ipv6");
  const global = listOf(["2000::/3"], "ipv6");
  return (address) => {
    if (isIP(address) === 4) return !special.check(address, "ipv4");
    return isIP(address) === 6 && global.check(address, "ipv6") && !reserved.check(address, "ipv6");
  };
}

/** Loaded on first use (docs/decisions/executable.md). */
const net = () => process.getBuiltinModule("node:net");

function listOf(networks: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new (net().BlockList)();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
