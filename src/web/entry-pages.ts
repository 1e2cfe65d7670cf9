/** What the pages have in common through which people come in: sign-in, sign-up, one-time links, new passwords. */
import type { NewSession } from "../accounts/sessions.ts";
import type { SignInAttempt } from "../accounts/sign-in.ts";
import { type Html, html } from "../lib/html.ts";
import { narrowPage } from "../http/layout.ts";
import type { BaseUrls } from "../http/base-urls.ts";
import { type HeaderFields, withCookies } from "../http/headers.ts";
import { popupResponse, redirectTo } from "../http/html-responses.ts";
import { ROUTES } from "../http/routes.ts";
import type { Arrival, Family, FormDeps, FormPage, Sent, FormVisit } from "./forms.ts";
import type { AccountDeps } from "./deps.ts";

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
export function carried({ typed, url }: FormVisit<Anyone>, name: string): string | null {
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

/** A page for people who cannot come in this way. */
export function noEntry(title: string, text: Html, status: number, headers: HeaderFields = {}): Response {
  const content = html`<p role="alert">${text}</p>
    <p><a href="${ROUTES.signIn.path}">Sign in</a></p>`;
  return popupResponse(narrowPage(title, content), status, headers);
}
