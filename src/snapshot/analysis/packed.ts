/**
 * Many texts as one stretch of bytes. A hundred thousand names as strings are as many objects, spread over all of the memory
 * that was in use while they were read, which could then not be given back.
 */
import { countBefore } from "../binary-search.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const LINE_FEED = 10;

/** Texts by their place. None has a line feed. */
export class PackedTexts {
  private readonly bytes: Uint8Array;
  /** Where each text begins; of the last the end, and one. */
  private readonly begins: Int32Array;

  constructor(texts: readonly string[]) {
    this.bytes = encoder.encode(texts.join("\n"));
    this.begins = new Int32Array(texts.length + 1);
    let place = 0;
    for (let at = 0; at < this.bytes.length; at++) {
      if (this.bytes[at] === LINE_FEED) this.begins[++place] = at + 1;
    }
    this.begins[texts.length] = this.bytes.length + 1;
    if (place !== Math.max(texts.length - 1, 0)) throw new Error("a text to be packed has a line feed");
  }

  get length(): number {
    return this.begins.length - 1;
  }

  at(place: number): string {
    return decoder.decode(this.bytes.subarray(this.begins[place], (this.begins[place + 1] ?? 0) - 1));
  }

  /** Place of a text; -1 where it is none of them. They have to ascend. */
  find(text: string): number {
    const place = countBefore(this.length, (at) => this.at(at) < text);
    return place < this.length && this.at(place) === text ? place : -1;
  }
}

/** The texts ascending, and of each its place among them. @param texts each once */
export function packAscending(texts: readonly string[]): { texts: PackedTexts; places: Int32Array } {
  const ascending = texts.toSorted();
  const numbers = new Map(ascending.map((text, place) => [text, place]));
  return {
    texts: new PackedTexts(ascending),
    places: Int32Array.from(texts, (text) => numbers.get(text) ?? 0),
  };
}
