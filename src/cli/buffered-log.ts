/** The log of a server, written in pieces. */
import { createLog, type Log, type LogOptions } from "../log.ts";
import type { Runtime } from "../runtime.ts";
import type { Io } from "./command.ts";

/** Lines are handed on together, this often at most, and when so many bytes wait. */
const FLUSH_MS = 50;
const FLUSH_BYTES = 64 * 1024;

/**
 * A log whose lines go out together: one write for all requests of a moment instead of one each. They wait as bytes: texts
 * that are kept for 50 ms are what the garbage collector has most to do with.
 */
export function bufferedLog(
  runtime: Runtime,
  options: LogOptions,
  write: (lines: string) => void,
): Log & { flush(): void } {
  const bytes = Buffer.allocUnsafeSlow(FLUSH_BYTES);
  let used = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (used > 0) write(bytes.toString("utf8", 0, used - 1));
    used = 0;
  };
  const add = (line: string) => {
    // A character is at most three bytes; the last one is the line's end.
    if (used + line.length * 3 + 1 > FLUSH_BYTES) flush();
    if (line.length * 3 + 1 > FLUSH_BYTES) return write(line);
    used += bytes.write(line, used);
    bytes[used] = LINE_FEED;
    used += 1;
    timer ??= setTimeout(flush, FLUSH_MS);
  };
  const log = createLog(runtime, add, options);
  return { ...log, flush };
}

const LINE_FEED = 10;

/** How a server's log is written. */
export function logOptions({ loaded, watched }: Io): LogOptions {
  const { logLevel: level, logFormat } = loaded.config;
  return { level, format: logFormat === "auto" ? (watched ? "logfmt" : "json") : logFormat };
}
