/** What the pages have in common through which people come in: sign-in, sign-up, one-time links, new passwords. */
import type { Links } from "../accounts/links.ts";
import type { NewSession, Sessions } from "../accounts/sessions.ts";
import type { SignedIn, SignInAttempt, SignUpMode } from "../accounts/sign-in.ts";
import type { SignUp } from "../accounts/sign-up.ts";
import type { BaseUrls } from "../http/base-urls.ts";
import { redirectTo } from "../http/responses.ts";
import { ROUTES } from "../http/routes.ts";
import type { SessionCookies } from "../http/session-cookies.ts";
import type { Runtime } from "../runtime.ts";
import {
  type Arrival,
  type Family,
  type FormDeps,
  type FormPage,
  narrowPage,
  type Sent,
  type Visit,
} from "./forms.ts";

/** The account services that these pages use. */
export interface EntryAccounts {
  /** Opens a session. */
  signIn(attempt: SignInAttempt): Promise<SignedIn>;
  sessions: Sessions;
  signUps: SignUp;
  links: Links;
}

export interface EntryDeps {
  forms: FormDeps;
  accounts: EntryAccounts;
  signUpMode: SignUpMode;
  /** Whether visitors see rankings of the latest fiscal year. */
  publicRankings: "on" | "off";
}

/** Anyone may come in: the visitor of an entry page. */
export type Anyone = "anyone";
export type EntryPage = FormPage<Anyone>;

/** A page with a single form and nothing around it. */
export const ENTRY: Family<Anyone> = {
  enter: () => "anyone",
  frame: async (visit, { title }, main, status) =>
    narrowPage(visit.session, typeof title === "string" ? title : await title(visit), main, status),
};

/** Shown to people without an account where they cannot create one. */
export const NO_SIGN_UP: Readonly<Record<Exclude<SignUpMode, "open">, string>> = {
  invite: "Ask the owner of this server for an invitation.",
  closed: "This server does not accept new accounts.",
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
  { forms }: Pick<EntryDeps, "forms">,
  { request, context: { address }, session, fields }: Sent<Anyone>,
): SignInAttempt {
  return {
    email: fields.get("email") ?? "",
    password: fields.get("password") ?? "",
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
  { runtime, sessionCookies }: { runtime: Pick<Runtime, "now">; sessionCookies: SessionCookies },
  { request, session }: Pick<Arrival, "request" | "session">,
  { secret, expiresAtMs, device }: Opened,
  location: string,
): Response {
  const maxAgeSeconds = Math.max(0, Math.floor((expiresAtMs - runtime.now()) / 1000));
  const known =
    device === undefined ? [] : [sessionCookies.cookie(request, "device", device, DEVICE_SECONDS)];
  const own = sessionCookies.sessionCookie(request, secret, maxAgeSeconds);
  return redirectTo(location, [...session.cookies, own, ...known]);
}
