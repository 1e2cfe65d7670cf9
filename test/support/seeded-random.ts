/** Reproducible randomness: the same seed produces the same values. */
export interface SeededRandom {
  /** True with probability `share`. */
  chance(share: number): boolean;
  /** A whole number from `least` to `most`, inclusive. */
  whole(min: number, max: number): number;
  /** One of the choices, of which there must be at least one. */
  pick<T>(choices: readonly T[]): T;
}

/** SeededRandom for a seed. @see mulberry32, a generator with 32 bits of state and a full period */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    chance: (share) => next() < share,
    whole,
    pick(choices) {
      const at = whole(0, choices.length - 1);
      if (choices.length === 0) throw new Error("nothing to pick from");
      // `at` is a valid index of the choices.
      return choices[at] as (typeof choices)[number];
    },
  };
}
