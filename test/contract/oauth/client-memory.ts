import { REDIRECT, SCOPE } from "./support.ts";

/** What a client stores between its steps, and the address that it would open in a browser. */
export function clientMemory(redirectUrl = REDIRECT) {
  const kept: {
    information?: unknown;
    tokens?: unknown;
    verifier?: string;
    opened?: URL;
    discovery?: unknown;
  } = {};
  const provider = {
    redirectUrl,
    clientMetadata: {
      client_name: "Interop",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: SCOPE,
    },
    state: () => "interop state",
    clientInformation: () => kept.information,
    saveClientInformation: (information: unknown) => void (kept.information = information),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (kept.opened = url),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? "",
    saveDiscoveryState: (discovery: unknown) => void (kept.discovery = discovery),
    discoveryState: () => kept.discovery,
  };
  // Each SDK has its own types for what it stores and reads back.
  return { kept, provider: provider as never };
}
