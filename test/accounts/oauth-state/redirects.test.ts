import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  RedirectPolicy,
  describeRedirect,
  matchesRegistered,
  withResponse,
} from "../../../src/accounts/oauth-state/redirects.ts";

const policy = new RedirectPolicy([
  "https://claude.ai/api/mcp/auth_callback",
  "https://chatgpt.com/connector/oauth/*",
  "cursor://anysphere.cursor-mcp/oauth/callback",
]);

const FORBIDDEN: Record<string, string> = {
  empty: "",
  relative: "/callback",
  "javascript:": "javascript:alert(1)",
  "javascript: with slashes": "javascript://localhost/%0aalert(1)",
  "mixed case": "JaVaScRiPt:alert(1)",
  "data:": "data:text/html,<script>alert(1)</script>",
  "vbscript:": "vbscript:msgbox(1)",
  "file:": "file:///etc/passwd",
  "blob:": "blob:https://claude.ai/1",
  "about:": "about:blank",
  "tab inside": "http://local\thost/callback",
  "newline inside": "http://localhost/call\nback",
  "carriage return inside": "http://localhost/call\rback",
  "space in front": " http://localhost/callback",
  "space behind": "http://localhost/callback ",
  "null byte": "http://localhost/\0",
  "non-breaking space": "http://localhost/\u00a0",
  userinfo: "http://user:pw@localhost/callback",
  "userinfo that looks like the host": "http://localhost@evil.example/callback",
  "empty userinfo": "http://@localhost/callback",
  fragment: "http://localhost/callback#x",
  "empty fragment": "http://localhost/callback#",
  "localhost as a prefix": "http://localhost.evil.example/callback",
  "localhost with a dot": "http://localhost./callback",
  "nip.io": "http://127.0.0.1.nip.io/callback",
  "hexadecimal address": "http://0x7f.1/callback",
  "decimal address": "http://2130706433/callback",
  "octal address": "http://0177.0.0.1/callback",
  "short address": "http://127.1/callback",
  "0.0.0.0": "http://0.0.0.0/callback",
  "another loopback address": "http://127.0.0.2/callback",
  "mapped loopback": "http://[::ffff:127.0.0.1]/callback",
  "long IPv6 loopback": "http://[0:0:0:0:0:0:0:1]/callback",
  "capital host": "http://LOCALHOST/callback",
  "capital scheme": "HTTP://localhost/callback",
  "full-width host": "http://ｌocalhost/callback",
  "http beyond this computer": "http://example.com/callback",
  "http of a listed site": "http://claude.ai/api/mcp/auth_callback",
  "..;/": "http://localhost/a/..;/callback",
  "dot segments": "http://localhost/a/../callback",
  "single dot segment": "http://localhost/./callback",
  "%2e%2e": "http://localhost/%2e%2e/callback",
  "%2F": "http://localhost/a%2Fb",
  "%5c": "http://localhost/a%5cb",
  "%0d%0a": "http://localhost/%0d%0aLocation:x",
  backslash: "http://localhost\\@evil.example/callback",
  wildcard: "http://localhost/*",
  "wildcard host": "https://*.claude.ai/api/mcp/auth_callback",
  "unlisted https": "https://evil.example/callback",
  "listed https with a tail": "https://claude.ai/api/mcp/auth_callback/x",
  "listed https with a query": "https://claude.ai/api/mcp/auth_callback?next=x",
  "listed https with a port": "https://claude.ai:8443/api/mcp/auth_callback",
  "listed https as a prefix": "https://claude.ai.evil.example/api/mcp/auth_callback",
  "the pattern with no segment": "https://chatgpt.com/connector/oauth/",
  "the pattern with two segments": "https://chatgpt.com/connector/oauth/a/b",
  "the pattern with a query": "https://chatgpt.com/connector/oauth/a?b=c",
  "the pattern itself": "https://chatgpt.com/connector/oauth/*",
  "the pattern, 65 characters": `https://chatgpt.com/connector/oauth/${"a".repeat(65)}`,
  "unlisted scheme": "myapp://callback/",
  "listed scheme, other path": "cursor://anysphere.cursor-mcp/other",
  "scheme without slashes": "cursor:anysphere.cursor-mcp/oauth/callback",
  "invalid port": "http://localhost:99999/callback",
  "letters as port": "http://localhost:80a/callback",
  "no host": "http:///callback",
  "code in the query": "http://localhost/callback?code=stolen",
  "state in the query": "http://localhost/callback?a=1&state=x",
  "too long": `http://localhost/${"a".repeat(2048)}`,
};

describe("a redirect URI is refused by its raw text", () => {
  for (const [what, uri] of Object.entries(FORBIDDEN)) {
    test(what, () => {
      expect(policy.reasonAgainst(uri)).toMatch(/./);
    });
  }
});

describe("a redirect URI is accepted", () => {
  const permitted = [
    "http://localhost:3118/callback",
    "http://127.0.0.1/",
    "http://127.0.0.1",
    "http://[::1]:9000/cb",
    "http://localhost:7777/oauth/callback?a=1&b=%2Fx",
    "https://claude.ai/api/mcp/auth_callback",
    "https://chatgpt.com/connector/oauth/abc_DEF-123",
    "cursor://anysphere.cursor-mcp/oauth/callback",
  ];
  for (const uri of permitted) {
    test(uri, () => expect(policy.reasonAgainst(uri)).toBeUndefined());
  }

  test("on the host of a client's metadata document, and on no other", () => {
    expect(policy.reasonAgainst("https://app.example/cb", "app.example")).toBeUndefined();
    expect(policy.reasonAgainst("https://app.example/cb", "other.example")).toBeDefined();
    expect(policy.reasonAgainst("https://app.example.evil/cb", "app.example")).toBeDefined();
    expect(policy.reasonAgainst("app.example://cb/x", "app.example")).toBeDefined();
  });
});

test("a browser parses every permitted URI to the host that was checked", () => {
  const pieces = fc.constantFrom(
    "http://",
    "https://",
    "javascript:",
    "localhost",
    "127.0.0.1",
    "[::1]",
    "evil.example",
    "@",
    ":",
    "80",
    "/",
    "\\",
    "?",
    "#",
    "..",
    "%2e",
    ";",
    "\t",
    "claude.ai",
    "a",
    "*",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 9 }), (list) => {
      const uri = list.join("");
      if (policy.reasonAgainst(uri) !== undefined) return;
      const url = new URL(uri);
      expect(["localhost", "127.0.0.1", "[::1]"]).toContain(url.hostname);
      expect(url.username + url.password + url.hash).toBe("");
    }),
    { numRuns: 20_000, seed: 1 },
  );
});

describe("matching what was registered", () => {
  test("on loopback any port matches, but no other difference", () => {
    const registered = ["http://127.0.0.1:33418/cb?a=1"];
    expect(matchesRegistered(registered, "http://127.0.0.1:5/cb?a=1")).toBe(true);
    expect(matchesRegistered(registered, "http://127.0.0.1/cb?a=1")).toBe(true);
    for (const other of [
      "http://localhost:33418/cb?a=1",
      "http://[::1]:33418/cb?a=1",
      "https://127.0.0.1:33418/cb?a=1",
      "http://127.0.0.1:33418/cb",
      "http://127.0.0.1:33418/cb?a=2",
      "http://127.0.0.1:33418/cb/?a=1",
      "http://127.0.0.1.evil.example:33418/cb?a=1",
    ]) {
      expect(matchesRegistered(registered, other)).toBe(false);
    }
  });

  test("VS Code's registration without a path matches the same URI with a slash", () => {
    expect(matchesRegistered(["http://127.0.0.1"], "http://127.0.0.1:33418/")).toBe(true);
  });

  test("https is compared character for character, port included", () => {
    const registered = ["https://claude.ai/api/mcp/auth_callback"];
    expect(matchesRegistered(registered, "https://claude.ai/api/mcp/auth_callback")).toBe(true);
    expect(matchesRegistered(registered, "https://claude.ai:443/api/mcp/auth_callback")).toBe(false);
    expect(matchesRegistered(registered, "https://claude.ai/api/mcp/auth_callback/")).toBe(false);
  });
});

test("the response is appended to the existing query, once and encoded", () => {
  expect(withResponse("http://localhost/cb", { code: "a", state: "x y&z", iss: "http://h" })).toBe(
    "http://localhost/cb?code=a&state=x%20y%26z&iss=http%3A%2F%2Fh",
  );
  expect(withResponse("http://localhost/cb?a=1", { code: "a", state: null })).toBe(
    "http://localhost/cb?a=1&code=a",
  );
  expect(withResponse("http://localhost/cb?", { code: "a" })).toBe("http://localhost/cb?code=a");
});

test("the host is shown in full", () => {
  expect(describeRedirect("http://localhost:3118/callback")).toBe("localhost:3118");
  expect(describeRedirect("https://claude.ai/api/mcp/auth_callback")).toBe("claude.ai");
  expect(describeRedirect("cursor://anysphere.cursor-mcp/oauth/callback")).toBe(
    "cursor://anysphere.cursor-mcp",
  );
});
