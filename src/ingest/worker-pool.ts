import { type ParsedFiling, refusedFiling } from "../reader/parsed.ts";
import type { Known } from "../reader/pipeline.ts";
import { workerAddress } from "../worker-address.ts";
import type { IngestedFiling } from "./ingested-filing.ts";

/** Threads that read documents and write snapshots, so that they do not slow down serving. */
export interface WorkerPool extends Disposable {
  /**
   * Reads one document; waits for a free thread. Never rejects: if a thread crashes or takes too long, returns a refusal
   * with the reason `internal`.
   */
  read(bytes: Uint8Array<ArrayBuffer>, known: Known): Promise<ParsedFiling>;
  /** Commits parsed filings to the snapshot in use, like `commitFilings`. Rejects if it fails or takes too long. */
  commit(dataDir: string, filings: readonly IngestedFiling[]): Promise<void>;
}

interface Slot {
  worker: Worker;
  finish: ((answer: WorkerAnswer) => void) | null;
}

/** Timeout for one document. The slowest real one takes a few seconds on a busy machine. */
const MAX_MS = 120_000;

/**
 * Creates a pool that starts threads when they are needed.
 *
 * @param threads how many documents are read concurrently
 */
// oxlint-disable-next-line max-lines-per-function -- its methods share the workers
export function createWorkerPool(threads: number, maxMs = MAX_MS): WorkerPool {
  const slots = new Set<Slot>();
  const waiting: ((slot: Slot) => void)[] = [];
  const free = new Set<Slot>();

  function open(): Slot {
    const slot: Slot = { worker: new Worker(workerAddress("ingest/worker")), finish: null };
    slot.worker.addEventListener("message", ({ data }: MessageEvent<WorkerAnswer>) => slot.finish?.(data));
    slot.worker.addEventListener("error", (event) => {
      event.preventDefault();
      fail(slot, event.message);
    });
    slots.add(slot);
    return slot;
  }

  /** Gives up a thread and fails its current request. No effect if called again. */
  function fail(slot: Slot, why: string): void {
    slots.delete(slot);
    free.delete(slot);
    slot.worker.terminate();
    slot.finish?.({ kind: "failed", why });
  }

  function acquire(): Promise<Slot> {
    const [idle] = free;
    const slot = idle ?? (slots.size < threads ? open() : undefined);
    if (slot !== undefined) {
      free.delete(slot);
      return Promise.resolve(slot);
    }
    const { promise, resolve } = Promise.withResolvers<Slot>();
    waiting.push(resolve);
    return promise;
  }

  function release(slot: Slot): void {
    const alive = slots.has(slot) ? slot : undefined;
    const next = waiting.shift();
    if (next !== undefined) next(alive ?? open());
    else if (alive !== undefined) free.add(alive);
  }

  async function ask(request: WorkerRequest): Promise<WorkerAnswer> {
    const slot = await acquire();
    const { promise, resolve } = Promise.withResolvers<WorkerAnswer>();
    slot.finish = resolve;
    const timer = setTimeout(() => fail(slot, `took longer than ${maxMs / 1000} seconds`), maxMs);
    slot.worker.postMessage(request);
    const answer = await promise;
    clearTimeout(timer);
    slot.finish = null;
    release(slot);
    return answer;
  }

  return {
    async read(bytes, known) {
      const answer = await ask({ kind: "read", bytes, known });
      return answer.kind === "parsed"
        ? answer.parsed
        : refused(answer.kind === "failed" ? answer.why : "no answer");
    },
    async commit(dataDir, filings) {
      const answer = await ask({ kind: "commit", dataDir, filings });
      if (answer.kind === "failed") throw new Error(answer.why);
    },
    [Symbol.dispose]() {
      for (const { worker } of slots) worker.terminate();
      slots.clear();
      free.clear();
    },
  };
}

function refused(why: string): ParsedFiling {
  return refusedFiling("internal", `The reader stopped on this document: ${why}`);
}

/** Messages to and from a worker thread. */

/** A request to a worker. */
export type WorkerRequest =
  | { kind: "read"; bytes: Uint8Array; known: Known }
  | { kind: "commit"; dataDir: string; filings: readonly IngestedFiling[] };

/** A worker's answer. */
export type WorkerAnswer =
  { kind: "parsed"; parsed: ParsedFiling } | { kind: "committed" } | { kind: "failed"; why: string };
