import { expect, test } from "bun:test";
import { oauthRequests } from "../../../src/store/oauth-schema.ts";
import { startTestServer } from "../../support/server.ts";
import { authorizeUrl, register } from "./support.ts";

test("the browser carries a pending authorization request: 2,000 of them leave the store unchanged", async () => {
  const s = await startTestServer({ trustedProxies: "127.0.0.1" });
  const id = String((await register(s))["client_id"]);
  const { pathname, search } = new URL(authorizeUrl(s, id, { state: "s".repeat(1500) }));
  const answers = await Promise.all(
    Array.from({ length: 2000 }, (_, n) =>
      s.get(pathname + search, {
        headers: { "x-forwarded-for": `203.0.${Math.floor(n / 250)}.${n % 250}` },
      }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
  expect(s.accounts.store.db.select().from(oauthRequests).all()).toEqual([]);
  await s.stop();
});
