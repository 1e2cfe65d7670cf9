import { afterAll, describe, expect } from "bun:test";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { requirement } from "./requirements.ts";
import { readJson, SCOPE, serverForFile, BrowserSession } from "./support.ts";

const server = serverForFile();
const started: TestServer[] = [];
afterAll(() => Promise.all(started.map((one) => one.stop())));

async function startWith(settings: Parameters<typeof startTestServer>[0]): Promise<TestServer> {
  const one = await startTestServer(settings);
  started.push(one);
  return one;
}

const RESOURCE = "/.well-known/oauth-protected-resource";
const AUTH_SERVER = "/.well-known/oauth-authorization-server";
const at = (one: TestServer, host: string, path: string, init: Parameters<TestServer["get"]>[1] = {}) =>
  one.get(path, { ...init, headers: { ...init.headers, host } });

describe("protected resource metadata", () => {
  requirement(
    1,
    "is served at the bare path, /mcp, /mcp/private and /mcp/analyst, each with its own resource",
    async () => {
      const s = server();
      for (const [path, resource] of [
        [RESOURCE, "/mcp"],
        [`${RESOURCE}/mcp`, "/mcp"],
        [`${RESOURCE}/mcp/private`, "/mcp/private"],
        [`${RESOURCE}/mcp/analyst`, "/mcp/analyst"],
      ] as const) {
        const answer = await s.get(path);
        expect(answer.status).toBe(200);
        expect(answer.headers.get("content-type")).toBe("application/json");
        expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
        expect(await readJson(answer)).toEqual({
          resource: `${s.origin}${resource}`,
          authorization_servers: [s.origin],
          scopes_supported: [SCOPE],
          bearer_methods_supported: ["header"],
          resource_name: "Executive Compensation",
          resource_documentation: `${s.origin}/api/docs`,
        });
      }
    },
  );

  requirement(1, "each loopback name is consistent with itself", async () => {
    const s = server();
    for (const name of ["localhost", "127.0.0.1", "[::1]"]) {
      const origin = `http://${name}:${s.port}`;
      const body = await readJson(await at(s, `${name}:${s.port}`, `${RESOURCE}/mcp`));
      expect(body["resource"]).toBe(`${origin}/mcp`);
      expect(body["authorization_servers"]).toEqual([origin]);
      const issuer = await readJson(await at(s, `${name}:${s.port}`, AUTH_SERVER));
      expect(issuer["issuer"]).toBe(origin);
    }
  });

  requirement(2, "an alias with its own host names itself there, and the site elsewhere", async () => {
    const s = await startWith({
      publicUrl: "https://pay.example.com",
      mcpLegacyUrl: "https://old.example.com/v1/mcp",
    });
    const alias = async (path: string) => await at(s, "old.example.com", path);
    for (const path of [RESOURCE, `${RESOURCE}/v1/mcp`]) {
      const body = await readJson(await alias(path));
      expect(body["resource"]).toBe("https://old.example.com/v1/mcp");
      expect(body["authorization_servers"]).toEqual(["https://pay.example.com"]);
    }
    expect((await alias(`${RESOURCE}/mcp`)).status).toBe(404);
    expect((await at(s, "pay.example.com", `${RESOURCE}/v1/mcp`)).status).toBe(404);
    const main = await readJson(await at(s, "pay.example.com", RESOURCE));
    expect(main["resource"]).toBe("https://pay.example.com/mcp");
  });

  requirement(2, "an alias on the site's host has only its own path", async () => {
    const s = await startWith({
      publicUrl: "https://pay.example.com",
      mcpLegacyUrl: "https://pay.example.com/legacy/mcp/",
    });
    const get = async (path: string) => readJson(await at(s, "pay.example.com", path));
    expect((await get(`${RESOURCE}/legacy/mcp`))["resource"]).toBe("https://pay.example.com/legacy/mcp");
    expect((await get(RESOURCE))["resource"]).toBe("https://pay.example.com/mcp");
  });
});

describe("authorization server metadata", () => {
  requirement(3, "is the document of RFC 8414, with the requested address as its issuer", async () => {
    const s = server();
    const answer = await s.get(AUTH_SERVER);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    const methods = ["none", "client_secret_basic", "client_secret_post"];
    expect(await readJson(answer)).toEqual({
      issuer: s.origin,
      authorization_endpoint: `${s.origin}/oauth/authorize`,
      token_endpoint: `${s.origin}/oauth/token`,
      registration_endpoint: `${s.origin}/oauth/register`,
      revocation_endpoint: `${s.origin}/oauth/revoke`,
      scopes_supported: [SCOPE, "offline_access"],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${s.origin}/api/docs`,
    });
  });

  requirement(3, "advertises client ID metadata documents only where they are supported", async () => {
    const says = async (settings: Parameters<typeof startTestServer>[0], host: string) => {
      const one = await startWith(settings);
      const body = await readJson(
        await at(one, host === "own" ? new URL(one.origin).host : host, AUTH_SERVER),
      );
      return body["client_id_metadata_document_supported"];
    };
    const publicUrl = "https://pay.example.com";
    expect(await says({ publicUrl }, "pay.example.com")).toBe(true);
    expect(await says({ publicUrl, offline: "true" }, "pay.example.com")).toBeUndefined();
    expect(await says({ publicUrl, clientMetadataDocuments: "off" }, "pay.example.com")).toBeUndefined();
    expect(await says({ clientMetadataDocuments: "on" }, "own")).toBe(true);
    expect(await says({ clientMetadataDocuments: "on", offline: "true" }, "own")).toBeUndefined();
    expect(await says({ publicUrl: "http://pay.example.com" }, "pay.example.com")).toBeUndefined();
  });
});

requirement(
  4,
  "unserved well-known paths are JSON 404 for programs and browsers, never a page or a redirect",
  async () => {
    const s = server();
    for (const path of [
      "openid-configuration",
      "oauth-authorization-server/mcp",
      "oauth-authorization-server/",
      "oauth-protected-resource/",
      "oauth-protected-resource/other",
      "oauth-protected-resource/mcp/",
      "oauth-protected-resourcemcp",
      "jwks.json",
      "mcp",
      "x/../oauth-nothing",
      "%00",
    ]) {
      const answer = await s.get(`/.well-known/${path}`, { headers: { accept: "text/html" } });
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(Object.keys(await readJson(answer))).toEqual(["error", "message"]);
    }
  },
);

requirement(6, "Host and X-Forwarded-* change no address; a foreign Host is refused", async () => {
  const s = server();
  const forged = {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    forwarded: "host=evil.example;proto=https",
    "x-original-host": "evil.example",
  };
  for (const path of [RESOURCE, AUTH_SERVER]) {
    const plain = await (await s.get(path)).text();
    expect(await (await s.get(path, { headers: forged })).text()).toBe(plain);
    expect(plain).not.toContain("evil");
    expect((await at(s, "evil.example", path)).status).toBe(403);
    expect((await at(s, `localhost.evil.example:${s.port}`, path)).status).toBe(403);
  }
  const browserSession = new BrowserSession(s);
  const location = (await browserSession.open("/oauth/authorize/consent?transaction=x", { headers: forged }))
    .status;
  expect(location).toBe(400);
});

requirement(7, "HEAD, preflights and wrong methods on every endpoint", async () => {
  const s = server();
  for (const path of [RESOURCE, AUTH_SERVER]) {
    const head = await s.get(path, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const preflight = await s.get(path, { method: "OPTIONS" });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("MCP-Protocol-Version");
    const post = await s.get(path, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  }
  for (const path of ["/oauth/register", "/oauth/token", "/oauth/revoke"]) {
    const preflight = await s.get(path, {
      method: "OPTIONS",
      headers: { origin: "https://inspector.example", "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-methods")).toBe("POST, OPTIONS");
    // `*` does not cover Authorization.
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Authorization");
    expect(preflight.headers.get("access-control-max-age")).toBe("600");
    expect(preflight.headers.has("access-control-allow-credentials")).toBe(false);
    for (const method of ["GET", "PUT", "DELETE", "HEAD"]) {
      const answer = await s.get(path, { method });
      expect([path, method, answer.status]).toEqual([path, method, 405]);
      expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("access-control-expose-headers")).toBe("WWW-Authenticate, Retry-After");
    }
  }
  for (const path of ["/oauth/authorize", "/oauth/authorize/consent", "/sign-in", "/sign-up"]) {
    const answer = await s.get(path, { headers: { origin: "https://evil.example" } });
    expect(answer.headers.has("access-control-allow-origin")).toBe(false);
  }
});
