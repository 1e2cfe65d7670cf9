import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createRegistry } from "../../src/metrics.ts";
import { createLog, type LoggedCaller, type RequestLine, silentLog } from "../../src/log.ts";
import { startTelemetry } from "../../src/telemetry/index.ts";
import { testRuntime } from "../support/runtime.ts";
import { startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

/** An attribute or label as OTLP writes it in JSON. */
interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number };
}
interface Span {
  traceId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code?: number };
}
interface Point {
  attributes: Attribute[];
  asDouble?: number;
  count?: number | string;
  sum?: number;
  bucketCounts?: (number | string)[];
  explicitBounds?: number[];
}
interface Taken {
  path: string;
  headers: Headers;
  body: {
    resourceSpans?: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[];
    resourceMetrics?: {
      scopeMetrics: {
        metrics: {
          name: string;
          unit: string;
          sum?: { dataPoints: Point[] };
          histogram?: { dataPoints: Point[] };
        }[];
      }[];
    }[];
  };
}

const taken: Taken[] = [];
let status = 200;
const collector = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const text = await request.text();
    if (status !== 200) return new Response("no", { status });
    taken.push({ path: new URL(request.url).pathname, headers: request.headers, body: JSON.parse(text) });
    return Response.json({});
  },
});
const endpoint = `http://127.0.0.1:${collector.port}`;
afterAll(() => collector.stop(true));

const spans = () =>
  taken
    .flatMap(({ body }) => body.resourceSpans ?? [])
    .flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans));
const metrics = () =>
  taken
    .flatMap(({ body }) => body.resourceMetrics ?? [])
    .flatMap((one) => one.scopeMetrics.flatMap((scope) => scope.metrics));
const attribute = (list: readonly Attribute[], key: string) => {
  const value = list.find((one) => one.key === key)?.value;
  return value?.stringValue ?? Number(value?.intValue ?? value?.doubleValue);
};

describe("a server with a collector", () => {
  const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  beforeAll(async () => {
    const server = await startTestServer({
      otlpEndpoint: endpoint,
      otlpHeaders: "x-collector-key=s3cret,x-team=pay",
      otlpTracePercent: "0",
    });
    const key = await server.createKey();
    const traced = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, "user-agent": `probe ${key}` };
    await server.get("/t/AAPL/facts?x=secret", { headers: traced });
    await server.get("/t/AAPL/facts", {
      headers: { traceparent: `00-${"b".repeat(32)}-00f067aa0ba902b7-00` },
    });
    await server.get("/t/MSFT/facts");
    await server.get("/api/executive-compensation?ticker=AAPL", { key });
    await server.stop();
  });

  test("a request is a span of the caller's trace, with its route, status and time", () => {
    const [span, ...more] = spans();
    // The caller does not record the second trace; the others begin here, where none is recorded.
    expect(more).toEqual([]);
    expect(span).toMatchObject({
      traceId: TRACE,
      parentSpanId: "00f067aa0ba902b7",
      name: "GET facts",
      kind: 2,
    });
    const attributes = span?.attributes ?? [];
    expect(attribute(attributes, "http.response.status_code")).toBe(400);
    expect(attribute(attributes, "http.request.method")).toBe("GET");
    expect(attribute(attributes, "url.path")).toBe("/t/AAPL/facts");
    expect(BigInt(span?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(span?.startTimeUnixNano ?? 1));
  });

  test("it sends neither a key nor a query", () => {
    expect(JSON.stringify(spans())).not.toMatch(/xc_live_[0-9A-Za-z]{4}|secret/);
  });

  test("the configured headers are sent with every export", () => {
    expect(new Set(taken.map(({ path }) => path))).toEqual(new Set(["/v1/traces", "/v1/metrics"]));
    for (const { headers } of taken) {
      expect([headers.get("x-collector-key"), headers.get("x-team")]).toEqual(["s3cret", "pay"]);
    }
  });

  test("the metrics are those of /metrics", () => {
    const durations = metrics().find(({ name }) => name === "execcomp_http_request_duration_seconds");
    expect(durations?.unit).toBe("s");
    const facts = durations?.histogram?.dataPoints.find(
      ({ attributes }) =>
        attribute(attributes, "route") === "facts" && attribute(attributes, "status") === "2xx",
    );
    expect(Number(facts?.count)).toBe(2);
    expect(facts?.bucketCounts).toHaveLength((facts?.explicitBounds?.length ?? 0) + 1);
    expect(facts?.bucketCounts?.reduce<number>((all, one) => all + Number(one), 0)).toBe(2);
    expect(metrics().find(({ name }) => name === "process_resident_memory_bytes")?.unit).toBe("By");
  });
});

test("requests before the library is loaded are sent too: the caller, and who caused a failure", async () => {
  taken.splice(0);
  const runtime = testRuntime();
  const { now } = runtime;
  const settings = { endpoint, headers: {}, percent: 100, version: "0", instance: "i", now };
  const telemetry = startTelemetry(settings, createRegistry(), silentLog());
  const asked = (status: number, caller: LoggedCaller): RequestLine => ({
    id: `request ${status}`,
    method: "GET",
    path: "/t/AAPL",
    route: "company",
    status,
    micros: 1500,
    address: "192.0.2.1",
    caller,
    userAgent: null,
    trace: null,
  });
  for (const line of [asked(200, { kind: "key", id: "k1" }), asked(404, { kind: "user", id: "u1" })])
    telemetry.request(line);
  telemetry.request(asked(500, null));
  await telemetry.stop();
  const told = spans().map(({ attributes, status: { code = 0 } }) => ({
    status: attribute(attributes, "http.response.status_code"),
    isError: code === 2,
    address: attribute(attributes, "client.address"),
    key: attributes.some(({ key }) => key === "execcomp.key") && attribute(attributes, "execcomp.key"),
    user: attributes.some(({ key }) => key === "execcomp.user") && attribute(attributes, "execcomp.user"),
  }));
  const address = "192.0.2.1";
  expect(told).toEqual([
    { status: 200, isError: false, address, key: "k1", user: false },
    // A caller's error is not an error of the server.
    { status: 404, isError: false, address, key: false, user: "u1" },
    { status: 500, isError: true, address, key: false, user: false },
  ]);
});

test("a collector that refuses causes one log line, one more when it recovers, and no failed request", async () => {
  const runtime = testRuntime();
  const lines: string[] = [];
  const log = createLog(runtime, (line) => lines.push(line));
  const events = () => lines.map((line) => JSON.parse(line).event);
  const settings = {
    endpoint,
    headers: {},
    percent: 100,
    version: "0",
    instance: "i",
    now: runtime.now,
    everyMs: 20,
  };
  status = 400;
  const telemetry = startTelemetry(settings, createRegistry(), log);
  await until("the failure is logged", () => events().includes("otlp_failing"));
  status = 200;
  await until("the recovery is logged", () => events().includes("otlp_recovered"));
  await telemetry.stop();
  expect(events().filter((event) => event === "otlp_failing")).toHaveLength(1);
});

test("--offline sends nothing, whatever is configured", async () => {
  const before = taken.length;
  const server = await startTestServer({ otlpEndpoint: endpoint, offline: "true", otlpTracePercent: "100" });
  await server.get("/t/AAPL/facts");
  await server.stop();
  expect(taken).toHaveLength(before);
});
