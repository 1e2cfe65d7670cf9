/**
 * Who looks at a page, and what they may see: whoever sits at the machine everything, signed in or not, somebody signed in
 * elsewhere what they opened, a visitor one company's latest year. A GET never charges. @see docs/contract.md, "Pages"
 */
import type { MaybePromise } from "../domain/maybe-promise.ts";
import type { Credits } from "../accounts/credits.ts";
import type { Openings } from "../accounts/openings.ts";
import type { ContextOf } from "../base-urls.ts";
import { type Html, html } from "../html.ts";
import { ROUTES } from "../routes.ts";
import type { BrowserSession, Person, SessionCookies } from "../session-cookies.ts";
import { tabPath } from "./developer/tabs.ts";

/** Who looks at a page. */
export type Viewer =
  /** Sits at the machine that the server runs on and only that machine can reach. */
  | { kind: "operator" }
  | {
      kind: "person";
      person: Person;
      browserSession: BrowserSession;
      /** Sees everything free: by the operator's word, or as the operator. */
      isUnmetered: boolean;
      /** Null where nobody asked. */
      credits: { balance: number; freeCredits: number } | null;
    }
  | { kind: "visitor" };

/** Something that a viewer may have to pay for. */
export interface Gate {
  /** What is opened, such as `history 0000320193`; one price for as long as the dataset stays. */
  subject: string;
  /** For the ledger. */
  operation: string;
  ticker: string | null;
  costCredits: number;
}

/** What the pages know of viewers. */
export interface Viewers {
  /** At once for whoever brings no session: a page for visitors waits for nothing. */
  find(request: Request): MaybePromise<Viewer>;
  /** Whether the viewer sees it without another step. @param dataset content hash */
  isOpen(viewer: Viewer, dataset: string, gate: Gate): Promise<boolean>;
  /** Charges and opens. Refuses with `payment_required`; opening again is free. */
  open(viewer: Viewer & { kind: "person" }, dataset: string, gate: Gate, requestId: string): Promise<void>;
}

/** What viewers are told by. */
export interface ViewerDeps {
  contextOf: ContextOf;
  /** Null where there are no accounts: then whoever asks is the local operator. */
  accounts: {
    sessionCookies: SessionCookies;
    openings: Openings;
    credits: Pick<Credits, "charge">;
    creditsOf(userId: string): MaybePromise<{ balance: number; unmetered: boolean; freeCredits: number }>;
  } | null;
  /** Whether an address is this machine's, and nobody else can reach the server. */
  isLocal(address: string): boolean;
}

/** Headers that a proxy adds: who sends one does not sit at this machine, wherever the connection comes from. */
const FORWARDED = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/** Viewers as the configuration has them. */
export function createViewers({ contextOf, accounts, isLocal }: ViewerDeps): Viewers {
  const isHere = (request: Request): boolean =>
    isLocal(contextOf(request).address) && !FORWARDED.some((name) => request.headers.has(name));
  const findNobody = (request: Request): Viewer => ({ kind: isHere(request) ? "operator" : "visitor" });
  const isOpen: Viewers["isOpen"] = async (viewer, dataset, { subject, costCredits }) => {
    if (viewer.kind !== "person") return viewer.kind === "operator";
    if (viewer.isUnmetered || costCredits === 0) return true;
    return (await accounts?.openings.isOpen(viewer.person.userId, dataset, subject)) ?? false;
  };
  const pay: Viewers["open"] = async (viewer, dataset, { subject, ...price }, requestId) => {
    if (accounts === null || (await isOpen(viewer, dataset, { subject, ...price }))) return;
    const { credits, openings } = accounts;
    const { userId } = viewer.person;
    const { charged } = await credits.charge({ ...price, userId, requestId });
    if (await openings.open(userId, dataset, subject)) return;
    // Another server opened it meanwhile, and charged for it.
    await credits.charge({ ...price, userId, requestId, costCredits: -charged });
  };
  // A button that is pressed twice charges once.
  const underWay = new Map<string, Promise<void>>();
  return {
    find(request) {
      if (accounts === null) return { kind: "operator" };
      if (!request.headers.has("cookie")) return findNobody(request);
      const { sessionCookies, creditsOf } = accounts;
      if (sessionCookies.carried(request, "session") === undefined) return findNobody(request);
      return sessionCookies.browserSession(request).then(async (browserSession) => {
        const { person } = browserSession;
        if (person === null) return findNobody(request);
        const { unmetered, ...credits } = await creditsOf(person.userId);
        // Signing in takes nothing away from whoever sits at the machine.
        return { kind: "person", person, browserSession, isUnmetered: unmetered || isHere(request), credits };
      });
    },
    isOpen,
    open(viewer, dataset, gate, requestId) {
      const what = `${viewer.person.userId} ${dataset} ${gate.subject}`;
      const paid =
        underWay.get(what) ?? pay(viewer, dataset, gate, requestId).finally(() => underWay.delete(what));
      underWay.set(what, paid);
      return paid;
    },
  };
}

/** What stands in the place of something that is not open: one sentence, and the way to it. @param here path and query of this page */
export function offer(viewer: Viewer, { costCredits }: Gate, what: string, here: string): Html {
  if (viewer.kind !== "person") {
    return html`<p class="note">
      <a href="/sign-in?next=${encodeURIComponent(here)}">Sign in</a> to see
      ${what}${!what.endsWith(".") && "."}
    </p>`;
  }
  const price = costCredits === 1 ? "1 credit" : `${costCredits} credits`;
  const { balance, freeCredits } = viewer.credits ?? { balance: costCredits, freeCredits: 0 };
  if (balance < costCredits) {
    return html`<p class="note">
      Not enough credits for ${what} (${price}): you have ${balance}.
      ${
        freeCredits >= costCredits
          ? html`<a href="${ROUTES.developer.path}">Create your first API key</a>: it comes with
              ${freeCredits} free credits.`
          : html`<a href="${tabPath("usage")}">Usage and credits</a>`
      }
    </p>`;
  }
  return html`<form class="note" method="post" action="${here}">
    <input type="hidden" name="csrf" value="${viewer.browserSession.csrf}" />
    <button class="primary">Show ${what} (${price})</button>
    <span class="soft">Free from then on, until the dataset changes.</span>
  </form>`;
}
