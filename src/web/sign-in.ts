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
  type EntryAccounts,
  type EntryDeps,
  type EntryPage,
  NO_SIGN_UP,
  readNext,
  readTransaction,
  SIGNED_UP,
  signInResponse,
} from "./entry.ts";
import { emailField, passwordField } from "./fields.ts";
import { Forms, mount, narrowPage, type Sent, type Visit } from "./forms.ts";
import { normalizeEmail } from "../accounts/users.ts";
import type { SignInAttempt } from "../accounts/sign-in.ts";
import type { Throttle } from "../accounts/passwords.ts";
import { ServiceError } from "../errors.ts";
import { type Outbox, passwordReset } from "../operate/mail.ts";

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
  const page = { title: "Sign in", main: (visit: Visit<Anyone>) => signInForm(deps, visit) };
  mount(app, "signIn", forms.at({ ...page, acts: { sign_in: (sent) => open(deps, sent) } }));
  mount(app, "signOut", forms.at({ ...page, acts: { sign_out: (sent) => end(deps, sent) } }));
  return app;
}

async function open(deps: SignInDeps, sent: Sent<Anyone>): Promise<Response> {
  const { fields, context } = sent;
  const opened = await deps.accounts.signIn(attemptOf(deps, sent));
  const transaction = readTransaction(fields.get("transaction"));
  const location = destination(context.baseUrls, transaction, readNext(fields.get("next")));
  return signInResponse(deps.forms, sent, opened, location);
}

async function end(
  { accounts, forms }: SignInDeps,
  { request, fields, session, actor, url }: Sent<Anyone>,
): Promise<Response> {
  if (session.session !== null) await accounts.sessions.end(session.session, actor);
  const transaction = readTransaction(fields.get("transaction"));
  const query = transaction === null ? "" : `?transaction=${transaction}`;
  const location = `${url.origin}${ROUTES.signIn.path}${query}`;
  return redirectTo(location, [forms.sessionCookies.endCookie(request)]);
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
    html`${emailField(visit)} ${passwordField()} <button class="primary">Sign in</button>`,
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

export interface ForgotPasswordDeps extends EntryDeps {
  accounts: EntryAccounts & { throttle: Throttle };
  outbox: Outbox;
}

/**
 * `/forgot-password`: mails a link for a new password. The answer and its timing are the same whether or not the account
 * exists. Requests are limited per account and per address, as for sign-in.
 */
export function forgotPassword(deps: ForgotPasswordDeps) {
  const forms = new Forms(deps.forms, ENTRY);
  const page: EntryPage = {
    title: "Choose a new password",
    main: (visit) =>
      html`<p>We will e-mail you a link. It works once and expires after a day.</p>
        ${visit.form("send", html`${emailField(visit)} <button class="primary">Send link</button>`, {
          className: "stacked",
        })}
        <p><a href="${ROUTES.signIn.path}">Sign in</a></p>`,
    acts: {
      send: async (sent) => {
        const attempt = attemptOf(deps, sent);
        await ask(deps, normalizeEmail(attempt.email), attempt, sent.url.origin);
        return narrowPage(
          null,
          "Check your e-mail",
          html`<p>
              If <strong>${attempt.email}</strong> has an account with a password here, a link is on its way.
              It may take a few minutes to arrive.
            </p>
            <p>
              No e-mail? Check your spam folder, or ask the owner of this server for a link.
              <a href="${ROUTES.signIn.path}">Sign in</a>
            </p>`,
        );
      },
    },
  };
  const app = new Elysia({ name: "forgot-password" });
  mount(app, "forgotPassword", forms.at(page));
  return app;
}

/** Refuses with `rate_limited`, also for unknown accounts; the mail is sent after the answer. */
async function ask(
  deps: ForgotPasswordDeps,
  to: string,
  { address, userAgent, device }: SignInAttempt,
  site: string,
): Promise<void> {
  const counted = await deps.accounts.throttle.begin(`reset ${to}`, address, device);
  if (!counted.allowed) {
    throw new ServiceError("rate_limited", "Too many password reset requests. Try again later.", {
      retryAfterSeconds: counted.retryAfterSeconds,
    });
  }
  void mailLink(deps, to, { address, userAgent }, site);
}

async function mailLink(
  { accounts, outbox }: ForgotPasswordDeps,
  to: string,
  browser: Pick<SignInAttempt, "address" | "userAgent">,
  site: string,
): Promise<void> {
  try {
    const secret = await accounts.signUps.requestReset(to, browser);
    if (secret === null) return;
    outbox.post("reset", passwordReset(to, site, `${site}${ROUTES.reset.path}?token=${secret}`));
  } catch {
    // Failures of the store are reported in the log and by /readyz.
  }
}
