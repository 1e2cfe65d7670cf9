import type { Runtime } from "../runtime.ts";
import { forbidden } from "../errors.ts";
import type { ContextOf, BaseUrls } from "./base-urls.ts";

/** A signed-in person. */
export interface Person {
  userId: string;
  email: string;
  /** Whether the person may manage the server. */
  isOwner: boolean;
  signedInAtMs: number;
}

/** A browser's session, signed in or not. */
export interface BrowserSession {
  /** Secret of this browser, in its own cookie before and after sign-in; ties requests in progress to the browser. */
  browser: string;
  person: Person | null;
  /** Secret of the session cookie; null if there is none or it has ended. */
  session: string | null;
  /** The hidden field `csrf` of every form in this browser. */
  csrf: string;
  /** `Set-Cookie` lines for the response. */
  cookies: readonly string[];
}

/**
 * Our cookies: browser secret, session, a marker that someone has signed in on this device, and authorization requests before sign-in.
 */
export type CookieName = "browser" | "session" | "device" | "request_0" | "request_1" | "request_2";

/** Maximum size of a form, in bytes. */
const MAX_FORM_BYTES = 16 * 1024;

/** Dependencies of `SessionCookies`. */
interface CookieDeps {
  runtime: Pick<Runtime, "secret">;
  contextOf: ContextOf;
  /** Finds the person of a session cookie; undefined once the session has ended. */
  findPerson(session: string): Promise<Person | undefined>;
}

/**
 * Session cookies and forms, as pages use them. Cookies are `SameSite=Lax`, because people arrive from the site of the
 * application they are connecting. Over https, names start with `__Host-`; over http, they include the port, because
 * browsers share cookies between ports of a host.
 *
 * @see test/contract/protocols.md, P-3 and P-4
 */
export class SessionCookies {
  constructor(private readonly deps: CookieDeps) {}

  /** The browser session of a request. A new browser is given a cookie. */
  async browserSession(request: Request): Promise<BrowserSession> {
    const { runtime, findPerson } = this.deps;
    const baseUrls = this.baseUrlsOf(request);
    const jar = readCookies(request);
    const cookie = jar.get(cookieName(baseUrls, "browser"));
    const browser =
      cookie !== undefined && /^[A-Za-z0-9_-]{43}$/.test(cookie)
        ? cookie
        : Buffer.from(runtime.secret(32)).toString("base64url");
    const cookies = browser === cookie ? [] : [cookieLine(baseUrls, "browser", browser)];
    const carried = jar.get(cookieName(baseUrls, "session"));
    const person = carried === undefined ? undefined : await findPerson(carried);
    const session = person === undefined ? null : (carried ?? null);
    const csrf = csrfOf(browser, session);
    return { browser, person: person ?? null, session, csrf, cookies };
  }

  /**
   * The fields of a form that was issued to this browser; the last value of each name.
   *
   * @throws ServiceError `forbidden` when sent by another site or with a `csrf` that is not this browser's; `too_large`
   */
  async form(request: Request, browserSession: BrowserSession): Promise<ReadonlyMap<string, string>> {
    const fields = await this.fields(request);
    requireCsrf(browserSession, fields);
    return fields;
  }

  /**
   * The fields of a form from this site, whatever session it was issued in.
   * @throws ServiceError `forbidden` when sent by another site; `too_large`
   */
  async fields(request: Request): Promise<ReadonlyMap<string, string>> {
    refuseOtherSites(request, this.baseUrlsOf(request));
    const body = await this.deps.contextOf(request).readBody(request, MAX_FORM_BYTES);
    return new Map(new URLSearchParams(new TextDecoder().decode(body)));
  }

  /**
   * The same check for fields read by other means, such as from a form with a file.
   * @throws ServiceError `forbidden`
   */
  requireOwnForm(
    request: Request,
    browserSession: BrowserSession,
    fields: ReadonlyMap<string, string>,
  ): void {
    refuseOtherSites(request, this.baseUrlsOf(request));
    requireCsrf(browserSession, fields);
  }

  /** The value of one of our cookies. */
  carried(request: Request, name: CookieName): string | undefined {
    return readCookies(request).get(cookieName(this.baseUrlsOf(request), name));
  }

  /** The `Set-Cookie` line of one of our cookies. @param maxAgeSeconds 0 clears it */
  cookie(request: Request, name: CookieName, value: string, maxAgeSeconds: number): string {
    return `${cookieLine(this.baseUrlsOf(request), name, value)}; Max-Age=${maxAgeSeconds}`;
  }

  private baseUrlsOf(request: Request): BaseUrls {
    return this.deps.contextOf(request).baseUrls;
  }
}

/** A token that only this browser, in this session, can have read from our page. */
function csrfOf(browser: string, session: string | null): string {
  return Bun.SHA256.hash(`csrf ${browser} ${session ?? ""}`, "base64url").replace(/=+$/, "");
}

function requireCsrf({ csrf }: BrowserSession, fields: ReadonlyMap<string, string>): void {
  if (fields.get("csrf") === csrf) return;
  throw forbidden(
    "This form has expired, or you have signed in or out since. Open the page again and retry.",
  );
}

function refuseOtherSites(request: Request, baseUrls: BaseUrls): void {
  // With `Referrer-Policy: no-referrer`, browsers send `Origin: null` even from our own pages;
  // Sec-Fetch-Site is reliable.
  const fetchSite = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const foreign =
    fetchSite === null
      ? origin !== null && origin !== "null" && origin !== baseUrls.origin
      : fetchSite !== "same-origin";
  if (foreign) throw forbidden("This form was sent from another site.");
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
