import { ROUTES } from "../http/routes.ts";
import { Elysia } from "elysia";
import { actorOf } from "./actor.ts";
import type { BrowserSession } from "../http/session-cookies.ts";
import { type Html, html } from "../html.ts";
import { redirectTo } from "../http/responses.ts";
import {
  destination,
  emailField,
  submitForm,
  type EntryDeps,
  formResponse,
  NO_SIGN_UP,
  passwordField,
  readNext,
  readTransaction,
  type FailedForm,
  refusalOf,
  signInResponse,
  SIGNED_UP,
} from "./entry.ts";

/** The same whether the address was free or taken, so that it does not reveal who has an account. */
const AFTER_SIGN_UP =
  "Sign in with the address and password you just entered. If the address already had an account, use its existing password.";

/** Dependencies of the sign-in pages. */
type SignInDeps = EntryDeps & {
  /** Whether password resets can be mailed. */
  canMail: boolean;
};

/** `/sign-in` and `/sign-out`. @see docs/contract.md, "Sign-in" */
export function signIn(deps: SignInDeps) {
  const { contextOf, sessionCookies, accounts } = deps;
  const form = (browserSession: BrowserSession, transaction: string | null, last: FailedForm) =>
    signInForm(deps, browserSession, { transaction, note: null, next: null }, last);

  return new Elysia({ name: "sign-in" })
    .get(ROUTES.signIn.path, async ({ request }) => {
      const { searchParams } = contextOf(request).url;
      const transaction = readTransaction(searchParams.get("transaction"));
      const note = searchParams.has(SIGNED_UP) ? AFTER_SIGN_UP : null;
      const next = readNext(searchParams.get("next"));
      return signInForm(deps, await sessionCookies.browserSession(request), { transaction, note, next });
    })
    .post(
      ROUTES.signIn.path,
      ({ request }) =>
        submitForm(deps, request, form, async ({ attempt, browserSession, transaction, next }) => {
          const opened = await accounts.signIn(attempt);
          const location = destination(contextOf(request).baseUrls, transaction, next);
          return signInResponse(deps, request, browserSession, opened, location);
        }),
      {
        parse: "none",
      },
    )
    .post(
      ROUTES.signOut.path,
      async ({ request }) => {
        const { baseUrls } = contextOf(request);
        const browserSession = await sessionCookies.browserSession(request);
        try {
          const fields = await sessionCookies.form(request, browserSession);
          const { person, session } = browserSession;
          if (session !== null && person !== null) {
            await accounts.sessions.end(session, actorOf(request, contextOf(request), person));
          }
          const transaction = readTransaction(fields.get("transaction"));
          const query = transaction === null ? "" : `?transaction=${transaction}`;
          return redirectTo(`${baseUrls.origin}/sign-in${query}`, [sessionCookies.endCookie(request)]);
        } catch (refused) {
          const { message, status, headers } = refusalOf(refused);
          return form(browserSession, null, { email: "", problem: message, status, headers, next: null });
        }
      },
      { parse: "none" },
    );
}

/** The sign-in form. @param last the previous, rejected submission */
function signInForm(
  deps: SignInDeps,
  browserSession: BrowserSession,
  { transaction, note, next }: { transaction: string | null; note: string | null; next: string | null },
  last: FailedForm | null = null,
): Response {
  return formResponse(
    browserSession,
    {
      title: "Sign in",
      lead: html`${note !== null && html`<p class="note" role="status">${note}</p>`}
      ${
        transaction !== null &&
        html`<p class="note">
          Sign in to connect an application. You can review the request on the next page.
        </p>`
      }`,
      fields: html`${emailField(last?.email ?? "")} ${passwordField()}`,
      button: "Sign in",
      action: ROUTES.signIn.path,
      hidden: { transaction, next: last?.next ?? next },
      problem: last?.problem ?? null,
      tail: otherWaysIn(deps, transaction),
    },
    last?.status ?? 200,
    last?.headers ?? {},
  );
}

/** Links below the form for people without a password or without an account. */
function otherWaysIn({ providerName, canMail, signUpMode }: SignInDeps, transaction: string | null): Html {
  const carried = transaction === null ? "" : `?transaction=${transaction}`;
  return html`${
    providerName !== null &&
    html`<p>
      <a class="button" href="${ROUTES.singleSignOn.path}${carried}">Sign in with ${providerName}</a>
    </p>`
  }
  ${canMail && html`<p><a href="${ROUTES.forgotPassword.path}">Forgot your password?</a></p>`}
  ${
    signUpMode === "open"
      ? html`<p>No account yet? <a href="${ROUTES.signUp.path}${carried}">Create one</a>.</p>`
      : html`<p class="soft">No account yet? ${NO_SIGN_UP[signUpMode]}</p>`
  }`;
}
