import { ServiceError } from "../errors.ts";

/** How many requests may be under way. */
export interface InFlightLimits {
  /** Up to this many in all, nobody is counted. */
  quiet: number;
  /** For one address, once it is counted. */
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

/** Says that a request is over. */
export type Release = () => void;

/** Counts requests that are under way, an answer that is not yet read included. */
export interface InFlight {
  /**
   * Takes a place for a request. Undefined where the server is quiet: then nothing is counted, and nothing has to be
   * released. Refuses with `rate_limited` when the address has too many, `unavailable` when everybody has.
   */
  enter(address: string): Release | undefined;
}

/**
 * @param pending requests of which the answer has not been handed to the kernel; `Bun.serve` knows it, though it has no
 *   hook for a connection or for the end of an answer
 */
export function createInFlight(pending: () => number, limits: InFlightLimits = LIMITS): InFlight {
  const byAddress = new Map<string, number>();
  return {
    enter(address) {
      const all = pending();
      if (all <= limits.quiet) return undefined;
      if (all > limits.total) {
        throw new ServiceError("unavailable", "The server is busy. Try again in a second.", {
          retryAfterSeconds: RETRY_SECONDS,
        });
      }
      const own = byAddress.get(address) ?? 0;
      if (own >= limits.perAddress) {
        throw new ServiceError(
          "rate_limited",
          `${limits.perAddress} requests from this address are under way, which is the limit. Read their answers first.`,
          { retryAfterSeconds: RETRY_SECONDS },
        );
      }
      byAddress.set(address, own + 1);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        const left = (byAddress.get(address) ?? 1) - 1;
        if (left === 0) byAddress.delete(address);
        else byAddress.set(address, left);
      };
    },
  };
}

/** The answer with a body that says when it was read to its end, or will not be. */
export function whenRead(answer: Response, release: Release): Response {
  if (answer.body === null) {
    release();
    return answer;
  }
  const reader = answer.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      const { done, value } = await reader.read();
      if (!done) return stream.enqueue(value);
      stream.close();
      release();
    },
    async cancel(reason) {
      release();
      await reader.cancel(reason);
    },
  });
  return new Response(body, answer);
}
