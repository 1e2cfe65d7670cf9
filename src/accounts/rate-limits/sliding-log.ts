import { WINDOW_SECONDS } from "./limits.ts";

const WINDOW_MS = WINDOW_SECONDS * 1000;

/** Initial capacity of the ring. */
const MIN_PLACES = 4;

/**
 * An exact sliding window: a ring of the times of at most `quota` requests. A request is allowed if fewer than `quota`
 * lie within the window ending now, so no window of that length ever contains more.
 *
 * Most windows of a crowd contain one request, which is stored in `only`, without a ring.
 */
export class SlidingLog {
  private only = 0;
  private ring: number[] | null = null;
  private head = 0;
  private length = 0;

  /** Number of requests in the window ending now. */
  count(nowMs: number): number {
    while (this.length > 0 && this.oldest() <= nowMs - WINDOW_MS) {
      if (this.ring !== null) this.head = (this.head + 1) % this.ring.length;
      this.length -= 1;
    }
    return this.length;
  }

  /**
   * Adds a request even if it does not fit: a full log drops its oldest. A request older than the last one (counted by
   * another process) expires together with the last one.
   */
  add(atMs: number, quota: number): void {
    if (this.ring === null && (this.length === 0 || quota === 1)) {
      this.only = atMs;
      this.length = 1;
      return;
    }
    const ring = this.ringWithPlace(quota);
    ring[(this.head + this.length) % ring.length] = atMs;
    if (this.length < ring.length) this.length += 1;
    else this.head = (this.head + 1) % ring.length;
  }

  /** Milliseconds until the oldest request expires; 0 if there is none. Call `count` first. */
  untilOldestLeaves(nowMs: number): number {
    return this.length === 0 ? 0 : this.oldest() + WINDOW_MS - nowMs;
  }

  private oldest(): number {
    return this.ring === null ? this.only : (this.ring[this.head] ?? 0);
  }

  /** The ring, grown to have a free slot unless it has reached the quota. */
  private ringWithPlace(quota: number): number[] {
    const ring = this.ring ?? [this.only];
    if (this.length < ring.length || ring.length >= quota) return (this.ring = ring);
    const places = Math.min(quota, Math.max(MIN_PLACES, ring.length * 2));
    const inOrder = [...ring.slice(this.head), ...ring.slice(0, this.head)];
    this.head = 0;
    return (this.ring = [...inOrder, ...Array<number>(places - inOrder.length).fill(0)]);
  }
}
