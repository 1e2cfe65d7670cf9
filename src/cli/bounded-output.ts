/** Standard error for a process that may outlive its reader: a pipe that nobody reads costs bounded memory and holds nothing up. */

/** Where text goes: `Bun.stderr.writer()`, or a test's. */
export interface Sink {
  write(text: string): unknown;
  /** A promise while the reader is behind. */
  flush(): number | Promise<number>;
}

/** Characters that may wait for a reader. */
const MAX_WAITING = 1 << 20;

/** Text on its way to a reader. */
export interface BoundedOutput {
  /** Hands text on; what would make more than 1 MiB wait is dropped and counted. */
  write(text: string): void;
  /** Resolves when everything has gone out, or after `patienceMs`. */
  end(patienceMs: number): Promise<void>;
}

/**
 * @param sleep resolves after so many milliseconds
 */
export function boundedOutput(sink: Sink, sleep: (ms: number) => Promise<unknown>): BoundedOutput {
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
    // A reader that has gone away is nobody to tell.
    if (flushed instanceof Promise) flushing = flushed.catch(() => 0).then(caughtUp);
    else waiting = 0;
  };
  return {
    write(text) {
      if (waiting + text.length > MAX_WAITING) dropped += text.split("\n").length - 1;
      else put(text);
    },
    async end(patienceMs) {
      const flushed = flushing ?? sink.flush();
      await Promise.race([flushed, sleep(patienceMs)]);
    },
  };
}
