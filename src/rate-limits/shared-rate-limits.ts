import type { MaybePromise } from "../domain/maybe-promise.ts";
import type { ServiceError, WindowState } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
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
import type { RateLimits } from "./rate-limits.ts";

/** What a service said of one request. */
export interface Verdict {
  /** Whether it was counted; else the window was full. */
  granted: boolean;
  /** Requests in the window, this one included where it was counted. */
  used: number;
  untilOldestLeavesMs: number;
}

/** Something outside this process that counts the requests of all servers. */
export interface WindowService {
  name: "valkey" | "postgresql";
  /** Round trips that are under way at the same time; what comes meanwhile shares the next one. */
  maxUnderWay: number;
  /** One that takes longer is lost: until it is back nobody waits for it again. */
  maxWaitMs: number;
  /** Counts requests, each in its window, in order. Rejects where it cannot be asked; some may be counted then. */
  acquire(requests: readonly Pick<WindowSpec, "id" | "quota">[]): Promise<readonly Verdict[]>;
  /** Connects anew; rejects as long as it does not answer. */
  connect(): Promise<void>;
  close(): void;
}

/** What the windows of several servers are made of. */
export interface SharedRateLimitsDeps {
  /** Asked in this order: the first that answers counts. */
  services: readonly WindowService[];
  /** The windows of this process, which count when no service answers. */
  own: Pick<RateLimits, "acquire" | "refusalOf" | "note" | "stateOf">;
  quotas: Quotas;
  runtime: Pick<Runtime, "monotonic">;
  /** @param error why it was lost; null when it is back */
  onChange(service: WindowService["name"], error: unknown): void;
}

interface Asked {
  kind: WindowKind;
  who: string;
  counted: Counted;
  spec: WindowSpec;
  askedMs: number;
  /** Counted in this process already. */
  isNoted: boolean;
  resolve(window: WindowState): void;
  reject(refused: unknown): void;
}

/** Requests of one turn that are asked about in one round trip. */
const MAX_BATCH = 256;
const RETRY_MS = 500;
/** Windows of which it is remembered how long they stay full. */
const MAX_FULL = 50_000;

/**
 * The windows of several servers: exact over all of them as long as a service counts. While none does this process counts
 * by itself, from what it let in before, and for one window after that both have to agree: never more than a quota a
 * server.
 */
export class SharedRateLimits implements RateLimiter {
  private waiting: Asked[] = [];
  private underWay = 0;
  private readonly lost = new Set<WindowService>();
  /** Full windows and until when: a full one counts nothing until its oldest request leaves, whoever asks. */
  private readonly fullUntilMs = new Map<string, number>();
  private agreeUntilMs = Number.NEGATIVE_INFINITY;
  private isClosed = false;

  constructor(private readonly deps: SharedRateLimitsDeps) {
    for (const service of deps.services) {
      service.connect().catch((error: unknown) => this.lose(service, error));
    }
  }

  acquire(kind: WindowKind, who: string, counted: Counted): MaybePromise<WindowState> {
    const refused = this.refusalOf(kind, who, counted);
    if (refused !== undefined) throw refused;
    if (!this.isAnyUp) return this.deps.own.acquire(kind, who, counted);
    const spec = windowOf(this.deps.quotas, kind, who, counted);
    const askedMs = this.deps.runtime.monotonic();
    // Before it is asked: of many requests at the same time none is noted yet when the last one asks.
    const isNoted = askedMs < this.agreeUntilMs;
    if (isNoted) this.deps.own.acquire(kind, who, counted);
    const { promise, resolve, reject } = Promise.withResolvers<WindowState>();
    this.waiting.push({ kind, who, counted, spec, askedMs, isNoted, resolve, reject });
    // Not a microtask: those run between two requests of one turn and would never gather any.
    if (this.waiting.length === 1) setImmediate(() => this.askAll());
    return promise;
  }

  /** Known without asking: a window that a service called full, or, after none answered, one that is full here. */
  refusalOf(kind: WindowKind, who: string, counted: Counted): ServiceError | undefined {
    const nowMs = this.deps.runtime.monotonic();
    const spec = windowOf(this.deps.quotas, kind, who, counted);
    const untilMs = this.fullUntilMs.get(spec.id);
    if (untilMs !== undefined) {
      if (untilMs > nowMs) return windowFull(windowState(spec, spec.quota, untilMs - nowMs));
      this.fullUntilMs.delete(spec.id);
    }
    const isOwnAsked = !this.isAnyUp || nowMs < this.agreeUntilMs;
    return isOwnAsked ? this.deps.own.refusalOf(kind, who, counted) : undefined;
  }

  /** Whether a service counts; by its name. */
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

  private async askBatch(asked: readonly Asked[]): Promise<void> {
    await this.ask(asked);
    this.underWay -= 1;
    if (this.waiting.length > 0) this.askAll();
  }

  private async ask(asked: readonly Asked[]): Promise<void> {
    for (const service of this.deps.services) {
      if (this.lost.has(service)) continue;
      try {
        const verdicts = await within(service.maxWaitMs, service.acquire(asked.map(({ spec }) => spec)));
        for (const [at, one] of asked.entries()) this.settle(one, verdicts[at]);
        return;
      } catch (error) {
        this.lose(service, error);
      }
    }
    for (const { kind, who, counted, isNoted, resolve, reject } of asked) {
      try {
        const own = this.deps.own;
        resolve(isNoted ? own.stateOf(kind, who, counted) : own.acquire(kind, who, counted));
      } catch (refused) {
        reject(refused);
      }
    }
  }

  private settle({ spec, askedMs, isNoted, resolve, reject }: Asked, verdict: Verdict | undefined): void {
    if (verdict === undefined) throw new Error("fewer verdicts than requests");
    const { granted, used, untilOldestLeavesMs } = verdict;
    const window = windowState(spec, used, untilOldestLeavesMs);
    if (granted) {
      if (!isNoted) this.deps.own.note(spec, askedMs);
      return resolve(window);
    }
    if (this.fullUntilMs.size >= MAX_FULL) this.fullUntilMs.clear();
    // From when it was asked, which is before it was counted: nobody is refused here for longer than there.
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

/** What a service answers in time. */
async function within<T>(maxWaitMs: number, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new Error(`no answer in ${maxWaitMs} ms`));
  // An answer that came while this process was busy is read first: it is the service that is waited for.
  const timer = setTimeout(() => setImmediate(giveUp), maxWaitMs);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
