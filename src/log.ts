import type { Ambient } from "./ambient.ts";

/** Fields of one event. Never a credential: pass ids and prefixes. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes events and counts them. */
export interface Log {
  /** One JSON line with `time`, `level`, `event` and the fields. */
  info(event: string, fields?: LogFields): void;
  /** As `info`, for what the operator should look at. */
  warn(event: string, fields?: LogFields): void;
  /** As `info`, for what is broken. */
  error(event: string, fields?: LogFields): void;
  /** Adds one to a counter of `/metrics`. */
  count(name: string): void;
  /** All counters, by name. */
  counters(): ReadonlyMap<string, number>;
}

/** A log that hands finished lines (without the line end) to `write`. */
export function createLog(ambient: Pick<Ambient, "now">, write: (line: string) => void): Log {
  const counts = new Map<string, number>();
  const count = (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const line =
    (level: string) =>
    (event: string, fields: LogFields = {}) => {
      write(JSON.stringify({ time: new Date(ambient.now()).toISOString(), level, event, ...fields }));
    };
  return { info: line("info"), warn: line("warn"), error: line("error"), count, counters: () => counts };
}

/** A log that keeps nothing, for commands that have no server. */
export function silentLog(): Log {
  const ignore = () => {};
  return { info: ignore, warn: ignore, error: ignore, count: ignore, counters: () => new Map() };
}
