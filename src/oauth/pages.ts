import { ROUTES } from "../http/routes.ts";
import { type Html, html } from "../lib/html.ts";
import { narrowPage } from "../http/layout.ts";
import { withCookies } from "../http/headers.ts";
import { popupResponse, redirectTo } from "../http/html-responses.ts";
import type { BaseUrls } from "../http/base-urls.ts";
import type { BrowserSession } from "../http/session-cookies.ts";
import { describeRedirect } from "../accounts/oauth-state/redirects.ts";
import type { AuthorizationRequest } from "../accounts/oauth-state/requests.ts";

/** The page for a request that must not be answered by a redirect, because no redirect URI has been validated. */
export function stoppedPage(
  status: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const content = html`<p class="error" role="alert">${reason}</p>
    <p>
      No access was granted. Go back to the application and start again. If that does not help, send the
      message above to its developers.
    </p>`;
  return popupResponse(narrowPage("Cannot connect this application", content), status, headers);
}

/** The page for a decision that was made before and cannot be sent again. */
export function decidedPage(redeemed: boolean, developerUrl: string): Response {
  if (!redeemed) {
    const content = html`<p>
      The application did not finish connecting in time. No access was granted. Go back to it and start again.
    </p>`;
    return popupResponse(narrowPage("This request has expired", content), 400);
  }
  const content = html`<p>
    The application is connected; you can close this page. To disconnect it, go to the
    <a href="${developerUrl}">developer page</a>.
  </p>`;
  return popupResponse(narrowPage("Already connected", content));
}

/** Redirects to the sign-in page, which returns to the transaction. */
export function toSignIn(baseUrls: BaseUrls, transaction: string, cookies: readonly string[] = []): Response {
  return redirectTo(`${baseUrls.origin}${ROUTES.signIn.path}?transaction=${transaction}`, cookies);
}

/** What a person can spend. */
export interface CreditsShown {
  balance: number;
  unmetered: boolean;
  /** Credits that this first connection will add. */
  freeCredits: number;
}

/** The page on which a signed-in person approves or denies a request. */
export function consentPage(
  authorization: AuthorizationRequest,
  transaction: string,
  { csrf, person, cookies }: BrowserSession,
  credits: CreditsShown,
): Response {
  const name = authorization.clientName ?? "Unnamed application";
  const local = !authorization.redirectUri.startsWith("https:");
  const hidden = [
    html`<input type="hidden" name="csrf" value="${csrf}" />`,
    html`<input type="hidden" name="transaction" value="${transaction}" />`,
  ];
  const content = html`<p class="soft">The application chose this name; it is not verified.</p>
    <dl class="facts">
      <dt>Redirects to</dt>
      <dd><strong>${describeRedirect(authorization.redirectUri)}</strong></dd>
      <dt>It may</dt>
      <dd>
        read executive compensation for all fiscal years, of one company and across companies
        <span class="soft">(${authorization.scope})</span>
      </dd>
      <dt>Connects to</dt>
      <dd>${authorization.resource}</dd>
      <dt>It may spend</dt>
      <dd>${spending(credits)}</dd>
      <dt>You are signed in as</dt>
      <dd>${person?.email}</dd>
    </dl>
    ${
      local &&
      html`<p class="warning">
        This is a program on this computer, and any program can claim the name above. Continue only if you
        just started this yourself.
      </p>`
    }
    <form method="post" action="${ROUTES.consent.path}" class="row equal">
      ${hidden}
      <button name="decision" value="approve">Approve</button>
      <button name="decision" value="deny">Deny</button>
    </form>
    <form method="post" action="${ROUTES.signOut.path}" class="after">
      ${hidden}
      <button class="quiet">Use another account</button>
    </form>
    <p class="soft">You can disconnect the application at any time on the developer page.</p>`;
  const heading = html`Connect <q>${name}</q>?`;
  return withCookies(popupResponse(narrowPage(`Connect ${name}`, content, heading)), cookies);
}

function spending({ balance, unmetered, freeCredits }: CreditsShown): Html {
  if (unmetered) return html`no credits: your account is unmetered`;
  const all = balance + freeCredits;
  return html`your credits: ${all}
  left${freeCredits > 0 && html`, including ${freeCredits} free credits for this first connection`}. History
  costs credits; the latest fiscal year is free.`;
}
