import type { Runtime } from "../../runtime.ts";
import { OperatorError } from "../../errors.ts";
import { COOL_DOWN_MS, type Clock, type RateLimiter } from "./rate-limiter.ts";

/** What became of asking EDGAR for something. */
export type Fetched =
  | { kind: "ok"; bytes: Uint8Array<ArrayBuffer>; etag: string | null; lastModified: string | null }
  /** The copy that we named is still the one. */
  | { kind: "unchanged" }
  /** EDGAR has no such document. */
  | { kind: "missing" }
  /** EDGAR told this address to stay away; nothing may be asked before then. */
  | { kind: "cooling"; untilMs: number }
  /** Out of reach, too slow, or an invalid body, after all the tries that we allow ourselves. */
  | { kind: "unavailable"; why: string };

/** How a copy that we hold was named by the server. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** What a caller knows about what it asks for. */
export interface Asking {
  expect: "json" | "document" | "gzip";
  /** Sent as `If-None-Match` and `If-Modified-Since`. */
  held?: Validators | undefined;
  /** Gives up early: nobody waits any more. */
  signal?: AbortSignal | undefined;
}

/** EDGAR as this program sees it. */
export interface Edgar {
  /** Origin of documents and indexes, without a slash at the end. */
  readonly wwwUrl: string;
  /** Origin of the submissions. */
  readonly dataUrl: string;
  get(url: string, asking: Asking): Promise<Fetched>;
  /** See `RateLimiter`. */
  coolingUntilMs(): number;
}

/** What an `Edgar` is made of. */
export interface EdgarDeps {
  runtime: Pick<Runtime, "fetch" | "secret">;
  clock: Clock;
  rateLimiter: RateLimiter;
  /** `Name mail@host`, sent in the `User-Agent` as EDGAR demands. */
  contact: string;
  wwwUrl: string;
  dataUrl: string;
  /** Longest time for one answer, body included, in milliseconds. */
  timeoutMs?: number;
  /** Most tries for one answer. */
  tries?: number;
}

/** Where EDGAR is when nobody says otherwise. */
export const EDGAR_WWW = "https://www.sec.gov";

const TRIES = 4;
const REDIRECTS = 3;
const MAX_BODY_BYTES = 100 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** First wait before a retry; each further one is four times as long. Half of it is by chance. */
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;

type Try = Fetched | { kind: "retry"; why: string; waitMs: number | null };

/**
 * A client that keeps to EDGAR's rules: every request takes its turn, carries the contact, is tried at most four
 * times, and a word that we are too fast sends us away for ten minutes, whoever asks next.
 *
 * @throws OperatorError when the contact is none
 * @see docs/reading-filings.md, "EDGAR"
 */
// oxlint-disable-next-line max-lines-per-function -- its methods share the rate limiter and the pause
export function createEdgar(deps: EdgarDeps): Edgar {
  const { runtime, clock, rateLimiter, wwwUrl, dataUrl, timeoutMs = TIMEOUT_MS, tries = TRIES } = deps;
  const headers = { "user-agent": userAgent(deps.contact), "accept-encoding": "gzip, deflate" };
  const ours = new Set([new URL(wwwUrl).origin, new URL(dataUrl).origin]);

  async function once(url: string, asking: Asking, redirects = 0): Promise<Try> {
    const untilMs = rateLimiter.coolingUntilMs();
    if (untilMs > 0) return { kind: "cooling", untilMs };
    await rateLimiter.acquire();
    if (asking.signal?.aborted) return { kind: "unavailable", why: "cancelled" };
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = asking.signal === undefined ? limit : AbortSignal.any([limit, asking.signal]);
    try {
      const answer = await runtime.fetch(url, {
        headers: { ...headers, ...conditions(asking.held) },
        redirect: "manual",
        signal,
      });
      if (answer.status !== 200) await answer.body?.cancel();
      const location = answer.headers.get("location");
      if (answer.status >= 301 && answer.status <= 308 && location !== null) {
        const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
        if (next === undefined || !ours.has(next.origin) || redirects >= REDIRECTS) {
          return { kind: "unavailable", why: `${url} redirects to ${location}, which is not followed` };
        }
        return await once(next.href, asking, redirects + 1);
      }
      return await read(url, answer, asking.expect);
    } catch (error) {
      return { kind: "retry", why: `${url}: ${nameOf(error)}`, waitMs: null };
    }
  }

  async function read(url: string, answer: Response, expect: Asking["expect"]): Promise<Try> {
    const { status } = answer;
    const retryAfterMs = retryAfter(answer.headers.get("retry-after"), clock.now());
    if (status === 304) return { kind: "unchanged" };
    if (status === 404 || status === 410) return { kind: "missing" };
    if (status === 403 || status === 429) return stayAway(`${url} answered ${status}`, retryAfterMs);
    if (status >= 500) return { kind: "retry", why: `${url} answered ${status}`, waitMs: retryAfterMs };
    if (status !== 200) return { kind: "unavailable", why: `${url} answered ${status}` };
    const bytes = await readBody(answer);
    if (bytes === null) return { kind: "unavailable", why: `${url} is larger than ${MAX_BODY_BYTES} bytes` };
    const promised = answer.headers.get("content-length");
    const plain = answer.headers.get("content-encoding") === null;
    if (plain && promised !== null && Number(promised) !== bytes.length) {
      return { kind: "retry", why: `${url}: ${bytes.length} bytes of ${promised}`, waitMs: null };
    }
    if (isBlockPage(bytes)) return stayAway(`${url} answered with EDGAR's page for blocked addresses`, null);
    const wrong = invalidBody(bytes, expect);
    if (wrong !== null) return { kind: "retry", why: `${url} ${wrong}`, waitMs: null };
    const tag = answer.headers.get("etag");
    return { kind: "ok", bytes, etag: tag, lastModified: answer.headers.get("last-modified") };
  }

  function stayAway(why: string, retryAfterMs: number | null): Try {
    rateLimiter.coolDown(Math.max(COOL_DOWN_MS, retryAfterMs ?? 0), why);
    return { kind: "cooling", untilMs: rateLimiter.coolingUntilMs() };
  }

  return {
    wwwUrl,
    dataUrl,
    coolingUntilMs: () => rateLimiter.coolingUntilMs(),
    async get(url, asking) {
      let why = "";
      for (let tried = 1; tried <= tries; tried++) {
        const got = await once(url, asking);
        if (got.kind !== "retry") return got;
        ({ why } = got);
        if (tried === tries || asking.signal?.aborted) break;
        const waitMs = got.waitMs ?? FIRST_WAIT_MS * 4 ** (tried - 1);
        const chance = (runtime.secret(1)[0] ?? 0) / 255;
        await clock.sleep(Math.min(waitMs, MAX_WAIT_MS) * (0.5 + chance / 2));
      }
      return { kind: "unavailable", why };
    },
  };
}

/**
 * The `User-Agent` that EDGAR asks for.
 *
 * @throws OperatorError when the contact holds no mail address, or a character that no header can carry
 */
function userAgent(contact: string): string {
  if (!/^[\x20-\x7e]{5,200}$/.test(contact) || !/[^\s@]+@[^\s@]+\.[^\s@]+|[^\s@]+@localhost/.test(contact)) {
    throw new OperatorError(
      `Cannot use the contact ${JSON.stringify(contact)}: EDGAR requires a name and a mail address with every request. Set --contact "Name mail@host" or EXECCOMP_CONTACT.`,
    );
  }
  return `execcomp ${contact}`;
}

function conditions(held: Validators | undefined): Record<string, string> {
  const { etag = null, lastModified = null } = held ?? {};
  return {
    ...(etag === null ? {} : { "if-none-match": etag }),
    ...(lastModified === null ? {} : { "if-modified-since": lastModified }),
  };
}

async function readBody(answer: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

const decoder = new TextDecoder("latin1");

function isBlockPage(bytes: Uint8Array): boolean {
  if (bytes.length > 64 * 1024) return false;
  const text = decoder.decode(bytes.subarray(0, 8192));
  return /Request Rate Threshold Exceeded|Undeclared Automated Tool|Your Request Originates from/i.test(text);
}

function invalidBody(bytes: Uint8Array, expect: Asking["expect"]): string | null {
  const start = decoder.decode(bytes.subarray(0, 64)).trimStart();
  if (bytes.length === 0) return "is empty";
  if (expect === "json" && !/^[{[]/.test(start)) return "is no JSON";
  if (expect === "gzip" && !(bytes[0] === 0x1f && bytes[1] === 0x8b) && !/^[\x20-\x7e\s]+$/.test(start)) {
    return "is no index";
  }
  return null;
}

/** Milliseconds to wait by `Retry-After`: seconds or a date. @see RFC 9110 section 10.2.3 */
function retryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "timeout";
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
