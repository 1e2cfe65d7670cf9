import { elementAt } from "../../lib/checked-access.ts";
import type { Runtime } from "../../runtime.ts";
import { ServiceError, type WindowState } from "../../errors.ts";
import { Delayed } from "../../store/store.ts";
import type { Journal } from "./journal.ts";
import {
  type Counted,
  QUOTAS,
  type Quotas,
  type RateLimiter,
  WINDOW_SECONDS,
  type WindowKind,
  type WindowSpec,
  windowFull,
  windowOf,
  windowState,
} from "./limits.ts";

const WINDOW_MS = WINDOW_SECONDS * 1000;

/** Maximum number of windows before new ones share: 10 MB with one request each. */
const MAX_WINDOWS = 50_000;

/** Number of windows shared by newcomers when there are too many. */
const SHARED_WINDOWS = 4096;

/**
 * All rate limits of this process, exact in any 60 seconds. They are kept in memory on the monotonic clock, so that
 * setting the machine's clock neither blocks nor admits requests, and are written to disk through the
 * journal within a second.
 */
export class RateLimits implements RateLimiter {
  // Two generations, each as long as a window. Used windows move to the young one; windows unused for a whole
  // generation are empty and are dropped with it. Deleting single entries from the front of a Map is slow in JSC
  // (lib/cache.ts).
  private young = new Map<string, SlidingLog>();
  private old = new Map<string, SlidingLog>();
  private youngSinceMs: number;
  /** Drops the windows of a crowd even if no further requests come. */
  private readonly dropping: Delayed = new Delayed(WINDOW_MS, () => {
    this.ageGenerations(this.runtime.monotonic());
    if (this.size > 0) this.dropping.schedule();
  });
  /** Until then, shared windows may contain requests. */
  private sharedUntilMs = Number.NEGATIVE_INFINITY;

  /** @param options.max maximum number of windows; beyond it, newcomers share some, so that none exceeds its quota */
  constructor(
    private readonly runtime: Pick<Runtime, "monotonic">,
    private readonly journal: Journal | null,
    private readonly options: { max?: number; quotas?: Quotas } = {},
  ) {
    this.youngSinceMs = runtime.monotonic();
    journal?.load((id, atMs) => this.note(id, atMs));
  }

  acquire(kind: WindowKind, who: string, counted: Counted): WindowState {
    const spec = windowOf(this.options.quotas ?? QUOTAS, kind, who, counted);
    this.journal?.catchUp();
    const nowMs = this.runtime.monotonic();
    const log = this.logOf(spec.id, nowMs);
    if (log.count(nowMs) >= spec.quota) throw windowFull(stateOf(spec, log, nowMs));
    log.add(nowMs);
    this.journal?.note(spec.id, nowMs);
    return stateOf(spec, log, nowMs);
  }

  refusalOf(kind: WindowKind, who: string, counted: Counted): ServiceError | undefined {
    const spec = windowOf(this.options.quotas ?? QUOTAS, kind, who, counted);
    const nowMs = this.runtime.monotonic();
    const log = this.young.get(spec.id) ?? this.old.get(spec.id);
    return log === undefined || log.count(nowMs) < spec.quota
      ? undefined
      : windowFull(stateOf(spec, log, nowMs));
  }

  /** Records a request admitted elsewhere, even if it does not fit here. */
  note(id: string, atMs: number): void {
    this.logOf(id, atMs).add(atMs);
  }

  /** Number of windows in memory. */
  get size(): number {
    return this.young.size + this.old.size;
  }

  private logOf(id: string, nowMs: number): SlidingLog {
    this.ageGenerations(nowMs);
    const young = this.young.get(id);
    if (young !== undefined) return young;
    const logId = this.idFor(id, nowMs);
    const log = this.old.get(logId) ?? this.young.get(logId) ?? new SlidingLog();
    this.old.delete(logId);
    this.young.set(logId, log);
    this.dropping.schedule();
    return log;
  }

  private idFor(id: string, nowMs: number): string {
    if (this.old.has(id)) return id;
    const crowded = this.size >= (this.options.max ?? MAX_WINDOWS);
    if (!crowded && this.sharedUntilMs <= nowMs) return id;
    // Keep the kind in front, because quotas differ by kind.
    const shared = `${id.slice(0, id.search(/[:+]/) + 1)}shared-${Bun.hash.crc32(id) % SHARED_WINDOWS}`;
    const log = this.young.get(shared) ?? this.old.get(shared);
    // Callers with requests in a shared window stay there, or both windows together would exceed the quota.
    if (!crowded && (log === undefined || log.count(nowMs) === 0)) return id;
    this.sharedUntilMs = nowMs + WINDOW_MS;
    return shared;
  }

  private ageGenerations(nowMs: number): void {
    if (nowMs - this.youngSinceMs < WINDOW_MS) return;
    // After two windows without any requests, nothing counts any more.
    this.old = nowMs - this.youngSinceMs < 2 * WINDOW_MS ? this.young : new Map();
    this.young = new Map();
    this.youngSinceMs = nowMs;
  }
}

function stateOf(spec: WindowSpec, log: SlidingLog, nowMs: number): WindowState {
  return windowState(spec, log.count(nowMs), log.untilRoom(spec.quota, nowMs));
}

/**
 * An exact sliding window: the times of its requests, oldest first. A request is allowed if fewer than the quota lie
 * within the window ending now, so no window of that length ever contains more. One older than the last (counted by
 * another process) expires together with the last one.
 */
class SlidingLog {
  private times: number[] = [];
  /** Number of times that have expired, in front. They are dropped when they are half: quotas may be in the millions. */
  private expired = 0;

  /** Number of requests in the window ending now. */
  count(nowMs: number): number {
    const { times } = this;
    while (this.expired < times.length && elementAt(times, this.expired) <= nowMs - WINDOW_MS)
      this.expired += 1;
    if (this.expired * 2 > times.length) {
      this.times = times.slice(this.expired);
      this.expired = 0;
    }
    return this.times.length - this.expired;
  }

  /** Adds a request, even if it does not fit. */
  add(atMs: number): void {
    this.times.push(atMs);
  }

  /** Milliseconds until the oldest request of a quota expires; 0 if there is none. Call `count` first. */
  untilRoom(quota: number, nowMs: number): number {
    const oldest = this.times[Math.max(this.expired, this.times.length - quota)];
    return oldest === undefined ? 0 : oldest + WINDOW_MS - nowMs;
  }
}

/** Requests other than REST, facts and MCP, which have their own limits. */
export type AddressLimit = "page" | "picture" | "form" | "oauth";

/**
 * Requests per address in any 60 seconds, and the number of windows beyond which newcomers share some. A form may involve
 * a password hash, a page or document takes rendering, and drawing a picture takes 30 times as long as a page.
 */
const LIMITS: Readonly<Record<AddressLimit, { anon: number; max: number }>> = {
  page: { anon: 300, max: 10_000 },
  picture: { anon: 30, max: 2000 },
  form: { anon: QUOTAS.form, max: 2000 },
  oauth: { anon: QUOTAS.oauth, max: 2000 },
};

/**
 * Rate limits on pages, documents, forms and OAuth endpoints. Kept in memory only, because they protect the machine
 * rather than enforce a price. Forms and OAuth, which are targets of guessing and mass registration, are counted across
 * servers if shared limits are configured.
 */
export class AddressLimits {
  private readonly limits: ReadonlyMap<string, RateLimits>;

  /** @param shared counts across servers; null if each counts on its own */
  constructor(
    runtime: Pick<Runtime, "monotonic">,
    private readonly shared: RateLimiter | null,
  ) {
    const limits = Object.entries(LIMITS).map(
      ([limit, { anon, max }]) =>
        [limit, new RateLimits(runtime, null, { max, quotas: { ...QUOTAS, anon } })] as const,
    );
    this.limits = new Map(limits);
  }

  /** Counts a request from an address. Refuses with `rate_limited` beyond the limit. */
  async acquire(limit: AddressLimit, address: string): Promise<void> {
    try {
      if (this.shared === null || limit === "page" || limit === "picture")
        this.limits.get(limit)?.acquire("anon", address, "calls");
      else await this.shared.acquire(limit, address, "calls");
    } catch (refused) {
      // `RateLimit` headers describe API calls, which these windows do not count.
      if (refused instanceof ServiceError) delete refused.details.window;
      throw refused;
    }
  }
}

/** The limit that a route declares; by default that of pages. */
interface Limited {
  readonly limit?: "oauth" | "drawn";
}

/** Whether a picture is drawn: a chart or link picture unless it asks for text. A workbook takes as long to make. */
function isDrawn({ limit }: Limited, searchParams: URLSearchParams): boolean {
  const format = searchParams.get("format")?.toLowerCase() ?? (limit === "drawn" ? "png" : "");
  return format === "png" || format === "xlsx";
}

/** The limit that a request counts in. @param route undefined where there is none */
export function addressLimitOf(
  route: Limited = {},
  method: string,
  { searchParams }: Pick<URL, "searchParams">,
): AddressLimit {
  if (route.limit === "oauth") return "oauth";
  if (method !== "GET" && method !== "HEAD") return "form";
  return isDrawn(route, searchParams) ? "picture" : "page";
}
