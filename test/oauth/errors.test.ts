import { expect, test } from "bun:test";
import { ServiceError } from "../../src/errors.ts";
import { endpoint, OAuthError, oauthErrorOf } from "../../src/oauth/endpoint.ts";

test("a bug is no OAuth error: it stays one, for the edge to log and to answer as 500", async () => {
  const bug = new TypeError("undefined is not a function");
  expect(() => oauthErrorOf(bug)).toThrow(bug);
  const post = new Request("http://x/oauth/token", { method: "POST" });
  const broken = endpoint(() => Promise.reject(bug))({ request: post });
  expect(await broken.catch((thrown: unknown) => thrown)).toBe(bug);
});

test("refusals are", async () => {
  const refused = new ServiceError("rate_limited", "Slow down.", { retryAfterSeconds: 3 });
  expect(oauthErrorOf(refused)).toMatchObject({ status: 429, headers: { "retry-after": "3" } });
  const own = new OAuthError("invalid_grant", "Used.");
  expect(oauthErrorOf(own)).toBe(own);
});
