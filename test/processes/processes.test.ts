import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { realRuntime } from "../../src/runtime.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { openNotifySocket } from "../support/notify-socket.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { EndedError, type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { until } from "../support/until.ts";

const isLinux = process.platform === "linux";
if (!isLinux) console.log("skipped: several processes share a port on Linux only");

/** A request on a connection of its own, so that any of the processes may get it. */
const ask = (server: ServerProcess, path: string, init: BunFetchRequestInit = {}) =>
  fetch(server.origin + path, { ...init, keepalive: false, redirect: "manual" });
const HISTORY = "/api/executive-compensation?ticker=AAPL";

/** Runs a command on the data folder of a running server. */
const run = (server: ServerProcess, ...words: string[]) =>
  cli(...words, { environment: { EXECCOMP_DATA_DIR: server.dataDir }, runtime: realRuntime() });
async function createKey(server: ServerProcess, user: string) {
  const { out } = await run(server, "keys", "create", "--user", user, "--json");
  return JSON.parse(out) as { key: string; id: string };
}

/** The workers of a server that run. It has other children now and then: one records what a dataset changed. */
function workersOf(pid: number): number[] {
  const isChild = (stat: string) => Number(stat.replace(/^.*\) /s, "").split(" ")[1]) === pid;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const isWorker = readFileSync(`/proc/${name}/cmdline`, "utf8").includes("serve-worker");
        return isWorker && isChild(stat) && !/\) Z /.test(stat);
      } catch {
        return false;
      }
    })
    .map(Number);
}

const metricsOf = async (server: ServerProcess) =>
  (await fetch(`http://${String(server.events("metrics")[0]?.["address"])}/metrics`)).text();
const valueOf = (text: string, series: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1),
  );

describe.skipIf(!isLinux)("two processes on one port", () => {
  const started = startServerProcess(["--processes", "2", "--metrics-listen", "0"]);
  afterAll(async () => void (await (await started).stop("SIGKILL")));

  test("together let in the quota of an address, and not one more", async () => {
    const server = await started;
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(server, "/t/AAPL/facts")));
    const ids = new Set(answers.map((answer) => answer.headers.get("x-request-id")?.replace(/\.\d+$/, "")));
    expect(ids.size).toBe(2);
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(60).fill(200), ...Array(140).fill(429)]);
  });

  test("500 requests on 100 credits are charged 100 times", async () => {
    const server = await started;
    const { key } = await createKey(server, "ann@example.com");
    const statuses = await Promise.all(
      Array.from({ length: 500 }, async () => {
        const answer = await ask(server, HISTORY, { headers: { "x-api-key": key } });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    expect(statuses.toSorted()).toEqual([...Array(100).fill(200), ...Array(400).fill(402)]);
    const shown = await run(server, "credits", "show", "--user", "ann@example.com", "--json");
    expect(shown.json()).toMatchObject({ balance: 0, charged: 100 });
    expect((await run(server, "credits", "check")).code).toBe(0);
  });

  test("a key that was revoked is refused by all", async () => {
    const server = await started;
    const { key, id } = await createKey(server, "bob@example.com");
    const statuses = () =>
      Promise.all(
        Array.from({ length: 20 }, async () => {
          const answer = await ask(server, "/api/executive-compensation/tickers", {
            headers: { "x-api-key": key },
          });
          return answer.status;
        }),
      );
    expect(new Set(await statuses())).toEqual(new Set([200]));
    expect((await run(server, "keys", "revoke", id)).code).toBe(0);
    // The window of this address is full: a bad credential is refused by it first.
    expect(new Set(await statuses())).toEqual(new Set([429]));
  });

  test("pages, forms and documents are those of one server, and nobody passes for another address", async () => {
    const server = await started;
    const page = await ask(server, "/sign-in", { headers: { "x-execcomp-peer": "203.0.113.9" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
    const cookie = page.headers.get("set-cookie")?.split(";")[0] ?? "";
    const body = new URLSearchParams({ email: "ann@example.com", password: "not hers", csrf });
    const headers = { cookie, origin: server.origin };
    const form = await ask(server, "/sign-in", { method: "POST", body, headers });
    expect(form.status).toBe(401);
    const openApi = await ask(server, "/api/openapi.json");
    expect(Object.keys((await openApi.json()) as object)).toContain("paths");
    expect((await ask(server, "/readyz")).headers.get("dataset")).toMatch(/^\d{4}-\d\d-\d\d [0-9a-f]{64}$/);
    await until("its line is in the log", () =>
      server.events("request").some(({ path }) => path === "/sign-in"),
    );
    const line = server.events("request").find(({ path }) => path === "/sign-in");
    expect(line?.["address"]).toBe("127.0.0.1");
    const inCoding = { headers: { "accept-encoding": "gzip" }, decompress: false };
    const compressed = await ask(server, "/api/openapi.json", inCoding);
    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    const bytes = Bun.gunzipSync(new Uint8Array(await compressed.arrayBuffer()));
    expect(new TextDecoder().decode(bytes)).toContain('"openapi"');
  });

  test("what they counted stands in one scrape", async () => {
    const server = await started;
    const count = 'execcomp_http_request_duration_seconds_count{route="facts",status="4xx"}';
    await until("both have told", async () => valueOf(await metricsOf(server), count) >= 140);
    const text = await metricsOf(server);
    expect(valueOf(text, 'execcomp_rate_limit_refusals_total{limit="anon"}')).toBeGreaterThanOrEqual(140);
    expect(valueOf(text, "execcomp_workers")).toBe(2);
    expect(valueOf(text, 'execcomp_worker_resident_memory_bytes{worker="2"}')).toBeGreaterThan(1e6);
    expect(text.match(/^# TYPE execcomp_http_request_duration_seconds /gm)).toHaveLength(1);
  });

  test("one that dies is started again, and what it counted stays counted", async () => {
    const server = await started;
    const workers = workersOf(server.pid);
    expect(workers).toHaveLength(2);
    const count = 'execcomp_http_request_duration_seconds_count{route="compensation",status="2xx"}';
    const before = valueOf(await metricsOf(server), count);
    process.kill(workers[0] ?? 0, "SIGKILL");
    await until("another takes its place", async () => {
      const now = workersOf(server.pid);
      return (
        now.length === 2 &&
        !now.includes(workers[0] ?? 0) &&
        valueOf(await metricsOf(server), "execcomp_workers") === 2
      );
    });
    expect(server.events("worker_ended")).toMatchObject([{ signal: "SIGKILL" }]);
    const text = await metricsOf(server);
    expect(valueOf(text, count)).toBe(before);
    expect(valueOf(text, "execcomp_worker_restarts_total")).toBe(1);
    for (let asked = 0; asked < 20; asked += 1) expect((await ask(server, "/livez")).status).toBe(200);
  });
});

test.skipIf(!isLinux || !hasPostgres)(
  "over PostgreSQL, too, 300 requests on 100 credits are charged 100 times",
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

/** Requests of every kind that a server tells apart. */
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

/** Different from answer to answer, or counted. */
const CHANGING = ["date", "x-request-id", "ratelimit", "retry-after", "set-cookie"];

test.skipIf(!isLinux)("every kind of request is answered as by one process, header by header", async () => {
  const flags = ["--rate-anonymous", "100000"];
  const [one, several] = await Promise.all([
    startServerProcess(flags),
    startServerProcess([...flags, "--processes", "2"]),
  ]);
  const said = async (server: ServerProcess, path: string, init: BunFetchRequestInit = {}) => {
    const answer = await ask(server, path, init);
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => !CHANGING.includes(name)).toSorted(),
    );
    const changing = CHANGING.filter((name) => answer.headers.has(name));
    // Ports differ, and what is made anew for each page.
    const body = (await answer.text()).replace(/value="[\w.-]{20,}"/g, "");
    const told = JSON.stringify([answer.status, headers, changing, body]);
    return told.replaceAll(new URL(server.origin).port, "PORT").replace(/"content-length":"\d+"/, "");
  };
  for (const [path, init] of KINDS) {
    const [expected, found] = [await said(one, path, init), await said(several, path, init)];
    expect(`${path} ${found}`).toBe(`${path} ${expected}`);
  }
  await Promise.all([one.stop(), several.stop()]);
});

describe.skipIf(!isLinux)("the end", () => {
  test("on SIGTERM answers in flight are finished, and no process is left", async () => {
    const server = await startServerProcess(["--processes", "2", "--rate-anonymous", "100000"]);
    const workers = workersOf(server.pid);
    const over = new AbortController();
    const statuses = new Set<number>();
    const asking = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (!over.signal.aborted) {
          const answer = await ask(server, "/t/AAPL/facts").catch(() => null);
          // A connection that is refused is no answer: nobody listens any more.
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

  test("systemd hears from the owner only, once all answer", async () => {
    const path = join(tempFolder(), "notify");
    const manager = openNotifySocket(path);
    const server = await startServerProcess(["--processes", "2"], { environment: { NOTIFY_SOCKET: path } });
    await until("it is told", () => manager.read().length > 0);
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

  test("what cannot be is refused before anything is started", async () => {
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
