import { OperatorError } from "../../errors.ts";

/** Maximum length of a redirect URI, in characters. */
const MAX_REDIRECT_LENGTH = 2048;

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(?=[/?]|$)/;
const RESPONSE_PARAMETERS = ["code", "state", "iss", "error", "error_description", "error_uri"];

/** Decides which redirect URIs are allowed. */
export class RedirectPolicy {
  private readonly exact: ReadonlySet<string>;
  private readonly prefixes: readonly string[];

  /**
   * @param allowed https and custom-scheme URIs, compared exactly; an entry ending in `/*` matches one more segment of 1
   * to 64 letters, digits, `_` and `-`
   * @throws OperatorError for an entry that no application could use
   */
  constructor(allowed: readonly string[]) {
    this.exact = new Set(allowed.filter((entry) => !entry.endsWith("/*")));
    this.prefixes = allowed.filter((entry) => entry.endsWith("/*")).map((entry) => entry.slice(0, -1));
    requireUsable(allowed);
  }

  /** Whether a URI is on the operator's list of callbacks. */
  isListed(uri: string): boolean {
    const isSegment = (rest: string) => /^[A-Za-z0-9_-]{1,64}$/.test(rest);
    return (
      this.exact.has(uri) ||
      this.prefixes.some((prefix) => uri.startsWith(prefix) && isSegment(uri.slice(prefix.length)))
    );
  }

  /**
   * Why a redirect URI is refused; undefined if it is allowed. Checked as raw text, before parsing could normalize it.
   *
   * @param ownHost host of a client ID metadata document, whose own https URIs need no entry
   * @see test/contract/protocols.md, 3.5, RFC 9700 section 4.1, RFC 8252 section 7
   */
  reasonAgainst(uri: string, ownHost?: string): string | undefined {
    const reason = reasonAgainstText(uri) ?? reasonAgainstHttp(uri);
    if (reason !== undefined || LOOPBACK.test(uri)) return reason;
    const { protocol, host } = new URL(uri);
    const isOwn = protocol === "https:" && host === ownHost;
    return this.isListed(uri) || isOwn
      ? undefined
      : "it is not on this server's list of allowed callback addresses";
  }
}

/** Refuses entries of a policy that no application could use. @throws OperatorError */
export function requireUsable(allowed: readonly string[]): void {
  for (const entry of allowed) {
    const uri = entry.replace(/\/\*$/, "/x");
    const reason = reasonAgainstText(uri) ?? reasonAgainstHttp(uri);
    if (reason !== undefined)
      throw new OperatorError(`Cannot read --client-callbacks ${JSON.stringify(entry)}: ${reason}.`);
  }
}

function reasonAgainstHttp(uri: string): string | undefined {
  const isRemote = uri.startsWith("http:") && !LOOPBACK.test(uri);
  return isRemote ? "http is allowed for localhost, 127.0.0.1 and [::1] only" : undefined;
}

function reasonAgainstText(uri: string): string | undefined {
  if (uri === "" || uri.length > MAX_REDIRECT_LENGTH)
    return `it must have 1 to ${MAX_REDIRECT_LENGTH} characters`;
  if (/[^\x21-\x7e]/.test(uri)) return "it has white space, a control character or a non-ASCII letter";
  if (/[\\*"<>^`{|}]/.test(uri)) return "it has a character that is not allowed in a URL";
  if (uri.includes("#")) return "it has a fragment";
  if (!URL.canParse(uri)) return "it is not an absolute URL";
  const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/?]*)([^?]*)(\?.*)?$/.exec(uri);
  if (parts === null) return "its scheme must be in lower case and followed by //";
  const [, scheme = "", authority = "", path = ""] = parts;
  if (["javascript", "data", "vbscript", "file", "blob", "about"].includes(scheme))
    return `${scheme}: is not allowed`;
  if (authority === "") return "it has no host";
  if (authority.includes("@")) return "it has a user name";
  if (/%(2e|2f|5c|00|0a|0d)/i.test(path)) return "its path has an encoded dot, slash or line break";
  if (path.split("/").some((segment) => /^\.{1,2}(;|$)/.test(segment))) return "its path has a dot segment";
  const reserved = RESPONSE_PARAMETERS.find((name) => new URL(uri).searchParams.has(name));
  if (reserved !== undefined) return `its query already has "${reserved}"`;
  return undefined;
}

/**
 * Whether a redirect URI matches a registered one: by string comparison, except that http on loopback may use any port.
 * `localhost` and `127.0.0.1` are different hosts.
 *
 * @see RFC 8252 section 7.3, RFC 9700 section 2.1
 */
export function matchesRegistered(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true;
  if (!LOOPBACK.test(uri)) return false;
  const plain = withoutPort(uri);
  return registered.some((uri) => LOOPBACK.test(uri) && withoutPort(uri) === plain);
}

function withoutPort(uri: string): string {
  const plain = uri.replace(LOOPBACK, "http://$1");
  return plain.replace(/^(http:\/\/[^/?]+)(?=\?|$)/, "$1/");
}

/** A redirect URI as shown to people: the host with its port, or for custom schemes the scheme and host. */
export function describeRedirect(uri: string): string {
  const parts = /^([^:]+):\/\/([^/?]*)/.exec(uri);
  if (parts === null) return uri;
  const [, scheme = "", authority = ""] = parts;
  return /^https?$/.test(scheme) ? authority : `${scheme}://${authority}`;
}

/** Appends the parameters of an authorization response to a redirect URI. */
export function withResponse(
  uri: string,
  parameters: Readonly<Record<string, string | null | undefined>>,
): string {
  const added = Object.entries(parameters)
    .filter((pair): pair is [string, string] => typeof pair[1] === "string")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
  const glue = !uri.includes("?") ? "?" : /[?&]$/.test(uri) ? "" : "&";
  return `${uri}${glue}${added}`;
}
