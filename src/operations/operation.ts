import type { Presented, Principal } from "../accounts/principal.ts";
import type { Company, KnownFiling } from "../domain/company.ts";
import type { GivenParameters } from "../domain/parameters.ts";
import { ServiceError, type WindowState } from "../errors.ts";
import type { Dataset } from "../dataset/dataset.ts";

/** A caller, as surfaces identify it. */
export interface Caller {
  readonly presented: Presented;
  /** Address that anonymous requests count under (`clientAddress` of `http/addresses.ts`). */
  readonly address: string;
  readonly requestId: string;
  /** Where the caller is noted once admitted; absent for requests that are not logged. */
  readonly context?: Identified;
}

/** What a request's context says of its caller. */
export interface Identified {
  /** The key, or the user of an access token; null for others. */
  caller: { kind: "key" | "user"; id: string } | null;
}

/** The caller of a request. */
export function callerOf(
  presented: Presented,
  context: Identified & { readonly id: string; readonly address: string },
): Caller {
  return { presented, address: context.address, requestId: context.id, context };
}

/** An admitted caller, and the window that counted the request. */
export interface Admission {
  principal: Principal;
  /** Null for the local operator, who has no rate limit. */
  window: WindowState | null;
}

/** What a charge is for, as in the ledger. */
export interface ChargeReason {
  costCredits: number;
  /** Which of the prices it is, which the ledger does not say; null if there is none. */
  price: keyof Prices | null;
  operation: string;
  ticker: string | null;
  requestId: string;
}

/** A durable charge. `remaining` is null for unmetered callers. */
export interface Receipt {
  charged: number;
  remaining: number | null;
}

/** Starts and reports fetches from EDGAR; provided by `compose`, absent when the server may not fetch. */
export interface OnDemand {
  /**
   * The refusal for a company without rows that is being fetched; null if it is not.
   * @param mayStart whether this caller may start a fetch
   */
  request(company: Company, mayStart: boolean): { retryAfterSeconds: number; message: string } | null;
}

/**
 * Admits a caller: steps 1 to 3 of `docs/contract.md`, "Order of refusals". Refuses with `two_credentials`,
 * `unauthenticated`, `insufficient_scope`, `rate_limited`.
 *
 * @param counted the window to count in, by default `calls`. MCP counts everything except `tools/call` in `handshakes`,
 * a separate window with ten times the limit. Requests refused for a missing or invalid credential always count in the
 * address's anonymous window of calls.
 */
export type Admit = (
  caller: Caller,
  need: "credential" | "any",
  counted?: "calls" | "handshakes",
) => Promise<Admission>;

/**
 * Checks a caller's windows before the request is read. Refuses with `rate_limited` if any request would be refused;
 * counts nothing.
 *
 * @returns the refusal of a call if only MCP's handshakes are still allowed, else undefined
 */
export type CheckLimits = (caller: Caller, need: "credential" | "any") => Promise<ServiceError | undefined>;

/** What answers cost, in credits: with rows of earlier fiscal years, and across companies. All others are free. */
export interface Prices {
  priceHistory: number;
  priceQuestion: number;
}

export interface OperationDeps {
  snapshots: { current(): Dataset };
  admit: Admit;
  /**
   * Resolves once the charge is durable. Refuses with `payment_required`
   * or `unavailable`, having charged nothing.
   */
  charge(principal: Principal, reason: ChargeReason): Promise<Receipt>;
  prices: Prices;
  onDemand: OnDemand | null;
}

/** A request to an operation that charges credits. */
export interface OperationRequest {
  caller: Caller;
  readonly parameters: GivenParameters;
  /** The text that says the same as `parameters`, for plans to be kept by. Whoever changes those takes it away. */
  query?: string | undefined;
  /** The `If-None-Match` header. */
  ifNoneMatch: string | null;
  /** The admission, if the surface has already admitted the caller. */
  admission?: Admission | undefined;
  /** Whether anonymous callers are allowed (MCP: latest year, tickers) or a credential is required (REST). */
  need: "credential" | "any";
}

/** What all operations answer, along with the body. */
export interface Answer {
  /** Whether `If-None-Match` matched: no body, no charge. */
  notModified: boolean;
  /** JSON text, encoded. Empty when not modified. */
  body: Uint8Array<ArrayBuffer>;
  /** Strong entity tag, with quotes. */
  etag: string;
  /** The dataset the answer was computed from. */
  dataset: Pick<Dataset["info"], "edition" | "sequence" | "contentHash">;
  /** Fiscal years in the body that may lack executives, newest first. */
  incompleteYears: readonly number[];
  /** `collected` if a row in the body, or behind its figures, is; null if none is. */
  rowEvidence: "collected" | null;
  /** Number of loaded fiscal years that the filters select and `limit` leaves out. */
  yearsLeftOut: number;
  /** A known filing newer than the latest loaded one; null without one. */
  newerFiling: KnownFiling | null;
  /** The cursor behind the first items of a page, for a surface that shortens it. */
  cursorAfter?: ((sent: number) => string) | undefined;
  principal: Principal;
  window: WindowState | null;
  receipt: Receipt;
}

const encoder = new TextEncoder();

/** Encodes text as UTF-8. */
export function encode(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** Concatenates the pieces of a body. */
export function joined(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Bun.concatArrayBuffers(pieces, Infinity, true);
}

/** A JSON object: a list of items that are already encoded, joined by commas, and further members. */
export function listBody(name: string, items: Uint8Array, rest: object): Uint8Array<ArrayBuffer> {
  return joined([encode(`{"${name}":[`), items, encode(`],${JSON.stringify(rest).slice(1)}`)]);
}

/**
 * Admits the caller, unless the surface has done so, and runs `work`. Refusals from `work` report the window that counted
 * the request and, for metered callers, that nothing was charged.
 */
export async function whenAdmitted<T>(
  deps: Pick<OperationDeps, "admit" | "charge">,
  request: Pick<OperationRequest, "admission" | "caller" | "need">,
  work: (admission: Admission) => Promise<T> | T,
): Promise<T> {
  const admission = request.admission ?? (await deps.admit(request.caller, request.need));
  try {
    return await work(admission);
  } catch (refused) {
    if (!(refused instanceof ServiceError)) throw refused;
    if (admission.window !== null) refused.details.window ??= admission.window;
    await addReceipt(deps, request.caller.requestId, admission, refused);
    throw refused;
  }
}

/**
 * Adds the caller's remaining credits to a refusal, except for unmetered callers and while the store is down. A failure
 * here does not change the refusal.
 */
async function addReceipt(
  deps: Pick<OperationDeps, "charge">,
  requestId: string,
  { principal }: Admission,
  refused: ServiceError,
): Promise<void> {
  const isMetered = principal.kind === "key" || principal.kind === "token";
  if (!isMetered || refused.kind === "unavailable") return;
  const receipt = await freeReceipt(deps, principal, requestId).catch(() => null);
  const remaining = receipt?.remaining ?? null;
  if (remaining !== null) refused.details.receipt = { charged: 0, remaining };
}

/** The caller's remaining credits after a free answer. */
export function freeReceipt(
  { charge }: Pick<OperationDeps, "charge">,
  principal: Principal,
  requestId: string,
): Promise<Receipt> {
  return charge(principal, { costCredits: 0, price: null, operation: "", ticker: null, requestId });
}

/**
 * Whether `If-None-Match` matches the tag: any in a list, weak or strong, with or without the suffix of a content
 * coding (`edge/compression.ts`), or `*`.
 * @see RFC 9110 section 13.1.2
 */
export function etagMatches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").some((tag) => {
    const name = tag
      .trim()
      .replace(/^W\//, "")
      .replace(/-(gzip|zstd)"$/, '"');
    return name === "*" || name === etag;
  });
}
