/** Several processes compared with one, on PostgreSQL, and how they end. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { openNotifySocket } from "../support/notify-socket.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { EndedError, type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { until } from "../support/until.ts";
import { ask, HISTORY, isLinux, run, workersOf } from "./support.ts";

test.skipIf(!isLinux || !hasPostgres)(
  "over PostgreSQL too, 300 requests on 100 credits are charged 100 times",
  async () => {
    await using postgres = await startPostgres();
    const server = await startServerProcess(["--processes", "2", "--store", postgres.url]);
    const made = await run(
      server,
      "keys",
      "create",
      "--user",
      "ann@example.com",
      "--store",
      postgres.url,
      "--json",
    );
    const { key } = JSON.parse(made.out) as { key: string };
    const statuses = await Promise.all(
      Array.from({ length: 300 }, async () => {
        const answer = await ask(server, HISTORY, { headers: { "x-api-key": key } });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    expect(statuses.toSorted()).toEqual([...Array(100).fill(200), ...Array(200).fill(402)]);
    const words = ["credits", "show", "--user", "ann@example.com", "--store", postgres.url, "--json"];
    expect((await run(server, ...words)).json()).toMatchObject({ balance: 0, charged: 100 });
    expect(await server.stop()).toBe(0);
  },
);

/** Requests of every kind that a server distinguishes. */
const KINDS: readonly (readonly [path: string, init?: BunFetchRequestInit])[] = [
  ["/t/AAPL/facts"],
  ["/t/aapl/facts", { method: "HEAD" }],
  ["/t/NOSUCH/facts"],
  ["/t/AAPL/facts?limit=2"],
  ["/t/AAPL/facts", { headers: { accept: "text/html" } }],
  ["/t/AAPL"],
  [HISTORY],
  [HISTORY, { headers: { "x-api-key": "xc_live_no" } }],
  [HISTORY, { method: "DELETE" }],
  [HISTORY, { method: "OPTIONS", headers: { origin: "https://a.example" } }],
  ["/api/nothing"],
  ["/nothing/at/all"],
  ["/nothing/at/all", { headers: { accept: "text/html" } }],
  ["/companies?page=2"],
  ["/assets/style.css"],
  ["/robots.txt"],
  ["/.well-known/oauth-protected-resource/mcp"],
  ["/.well-known/oauth-authorization-server"],
  ["/oauth/register", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }],
  ["/oauth/token", { method: "POST", body: "grant_type=x" }],
  ["/t/AAPL/facts", { headers: { host: "evil.example" } }],
  ["/", { headers: { host: "evil.example" } }],
  ["/", { headers: { host: "a b" } }],
  ["/sign-in", { method: "POST", body: "x".repeat(300_000) }],
  ["/developer"],
  ["/admin"],
  ["/mcp"],
  ["/mcp/server.json"],
  ...["initialize", "tools/list", "tools/call", "no/such"].map(
    (method) =>
      [
        "/mcp",
        {
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            "mcp-protocol-version": "2025-11-25",
          },
          body: JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method,
            params: { name: "get_executive_compensation", arguments: { ticker: "AAPL" } },
          }),
        },
      ] as const,
  ),
];

/** Headers that differ from answer to answer, or count. */
const CHANGING = ["date", "x-request-id", "ratelimit", "retry-after", "set-cookie"];
/** How the end of a body is signaled is Bun's choice, depending on how soon all of it is available. */
const FRAMING = ["content-length", "transfer-encoding"];

test.skipIf(!isLinux)("every kind of request is answered as by one process, header by header", async () => {
  const flags = ["--rate-anonymous", "100000"];
  const [one, several] = await Promise.all([
    startServerProcess(flags),
    startServerProcess([...flags, "--processes", "2"]),
  ]);
  const said = async (server: ServerProcess, path: string, init: BunFetchRequestInit = {}) => {
    const answer = await ask(server, path, init);
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => ![...CHANGING, ...FRAMING].includes(name)).toSorted(),
    );
    const changing = CHANGING.filter((name) => answer.headers.has(name));
    // Ports differ, and so does what is generated for each page.
    const body = (await answer.text()).replace(/value="[\w.-]{20,}"/g, "");
    const told = JSON.stringify([answer.status, headers, changing, body]);
    return told.replaceAll(new URL(server.origin).port, "PORT");
  };
  for (const [path, init] of KINDS) {
    const [expected, found] = [await said(one, path, init), await said(several, path, init)];
    expect(`${path} ${found}`).toBe(`${path} ${expected}`);
  }
  await Promise.all([one.stop(), several.stop()]);
});

describe.skipIf(!isLinux)("shutdown", () => {
  test("on SIGTERM answers in flight are finished, and no process is left", async () => {
    const server = await startServerProcess(["--processes", "2", "--rate-anonymous", "100000"]);
    const workers = workersOf(server.pid);
    const over = new AbortController();
    const statuses = new Set<number>();
    const asking = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (!over.signal.aborted) {
          const answer = await ask(server, "/t/AAPL/facts").catch(() => null);
          // A refused connection is not a response: no process listens any more.
          if (answer === null) return;
          statuses.add(answer.status);
          expect((await answer.text()).endsWith("}")).toBe(true);
        }
      }),
    );
    await until("it answers", () => statuses.size > 0);
    expect(await server.stop()).toBe(0);
    over.abort();
    await asking;
    expect([...statuses]).toEqual([200]);
    await until("its workers have ended", () => workers.every((pid) => !isRunning(pid)));
    expect(server.events("worker_ended")).toEqual([]);
  });

  test("systemd is notified by the owner only, once all answer", async () => {
    const path = join(tempFolder(), "notify");
    const manager = openNotifySocket(path);
    const server = await startServerProcess(["--processes", "2"], { environment: { NOTIFY_SOCKET: path } });
    await until("it is notified", () => manager.read().length > 0);
    expect(workersOf(server.pid)).toHaveLength(2);
    expect(await server.stop()).toBe(0);
    expect(manager.read()).toEqual(["READY=1", "STOPPING=1"]);
    manager.close();
  });

  test("a killed owner takes its workers along, and the next server starts", async () => {
    const server = await startServerProcess(["--processes", "2"]);
    const workers = workersOf(server.pid);
    expect(workers).toHaveLength(2);
    await server.stop("SIGKILL");
    await until("its workers have ended", () => workers.every((pid) => !isRunning(pid)));
    const next = await startServerProcess(["--processes", "2"], { dataDir: server.dataDir });
    expect((await ask(next, "/t/AAPL/facts")).status).toBe(200);
    expect(await next.stop()).toBe(0);
    expect(readdirSync(server.dataDir).filter((name) => name.startsWith("owner.sock"))).toEqual([]);
  });

  test("impossible combinations are refused before anything is started", async () => {
    const ended = (...flags: string[]) =>
      startServerProcess(["--processes", "2", ...flags]).then(
        () => "started",
        (error: unknown) => (error instanceof EndedError ? error.output : String(error)),
      );
    expect(await ended("--socket", "/tmp/execcomp-test.sock")).toContain("--processes needs a port");
    const other = Bun.serve({ port: 0, hostname: "127.0.0.1", reusePort: true, fetch: () => new Response() });
    expect(await ended("--port", String(other.port))).toContain(`Port ${other.port} of 127.0.0.1 is in use`);
    await other.stop(true);
  });
});

function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
