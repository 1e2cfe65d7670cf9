import { expect, test } from "bun:test";
import { RedirectPolicy } from "../../../src/accounts/oauth-state/redirects.ts";
import { isLoopback } from "../../../src/http/base-urls.ts";
import { originAllowed } from "../../../src/mcp/request.ts";

const OTHERS = [
  "localhost.evil.com",
  "127.0.0.1.evil.com",
  "evil.localhost.com",
  "notlocalhost",
  "localhost@evil.com",
];

test.each(OTHERS)("%s is another machine: no loopback address, callback or origin", (host) => {
  expect(isLoopback(host)).toBe(false);
  expect(new RedirectPolicy([]).reasonAgainst(`http://${host}/callback`)).toBeDefined();
  expect(new RedirectPolicy([]).reasonAgainst(`http://${host}:8000/callback`)).toBeDefined();
  expect(originAllowed(`http://${host}`, new Set())).toBe(false);
});

test.each(["localhost", "127.0.0.1", "[::1]"])("%s is this one", (host) => {
  expect(isLoopback(host)).toBe(true);
  expect(new RedirectPolicy([]).reasonAgainst(`http://${host}:8000/callback`)).toBeUndefined();
  expect(originAllowed(`http://${host}:6274`, new Set())).toBe(true);
});
