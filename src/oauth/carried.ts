import type { CarriedRequest, CarriedRequests } from "../grants/carried.ts";
import type { SessionCookies } from "../session-cookies.ts";

/** The cookies that hold the requests of one browser; a newer request than these takes the place of the oldest. */
const SLOTS = ["request_0", "request_1", "request_2"] as const;
type Slot = (typeof SLOTS)[number];

/** Characters that these cookies have together: with more, a site could push a browser past the limit of a head. */
const MAX_CARRIED = 8000;

/** Authorization requests in the cookies of browsers. */
export interface RequestCookies {
  /** Has the browser carry a request. @returns its transaction and the `Set-Cookie` lines that do it */
  keep(request: Request, browser: string, query: string): { transaction: string; cookies: readonly string[] };
  /** The request of a transaction that this browser carries, with the line that ends the cookie. */
  find(
    request: Request,
    browser: string,
    transaction: string,
  ): { query: string; endCookie: string } | undefined;
}

/** @param requests seals and opens what the cookies hold */
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
