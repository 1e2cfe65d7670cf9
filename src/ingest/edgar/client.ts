import { gunzipSync, inflateSync } from "node:zlib";
import { uint8At } from "../../lib/checked-access.ts";
import { codeOf, messageOf, OperatorError } from "../../errors.ts";
import type { Runtime } from "../../runtime.ts";
import { type Clock, COOL_DOWN_MS, type RateLimiter } from "./rate-limiter.ts";

/** The result of a request to EDGAR. */
export type Fetched =
  | { kind: "ok"; bytes: Uint8Array<ArrayBuffer>; etag: string | null; lastModified: string | null }
  /** The copy we already have is current. */
  | { kind: "unchanged" }
  /** EDGAR does not have the document. */
  | { kind: "missing" }
  /** Unreachable, too slow, or an invalid body, after all retries. */
  | {
      kind: "unavailable";
      why: string;
      /** Set if EDGAR is blocking this address; no requests may be sent before then. */
      untilMs?: number;
    };

/** The validators of a stored copy. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** Options of one request. */
export interface RequestOptions {
  expect: "json" | "document" | "gzip";
  /** Sent as `If-None-Match` and `If-Modified-Since`. */
  validators?: Validators | undefined;
  /** Cancels the request. */
  signal?: AbortSignal | undefined;
  /** A cool-down ends the request even for a patient client, so that its caller can report it at once. */
  isUrgent?: true;
}

/** Dependencies of `Edgar`. */
export interface EdgarDeps {
  runtime: Pick<Runtime, "fetch" | "secret">;
  clock: Clock;
  rateLimiter: RateLimiter;
  /** `Name mail@host`, sent in the `User-Agent` as EDGAR requires. */
  contact: string;
  /** Origin of documents and indexes, without a trailing slash. */
  wwwUrl: string;
  /** Origin of the submissions API. */
  dataUrl: string;
  /** Timeout of one response including its body, in milliseconds. */
  timeoutMs?: number;
  /** Maximum attempts per request. */
  tries?: number;
  /** Whether a cool-down is waited out, some number of times; otherwise it ends the request. */
  isPatient?: boolean;
  /** Whether a connection that cannot be made ends everything, until EDGAR has answered once: there is no network. */
  needsNetwork?: boolean;
  /** Called before waiting out a cool-down. */
  onWait?(untilMs: number): void;
}

/** EDGAR's default origin. */
export const EDGAR_WWW = "https://www.sec.gov";

const TRIES = 4;
/** After this many requests without any response, each further one is tried only once: a load of hundreds then ends soon. */
const UNANSWERED = 50;
/** Cool-downs to wait for, per request. */
const MAX_WAITS = 6;
const REDIRECTS = 3;
const MAX_BODY_BYTES = 100 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** Delay before the first retry; each further one is four times as long. Half of it is random. */
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;

/** Error codes of connections that could not be made: no network, a mistyped address, nobody listening. */
const NO_CONNECTION = ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH"];

const WITHOUT_NETWORK =
  "Check the network, then try again. On a machine without one, read documents from a folder (execcomp help ingest: --from-dir), or install the dataset of a machine that has one (execcomp help data install).";

type Try = Fetched | { kind: "retry"; why: string; waitMs: number | null };

/**
 * A client that follows EDGAR's rules: every request is rate-limited, names the contact and is tried at most four times. If
 * EDGAR reports that we are too fast, no process sends requests for ten minutes.
 *
 * @throws OperatorError if the contact is not valid; with `needsNetwork`, from a request without one
 * @see docs/reading-filings.md, "EDGAR"
 */
export class Edgar {
  private readonly headers: Record<string, string>;
  /** Requests in a row without any response: no network, rather than an accident. */
  private unanswered = 0;
  private hasAnswered = false;

  constructor(private readonly deps: EdgarDeps) {
    this.headers = { "user-agent": userAgent(deps.contact), "accept-encoding": "gzip, deflate" };
  }

  get wwwUrl(): string {
    return this.deps.wwwUrl;
  }

  get dataUrl(): string {
    return this.deps.dataUrl;
  }

  get isPatient(): boolean {
    return this.deps.isPatient === true;
  }

  async get(url: string, options: RequestOptions): Promise<Fetched> {
    const { clock, onWait } = this.deps;
    for (let waits = this.isPatient && !options.isUrgent ? MAX_WAITS : 0; ; waits--) {
      const got = await this.tried(url, options);
      if (got.kind !== "unavailable" || got.untilMs === undefined || waits === 0) return got;
      onWait?.(got.untilMs);
      await clock.sleep(got.untilMs - clock.now() + 1000);
    }
  }

  private async tried(url: string, options: RequestOptions): Promise<Fetched> {
    const { runtime, clock, tries = TRIES } = this.deps;
    let why = "";
    for (let tried = 1; tried <= tries; tried++) {
      const got = await this.once(url, options);
      if (got.kind !== "retry") return got;
      ({ why } = got);
      if (tried === tries || options.signal?.aborted || this.unanswered >= UNANSWERED) break;
      const waitMs = got.waitMs ?? FIRST_WAIT_MS * 4 ** (tried - 1);
      const chance = uint8At(runtime.secret(1), 0) / 255;
      await clock.sleep(Math.min(waitMs, MAX_WAIT_MS) * (0.5 + chance / 2));
    }
    return { kind: "unavailable", why };
  }

  private async once(url: string, options: RequestOptions, redirects = 0): Promise<Try> {
    const { runtime, rateLimiter, timeoutMs = TIMEOUT_MS } = this.deps;
    const untilMs = rateLimiter.coolingUntilMs();
    if (untilMs > 0) return blockedUntil(untilMs);
    await rateLimiter.acquire();
    if (options.signal?.aborted) return { kind: "unavailable", why: "cancelled" };
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
    try {
      const headers = { ...this.headers, ...conditions(options.validators) };
      const answer = await runtime.fetch(url, { headers, redirect: "manual", signal, decompress: false });
      this.unanswered = 0;
      this.hasAnswered = true;
      if (answer.status !== 200) await answer.body?.cancel();
      const location = answer.headers.get("location");
      if (answer.status < 301 || answer.status > 308 || location === null)
        return await this.read(url, answer, options.expect);
      const next = URL.parse(location, url);
      const isOurs = [this.wwwUrl, this.dataUrl].some((ours) => new URL(ours).origin === next?.origin);
      if (next === null || !isOurs || redirects >= REDIRECTS)
        return { kind: "unavailable", why: `${url} redirects to ${location}, which is not followed` };
      return await this.once(next.href, options, redirects + 1);
    } catch (error) {
      this.unanswered++;
      const why = `${url} ${failureOf(error)}`;
      const isHopeless = this.deps.needsNetwork && !this.hasAnswered && NO_CONNECTION.includes(codeOf(error));
      if (isHopeless) throw new OperatorError(`EDGAR cannot be reached: ${why}. ${WITHOUT_NETWORK}`);
      return { kind: "retry", why, waitMs: null };
    }
  }

  private async read(url: string, answer: Response, expect: RequestOptions["expect"]): Promise<Try> {
    const { status, headers } = answer;
    const retryAfterMs = retryAfter(headers.get("retry-after"), this.deps.clock.now());
    if (status === 304) return { kind: "unchanged" };
    if (status === 404 || status === 410) return { kind: "missing" };
    if (status === 403 || status === 429) return this.stayAway(`${url} answered ${status}`, retryAfterMs);
    if (status >= 500) return { kind: "retry", why: `${url} answered ${status}`, waitMs: retryAfterMs };
    if (status !== 200) return { kind: "unavailable", why: `${url} answered ${status}` };
    const body = await readBody(answer);
    if (body === null) return { kind: "unavailable", why: `${url} is larger than ${MAX_BODY_BYTES} bytes` };
    const promised = headers.get("content-length");
    if (promised !== null && Number(promised) !== body.length)
      return { kind: "retry", why: `${url}: ${body.length} bytes of ${promised}`, waitMs: null };
    const bytes = unpacked(body, headers.get("content-encoding"));
    if (bytes === null) return { kind: "retry", why: `${url} ${DAMAGED}`, waitMs: null };
    if (isBlockPage(bytes))
      return this.stayAway(`${url} answered with EDGAR's page for blocked addresses`, null);
    const wrong = invalidBody(bytes, expect);
    if (wrong !== null) return { kind: "retry", why: `${url} ${wrong}`, waitMs: null };
    const whole = expect === "gzip" && isGzip(bytes) ? unpacked(bytes, "gzip") : bytes;
    if (whole === null) return { kind: "retry", why: `${url} ${DAMAGED}`, waitMs: null };
    return {
      kind: "ok",
      bytes: whole,
      etag: headers.get("etag"),
      lastModified: headers.get("last-modified"),
    };
  }

  private stayAway(why: string, retryAfterMs: number | null): Try {
    const { rateLimiter } = this.deps;
    rateLimiter.coolDown(Math.max(COOL_DOWN_MS, retryAfterMs ?? 0), why);
    return blockedUntil(rateLimiter.coolingUntilMs());
  }
}

function blockedUntil(untilMs: number): Fetched {
  const time = new Date(untilMs).toISOString().slice(11, 19);
  const why = `EDGAR is blocking this address; the next request will be after ${time} UTC`;
  return { kind: "unavailable", why, untilMs };
}

/**
 * The `User-Agent` that EDGAR requires.
 *
 * @throws OperatorError if the contact has no e-mail address, or contains a character not allowed in a header
 */
function userAgent(contact: string): string {
  if (!/^[\x20-\x7e]{5,200}$/.test(contact) || !/[^\s@]+@[^\s@]+\.[^\s@]+|[^\s@]+@localhost/.test(contact))
    throw new OperatorError(
      `Cannot use the contact ${JSON.stringify(contact)}: EDGAR requires a name and an e-mail address with every request. Set --contact "Name mail@host" or EXECCOMP_CONTACT.`,
    );
  return `execcomp ${contact}`;
}

function conditions(validators: Validators | undefined): Record<string, string> {
  const { etag = null, lastModified = null } = validators ?? {};
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
  return Bun.concatArrayBuffers(chunks, length, true);
}

const decoder = new TextDecoder("latin1");

function isBlockPage(bytes: Uint8Array): boolean {
  if (bytes.length > 64 * 1024) return false;
  const text = decoder.decode(bytes.subarray(0, 8192));
  return /Request Rate Threshold Exceeded|Undeclared Automated Tool|Your Request Originates from/i.test(text);
}

function invalidBody(bytes: Uint8Array, expect: RequestOptions["expect"]): string | null {
  const start = decoder.decode(bytes.subarray(0, 64)).trimStart();
  if (bytes.length === 0) return "is empty";
  if (expect === "json" && !/^[{[]/.test(start)) return "is not JSON";
  if (expect === "gzip" && !isGzip(bytes) && !/^[\x20-\x7e\s]+$/.test(start)) return "is not an index";
  return null;
}

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

const DAMAGED = "is damaged: its compressed data cannot be unpacked";

/** A body without its content coding; null if it is damaged. Bun would print zlib's own words to standard error. */
function unpacked(bytes: Uint8Array<ArrayBuffer>, coding: string | null): Uint8Array<ArrayBuffer> | null {
  const most = { maxOutputLength: MAX_BODY_BYTES };
  try {
    if (coding === "gzip") return new Uint8Array(gunzipSync(bytes, most));
    return coding === "deflate" ? new Uint8Array(inflateSync(bytes, most)) : bytes;
  } catch {
    return null;
  }
}

/** The delay of a `Retry-After` header (seconds or a date) in milliseconds. @see RFC 9110 section 10.2.3 */
function retryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

/** Why a request failed, as a predicate. */
function failureOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "took too long (timeout)";
  // Bun adds the address, and advice for programmers.
  const [reason = ""] = messageOf(error).split(/ fetching "|\. For more information/);
  return `failed: ${reason}`;
}
