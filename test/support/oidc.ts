import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import OidcProvider from "oidc-provider";

/** The provider's claims about the next user who signs in there. */
export interface TestAccount {
  subject: string;
  email: string;
  verified: boolean;
}

/** An OpenID Connect provider on loopback (panva's oidc-provider) that signs everyone in without asking. */
export interface TestProvider {
  issuer: string;
  account: TestAccount;
  /** Requests to its authorization endpoint. */
  asked: URL[];
  stop(): Promise<void>;
}

/** The client that tests configure. */
export const CLIENT = { id: "execcomp", secret: "a secret of at least thirty-two characters" };

/** Starts a provider that redirects to the given callbacks. */
export async function startProvider(callbacks: (origin: string) => string[]): Promise<TestProvider> {
  const server: Server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  // A TCP server has an address with a port once it listens.
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const state: TestProvider = {
    issuer,
    account: { subject: "ada", email: "ada@example.com", verified: true },
    asked: [],
    stop: () => new Promise((closed) => server.close(() => closed())),
  };
  const provider = new OidcProvider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: callbacks(issuer) }],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    cookies: { keys: ["of a test"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: state.account.email, email_verified: state.account.verified }),
    }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  });
  const answer = provider.callback();
  server.on("request", async (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    if (url.pathname === "/auth") state.asked.push(url);
    if (!url.pathname.startsWith("/interaction/")) return answer(request, response);
    const { prompt, params } = await provider.interactionDetails(request, response);
    if (prompt.name === "login") {
      const login = { accountId: state.account.subject };
      return provider.interactionFinished(request, response, { login });
    }
    const grant = new provider.Grant({
      accountId: state.account.subject,
      clientId: String(params["client_id"]),
    });
    grant.addOIDCScope("openid email");
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  });
  return state;
}
