import { ServiceError } from "../../errors.ts";
import { readBody } from "../../http/bodies.ts";

/** Limits on concurrent requests. */
export interface InFlightLimits {
  /** Requests are not counted by address up to this total. */
  quiet: number;
  /** Limit per address once counted; for IPv6 per /48, which one customer of a provider may have. */
  perAddress: number;
  /** Limit in total. */
  total: number;
}

/**
 * With bodies of at most 64 KiB in memory (`memoryBody` of `http/bodies.ts`), 1,024 clients that never read hold 64 MB. One address
 * never exceeds 512, which leaves room for others.
 */
const LIMITS: InFlightLimits = { quiet: 256, perAddress: 256, total: 1024 };

/** `Retry-After` of a refusal, in seconds. */
const RETRY_SECONDS = 1;

/**
 * What the listener knows about its requests; `Bun.serve` has no hooks for connections or for the end of a response.
 */
export interface PendingRequests {
  /** The address at the other end of a request's connection. */
  peerOf(request: Request): string;
  /** Number of requests whose response has not been handed to the kernel, including those whose body is awaited. */
  pending(): number;
  /** Whether a request was answered completely, or abandoned by the client. */
  isFinished(request: Request): boolean;
}

/**
 * Counts concurrent requests, including responses that have not been read. It does not wrap responses: counting outgoing
 * bytes would copy each of them.
 */
export class InFlight {
  private readonly held = new Map<string, Request[]>();
  private counted = 0;

  constructor(
    private readonly listener: Pick<PendingRequests, "pending" | "isFinished">,
    private readonly limits: InFlightLimits = LIMITS,
  ) {}

  get size(): number {
    return this.counted;
  }

  /**
   * Counts a request until it is over. Refuses with `rate_limited` if its address has too many, with `unavailable` if
   * there are too many in total.
   */
  enter(address: string, request: Request): void {
    const { limits, held } = this;
    const all = this.listener.pending();
    if (all <= limits.quiet) return;
    const details = { retryAfterSeconds: RETRY_SECONDS };
    if (all > limits.total)
      throw new ServiceError("unavailable", "The server is busy. Try again in a second.", details);
    // At most `total` requests are in flight, so at least half of those counted are over.
    if (this.counted >= 2 * limits.total) for (const [each, requests] of held) this.openOf(each, requests);
    const who = siteOf(address);
    let own = held.get(who) ?? [];
    if (own.length >= limits.perAddress) own = this.openOf(who, own);
    if (own.length >= limits.perAddress)
      throw new ServiceError(
        "rate_limited",
        `${limits.perAddress} requests from this address are under way, which is the limit. Read their answers first.`,
        details,
      );
    own.push(request);
    this.counted += 1;
    held.set(who, own);
  }

  /** Prunes a holder's finished requests, and returns the others. */
  private openOf(who: string, requests: readonly Request[]): Request[] {
    const open = requests.filter((request) => !this.listener.isFinished(request));
    this.counted += open.length - requests.length;
    if (open.length === 0) this.held.delete(who);
    else this.held.set(who, open);
    return open;
  }
}

/** Whom a request counts for: its address or, for an IPv6 network from `clientAddress`, its /48. */
function siteOf(address: string): string {
  return address.includes(":") ? address.split(":", 3).join(":") : address;
}

/**
 * Limits on bodies that have not arrived. A head costs its sender 200 bytes and holds a request open for as long as its
 * body takes, so bodies have a deadline and a budget of their own: a request is in flight once its body is there.
 */
export interface BodyLimits {
  /** Time from a request's head to the end of its body. */
  deadlineMs: number;
  /** A body that is awaited this long gives way to others where there are too many; a younger one may be on its way. */
  patienceMs: number;
  /** Bodies awaited from one address (IPv6: /48), and from all. Beyond that the oldest of them are refused. */
  perAddress: number;
  total: number;
}

const BODY_LIMITS: BodyLimits = { deadlineMs: 10_000, patienceMs: 1000, perAddress: 64, total: 512 };

/** However young, at most this many times as many are awaited. */
const HARD = 4;

/** Bodies of a declared length up to this are read before anybody asks, so that they count only until they arrive. */
const READ_AT_ONCE_BYTES = 64 * 1024;

interface Unread {
  site: string;
  timer: ReturnType<typeof setTimeout>;
  refuse(refused: ServiceError): void;
}

/** Whether a request announces a body. @see RFC 9112 section 6.3 */
export function hasBody({ headers }: Request): boolean {
  const declared = headers.get("content-length");
  return (declared !== null && declared !== "0") || headers.has("transfer-encoding");
}

/** Keeps track of the bodies that are awaited. */
export class UnreadBodies {
  /** Oldest first. */
  private readonly unread = new Map<Request, Unread>();
  private readonly bySite = new Map<string, Set<Request>>();
  /** Whether the hard limits are checked at the end of this turn, when bodies that came with their heads have been read. */
  private isChecking = false;
  private isWatching = false;

  constructor(private readonly limits = BODY_LIMITS) {}

  get size(): number {
    return this.unread.size;
  }

  /**
   * Awaits the body of a request, from its head on.
   *
   * @param isStreamed whether its surface reads it by pieces
   * @returns a reader of the body, to be called while it is awaited; refuses like `readBody`, and with `slow_body`
   */
  enter(request: Request, address: string, isStreamed: boolean) {
    const { deadlineMs } = this.limits;
    const site = siteOf(address);
    const own = this.bySite.get(site) ?? new Set();
    const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
    refused.catch(() => {});
    const late = () => this.refuse(request, `The body did not arrive within ${deadlineMs / 1000} s.`);
    const timer = setTimeout(late, deadlineMs);
    timer.unref();
    const isShort = Number(request.headers.get("content-length") ?? Infinity) <= READ_AT_ONCE_BYTES;
    const whole = isShort && !isStreamed ? readBody(request, READ_AT_ONCE_BYTES) : null;
    const leave = () => this.leave(request);
    whole?.then(leave, leave);
    this.unread.set(request, { site, timer, refuse });
    this.bySite.set(site, own.add(request));
    if (!this.isWatching && this.isOver(own, 1)) this.watch();
    if (this.isOver(own, HARD)) this.checkHard();
    return async (maxBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
      const isLonger = Number(request.headers.get("content-length") ?? 0) > maxBytes;
      if (isLonger) return readBody(request, maxBytes);
      try {
        return await Promise.race([refused, whole ?? readBody(request, maxBytes)]);
      } finally {
        leave();
      }
    };
  }

  private checkHard(): void {
    if (this.isChecking) return;
    this.isChecking = true;
    setImmediate(() => {
      this.isChecking = false;
      this.trim(HARD, this.unread);
    });
  }

  /** Stops waiting: the body has arrived, or the request has been answered without it. */
  leave(request: Request): void {
    const unread = this.unread.get(request);
    if (unread === undefined) return;
    clearTimeout(unread.timer);
    this.unread.delete(request);
    const own = this.bySite.get(unread.site);
    own?.delete(request);
    if (own?.size === 0) this.bySite.delete(unread.site);
  }

  private isOver({ size }: ReadonlySet<Request>, times: number): boolean {
    return size > this.limits.perAddress * times || this.unread.size > this.limits.total * times;
  }

  /** Refuses, after a while, the oldest of whoever has too many: those that have been awaited since now. */
  private watch(): void {
    this.isWatching = true;
    const old = new Set(this.unread.keys());
    const timer = setTimeout(() => {
      this.isWatching = false;
      this.trim(1, old);
      if ([...this.bySite.values()].some((own) => this.isOver(own, 1))) this.watch();
    }, this.limits.patienceMs);
    timer.unref();
  }

  private trim(times: number, among: { has(request: Request): boolean }): void {
    const refuseOldest = (requests: Iterable<Request>, count: number) => {
      for (const oldest of [...requests].slice(0, Math.max(0, count)))
        if (among.has(oldest)) this.refuse(oldest, "Too many bodies were awaited at once. Try again.");
    };
    const perAddress = this.limits.perAddress * times;
    for (const own of this.bySite.values())
      if (own.size > perAddress) refuseOldest(own, own.size - perAddress);
    refuseOldest(this.unread.keys(), this.unread.size - this.limits.total * times);
  }

  private refuse(request: Request, message: string): void {
    const unread = this.unread.get(request);
    this.leave(request);
    unread?.refuse(new ServiceError("slow_body", message));
  }
}
