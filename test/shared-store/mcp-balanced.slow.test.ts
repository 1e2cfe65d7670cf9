import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { realRuntime } from "../../src/runtime.ts";
import { clientMemory } from "../contract/oauth/client-memory.ts";
import { addPerson, BrowserSession, PERSON } from "../contract/oauth/support.ts";
import { freePort, serverFolder } from "../support/background-server.ts";
import { type Answered, hasNginx, startNginx } from "../support/nginx.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

if (!hasNginx) console.log("skipped: nginx is not installed (apt-get install nginx)");
const postgres = hasPostgres && hasNginx ? await startPostgres() : null;
const ports = [freePort(), freePort()];
const hosts = ports.map((port, at) => [`execcomp-${at + 1}:8402`, `127.0.0.1:${port}`]);
const nginx =
  postgres === null ? null : await startNginx(serverFolder("balanced"), Object.fromEntries(hosts));
const HISTORY = { name: "get_executive_compensation", arguments: { ticker: "AAPL", limit: 4 } };

describe.skipIf(postgres === null)("an MCP client through nginx to two servers", () => {
  let servers: TestServer[] = [];
  const port = nginx?.port ?? 0;
  const front = { origin: `http://localhost:${port}`, port };

  beforeAll(async () => {
    const settings = {
      store: postgres?.url ?? "",
      publicUrl: front.origin,
      trustedProxies: "127.0.0.1",
    };
    const { id, secret } = realRuntime();
    const start = (port: number) => startTestServer({ ...settings, port: String(port) }, { id, secret });
    servers = await Promise.all(ports.map(start));
    await addPerson(first());
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });

  const first = (): TestServer => {
    const [server] = servers;
    if (server === undefined) throw new Error("no server");
    return server;
  };

  let marks = 0;
  /** Everything that nginx has logged so far: it has one worker, so whatever precedes the mark has been logged. */
  const answered = async (): Promise<Answered[]> => {
    marks += 1;
    const mark = `/mark-${marks}`;
    await (await fetch(front.origin + mark)).bytes();
    const lines = () => nginx?.answered() ?? [];
    await until("nginx logs the mark", () => lines().some(({ path }) => path === mark));
    return lines();
  };

  /** Both took turns: their numbers of answers differ by at most one. */
  const expectShared = (requests: readonly Answered[]) => {
    const counts = [...Map.groupBy(requests, ({ by }) => by).values()].map(({ length }) => length);
    expect(counts).toHaveLength(2);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  };

  /** No two consecutive requests were answered by the same server. */
  const expectTurns = (requests: readonly Answered[]) => {
    const stayed = requests.filter(({ by }, at) => by === requests[at - 1]?.by);
    expect(stayed).toEqual([]);
  };

  const chargedTo = async (email: string) => {
    const { id } = await first().accounts.users.requireByEmail(email);
    return (await first().accounts.credits.summary(id)).charged;
  };

  for (const [mode, revision] of [
    ["legacy", "2025-11-25"],
    ["auto", "2026-07-28"],
  ] as const) {
    test(`${revision}: connects, lists tools and is charged once per call with a key`, async () => {
      const email = `key-${mode}@example.com`;
      const key = await first().createKey(email);
      const from = (await answered()).length;
      const transport = new StreamableHTTPClientTransport(new URL(`${front.origin}/mcp`), {
        requestInit: { headers: { "x-api-key": key } },
      });
      const client = new Client({ name: "balanced", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(transport);
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain(HISTORY.name);
      for (let call = 1; call <= 3; call += 1) {
        expect(yearsOf(await client.callTool(HISTORY))).toHaveLength(4);
        expect(await chargedTo(email)).toBe(call);
      }
      await client.close();
      expectShared((await answered()).slice(from));
    });

    test(`${revision}: signs in by OAuth, and each step reaches another server`, async () => {
      const before = await chargedTo(PERSON.email);
      const from = (await answered()).length;
      const { kept, provider } = clientMemory();
      const start = () => ({
        client: new Client({ name: "balanced", version: "1" }, { versionNegotiation: { mode } }),
        transport: new StreamableHTTPClientTransport(new URL(`${front.origin}/mcp`), {
          authProvider: provider,
        }),
      });
      const anonymous = start();
      await anonymous.client.connect(anonymous.transport);
      const refused = await anonymous.client.callTool(HISTORY).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(UnauthorizedError);
      expect(kept.opened?.origin).toBe(front.origin);
      const back = await new BrowserSession(front).decide(String(kept.opened));
      await anonymous.transport.finishAuth(back.searchParams);
      const signedIn = start();
      await signedIn.client.connect(signedIn.transport);
      expect((await signedIn.client.listTools()).tools).not.toHaveLength(0);
      for (let call = 1; call <= 3; call += 1) {
        expect(yearsOf(await signedIn.client.callTool(HISTORY))).toHaveLength(4);
        expect(await chargedTo(PERSON.email)).toBe(before + call);
      }
      await signedIn.client.close();
      const requests = (await answered()).slice(from);
      expectShared(requests);
      const paths = requests.map(({ path }) => path);
      // From registration to tokens the steps run in sequence, so the log's order is theirs.
      const steps = requests.slice(paths.indexOf("/oauth/register"), paths.indexOf("/oauth/token") + 1);
      const taken = steps.map(({ path }) => path);
      for (const path of ["/oauth/register", "/oauth/authorize", "/sign-in", "/oauth/token"]) {
        expect(taken).toContain(path);
      }
      expectTurns(steps);
    });
  }

  test("a connected client does not notice that a server is gone", async () => {
    const key = await first().createKey("gone@example.com");
    const transport = new StreamableHTTPClientTransport(new URL(`${front.origin}/mcp`), {
      requestInit: { headers: { "x-api-key": key } },
    });
    const client = new Client({ name: "balanced", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(transport);
    await servers.pop()?.stop();
    for (let call = 1; call <= 6; call += 1) expect(yearsOf(await client.callTool(HISTORY))).toHaveLength(4);
    expect(await chargedTo("gone@example.com")).toBe(6);
    await client.close();
  });
});

/** Fiscal years in a tool's result. */
function yearsOf(result: Awaited<ReturnType<Client["callTool"]>>): unknown[] {
  // The test checks every member that it reads.
  const content = result.structuredContent as
    { executive_compensation?: { fiscal_year: number }[] } | undefined;
  return [...new Set((content?.executive_compensation ?? []).map((row) => row.fiscal_year))];
}
