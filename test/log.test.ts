import { expect, test } from "bun:test";
import { createLog, type Log, type LogOptions, type RequestLine } from "../src/log.ts";
import { until } from "./support/until.ts";

test("an event is one JSON line whatever its fields contain", () => {
  const lines: string[] = [];
  const log = createLog({ now: () => 1_763_700_000_123 }, (line) => lines.push(line));
  const fields = { path: '/t/"quoted"\n\u2028', id: "01a1-b", status: 200, ms: 0.25, ok: true, none: null };
  log.warn("odd request", { ...fields, absent: undefined });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain("\n");
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    time: new Date(1_763_700_000_123).toISOString(),
    level: "warn",
    event: "odd request",
    ...fields,
  });
});

test("times stay correct across the turn of a second", () => {
  const times = [999, 1000, 1001, 59_999, 60_000];
  const seen: string[] = [];
  let now = 0;
  const log = createLog({ now: () => now }, (line) => seen.push(JSON.parse(line).time));
  for (now of times) log.info("tick");
  expect(seen).toEqual(times.map((ms) => new Date(ms).toISOString()));
});

const LINE: RequestLine = {
  id: "r.1",
  method: "GET",
  path: "/t/AAPL/facts",
  route: "facts",
  status: 200,
  micros: 81,
  address: "192.0.2.1",
  caller: { kind: "key", id: "k1" },
  userAgent: 'Claude-User/1.0 ("odd"; +https://x)\n',
  trace: "4bf92f3577b34da6a3ce929d0e0e4736",
};
const logged = (options: LogOptions, use: (log: Log) => void) => {
  const lines: string[] = [];
  use(createLog({ now: () => 0 }, (line) => lines.push(line), options));
  return lines;
};

test("a request's log line is JSON whatever its user agent, with the same fields in logfmt", () => {
  const { id, method, path, route, status, micros, address, userAgent, trace } = LINE;
  const [json] = logged({ level: "info", format: "json" }, (log) => log.request(LINE));
  expect(JSON.parse(json ?? "")).toEqual({
    time: "1970-01-01T00:00:00.000Z",
    level: "info",
    event: "request",
    id,
    method,
    path,
    route,
    status,
    micros,
    address,
    trace,
    key: "k1",
    user_agent: userAgent,
  });
  expect(logged({ level: "info", format: "logfmt" }, (log) => log.request(LINE))).toEqual([
    'time=1970-01-01T00:00:00.000Z level=info event=request id=r.1 method=GET path=/t/AAPL/facts route=facts status=200 micros=81 address=192.0.2.1 key=k1 user_agent="Claude-User/1.0 (\\"odd\\"; +https://x)\\n" trace=4bf92f3577b34da6a3ce929d0e0e4736',
  ]);
});

test("no control character from a caller reaches a terminal", () => {
  for (const userAgent of ["\u001b[2J", "\u009b2J", "x\u007f\u0085y", "line\nline"]) {
    for (const format of ["json", "logfmt"] as const) {
      const [line = ""] = logged({ level: "info", format }, (log) => {
        log.request({ ...LINE, userAgent, path: `/${userAgent}` });
      });
      expect(line).not.toMatch(/\p{Cc}/u);
      if (format === "json") expect(JSON.parse(line).user_agent).toBe(userAgent);
      const [event = ""] = logged({ level: "info", format }, (log) => log.warn("odd", { said: userAgent }));
      expect(event).not.toMatch(/\p{Cc}/u);
    }
  }
});

test("absent fields of a request are in neither format", () => {
  const bare = { ...LINE, caller: null, userAgent: null, trace: null };
  for (const format of ["json", "logfmt"] as const) {
    const [line = ""] = logged({ level: "info", format }, (log) => log.request(bare));
    expect(line).not.toMatch(/key|user|agent|trace|null/);
  }
});

test("a level omits what is less severe", () => {
  const all = (log: Log) => {
    log.info("a");
    log.request(LINE);
    log.warn("b");
    log.error("c");
  };
  const seen = (level: LogOptions["level"]) =>
    logged({ level, format: "logfmt" }, all).map((line) => /event=(\w+)/.exec(line)?.[1]);
  expect(seen("info")).toEqual(["a", "request", "b", "c"]);
  expect(seen("warn")).toEqual(["b", "c"]);
  expect(seen("error")).toEqual(["c"]);
});

test("refusals that anyone can cause by the thousand are one line a second and address, with the number of the others", async () => {
  const lines: { event: string; status: number; address: string; requests?: number; key?: string }[] = [];
  let now = 5_000_400;
  const log = createLog({ now: () => now }, (line) => lines.push(JSON.parse(line)));
  const refuse = (status: number, address: string, times: number, caller: RequestLine["caller"] = null) => {
    for (let n = 0; n < times; n += 1) log.request({ ...LINE, caller, status, address });
  };
  refuse(429, "192.0.2.1", 5000);
  refuse(403, "192.0.2.1", 300);
  refuse(429, "192.0.2.2", 1);
  refuse(429, "192.0.2.1", 7, { kind: "key", id: "k1" });
  const shown = ({ event, status, address, requests, key }: (typeof lines)[number]) =>
    [
      event,
      status,
      address,
      ...(key === undefined ? [] : [key]),
      ...(requests === undefined ? [] : [requests]),
    ].join(" ");
  const first = [
    "request 429 192.0.2.1",
    "request 403 192.0.2.1",
    "request 429 192.0.2.2",
    "request 429 192.0.2.1 k1",
  ];
  expect(lines.map(shown)).toEqual(first);
  const sums = [
    "requests_refused 429 192.0.2.1 4999",
    "requests_refused 403 192.0.2.1 299",
    "requests_refused 429 192.0.2.1 k1 6",
  ];
  now += 1000;
  refuse(429, "192.0.2.1", 2);
  expect(lines.splice(0).map(shown)).toEqual([...first, ...sums, "request 429 192.0.2.1"]);
  // Nothing is lost when the server stops, or when no request follows.
  log.info("stopped");
  expect(lines.splice(0).map(({ event, requests }) => [event, requests])).toEqual([
    ["requests_refused", 1],
    ["stopped", undefined],
  ]);
  refuse(403, "192.0.2.3", 3);
  await until("the sum is written", () => lines.length === 2);
  expect(lines.map(shown)).toEqual(["request 403 192.0.2.3", "requests_refused 403 192.0.2.3 2"]);
  // Other refusals are lines of their own.
  lines.length = 0;
  for (const status of [400, 401, 402, 404, 500, 503]) refuse(status, "192.0.2.1", 2);
  expect(lines).toHaveLength(12);
});
