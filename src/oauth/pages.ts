import { ROUTES } from "../http/routes.ts";
import { html, page } from "../html.ts";
import { pageResponse, redirectTo } from "../http/responses.ts";
import type { BaseUrls } from "../http/base-urls.ts";

/**
 * Relaxes the opener policy: applications may open these pages in a popup and watch it close, which `same-origin` would
 * prevent. Against misuse of that handle, the pages have `frame-ancestors`, CSRF tokens and no scripts.
 */
export const OAUTH_PAGE_HEADERS: Readonly<Record<string, string>> = {
  "cross-origin-opener-policy": "unsafe-none",
};

/** The page for a request that must not be answered by a redirect, because no redirect URI has been validated. */
export function stoppedPage(
  status: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const text = page({
    title: "Cannot connect this application",
    main: html`<div class="narrow">
      <h1>Cannot connect this application</h1>
      <p class="error" role="alert">${reason}</p>
      <p>
        No access was granted. Go back to the application and start again. If that does not help, send the
        message above to its developers.
      </p>
    </div>`,
  });
  return pageResponse(text, status, { ...OAUTH_PAGE_HEADERS, ...headers });
}

/** The page for a decision that was made before and cannot be sent again. */
export function decidedPage(redeemed: boolean, developerUrl: string): Response {
  const title = redeemed ? "Already connected" : "This request has expired";
  const text = page({
    title,
    main: html`<div class="narrow">
      <h1>${title}</h1>
      ${
        redeemed
          ? html`<p>
              The application is connected; you can close this page. To disconnect it, go to the
              <a href="${developerUrl}">developer page</a>.
            </p>`
          : html`<p>
              The application did not finish connecting in time. No access was granted. Go back to it and
              start again.
            </p>`
      }
    </div>`,
  });
  return pageResponse(text, redeemed ? 200 : 400, OAUTH_PAGE_HEADERS);
}

/** Redirects to the sign-in page, which returns to the transaction. */
export function toSignIn(baseUrls: BaseUrls, transaction: string, cookies: readonly string[] = []): Response {
  return redirectTo(`${baseUrls.origin}${ROUTES.signIn.path}?transaction=${transaction}`, cookies);
}
