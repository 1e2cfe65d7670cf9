/**
 * Values that go to disk with whatever commit comes next. While that one is on its way newer values wait for the one after
 * it; those of a commit that failed wait again.
 */
export class WriteBehind<Key, Value> {
  private waiting = new Map<Key, Value>();
  private underWay = new Map<Key, Value>();

  /** @param merge what to keep where a value that failed meets a newer one; by default the newer one */
  constructor(private readonly merge: (failed: Value, newer: Value) => Value = (_failed, newer) => newer) {}

  /** What waits; changed only through `set` and by who put it in. */
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

  /** What waits, by key. */
  entries(): IterableIterator<[Key, Value]> {
    return this.waiting.entries();
  }

  /** Hands over what waits, inside the transaction of a commit. @param most of it, what has waited longest */
  take(most = Number.POSITIVE_INFINITY): ReadonlyMap<Key, Value> {
    const all = this.waiting;
    this.waiting = new Map();
    this.underWay = all.size > most ? new Map() : all;
    if (all.size > most) {
      for (const [key, value] of all) {
        (this.underWay.size < most ? this.underWay : this.waiting).set(key, value);
      }
    }
    return this.underWay;
  }

  /** How that commit ended. */
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
