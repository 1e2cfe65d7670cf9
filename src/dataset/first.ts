import quickselect from "quickselect";

/**
 * Selects the first of many numbers in some order, with ties in ascending order. Candidates are collected, and from time to
 * time those that can no longer be among the first are discarded. Numbers must be added in ascending order.
 */
export class First {
  /** Only numbers whose key times the sign is lower than this can still be among the first. */
  below = Infinity;
  private readonly kept: number[] = [];
  private readonly room: number;

  /** @param count how many to select @param sign 1: lowest key first, -1: highest key first */
  constructor(
    private readonly count: number,
    private readonly key: (one: number) => number,
    private readonly sign: number,
  ) {
    // A small buffer is cut often and early, when a cut excludes most.
    this.room = Math.max(4 * count, 256);
  }

  /** Adds a candidate, whose key times the sign must be below `below`. */
  keep(one: number): void {
    if (this.kept.push(one) === this.room) this.cut();
  }

  /** The first numbers, in order. */
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
