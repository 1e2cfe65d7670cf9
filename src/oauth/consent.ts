import { ServiceError } from "../errors.ts";
import { withResponse } from "../accounts/oauth/redirects.ts";
import { redirectTo } from "../http/responses.ts";
import { ROUTES } from "../http/routes.ts";
import type { Authorization } from "./authorize.ts";
import type { Handler, OAuthDeps } from "./endpoint.ts";
import { oauthErrorOf } from "./errors.ts";
import { consentPage, decidedPage, stoppedPage, toSignIn } from "./pages.ts";

const EXPIRED =
  "This request has expired, was started in another browser, or was answered from another account. " +
  "Requests expire after ten minutes.";

/**
 * `/oauth/authorize/consent`: GET shows the consent page (after sign-in), POST decides. Only the browser that started
 * the request can decide, with a form issued to it; a second click repeats the first result.
 *
 * @see docs/protocols.md, A-4 to A-6 and 3.9
 */
export function consent(deps: OAuthDeps, authorization: Authorization): Handler {
  return async ({ request }) => {
    try {
      if (request.method === "GET") return await show(deps, authorization, request);
      if (request.method === "POST") return await decide(deps, request);
      return stoppedPage(405, "Open this address in a browser.", {
        allow: ROUTES.consent.methods.join(", "),
      });
    } catch (refused) {
      const { description, status, headers } = oauthErrorOf(refused);
      return stoppedPage(status, description, headers);
    }
  };
}

async function show(deps: OAuthDeps, authorization: Authorization, request: Request): Promise<Response> {
  const { contextOf, sessionCookies, grants, creditsOf } = deps;
  const { baseUrls, url } = contextOf(request);
  const browserSession = await sessionCookies.browserSession(request);
  const transaction = url.searchParams.get("transaction") ?? "";
  const { browser, person, cookies } = browserSession;
  const kept = await grants.requests.find(transaction, browser);
  if (kept === undefined && !authorization.carries(request, browser, transaction)) {
    return stoppedPage(400, EXPIRED);
  }
  if (person === null) return toSignIn(baseUrls, transaction, cookies);
  const resumed =
    kept === undefined ? await authorization.resume(request, browserSession, transaction) : undefined;
  const asked = kept ?? resumed?.asked;
  if (asked === undefined) return stoppedPage(400, EXPIRED);
  return consentPage({
    asked,
    transaction,
    browserSession: { ...browserSession, cookies: [...cookies, ...(resumed?.cookies ?? [])] },
    credits: await creditsOf(person.userId),
  });
}

async function decide(
  { contextOf, sessionCookies, grants, log }: OAuthDeps,
  request: Request,
): Promise<Response> {
  const { baseUrls, address } = contextOf(request);
  const browserSession = await sessionCookies.browserSession(request);
  const form = await sessionCookies.form(request, browserSession);
  const transaction = form.get("transaction") ?? "";
  const decision = form.get("decision");
  if (browserSession.person === null) return toSignIn(baseUrls, transaction, browserSession.cookies);
  if (decision !== "approve" && decision !== "deny") {
    throw new ServiceError("invalid_parameter", "Choose Approve or Deny.");
  }
  const { userId } = browserSession.person;
  const userAgent = request.headers.get("user-agent");
  const by = { browser: browserSession.browser, userId, address, userAgent };
  const decided = await grants.requests.decide(transaction, by, decision === "approve");
  if (decided.kind === "unknown") return stoppedPage(400, EXPIRED);
  if (decided.kind === "spent") return decidedPage(decided.redeemed, baseUrls.developer);
  const { redirectUri, state, issuer, clientId } = decided.request;
  log.info("oauth_decision", { client: clientId, user: by.userId, decision: decided.kind });
  const answer =
    decided.kind === "approved"
      ? { code: decided.code, state, iss: issuer }
      : { error: "access_denied", error_description: "The user denied the request.", state, iss: issuer };
  return redirectTo(withResponse(redirectUri, answer));
}
