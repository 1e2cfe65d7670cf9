import { ServiceError } from "../errors.ts";

/** How many requests may be under way. */
export interface InFlightLimits {
  /** Up to this many in all, nobody is counted. */
  quiet: number;
  /** For one address, once it is counted; for one /48 of IPv6, which a single customer of a provider has. */
  perAddress: number;
  /** In all. */
  total: number;
}

/**
 * With bodies of at most 64 KiB in memory (`http.ts`, heldBody), 1,024 readers who never read hold 64 MB; one address
 * alone never gets past 512, so that others still find a place.
 */
const LIMITS: InFlightLimits = { quiet: 256, perAddress: 256, total: 1024 };

/** How long who is refused waits before it tries again, in seconds. */
const RETRY_SECONDS = 1;

/** What a listener knows of its requests; `Bun.serve` has no hook for a connection or for the end of an answer. */
export interface UnderWay {
  /** Requests of which the answer has not been handed to the kernel. */
  pending(): number;
  /** Whether a request was answered to its end, or given up by who asked. */
  isOver(request: Request): boolean;
}

/** Counts requests that are under way, an answer that is not yet read included. */
export interface InFlight {
  /**
   * Takes a place for a request; it is free again once the request is over. Refuses with `rate_limited` when the address
   * has too many, `unavailable` when everybody has.
   */
  enter(address: string, request: Request): void;
}

/** Answers are left as they are: counting their bytes as they go out would need a copy of each. */
export function createInFlight(
  { pending, isOver }: UnderWay,
  limits: InFlightLimits = LIMITS,
): InFlight & { readonly size: number } {
  let size = 0;
  const held = new Map<string, Request[]>();
  /** The requests of somebody that are not over. */
  const openOf = (who: string, requests: readonly Request[]): Request[] => {
    const open = requests.filter((request) => !isOver(request));
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
      // No more than `total` of them are under way: at least half of those counted are over.
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

/** An address, or the /48 of an IPv6 network as `clientAddress` gives it. */
function siteOf(address: string): string {
  return address.includes(":") ? address.split(":", 3).join(":") : address;
}
