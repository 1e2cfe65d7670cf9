/**
 * A server's answer to one malformed request: `302 invalid_request` for a redirect with an error, `400 page` for a
 * page.
 */
export type Verdict = string;

/** A request that the two servers answer differently, and the reason for our answer. */
export interface Difference {
  ours: Verdict;
  theirs: Verdict;
  reason: string;
}

/**
 * Every difference from node-oidc-provider 9.13.3 on the requests of `differential.test.ts`; all other answers are
 * equal.
 */
export const DIFFERENCES: Readonly<Record<string, Difference>> = {
  "authorize: redirect URI twice": {
    ours: "400 page",
    theirs: "302 invalid_request",
    reason: "Nothing is sent to a redirect URI that is in doubt (A-1).",
  },
  "authorize: no redirect URI, one registered": {
    ours: "400 page",
    theirs: "goes on",
    reason:
      "RFC 6749 allows omitting it when one is registered; we require it, because a loopback URI stands for every port (test/contract/protocols.md, 3.6).",
  },
  "authorize: response_mode fragment": {
    ours: "302 invalid_request",
    theirs: "goes on",
    reason:
      "Our metadata offers only `query`; a code in a fragment would reach scripts, which no client of ours needs.",
  },
  "authorize: resource twice": {
    ours: "302 invalid_request",
    theirs: "goes on",
    reason:
      "RFC 8707 allows several; all of ours are one audience, and any repeated parameter is refused (A-3).",
  },
  "authorize: request object": {
    ours: "302 invalid_request",
    theirs: "302 request_not_supported",
    reason:
      "The more specific code is from OpenID Connect, which we do not implement (test/contract/protocols.md, 3.1).",
  },
  "authorize: request_uri": {
    ours: "302 invalid_request",
    theirs: "302 request_uri_not_supported",
    reason: "As above.",
  },
  "token: short verifier": {
    ours: "400 invalid_grant",
    theirs: "400 invalid_request",
    reason:
      "Every wrong verifier gets the same answer and counts toward the five that invalidate a code (K-2, K-6).",
  },
  "token: no verifier": {
    ours: "400 invalid_request",
    theirs: "400 invalid_grant",
    reason: "RFC 6749 §5.2: a required parameter is missing; nothing was tried, so nothing is counted.",
  },
  "token: no redirect URI": {
    ours: "400 invalid_grant",
    theirs: "200 ok",
    reason:
      "OAuth 2.1 drops the parameter; we still require it as RFC 6749 §4.1.3 does, because every client sends it (test/contract/protocols.md, 3.5, rule 5).",
  },
  "token: no client": {
    ours: "401 invalid_client",
    theirs: "400 invalid_request",
    reason:
      "No client authentication included is `invalid_client` by RFC 6749 §5.2, its first example (K-1).",
  },
  "token: header instead of form": {
    ours: "401 invalid_client",
    theirs: "200 ok",
    reason: "The registered method is required (K-1, cloudflare/workers-oauth-provider#276).",
  },
  "token: broken Basic header": {
    ours: "401 invalid_client",
    theirs: "400 invalid_request",
    reason: "Failed client authentication, with the challenge that RFC 6749 §5.2 requires.",
  },
  "token: nothing": {
    ours: "401 invalid_client",
    theirs: "400 invalid_request",
    reason: "As for no client, which is checked first.",
  },
  "revoke: no client": {
    ours: "401 invalid_client",
    theirs: "400 invalid_request",
    reason: "As at the token endpoint.",
  },
  "register: implicit": {
    ours: "400 invalid_client_metadata",
    theirs: "201 ok",
    reason:
      "A client that registers none of our grant types could never sign in; it is told at registration (R-3).",
  },
  "register: no JSON": {
    ours: "400 invalid_client_metadata",
    theirs: "400 invalid_request",
    reason:
      "RFC 7591 §3.2.2 has no `invalid_request`; its own codes are used for every fault in a registration.",
  },
  "register: an array": {
    ours: "400 invalid_client_metadata",
    theirs: "400 invalid_request",
    reason: "As above.",
  },
  "register: a form": {
    ours: "400 invalid_client_metadata",
    theirs: "400 invalid_request",
    reason: "As above.",
  },
};

/** The expected DIFFERENCES.md. @param alike requests with equal answers, with the answer */
export function differencesPage(alike: readonly [string, Verdict][]): string {
  const rows = Object.entries(DIFFERENCES).map(
    ([what, { ours, theirs, reason }]) => `| ${what} | ${ours} | ${theirs} | ${reason} |`,
  );
  return `# Where node-oidc-provider answers differently

\`differential.test.ts\` sends the same malformed requests to us and to node-oidc-provider 9.13.3 on loopback, and compares
status and error code. \`302 invalid_request\` is a redirect to the client with that error, \`400 page\` a page without a
redirect, \`400 invalid_grant\` JSON. The test fails for a difference that is not listed here, and for a listed one that no longer occurs.

<!-- prettier-ignore -->
| Request | Ours | Theirs | Why ours |
| --- | --- | --- | --- |
${rows.join("\n")}

Alike: ${alike.map(([what, verdict]) => `${what} (${verdict})`).join("; ")}.
`;
}
