/**
 * A bounded memo of what the store says about a credential. It forgets everything when the store's generation
 * changes, so that what another process changes holds on the next request, and the oldest entry when it is full.
 */
export class GenerationCache<Value> {
  private readonly entries = new Map<string, Value>();
  private generation = -1;

  /** @param most entries kept */
  constructor(private readonly most: number) {}

  /** What is kept under the key in this generation. */
  get(key: string, generation: number): Value | undefined {
    if (generation !== this.generation) {
      this.entries.clear();
      this.generation = generation;
    }
    return this.entries.get(key);
  }

  /** Keeps a value for the generation that the last `get` named. */
  set(key: string, value: Value): void {
    if (this.entries.size >= this.most) {
      for (const oldest of this.entries.keys()) {
        this.entries.delete(oldest);
        break;
      }
    }
    this.entries.set(key, value);
  }
}
