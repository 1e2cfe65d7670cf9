/** Parsers of setting values; each refuses with what was expected. */
import { type ReadText, Unreadable } from "../lib/text.ts";

/** Accepts an empty text, and others that pass a test. */
const emptyOr =
  (isOne: (text: string) => boolean, expected: string): ReadText<string> =>
  (text) =>
    text === "" || isOne(text) ? text : new Unreadable(expected);

/** A switch. */
export function flag(text: string): boolean | Unreadable {
  return text === "true" || text === "false" ? text === "true" : new Unreadable('"true" or "false"');
}

/** Words with commas between. */
export function list(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function webUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

/** A path. */
export function path(text: string): string | Unreadable {
  return text.startsWith("~") ? new Unreadable("a path without ~, which only a shell replaces") : text;
}

/** An origin; null for an empty text. */
export function origin(text: string): string | null | Unreadable {
  if (text === "") return null;
  const url = webUrl(text);
  if (url === null) return new Unreadable("an http or https address");
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "")
    return new Unreadable("an origin without a path, such as https://pay.example.com");
  if (url.hostname.includes("*")) return new Unreadable("the address of one host, without *");
  return url.origin;
}

/** Origins of pages, or `*` for any. */
export function origins(text: string): string[] | Unreadable {
  const read = list(text).map((one) => (one === "*" ? one : origin(one)));
  const unreadable = read.find((one) => one instanceof Unreadable);
  return unreadable ?? read.filter((one) => typeof one === "string");
}

/** Domains of mail addresses. */
export function domains(text: string): string[] | Unreadable {
  const found = list(text);
  const isOne = (one: string) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(one);
  return found.every(isOne) ? found : new Unreadable("domains such as example.com");
}

/** A web address; null for an empty text. */
export function address(text: string): string | null | Unreadable {
  if (text === "") return null;
  return webUrl(text)?.href.replace(/\/$/, "") ?? new Unreadable("a whole http or https address");
}

/** Who asks EDGAR. */
export const contact = emptyOr(
  (text) =>
    /^[\x20-\x7e]{5,200}$/.test(text) &&
    /[^\s@]+@[^\s@]+\.[^\s@]+|[^\s@]+@localhost/.test(text) &&
    /[a-z]/i.test(text.replaceAll(/\S*@\S*/g, "")),
  "a name and a mail address, such as Ann Lee ann@example.com",
);

/** An origin, never empty. */
export function edgarOrigin(text: string): string | Unreadable {
  const url = webUrl(text);
  const isBare = url?.pathname === "/" && url.search === "";
  return isBare ? url.origin : new Unreadable("an http or https origin without a path");
}

/** The address of a service; undefined unless its user and password can be decoded. */
function serviceUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  try {
    return url !== null && decodeURIComponent(`${url.username} ${url.password}`) !== "" ? url : undefined;
  } catch {
    return undefined;
  }
}

const ENCODED = "with any % in the password written as %25";

/** A mail server. */
export const smtpAddress = emptyOr((text) => {
  const { protocol = "", hostname, pathname = "", search } = serviceUrl(text) ?? {};
  return /^smtps?:$/.test(protocol) && hostname !== "" && /^\/?$/.test(pathname) && search === "";
}, `an address such as smtp://user:password@mail.example.com:587, ${ENCODED}`);

/** Services that count requests, at most one of each kind. */
export function windowServices(text: string): string[] | Unreadable {
  const addresses = list(text);
  const kinds = addresses.map((address) => {
    const { protocol = "", hostname = "", pathname = "" } = serviceUrl(address) ?? {};
    if (hostname === "") return undefined;
    if (/^postgres(ql)?:$/.test(protocol)) return database(address) === address ? "postgresql" : undefined;
    return /^(valkeys?|rediss?):$/.test(protocol) && /^(\/\d*)?$/.test(pathname) ? "valkey" : undefined;
  });
  return new Set(kinds).size === kinds.length && !kinds.includes(undefined)
    ? addresses
    : new Unreadable(
        `valkey://:password@localhost:6379, postgres://user@localhost/execcomp, or both with a comma between, ${ENCODED}`,
      );
}

/** The client throws for any other. */
const SSL_MODE = /^(disable|allow|prefer|require|verify-ca|verify-full)?$/;

/** A PostgreSQL database. */
export const database = emptyOr((text) => {
  const { protocol = "", pathname = "", searchParams } = serviceUrl(text) ?? {};
  return (
    /^postgres(ql)?:$/.test(protocol) &&
    pathname.length > 1 &&
    SSL_MODE.test(searchParams?.get("sslmode") ?? "")
  );
}, `an address such as postgres://user:password@localhost:5432/execcomp?sslmode=verify-full, ${ENCODED}`);

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_DURATION_MS = 21 * 86_400_000;

/** A number with a unit, in milliseconds; at most 21 days, because timers overflow at 24. */
export function duration(text: string): number | Unreadable {
  const [, count = "", unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit] ?? 0);
  if (ms === 0) return new Unreadable("a number of minutes, hours or days, such as 30m, 24h or 7d");
  return ms <= MAX_DURATION_MS ? ms : new Unreadable("21 days at most");
}
