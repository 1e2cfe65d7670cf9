import { createServer, type Server } from "node:http";
import { Provider, errors } from "oidc-provider";
import { CHALLENGE, REDIRECT, SCOPE } from "./support.ts";

/** node-oidc-provider on loopback, configured to match our behavior as closely as possible. */
export interface Reference {
  issuer: string;
  stop(): void;
}

/** Starts the reference on a free port. */
export async function startReference(): Promise<Reference> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://localhost:${portOf(server)}`;
  const seconds = (many: number) => () => many;
  // It warns on standard error that it runs on Bun, and what a real installation would configure.
  const { warn, info } = console;
  console.warn = () => {};
  console.info = () => {};
  const provider = new Provider(issuer, {
    pkce: { required: () => true },
    scopes: [SCOPE],
    rotateRefreshToken: true,
    issueRefreshToken: () => Promise.resolve(true),
    ttl: {
      AccessToken: seconds(3600),
      AuthorizationCode: seconds(300),
      Grant: seconds(86_400),
      IdToken: seconds(3600),
      Interaction: seconds(600),
      RefreshToken: seconds(86_400),
      Session: seconds(86_400),
    },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        defaultResource: () => `${issuer}/mcp`,
        getResourceServerInfo(_context: unknown, resource: string) {
          if (resource !== `${issuer}/mcp`) throw new errors.InvalidTarget();
          return { scope: SCOPE, audience: resource, accessTokenFormat: "opaque" };
        },
      },
    },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  console.warn = warn;
  console.info = info;
  const handle = provider.callback();
  server.on("request", (request, response) => void handle(request, response));
  return { issuer, stop: () => void server.close() };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  return address.port;
}

/** Registers a client there. */
export async function registerAtReference(
  issuer: string,
  over: object = {},
): Promise<Record<string, string>> {
  const answer = await fetch(`${issuer}/reg`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      redirect_uris: [REDIRECT],
      application_type: "native",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      ...over,
    }),
  });
  if (answer.status !== 201) throw new Error(`not registered: ${await answer.text()}`);
  // Registration answers are flat JSON objects.
  return (await answer.json()) as Record<string, string>;
}

/** Signs in and approves there, and returns the code. */
export async function codeAtReference(issuer: string, clientId: string): Promise<string> {
  const jar = new Map<string, string>();
  const open = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    const answer = await fetch(new URL(url, issuer), { redirect: "manual", ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", ...value] = (line.split(";")[0] ?? "").split("=");
      jar.set(name, value.join("="));
    }
    return answer;
  };
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    scope: SCOPE,
    state: "s",
    resource: `${issuer}/mcp`,
  });
  let answer = await open(`/auth?${query}`);
  for (let step = 0; step < 10; step++) {
    const location = answer.headers.get("location");
    if (location?.startsWith(REDIRECT)) return new URL(location).searchParams.get("code") ?? "";
    if (location !== null) {
      answer = await open(location);
      continue;
    }
    const page = await answer.text();
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1] ?? "";
    answer = await open(/action="([^"]+)"/.exec(page)?.[1] ?? "", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ prompt, login: "ann", password: "x" }).toString(),
    });
  }
  throw new Error("the reference gave no code");
}
