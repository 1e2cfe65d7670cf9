import type { MaybePromise } from "../domain/maybe-promise.ts";
import { ServiceError, type WindowState } from "../errors.ts";

/** Length of every window, in seconds. @see docs/contract.md, "Rate limits" */
export const WINDOW_SECONDS = 60;

/** How many times more of MCP's handshake and list messages fit than calls. */
const HANDSHAKES = 10;

/**
 * Whose window: an address's, a key's, an access token's. The words are the names in the headers. `form` and `oauth` are an
 * address's, too, of what protects accounts (`visits.ts`), which no header tells.
 */
export type WindowKind = "anon" | "key" | "token" | "form" | "oauth";

/** Requests that fit into any window, by who calls. */
export type Quotas = Readonly<Record<WindowKind, number>>;

/** The quotas of the service. @see docs/contract.md, "Rate limits" */
export const QUOTAS: Quotas = { anon: 60, key: 600, token: 600, form: 60, oauth: 600 };

/** What is counted: calls, or MCP's handshakes in a window of their own. */
export type Counted = "calls" | "handshakes";

/** Counts requests in windows: those of this process, or of all servers together. */
export interface RateLimiter {
  /**
   * Counts a request. Refuses with `rate_limited` when the window is full; that request is not counted.
   *
   * @param who address, key id or token id
   * @returns the window after this request
   */
  acquire(kind: WindowKind, who: string, counted: Counted): MaybePromise<WindowState>;
  /** What `acquire` would refuse with, as far as it is known here without asking; counts nothing. */
  refusalOf(kind: WindowKind, who: string, counted: Counted): ServiceError | undefined;
}

/** One window: its identity in the store, its name in headers, its quota. */
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

/** The window with that identity; undefined for what is none of ours. */
export function windowById(quotas: Quotas, id: string): WindowSpec | undefined {
  const [, kind, mark, who] = /^(\w+)([:+])(.*)$/.exec(id) ?? [];
  if (kind === undefined || who === undefined || !isKind(kind)) return undefined;
  return windowOf(quotas, kind, who, mark === ":" ? "calls" : "handshakes");
}

/** A window as its caller sees it. @param untilOldestLeavesMs milliseconds until it has one request less */
export function windowState(
  { name, quota }: WindowSpec,
  used: number,
  untilOldestLeavesMs: number,
): WindowState {
  return {
    name,
    quota,
    windowSeconds: WINDOW_SECONDS,
    remaining: quota - used,
    resetSeconds: Math.max(1, Math.ceil(untilOldestLeavesMs / 1000)),
  };
}

/** What a request beyond the quota is refused with. */
export function windowFull(window: WindowState): ServiceError {
  const { quota, windowSeconds, resetSeconds } = window;
  return new ServiceError(
    "rate_limited",
    `${quota} requests in ${windowSeconds} seconds are allowed and were made. Try again in ${resetSeconds} ${resetSeconds === 1 ? "second" : "seconds"}.`,
    { retryAfterSeconds: resetSeconds, window },
  );
}

function isKind(word: string): word is WindowKind {
  return Object.hasOwn(QUOTAS, word);
}
