import type { MaybePromise } from "./domain/maybe-promise.ts";
import type { Runtime } from "./runtime.ts";
import { ServiceError } from "./errors.ts";
import { readBody } from "./http.ts";
import type { ContextOf, BaseUrls } from "./base-urls.ts";

/** Who sits in front of a browser, signed in. */
export interface Person {
  userId: string;
  email: string;
  /** Whether they may manage the server. */
  isOwner: boolean;
  signedInAtMs: number;
}

/** A browser that asks for a page, signed in or not. */
export interface BrowserSession {
  /** Secret of this browser, in a cookie of its own before and after sign-in; binds what it began to it. */
  browser: string;
  person: Person | null;
  /** Secret of the session cookie; null when there is none or it is over. */
  session: string | null;
  /** What every form of this browser must carry in its hidden field `csrf`. */
  csrf: string;
  /** `Set-Cookie` lines that the answer must carry. */
  cookies: readonly string[];
}

/** What the pages know of browsers. */
export interface SessionCookies {
  /** The browser session behind a request; a browser that is new gets its cookie. */
  browserSession(request: Request): Promise<BrowserSession>;
  /**
   * The fields of a form that this browser was given, the last value of each name.
   *
   * @throws ServiceError `forbidden` when another site sent it or its `csrf` is not this browser's; `too_large`
   */
  form(request: Request, browserSession: BrowserSession): Promise<ReadonlyMap<string, string>>;
  /**
   * As `form` for a form whose fields came another way, such as one with a file.
   * @throws ServiceError `forbidden`
   */
  requireOwnForm(request: Request, browserSession: BrowserSession, fields: ReadonlyMap<string, string>): void;
  /** The `Set-Cookie` line that opens a session. @param maxAgeSeconds how long the browser keeps it */
  sessionCookie(request: Request, secret: string, maxAgeSeconds: number): string;
  /** The `Set-Cookie` line that ends one. */
  endCookie(request: Request): string;
  /** The value of another cookie of ours, as the browser sent it. */
  carried(request: Request, name: CookieName): string | undefined;
  /** The `Set-Cookie` line of another cookie of ours. @param maxAgeSeconds 0 ends it */
  cookie(request: Request, name: CookieName, value: string, maxAgeSeconds: number): string;
}

/** What we keep in browsers: their secret, their session, that somebody signed in here, requests before anybody has. */
export type CookieName = "browser" | "session" | "device" | "request_0" | "request_1" | "request_2";

/** Longest form that a page sends, in bytes. */
const MAX_FORM_BYTES = 16 * 1024;

/**
 * Cookies, sessions and forms of pages. Cookies are `Lax`: people arrive from the site of the application that they
 * connect. Over https their names begin with `__Host-`; over http they have the port in them, for browsers share
 * cookies between the ports of a host.
 *
 * @param deps.findPerson finds who a session cookie stands for; undefined when it is over
 * @see docs/protocols.md, P-3 and P-4
 */
export function createSessionCookies(deps: {
  runtime: Pick<Runtime, "secret">;
  contextOf: ContextOf;
  findPerson: (session: string) => MaybePromise<Person | undefined>;
}): SessionCookies {
  const { runtime, contextOf, findPerson } = deps;

  return {
    async browserSession(request) {
      const { baseUrls } = contextOf(request);
      const jar = readCookies(request);
      const known = jar.get(cookieName(baseUrls, "browser"));
      const browser =
        known !== undefined && /^[A-Za-z0-9_-]{43}$/.test(known) ? known : toBase64Url(runtime.secret(32));
      const cookies = browser === known ? [] : [cookieLine(baseUrls, "browser", browser)];
      const carried = jar.get(cookieName(baseUrls, "session"));
      const person = carried === undefined ? undefined : await findPerson(carried);
      const session = person === undefined ? null : (carried ?? null);
      const csrf = csrfOf(browser, session);
      return { browser, person: person ?? null, session, csrf, cookies };
    },

    async form(request, browserSession) {
      refuseOtherSites(request, contextOf(request).baseUrls);
      const bytes = await readBody(request, MAX_FORM_BYTES);
      const fields = new Map(new URLSearchParams(new TextDecoder().decode(bytes)));
      requireCsrf(browserSession, fields);
      return fields;
    },

    requireOwnForm(request, browserSession, fields) {
      refuseOtherSites(request, contextOf(request).baseUrls);
      requireCsrf(browserSession, fields);
    },

    sessionCookie: (request, secret, maxAgeSeconds) =>
      `${cookieLine(contextOf(request).baseUrls, "session", secret)}; Max-Age=${maxAgeSeconds}`,

    endCookie: (request) => `${cookieLine(contextOf(request).baseUrls, "session", "")}; Max-Age=0`,

    carried: (request, name) => readCookies(request).get(cookieName(contextOf(request).baseUrls, name)),

    cookie: (request, name, value, maxAgeSeconds) =>
      `${cookieLine(contextOf(request).baseUrls, name, value)}; Max-Age=${maxAgeSeconds}`,
  };
}

/** A token that this browser, in this session, can have read from our page and nobody else can make. */
function csrfOf(browser: string, session: string | null): string {
  return Bun.SHA256.hash(`csrf ${browser} ${session ?? ""}`, "base64url").replace(/=+$/, "");
}

function requireCsrf({ csrf }: BrowserSession, fields: ReadonlyMap<string, string>): void {
  if (fields.get("csrf") === csrf) return;
  throw new ServiceError(
    "forbidden",
    "This form has expired, or you have signed in or out since. Open the page again and retry.",
  );
}

function refuseOtherSites(request: Request, baseUrls: BaseUrls): void {
  // With `Referrer-Policy: no-referrer` a browser sends `Origin: null` from our own pages too; Sec-Fetch-Site knows better.
  const fetchSite = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const foreign =
    fetchSite === null
      ? origin !== null && origin !== "null" && origin !== baseUrls.origin
      : fetchSite !== "same-origin";
  if (foreign) throw new ServiceError("forbidden", "This form was sent from another site.");
}

function cookieName(baseUrls: BaseUrls, what: CookieName): string {
  const { protocol, port } = new URL(baseUrls.origin);
  return protocol === "https:" ? `__Host-execcomp_${what}` : `execcomp_${what}_${port === "" ? 80 : port}`;
}

function cookieLine(baseUrls: BaseUrls, what: CookieName, value: string): string {
  const secure = baseUrls.origin.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(baseUrls, what)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

function readCookies(request: Request): Map<string, string> {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim().split("="));
  return new Map(pairs.map(([name = "", ...value]) => [name, value.join("=")]));
}

function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
