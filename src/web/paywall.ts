/** What is shown in place of something not yet open: its price, the button, how to get an account. */
import { counted } from "../lib/text.ts";
import { FIRST_CREDITS } from "../accounts/credits.ts";
import type { SignUpMode } from "../accounts/sign-in.ts";
import { type Html, html } from "../lib/html.ts";
import { hiddenFields } from "./fields.ts";
import { ROUTES } from "../http/routes.ts";
import type { Viewer, PagePrice } from "./viewer.ts";

/** Where people see their credits. */
export const USAGE_PATH = `${ROUTES.developer.path}?tab=usage`;

/** Shown to people without an account where they cannot create one. */
export const NO_SIGN_UP: Readonly<Record<Exclude<SignUpMode, "open">, string>> = {
  invite: "Ask the owner of this server for an invitation.",
  closed: "This server does not accept new accounts.",
};

/** `free`, `1 credit`. */
export function priceText(credits: number): string {
  return credits === 0 ? "free" : counted(credits, "credit");
}

/** The one button for somebody who has not had the free credits; it leads back to `here`. @param why before the button */
function freeCreditsForm(viewer: Viewer & { kind: "person" }, here: string, why: string): Html {
  return html`<form class="note" method="post" action="${ROUTES.developer.path}">
    ${hiddenFields({ csrf: viewer.browserSession.csrf, act: "free_credits", once: "free-credits", back: here })}
    ${why}
    <button class="primary">Get ${FIRST_CREDITS} free credits</button>
    <span class="soft">Once per account, for pages, API keys and connected apps together.</span>
  </form>`;
}

/** What a new member sees first: the button for the free credits. */
export function welcome(viewer: Viewer): Html | false {
  if (viewer.kind !== "person" || viewer.isUnmetered || !((viewer.credits?.freeCredits ?? 0) > 0))
    return false;
  return freeCreditsForm(
    viewer,
    ROUTES.home.path,
    "Welcome. Earlier years, rankings and statistics cost credits.",
  );
}

/** How an account is had. Free credits are promised only where it can be had, and something costs any. */
export function accountText(signUp: SignUpMode, isSold: boolean): string {
  if (signUp === "closed") return NO_SIGN_UP.closed;
  const given = isSold ? `${FIRST_CREDITS} credits are free with an account.` : "";
  const invited = signUp === "invite" ? "Accounts are by invitation: ask the owner of this server." : "";
  return [given, invited].filter((text) => text !== "").join(" ");
}

/** What is shown in place of something not yet open: one sentence and the next step. @param here path and query of this page @param isFreeToMembers whether signing in is enough */
export function paywall(
  {
    deps: { signUp },
    viewer,
    price: { costCredits },
    offered,
  }: {
    deps: { signUp: SignUpMode };
    viewer: Viewer;
    price: PagePrice;
    offered: { isMore?: boolean } | null;
  },
  what: string,
  here: string,
  isFreeToMembers = false,
): Html {
  const priced = priceText(costCredits);
  if (viewer.kind !== "person") {
    const told = isFreeToMembers
      ? `Free with an account. ${accountText(signUp, false)}`
      : `Price: ${priced}. ${accountText(signUp, costCredits > 0)}`;
    return html`<p class="note">
      <a class="button primary" href="${ROUTES.signIn.path}?next=${encodeURIComponent(here)}">Sign in</a> to
      see ${what}${!what.endsWith(".") && "."}
      <span class="soft">${told}</span>
    </p>`;
  }
  const { balance, freeCredits } = viewer.credits ?? { balance: costCredits, freeCredits: 0 };
  if (balance < costCredits) {
    const refused = `Not enough credits for ${what} (${priced}): you have ${balance}.`;
    if (freeCredits >= costCredits) return freeCreditsForm(viewer, here, refused);
    return html`<p class="note">${refused} <a href="${USAGE_PATH}">Usage and credits</a></p>`;
  }
  return html`<form class="note" method="post" action="${here}">
    ${hiddenFields({ csrf: viewer.browserSession.csrf, ...(offered?.isMore === true ? { opens: "more" } : {}) })}
    <button class="primary">Show ${what} (${priced})</button>
    <span class="soft"
      >Nothing is charged if you can see all of it already. Once opened, it stays free until the dataset
      changes, and so does anything that narrows it.</span
    >
  </form>`;
}
