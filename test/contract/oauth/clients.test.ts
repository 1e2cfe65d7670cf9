import { describe, expect } from "bun:test";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as oauth from "oauth4webapi";
import { clientMemory as memory } from "./client-memory.ts";
import { requirement } from "./requirements.ts";
import { REDIRECT, SCOPE, serverForFile, BrowserSession } from "./support.ts";

const server = serverForFile();
const HISTORY = { name: "get_executive_compensation", arguments: { ticker: "AAPL", limit: 4 } };

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("the MCP SDK's client, previous major", () => {
  for (const path of ["/mcp", "/mcp/private", "/mcp/analyst"]) {
    requirement(39, `signs in at ${path} and reads history`, async () => {
      const s = server();
      const { kept, provider } = memory();
      const connectClient = async () => {
        const client = new ClientV1({ name: "interop", version: "1" });
        const transport = new TransportV1(new URL(`${s.origin}${path}`), { authProvider: provider });
        return { client, transport };
      };
      const first = await connectClient();
      const connecting = await failure(first.client.connect(first.transport as never));
      if (path === "/mcp") {
        expect(connecting).toBeUndefined();
        expect(String(await failure(first.client.callTool(HISTORY)))).toContain("Unauthorized");
      } else {
        expect(String(connecting)).toContain("Unauthorized");
      }
      expect(kept.opened?.searchParams.get("resource")).toBe(`${s.origin}${path}`);
      const back = await new BrowserSession(s).decide(String(kept.opened));
      expect(back.searchParams.get("state")).toBe("interop state");
      await first.transport.finishAuth(back.searchParams.get("code") ?? "");
      const second = await connectClient();
      await second.client.connect(second.transport as never);
      const result = await second.client.callTool(HISTORY);
      expect(result.isError).not.toBe(true);
      await second.client.close();
    });
  }
});

describe("the MCP SDK's client, current major", () => {
  for (const path of ["/mcp", "/mcp/private", "/mcp/analyst"]) {
    requirement(39, `signs in at ${path}, checks iss, and reads history`, async () => {
      const s = server();
      const { kept, provider } = memory();
      const start = () => ({
        client: new ClientV2({ name: "interop", version: "1" }),
        transport: new TransportV2(new URL(`${s.origin}${path}`), { authProvider: provider }),
      });
      const first = start();
      const connecting = await failure(first.client.connect(first.transport));
      if (connecting === undefined) await failure(first.client.callTool(HISTORY));
      expect(kept.opened?.searchParams.get("resource")).toBe(`${s.origin}${path}`);
      const back = await new BrowserSession(s).decide(String(kept.opened));
      const forged = new URLSearchParams(back.searchParams);
      forged.set("iss", "https://evil.example");
      expect(String(await failure(first.transport.finishAuth(forged)))).toContain("ssuer");
      await first.transport.finishAuth(back.searchParams);
      const second = start();
      await second.client.connect(second.transport);
      const result = await second.client.callTool(HISTORY);
      expect(result.isError).not.toBe(true);
      await second.client.close();
    });
  }

  requirement(47, "refreshes on its own when its access token has expired", async () => {
    const s = server();
    const { kept, provider } = memory();
    const transport = () => new TransportV2(new URL(`${s.origin}/mcp`), { authProvider: provider });
    const first = transport();
    const client = new ClientV2({ name: "interop", version: "1" });
    await client.connect(first);
    await failure(client.callTool(HISTORY));
    await first.finishAuth((await new BrowserSession(s).decide(String(kept.opened))).searchParams);
    const before = JSON.stringify(kept.tokens);
    s.advance(3_600_000);
    delete kept.opened;
    const second = new ClientV2({ name: "interop", version: "1" });
    await second.connect(transport());
    expect((await second.callTool(HISTORY)).isError).not.toBe(true);
    expect(kept.opened).toBeUndefined();
    expect(JSON.stringify(kept.tokens)).not.toBe(before);
    await second.close();
  });
});

describe("oauth4webapi, which follows every RFC strictly", () => {
  const insecure = { [oauth.allowInsecureRequests]: true };

  requirement(39, "goes from the resource's metadata to a revoked token", async () => {
    const s = server();
    const resource = new URL(`${s.origin}/mcp`);
    const about = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, insecure),
    );
    const issuer = new URL(about.authorization_servers?.[0] ?? "");
    const as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
    );
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        as,
        { redirect_uris: [REDIRECT], client_name: "oauth4webapi", token_endpoint_auth_method: "none" },
        insecure,
      ),
    );
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(as.authorization_endpoint ?? "");
    for (const [name, value] of Object.entries({
      response_type: "code",
      client_id: String(client.client_id),
      redirect_uri: REDIRECT,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      resource: resource.href,
      scope: SCOPE,
      state,
    })) {
      url.searchParams.set(name, value);
    }
    const auth = oauth.None();
    const decided = await new BrowserSession(s).decide(url.href);
    const parameters = oauth.validateAuthResponse(as, client, decided, state);
    const tokens = await oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(as, client, auth, parameters, REDIRECT, verifier, {
        additionalParameters: { resource: resource.href },
        ...insecure,
      }),
    );
    expect(tokens.scope).toBe(SCOPE);
    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, auth, tokens.refresh_token ?? "", insecure),
    );
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, client, auth, refreshed.refresh_token ?? "", insecure),
    );
    const after = oauth.refreshTokenGrantRequest(as, client, auth, refreshed.refresh_token ?? "", insecure);
    const error = await failure(
      after.then((answer) => oauth.processRefreshTokenResponse(as, client, answer)),
    );
    expect(error).toBeInstanceOf(oauth.ResponseBodyError);
  });

  requirement(31, "reads a denial, with iss, as an authorization error", async () => {
    const s = server();
    const issuer = new URL(s.origin);
    const as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
    );
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(as, { redirect_uris: [REDIRECT] }, insecure),
    );
    const url = new URL(as.authorization_endpoint ?? "");
    const challenge = await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier());
    url.search = String(
      new URLSearchParams({
        response_type: "code",
        client_id: client.client_id,
        redirect_uri: REDIRECT,
        code_challenge: challenge,
        code_challenge_method: "S256",
        state: "st",
      }),
    );
    const back = await new BrowserSession(s).decide(url.href, "deny");
    expect(() => oauth.validateAuthResponse(as, client, back, "st")).toThrow(
      oauth.AuthorizationResponseError,
    );
  });

  for (const [method, auth] of [
    ["client_secret_basic", oauth.ClientSecretBasic],
    ["client_secret_post", oauth.ClientSecretPost],
  ] as const) {
    requirement(45, `authenticates by ${method}`, async () => {
      const s = server();
      const issuer = new URL(s.origin);
      const as = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
      );
      const client = await oauth.processDynamicClientRegistrationResponse(
        await oauth.dynamicClientRegistrationRequest(
          as,
          { redirect_uris: [REDIRECT], token_endpoint_auth_method: method },
          insecure,
        ),
      );
      const answer = oauth.refreshTokenGrantRequest(
        as,
        client,
        auth(String(client.client_secret)),
        "xc_rt_x",
        insecure,
      );
      const error = await failure(answer.then((one) => oauth.processRefreshTokenResponse(as, client, one)));
      // Past client authentication: it is the token that will not do.
      expect(error).toMatchObject({ error: "invalid_grant" });
    });
  }
});
