import { ROUTES } from "../routes.ts";
import type { SessionCookies, BrowserSession } from "../session-cookies.ts";
import { ServiceError } from "../errors.ts";
import { describeRedirect, withResponse } from "../grants/redirects.ts";
import type { AuthorizationRequest, Requests } from "../grants/requests.ts";
import { type Html, html, page } from "../html.ts";
import { pageResponse } from "../http.ts";
import type { Log } from "../log.ts";
import type { ContextOf } from "../base-urls.ts";
import type { Authorization } from "./authorize.ts";
import { oauthErrorOf } from "./errors.ts";
import { OAUTH_PAGE_HEADERS, decidedPage, redirectTo, stoppedPage, toSignIn } from "./pages.ts";

/** What a person can spend. */
export interface CreditsShown {
  balance: number;
  unmetered: boolean;
  /** Credits that connecting gives, because nothing gave them yet. */
  freeCredits: number;
}

/** What the decision is built from. */
export interface ConsentDeps {
  contextOf: ContextOf;
  sessionCookies: SessionCookies;
  requests: Requests;
  /** The request that a browser carried to the sign-in page, and back. */
  carries: Authorization["carries"];
  resume: Authorization["resume"];
  log: Log;
  creditsOf(userId: string): CreditsShown;
}

const EXPIRED =
  "This request has expired, was started in another browser, or was answered from another account. " +
  "Requests expire after ten minutes.";

/**
 * `/oauth/authorize/consent`: GET shows the decision again (after signing in), POST takes it. Only the browser that brought
 * the request, with a form that it was given, decides; a second click gets the first one's answer again.
 *
 * @see docs/protocols.md, A-4 to A-6 and 3.9
 */
export function consent({
  contextOf,
  sessionCookies,
  requests,
  carries,
  resume,
  log,
  creditsOf,
}: ConsentDeps) {
  const show = async (request: Request): Promise<Response> => {
    const { baseUrls, url } = contextOf(request);
    const browserSession = sessionCookies.browserSession(request);
    const transaction = url.searchParams.get("transaction") ?? "";
    const { browser, person, cookies } = browserSession;
    const kept = requests.find(transaction, browser);
    if (kept === undefined && !carries(request, browser, transaction)) return stoppedPage(400, EXPIRED);
    if (person === null) return toSignIn(baseUrls, transaction, cookies);
    const resumed = kept === undefined ? await resume(request, browserSession, transaction) : undefined;
    const asked = kept ?? resumed?.asked;
    if (asked === undefined) return stoppedPage(400, EXPIRED);
    return consentPage({
      asked,
      transaction,
      browserSession: { ...browserSession, cookies: [...cookies, ...(resumed?.cookies ?? [])] },
      credits: creditsOf(person.userId),
    });
  };

  const decide = async (request: Request): Promise<Response> => {
    const { baseUrls } = contextOf(request);
    const browserSession = sessionCookies.browserSession(request);
    const form = await sessionCookies.form(request, browserSession);
    const transaction = form.get("transaction") ?? "";
    const decision = form.get("decision");
    if (browserSession.person === null) return toSignIn(baseUrls, transaction, browserSession.cookies);
    if (decision !== "approve" && decision !== "deny") {
      throw new ServiceError("invalid_parameter", "Choose Approve or Deny.");
    }
    const by = { browser: browserSession.browser, userId: browserSession.person.userId };
    const decided = await requests.decide(transaction, by, decision === "approve");
    if (decided.kind === "unknown") return stoppedPage(400, EXPIRED);
    if (decided.kind === "spent") return decidedPage(decided.redeemed, baseUrls.developer);
    const { redirectUri, state, issuer, clientId } = decided.request;
    log.info("oauth_decision", { client: clientId, user: by.userId, decision: decided.kind });
    const answer =
      decided.kind === "approved"
        ? { code: decided.code, state, iss: issuer }
        : { error: "access_denied", error_description: "The user denied the request.", state, iss: issuer };
    return redirectTo(withResponse(redirectUri, answer), 303);
  };

  return async ({ request }: { request: Request }): Promise<Response> => {
    try {
      if (request.method === "GET") return await show(request);
      if (request.method === "POST") return await decide(request);
      return stoppedPage(405, "Open this address in a browser.", {
        allow: ROUTES.consent.methods.join(", "),
      });
    } catch (refused) {
      const { description, status, headers } = oauthErrorOf(refused);
      return stoppedPage(status, description, headers);
    }
  };
}

/** The page on which a signed-in person decides. */
export function consentPage(shown: {
  asked: AuthorizationRequest;
  transaction: string;
  browserSession: BrowserSession;
  credits: CreditsShown;
}): Response {
  const { asked, transaction, browserSession, credits } = shown;
  const name = asked.clientName ?? "Unnamed application";
  const local = !asked.redirectUri.startsWith("https:");
  const hidden = [
    html`<input type="hidden" name="csrf" value="${browserSession.csrf}" />`,
    html`<input type="hidden" name="transaction" value="${transaction}" />`,
  ];
  const text = page({
    title: `Connect ${name}`,
    main: html`<div class="narrow">
      <h1>Connect <q>${name}</q>?</h1>
      <p class="soft">The application chose this name; it is not verified.</p>
      <dl class="facts">
        <dt>Redirects to</dt>
        <dd><strong>${describeRedirect(asked.redirectUri)}</strong></dd>
        <dt>It may</dt>
        <dd>
          read executive compensation for all fiscal years
          <span class="soft">(${asked.scope})</span>
        </dd>
        <dt>It may spend</dt>
        <dd>${spending(credits)}</dd>
        <dt>You are signed in as</dt>
        <dd>${browserSession.person?.email}</dd>
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
      <p class="soft">You can disconnect the application at any time on the developer page.</p>
    </div>`,
  });
  const answer = pageResponse(text, 200, OAUTH_PAGE_HEADERS);
  for (const cookie of browserSession.cookies) answer.headers.append("set-cookie", cookie);
  return answer;
}

function spending({ balance, unmetered, freeCredits }: CreditsShown): Html {
  if (unmetered) return html`no credits: your account is unmetered`;
  const all = balance + freeCredits;
  return html`your credits: ${all}
  left${freeCredits > 0 && html`, including ${freeCredits} free credits for this first connection`}. History
  costs credits; the latest fiscal year is free.`;
}
