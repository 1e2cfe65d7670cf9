/** The log of a server, written in batches. */
import { createLog, type Log, type LogOptions } from "../../log.ts";
import type { Runtime } from "../../runtime.ts";
import type { Io } from "../command.ts";

/** Lines are written together at this interval, or when this many bytes are waiting. */
const FLUSH_MS = 50;
const FLUSH_BYTES = 64 * 1024;

/**
 * A log that batches its lines: one write for all requests of a moment instead of one each. Lines are buffered as bytes:
 * strings kept for 50 ms would be most of the garbage collector's work.
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
    // A UTF-16 code unit takes at most three bytes in UTF-8; one more byte is for the line feed.
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

/** Level and format of a server's log. */
export function logOptions({ loaded, watched }: Io): LogOptions {
  const { logLevel: level, logFormat } = loaded.config;
  return { level, format: logFormat === "auto" ? (watched ? "logfmt" : "json") : logFormat };
}
