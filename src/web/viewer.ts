/**
 * Who is viewing a page, and what they may see: the operator, on the server's own machine, sees everything, signed in or
 * not; a person signed in elsewhere sees what they have opened; a visitor sees the latest year of a company. A GET never
 * charges. @see docs/contract.md, "Pages"
 */
import type { Credits } from "../accounts/credits.ts";
import { reservations } from "../operations/admit.ts";
import type { ContextOf } from "../http/base-urls.ts";
import type { BrowserSession, Person, SessionCookies } from "../http/session-cookies.ts";

/** The viewer of a page. */
export type Viewer =
  /** Connects from the machine that the server runs on, when only that machine can reach the server. */
  | { kind: "operator" }
  | {
      kind: "person";
      person: Person;
      browserSession: BrowserSession;
      /** Sees everything free of charge: the account is unmetered, or the request comes from the operator's machine. */
      isUnmetered: boolean;
      /** Null where it was not looked up. */
      credits: { balance: number; freeCredits: number } | null;
    }
  | { kind: "visitor" };

/** The price of what a button opens. */
export interface PagePrice {
  /** For the ledger entry. */
  operation: string;
  ticker: string | null;
  costCredits: number;
}

/** Somebody who pays. */
type Metered = Viewer & { kind: "person" };

/** What is opened, such as `companies 320193`, in a dataset with this content hash. */
export interface Opens {
  dataset: string;
  subject: string;
  price: PagePrice;
  /** What the viewer had opened of the dataset when it was found that there is something to pay for. */
  pricedBeside: readonly string[];
}

/** Finds viewers, and what they may see. */
export interface Viewers {
  /** Synchronous for requests without a session: pages for visitors need not wait. */
  find(request: Request): Promise<Viewer> | Viewer;
  /** The viewer without looking at cookies: a frame on another site is the same for everyone. */
  anonymous(request: Request): Viewer;
  /** What the viewer has opened. @param dataset content hash */
  opened(viewer: Metered, dataset: string): Promise<readonly string[]>;
  /**
   * Evaluates something with its price reserved, after what the same person asked for before: what two windows open at once may
   * overlap. Refuses with `payment_required`.
   */
  whenAffordable<T>(viewer: Metered, costCredits: number, work: () => Promise<T>): Promise<T>;
  /**
   * Charges and opens. Refuses with `payment_required`; opening it again is free.
   * @returns whether it is open; if not, the viewer has opened something else on another server, which may have it
   */
  open(viewer: Metered, opens: Opens, requestId: string): Promise<boolean>;
}

/** Dependencies of `createViewers`. */
export interface ViewerDeps {
  contextOf: ContextOf;
  /** Null where there are no accounts: every viewer is then the local operator. */
  accounts: {
    sessionCookies: SessionCookies;
    credits: Pick<Credits, "charge" | "opened">;
    creditsOf(userId: string): Promise<{ balance: number; unmetered: boolean; freeCredits: number }>;
  } | null;
  /** Whether an address is this machine's, on a server that no other machine can reach. */
  isLocal(address: string): boolean;
}

/** Headers that proxies add: a request that has one does not come from this machine, whatever the connection says. */
const FORWARDED = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/;

/** Returns what lets each user's work begin once that user's work before it has ended. */
function oneAfterAnother() {
  const newest = new Map<string, Promise<unknown>>();
  return async <Result>(userId: string, work: () => Promise<Result>): Promise<Result> => {
    const before = newest.get(userId)?.catch(() => undefined);
    const own = before === undefined ? work() : before.then(work);
    newest.set(userId, own);
    try {
      return await own;
    } finally {
      if (newest.get(userId) === own) newest.delete(userId);
    }
  };
}

/** Creates the viewers for a configuration. */
export function createViewers({ contextOf, accounts, isLocal }: ViewerDeps): Viewers {
  const isHere = (request: Request): boolean =>
    isLocal(contextOf(request).address) && ![...request.headers.keys()].some((name) => FORWARDED.test(name));
  const anonymousViewer = (request: Request): Viewer => ({ kind: isHere(request) ? "operator" : "visitor" });
  const reserving = reservations();
  const inTurn = oneAfterAnother();
  return {
    anonymous: (request) => (accounts === null ? { kind: "operator" } : anonymousViewer(request)),
    find(request) {
      if (accounts === null) return { kind: "operator" };
      if (!request.headers.has("cookie")) return anonymousViewer(request);
      const { sessionCookies, creditsOf } = accounts;
      if (sessionCookies.carried(request, "session") === undefined) return anonymousViewer(request);
      return sessionCookies.browserSession(request).then(async (browserSession) => {
        const { person } = browserSession;
        if (person === null) return anonymousViewer(request);
        const { unmetered, ...credits } = await creditsOf(person.userId);
        // The operator keeps full access when signed in.
        return { kind: "person", person, browserSession, isUnmetered: unmetered || isHere(request), credits };
      });
    },
    opened: async ({ person }, dataset) => (await accounts?.credits.opened(person.userId, dataset)) ?? [],
    async whenAffordable({ person, isUnmetered }, costCredits, work) {
      if (accounts === null || isUnmetered || costCredits === 0) return work();
      const { userId } = person;
      const free = { userId, costCredits: 0, operation: "", ticker: null, requestId: "" };
      return inTurn(userId, () => reserving(userId, costCredits, () => accounts.credits.charge(free), work));
    },
    async open(viewer, { price, ...opens }, requestId) {
      if (accounts === null || viewer.isUnmetered) return true;
      const { userId } = viewer.person;
      const { isOutdated } = await accounts.credits.charge({ ...price, userId, requestId, opens });
      return isOutdated !== true;
    },
  };
}
