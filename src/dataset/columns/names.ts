/** Finds names by their words. */
import { foldedWords } from "../../domain/selection.ts";
import { includes, grouped, type Groups, Numbering, countBefore } from "../arrays.ts";
import { isOneEditApart } from "../../domain/spellings.ts";

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
  typed(typed: readonly TypedWord[], forgiving: boolean): readonly number[] {
    const [fewest = new Set<number>(), ...more] = typed
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
    wordsOf(one).forEach((word, at, all) => {
      if (all.indexOf(word) < at) return;
      words.push(numbers.of(word));
      owners.push(owner);
    });
  });
  const { texts, places } = packAscending(numbers.words);
  const group = Int32Array.from(words, (number) => places[number] ?? 0);
  return new WordIndex(texts, grouped(group, Int32Array.from(owners), texts.length));
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const LINE_FEED = 10;
/** A character of four bytes is two letters, hence two typing errors. */
const MAX_LETTER_BYTES = 3;

/** Texts by index. They must not contain line feeds. */
export class PackedTexts {
  /** @param begins the start of each text, and after the last one its end plus one */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly begins: Int32Array,
  ) {}

  static of(texts: readonly string[]): PackedTexts {
    const bytes = encoder.encode(texts.join("\n"));
    const begins = new Int32Array(texts.length + 1);
    let place = 0;
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) begins[++place] = at + 1;
    begins[texts.length] = bytes.length + 1;
    if (place !== Math.max(texts.length - 1, 0)) throw new Error("a packed text contains a line feed");
    return new PackedTexts(bytes, begins);
  }

  get length(): number {
    return this.begins.length - 1;
  }

  at(place: number): string {
    return decoder.decode(this.bytes.subarray(this.begins[place], (this.begins[place + 1] ?? 0) - 1));
  }

  /**
   * The texts that differ by one typing error. It leaves the first letter or the last one, and the length but for one letter
   * of up to three bytes: few others are decoded.
   */
  near(text: string): string[] {
    const { bytes, begins } = this;
    const sought = encoder.encode(text);
    const [first, last] = [sought[0], sought.at(-1)];
    const found: string[] = [];
    for (let place = 0; place < this.length; place++) {
      const begin = begins[place] ?? 0;
      const end = (begins[place + 1] ?? 0) - 1;
      if (Math.abs(end - begin - sought.length) > MAX_LETTER_BYTES) continue;
      if (bytes[begin] === first || bytes[end - 1] === last) found.push(this.at(place));
    }
    return found.filter((known) => isOneEditApart(text, known));
  }

  /** The places of the texts that begin with a prefix; the end is exclusive. Requires ascending texts. */
  beginning(prefix: string): readonly [from: number, to: number] {
    const from = countBefore(this.length, (at) => this.at(at) < prefix);
    // Sorts behind every letter of a folded word.
    return [from, countBefore(this.length, (at) => this.at(at) < `${prefix}\uffff`)];
  }

  /** Index of a text, or -1. Requires ascending texts. */
  find(text: string): number {
    const place = countBefore(this.length, (at) => this.at(at) < text);
    return place < this.length && this.at(place) === text ? place : -1;
  }
}

/** The texts in ascending order, and the new index of each. @param texts without duplicates */
export function packAscending(texts: readonly string[]): { texts: PackedTexts; places: Int32Array } {
  const ascending = texts.toSorted();
  const numbers = new Map(ascending.map((text, place) => [text, place]));
  return {
    texts: PackedTexts.of(ascending),
    places: Int32Array.from(texts, (text) => numbers.get(text) ?? 0),
  };
}
