import type { ServiceError, WindowState } from "../../errors.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/open.ts";
import {
  type Counted,
  type Quotas,
  type RateLimiter,
  WINDOW_SECONDS,
  windowFull,
  type WindowKind,
  windowOf,
  type WindowSpec,
  windowState,
} from "./limits.ts";
import { Journal } from "./journal.ts";
import { RateLimits } from "./rate-limits.ts";

/** A service's decision about one request. */
export interface CountResult {
  /** Whether the request was counted; otherwise the window was full. */
  granted: boolean;
  /** Requests in the window, including this one if counted. */
  used: number;
  untilOldestLeavesMs: number;
}

/** An external service that counts requests across servers. */
export interface WindowService {
  name: "valkey" | "postgresql";
  /** Maximum concurrent round trips; requests that arrive meanwhile share the next one. */
  maxUnderWay: number;
  /** A service that takes longer counts as lost, and is not awaited again until it has recovered. */
  maxWaitMs: number;
  /**
   * Counts requests in their windows, in order. Rejects if the service is unreachable; some
   * requests may have been counted.
   */
  acquire(requests: readonly Pick<WindowSpec, "id" | "quota">[]): Promise<readonly CountResult[]>;
  /** Reconnects; rejects while the service does not answer. */
  connect(): Promise<void>;
  close(): void;
}

export interface SharedRateLimitsDeps {
  /** In order of preference: the first one that answers counts. */
  services: readonly WindowService[];
  /** This process's windows, used when no service answers. */
  local: Pick<RateLimits, "acquire" | "refusalOf" | "note">;
  quotas: Quotas;
  runtime: Pick<Runtime, "monotonic">;
  /** @param error why the service was lost; null when it has recovered */
  onChange(service: WindowService["name"], error: unknown): void;
}

/** A request that waits for the verdict of a service. */
interface Call {
  kind: WindowKind;
  who: string;
  counted: Counted;
  spec: WindowSpec;
  askedMs: number;
  /** The window in this process, if it has been counted there. */
  local: WindowState | null;
  resolve(window: WindowState): void;
  reject(refused: unknown): void;
}

/** Maximum number of requests per round trip. */
const MAX_BATCH = 256;
const RETRY_MS = 500;
/** Maximum number of full windows remembered. */
const MAX_FULL = 50_000;

/**
 * Rate limits across servers: exact while a service counts. While none does, each process counts on its own, starting
 * from what it admitted before; for one window after recovery, both counts must agree. No caller gets more than the
 * quota per server.
 */
export class SharedRateLimits implements RateLimiter {
  private waiting: Call[] = [];
  private underWay = 0;
  private readonly lost = new Set<WindowService>();
  /** Full windows, and until when: a full window counts nothing until its oldest request expires. */
  private readonly fullUntilMs = new Map<string, number>();
  private agreeUntilMs = Number.NEGATIVE_INFINITY;
  private isClosed = false;

  constructor(private readonly deps: SharedRateLimitsDeps) {
    for (const service of deps.services) {
      service.connect().catch((error: unknown) => this.lose(service, error));
    }
  }

  async acquire(kind: WindowKind, who: string, counted: Counted): Promise<WindowState> {
    const refused = this.refusalOf(kind, who, counted);
    if (refused !== undefined) throw refused;
    if (!this.isAnyUp) return this.deps.local.acquire(kind, who, counted);
    const spec = windowOf(this.deps.quotas, kind, who, counted);
    const askedMs = this.deps.runtime.monotonic();
    // Counted here before asking: concurrent requests would otherwise not see each other.
    const local = askedMs < this.agreeUntilMs ? this.deps.local.acquire(kind, who, counted) : null;
    const { promise, resolve, reject } = Promise.withResolvers<WindowState>();
    this.waiting.push({ kind, who, counted, spec, askedMs, local, resolve, reject });
    // Not a microtask: those run between two requests of one turn, and would not batch any.
    if (this.waiting.length === 1) setImmediate(() => this.askAll());
    return promise;
  }

  /** Known locally: a window that a service reported full or, after an outage, one that is full in this process. */
  refusalOf(kind: WindowKind, who: string, counted: Counted): ServiceError | undefined {
    const nowMs = this.deps.runtime.monotonic();
    const spec = windowOf(this.deps.quotas, kind, who, counted);
    const untilMs = this.fullUntilMs.get(spec.id);
    if (untilMs !== undefined) {
      if (untilMs > nowMs) return windowFull(windowState(spec, spec.quota, untilMs - nowMs));
      this.fullUntilMs.delete(spec.id);
    }
    const isOwnAsked = !this.isAnyUp || nowMs < this.agreeUntilMs;
    return isOwnAsked ? this.deps.local.refusalOf(kind, who, counted) : undefined;
  }

  /** The services by name, and whether each is reachable. */
  get up(): ReadonlyMap<WindowService["name"], boolean> {
    return new Map(this.deps.services.map((service) => [service.name, !this.lost.has(service)]));
  }

  close(): void {
    this.isClosed = true;
    for (const service of this.deps.services) service.close();
  }

  private get isAnyUp(): boolean {
    return this.lost.size < this.deps.services.length;
  }

  private askAll(): void {
    const service = this.deps.services.find((one) => !this.lost.has(one));
    const places = (service?.maxUnderWay ?? Number.POSITIVE_INFINITY) - this.underWay;
    for (let place = 0; place < places && this.waiting.length > 0; place += 1) {
      this.underWay += 1;
      void this.askBatch(this.waiting.splice(0, MAX_BATCH));
    }
  }

  private async askBatch(batch: readonly Call[]): Promise<void> {
    await this.ask(batch);
    this.underWay -= 1;
    if (this.waiting.length > 0) this.askAll();
  }

  private async ask(batch: readonly Call[]): Promise<void> {
    for (const service of this.deps.services) {
      if (this.lost.has(service)) continue;
      try {
        const verdicts = await within(service.maxWaitMs, service.acquire(batch.map(({ spec }) => spec)));
        for (const [at, one] of batch.entries()) this.settle(one, verdicts[at]);
        return;
      } catch (error) {
        this.lose(service, error);
      }
    }
    for (const { kind, who, counted, local, resolve, reject } of batch) {
      try {
        resolve(local ?? this.deps.local.acquire(kind, who, counted));
      } catch (refused) {
        reject(refused);
      }
    }
  }

  private settle({ spec, askedMs, local, resolve, reject }: Call, result: CountResult | undefined): void {
    if (result === undefined) throw new Error("fewer verdicts than requests");
    const { granted, used, untilOldestLeavesMs } = result;
    const window = windowState(spec, used, untilOldestLeavesMs);
    if (granted) {
      if (local === null) this.deps.local.note(spec.id, askedMs);
      return resolve(window);
    }
    if (this.fullUntilMs.size >= MAX_FULL) this.fullUntilMs.clear();
    // Measured from before the request was counted, so that no caller is refused here longer than by the service.
    this.fullUntilMs.set(spec.id, askedMs + untilOldestLeavesMs);
    reject(windowFull(window));
  }

  private lose(service: WindowService, error: unknown): void {
    if (this.isClosed || this.lost.has(service)) return;
    this.lost.add(service);
    this.deps.onChange(service.name, error);
    const retry = () =>
      setTimeout(() => {
        if (this.isClosed) return;
        within(service.maxWaitMs, service.connect()).then(() => this.regain(service), retry);
      }, RETRY_MS).unref();
    retry();
  }

  private regain(service: WindowService): void {
    this.lost.delete(service);
    this.agreeUntilMs = this.deps.runtime.monotonic() + WINDOW_SECONDS * 1000;
    this.deps.onChange(service.name, null);
  }
}

/** A service's answer, or an error after `maxWaitMs`. */
async function within<T>(maxWaitMs: number, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new Error(`no answer in ${maxWaitMs} ms`));
  // If this process was busy, an answer may be waiting to be read; let it be read before giving up.
  const timer = setTimeout(() => setImmediate(giveUp), maxWaitMs);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Opens the configured rate limits. */
export function openRateLimits(
  /** Services shared by several servers; if empty, this process counts and persists to its store. */
  { quotas, services }: Pick<SharedRateLimitsDeps, "quotas" | "services">,
  runtime: Runtime,
  /** Where this process persists its own windows; null if shared services count. */
  store: SqliteStore | null,
  onChange: SharedRateLimitsDeps["onChange"],
): RateLimiter & Pick<SharedRateLimits, "up" | "close"> {
  if (services.length === 0) {
    const journal = store === null ? null : new Journal(store, runtime);
    const local = new RateLimits(runtime, journal, { quotas });
    return Object.assign(local, { up: new Map(), close: () => {} });
  }
  const local = new RateLimits(runtime, null, { quotas });
  return new SharedRateLimits({ services, local, quotas, runtime, onChange });
}
