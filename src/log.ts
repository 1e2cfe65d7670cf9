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
  /** The caller's trace that the request belongs to. */
  trace: TraceContext | null;
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
  /** Writes a request, as an `info` event named `request`. */
  request(line: RequestLine): void;
}

/** Creates a log that passes each line, without line end, to `write`. */
export function createLog(
  runtime: Pick<Runtime, "now">,
  write: (line: string) => void,
  { level: least, format }: LogOptions = { level: "info", format: "json" },
): Log {
  const time = isoClock();
  const encode = format === "json" ? escaped : logfmtLine;
  const isWritten = (level: LogLevel) => LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
  const ignore = () => {};
  const line = (level: LogLevel) =>
    isWritten(level)
      ? (event: string, fields: LogFields = {}) =>
          write(encode({ time: time(runtime.now()), level, event, ...fields }))
      : ignore;
  // Written for every response, so built by hand: 1 us, compared to 3 for `info`.
  const request = (one: RequestLine): void => {
    const { id, method, path, route, status, micros, address } = one;
    const rest = `"status":${status},"micros":${micros},"address":"${address}"${optional(one)}}`;
    write(
      `{"time":"${time(runtime.now())}","level":"info","event":"request","id":"${id}","method":${quote(method)},"path":${quote(path)},"route":"${route}",${rest}`,
    );
  };
  const plainRequest = ({ caller, userAgent, trace, ...fields }: RequestLine): void => {
    const who = caller === null ? {} : { [caller.kind]: caller.id };
    const event = { time: time(runtime.now()), level: "info", event: "request", ...fields, ...who };
    write(encode({ ...event, user_agent: userAgent ?? undefined, trace: trace?.traceId }));
  };
  return {
    info: line("info"),
    warn: line("warn"),
    error: line("error"),
    request: !isWritten("info") ? ignore : format === "json" ? request : plainRequest,
  };
}

/** Fields that not every request has. */
function optional({ caller, userAgent, trace }: RequestLine): string {
  const who = caller === null ? "" : `,"${caller.kind}":${quote(caller.id)}`;
  const agent = userAgent === null ? "" : `,"user_agent":${quote(userAgent)}`;
  return `${who}${agent}${trace === null ? "" : `,"trace":"${trace.traceId}"`}`;
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

/** Printable ASCII except quotation mark and backslash. */
const NEEDS_NO_ESCAPE = /^[ !#-[\]-~]*$/;

function quote(value: string): string {
  return NEEDS_NO_ESCAPE.test(value) ? `"${value}"` : escaped(value);
}

/** JSON with the control characters escaped that JSON allows: terminals treat U+009B like ESC and `[`. */
function escaped(value: string | LogFields): string {
  return JSON.stringify(value).replaceAll(
    /[\x7f-\x9f]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Formats ISO 8601 times, caching the text of the current second. */
function isoClock(): (ms: number) => string {
  let second = Number.NaN;
  let head = "";
  return (ms) => {
    const now = Math.floor(ms / 1000);
    if (now !== second) [second, head] = [now, new Date(now * 1000).toISOString().slice(0, -4)];
    return `${head}${String(Math.floor(ms - now * 1000)).padStart(3, "0")}Z`;
  };
}

/** A log that discards everything, for commands without a server. */
export function silentLog(): Log {
  const ignore = () => {};
  return {
    info: ignore,
    warn: ignore,
    error: ignore,
    request: ignore,
  };
}

/** A request's position in the caller's trace. @see W3C Trace Context, 3.2 */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** The calling span, 16 hexadecimal digits. */
  parentId: string;
  /** Whether the caller records the trace. */
  sampled: boolean;
}

const TRACE_PARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/**
 * The `traceparent` header to send on to the operator's own systems; empty without a trace. Never sent to other
 * parties, such as EDGAR or client metadata addresses: docs/monitoring.md.
 */
export function traceHeaders(request: Request): { traceparent?: string } {
  const trace = traceOf(request);
  if (trace === null) return {};
  return { traceparent: `00-${trace.traceId}-${trace.parentId}-${trace.sampled ? "01" : "00"}` };
}

/** Parses `traceparent`; null if it is missing or malformed. */
export function traceOf({ headers }: Request): TraceContext | null {
  const header = headers.get("traceparent");
  if (header === null) return null;
  const [, traceId, parentId, flags] = TRACE_PARENT.exec(header) ?? [];
  if (traceId === undefined || parentId === undefined || flags === undefined) return null;
  return { traceId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
