import type { Runtime } from "../runtime.ts";
import type { ServiceError, WindowState } from "../errors.ts";
import type { Journal } from "./journal.ts";
import {
  type Counted,
  QUOTAS,
  type Quotas,
  type RateLimiter,
  WINDOW_SECONDS,
  type WindowKind,
  type WindowSpec,
  windowById,
  windowFull,
  windowOf,
  windowState,
} from "./limits.ts";
import { SlidingLog } from "./sliding-log.ts";

const WINDOW_MS = WINDOW_SECONDS * 1000;

/** Windows held at the same time before newcomers share some: 10 MB where each holds one request. */
const MAX_WINDOWS = 50_000;

/** Windows that newcomers share when there are too many. */
const SHARED_WINDOWS = 4096;

/**
 * All rate limits of this process: at most the quota in any 60 seconds, exactly. They live in memory, timed by the
 * clock that never goes back (setting the machine's clock neither locks out nor opens up), and go to disk through
 * the journal with the next commit or within a second.
 */
export class RateLimits implements RateLimiter {
  // Two generations, each as long as a window: what is used moves to the young one, and what nobody used for a whole
  // generation is empty and dropped with it. Taking single entries off a Map's front costs JSC a walk (domain/cache.ts).
  private young = new Map<string, SlidingLog>();
  private old = new Map<string, SlidingLog>();
  private youngSinceMs: number;
  private timer: ReturnType<typeof setTimeout> | null = null;
  /** Until then some window that is shared may hold requests. */
  private sharedUntilMs = Number.NEGATIVE_INFINITY;
  private readonly max: number;
  private readonly quotas: Quotas;

  /** @param options.most windows held at the same time; newcomers beyond that share some, so nobody gets more than a quota */
  constructor(
    private readonly runtime: Pick<Runtime, "monotonic">,
    private readonly journal: Journal | null,
    options: { max?: number; quotas?: Quotas } = {},
  ) {
    this.youngSinceMs = runtime.monotonic();
    this.max = options.max ?? MAX_WINDOWS;
    this.quotas = options.quotas ?? QUOTAS;
    journal?.load((id, atMs) => {
      const spec = windowById(this.quotas, id);
      if (spec !== undefined) this.logOf(spec, atMs).add(atMs, spec.quota);
    });
  }

  acquire(kind: WindowKind, who: string, counted: Counted): WindowState {
    const spec = windowOf(this.quotas, kind, who, counted);
    this.journal?.catchUp();
    const nowMs = this.runtime.monotonic();
    const log = this.logOf(spec, nowMs);
    if (log.count(nowMs) >= spec.quota) throw windowFull(stateOf(spec, log, nowMs));
    log.add(nowMs, spec.quota);
    this.journal?.note(spec.id, nowMs);
    return stateOf(spec, log, nowMs);
  }

  refusalOf(kind: WindowKind, who: string, counted: Counted): ServiceError | undefined {
    const spec = windowOf(this.quotas, kind, who, counted);
    const nowMs = this.runtime.monotonic();
    const log = this.young.get(spec.id) ?? this.old.get(spec.id);
    return log === undefined || log.count(nowMs) < spec.quota
      ? undefined
      : windowFull(stateOf(spec, log, nowMs));
  }

  /** A window as it stands; counts nothing. */
  stateOf(kind: WindowKind, who: string, counted: Counted): WindowState {
    const spec = windowOf(this.quotas, kind, who, counted);
    const nowMs = this.runtime.monotonic();
    return stateOf(spec, this.logOf(spec, nowMs), nowMs);
  }

  /** Notes a request that was let in elsewhere, whether or not it fits here. */
  note(spec: WindowSpec, atMs: number): void {
    this.logOf(spec, atMs).add(atMs, spec.quota);
  }

  /** RateLimits held now. */
  get size(): number {
    return this.young.size + this.old.size;
  }

  private logOf(spec: WindowSpec, nowMs: number): SlidingLog {
    this.ageGenerations(nowMs);
    const young = this.young.get(spec.id);
    if (young !== undefined) return young;
    const id = this.idFor(spec.id, nowMs);
    const log = this.old.get(id) ?? this.young.get(id) ?? new SlidingLog();
    this.old.delete(id);
    this.young.set(id, log);
    this.dropInTime();
    return log;
  }

  /** After a crowd has left nobody may come for long: what it filled is dropped all the same. */
  private dropInTime(): void {
    if (this.timer !== null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.ageGenerations(this.runtime.monotonic());
      if (this.size > 0) this.dropInTime();
    }, WINDOW_MS);
    this.timer.unref();
  }

  private idFor(id: string, nowMs: number): string {
    if (this.old.has(id)) return id;
    const crowded = this.size >= this.max;
    if (!crowded && this.sharedUntilMs <= nowMs) return id;
    // The kind stays in front: kinds differ in their quotas.
    const shared = `${id.slice(0, id.search(/[:+]/) + 1)}shared-${Bun.hash.crc32(id) % SHARED_WINDOWS}`;
    const log = this.young.get(shared) ?? this.old.get(shared);
    // Who has requests in a shared window goes on there, or the two together would hold more than a quota.
    if (!crowded && (log === undefined || log.count(nowMs) === 0)) return id;
    this.sharedUntilMs = nowMs + WINDOW_MS;
    return shared;
  }

  private ageGenerations(nowMs: number): void {
    if (nowMs - this.youngSinceMs < WINDOW_MS) return;
    // After two windows without any request nothing that is held still counts.
    this.old = nowMs - this.youngSinceMs < 2 * WINDOW_MS ? this.young : new Map();
    this.young = new Map();
    this.youngSinceMs = nowMs;
  }
}

function stateOf(spec: WindowSpec, log: SlidingLog, nowMs: number): WindowState {
  return windowState(spec, log.count(nowMs), log.untilOldestLeaves(nowMs));
}
