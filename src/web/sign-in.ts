import { Elysia } from "elysia";
import { type Html, html } from "../html.ts";
import { redirectTo } from "../http/responses.ts";
import { ROUTES } from "../http/routes.ts";
import {
  type Anyone,
  attemptOf,
  carried,
  destination,
  ENTRY,
  type EntryDeps,
  type EntryPage,
  NO_SIGN_UP,
  readNext,
  readTransaction,
  signInResponse,
} from "./entry.ts";
import { emailField, Forms, mount, passwordField, type Visit } from "./forms.ts";

/** Query parameter of the sign-in page after signing up. */
export const SIGNED_UP = "signed-up";

/** The same whether the address was free or taken, so that it does not reveal who has an account. */
const AFTER_SIGN_UP =
  "Sign in with the address and password you just entered. If the address already had an account, use its existing password.";

type SignInDeps = EntryDeps & {
  /** Display name of the sign-in provider; null if there is none. */
  providerName: string | null;
  /** Whether password resets can be mailed. */
  canMail: boolean;
};

/** `/sign-in` and `/sign-out`. @see docs/contract.md, "Sign-in" */
export function signIn(deps: SignInDeps) {
  const forms = new Forms(deps.forms, ENTRY);
  const app = new Elysia({ name: "sign-in" });
  mount(app, "signIn", forms.at(signInPage(deps)));
  mount(app, "signOut", forms.at(signOutPage(deps)));
  return app;
}

function signInPage(deps: SignInDeps): EntryPage {
  return {
    title: "Sign in",
    main: (visit) => signInForm(deps, visit),
    acts: {
      sign_in: {
        async run(sent) {
          const { fields, context } = sent;
          const opened = await deps.accounts.signIn(attemptOf(deps, sent));
          const transaction = readTransaction(fields.get("transaction"));
          const location = destination(context.baseUrls, transaction, readNext(fields.get("next")));
          return signInResponse(deps.forms, sent, opened, location);
        },
      },
    },
  };
}

function signOutPage(deps: SignInDeps): EntryPage {
  return {
    title: "Sign in",
    main: (visit) => signInForm(deps, visit),
    acts: {
      sign_out: {
        async run({ request, fields, session, actor, url }) {
          if (session.session !== null) await deps.accounts.sessions.end(session.session, actor);
          const transaction = readTransaction(fields.get("transaction"));
          const query = transaction === null ? "" : `?transaction=${transaction}`;
          return redirectTo(`${url.origin}${ROUTES.signIn.path}${query}`, [
            deps.forms.sessionCookies.endCookie(request),
          ]);
        },
      },
    },
  };
}

function signInForm(deps: SignInDeps, visit: Visit<Anyone>): Html {
  const transaction = readTransaction(carried(visit, "transaction"));
  const hidden = { transaction, next: readNext(carried(visit, "next")) };
  return html`${visit.url.searchParams.has(SIGNED_UP) && html`<p class="note" role="status">${AFTER_SIGN_UP}</p>`}
  ${
    transaction !== null &&
    html`<p class="note">Sign in to connect an application. You can review the request on the next page.</p>`
  }
  ${visit.form(
    "sign_in",
    html`${emailField(visit.typed?.get("email") ?? "")} ${passwordField()}
      <button class="primary">Sign in</button>`,
    { hidden, action: ROUTES.signIn.path, className: "stacked" },
  )}
  ${otherWaysIn(deps, transaction)}`;
}

/** Links below the form for people without a password or without an account. */
function otherWaysIn({ providerName, canMail, signUpMode }: SignInDeps, transaction: string | null): Html {
  const query = transaction === null ? "" : `?transaction=${transaction}`;
  return html`${
    providerName !== null &&
    html`<p>
      <a class="button" href="${ROUTES.singleSignOn.path}${query}">Sign in with ${providerName}</a>
    </p>`
  }
  ${canMail && html`<p><a href="${ROUTES.forgotPassword.path}">Forgot your password?</a></p>`}
  ${
    signUpMode === "open"
      ? html`<p>No account yet? <a href="${ROUTES.signUp.path}${query}">Create one</a>.</p>`
      : html`<p class="soft">No account yet? ${NO_SIGN_UP[signUpMode]}</p>`
  }`;
}
