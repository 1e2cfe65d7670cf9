import type { Runtime } from "./runtime.ts";

/** Fields of one event. Never a credential: pass ids and prefixes. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** What the log says of one request. */
export interface RequestLine {
  id: string;
  method: string;
  /** Without the query; never a credential. */
  path: string;
  status: number;
  /** From its arrival to its answer. */
  micros: number;
}

/** Writes events. */
export interface Log {
  /** One JSON line with `time`, `level`, `event` and the fields. */
  info(event: string, fields?: LogFields): void;
  /** As `info`, for what the operator should look at. */
  warn(event: string, fields?: LogFields): void;
  /** As `info`, for what is broken. */
  error(event: string, fields?: LogFields): void;
  /** The line of one request, as `info` with the event `request`. */
  request(line: RequestLine): void;
}

/** A log that hands finished lines (without the line end) to `write`. */
export function createLog(runtime: Pick<Runtime, "now">, write: (line: string) => void): Log {
  const time = isoClock();
  const line =
    (level: string) =>
    (event: string, fields: LogFields = {}) => {
      write(`{"time":"${time(runtime.now())}","level":"${level}","event":${quote(event)}${written(fields)}}`);
    };
  // The one line that every answer pays for: written out, it costs 1 us where `info` costs 3.
  const request = ({ id, method, path, status, micros }: RequestLine): void => {
    write(
      `{"time":"${time(runtime.now())}","level":"info","event":"request","id":"${id}","method":${quote(method)},"path":${quote(path)},"status":${status},"micros":${micros}}`,
    );
  };
  return {
    info: line("info"),
    warn: line("warn"),
    error: line("error"),
    request,
  };
}

/** JSON by hand, one line a request: a third of the time of `JSON.stringify` over a fresh object. */
function written(fields: LogFields): string {
  let text = "";
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    text += `,"${name}":${typeof value === "string" ? quote(value) : String(value)}`;
  }
  return text;
}

const NEEDS_NO_ESCAPE = /^[\w ./:@-]*$/;

function quote(value: string): string {
  return NEEDS_NO_ESCAPE.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** Times as ISO 8601, the second made once. */
function isoClock(): (ms: number) => string {
  let second = Number.NaN;
  let head = "";
  return (ms) => {
    const now = Math.floor(ms / 1000);
    if (now !== second) [second, head] = [now, new Date(now * 1000).toISOString().slice(0, -4)];
    return `${head}${String(Math.floor(ms - now * 1000)).padStart(3, "0")}Z`;
  };
}

/** A log that keeps nothing, for commands that have no server. */
export function silentLog(): Log {
  const ignore = () => {};
  return {
    info: ignore,
    warn: ignore,
    error: ignore,
    request: ignore,
  };
}
