/**
 * Values to be written with the next commit. While that is in progress, newer values wait for the following one; values
 * of a failed commit are queued again.
 */
export class WriteBehind<Key, Value> {
  private waiting = new Map<Key, Value>();
  private underWay = new Map<Key, Value>();

  /** @param merge combines a failed value with a newer one; by default the newer one wins */
  constructor(private readonly merge: (failed: Value, newer: Value) => Value = (_failed, newer) => newer) {}

  /** The pending value; only changed through `set` and by whoever set it. */
  get(key: Key): Value | undefined {
    return this.waiting.get(key);
  }

  set(key: Key, value: Value): void {
    this.waiting.set(key, value);
  }

  delete(key: Key): void {
    this.waiting.delete(key);
  }

  get size(): number {
    return this.waiting.size;
  }

  /** The pending values by key. */
  entries(): IterableIterator<[Key, Value]> {
    return this.waiting.entries();
  }

  /** Takes the pending values, inside the transaction of a commit. @param max maximum number, oldest first */
  take(max = Number.POSITIVE_INFINITY): ReadonlyMap<Key, Value> {
    const all = this.waiting;
    this.waiting = new Map();
    this.underWay = all.size > max ? new Map() : all;
    if (all.size > max) {
      for (const [key, value] of all) {
        (this.underWay.size < max ? this.underWay : this.waiting).set(key, value);
      }
    }
    return this.underWay;
  }

  /** Reports the outcome of that commit. */
  settled(error: unknown): void {
    const { underWay } = this;
    this.underWay = new Map();
    if (error === null) return;
    for (const [key, value] of underWay) {
      const newer = this.waiting.get(key);
      this.waiting.set(key, newer === undefined ? value : this.merge(value, newer));
    }
  }
}
