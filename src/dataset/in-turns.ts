/** Long computations in slices of a few milliseconds, which leave turns to the event loop. */

/** A value computed once, on first use. The computation is a generator that yields after each slice. */
export class MadeInTurns<T> {
  private slices: Generator<void, T> | undefined;
  private made: { value: T } | undefined;
  private making: Promise<void> | undefined;

  constructor(private readonly begin: () => Generator<void, T>) {}

  /** Returns the value; if it is not ready, computes the rest of it now. */
  now(): T {
    while (this.made === undefined) this.slice();
    return this.made.value;
  }

  /** Undefined if the value is ready. Otherwise computes it, shared by all callers, and resolves then. Rejects on failure; the next call starts over. */
  ready(): Promise<void> | undefined {
    if (this.made !== undefined) return undefined;
    if (this.making === undefined) {
      this.making = this.makeInTurns().finally(() => (this.making = undefined));
      // Prevents an unhandled rejection if no caller awaits it.
      this.making.catch(() => {});
    }
    return this.making;
  }

  private async makeInTurns(): Promise<void> {
    while (this.made === undefined) {
      await turn();
      // `now` may have finished it in the meantime.
      if (this.made === undefined) this.slice();
    }
  }

  private slice(): void {
    this.slices ??= this.begin();
    try {
      const { done, value } = this.slices.next();
      if (done !== true) return;
      this.made = { value };
      this.slices = undefined;
    } catch (error) {
      this.slices = undefined;
      throw error;
    }
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Texts sorted per slice, and merged per slice: 1 ms each. */
const SORTED_AT_A_TIME = 2048;
const MERGED_AT_A_TIME = 8192;

/** Sorts texts by code unit like `toSorted()`, in slices. */
export function* sortedInTurns(texts: readonly string[]): Generator<void, string[]> {
  let runs: string[][] = [];
  for (let at = 0; at < texts.length; at += SORTED_AT_A_TIME) {
    runs.push(texts.slice(at, at + SORTED_AT_A_TIME).sort());
    yield;
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(left: readonly string[], right: readonly string[]): Generator<void, string[]> {
  const merged: string[] = [];
  let [ofLeft, ofRight] = [0, 0];
  while (ofLeft < left.length || ofRight < right.length) {
    const [one, other] = [left[ofLeft], right[ofRight]];
    if (one !== undefined && (other === undefined || one <= other)) {
      merged.push(one);
      ofLeft++;
    } else if (other !== undefined) {
      merged.push(other);
      ofRight++;
    }
    if (merged.length % MERGED_AT_A_TIME === 0) yield;
  }
  return merged;
}
