/** A bounded memo: the oldest entry gives way. Moving used ones to the front would cost more than a rare second making. */
export class BoundedCache<Key, Value> {
  private readonly entries = new Map<Key, Value>();
  private size = 0;

  /**
   * @param most total size kept
   * @param sizeOf size of a value in the same unit; by default every entry counts 1
   */
  constructor(
    private readonly most: number,
    private readonly sizeOf: (value: Value) => number = () => 1,
  ) {}

  /** The value kept under the key, made and kept when there is none. */
  getOrMake(key: Key, make: () => Value): Value {
    const kept = this.entries.get(key);
    if (kept !== undefined) return kept;
    const made = make();
    this.entries.set(key, made);
    this.size += this.sizeOf(made);
    for (const [oldest, value] of this.entries) {
      if (this.size <= this.most) break;
      this.entries.delete(oldest);
      this.size -= this.sizeOf(value);
    }
    return made;
  }
}
