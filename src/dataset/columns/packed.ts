/**
 * Many texts in one byte array. As strings, a hundred thousand names are that many objects scattered over all memory in use
 * while they were read, which then cannot be released.
 */
import { isOneEditApart } from "../../domain/nearest.ts";
import { countBefore } from "../binary-search.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const LINE_FEED = 10;

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

  /** The texts that differ by one typing error, which leaves the first letter or the last one: a fifth of all are decoded. */
  near(text: string): string[] {
    const { bytes, begins } = this;
    const [first, last] = [encoder.encode(text)[0], encoder.encode(text).at(-1)];
    const found: string[] = [];
    for (let place = 0; place < this.length; place++) {
      const end = (begins[place + 1] ?? 0) - 1;
      if (bytes[begins[place] ?? 0] === first || bytes[end - 1] === last) found.push(this.at(place));
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
