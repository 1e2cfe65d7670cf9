import type { CarriedRequest, CarriedRequests } from "../accounts/oauth/carried.ts";
import type { SessionCookies } from "../http/session-cookies.ts";

/** The cookies that hold a browser's requests; a new request replaces the oldest. */
const SLOTS = ["request_0", "request_1", "request_2"] as const;
type Slot = (typeof SLOTS)[number];

/** Maximum total length of these cookies; more would let a site push a browser past the limit for request headers. */
const MAX_CARRIED = 8000;

/** Authorization requests in browser cookies. */
export interface RequestCookies {
  /** Stores a request in a cookie. @returns its transaction id and the `Set-Cookie` lines */
  keep(request: Request, browser: string, query: string): { transaction: string; cookies: readonly string[] };
  /** The browser's request with that transaction id, and the line that clears its cookie. */
  find(
    request: Request,
    browser: string,
    transaction: string,
  ): { query: string; endCookie: string } | undefined;
}

/** @param requests seals and opens the cookies' contents */
export function createRequestCookies(
  sessionCookies: Pick<SessionCookies, "carried" | "cookie">,
  requests: CarriedRequests,
): RequestCookies {
  const heldBy = (request: Request, browser: string) =>
    SLOTS.flatMap((slot): (CarriedRequest & { slot: Slot; length: number })[] => {
      const sealed = sessionCookies.carried(request, slot);
      const held = sealed === undefined ? undefined : requests.open(sealed, browser);
      return held === undefined ? [] : [{ ...held, slot, length: sealed?.length ?? 0 }];
    });

  return {
    keep(request, browser, query) {
      const { sealed, transaction } = requests.seal(query, browser);
      const held = heldBy(request, browser).toSorted((a, b) => b.expiresAtMs - a.expiresAtMs);
      let total = sealed.length;
      const staying = held.filter(
        ({ length }, at) => (total += length) <= MAX_CARRIED && at < SLOTS.length - 1,
      );
      const kept = new Set(staying.map(({ slot }) => slot));
      const free = SLOTS.filter((slot) => !kept.has(slot));
      const [own = SLOTS[0], ...others] = free;
      const ended = others.filter((slot) => sessionCookies.carried(request, slot) !== undefined);
      return {
        transaction,
        cookies: [
          sessionCookies.cookie(request, own, sealed, 600),
          ...ended.map((slot) => sessionCookies.cookie(request, slot, "", 0)),
        ],
      };
    },

    find(request, browser, transaction) {
      const found = heldBy(request, browser).find((held) => held.transaction === transaction);
      if (found === undefined) return undefined;
      return { query: found.query, endCookie: sessionCookies.cookie(request, found.slot, "", 0) };
    },
  };
}
