import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { requirement } from "./requirements.ts";
import {
  addPerson,
  authorizeUrl,
  callHistory,
  codeFields,
  connect,
  type Json,
  PERSON,
  postForm,
  postJson,
  readJson,
  register,
  serverForFile,
  VERIFIER,
  BrowserSession,
} from "./support.ts";

const server = serverForFile();
const started: TestServer[] = [];
afterAll(() => Promise.all(started.map((one) => one.stop())));

let browserSession: BrowserSession;
let clientId: string;
beforeAll(async () => {
  browserSession = new BrowserSession(server());
  await browserSession.signIn();
  clientId = String((await register(server(), { client_name: "Tokens" }))["client_id"]);
});

/** A fresh server with a signed-in person, for tests that move the clock or break things. */
async function fresh(settings: Parameters<typeof startTestServer>[0] = {}) {
  const s = await startTestServer(settings);
  started.push(s);
  const userId = await addPerson(s);
  const browser = new BrowserSession(s);
  const id = String((await register(s))["client_id"]);
  const code = async () => {
    const url = await browser.decide(authorizeUrl(s, id));
    return url.searchParams.get("code") ?? "";
  };
  const tokens = async () => readJson(await postForm(s, "/oauth/token", codeFields(s, id, await code())));
  const refresh = (token: unknown, over: Record<string, string> = {}) =>
    postForm(s, "/oauth/token", {
      grant_type: "refresh_token",
      client_id: id,
      refresh_token: String(token),
      ...over,
    });
  return { s, userId, id, code, tokens, refresh };
}

const newCode = async (id = clientId) =>
  (await browserSession.decide(authorizeUrl(server(), id))).searchParams.get("code") ?? "";
const exchange = (code: string, over: Record<string, string> = {}, id = clientId) =>
  postForm(server(), "/oauth/token", codeFields(server(), id, code, over));

async function refused(answer: Response, error: string, status = 400): Promise<string> {
  expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/json"]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("pragma")).toBe("no-cache");
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  const body = await readJson(answer);
  expect(Object.keys(body)).toEqual(["error", "error_description"]);
  expect(body["error"]).toBe(error);
  expect(body["error_description"]).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  return String(body["error_description"]);
}

requirement(39, "a code becomes a Bearer token that is valid at every name of the MCP endpoint", async () => {
  const s = server();
  const tokens = await readJson(await exchange(await newCode()));
  const token = String(tokens["access_token"]);
  for (const host of [`localhost:${s.port}`, `127.0.0.1:${s.port}`, `[::1]:${s.port}`]) {
    for (const path of ["/mcp", "/mcp/private", "/mcp/analyst"]) {
      const answer = await postJson(
        s,
        path,
        {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "list_available_tickers", arguments: {} },
        },
        { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream", host },
      );
      expect([host, path, answer.status]).toEqual([host, path, 200]);
    }
  }
});

requirement(
  39,
  "a client that did not register for refresh tokens gets none and may not use one",
  async () => {
    const s = server();
    const id = String((await register(s, { grant_types: ["authorization_code"] }))["client_id"]);
    const tokens = await readJson(await exchange(await newCode(id), {}, id));
    expect(tokens).not.toHaveProperty("refresh_token");
    const fields = { grant_type: "refresh_token", client_id: id, refresh_token: "x" };
    await refused(await postForm(s, "/oauth/token", fields), "unauthorized_client");
  },
);

describe("PKCE", () => {
  requirement(
    40,
    "a wrong verifier, one that is too short, and the challenge itself are invalid_grant",
    async () => {
      const code = await newCode();
      for (const verifier of [`${VERIFIER}x`, VERIFIER.slice(1), VERIFIER.toLowerCase(), "é".repeat(43)]) {
        await refused(await exchange(code, { code_verifier: verifier }), "invalid_grant");
      }
      // Four failures were forgiven.
      expect((await exchange(code)).status).toBe(200);
    },
  );

  requirement(40, "the fifth wrong verifier invalidates the code", async () => {
    const code = await newCode();
    for (let n = 0; n < 5; n++) {
      await refused(await exchange(code, { code_verifier: "y".repeat(43) }), "invalid_grant");
    }
    await refused(await exchange(code), "invalid_grant");
  });

  requirement(40, "a missing or empty verifier is invalid_request and does not use up the code", async () => {
    const code = await newCode();
    const { code_verifier: _, ...without } = codeFields(server(), clientId, code);
    await refused(await postForm(server(), "/oauth/token", without), "invalid_request");
    await refused(await exchange(code, { code_verifier: "" }), "invalid_request");
    expect((await exchange(code)).status).toBe(200);
  });
});

requirement(41, "a replayed code is refused and its tokens are revoked", async () => {
  const s = server();
  const code = await newCode();
  const tokens = await readJson(await exchange(code));
  expect((await callHistory(s, String(tokens["access_token"]))).status).toBe(200);
  await refused(await exchange(code), "invalid_grant");
  expect((await callHistory(s, String(tokens["access_token"]))).status).toBe(401);
  const fields = {
    grant_type: "refresh_token",
    client_id: clientId,
    refresh_token: String(tokens["refresh_token"]),
  };
  await refused(await postForm(s, "/oauth/token", fields), "invalid_grant");
});

requirement(41, "replaying one connection's code does not affect the others", async () => {
  const s = server();
  const [one, two] = [await newCode(), await newCode()];
  const first = await readJson(await exchange(one));
  const second = await readJson(await exchange(two));
  await exchange(one);
  expect((await callHistory(s, String(first["access_token"]))).status).toBe(401);
  expect((await callHistory(s, String(second["access_token"]))).status).toBe(200);
});

requirement(
  42,
  "another client with the code gets nothing, uses up nothing and revokes nothing",
  async () => {
    const s = server();
    const other = String((await register(s, { client_name: "Thief" }))["client_id"]);
    const code = await newCode();
    await refused(await exchange(code, {}, other), "invalid_grant");
    const tokens = await readJson(await exchange(code));
    await refused(await exchange(code, {}, other), "invalid_grant");
    expect((await callHistory(s, String(tokens["access_token"]))).status).toBe(200);
  },
);

requirement(
  43,
  "another redirect URI, another port, or none: invalid_grant, and the code is not used up",
  async () => {
    const code = await newCode();
    for (const uri of [
      "http://localhost:3118/callback/",
      "http://localhost:3119/callback",
      "https://localhost:3118/callback",
      "",
    ]) {
      await refused(await exchange(code, { redirect_uri: uri }), "invalid_grant");
    }
    expect((await exchange(code)).status).toBe(200);
  },
);

requirement(
  44,
  "a foreign resource, or one of ours that was not requested, is invalid_target, and the code is not used up",
  async () => {
    const s = server();
    const code = await newCode();
    for (const resource of [
      "https://evil.example/mcp",
      `${s.origin}/mcp/private`,
      "x",
      `${s.origin}/mcp#x`,
    ]) {
      await refused(await exchange(code, { resource }), "invalid_target");
    }
    const { resource: _, ...without } = codeFields(s, clientId, code);
    expect((await postForm(s, "/oauth/token", without)).status).toBe(200);
  },
);

describe("client authentication", () => {
  const secretOf = (body: Json) => ({ id: String(body["client_id"]), secret: String(body["client_secret"]) });
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
  });
  const fieldsWithout = (id: string, code: string) => {
    const { client_id: _, ...fields } = codeFields(server(), id, code);
    return fields;
  };

  requirement(45, "client_secret_basic: only the header authenticates", async () => {
    const s = server();
    const { id, secret } = secretOf(await register(s, { token_endpoint_auth_method: "client_secret_basic" }));
    const code = await newCode(id);
    const fields = fieldsWithout(id, code);
    const post = (extra: Record<string, string>, headers: Record<string, string> = {}) =>
      postForm(s, "/oauth/token", { ...fields, ...extra }, headers);
    await refused(await post({ client_id: id }), "invalid_client", 401);
    await refused(await post({ client_id: id, client_secret: secret }), "invalid_client", 401);
    await refused(await post({ client_secret: secret }, basic(id, secret)), "invalid_request");
    await refused(await post({ client_id: clientId }, basic(id, secret)), "invalid_request");
    for (const header of [
      basic(id, `${secret}x`),
      basic("nobody", secret),
      { authorization: "Basic" },
      { authorization: "Basic !!!" },
      { authorization: `Basic ${btoa("no colon")}` },
      { authorization: `Basic ${btoa("%zz:x")}` },
    ]) {
      const answer = await post({}, header);
      expect(answer.headers.get("www-authenticate")).toStartWith("Basic");
      await refused(answer, "invalid_client", 401);
    }
    // None of that used up the code.
    expect((await post({}, basic(id, secret))).status).toBe(200);
  });

  requirement(45, "client_secret_post: only the form authenticates", async () => {
    const s = server();
    const { id, secret } = secretOf(await register(s, { token_endpoint_auth_method: "client_secret_post" }));
    const code = await newCode(id);
    await refused(await exchange(code, {}, id), "invalid_client", 401);
    await refused(await exchange(code, { client_secret: "wrong" }, id), "invalid_client", 401);
    await refused(
      await postForm(s, "/oauth/token", fieldsWithout(id, code), basic(id, secret)),
      "invalid_client",
      401,
    );
    const answer = await exchange(code, { client_secret: secret }, id);
    expect([answer.status, answer.headers.has("www-authenticate")]).toEqual([200, false]);
  });

  requirement(
    45,
    "a public client that sends a secret, or a request that names no client, is invalid_client",
    async () => {
      const code = await newCode();
      await refused(await exchange(code, { client_secret: "x" }), "invalid_client", 401);
      await refused(await exchange(code, { client_id: "" }), "invalid_client", 401);
      await refused(await exchange(code, { client_id: "nobody" }), "invalid_client", 401);
      const bearer = { authorization: "Bearer x" };
      expect(
        (await postForm(server(), "/oauth/token", codeFields(server(), clientId, code), bearer)).status,
      ).toBe(200);
    },
  );
});

describe("time", () => {
  requirement(
    46,
    "codes, access tokens, idle refresh tokens and whole connections expire when they should",
    async () => {
      const { s, code, tokens, refresh, id } = await fresh();
      const late = await code();
      s.advance(300_000);
      await refused(await postForm(s, "/oauth/token", codeFields(s, id, late)), "invalid_grant");

      const first = await tokens();
      s.advance(3_599_999);
      expect((await callHistory(s, String(first["access_token"]))).status).toBe(200);
      s.advance(1);
      expect((await callHistory(s, String(first["access_token"]))).status).toBe(401);
      s.advance(30 * 86_400_000 - 3_600_000);
      await refused(await refresh(first["refresh_token"]), "invalid_grant");
    },
  );

  requirement(46, "the operator configures the lifetimes", async () => {
    const { s, tokens } = await fresh({ accessTokenSeconds: "60" });
    const pair = await tokens();
    expect(pair["expires_in"]).toBe(60);
    s.advance(60_000);
    expect((await callHistory(s, String(pair["access_token"]))).status).toBe(401);
  });
});

describe("refreshing", () => {
  requirement(
    47,
    "returns a new pair each time; within 30 seconds of its first use the old token gives more, each with a line of its own",
    async () => {
      const { s, tokens, refresh } = await fresh();
      const first = await tokens();
      const second = await readJson(await refresh(first["refresh_token"]));
      expect(second["refresh_token"]).not.toBe(first["refresh_token"]);
      // A successor may have been used: another process of the client did so.
      const third = await readJson(await refresh(second["refresh_token"]));
      s.advance(30_000);
      const other = await readJson(await refresh(first["refresh_token"]));
      const pairs = [second, third, other];
      for (const pair of pairs) expect((await callHistory(s, String(pair["access_token"]))).status).toBe(200);
      s.advance(86_400_000);
      for (const pair of [third, other]) expect((await refresh(pair["refresh_token"])).status).toBe(200);
    },
  );

  requirement(47, "later reuse revokes the whole family, every token of it at once", async () => {
    const { s, tokens, refresh } = await fresh();
    const first = await tokens();
    const second = await readJson(await refresh(first["refresh_token"]));
    s.advance(31_000);
    const reuses = () => s.lines.filter((line) => line.includes("oauth_refresh_reused"));
    await refused(await refresh(first["refresh_token"]), "invalid_grant");
    expect(reuses()).toHaveLength(1);
    await refused(await refresh(second["refresh_token"]), "invalid_grant");
    expect((await callHistory(s, String(second["access_token"]))).status).toBe(401);
    expect(reuses()).toHaveLength(1);
  });

  requirement(47, "20 at once: eleven lines, and what is refused revokes none of them", async () => {
    const { s, tokens, refresh } = await fresh();
    const { refresh_token } = await tokens();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refresh_token)));
    const lines = [];
    for (const answer of answers) {
      if (answer.status === 200) lines.push(await readJson(answer));
      else await refused(answer, "invalid_grant");
    }
    expect(lines).toHaveLength(11);
    for (const line of lines) expect((await callHistory(s, String(line["access_token"]))).status).toBe(200);
    s.advance(3_600_000);
    for (const line of lines) expect((await refresh(line["refresh_token"])).status).toBe(200);
  });

  requirement(
    47,
    "lines are counted per connection: a fork does not fork, and another connection has its own",
    async () => {
      const { tokens, refresh } = await fresh();
      const { refresh_token } = await tokens();
      const heads = [];
      for (let n = 0; n < 11; n += 1)
        heads.push((await readJson(await refresh(refresh_token)))["refresh_token"]);
      await refused(await refresh(refresh_token), "invalid_grant");
      for (const head of heads.splice(0)) {
        heads.push((await readJson(await refresh(head)))["refresh_token"]);
        // Its line goes on, and no second one begins.
        await refused(await refresh(head), "invalid_grant");
      }
      const other = await tokens();
      for (let n = 0; n < 2; n += 1) expect((await refresh(other["refresh_token"])).status).toBe(200);
      for (const head of heads) expect((await refresh(head)).status).toBe(200);
    },
  );

  requirement(
    47,
    "a refresh token is bound to its client and is not an access token, or the other way round",
    async () => {
      const { s, tokens, refresh } = await fresh();
      const pair = await tokens();
      const other = String((await register(s, { client_name: "Other" }))["client_id"]);
      await refused(await refresh(pair["refresh_token"], { client_id: other }), "invalid_grant");
      await refused(await refresh(pair["access_token"]), "invalid_grant");
      expect((await callHistory(s, String(pair["refresh_token"]))).status).toBe(401);
      expect((await refresh(pair["refresh_token"])).status).toBe(200);
    },
  );

  requirement(
    48,
    "a wider scope or another resource is refused and uses up nothing; harmless extras are ignored",
    async () => {
      const { s, tokens, refresh } = await fresh();
      const { refresh_token } = await tokens();
      await refused(
        await refresh(refresh_token, { scope: "executive-compensation:read admin" }),
        "invalid_scope",
      );
      await refused(await refresh(refresh_token, { resource: `${s.origin}/mcp/private` }), "invalid_target");
      await refused(await refresh(refresh_token, { resource: "https://evil.example" }), "invalid_target");
      const answer = await refresh(refresh_token, {
        scope: "executive-compensation:read offline_access",
        resource: `${s.origin}/mcp`,
      });
      expect((await readJson(answer))["scope"]).toBe("executive-compensation:read");
    },
  );
});

describe("people who lose access", () => {
  requirement(49, "disabled: token, refresh and code are refused on the next request", async () => {
    const { s, userId, tokens, refresh, code, id } = await fresh();
    const pair = await tokens();
    const open = await code();
    await s.accounts.users.disable(userId);
    expect((await callHistory(s, String(pair["access_token"]))).status).toBe(401);
    await refused(await refresh(pair["refresh_token"]), "invalid_grant");
    await refused(await postForm(s, "/oauth/token", codeFields(s, id, open)), "invalid_grant");
    await s.accounts.users.enable(userId);
    expect((await callHistory(s, String(pair["access_token"]))).status).toBe(401);
  });

  requirement(49, "deleted: the same, permanently", async () => {
    const { s, userId, tokens, refresh } = await fresh();
    const pair = await tokens();
    await s.accounts.users.delete(userId);
    expect((await callHistory(s, String(pair["access_token"]))).status).toBe(401);
    await refused(await refresh(pair["refresh_token"]), "invalid_grant");
  });

  requirement(49, "a new password ends every connection", async () => {
    const { s, tokens } = await fresh();
    const pair = await tokens();
    await s.accounts.signUps.createWithPassword(PERSON.email, "a new long password");
    expect((await callHistory(s, String(pair["access_token"]))).status).toBe(401);
  });

  requirement(49, "disconnecting one application leaves the others", async () => {
    const { s, userId, tokens } = await fresh();
    const [one, two] = [await tokens(), await tokens()];
    const [newest] = await s.accounts.grants.connections.list(userId);
    await s.accounts.grants.connections.disconnect(userId, newest?.id ?? "");
    expect((await callHistory(s, String(two["access_token"]))).status).toBe(401);
    expect((await callHistory(s, String(one["access_token"]))).status).toBe(200);
  });
});

describe("unusual requests", () => {
  requirement(50, "JSON, no body, other media types and broken forms are 4xx in JSON", async () => {
    const s = server();
    await refused(await postJson(s, "/oauth/token", { grant_type: "authorization_code" }), "invalid_request");
    await refused(await s.get("/oauth/token", { method: "POST" }), "invalid_request");
    await refused(await postForm(s, "/oauth/token", ""), "invalid_client", 401);
    await refused(
      await postForm(s, "/oauth/token", "x", { "content-type": "multipart/form-data" }),
      "invalid_request",
    );
    await refused(await postForm(s, "/oauth/token", "&&==&%zz=%&"), "invalid_client", 401);
    await refused(await postForm(s, "/oauth/token", "x=".padEnd(17_000, "y")), "invalid_request", 413);
    await refused(await s.get("/oauth/token?grant_type=authorization_code"), "invalid_request", 405);
  });

  requirement(
    50,
    "unsupported grant types are unsupported_grant_type; a missing one is invalid_request",
    async () => {
      const s = server();
      for (const grant of [
        "password",
        "client_credentials",
        "implicit",
        "urn:ietf:params:oauth:grant-type:device_code",
        "AUTHORIZATION_CODE",
      ]) {
        const fields = { grant_type: grant, client_id: clientId };
        await refused(await postForm(s, "/oauth/token", fields), "unsupported_grant_type");
      }
      await refused(await postForm(s, "/oauth/token", { client_id: clientId }), "invalid_request");
      await refused(
        await postForm(s, "/oauth/token", { client_id: clientId, grant_type: "authorization_code" }),
        "invalid_request",
      );
      await refused(
        await postForm(s, "/oauth/token", { client_id: clientId, grant_type: "refresh_token" }),
        "invalid_request",
      );
    },
  );

  requirement(50, "unknown parameters are ignored, repeated ones refused", async () => {
    const code = await newCode();
    const fields = new URLSearchParams(codeFields(server(), clientId, code)).toString();
    for (const name of ["code", "client_id", "grant_type", "x"]) {
      await refused(await postForm(server(), "/oauth/token", `${fields}&x=1&${name}=2`), "invalid_request");
    }
    expect((await postForm(server(), "/oauth/token", `${fields}&x=1&audience=y`)).status).toBe(200);
  });

  test("wrong, expired, used and foreign codes get the same answer", async () => {
    const used = await newCode();
    await exchange(used);
    const said = [
      await refused(await exchange(used), "invalid_grant"),
      await refused(await exchange("xc_ac_nonsense"), "invalid_grant"),
      await refused(await exchange(await newCode(), { code_verifier: "z".repeat(43) }), "invalid_grant"),
      await refused(await exchange(await newCode(), { redirect_uri: "http://localhost/x" }), "invalid_grant"),
    ];
    expect(new Set(said).size).toBe(1);
  });

  test("a token in the query or in a form is not a credential", async () => {
    const s = server();
    const { accessToken } = await connect(s);
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_executive_compensation", arguments: { ticker: "AAPL", limit: 4 } },
    };
    const accept = { accept: "application/json, text/event-stream" };
    expect((await postJson(s, `/mcp?access_token=${accessToken}`, call, accept)).status).toBe(401);
    expect(
      (
        await s.get("/api/executive-compensation?ticker=AAPL", {
          headers: { authorization: `Bearer ${accessToken}` },
        })
      ).status,
    ).toBe(401);
  });
});

requirement(51, "every answer of the token endpoint is no-store, success or failure", async () => {
  const answer = await exchange(await newCode());
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("pragma")).toBe("no-cache");
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  await refused(await exchange("x"), "invalid_grant");
});

describe("revocation", () => {
  const revoke = (s: TestServer, fields: Record<string, string>) => postForm(s, "/oauth/revoke", fields);

  requirement(
    52,
    "revoking an access token ends only that; revoking a refresh token ends the connection",
    async () => {
      const { s, id, tokens, refresh } = await fresh();
      const one = await tokens();
      const first = await revoke(s, { client_id: id, token: String(one["access_token"]) });
      expect([first.status, await first.text(), first.headers.get("cache-control")]).toEqual([
        200,
        "",
        "no-store",
      ]);
      expect((await callHistory(s, String(one["access_token"]))).status).toBe(401);
      const two = await readJson(await refresh(one["refresh_token"]));
      expect((await callHistory(s, String(two["access_token"]))).status).toBe(200);
      const hint = { client_id: id, token: String(two["refresh_token"]), token_type_hint: "access_token" };
      expect((await revoke(s, hint)).status).toBe(200);
      expect((await callHistory(s, String(two["access_token"]))).status).toBe(401);
      await refused(await refresh(two["refresh_token"]), "invalid_grant");
      // And once more.
      expect((await revoke(s, hint)).status).toBe(200);
    },
  );

  requirement(
    52,
    "unknown and foreign tokens are 200 without effect; a missing token or client is an error",
    async () => {
      const { s, id, tokens } = await fresh();
      const pair = await tokens();
      const other = String((await register(s, { client_name: "Other" }))["client_id"]);
      for (const token of [
        pair["access_token"],
        pair["refresh_token"],
        "unknown",
        `xc_rt_${"A".repeat(49)}`,
      ]) {
        expect((await revoke(s, { client_id: other, token: String(token) })).status).toBe(200);
      }
      expect((await callHistory(s, String(pair["access_token"]))).status).toBe(200);
      await refused(await revoke(s, { client_id: id }), "invalid_request");
      await refused(await revoke(s, { token: "x" }), "invalid_client", 401);
      await refused(await revoke(s, { client_id: "nobody", token: "x" }), "invalid_client", 401);
      await refused(
        await revoke(s, { client_id: id, client_secret: "x", token: "x" }),
        "invalid_client",
        401,
      );
      await refused(await postJson(s, "/oauth/revoke", { token: "x" }), "invalid_request");
    },
  );
});

describe("the first credits", () => {
  requirement(53, "are granted with the first token, not by the click before it", async () => {
    const { s, userId, code, id } = await fresh();
    const first = await code();
    expect(await s.accounts.credits.summary(userId)).toMatchObject({ balance: 0, given: 0 });
    await postForm(s, "/oauth/token", codeFields(s, id, first));
    expect(await s.accounts.credits.summary(userId)).toMatchObject({ balance: 100, given: 100 });
  });

  requirement(53, "25 simultaneous first keys and 25 first tokens grant them once", async () => {
    const { s, userId, code, id } = await fresh();
    const codes: string[] = [];
    for (let n = 0; n < 25; n++) codes.push(await code());
    const answers = await Promise.all([
      ...codes.map(async (one) => (await postForm(s, "/oauth/token", codeFields(s, id, one))).status),
      ...codes.map(async (_, n) =>
        (await s.accounts.keys.create(userId, { name: `k${n}` })).secret ? 200 : 0,
      ),
    ]);
    expect(answers.every((status) => status === 200)).toBe(true);
    expect(await s.accounts.credits.summary(userId)).toMatchObject({ balance: 100, given: 100 });
    expect(await s.accounts.credits.problems()).toEqual([]);
  });

  requirement(53, "keys and tokens of one user share one balance", async () => {
    const { s, userId, tokens } = await fresh();
    const { access_token } = await tokens();
    const { secret } = await s.accounts.keys.create(userId, { name: "k" });
    expect((await callHistory(s, String(access_token))).status).toBe(200);
    expect((await s.get("/api/executive-compensation?ticker=AAPL", { key: secret })).status).toBe(200);
    expect(await s.accounts.credits.summary(userId)).toMatchObject({ given: 100, charged: 2, balance: 98 });
  });
});

test("a connection that refreshes constantly is asked to wait, and does not fill the store further", async () => {
  const s = await startTestServer();
  try {
    await addPerson(s);
    const held = await connect(s);
    let refreshToken = held.refreshToken;
    const refresh = () =>
      postForm(s, "/oauth/token", {
        grant_type: "refresh_token",
        client_id: held.clientId,
        refresh_token: refreshToken,
      });
    for (let n = 1; n <= 60; n++) {
      const refreshed = await refresh();
      expect([n, refreshed.status]).toEqual([n, 200]);
      refreshToken = String((await readJson(refreshed))["refresh_token"]);
    }
    const refused = await refresh();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "600"]);
    expect(await readJson(refused)).toMatchObject({ error: "temporarily_unavailable" });
    s.advance(600_000);
    expect((await refresh()).status).toBe(200);
  } finally {
    await s.stop();
  }
});
