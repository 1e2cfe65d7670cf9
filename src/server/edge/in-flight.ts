import { ServiceError } from "../../errors.ts";

/** Limits on concurrent requests. */
export interface InFlightLimits {
  /** Requests are not counted by address up to this total. */
  quiet: number;
  /** Limit per address once counted; for IPv6 per /48, which one customer of a provider may have. */
  perAddress: number;
  /** Limit in total. */
  total: number;
}

/**
 * With bodies of at most 64 KiB in memory (`http.ts`, memoryBody), 1,024 clients that never read hold 64 MB. One address
 * never exceeds 512, which leaves room for others.
 */
const LIMITS: InFlightLimits = { quiet: 256, perAddress: 256, total: 1024 };

/** `Retry-After` of a refusal, in seconds. */
const RETRY_SECONDS = 1;

/**
 * What the listener knows about its requests; `Bun.serve` has no hooks for connections or for the end of a response.
 */
export interface PendingRequests {
  /** Number of requests whose response has not been handed to the kernel, including those whose body is awaited. */
  pending(): number;
  /** Whether a request was answered completely, or abandoned by the client. */
  isFinished(request: Request): boolean;
}

/** Counts concurrent requests, including responses that have not been read. */
export interface InFlight {
  /**
   * Counts a request until it is over. Refuses with `rate_limited` if its address has too many, with `unavailable` if
   * there are too many in total.
   */
  enter(address: string, request: Request): void;
}

/** Creates the counter. It does not wrap responses: counting outgoing bytes would copy each of them. */
export function createInFlight(
  { pending, isFinished }: Pick<PendingRequests, "pending" | "isFinished">,
  limits: InFlightLimits = LIMITS,
): InFlight & { readonly size: number } {
  let size = 0;
  const held = new Map<string, Request[]>();
  /** Prunes a holder's finished requests, and returns the others. */
  const openOf = (who: string, requests: readonly Request[]): Request[] => {
    const open = requests.filter((request) => !isFinished(request));
    size += open.length - requests.length;
    if (open.length === 0) held.delete(who);
    else held.set(who, open);
    return open;
  };
  return {
    get size() {
      return size;
    },
    enter(address, request) {
      const all = pending();
      if (all <= limits.quiet) return;
      if (all > limits.total) {
        throw new ServiceError("unavailable", "The server is busy. Try again in a second.", {
          retryAfterSeconds: RETRY_SECONDS,
        });
      }
      // At most `total` requests are in flight, so at least half of those counted are over.
      if (size >= 2 * limits.total) for (const [each, requests] of held) openOf(each, requests);
      const who = siteOf(address);
      let own = held.get(who) ?? [];
      if (own.length >= limits.perAddress) own = openOf(who, own);
      if (own.length >= limits.perAddress) {
        throw new ServiceError(
          "rate_limited",
          `${limits.perAddress} requests from this address are under way, which is the limit. Read their answers first.`,
          { retryAfterSeconds: RETRY_SECONDS },
        );
      }
      own.push(request);
      size += 1;
      held.set(who, own);
    },
  };
}

/** Whom a request counts for: its address or, for an IPv6 network from `clientAddress`, its /48. */
export function siteOf(address: string): string {
  return address.includes(":") ? address.split(":", 3).join(":") : address;
}
