/** Work that holds up nobody: in slices of a few milliseconds, between which the event loop has its turn. */

/** A value that is made once, by whoever needs it first. Making it is a generator that yields after each slice. */
export class MadeInTurns<T> {
  private slices: Generator<void, T> | undefined;
  private made: { value: T } | undefined;
  private making: Promise<void> | undefined;

  constructor(private readonly begin: () => Generator<void, T>) {}

  /** The value. Where it is not there, what is left of making it is done at once. */
  now(): T {
    while (this.made === undefined) this.slice();
    return this.made.value;
  }

  /** Undefined where the value is there; else it is made, for all who wait, and this resolves. Rejects where that fails: the next who asks begins anew. */
  ready(): Promise<void> | undefined {
    if (this.made !== undefined) return undefined;
    if (this.making === undefined) {
      this.making = this.makeInTurns().finally(() => (this.making = undefined));
      // Whoever asked may have gone.
      this.making.catch(() => {});
    }
    return this.making;
  }

  private async makeInTurns(): Promise<void> {
    while (this.made === undefined) {
      await turn();
      // It may have been finished meanwhile.
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

/** Texts that are sorted at a time, and that are merged at a time: 1 ms each. */
const SORTED_AT_A_TIME = 2048;
const MERGED_AT_A_TIME = 8192;

/** Texts by code unit, ascending, as `toSorted()` has them. */
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
