/** Words of names, and which names have them. */
import { groupedInTurns, type Groups } from "./groups.ts";
import { sortedInTurns } from "./in-turns.ts";
import { MIN_MISTAKEN, NearWords, placeOf } from "./near-words.ts";
import { Numbering } from "./numbering.ts";

/** What a book is made of: see the fields of `WordBook`. */
interface BookContents {
  words: readonly string[];
  nearWords: NearWords;
  owners: Groups;
  together: readonly string[];
}

/** Finds names, which are numbered from 0, by how their words begin. */
export class WordBook {
  /** Ascending. */
  private readonly words: readonly string[];
  /** By word the names that have it. */
  private readonly owners: Groups;
  private readonly nearWords: NearWords;
  /** The words of each name in one and its number behind a line feed, ascending. */
  private readonly together: readonly string[];
  /** How many of the words sought each name has, in their order. */
  private readonly had: Uint8Array;

  constructor(contents: BookContents) {
    this.words = contents.words;
    this.nearWords = contents.nearWords;
    this.owners = contents.owners;
    this.together = contents.together;
    this.had = new Uint8Array(contents.together.length);
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
      for (const [from, to] of [beginning(this.words, word), ...mistaken]) {
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
    const [from, to] = beginning(this.together, prefix);
    for (let place = from; place < to; place++) {
      const line = this.together[place] ?? "";
      yield Number(line.slice(line.indexOf("\n") + 1));
    }
  }

  private near(word: string): (readonly [number, number])[] {
    return this.nearWords.near(word).map((known) => {
      const place = placeOf(this.words, known);
      return [place, place + 1] as const;
    });
  }
}

/** Places of the ascending texts that begin so: from the first to before the second. */
function beginning(texts: readonly string[], prefix: string): readonly [number, number] {
  // No letter of a folded word is behind this one.
  return [placeOf(texts, prefix), placeOf(texts, `${prefix}\uffff`)];
}

/** Words that are looked up at a time: 1 ms; placing a number takes a sixteenth. */
const AT_A_TIME = 4096;

/** Gathers names for a book, name by name. */
export class NameWords {
  private readonly numbers = new Numbering();
  /** Of each word of each name the word's number, and whose it is. */
  private readonly of: number[] = [];
  private readonly owners: number[] = [];
  private readonly together: string[] = [];

  /** The next name. @param words folded */
  add(words: readonly string[]): void {
    const owner = this.together.length;
    for (const word of words) {
      this.of.push(this.numbers.of(word));
      this.owners.push(owner);
    }
    this.together.push(`${words.join("")}\n${owner}`);
  }

  /** The book of all of them. */
  *book(): Generator<void, WordBook> {
    const words = yield* sortedInTurns(this.numbers.words);
    const places = new Int32Array(words.length);
    for (let place = 0; place < words.length; place++) {
      places[this.numbers.of(words[place] ?? "")] = place;
      if (place % AT_A_TIME === 0) yield;
    }
    const sorted = new Int32Array(this.of.length);
    for (let at = 0; at < sorted.length; at++) {
      sorted[at] = places[this.of[at] ?? 0] ?? 0;
      if (at % (AT_A_TIME * 16) === 0) yield;
    }
    yield;
    const members = new Int32Array(this.owners);
    yield;
    const owners = yield* groupedInTurns(sorted, members, words.length);
    yield;
    const together = yield* sortedInTurns(this.together);
    const nearWords = yield* NearWords.of(words);
    return new WordBook({ words, nearWords, owners, together });
  }
}
