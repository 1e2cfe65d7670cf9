import { isOneEditApart } from "../domain/nearest.ts";
import { countBefore } from "./binary-search.ts";

/** Shorter words are matched exactly. */
export const MIN_MISTAKEN = 4;

const WORDS_A_SLICE = 8192;

/** Finds words that differ by one typing error, without checking all words: an error leaves the first or the last letter intact. */
export class NearWords {
  private readonly byLast = new Map<string, string[]>();

  private constructor(private readonly words: readonly string[]) {}

  /** Built in slices of 1 ms. @param words ascending by code unit, without duplicates */
  static *of(words: readonly string[]): Generator<void, NearWords> {
    const made = new NearWords(words);
    for (let place = 0; place < words.length; place++) {
      const word = words[place] ?? "";
      const last = word.at(-1) ?? "";
      const alike = made.byLast.get(last);
      if (alike === undefined) made.byLast.set(last, [word]);
      else alike.push(word);
      if (place % WORDS_A_SLICE === 0) yield;
    }
    return made;
  }

  /** @param word at least `MIN_MISTAKEN` letters */
  near(word: string): string[] {
    const { words } = this;
    const first = word[0] ?? "";
    const found: string[] = [];
    for (let place = placeOf(words, first); words[place]?.[0] === first; place++) {
      const known = words[place] ?? "";
      if (isOneEditApart(word, known)) found.push(known);
    }
    for (const known of this.byLast.get(word.at(-1) ?? "") ?? []) {
      if (known[0] !== first && isOneEditApart(word, known)) found.push(known);
    }
    return found;
  }
}

/** The number of ascending words that sort before a text. */
export function placeOf(words: readonly string[], text: string): number {
  return countBefore(words.length, (place) => (words[place] ?? "") < text);
}
