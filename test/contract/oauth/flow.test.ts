import { expect, test } from "bun:test";
import {
  authorizeUrl,
  callHistory,
  codeFields,
  postForm,
  readJson,
  register,
  SCOPE,
  serverForFile,
  BrowserSession,
} from "./support.ts";

const server = serverForFile();

test("the whole way: register, sign in, approve, exchange, call, refresh, revoke", async () => {
  const s = server();
  const client = await register(s, { client_name: "Whole way" });
  const clientId = String(client["client_id"]);
  const browserSession = new BrowserSession(s);
  const back = await browserSession.decide(authorizeUrl(s, clientId));
  expect(back.href.startsWith("http://localhost:3118/callback?code=")).toBe(true);
  expect(back.searchParams.get("state")).toBe("s t/a?t&e=");
  expect(back.searchParams.get("iss")).toBe(s.origin);

  const answer = await postForm(
    s,
    "/oauth/token",
    codeFields(s, clientId, back.searchParams.get("code") ?? ""),
  );
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("pragma")).toBe("no-cache");
  const tokens = await readJson(answer);
  expect(tokens).toEqual({
    access_token: expect.stringMatching(/^xc_at_[0-9A-Za-z]{49}$/),
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^xc_rt_[0-9A-Za-z]{49}$/),
    scope: SCOPE,
  });

  expect((await callHistory(s, String(tokens["access_token"]))).status).toBe(200);
  const refreshed = await readJson(
    await postForm(s, "/oauth/token", {
      grant_type: "refresh_token",
      client_id: clientId,
      refresh_token: String(tokens["refresh_token"]),
    }),
  );
  expect((await callHistory(s, String(refreshed["access_token"]))).status).toBe(200);
  const revoked = await postForm(s, "/oauth/revoke", {
    client_id: clientId,
    token: String(refreshed["refresh_token"]),
  });
  expect([revoked.status, await revoked.text()]).toEqual([200, ""]);
  expect((await callHistory(s, String(refreshed["access_token"]))).status).toBe(401);
  expect((await callHistory(s, String(tokens["access_token"]))).status).toBe(401);
});
