import type { Runtime } from "./runtime.ts";

/** Fields of an event. Never credentials; use ids and prefixes. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The caller behind a credential: the key, or the user of an access token. */
export type LoggedCaller = { kind: "key" | "user"; id: string } | null;

/** A request, as logged. */
export interface RequestLine {
  id: string;
  method: string;
  /** Without the query; contains no credential. */
  path: string;
  /** The route's name, from a fixed list. */
  route: string;
  status: number;
  /** Microseconds from arrival to response. */
  micros: number;
  /** The client address, as used for rate limits. */
  address: string;
  caller: LoggedCaller;
  userAgent: string | null;
  /** The id of the caller's trace that the request belongs to. */
  trace: string | null;
}

/** Severities, in ascending order. */
const LOG_LEVELS = ["info", "warn", "error"] as const;
/** The severity of an event. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Severity threshold and format of a log. */
export interface LogOptions {
  /** The lowest severity written. */
  level: LogLevel;
  /** JSON for programs, `key=value` for people. */
  format: "json" | "logfmt";
}

/** Writes log events. */
export interface Log {
  /** Writes a line with `time`, `level`, `event` and the fields. */
  info(event: string, fields?: LogFields): void;
  /** Like `info`, for what the operator should look at. */
  warn(event: string, fields?: LogFields): void;
  /** Like `info`, for failures. */
  error(event: string, fields?: LogFields): void;
  /**
   * Writes a request, as an `info` event named `request`. Of refusals that anyone can cause by the thousand, the first of
   * each second, address and caller; `requests_refused` then says how many more there were.
   */
  request(line: RequestLine): void;
}

/** Creates a log that passes each line, without line end, to `write`. */
export function createLog(
  runtime: Pick<Runtime, "now">,
  write: (line: string) => void,
  { level: least, format }: LogOptions = { level: "info", format: "json" },
): Log {
  const encode = format === "json" ? escaped : logfmtLine;
  let [atMs, iso] = [Number.NaN, ""];
  /** A busy server writes many lines in a millisecond. */
  const time = () => {
    const nowMs = runtime.now();
    if (nowMs !== atMs) [atMs, iso] = [nowMs, new Date(nowMs).toISOString()];
    return iso;
  };
  const line =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}): void => {
      if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
      write(encode({ time: time(), level, event, ...fields }));
    };
  const isQuiet = least !== "info";
  const writeSum = line("info");
  const refusals = new Refusals(runtime, (sum) => writeSum("requests_refused", sum));
  const event = (level: LogLevel) => {
    const writeEvent = line(level);
    return (name: string, fields?: LogFields) => {
      refusals.flush();
      writeEvent(name, fields);
    };
  };
  return {
    info: event("info"),
    warn: event("warn"),
    error: event("error"),
    request: (answered) => {
      if (isQuiet || refusals.isRepeated(answered)) return;
      write(format === "json" ? requestJson(time(), answered) : logfmtLine(requestFields(time(), answered)));
    },
  };
}

/** Statuses of what costs the server nothing to refuse, and the caller nothing to repeat. */
const SUMMED: ReadonlySet<number> = new Set([403, 429]);

const SECOND_MS = 1000;

/** Counts the refusals of a second by address and caller. */
class Refusals {
  private readonly sums = new Map<
    string,
    { status: number; address: string; requests: number; key?: string; user?: string }
  >();
  private endsAtMs = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly runtime: Pick<Runtime, "now">,
    private readonly write: (sum: LogFields) => void,
  ) {}

  /** Whether a refusal like this one was written in this second, so that this one is counted instead. */
  isRepeated({ status, address, caller }: RequestLine): boolean {
    if (!SUMMED.has(status)) return false;
    const nowMs = this.runtime.now();
    if (nowMs >= this.endsAtMs || nowMs < this.endsAtMs - SECOND_MS) {
      this.flush();
      this.endsAtMs = nowMs + SECOND_MS;
    }
    const name = `${status} ${address} ${caller?.id ?? ""}`;
    const sum = this.sums.get(name);
    if (sum === undefined) {
      this.sums.set(name, { status, address, ...(caller && { [caller.kind]: caller.id }), requests: 0 });
      this.timer ??= setTimeout(() => this.flush(), SECOND_MS).unref();
      return false;
    }
    sum.requests += 1;
    return true;
  }

  /** Writes the sums, and starts over. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const sum of this.sums.values()) if (sum.requests > 0) this.write(sum);
    this.sums.clear();
  }
}

function requestFields(time: string, line: RequestLine): LogFields {
  const { caller, userAgent, trace, ...fields } = line;
  const who = caller === null ? {} : { [caller.kind]: caller.id };
  const sent = { user_agent: userAgent ?? undefined, trace: trace ?? undefined };
  return { time, level: "info", event: "request", ...fields, ...who, ...sent };
}

/** `requestFields` as JSON. Written for every response, so without an object: that took five times as long. */
function requestJson(time: string, line: RequestLine): string {
  const { id, method, path, route, status, micros, address, caller, userAgent, trace } = line;
  const who = caller === null ? "" : `,"${caller.kind}":"${caller.id}"`;
  const agent = userAgent === null ? "" : `,"user_agent":${quoted(userAgent)}`;
  const traced = trace === null ? "" : `,"trace":"${trace}"`;
  return (
    `{"time":"${time}","level":"info","event":"request","id":"${id}","method":${quoted(method)},"path":${quoted(path)},` +
    `"route":"${route}","status":${status},"micros":${micros},"address":${quoted(address)}${who}${agent}${traced}}`
  );
}

function quoted(text: string): string {
  return /[^ !#-[\]-~]/.test(text) ? escaped(text) : `"${text}"`;
}

/** Builds a line of logfmt: pairs separated by spaces, values quoted where they contain one. */
function logfmtLine(fields: LogFields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = String(value);
    return `${name}=${/^[^\s"=\p{Cc}]+$/u.test(text) ? text : escaped(text)}`;
  });
  return pairs.join(" ");
}

/** JSON with the control characters escaped that JSON allows: terminals treat U+009B like ESC and `[`. */
function escaped(value: string | LogFields): string {
  const json = JSON.stringify(value);
  if (!/[\x7f-\x9f]/.test(json)) return json;
  return json.replaceAll(/[\x7f-\x9f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A log that discards everything, for commands without a server. */
export function silentLog(): Log {
  const ignore = () => {};
  return { info: ignore, warn: ignore, error: ignore, request: ignore };
}

/** @see W3C Trace Context, 3.2 */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=-|$)/;

/**
 * The `traceparent` header to send on to the operator's own systems; empty without a trace. Never sent to other
 * parties, such as EDGAR or client metadata addresses: docs/self-hosting.md.
 */
export function traceHeaders({ headers }: Request): { traceparent?: string } {
  const [parent] = TRACE_PARENT.exec(headers.get("traceparent") ?? "") ?? [];
  // Of a later version only what version 00 has is understood.
  return parent === undefined ? {} : { traceparent: `00${parent.slice(2)}` };
}

/** The id of the caller's trace, 32 hexadecimal digits; null if `traceparent` is missing or malformed. */
export function traceOf({ headers }: Request): string | null {
  return TRACE_PARENT.exec(headers.get("traceparent") ?? "")?.[1] ?? null;
}
