/** Words of names, and which names have them. */
import { upperBound } from "./binary-search.ts";
import { grouped, type Groups } from "./groups.ts";
import { MIN_MISTAKEN, NearWords, placeOf } from "./near-words.ts";
import { Numbering } from "./numbering.ts";

/** Finds names, which are numbered from 0, by how their words begin. */
export class WordBook {
  /** Ascending. */
  private readonly words: readonly string[];
  /** By word the names that have it. */
  private readonly owners: Groups;
  private readonly nearWords: NearWords;
  /** The words of each name in one, each behind a line feed, and where each begins. */
  private readonly together: string;
  private readonly begins: Int32Array;
  /** How many of the words sought each name has, in their order. */
  private readonly had: Uint8Array;

  /** @param names the words of each, folded */
  constructor(names: readonly (readonly string[])[]) {
    const numbers = new Numbering();
    const [of, owners]: [number[], number[]] = [[], []];
    names.forEach((words, owner) => {
      for (const word of words) {
        of.push(numbers.of(word));
        owners.push(owner);
      }
    });
    this.words = numbers.words.toSorted();
    this.nearWords = new NearWords(this.words);
    const places = new Int32Array(this.words.length);
    this.words.forEach((word, place) => (places[numbers.of(word)] = place));
    const sorted = Int32Array.from(of, (number) => places[number] ?? 0);
    this.owners = grouped(sorted, Int32Array.from(owners), this.words.length);
    const lines = names.map((words) => `\n${words.join("")}`);
    let end = 0;
    this.begins = Int32Array.from(lines, (line) => (end += line.length) - line.length);
    this.together = lines.join("");
    this.had = new Uint8Array(names.length);
  }

  /**
   * Names that have a word beginning with each of those sought.
   * @param forgiving words one typing mistake away count too
   */
  having(sought: readonly string[], forgiving: boolean): Int32Array {
    const { had } = this;
    const { first, members } = this.owners;
    had.fill(0);
    let found: number[] = [];
    for (let step = 0; step < sought.length; step++) {
      found = [];
      const word = sought[step] ?? "";
      const mistaken = forgiving && word.length >= MIN_MISTAKEN ? this.near(word) : [];
      for (const [from, to] of [this.beginning(word), ...mistaken]) {
        const end = first[to] ?? 0;
        for (let at = first[from] ?? 0; at < end; at++) {
          const name = members[at] ?? 0;
          if (had[name] !== step) continue;
          had[name] = step + 1;
          found.push(name);
        }
      }
      if (found.length === 0) break;
    }
    return Int32Array.from(found);
  }

  /** Names whose words, written without spaces, begin so. */
  *beginningTogether(prefix: string): Generator<number> {
    const line = `\n${prefix}`;
    for (let at = this.together.indexOf(line); at >= 0; at = this.together.indexOf(line, at + 1)) {
      yield upperBound(this.begins, at) - 1;
    }
  }

  /** Places of the words that begin so: from the first to before the second. */
  private beginning(prefix: string): readonly [number, number] {
    // No letter of a folded word is behind this one.
    return [placeOf(this.words, prefix), placeOf(this.words, `${prefix}\uffff`)];
  }

  private near(word: string): (readonly [number, number])[] {
    return this.nearWords.near(word).map((known) => {
      const place = placeOf(this.words, known);
      return [place, place + 1] as const;
    });
  }
}
