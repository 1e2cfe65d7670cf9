/** Finds names by their words. */
import { foldedWords } from "../../domain/selection.ts";
import { includes } from "../binary-search.ts";
import { grouped, type Groups } from "../groups.ts";
import { Numbering } from "../numbering.ts";
import { packAscending, type PackedTexts } from "./packed.ts";

/** Shorter words are matched exactly. */
export const MIN_MISTAKEN = 4;

/** A word of a name as typed. */
export interface TypedWord {
  /** What a word of the name begins with. */
  begins: string;
  /** What it may be instead. */
  equals: readonly string[];
}

/** An index of names by their words. */
export class WordIndex {
  /**
   * @param words of the names, ascending
   * @param owners the names that contain each word
   */
  constructor(
    private readonly words: PackedTexts,
    private readonly owners: Groups,
  ) {}

  /** The names that contain all of the words, which must be folded. */
  having(terms: readonly string[]): readonly number[] {
    const [rarest = new Int32Array(0), ...others] = terms
      .map((word) => this.namesWith(word))
      .sort((a, b) => a.length - b.length);
    return Array.from(rarest).filter((owner) => others.every((list) => includes(list, owner)));
  }

  /** The names that have a word for each typed one; if `forgiving`, also words with one typing error. */
  typed(asked: readonly TypedWord[], forgiving: boolean): readonly number[] {
    const [fewest = new Set<number>(), ...more] = asked
      .map((word) => this.namesTyped(word, forgiving))
      .sort((a, b) => a.size - b.size);
    return [...fewest].filter((owner) => more.every((set) => set.has(owner)));
  }

  /** The words of names that differ from a folded word by one typing error. */
  near(word: string): string[] {
    return this.words.near(word);
  }

  private namesTyped({ begins, equals }: TypedWord, forgiving: boolean): Set<number> {
    const [from, to] = this.words.beginning(begins);
    const { first, members } = this.owners;
    const found = new Set<number>(members.subarray(first[from], first[to]));
    const mistaken = forgiving && begins.length >= MIN_MISTAKEN ? this.near(begins) : [];
    for (const other of [...equals, ...mistaken]) for (const owner of this.namesWith(other)) found.add(owner);
    return found;
  }

  private namesWith(word: string): Int32Array {
    const place = this.words.find(word);
    const { first, members } = this.owners;
    return place < 0 ? members.subarray(0, 0) : members.subarray(first[place], first[place + 1]);
  }
}

/** Indexes the words of all names. @param wordsOf their folded words */
export function wordIndex(names: readonly string[], wordsOf = foldedWords): WordIndex {
  const numbers = new Numbering();
  const [words, owners]: [number[], number[]] = [[], []];
  names.forEach((one, owner) => {
    for (const word of new Set(wordsOf(one))) {
      words.push(numbers.of(word));
      owners.push(owner);
    }
  });
  const { texts, places } = packAscending(numbers.words);
  const group = Int32Array.from(words, (number) => places[number] ?? 0);
  return new WordIndex(texts, grouped(group, Int32Array.from(owners), texts.length));
}
