import { afterAll, expect, test } from "bun:test";
import { createRegistry } from "../../src/metrics.ts";
import {
  addWindowMetrics,
  createServerMetrics,
  readListenAddress,
  routeGrouper,
} from "../../src/server/metrics.ts";
import { startTestServer } from "../support/server.ts";

const server = await startTestServer({ metricsListen: "127.0.0.1:0", rateAnonymous: "3" });
afterAll(() => server.stop());

const address = () => {
  const line = server.lines
    .map((one): Record<string, unknown> => JSON.parse(one))
    .find((one) => one["event"] === "metrics");
  return `http://${String(line?.["address"])}`;
};
const scrape = async () => (await fetch(`${address()}/metrics`)).text();
/** The value of one series; undefined if it does not exist. */
const valueOf = (text: string, series: string) => {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

test("a scrape has requests by route and class, credits, refusals, commits, the dataset and the process", async () => {
  const key = await server.createKey();
  await server.get("/api/executive-compensation?ticker=AAPL", { key });
  for (let asked = 0; asked < 4; asked++) await server.get("/t/AAPL/facts");
  await server.get("/t/NOSUCH/facts");
  const text = await scrape();
  const requests = "execcomp_http_request_duration_seconds_count";
  expect(valueOf(text, `${requests}{route="compensation",status="2xx"}`)).toBe(1);
  expect(valueOf(text, `${requests}{route="facts",status="2xx"}`)).toBe(3);
  expect(valueOf(text, `${requests}{route="facts",status="4xx"}`)).toBe(2);
  expect(valueOf(text, 'execcomp_rate_limit_refusals_total{limit="anon"}')).toBe(2);
  expect(text).toMatch(/^execcomp_credits_charged_total\{operation="\w+"\} 1$/m);
  expect(valueOf(text, "execcomp_store_commit_duration_seconds_count")).toBeGreaterThan(0);
  expect(valueOf(text, 'execcomp_store_commit_jobs_bucket{le="+Inf"}')).toBeGreaterThan(0);
  expect(valueOf(text, "execcomp_store_wal_bytes")).toBeGreaterThan(0);
  expect(valueOf(text, "execcomp_disk_free_bytes")).toBeGreaterThan(0);
  expect(text).toMatch(
    /^execcomp_snapshot_info\{edition="\d{4}-\d\d-\d\d",content_hash="[0-9a-f]{16}",origin="embedded"\} 1$/m,
  );
  expect(valueOf(text, "execcomp_ready")).toBe(1);
  expect(valueOf(text, "process_resident_memory_bytes")).toBeGreaterThan(1e6);
  expect(text).not.toContain(key);
});

test("MCP calls are counted by tool and by client, from a short list", async () => {
  const call = (agent: string) =>
    server.get("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
        "user-agent": agent,
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_available_tickers","arguments":{}}}',
    });
  server.advance(120_000);
  await call("Claude-User");
  await call('made-up "client" 1');
  const text = await scrape();
  const series = (client: string) =>
    `execcomp_mcp_tool_calls_total{tool="list_available_tickers",client="${client}"}`;
  expect([valueOf(text, series("claude")), valueOf(text, series("other"))]).toEqual([1, 1]);
  expect(text).not.toContain("made-up");
});

test("callers cannot reach the metrics, and the metrics listener serves nothing else", async () => {
  expect((await server.get("/metrics")).status).toBe(404);
  expect((await fetch(`${address()}/t/AAPL/facts`)).status).toBe(404);
});

test("every metric has HELP and TYPE, and promtool reports nothing", async () => {
  const text = await scrape();
  const names = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(15);
  for (const name of names) expect(text).toMatch(new RegExp(`^# HELP ${name} [A-Z0-9].*\\.$`, "m"));
  const promtool = Bun.which("promtool");
  if (promtool === null)
    return console.log("skipped: promtool is not installed, so it does not check the metrics");
  const child = Bun.spawnSync([promtool, "check", "metrics"], { stdin: new TextEncoder().encode(text) });
  expect(child.stdout.toString() + child.stderr.toString()).toBe("");
  expect(child.exitCode).toBe(0);
});

test("a histogram counts a value in every bucket that it fits, and escapes label values", () => {
  const registry = createRegistry();
  const observe = registry.histogram("h", "Help.", [1, 2]).series({ a: 'x"\\\n' });
  for (const value of [0.5, 1, 1.5, 99]) observe(value);
  expect(registry.text()).toBe(
    [
      "# HELP h Help.",
      "# TYPE h histogram",
      'h_bucket{a="x\\"\\\\\\n",le="1"} 2',
      'h_bucket{a="x\\"\\\\\\n",le="2"} 3',
      'h_bucket{a="x\\"\\\\\\n",le="+Inf"} 4',
      'h_sum{a="x\\"\\\\\\n"} 102',
      'h_count{a="x\\"\\\\\\n"} 4',
      "",
    ].join("\n"),
  );
});

test("a gauge that cannot be read is omitted, the others remain", () => {
  const registry = createRegistry();
  registry.gauge("broken", "Help.", () => {
    throw new Error("gone");
  });
  registry.gauge("fine", "Help.", () => [[{}, 1]]);
  expect(registry.text()).toBe("# HELP fine Help.\n# TYPE fine gauge\nfine 1\n");
});

test("counters stand at zero before the first event, so that an increase is seen", () => {
  const text = createServerMetrics().registry.text();
  for (const series of [
    'execcomp_backups_total{outcome="failed"} 0',
    'execcomp_edgar_requests_total{status="403"} 0',
    'execcomp_rate_limit_refusals_total{limit="key"} 0',
    'execcomp_on_demand_total{outcome="unavailable"} 0',
    'execcomp_examination_troubles_total{check="ledger",status="broken"} 0',
    'execcomp_credits_charged_total{operation="getExecutiveCompensation"} 0',
  ])
    expect(text).toContain(`${series}\n`);
  const registry = createRegistry();
  addWindowMetrics(registry, () => new Map([["valkey", true]]));
  expect(registry.text()).toContain('execcomp_rate_limit_service_losses_total{service="valkey"} 0\n');
});

test("unlimited paths result in a limited set of routes and series", () => {
  const metrics = createServerMetrics();
  const routeOf = routeGrouper();
  const ask = (made: number) => {
    metrics.request(routeOf(`/${made}`), 404, 10);
    metrics.request(routeOf(`/t/${made}/facts`), 404, 10);
    metrics.toolCalled("t", `client ${made}`);
  };
  const lines = () => metrics.registry.text().split("\n").length;
  ask(0);
  const few = lines();
  for (let made = 1; made < 1000; made++) ask(made);
  expect(lines()).toBe(few);
  expect(["/t/:ticker/facts", "/t/:ticker", "/mcp/private", "/.well-known/*", "/x"].map(routeOf)).toEqual([
    "facts",
    "company_page",
    "mcp",
    "well_known",
    "other",
  ]);
});

test("--metrics-listen accepts a port or an address with one", () => {
  expect(readListenAddress("9464")).toEqual({ hostname: "127.0.0.1", port: 9464 });
  expect(readListenAddress("[::1]:9464")).toEqual({ hostname: "::1", port: 9464 });
  expect(() => readListenAddress("nowhere")).toThrow("expected PORT or ADDRESS:PORT");
  expect(() => readListenAddress("99999")).toThrow("expected PORT");
});
