import quickselect from "quickselect";

/**
 * The first of many numbers in an order, equal ones ascending: each that can be among them is kept, and those that no longer
 * can are let go of now and then. They have to come ascending.
 */
export class First {
  /** Only one whose key times the sign is lower can still be among the first. */
  below = Infinity;
  private readonly kept: number[] = [];
  private readonly room: number;

  /** @param count how many are wanted @param sign 1: lowest key first, -1: highest */
  constructor(
    private readonly count: number,
    private readonly key: (one: number) => number,
    private readonly sign: number,
  ) {
    // Little room is cut often and early, when a cut shuts out most.
    this.room = Math.max(4 * count, 256);
  }

  /** One that may be among them: its key times the sign is below `below`. */
  keep(one: number): void {
    if (this.kept.push(one) === this.room) this.cut();
  }

  /** Those that are first, in their order. */
  sorted(): number[] {
    this.cut();
    return this.kept.sort((a, b) => this.compare(a, b));
  }

  private cut(): void {
    const { kept, count } = this;
    if (kept.length <= count) return;
    quickselect(kept, count - 1, 0, kept.length - 1, (a, b) => this.compare(a, b));
    kept.length = count;
    this.below = this.sign * this.key(kept[count - 1] ?? 0);
  }

  private compare(a: number, b: number): number {
    return this.sign * (this.key(a) - this.key(b)) || a - b;
  }
}
