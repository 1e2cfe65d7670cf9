import { type ParsedFiling, refusedFiling } from "../reader/parsed-filing.ts";
import type { GivenFacts } from "../reader/pipeline.ts";
import { workerAddress } from "../threads.ts";
import type { IngestedFiling } from "./ingested-filing.ts";

interface Slot {
  worker: Worker;
  finish: ((answer: WorkerAnswer) => void) | null;
}

/** Timeout for one document. The slowest real one takes a few seconds on a busy machine. */
const MAX_MS = 120_000;

/** Threads that read documents and write snapshots, so that they do not slow down serving; started when they are needed. */
export class WorkerPool {
  private readonly slots = new Set<Slot>();
  private readonly free = new Set<Slot>();
  private readonly waiting: ((slot: Slot) => void)[] = [];

  /** @param threads how many documents are read concurrently */
  constructor(
    private readonly threads: number,
    private readonly maxMs = MAX_MS,
  ) {}

  /**
   * Reads one document; waits for a free thread. Never rejects: if a thread crashes or takes too long, returns a refusal
   * with the reason `internal`.
   */
  async read(bytes: Uint8Array<ArrayBuffer>, given: GivenFacts): Promise<ParsedFiling> {
    const answer = await this.ask({ kind: "read", bytes, given });
    if (answer.kind === "parsed") return answer.parsed;
    const why = answer.kind === "failed" ? answer.why : "no answer";
    return refusedFiling("internal", `The reader stopped on this document: ${why}`);
  }

  /** Commits parsed filings to the snapshot in use, like `commitFilings`. Rejects if it fails or takes too long. */
  async commit(dataDir: string, filings: readonly IngestedFiling[]): Promise<void> {
    const answer = await this.ask({ kind: "commit", dataDir, filings });
    if (answer.kind === "failed") throw new Error(answer.why);
  }

  [Symbol.dispose](): void {
    for (const { worker } of this.slots) worker.terminate();
    this.slots.clear();
    this.free.clear();
  }

  private async ask(request: WorkerRequest): Promise<WorkerAnswer> {
    const slot = await this.acquire();
    const { promise, resolve } = Promise.withResolvers<WorkerAnswer>();
    slot.finish = resolve;
    const tooLong = `took longer than ${this.maxMs / 1000} seconds`;
    const timer = setTimeout(() => this.fail(slot, tooLong), this.maxMs);
    slot.worker.postMessage(request);
    const answer = await promise;
    clearTimeout(timer);
    slot.finish = null;
    this.release(slot);
    return answer;
  }

  private acquire(): Slot | Promise<Slot> {
    const [idle] = this.free;
    const slot = idle ?? (this.slots.size < this.threads ? this.open() : undefined);
    if (slot !== undefined) {
      this.free.delete(slot);
      return slot;
    }
    const { promise, resolve } = Promise.withResolvers<Slot>();
    this.waiting.push(resolve);
    return promise;
  }

  private release(slot: Slot): void {
    const isAlive = this.slots.has(slot);
    const next = this.waiting.shift();
    if (next !== undefined) next(isAlive ? slot : this.open());
    else if (isAlive) this.free.add(slot);
  }

  private open(): Slot {
    const slot: Slot = { worker: new Worker(workerAddress("ingest/worker")), finish: null };
    slot.worker.addEventListener("message", ({ data }: MessageEvent<WorkerAnswer>) => slot.finish?.(data));
    slot.worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.fail(slot, event.message);
    });
    this.slots.add(slot);
    return slot;
  }

  /** Gives up a thread and fails its current request. No effect if called again. */
  private fail(slot: Slot, why: string): void {
    this.slots.delete(slot);
    this.free.delete(slot);
    slot.worker.terminate();
    slot.finish?.({ kind: "failed", why });
  }
}

/** A request to a worker. */
export type WorkerRequest =
  | { kind: "read"; bytes: Uint8Array; given: GivenFacts }
  | { kind: "commit"; dataDir: string; filings: readonly IngestedFiling[] };

/** A worker's answer. */
export type WorkerAnswer =
  { kind: "parsed"; parsed: ParsedFiling } | { kind: "committed" } | { kind: "failed"; why: string };
