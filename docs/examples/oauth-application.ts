/**
 * An application that acts for the users of a server: it registers, sends the user to the consent page with PKCE, redeems the code, calls
 * the MCP endpoint and refreshes its token.
 *
 *     npm init -y && npm pkg set type=module
 *     npm install oauth4webapi
 *     npx tsx oauth-application.ts        then open the address that it prints
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as oauth from "oauth4webapi";

const site = new URL(process.env["PAY_URL"] ?? "http://localhost:8402");
const resource = new URL("/mcp", site).href;
/** Only for a server on this machine; one for others has https. */
const options = { [oauth.allowInsecureRequests]: site.protocol === "http:" };

// The browser comes back to this program.
const listener = createServer().listen(0, "127.0.0.1");
await new Promise((resolve) => listener.once("listening", resolve));
// A listener on TCP has a port.
const redirectUri = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;

const server = await oauth.processDiscoveryResponse(
  site,
  await oauth.discoveryRequest(site, { ...options, algorithm: "oauth2" }),
);
const registration = {
  client_name: "Example",
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: "none",
};
const client = await oauth.processDynamicClientRegistrationResponse(
  await oauth.dynamicClientRegistrationRequest(server, registration, options),
);

const verifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();
const authorize = new URL(server.authorization_endpoint ?? "");
authorize.search = new URLSearchParams({
  client_id: client.client_id,
  redirect_uri: redirectUri,
  response_type: "code",
  scope: "executive-compensation:read",
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
  resource,
  state,
}).toString();
console.log(`open ${authorize.href}`);

const returned = await new Promise<URL>((resolve) =>
  listener.on("request", (request, response) => {
    response.end("You can close this window.");
    resolve(new URL(request.url ?? "", redirectUri));
  }),
);
listener.close();
const publicClient = oauth.None();
const parameters = oauth.validateAuthResponse(server, client, returned, state);
const more = { ...options, additionalParameters: { resource } };
let tokens = await oauth.processAuthorizationCodeResponse(
  server,
  client,
  await oauth.authorizationCodeGrantRequest(
    server,
    client,
    publicClient,
    parameters,
    redirectUri,
    verifier,
    more,
  ),
);

// A token lasts for an hour; a refresh token is replaced each time, so keep the new one.
tokens = await oauth.processRefreshTokenResponse(
  server,
  client,
  await oauth.refreshTokenGrantRequest(server, client, publicClient, tokens.refresh_token ?? "", more),
);

const call = { name: "get_executive_compensation", arguments: { ticker: "AAPL", limit: 2 } };
const answer = await fetch(resource, {
  method: "POST",
  headers: {
    authorization: `Bearer ${tokens.access_token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
  },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
});
console.log(answer.status, (await answer.text()).slice(0, 200));
