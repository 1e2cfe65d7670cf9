import { ServiceError, type WindowState } from "../../errors.ts";

/** Length of all windows, in seconds. @see docs/contract.md, "Rate limits" */
export const WINDOW_SECONDS = 60;

/** Quota of MCP handshake and list messages, as a multiple of that of calls. */
const HANDSHAKES = 10;

/**
 * Kinds of windows: per address, key or access token, with the names used in headers. `form` and `oauth` also count per
 * address; they protect accounts (`AddressLimits` in `rate-limits.ts`) and do not appear in headers.
 */
export type WindowKind = "anon" | "key" | "token" | "form" | "oauth";

/** Requests allowed per window, by kind. */
export type Quotas = Readonly<Record<WindowKind, number>>;

/** The default quotas. @see docs/contract.md, "Rate limits" */
export const QUOTAS: Quotas = { anon: 60, key: 600, token: 600, form: 60, oauth: 600 };

/** What is counted: calls, or MCP's handshakes in a separate window. */
export type Counted = "calls" | "handshakes";

/** Counts requests in windows, in this process or across servers. */
export interface RateLimiter {
  /**
   * Counts a request. Refuses with `rate_limited` if the window is full, without counting it.
   *
   * @param who address, key id or token id
   * @returns the window after this request
   */
  acquire(kind: WindowKind, who: string, counted: Counted): Promise<WindowState> | WindowState;
  /** The refusal `acquire` would throw, as far as known in this process; counts nothing. */
  refusalOf(kind: WindowKind, who: string, counted: Counted): ServiceError | undefined;
}

/** A window: its id in the store, its name in headers, and its quota. */
export interface WindowSpec {
  id: string;
  name: string;
  quota: number;
}

/** The window of a caller. @param who address, key id or token id */
export function windowOf(quotas: Quotas, kind: WindowKind, who: string, counted: Counted): WindowSpec {
  return counted === "calls"
    ? { id: `${kind}:${who}`, name: kind, quota: quotas[kind] }
    : { id: `${kind}+${who}`, name: "handshake", quota: quotas[kind] * HANDSHAKES };
}

/** The state of a window for its caller. @param untilOldestLeavesMs milliseconds until its oldest request expires */
export function windowState(
  { name, quota }: WindowSpec,
  used: number,
  untilOldestLeavesMs: number,
): WindowState {
  return {
    name,
    quota,
    windowSeconds: WINDOW_SECONDS,
    remaining: Math.max(0, quota - used),
    resetSeconds: Math.max(1, Math.ceil(untilOldestLeavesMs / 1000)),
  };
}

/** The refusal of a request beyond the quota. */
export function windowFull(window: WindowState): ServiceError {
  const { quota, windowSeconds, resetSeconds } = window;
  return new ServiceError(
    "rate_limited",
    `The limit of ${quota} requests in ${windowSeconds} seconds is reached. Try again in ${resetSeconds} ${resetSeconds === 1 ? "second" : "seconds"}.`,
    { retryAfterSeconds: resetSeconds, window },
  );
}

/** A window's name outside this process: hashed, so that it contains no address or key id in clear. */
export function hashedId(id: string): string {
  return new Bun.CryptoHasher("sha256").update(id).digest("base64url").slice(0, 22);
}
