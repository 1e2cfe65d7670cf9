import type { Ambient } from "../ambient.ts";
import { ServiceError, type WindowState } from "../errors.ts";
import type { Journal } from "./journal.ts";
import {
  type Counted,
  QUOTAS,
  type Quotas,
  WINDOW_SECONDS,
  type WindowKind,
  type WindowSpec,
  windowById,
  windowOf,
} from "./limits.ts";
import { SlidingLog } from "./sliding-log.ts";

const WINDOW_MS = WINDOW_SECONDS * 1000;

/** Windows held at the same time before newcomers share some. About 20 MB. */
const MOST_WINDOWS = 100_000;

/** Windows that newcomers share when there are too many. */
const SHARED_WINDOWS = 4096;

/**
 * All rate windows of this process: at most the quota in any 60 seconds, exactly. They live in memory, timed by the
 * clock that never goes back (setting the machine's clock neither locks out nor opens up), and go to disk through
 * the journal with the next commit or within a second.
 */
export class Windows {
  /** In the order of last use: the first ones are the first to be forgotten. */
  private readonly logs = new Map<string, SlidingLog>();
  private readonly most: number;
  private readonly quotas: Quotas;

  /** @param options.most windows held at the same time; newcomers beyond that share some, so nobody gets more than a quota */
  constructor(
    private readonly ambient: Pick<Ambient, "monotonic">,
    private readonly journal: Journal | null,
    options: { most?: number; quotas?: Quotas } = {},
  ) {
    this.most = options.most ?? MOST_WINDOWS;
    this.quotas = options.quotas ?? QUOTAS;
    journal?.load((id, atMs) => {
      const spec = windowById(this.quotas, id);
      if (spec !== undefined) this.logOf(spec, atMs).add(atMs);
    });
  }

  /**
   * Counts a request. Refuses with `rate_limited` when the window is full; that request is not counted.
   *
   * @param who address, key id or token id
   * @returns the window after this request
   */
  take(kind: WindowKind, who: string, counted: Counted): WindowState {
    const spec = windowOf(this.quotas, kind, who, counted);
    this.journal?.catchUp();
    const nowMs = this.ambient.monotonic();
    const log = this.logOf(spec, nowMs);
    if (log.count(nowMs) >= spec.quota) throw full(stateOf(spec, log, nowMs));
    log.add(nowMs);
    this.journal?.note(spec.id, nowMs);
    return stateOf(spec, log, nowMs);
  }

  /** Windows held now. */
  get size(): number {
    return this.logs.size;
  }

  private logOf(spec: WindowSpec, nowMs: number): SlidingLog {
    const id = this.idFor(spec.id);
    const held = this.logs.get(id);
    if (held !== undefined) {
      this.logs.delete(id);
      this.logs.set(id, held);
      return held;
    }
    this.forgetEmpty(nowMs);
    const log = new SlidingLog(spec.quota, WINDOW_MS);
    this.logs.set(id, log);
    return log;
  }

  private idFor(id: string): string {
    if (this.logs.size < this.most || this.logs.has(id)) return id;
    // The kind stays in front: kinds differ in their quotas.
    return `${id.slice(0, id.search(/[:+]/) + 1)}shared-${Bun.hash.crc32(id) % SHARED_WINDOWS}`;
  }

  private forgetEmpty(nowMs: number): void {
    for (const [id, log] of this.logs) {
      if (log.count(nowMs) > 0) return;
      this.logs.delete(id);
    }
  }
}

function stateOf({ name, quota }: WindowSpec, log: SlidingLog, nowMs: number): WindowState {
  return {
    name,
    quota,
    windowSeconds: WINDOW_SECONDS,
    remaining: quota - log.count(nowMs),
    resetSeconds: Math.max(1, Math.ceil(log.untilOldestLeaves(nowMs) / 1000)),
  };
}

function full(window: WindowState): ServiceError {
  const { quota, windowSeconds, resetSeconds } = window;
  return new ServiceError(
    "rate_limited",
    `${quota} requests in ${windowSeconds} seconds are allowed and were made. Try again in ${resetSeconds} ${resetSeconds === 1 ? "second" : "seconds"}.`,
    { retryAfterSeconds: resetSeconds, window },
  );
}
