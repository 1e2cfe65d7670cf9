import { type Html, html } from "../../lib/html.ts";
import { narrowPage } from "../../http/layout.ts";
import { popupResponse, redirectTo } from "../../http/html-responses.ts";
import { type RouteName, ROUTES } from "../../http/routes.ts";
import {
  type Anyone,
  attemptOf,
  carried,
  destination,
  type EntryPage,
  readNext,
  readTransaction,
  SIGNED_UP,
  signInResponse,
} from "../entry-pages.ts";
import { NO_SIGN_UP } from "../paywall.ts";
import { emailField, passwordField } from "../fields.ts";
import type { Sent, FormVisit } from "../forms.ts";
import { normalizeEmail } from "../../accounts/users.ts";
import type { SignInAttempt } from "../../accounts/sign-in.ts";
import type { AccountDeps } from "../deps.ts";
import { type Outbox, passwordReset } from "../../jobs/mail.ts";

/** The same whether the address was free or taken, so that it does not reveal who has an account. */
const AFTER_SIGN_UP =
  "Sign in with the address and password you just entered. If the address already had an account, use its existing password.";

const TO_CONNECT = "Sign in to connect an application. You can review the request on the next page.";

/** `/sign-in`, `/sign-out` and, where mail can be sent, `/forgot-password`. @see docs/contract.md, "Sign-in" */
export function signInPages(deps: AccountDeps): Partial<Record<RouteName, EntryPage>> {
  const { outbox } = deps;
  // While the store is down there may be one.
  const main = async (visit: FormVisit<Anyone>) =>
    signInForm(deps, visit, await deps.users.hasOwner().catch(() => true));
  const page = { title: "Sign in", main };
  return {
    signIn: { ...page, acts: { sign_in: (sent) => open(deps, sent) } },
    signOut: { ...page, acts: { sign_out: (sent) => end(deps, sent) } },
    ...(outbox && { forgotPassword: forgotPassword(deps, outbox) }),
  };
}

async function open(deps: AccountDeps, sent: Sent<Anyone>): Promise<Response> {
  const { fields, context } = sent;
  const opened = await deps.signIns.byPassword(attemptOf(deps, sent));
  const transaction = readTransaction(fields.get("transaction"));
  const location = destination(context.baseUrls, transaction, readNext(fields.get("next")));
  return signInResponse(deps.forms, sent, opened, location);
}

async function end(
  { sessions, forms }: AccountDeps,
  { request, fields, session, actor, url }: Sent<Anyone>,
): Promise<Response> {
  if (session.session !== null) await sessions.end(session.session, actor);
  const transaction = readTransaction(fields.get("transaction"));
  const query = transaction === null ? "" : `?transaction=${transaction}`;
  const location = `${url.origin}${ROUTES.signIn.path}${query}`;
  return redirectTo(location, [forms.sessionCookies.cookie(request, "session", "", 0)]);
}

function signInForm(deps: AccountDeps, visit: FormVisit<Anyone>, hasOwner: boolean): Html {
  const transaction = readTransaction(carried(visit, "transaction"));
  const hidden = { transaction, next: readNext(carried(visit, "next")) };
  const inside = html`${emailField(visit)} ${passwordField()} <button class="primary">Sign in</button>`;
  return html`${visit.url.searchParams.has(SIGNED_UP) && html`<p class="note" role="status">${AFTER_SIGN_UP}</p>`}
  ${transaction !== null && html`<p class="note">${TO_CONNECT}</p>`}
  ${visit.form("sign_in", inside, { hidden, action: ROUTES.signIn.path, className: "stacked" })}
  ${otherWaysIn(deps, transaction, hasOwner)}`;
}

/** Nobody can be asked yet. */
const NO_OWNER =
  "This server has no owner yet. Whoever started it will find a link in its output to set it up.";

/** With allowed domains, the provider is the way in. */
const FIRST_SIGN_IN = "The button above creates one for an address of this organization. For any other:";

/** Links below the form for people without a password or without an account. */
function otherWaysIn(
  { provider, outbox, config }: AccountDeps,
  transaction: string | null,
  hasOwner: boolean,
): Html {
  const query = transaction === null ? "" : `?transaction=${transaction}`;
  const elsewhere = html`<a class="button" href="${ROUTES.singleSignOn.path}${query}"
    >Sign in with ${config.ssoName}</a
  >`;
  const createsAccounts = provider !== null && config.ssoDomains.length > 0;
  return html`${provider !== null && html`<p>${elsewhere}</p>`}
  ${outbox !== null && html`<p><a href="${ROUTES.forgotPassword.path}">Forgot your password?</a></p>`}
  ${
    config.signUp === "open"
      ? html`<p>No account yet? <a href="${ROUTES.signUp.path}${query}">Create one</a>.</p>`
      : html`<p class="soft">
          No account yet? ${createsAccounts && FIRST_SIGN_IN}
          ${hasOwner ? NO_SIGN_UP[config.signUp] : NO_OWNER}
        </p>`
  }`;
}

/**
 * `/forgot-password`: mails a link for a new password. The answer and its timing are the same whether or not the account
 * exists. Requests are limited per account and per address, as for sign-in.
 */
function forgotPassword(deps: AccountDeps, outbox: Outbox): EntryPage {
  return {
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
        await ask(deps, outbox, attempt, sent.url.origin);
        const content = html`<p>
            If <strong>${attempt.email}</strong> has an account with a password here, a link is on its way. It
            may take a few minutes to arrive.
          </p>
          <p>
            No e-mail? Check your spam folder, or ask the owner of this server for a link.
            <a href="${ROUTES.signIn.path}">Sign in</a>
          </p>`;
        return popupResponse(narrowPage("Check your e-mail", content));
      },
    },
  };
}

/** Refuses with `rate_limited`, also for unknown accounts; the mail is sent after the answer. */
async function ask(
  { throttle, signUps }: AccountDeps,
  outbox: Outbox,
  { email, address, userAgent, device }: SignInAttempt,
  site: string,
): Promise<void> {
  const to = normalizeEmail(email);
  await throttle.begin(`reset ${to}`, address, device);
  const mail = (secret: string | null) =>
    secret !== null &&
    outbox.post("reset", passwordReset(to, site, `${site}${ROUTES.reset.path}?token=${secret}`));
  // Failures of the store are reported in the log and by /readyz.
  signUps
    .requestReset(to, { address, userAgent })
    .then(mail)
    .catch(() => {});
}
