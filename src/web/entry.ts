import { ROUTES } from "../http/routes.ts";
import type { SignUp, SignUpMode } from "../accounts/sign-up.ts";
import type { Links } from "../accounts/links.ts";
import { MIN_PASSWORD_LENGTH } from "../accounts/passwords.ts";
import type { NewSession, Sessions } from "../accounts/sessions.ts";
import type { SignInAttempt, SignedIn } from "../accounts/sign-in.ts";
import type { Runtime } from "../runtime.ts";
import type { SessionCookies, BrowserSession } from "../http/session-cookies.ts";
import { ServiceError } from "../errors.ts";
import { refusalHeaders, STATUS } from "../http/refusals.ts";
import { type Html, html, page } from "../html.ts";
import { pageResponse, redirectTo, withCookies } from "../http/responses.ts";
import type { ContextOf, BaseUrls } from "../http/base-urls.ts";

/** The account services that the sign-in and sign-up pages use. */
export interface EntryAccounts {
  /** Opens a session. */
  signIn(attempt: SignInAttempt): Promise<SignedIn>;
  sessions: Sessions;
  signUps: SignUp;
  links: Links;
}

/** Query parameter of the sign-in page after signing up. */
export const SIGNED_UP = "signed-up";

/** Shown to people without an account where they cannot create one. */
export const NO_SIGN_UP: Readonly<Record<Exclude<SignUpMode, "open">, string>> = {
  invite: "Ask the owner of this server for an invitation.",
  closed: "This server does not accept new accounts.",
};

/** Dependencies of the sign-in and sign-up pages. */
export interface EntryDeps {
  runtime: Pick<Runtime, "now">;
  contextOf: ContextOf;
  sessionCookies: SessionCookies;
  accounts: EntryAccounts;
  signUpMode: SignUpMode;
  /** Display name of the sign-in provider; null if there is none. */
  providerName: string | null;
}

/**
 * An application may open these pages in a popup and watch it; the policy of other pages would prevent that.
 * The pages of the authorization server set the same header.
 */
const HEADERS = { "cross-origin-opener-policy": "unsafe-none" };

/** A page with a single form. */
export interface FormPage {
  title: string;
  /** Text above the fields. */
  lead?: Html;
  fields: Html;
  /** Label of the button. */
  button: string;
  action: string;
  /** Hidden fields besides `csrf`. */
  hidden?: Readonly<Record<string, string | null>>;
  /** Text below the form. */
  tail?: Html;
  /** The error of the last submission; announced once by screen readers. */
  problem?: string | null;
}

/** Responds with a page with one form, and with the browser's new cookies. */
export function formResponse(
  browserSession: BrowserSession,
  { title, lead, fields, button, action, hidden = {}, tail, problem = null }: FormPage,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const carried = Object.entries({ csrf: browserSession.csrf, ...hidden });
  const text = page({
    title,
    main: html`<div class="narrow">
      <h1>${title}</h1>
      ${problem !== null && html`<p class="error" role="alert" id="problem">${problem}</p>`} ${lead}
      <form method="post" action="${action}" class="stacked">
        ${carried.map(
          ([name, value]) => value !== null && html`<input type="hidden" name="${name}" value="${value}" />`,
        )}
        ${fields}
        <button class="primary">${button}</button>
      </form>
      ${tail}
    </div>`,
  });
  return withCookies(pageResponse(text, status, { ...HEADERS, ...headers }), browserSession.cookies);
}

/** Responds with a page that shows only a message. */
export function messageResponse(
  title: string,
  text: Html,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return pageResponse(
    page({
      title,
      main: html`<div class="narrow">
        <h1>${title}</h1>
        ${text}
      </div>`,
    }),
    status,
    { ...HEADERS, ...headers },
  );
}

/** The field for an e-mail address. */
export function emailField(value: string): Html {
  return html`<label
    >E-mail
    <input
      type="email"
      name="email"
      value="${value}"
      autocomplete="username"
      required
      maxlength="254"
      ${value === "" && html`autofocus`}
    />
  </label>`;
}

/** The field for the password of an existing account. */
export function passwordField(): Html {
  return html`<label
    >Password
    <input type="password" name="password" autocomplete="current-password" required maxlength="1000" />
  </label>`;
}

/** The field for a new password. */
export function newPasswordField(): Html {
  return html`<label
    >Password
    <input
      type="password"
      name="password"
      autocomplete="new-password"
      required
      minlength="${MIN_PASSWORD_LENGTH}"
      maxlength="200"
      aria-describedby="password-rule"
    />
    <span class="soft" id="password-rule">At least ${MIN_PASSWORD_LENGTH} characters.</span>
  </label>`;
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

/** Where to go after sign-in: the waiting application, else the previous page, else the developer page. */
export function destination(baseUrls: BaseUrls, transaction: string | null, next: string | null): string {
  if (transaction === null) return next === null ? baseUrls.developer : baseUrls.origin + next;
  return `${baseUrls.origin}${ROUTES.consent.path}?transaction=${transaction}`;
}

/** Signs a person in: sets the session cookie and redirects. */
export function signInResponse(
  { runtime, sessionCookies }: EntryDeps,
  request: Request,
  browserSession: BrowserSession,
  {
    secret,
    expiresAtMs,
    device,
  }: Pick<NewSession, "secret" | "expiresAtMs"> & { device?: string | undefined },
  location: string,
): Response {
  const maxAgeSeconds = Math.max(0, Math.floor((expiresAtMs - runtime.now()) / 1000));
  const known =
    device === undefined ? [] : [sessionCookies.cookie(request, "device", device, DEVICE_SECONDS)];
  return redirectTo(location, [
    ...browserSession.cookies,
    sessionCookies.sessionCookie(request, secret, maxAgeSeconds),
    ...known,
  ]);
}

/** How long a browser stays known after a sign-in. */
const DEVICE_SECONDS = 180 * 86_400;

/** The values of a submitted form. */
export interface FilledForm {
  attempt: SignInAttempt;
  browserSession: BrowserSession;
  transaction: string | null;
  /** The page to return to. */
  next: string | null;
}

/** What a rejected form shows again. */
export interface FailedForm {
  email: string;
  problem: string;
  status: number;
  headers: Record<string, string>;
  /** The page to return to. */
  next: string | null;
}

/**
 * Handles a submitted form with e-mail and password, or shows it again with the error.
 *
 * @param accept performs the form's action and returns the response; its refusals are sentences for the person
 */
export async function submitForm(
  deps: EntryDeps,
  request: Request,
  form: (browserSession: BrowserSession, transaction: string | null, last: FailedForm) => Response,
  accept: (filled: FilledForm) => Promise<Response>,
): Promise<Response> {
  const { contextOf, sessionCookies } = deps;
  const { address } = contextOf(request);
  const browserSession = await sessionCookies.browserSession(request);
  let email = "";
  let transaction: string | null = null;
  let next: string | null = null;
  try {
    const fields = await sessionCookies.form(request, browserSession);
    email = fields.get("email") ?? "";
    transaction = readTransaction(fields.get("transaction"));
    const password = fields.get("password") ?? "";
    const device = sessionCookies.carried(request, "device") ?? null;
    const userAgent = request.headers.get("user-agent");
    const attempt = { email, password, address, userAgent, previous: browserSession.session, device };
    next = readNext(fields.get("next"));
    return await accept({ attempt, browserSession, transaction, next });
  } catch (refused) {
    const { message, status, headers } = refusalOf(refused);
    return form(browserSession, transaction, { email, problem: message, status, headers, next });
  }
}

/** A refusal to show on a page. */
export interface FormRefusal {
  message: string;
  status: number;
  headers: Record<string, string>;
}

/** Status and headers of a refusal; rethrows anything that is not a `ServiceError`. */
export function refusalOf(refused: unknown): FormRefusal {
  if (!(refused instanceof ServiceError)) throw refused;
  return { message: refused.message, status: STATUS[refused.kind], headers: refusalHeaders(refused) };
}
