/** Both major versions of the SDK's client against our server: latest year, the challenge, sign-in, four years. */
import * as v2 from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** Takes the user to a page, like the operating system's `open` command. */
export type OpenPage = (url: string) => Promise<void>;

const TOOL = "get_executive_compensation";
const INFO = { name: "execcomp-clients", version: "1" };

/** Fiscal years in a tool's result. The results of both major versions have the same form. */
function yearsOf(result: unknown): string {
  const { structuredContent } = result as {
    structuredContent?: { executive_compensation?: { fiscal_year: number }[] };
  };
  const rows = structuredContent?.executive_compensation ?? [];
  return [...new Set(rows.map((row) => row.fiscal_year))].join();
}

function expectYears(result: unknown, count: number): string {
  const years = yearsOf(result);
  if (years.split(",").length !== count) throw new Error(`years ${years} instead of ${count} of them`);
  return years;
}

/** What a client stores between its requests, and its way through a browser: the same for both major versions. */
function memory(open: OpenPage) {
  const back = Promise.withResolvers<URLSearchParams>();
  const listener = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      back.resolve(new URL(request.url).searchParams);
      return new Response("done");
    },
  });
  const redirectUrl = `http://127.0.0.1:${listener.port}/callback`;
  const saved: { client?: object; tokens?: object; verifier?: string; discovery?: object } = {};
  return {
    back: back.promise,
    done: () => void listener.stop(true),
    provider: {
      redirectUrl,
      clientMetadata: {
        client_name: "SDK client",
        redirect_uris: [redirectUrl],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      },
      clientInformation: () => saved.client,
      saveClientInformation: (client: object) => void (saved.client = client),
      tokens: () => saved.tokens,
      saveTokens: (tokens: object) => void (saved.tokens = tokens),
      redirectToAuthorization: (url: URL) => open(url.href),
      saveCodeVerifier: (verifier: string) => void (saved.verifier = verifier),
      codeVerifier: () => saved.verifier ?? "",
      saveDiscoveryState: (state: object) => void (saved.discovery = state),
      discoveryState: () => saved.discovery,
    },
  };
}

/** What both clients do: the latest year, a challenge, then four years once the user has signed in. */
async function challenged(
  client: Client | v2.Client,
  Challenge: typeof UnauthorizedError | typeof v2.UnauthorizedError,
  signIn: () => Promise<void>,
): Promise<string> {
  await client.listTools();
  expectYears(await client.callTool({ name: TOOL, arguments: { ticker: "AAPL" } }), 1);
  const four = { name: TOOL, arguments: { ticker: "AAPL", limit: 4 } };
  const refused = await client.callTool(four).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(refused instanceof Challenge)) throw new Error(`not challenged: ${String(refused)}`);
  await signIn();
  return `latest year, challenge, sign-in, ${expectYears(await client.callTool(four), 4)}`;
}

/** The previous major version: anonymous, challenged, signed in. */
export async function previousMajor(url: string, open: OpenPage): Promise<string> {
  const { provider, back, done } = memory(open);
  // The provider stores what the SDK passes it and returns the same values: their types are the SDK's own.
  const authProvider = provider as unknown as NonNullable<
    ConstructorParameters<typeof StreamableHTTPClientTransport>[1]
  >["authProvider"] & {};
  try {
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider });
    const client = new Client(INFO);
    // The SDK's own transport does not satisfy its interface under exactOptionalPropertyTypes.
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    const signIn = async () => transport.finishAuth((await back).get("code") ?? "");
    const years = await challenged(client, UnauthorizedError, signIn);
    await client.close();
    return `${transport.protocolVersion ?? "?"}: ${years}`;
  } finally {
    done();
  }
}

/** The current major version, with the given protocol family. */
export async function currentMajor(url: string, era: "legacy" | "auto", open: OpenPage): Promise<string> {
  const { provider, back, done } = memory(open);
  // As above: the provider stores and returns the SDK's own values.
  const authProvider = provider as unknown as v2.OAuthClientProvider;
  try {
    const transport = new v2.StreamableHTTPClientTransport(new URL(url), { authProvider });
    const client = new v2.Client(INFO, { versionNegotiation: { mode: era } });
    await client.connect(transport);
    const signIn = async () => transport.finishAuth(await back);
    const years = await challenged(client, v2.UnauthorizedError, signIn);
    const spoken = client.getNegotiatedProtocolVersion() ?? "?";
    await client.close();
    return `${spoken}: ${years}`;
  } finally {
    done();
  }
}

/** Both major versions over standard input and output, from an empty folder. */
export async function overStdio(command: string[], dataDir: string): Promise<string> {
  const [program = "", ...args] = [...command, "mcp", "--data-dir", dataDir];
  const started = { command: program, args, cwd: dataDir, env: { HOME: dataDir }, stderr: "ignore" as const };
  const four = { name: TOOL, arguments: { ticker: "AAPL" } };
  const years: string[] = [];
  const old = new Client(INFO);
  await old.connect(new StdioClientTransport(started));
  years.push(expectYears(await old.callTool(four), 4));
  await old.close();
  for (const mode of ["legacy", "auto"] as const) {
    const client = new v2.Client(INFO, { versionNegotiation: { mode } });
    await client.connect(new StdioV2(started));
    years.push(`${client.getNegotiatedProtocolVersion()}: ${expectYears(await client.callTool(four), 4)}`);
    await client.close();
  }
  return years.join("; ");
}
