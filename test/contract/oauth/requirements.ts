import { test } from "bun:test";

/**
 * One line of the acceptance list: what is required, by which revision of MCP's authorization or by whom, and its
 * source.
 */
export interface Requirement {
  id: number;
  text: string;
  revision: string;
  source: string;
}

const MCP = "MCP 2026-07-28";
const SINCE_2025 = "MCP 2025-06-18";
const OAUTH = "OAuth 2.1 draft 14";
const OURS = "ours";

/** The acceptance list of `test/contract/protocols.md`, 3: tests 1 to 53 and 85 to 87. Test 5, path issuers, is left out: our issuer is an origin. */
export const REQUIREMENTS: readonly Requirement[] = [
  line(
    1,
    "protected resource metadata at both paths, with `resource` exact to the byte",
    SINCE_2025,
    "RFC 9728 §3.1, §3.3",
  ),
  line(2, "the alias has its own metadata", OURS, 'RFC 9728 §3.1, docs/contract.md, "Addresses"'),
  line(
    3,
    "authorization server metadata, `issuer` equal to the address requested",
    SINCE_2025,
    "RFC 8414 §2, §3.3",
  ),
  line(4, "unserved well-known paths are 404 in JSON", OURS, "test/contract/protocols.md, 3.2"),
  line(6, "a forged Host or X-Forwarded-Host changes no address", OURS, 'docs/contract.md, "Addresses"'),
  line(7, "HEAD and CORS preflights", OURS, "test/contract/protocols.md, 3.8, Fetch §3.2"),
  line(8, "a minimal registration is accepted", "MCP 2025-03-26", "RFC 7591 §3.1"),
  line(
    9,
    "registrations as real clients send them are accepted unchanged",
    OURS,
    "test/contract/protocols.md, 3.2",
  ),
  line(10, "forbidden redirect URIs are refused by name", MCP, "RFC 7591 §3.2.2, RFC 9700 §4.1"),
  line(11, "oversized, unusual and malformed registrations are 4xx in JSON", OURS, "RFC 7591 §3.2.2"),
  line(
    12,
    "markup and bidirectional characters in a client's name are inert on the page",
    MCP,
    "RFC 7591 §5",
  ),
  line(13, "no URL in a registration is ever fetched", OURS, "RFC 7591 §5"),
  line(14, "registrations are limited, and purged", OURS, "RFC 7591 §5, test/contract/protocols.md, R-5"),
  line(15, "a registration sent twice creates one client", OURS, "test/contract/protocols.md, R-6"),
  line(
    16,
    "a client ID metadata document is a client",
    MCP,
    "draft-ietf-oauth-client-id-metadata-document §3",
  ),
  line(
    17,
    "documents that are slow, too long, redirected or invalid are refused on a page",
    MCP,
    "the same, §4",
  ),
  line(
    18,
    "a document is fetched from the public internet only, at the address that was checked",
    MCP,
    "the same, §6; RFC 6890",
  ),
  line(
    19,
    "documents are cached as their headers say, failures briefly, and concurrent requests fetch once",
    MCP,
    "the same, §4.4; RFC 9111 §4.2",
  ),
  line(20, "when switched off or offline, a URL is not a client", OURS, 'docs/contract.md, "Sign-in"'),
  line(
    21,
    "a client that prefers `private_key_jwt` and offers `none` is public",
    OURS,
    "test/contract/protocols.md, 3.5",
  ),
  line(22, "unknown client or redirect URI: a page, no redirect", OAUTH, "RFC 6749 §4.1.2.1, RFC 9700 §4.11"),
  line(23, "PKCE with S256 is always required", "MCP 2025-03-26", "RFC 7636 §4.3, §4.4.1"),
  line(24, "a repeated parameter is refused", OAUTH, "RFC 6749 §3.1"),
  line(
    25,
    "`iss` and the exact `state` come with success and every error",
    MCP,
    "RFC 9207 §2, RFC 6749 §4.1.2",
  ),
  line(26, "a redirect URI with a query keeps it", OAUTH, "RFC 6749 §3.1.2"),
  line(27, "on loopback any port is allowed, and no other difference", MCP, "RFC 8252 §7.3"),
  line(28, "`localhost` and `127.0.0.1` are different hosts", OURS, "test/contract/protocols.md, 3.5"),
  line(29, "`resource` is one of our endpoints, under any of its names", SINCE_2025, "RFC 8707 §2"),
  line(
    30,
    "unknown scopes, `offline_access` and OpenID Connect's `prompt` are harmless",
    MCP,
    "RFC 6749 §3.3",
  ),
  line(31, "a denial is final", OAUTH, "RFC 6749 §4.1.2.1"),
  line(
    32,
    "a double click gets the first answer, and a page once that has been used",
    OURS,
    "test/contract/protocols.md, A-6",
  ),
  line(
    33,
    "no decision without this browser's form: CSRF, foreign session, foreign transaction",
    MCP,
    "RFC 9700 §4.7",
  ),
  line(34, "the pages cannot be framed", OAUTH, "RFC 9700 §4.16"),
  line(
    35,
    "the pages' policy has no form-action, and a browser completes the redirect",
    OURS,
    "test/contract/protocols.md, P-1",
  ),
  line(36, "consent is asked each time", MCP, "RFC 8252 §8.6"),
  line(
    37,
    "signing in changes the session id; a session planted before is worthless",
    OURS,
    'docs/contract.md, "Sign-in"',
  ),
  line(38, "signing in redirects only to our own pages", OAUTH, "RFC 9700 §4.11"),
  line(39, "a code is exchanged for tokens", OAUTH, "RFC 6749 §4.1.3, §5.1"),
  line(40, "a wrong, missing or unexpected verifier is refused", "MCP 2025-03-26", "RFC 7636 §4.6"),
  line(41, "a replayed code revokes the tokens issued from it", OAUTH, "RFC 6749 §4.1.2"),
  line(42, "another client's code is refused and not consumed", OAUTH, "RFC 6749 §4.1.3"),
  line(
    43,
    "the redirect URI of the token request is the one of the authorization request",
    OAUTH,
    "RFC 6749 §4.1.3",
  ),
  line(44, "a foreign `resource` is refused and consumes nothing", SINCE_2025, "RFC 8707 §2.2"),
  line(45, "a client authenticates with its registered method, and only one", OAUTH, "RFC 6749 §2.3, §5.2"),
  line(46, "codes and tokens expire when they should", OAUTH, "RFC 6749 §4.1.2, §5.1"),
  line(
    47,
    "refresh tokens rotate, tolerate a lost answer, and reuse revokes the family",
    MCP,
    "RFC 9700 §4.14.2",
  ),
  line(48, "scope and audience never widen", OAUTH, "RFC 6749 §6, RFC 8707 §2.2"),
  line(49, "a disabled user's tokens are refused at once", OURS, "test/contract/protocols.md, K-4"),
  line(50, "unusual requests are 4xx in JSON", OAUTH, "RFC 6749 §5.2"),
  line(51, "answers with tokens are never stored", OAUTH, "RFC 6749 §5.1"),
  line(52, "revocation: a family, a token, or nothing, and 200", OURS, "RFC 7009 §2"),
  line(
    53,
    "the first credits are given once, with the first key or token",
    OURS,
    'docs/contract.md, "Price"',
  ),
  line(
    85,
    "node-oidc-provider answers the same malformed requests the same way, or the difference is explained",
    OURS,
    "test/contract/protocols.md, 4",
  ),
  line(
    86,
    "mutated requests: no 5xx, no unregistered redirect, no unbound token",
    OURS,
    "test/contract/protocols.md, 3",
  ),
  line(87, "random walks through the store agree with a model", OURS, "test/contract/protocols.md, 3"),
];

function line(id: number, text: string, revision: string, source: string): Requirement {
  return { id, text, revision, source };
}

/** A test of one line of the acceptance list; `table.ts` finds it by its first argument. */
export function requirement(
  id: number,
  promise: string,
  work: () => void | Promise<void>,
  timeoutMs?: number,
): void {
  const known = REQUIREMENTS.find((one) => one.id === id);
  if (known === undefined) throw new Error(`${id} is not on the acceptance list`);
  test(`${id} ${promise}`, work, timeoutMs);
}
