/** An index of the words of names. */
import { groupedInTurns, type Groups } from "./groups.ts";
import { sortedInTurns } from "./in-turns.ts";
import { MIN_MISTAKEN, NearWords, placeOf } from "./near-words.ts";
import { Numbering } from "./numbering.ts";

/** The parts of a book; see the fields of `WordBook`. */
interface BookContents {
  words: readonly string[];
  nearWords: NearWords;
  owners: Groups;
  together: readonly string[];
}

/** Finds names, numbered from 0, by prefixes of their words. */
export class WordBook {
  /** Ascending. */
  private readonly words: readonly string[];
  /** The names that contain each word. */
  private readonly owners: Groups;
  private readonly nearWords: NearWords;
  /** The words of each name without spaces, followed by a line feed and the name's number; ascending. */
  private readonly together: readonly string[];
  /** How many of the searched words each name matches so far. */
  private readonly had: Uint8Array;

  constructor(contents: BookContents) {
    this.words = contents.words;
    this.nearWords = contents.nearWords;
    this.owners = contents.owners;
    this.together = contents.together;
    this.had = new Uint8Array(contents.together.length);
  }

  /**
   * Names that contain, for each searched word, a word beginning with it.
   * @param forgiving words with one typing error match too
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

  /** Names whose words, written without spaces, begin with a prefix. */
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

/** The range of ascending texts that begin with a prefix; the end is exclusive. */
function beginning(texts: readonly string[], prefix: string): readonly [number, number] {
  // Every letter of a folded word sorts before this character.
  return [placeOf(texts, prefix), placeOf(texts, `${prefix}\uffff`)];
}

/** Words looked up per slice, 1 ms; storing a number takes a sixteenth of a look-up. */
const AT_A_TIME = 4096;

/** Collects names one by one and builds a `WordBook`. */
export class NameWords {
  private readonly numbers = new Numbering();
  /** For each word of each name: the number of the word, and its name in `owners`. */
  private readonly of: number[] = [];
  private readonly owners: number[] = [];
  private readonly together: string[] = [];

  /** Adds the next name. @param words folded */
  add(words: readonly string[]): void {
    const owner = this.together.length;
    for (const word of words) {
      this.of.push(this.numbers.of(word));
      this.owners.push(owner);
    }
    this.together.push(`${words.join("")}\n${owner}`);
  }

  /** Builds the book, in slices. */
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
