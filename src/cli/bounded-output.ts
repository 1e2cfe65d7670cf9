/** Standard error for a process that may outlive its reader: an unread pipe uses bounded memory and blocks nothing. */
import { type Log, type LogOptions, createLog } from "../log.ts";
import type { Runtime } from "../runtime.ts";
import type { Io } from "./command.ts";

/** Maximum characters buffered for a slow reader. */
const MAX_WAITING = 1 << 20;

/**
 * Text output with a bounded buffer.
 * @param sink `Bun.stderr.writer()`, or a test's; `flush` returns a promise if the reader is behind
 * @param sleep resolves after the given milliseconds
 */
export function boundedOutput(
  sink: { write(text: string): unknown; flush(): number | Promise<number> },
  sleep: (ms: number) => Promise<unknown>,
) {
  let waiting = 0;
  let dropped = 0;
  let flushing: Promise<unknown> | null = null;
  const caughtUp = () => {
    flushing = null;
    waiting = 0;
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    put(`${JSON.stringify({ level: "warn", event: "log_lines_dropped", lines })}\n`);
  };
  const put = (text: string) => {
    sink.write(text);
    waiting += text.length;
    if (flushing !== null) return;
    const flushed = sink.flush();
    // If the reader has gone, the error cannot be reported to anyone.
    if (flushed instanceof Promise) flushing = flushed.catch(() => 0).then(caughtUp);
    else waiting = 0;
  };
  return {
    /** Writes text; whatever exceeds a buffer of 1 MiB is dropped and counted. */
    write(text: string) {
      if (waiting + text.length > MAX_WAITING) dropped += text.split("\n").length - 1;
      else put(text);
    },
    /** Resolves when everything has been written, or after `patienceMs`. */
    async end(patienceMs: number) {
      const flushed = flushing ?? sink.flush();
      await Promise.race([flushed, sleep(patienceMs)]);
    },
  };
}

/** Lines are written together at this interval, or when this many characters are waiting. */
const FLUSH_MS = 50;
const FLUSH_LENGTH = 64 * 1024;

/** A log that batches its lines: one write for all requests of a moment instead of one each. */
export function bufferedLog(
  runtime: Runtime,
  options: LogOptions,
  write: (lines: string) => void,
): Log & { flush(): void } {
  let lines: string[] = [];
  let length = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length > 0) write(lines.join("\n"));
    lines = [];
    length = 0;
  };
  const add = (line: string) => {
    lines.push(line);
    length += line.length;
    if (length > FLUSH_LENGTH) flush();
    else timer ??= setTimeout(flush, FLUSH_MS);
  };
  return { ...createLog(runtime, add, options), flush };
}

/** Level and format of a server's log. */
export function logOptions({ loaded, watched }: Io): LogOptions {
  // People read a terminal, programs the rest.
  return { level: loaded.config.logLevel, format: watched ? "logfmt" : "json" };
}
