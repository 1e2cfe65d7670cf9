/**
 * A bounded cache of store results about credentials. It is cleared when the store's generation changes, so that
 * changes by other processes apply to the next request. When the younger half is full, the older half is dropped.
 */
export class GenerationCache<Value> {
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();
  private generation = -1;

  /** @param max maximum number of entries */
  constructor(private readonly max: number) {}

  /** The value cached in this generation. */
  get(key: string, generation: number): Value | undefined {
    if (generation !== this.generation) {
      this.young = new Map();
      this.old = new Map();
      this.generation = generation;
    }
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const old = this.old.get(key);
    if (old !== undefined) this.keep(key, old);
    return old;
  }

  /** Caches a value read in a generation, unless a new one has started since. */
  set(key: string, value: Value, generation: number): void {
    if (generation === this.generation) this.keep(key, value);
  }

  /** Caches a value known to be current, such as one that this process has just written. */
  keep(key: string, value: Value): void {
    if (this.young.size >= this.max / 2) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }
}
