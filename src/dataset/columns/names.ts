/** Finds names by their words. */
import { int32At, valueAt } from "../../lib/checked-access.ts";
import { foldedWords } from "../../domain/selection.ts";
import { includes, byGroup, Numbering, type Numbers, countBefore, numberAt } from "../arrays.ts";
import { BoundedCache } from "../../lib/cache.ts";

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
    private readonly owners: { first: Numbers<Int32Array>; members: Numbers<Int32Array> },
  ) {}

  /** The names that contain all of the words, which must be folded. */
  having(terms: readonly string[]): readonly number[] {
    const [rarest = new Int32Array(0), ...others] = terms
      .map((word) => this.namesWith(word))
      .sort((a, b) => a.length - b.length);
    return Array.from(rarest).filter((owner) => others.every((list) => includes(list, owner)));
  }

  /** The names that have a word for each typed one; if `forgiving`, also words with one typing error. */
  typed(words: readonly TypedWord[], forgiving: boolean): readonly number[] {
    const [fewest = new Set<number>(), ...more] = words
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
    const found = new Set<number>(this.ownersOf(from, to));
    const mistaken = forgiving && begins.length >= MIN_MISTAKEN ? this.near(begins) : [];
    for (const other of [...equals, ...mistaken]) for (const owner of this.namesWith(other)) found.add(owner);
    return found;
  }

  private namesWith(word: string): Int32Array {
    const place = this.words.find(word);
    return place < 0 ? this.ownersOf(0, 0) : this.ownersOf(place, place + 1);
  }

  private ownersOf(from: number, to: number): Int32Array {
    const { first, members } = this.owners;
    return members.slice(numberAt(first, from), numberAt(first, to));
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
  const group = Int32Array.from(words, (number) => int32At(places, number));
  return new WordIndex(texts, byGroup(group, Int32Array.from(owners), texts.length));
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const LINE_FEED = 10;
/** Texts that are kept: look-ups begin with the same ones. Without, a misspelled name takes half as long again. */
const PROBED = 4096;

/** Texts by index. They must not contain line feeds. */
export class PackedTexts {
  private readonly probed = new BoundedCache<number, string>(PROBED);

  /** @param begins the start of each text, and after the last one its end plus one */
  constructor(
    private readonly bytes: Numbers<Uint8Array>,
    private readonly begins: Numbers<Int32Array>,
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
    const { begins } = this;
    return decoder.decode(this.bytes.slice(numberAt(begins, place), numberAt(begins, place + 1) - 1));
  }

  /**
   * The texts that differ from one by a typing error, ascending. Follows the text letter by letter to the texts that begin as
   * it does, and looks up what each letter in the next one's place would give. Requires ascending texts.
   */
  near(text: string): string[] {
    const found = new Set<string>();
    const look = (mistaken: string, from: number, to: number) => {
      if (mistaken !== text && this.find(mistaken, from, to) >= 0) found.add(mistaken);
    };
    let [from, to] = [0, this.length];
    for (let at = 0; at <= text.length && from < to; at++) {
      const [before, next, second] = [text.slice(0, at), text.charAt(at), text.charAt(at + 1)];
      look(before + text.slice(at + 1), from, to);
      look(before + second + next + text.slice(at + 2), from, to);
      for (let first = from; first < to;) {
        const begins = this.at(first).slice(0, at + 1);
        const [, end] = begins.length > at ? this.beginning(begins, first, to) : [first, first + 1];
        for (const rest of [at, at + 1]) look(begins + text.slice(rest), first, end);
        first = end;
      }
      [from, to] = this.beginning(before + next, from, to);
    }
    return [...found].sort();
  }

  /** The places of the texts that begin with a prefix; the end is exclusive. Requires ascending texts. */
  beginning(prefix: string, from = 0, to = this.length): readonly [from: number, to: number] {
    // Sorts behind every letter of a folded word.
    return [this.placeOf(prefix, from, to), this.placeOf(`${prefix}\uffff`, from, to)];
  }

  /** Index of a text, or -1. Requires ascending texts. */
  find(text: string, from = 0, to = this.length): number {
    const place = this.placeOf(text, from, to);
    return place < to && this.at(place) === text ? place : -1;
  }

  private placeOf(text: string, from: number, to: number): number {
    const textAt = (place: number) => this.probed.getOrMake(place, () => this.at(place));
    return from + countBefore(to - from, (place) => textAt(from + place) < text);
  }
}

/** The texts in ascending order, and the new index of each. @param texts without duplicates */
export function packAscending(texts: readonly string[]): { texts: PackedTexts; places: Int32Array } {
  const ascending = texts.toSorted();
  const numbers = new Map(ascending.map((text, place) => [text, place]));
  return {
    texts: PackedTexts.of(ascending),
    places: Int32Array.from(texts, (text) => valueAt(numbers, text)),
  };
}
