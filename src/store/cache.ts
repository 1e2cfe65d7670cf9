/**
 * A bounded memo of what the store says about a credential. It forgets everything when the store's generation
 * changes, so that what another process changes holds on the next request. Bounded by two halves, of which the older
 * one is dropped whole when the younger one is full.
 */
export class GenerationCache<Value> {
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();
  private generation = -1;

  /** @param most entries kept */
  constructor(private readonly max: number) {}

  /** What is kept under the key in this generation. */
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

  /** Keeps a value that was found in a generation, unless another one has begun meanwhile. */
  set(key: string, value: Value, generation: number): void {
    if (generation === this.generation) this.keep(key, value);
  }

  /** Keeps what is known to be so just now, such as what this process has written itself. */
  keep(key: string, value: Value): void {
    if (this.young.size >= this.max / 2) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }
}
