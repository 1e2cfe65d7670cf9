import type { Presented, Principal } from "../auth/principal.ts";
import type { Company, KnownFiling } from "../domain/company.ts";
import { type MaybePromise, andThen, orElse } from "../domain/maybe-promise.ts";
import type { GivenParameters } from "../domain/query.ts";
import { ServiceError, type WindowState } from "../errors.ts";
import type { Dataset } from "../snapshot/dataset.ts";
import { whenSearchable } from "./company-search.ts";

/** Who calls, as a surface knows it. */
export interface Caller {
  readonly presented: Presented;
  /** Address that an anonymous caller is counted under (`http.ts`, clientAddress). */
  readonly address: string;
  readonly requestId: string;
}

/** Who sent a request. */
export function callerOf(
  presented: Presented,
  { id: requestId, address }: { readonly id: string; readonly address: string },
): Caller {
  return { presented, address, requestId };
}

/** What was decided about a caller: who it is, and the window that the request was counted in. */
export interface Admission {
  principal: Principal;
  /** Null for the local operator, who has no window. */
  window: WindowState | null;
}

/** What a charge is for; becomes a ledger entry. */
export interface ChargeReason {
  costCredits: number;
  operation: string;
  ticker: string | null;
  requestId: string;
}

/** A charge that is on disk. `remaining` is null where nothing is metered. */
export interface Receipt {
  charged: number;
  remaining: number | null;
}

/** Starts and reports fetches from EDGAR; handed in by `compose`, absent when nothing may leave the machine. */
export interface OnDemand {
  /**
   * What to tell a caller who wants a company of which no rows are held: null when nothing is under way.
   * @param mayStart whether this caller may start a fetch
   */
  request(company: Company, mayStart: boolean): { retryAfterSeconds: number; message: string } | null;
}

/**
 * Steps 1 to 3 of `docs/contract.md`, "Order of refusals". Refuses with `two_credentials`, `unauthenticated`,
 * `insufficient_scope`, `rate_limited`.
 *
 * @param counted the window of whoever calls: `calls` by default; MCP counts everything but `tools/call` in
 *   `handshakes`, a window of its own that is ten times as wide. What is refused for want of a good credential
 *   counts in the address's anonymous window of calls either way.
 */
export type Admit = (
  caller: Caller,
  need: "credential" | "any",
  counted?: "calls" | "handshakes",
) => MaybePromise<Admission>;

/**
 * What the windows of a caller say before it is known what the caller asks. Refuses with `rate_limited` whoever would be
 * refused whatever is asked; counts nothing.
 *
 * @returns what a call would be refused with where only MCP's handshakes have room left, else undefined
 */
export type CheckLimits = (
  caller: Caller,
  need: "credential" | "any",
) => MaybePromise<ServiceError | undefined>;

/** Everything that an operation needs. */
export interface OperationDeps {
  snapshots: { current(): Dataset };
  admit: Admit;
  /** Resolves once the charge is durable, at once where there is none. Refuses with `payment_required` or `unavailable`; then nothing was charged. */
  charge(principal: Principal, reason: ChargeReason): MaybePromise<Receipt>;
  prices: {
    priceTickers: number;
    priceLatest: number;
    priceHistory: number;
    priceQuery: number;
    priceStatistics: number;
    priceCompanies: number;
  };
  onDemand: OnDemand | null;
}

/** A question for an operation that a credential can pay for, as a surface hands it in. */
export interface OperationRequest {
  caller: Caller;
  parameters: GivenParameters;
  /** The `If-None-Match` header. */
  ifNoneMatch: string | null;
  /** HEAD answers as GET does and costs nothing: nobody reads a row. */
  method?: "GET" | "HEAD";
  /** What was decided about the caller, where a surface had it admitted before it read the question. */
  admission?: Admission | undefined;
  /** Whether anonymous callers may ask too (MCP: the latest year, the list), or a credential is needed (REST). */
  need: "credential" | "any";
}

/** Who asks, and what it takes to be let in. */
export type Admittable = Pick<OperationRequest, "admission" | "caller" | "need">;

/** What every operation answers with, besides its body. */
export interface Answer {
  /** True when the caller holds this very answer already (`If-None-Match`): no body, no charge. */
  notModified: boolean;
  /** JSON text, encoded once. Empty when not modified. */
  body: Uint8Array<ArrayBuffer>;
  /** Strong entity tag, quotes included. */
  etag: string;
  /** What it was made from. */
  dataset: Pick<Dataset["info"], "edition" | "contentHash">;
  /** Fiscal years in the body of which executives may be missing, newest first. */
  incompleteYears: readonly number[];
  /** A filing of the company that is known, newer than the latest loaded one; null where there is none. */
  newerFiling: KnownFiling | null;
  principal: Principal;
  window: WindowState | null;
  /** Null where nothing is metered: anonymous callers. */
  receipt: Receipt | null;
}

/** The body of an answer that has none. */
export const EMPTY = new Uint8Array(0);

const encoder = new TextEncoder();

/** Text as the bytes that are sent. */
export function encode(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** Pieces of a body as one. */
export function joined(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Bun.concatArrayBuffers(pieces, Infinity, true);
}

/**
 * Admits the caller, unless a surface did, and runs what follows, again where it wanted a search that was not ready. A
 * refusal out of it says in which window the request was counted and, to who has credits, that it cost none.
 */
export function whenAdmitted<T>(
  deps: Pick<OperationDeps, "admit" | "charge">,
  request: Admittable,
  work: (admission: Admission) => MaybePromise<T>,
): MaybePromise<T> {
  const admitted = request.admission ?? deps.admit(request.caller, request.need);
  return andThen(admitted, (admission) => refusing(deps, request, admission, work));
}

function refusing<T>(
  deps: Pick<OperationDeps, "charge">,
  request: Admittable,
  admission: Admission,
  work: (admission: Admission) => MaybePromise<T>,
): MaybePromise<T> {
  const refuse = (refused: unknown): MaybePromise<never> => {
    if (!(refused instanceof ServiceError)) throw refused;
    if (admission.window !== null) refused.details.window ??= admission.window;
    return withReceipt(deps, request, admission, refused);
  };
  return orElse(() => whenSearchable(() => work(admission)), refuse);
}

/** Throws the refusal once it says what the caller has left; at once where nobody is metered or the store does not work. */
function withReceipt(
  deps: Pick<OperationDeps, "charge">,
  { caller }: Admittable,
  { principal }: Admission,
  refused: ServiceError,
): MaybePromise<never> {
  const isMetered = principal.kind === "key" || principal.kind === "token";
  if (!isMetered || refused.kind === "unavailable") throw refused;
  const tell = ({ charged, remaining }: Receipt): never => {
    if (remaining !== null) refused.details.receipt = { charged, remaining };
    throw refused;
  };
  const receipt = receiptOr(refused, () => freeReceipt(deps, principal, caller.requestId));
  return receipt instanceof Promise ? receipt.catch(() => Promise.reject(refused)).then(tell) : tell(receipt);
}

/** A store that fails meanwhile does not change what was refused. */
function receiptOr(refused: ServiceError, receipt: () => MaybePromise<Receipt>): MaybePromise<Receipt> {
  try {
    return receipt();
  } catch {
    throw refused;
  }
}

/** What a caller has left after an answer that costs nothing. */
export function freeReceipt(
  { charge }: Pick<OperationDeps, "charge">,
  principal: Principal,
  requestId: string,
): MaybePromise<Receipt> {
  return charge(principal, { costCredits: 0, operation: "", ticker: null, requestId });
}

/** Written out: copying whatever an answer has costs several times as much. */
function withReceiptOf(
  {
    notModified,
    body,
    etag,
    dataset,
    incompleteYears,
    newerFiling,
    principal,
    window,
  }: Omit<Answer, "receipt">,
  receipt: Receipt | null,
): Answer {
  return { notModified, body, etag, dataset, incompleteYears, newerFiling, principal, window, receipt };
}

/** The answer with what was charged for it, once that is on disk. */
export function withCharge(
  answer: Omit<Answer, "receipt">,
  receipt: MaybePromise<Receipt> | null,
): MaybePromise<Answer> {
  return receipt instanceof Promise
    ? receipt.then((charged) => withReceiptOf(answer, charged))
    : withReceiptOf(answer, receipt);
}

/**
 * Whether `If-None-Match` names the tag: any of a list, weak or strong, with or without the content coding that it went
 * out in (`edge/compression.ts`), or `*`.
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
