/** A seeded source of choices: the same seed produces the same document on every machine. */
export interface Random {
  /** An integer from `low` to `high`, inclusive. */
  int(low: number, high: number): number;
  /** True with probability `share`. */
  chance(share: number): boolean;
  /** One item of a nonempty list. */
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T;
  /** A new list with the same items in a different order. */
  shuffle<T>(list: readonly T[]): T[];
}

/** Creates a source of choices from a seed (mulberry32: 32 bits of state, no dependency). */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    int,
    chance: (share) => next() < share,
    pick: (list) => {
      const found = list[int(0, list.length - 1)];
      if (found === undefined) throw new Error("Cannot pick from an empty list");
      return found;
    },
    shuffle: (list) => {
      const out = [...list];
      for (let i = out.length - 1; i > 0; i--) {
        const j = int(0, i);
        const a = out[i];
        const b = out[j];
        if (a === undefined || b === undefined) continue;
        out[i] = b;
        out[j] = a;
      }
      return out;
    },
  };
}
