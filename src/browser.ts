import type { Ambient } from "./ambient.ts";
import { ServiceError } from "./errors.ts";
import type { CallOf, Site } from "./sites.ts";

/** Who sits in front of a browser, signed in. */
export interface Person {
  userId: string;
  email: string;
}

/** A browser that asks for a page, signed in or not. */
export interface Visitor {
  /** Secret of this browser, in a cookie of its own before and after sign-in; binds what it began to it. */
  browser: string;
  person: Person | null;
  /** Secret of the session cookie; null when there is none or it is over. */
  session: string | null;
  /** What every form of this visitor must carry in its hidden field `csrf`. */
  csrf: string;
  /** `Set-Cookie` lines that the answer must carry. */
  cookies: readonly string[];
}

/** What the pages know of browsers. */
export interface Browsers {
  /** The visitor behind a request; a browser that is new gets its cookie. */
  visitor(request: Request): Visitor;
  /**
   * The fields of a form that this visitor was given, the last value of each name.
   *
   * @throws ServiceError `forbidden` when another site sent it or its `csrf` is not this visitor's; `too_large`
   */
  form(request: Request, visitor: Visitor): Promise<ReadonlyMap<string, string>>;
  /** The `Set-Cookie` line that opens a session. @param maxAgeSeconds how long the browser keeps it */
  sessionCookie(request: Request, secret: string, maxAgeSeconds: number): string;
  /** The `Set-Cookie` line that ends one. */
  endCookie(request: Request): string;
}

/** Longest form that a page sends, in bytes. */
const MOST_FORM_BYTES = 16 * 1024;

/**
 * Cookies, sessions and forms of pages. Cookies are `Lax`: people arrive from the site of the application that they
 * connect. Over https their names begin with `__Host-`; over http they have the port in them, for browsers share
 * cookies between the ports of a host.
 *
 * @param parts.findPerson finds who a session cookie stands for; undefined when it is over
 * @see protocols.md section 3.9, P-3 and P-4
 */
export function createBrowsers(parts: {
  ambient: Pick<Ambient, "secret">;
  callOf: CallOf;
  findPerson: (session: string) => Person | undefined;
}): Browsers {
  const { ambient, callOf, findPerson } = parts;

  return {
    visitor(request) {
      const { site } = callOf(request);
      const jar = readCookies(request);
      const known = jar.get(cookieName(site, "browser"));
      const browser =
        known !== undefined && /^[A-Za-z0-9_-]{43}$/.test(known) ? known : toBase64Url(ambient.secret(32));
      const cookies = browser === known ? [] : [cookieLine(site, "browser", browser)];
      const carried = jar.get(cookieName(site, "session"));
      const person = carried === undefined ? undefined : findPerson(carried);
      const session = person === undefined ? null : (carried ?? null);
      const csrf = csrfOf(browser, session);
      return { browser, person: person ?? null, session, csrf, cookies };
    },

    async form(request, visitor) {
      refuseOtherSites(request, callOf(request).site);
      const bytes = await request.bytes();
      if (bytes.length > MOST_FORM_BYTES) {
        throw new ServiceError("too_large", `The form is longer than ${MOST_FORM_BYTES} bytes.`);
      }
      const fields = new Map(new URLSearchParams(new TextDecoder().decode(bytes)));
      if (fields.get("csrf") !== visitor.csrf) {
        throw new ServiceError(
          "forbidden",
          "This form was not made for this browser, or you have signed in or out since. Open the page again and repeat.",
        );
      }
      return fields;
    },

    sessionCookie: (request, secret, maxAgeSeconds) =>
      `${cookieLine(callOf(request).site, "session", secret)}; Max-Age=${maxAgeSeconds}`,

    endCookie: (request) => `${cookieLine(callOf(request).site, "session", "")}; Max-Age=0`,
  };
}

/** A token that this browser, in this session, can have read from our page and nobody else can make. */
function csrfOf(browser: string, session: string | null): string {
  return Bun.SHA256.hash(`csrf ${browser} ${session ?? ""}`, "base64url").replace(/=+$/, "");
}

function refuseOtherSites(request: Request, site: Site): void {
  // With `Referrer-Policy: no-referrer` a browser sends `Origin: null` from our own pages too; Sec-Fetch-Site knows better.
  const fetchSite = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const foreign =
    fetchSite === null
      ? origin !== null && origin !== "null" && origin !== site.origin
      : fetchSite !== "same-origin";
  if (foreign) throw new ServiceError("forbidden", "This form was sent from another site.");
}

function cookieName(site: Site, what: "browser" | "session"): string {
  const { protocol, port } = new URL(site.origin);
  return protocol === "https:" ? `__Host-execcomp_${what}` : `execcomp_${what}_${port === "" ? 80 : port}`;
}

function cookieLine(site: Site, what: "browser" | "session", value: string): string {
  const secure = site.origin.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(site, what)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

function readCookies(request: Request): Map<string, string> {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim().split("="));
  return new Map(pairs.map(([name = "", ...value]) => [name, value.join("=")]));
}

function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
