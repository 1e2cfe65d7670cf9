import { WINDOW_SECONDS } from "./limits.ts";

const WINDOW_MS = WINDOW_SECONDS * 1000;

/** Places of a ring when it is made. */
const MIN_PLACES = 4;

/**
 * The times of the requests in one window, exactly: a ring of at most `quota` of them. A request fits when fewer
 * than `quota` lie in the window that ends now, so no window of that length ever holds more, wherever it begins.
 *
 * Most windows of a crowd hold one request: it stands in `only`, and costs no ring.
 */
export class SlidingLog {
  private only = 0;
  private ring: number[] | null = null;
  private head = 0;
  private length = 0;

  /** Requests in the window that ends now. */
  count(nowMs: number): number {
    while (this.length > 0 && this.oldest() <= nowMs - WINDOW_MS) {
      if (this.ring !== null) this.head = (this.head + 1) % this.ring.length;
      this.length -= 1;
    }
    return this.length;
  }

  /**
   * Notes a request, whether or not it fits: a full log lets its oldest go. One that is older than the last (another
   * process counted it) stays as long as the last one does.
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

  /** Milliseconds until the oldest request leaves the window; 0 when there is none. Call `count` first. */
  untilOldestLeaves(nowMs: number): number {
    return this.length === 0 ? 0 : this.oldest() + WINDOW_MS - nowMs;
  }

  private oldest(): number {
    return this.ring === null ? this.only : (this.ring[this.head] ?? 0);
  }

  /** The ring, with a free place unless it is as long as the quota. */
  private ringWithPlace(quota: number): number[] {
    const ring = this.ring ?? [this.only];
    if (this.length < ring.length || ring.length >= quota) return (this.ring = ring);
    const places = Math.min(quota, Math.max(MIN_PLACES, ring.length * 2));
    const inOrder = [...ring.slice(this.head), ...ring.slice(0, this.head)];
    this.head = 0;
    return (this.ring = [...inOrder, ...Array<number>(places - inOrder.length).fill(0)]);
  }
}
