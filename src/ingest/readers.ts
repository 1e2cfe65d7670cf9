import type { Known } from "../reader/pipeline.ts";
import type { ParsedFiling } from "../reader/parsed.ts";
import type { Reading } from "./reading.ts";
import type { WorkerAnswer, WorkerRequest } from "./worker.ts";

/** Threads that read documents and write snapshots, so that serving goes on at full speed meanwhile. */
export interface Readers extends Disposable {
  /**
   * Reads one document; waits for a free thread. Never rejects: a thread that dies or takes too long
   * gives a refusal with the reason `internal`.
   */
  read(bytes: Uint8Array<ArrayBuffer>, known: Known): Promise<ParsedFiling>;
  /** Joins readings to the snapshot in use, as `commitReadings` does. Rejects when it fails or takes too long. */
  commit(dataDir: string, readings: readonly Reading[]): Promise<void>;
}

interface Seat {
  worker: Worker;
  finish: ((answer: WorkerAnswer) => void) | null;
}

/** Longest time for one document. The slowest real one takes a few seconds on a busy machine. */
const LONGEST_MS = 120_000;

/**
 * Starts threads when they are first needed.
 *
 * @param threads how many documents are read at a time
 */
export function createReaders(threads: number, longestMs = LONGEST_MS): Readers {
  const seats: Seat[] = [];
  const waiting: ((seat: Seat) => void)[] = [];
  const free: Seat[] = [];

  function open(): Seat {
    const seat: Seat = { worker: new Worker(workerAddress()), finish: null };
    seat.worker.addEventListener("message", ({ data }: MessageEvent<WorkerAnswer>) => seat.finish?.(data));
    seat.worker.addEventListener("error", (event) => {
      event.preventDefault();
      fail(seat, event.message);
    });
    seats.push(seat);
    return seat;
  }

  /** The thread is given up; what it was reading is refused. */
  function fail(seat: Seat, why: string): void {
    seats.splice(seats.indexOf(seat), 1);
    seat.worker.terminate();
    seat.finish?.({ kind: "failed", why });
  }

  function take(): Promise<Seat> {
    const seat = free.pop() ?? (seats.length < threads ? open() : undefined);
    if (seat !== undefined) return Promise.resolve(seat);
    const { promise, resolve } = Promise.withResolvers<Seat>();
    waiting.push(resolve);
    return promise;
  }

  function giveBack(seat: Seat): void {
    const alive = seats.includes(seat) ? seat : undefined;
    const next = waiting.shift();
    if (next !== undefined) next(alive ?? open());
    else if (alive !== undefined) free.push(alive);
  }

  async function ask(request: WorkerRequest): Promise<WorkerAnswer> {
    const seat = await take();
    const { promise, resolve } = Promise.withResolvers<WorkerAnswer>();
    seat.finish = resolve;
    const timer = setTimeout(() => fail(seat, `took longer than ${longestMs / 1000} seconds`), longestMs);
    seat.worker.postMessage(request);
    const answer = await promise;
    clearTimeout(timer);
    seat.finish = null;
    giveBack(seat);
    return answer;
  }

  return {
    async read(bytes, known) {
      const answer = await ask({ kind: "read", bytes, known });
      return answer.kind === "parsed"
        ? answer.parsed
        : refused(answer.kind === "failed" ? answer.why : "no answer");
    },
    async commit(dataDir, readings) {
      const answer = await ask({ kind: "commit", dataDir, readings });
      if (answer.kind === "failed") throw new Error(answer.why);
    },
    [Symbol.dispose]() {
      for (const seat of seats.splice(0)) seat.worker.terminate();
    },
  };
}

/** In the executable every module has the same address, and the worker's entry stands below it by its path in `src`. */
function workerAddress(): string {
  const compiled = /\$bunfs|~BUN/.test(import.meta.url);
  return new URL(compiled ? "./ingest/worker.ts" : "./worker.ts", import.meta.url).href;
}

function refused(why: string): ParsedFiling {
  return {
    status: "refused",
    reason: "internal",
    reasonDetail: `The reader stopped on this document: ${why}`,
    facts: {
      form: null,
      accession: null,
      cik: null,
      companyName: null,
      filingDate: null,
      fiscalYearEnd: null,
      ticker: null,
    },
    regime: null,
    rows: [],
    offices: [],
    problems: [],
    tables: [],
  };
}
