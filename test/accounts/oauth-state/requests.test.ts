import { afterAll, expect, test } from "bun:test";
import type { AuthorizationRequest } from "../../../src/accounts/oauth-state/requests.ts";
import { bench, CHALLENGE, REDIRECT, RESOURCE } from "./support.ts";

const made = bench();
afterAll(() => made.close());

const REQUEST: AuthorizationRequest = {
  clientId: "xc_client_x",
  clientName: "App",
  redirectUri: REDIRECT,
  state: "s",
  codeChallenge: CHALLENGE,
  resource: RESOURCE,
  scope: "executive-compensation:read",
  issuer: "http://localhost:8402",
};

/** How many of the given number of requests from an address were kept. */
async function opened(times: number, address: string): Promise<number> {
  const all = Array.from({ length: times }, () =>
    made.grants.requests.open(REQUEST, { browser: "b", address }).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(all)).filter(Boolean).length;
}

test("pending requests have limits by /64, by /48 and in total, and expire after ten minutes", async () => {
  expect(await opened(210, "2001:db8:0:1::/64")).toBe(200);
  for (const network of [2, 3, 4, 5]) expect(await opened(200, `2001:db8:0:${network}::/64`)).toBe(200);
  expect(await opened(5, "2001:db8:0:6::/64")).toBe(0);
  expect(await opened(1, "2001:db8:1:1::/64")).toBe(1);
  for (let count = 1001; count < 5000;) {
    const site = Math.floor(count / 200);
    const wanted = Math.min(200, 5000 - count);
    expect(await opened(wanted, `203.0.${site}.1`)).toBe(wanted);
    count += wanted;
  }
  expect(await opened(1, "198.51.100.1")).toBe(0);
  made.runtime.advance(10 * 60_000);
  expect(await opened(1, "198.51.100.1")).toBe(1);
}, 300_000);

test("the account that decided owns the decision: another one in the same browser gets nothing of it", async () => {
  const { requests } = made.grants;
  const [ann, bob] = ["ann", "bob"].map((name) => made.user(`${name}-decides@example.com`));
  const transaction = await requests.open(REQUEST, { browser: "b", address: "198.51.100.2" });
  const by = (userId = "") => ({ browser: "b", userId, address: null, userAgent: null });
  const decided = await requests.decide(transaction, by(ann), true);
  expect(decided.kind).toBe("approved");
  for (const approve of [true, false]) {
    expect(await requests.decide(transaction, by(bob), approve)).toEqual({ kind: "unknown" });
    expect(await requests.decide(transaction, by(ann), approve)).toEqual(decided);
  }
});
