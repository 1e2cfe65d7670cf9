/**
 * The times of the requests in one window, exactly: a ring of at most `quota` of them. A request fits when fewer
 * than `quota` lie in the window that ends now, so no window of that length ever holds more, wherever it begins.
 */
export class SlidingLog {
  private times: number[] = [];
  private head = 0;
  private length = 0;
  private capacity = 0;

  constructor(
    private readonly quota: number,
    private readonly windowMs: number,
  ) {}

  /** Requests in the window that ends now. */
  count(nowMs: number): number {
    const from = nowMs - this.windowMs;
    while (this.length > 0 && (this.times[this.head] ?? 0) <= from) {
      this.head = (this.head + 1) % this.capacity;
      this.length -= 1;
    }
    return this.length;
  }

  /**
   * Notes a request, whether or not it fits: a full log lets its oldest go. One that is older than the last (another
   * process counted it) stays as long as the last one does.
   */
  add(atMs: number): void {
    if (this.length === this.capacity) {
      if (this.length < this.quota) this.grow();
      else {
        this.times[this.head] = atMs;
        this.head = (this.head + 1) % this.capacity;
        return;
      }
    }
    this.times[(this.head + this.length) % this.capacity] = atMs;
    this.length += 1;
  }

  /** Milliseconds until the oldest request leaves the window; 0 when there is none. Call `count` first. */
  untilOldestLeaves(nowMs: number): number {
    return this.length === 0 ? 0 : (this.times[this.head] ?? 0) + this.windowMs - nowMs;
  }

  private grow(): void {
    if (this.head > 0) this.times = [...this.times.slice(this.head), ...this.times.slice(0, this.head)];
    this.head = 0;
    this.capacity = Math.min(this.quota, Math.max(4, this.capacity * 2));
  }
}
