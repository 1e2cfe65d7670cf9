/** What the pages have in common through which people come in: sign-in, sign-up, one-time links, new passwords. */
import type { LinkKind } from "../accounts/links.ts";
import type { NewSession } from "../accounts/sessions.ts";
import type { SignInAttempt } from "../accounts/sign-in.ts";
import { type Html, html } from "../lib/html.ts";
import { narrowPage } from "../http/layout.ts";
import type { BaseUrls } from "../http/base-urls.ts";
import { type HeaderFields, withCookies } from "../http/headers.ts";
import { popupResponse, redirectTo } from "../http/page-responses.ts";
import { ROUTES } from "../http/routes.ts";
import { checkbox, emailField, newPasswordField } from "./fields.ts";
import { type Arrival, type Family, type FormDeps, type FormPage, type Sent, type Visit } from "./forms.ts";
import type { AccountDeps } from "./deps.ts";
import { NO_SIGN_UP } from "./viewer.ts";

/** Anyone may come in: the visitor of an entry page. */
export type Anyone = "anyone";
export type EntryPage = FormPage<Anyone>;

/** A page with a single form and nothing around it. */
export const ENTRY: Family<Anyone> = {
  enter: () => "anyone",
  frame: ({ session }, title, main, status) =>
    withCookies(popupResponse(narrowPage(title, main), status), session.cookies),
};

/** A value that the form carries: from the form sent last, else from the address. */
export function carried({ typed, url }: Visit<Anyone>, name: string): string | null {
  return typed === null ? url.searchParams.get(name) : (typed.get(name) ?? null);
}

/** Format of a transaction id of the authorization server; anything else is ignored. */
const TRANSACTION = /^xc_ar_[0-9A-Za-z]{49}$/;

/** The transaction id of a request; null if missing or malformed. */
export function readTransaction(given: string | null | undefined): string | null {
  return given !== null && given !== undefined && TRANSACTION.test(given) ? given : null;
}

/** Maximum length of a return address: enough for a link with a list of 200 companies. */
const MAX_NEXT = 3000;

/** The path and query to return to; null if it is not on this site, or if it signs in or out. */
export function readNext(given: string | null | undefined): string | null {
  if (given === null || given === undefined || given.length > MAX_NEXT) return null;
  return /^\/(?![/\\]|sign-|oauth)[\x21-\x7e]*$/.test(given) ? given : null;
}

/** Where to go after sign-in: the waiting application, else the previous page, else the home page. */
export function destination(baseUrls: BaseUrls, transaction: string | null, next: string | null): string {
  if (transaction === null) return baseUrls.origin + (next ?? ROUTES.home.path);
  return `${baseUrls.origin}${ROUTES.consent.path}?transaction=${transaction}`;
}

/** The browser and what was typed, as an attempt to sign in. */
export function attemptOf(
  { forms }: Pick<AccountDeps, "forms">,
  { request, context: { address }, session, given }: Sent<Anyone>,
): SignInAttempt {
  return {
    email: given("email"),
    password: given("password"),
    address,
    userAgent: request.headers.get("user-agent"),
    previous: session.session,
    device: forms.sessionCookies.carried(request, "device") ?? null,
  };
}

/** How long a browser stays known after a sign-in. */
const DEVICE_SECONDS = 180 * 86_400;

type Opened = Pick<NewSession, "secret" | "expiresAtMs"> & { device?: string | undefined };

/** Signs a person in: sets the session cookie and redirects. */
export function signInResponse(
  { runtime, sessionCookies }: FormDeps,
  { request, session }: Pick<Arrival, "request" | "session">,
  { secret, expiresAtMs, device }: Opened,
  location: string,
): Response {
  const maxAgeSeconds = Math.max(0, Math.floor((expiresAtMs - runtime.now()) / 1000));
  const devices =
    device === undefined ? [] : [sessionCookies.cookie(request, "device", device, DEVICE_SECONDS)];
  const own = sessionCookies.cookie(request, "session", secret, maxAgeSeconds);
  return redirectTo(location, [...session.cookies, own, ...devices]);
}

/** Query parameter of the sign-in page after signing up. */
export const SIGNED_UP = "signed-up";

const LINK_PAGES = {
  setup: {
    route: "setUp",
    title: "Set up this server",
    button: "Create the owner account",
    lead: "This account will own the server. The link works once.",
  },
  invite: {
    route: "invite",
    title: "Accept the invitation",
    button: "Create account",
    lead: "Choose a password for your account. The link works once.",
  },
  reset: {
    route: "reset",
    title: "Choose a new password",
    button: "Set password",
    lead: "This signs out all other browsers. The link works once.",
  },
} as const;

/** `/sign-up`, and the pages of one-time links: `/set-up`, `/invite`, `/reset`. */
export function signUpPages(deps: AccountDeps) {
  return {
    signUp: signUpPage(deps),
    setUp: linkPage(deps, "setup"),
    invite: linkPage(deps, "invite"),
    reset: linkPage(deps, "reset"),
  };
}

function signUpPage(deps: AccountDeps): EntryPage {
  const { signUp } = deps.config;
  return {
    title: "Create an account",
    main(visit) {
      if (signUp !== "open") return signUpClosed(signUp);
      const inside = html`${emailField(visit)} ${newPasswordField()}
        <button class="primary">Create account</button>`;
      const transaction = readTransaction(carried(visit, "transaction"));
      return html`${visit.form("sign_up", inside, { hidden: { transaction }, className: "stacked" })}
        <p>Already have an account? <a href="${ROUTES.signIn.path}">Sign in</a>.</p>`;
    },
    acts: {
      sign_up: async (sent) => {
        if (signUp !== "open") return signUpClosed(signUp);
        const attempt = attemptOf(deps, sent);
        await deps.signUps.signUp(attempt.email, attempt.password, attempt);
        const transaction = readTransaction(sent.given("transaction"));
        const waiting = transaction === null ? "" : `&transaction=${transaction}`;
        const location = `${sent.url.origin}${ROUTES.signIn.path}?${SIGNED_UP}${waiting}`;
        return redirectTo(location, sent.session.cookies);
      },
    },
  };
}

const VISITORS = html`<p class="soft">
  Visitors see a company's latest year; start the server with <code>--public-rankings on</code> to let them
  see rankings of that year too.
</p>`;

function linkPage(deps: AccountDeps, kind: LinkKind): EntryPage {
  const { links, config } = deps;
  const { title, button, lead, route } = LINK_PAGES[kind];
  return {
    title,
    async main(visit) {
      const token = carried(visit, "token") ?? "";
      const found = await links.find(token);
      if (found === undefined || found.kind !== kind) return expiredLink();
      const fixed = found.email;
      const inside = html`${fixed === null && emailField(visit)} ${newPasswordField()}
        ${kind === "reset" && REVOKE_KEYS} <button class="primary">${button}</button>`;
      return html`<p>${lead}</p>
        ${kind === "setup" && config.publicRankings === "off" && VISITORS}
        ${fixed !== null && html`<p>Account: <strong>${fixed}</strong></p>`}
        ${visit.form("use", inside, { hidden: { token }, action: ROUTES[route].path, className: "stacked" })}`;
    },
    acts: { use: (sent) => useLink(deps, kind, sent) },
  };
}

/** Checked by default: anyone who knew the old password could have created keys with it. */
const REVOKE_KEYS = checkbox("Also revoke all my API keys", { name: "revoke_keys", checked: true });

async function useLink(deps: AccountDeps, kind: LinkKind, sent: Sent<Anyone>): Promise<Response> {
  const { links, signUps } = deps;
  const { fields, given } = sent;
  const token = given("token");
  const found = await links.find(token);
  if (found === undefined || found.kind !== kind) return expiredLink();
  const newPassword = attemptOf(deps, sent);
  const uses = {
    setup: () => signUps.setUp(token, newPassword.email, newPassword),
    invite: () => signUps.acceptInvite(token, newPassword),
    reset: () => signUps.reset(token, newPassword, fields.has("revoke_keys") ? "revoke" : "keep"),
  };
  // Who has just set up a server has things to set and to load.
  const next = kind === "setup" ? ROUTES.admin.path : ROUTES.home.path;
  return signInResponse(deps.forms, sent, await uses[kind](), sent.url.origin + next);
}

function expiredLink(): Response {
  const text = html`It was already used, is too old or was not copied completely. Nothing was changed. Ask the
  owner of this server for a new one.`;
  return noEntry("This link has expired", text, 410);
}

function signUpClosed(policy: "invite" | "closed"): Response {
  const title = policy === "invite" ? "Registration is by invitation" : "Registration is closed";
  return noEntry(title, html`${NO_SIGN_UP[policy]}`, 403);
}

/** A page for people who cannot come in this way. */
export function noEntry(title: string, text: Html, status: number, headers: HeaderFields = {}): Response {
  const content = html`<p role="alert">${text}</p>
    <p><a href="${ROUTES.signIn.path}">Sign in</a></p>`;
  return popupResponse(narrowPage(title, content), status, headers);
}
