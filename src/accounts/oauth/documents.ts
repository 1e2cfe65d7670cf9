import type { Runtime } from "../../runtime.ts";
import { publicAddressTest } from "./public-address.ts";

/** A fetched metadata document. The reason may be shown to people and to the client's developers. */
export type DocumentAnswer = { ok: true; document: Record<string, unknown> } | { ok: false; reason: string };

/** Fetches client ID metadata documents from the public internet. */
export interface Documents {
  /**
   * The document at a URL, cached while fresh. Concurrent requests share a fetch; failures are cached for 30 seconds.
   *
   * @param address the caller's; each address may cause ten fetches per minute
   */
  read(id: string, address: string): Promise<DocumentAnswer>;
}

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
    process.getBuiltinModule("node:net").isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 ||
    !hostname.includes(".") ||
    hostname.endsWith(".")
  ) {
    return "its host is not a public name";
  }
  return undefined;
}

/**
 * Creates the reader with protection against SSRF: the name is resolved once and the connection goes to that address,
 * which must be public; redirects are not followed; limits are five seconds and 5 KiB; no credentials are sent.
 *
 * @param timeoutMs for look-up, connection and transfer together
 * @see docs/protocols.md, 3.5, RFC 6890
 */
export function createDocuments(
  runtime: Pick<Runtime, "now" | "fetch" | "resolve">,
  timeoutMs = TIMEOUT_MS,
): Documents {
  const kept = new Map<string, { answer: DocumentAnswer; untilMs: number }>();
  const underway = new Map<string, Promise<DocumentAnswer>>();
  const fetches = new Map<string, number[]>();

  const mayFetch = (address: string): boolean => {
    const now = runtime.now();
    const recent = (fetches.get(address) ?? []).filter((atMs) => now - atMs < 60_000 && atMs <= now);
    if (recent.length >= FETCHES_PER_MINUTE) return false;
    if (fetches.size >= MAX_CACHED) fetches.clear();
    fetches.set(address, [...recent, now]);
    return true;
  };

  const keep = (id: string, answer: DocumentAnswer, forMs: number): DocumentAnswer => {
    if (kept.size >= MAX_CACHED)
      for (const [oldest] of kept) if (kept.size >= MAX_CACHED) kept.delete(oldest);
    kept.set(id, { answer, untilMs: runtime.now() + forMs });
    return answer;
  };

  const load = async (id: string): Promise<DocumentAnswer> => {
    try {
      const { document, freshMs } = await fetchDocument(id, {
        ...runtime,
        isPublic: publicAddressTest(),
        timeoutMs,
      });
      return keep(id, { ok: true, document }, freshMs);
    } catch (failure) {
      const reason = failure instanceof DocumentRefused ? failure.message : "it could not be read in time";
      return keep(id, { ok: false, reason }, FAILURE_MS);
    } finally {
      underway.delete(id);
    }
  };

  return {
    async read(id, address) {
      const against = reasonAgainstId(id);
      if (against !== undefined) return { ok: false, reason: against };
      const known = kept.get(id);
      if (known !== undefined && runtime.now() < known.untilMs) return known.answer;
      const going = underway.get(id);
      if (going !== undefined) return going;
      if (!mayFetch(address)) return { ok: false, reason: "too many requests from your address" };
      const loading = load(id);
      underway.set(id, loading);
      return loading;
    },
  };
}

class DocumentRefused extends Error {}

async function fetchDocument(
  id: string,
  deps: Pick<Runtime, "fetch" | "resolve"> & {
    isPublic: (address: string) => boolean;
    timeoutMs: number;
  },
): Promise<{ document: Record<string, unknown>; freshMs: number }> {
  const signal = AbortSignal.timeout(deps.timeoutMs);
  const { hostname, host, pathname, search } = new URL(id);
  const addresses = await withSignal(deps.resolve(hostname), signal);
  const [first] = addresses;
  if (first === undefined) throw new DocumentRefused("its host has no address");
  // A name with both public and private addresses is suspicious.
  if (!addresses.every(deps.isPublic)) throw new DocumentRefused("its host is not on the public internet");
  const pinned = first.includes(":") ? `[${first}]` : first;
  const answering = deps.fetch(`https://${pinned}${pathname}${search}`, {
    headers: { host, accept: "application/json", "user-agent": "execcomp" },
    redirect: "manual",
    credentials: "omit",
    signal,
    // The address is pinned, but the certificate must be valid for the name.
    tls: { serverName: hostname, rejectUnauthorized: true },
  });
  const response = await withSignal(answering, signal);
  if (response.status !== 200) throw new DocumentRefused(`its URL answers with status ${response.status}`);
  const type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!/^application\/([a-z0-9.-]+\+)?json$/.test(type)) throw new DocumentRefused("it is not JSON");
  const text = await withSignal(readBounded(response, MAX_BYTES), signal);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new DocumentRefused("it is not JSON");
  }
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    throw new DocumentRefused("it is not a JSON object");
  }
  // Objects from JSON.parse have string keys.
  return { document: document as Record<string, unknown>, freshMs: freshness(response.headers) };
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new DocumentRefused(`it is longer than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new DocumentRefused("it could not be read in time")));
    work.then(resolve, reject);
  });
}

/** Freshness according to the headers, limited to between five minutes and a day. @see RFC 9111 section 4.2 */
function freshness(headers: Headers): number {
  const control = headers.get("cache-control") ?? "";
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(control)?.[1];
  const never = /(?:^|[\s,])(no-store|no-cache)(?:$|[\s,=])/i.test(control);
  const said = never || seconds === undefined ? 0 : Number(seconds) * 1000;
  return Math.min(MAX_FRESH_MS, Math.max(MIN_FRESH_MS, said));
}
