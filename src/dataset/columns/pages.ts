/** Typed arrays of a snapshot that are read a page at a time: a look-up by name needs a few of millions of numbers. */

/** The kinds of typed arrays in a snapshot. */
export const ARRAYS = { Uint8Array, Uint16Array, Int32Array, Float64Array } as const;

/** The name of a kind. */
export type ArrayName = keyof typeof ARRAYS;
/** An array of one of these kinds. */
export type NumberArray = Uint8Array | Uint16Array | Int32Array | Float64Array;

/** What a typed array and its pages have in common. */
export interface Numbers<Of extends NumberArray = NumberArray> {
  readonly length: number;
  at(place: number): number | undefined;
  slice(from: number, to: number): Of;
}

/** Numbers in a page, as a power of two: few enough for a look-up, enough for a record of SQLite. */
const PAGE_BITS = 13;
const PAGE = 1 << PAGE_BITS;

/** The pages of a typed array. */
export function pagesOf<Of extends NumberArray>(array: Of): Of[] {
  const pages: Of[] = [];
  // Of the same kind as the array.
  for (let from = 0; from < array.length; from += PAGE) pages.push(array.subarray(from, from + PAGE) as Of);
  return pages;
}

/** A typed array in pages, each read when a number of it is used first. */
export class Pages<Of extends NumberArray> implements Numbers<Of> {
  private readonly pages: (Of | undefined)[] = [];

  /** @param read a page; the kind of each is that of the array */
  constructor(
    private readonly make: new (length: number) => Of,
    readonly length: number,
    private readonly read: (page: number) => Of,
  ) {}

  at(place: number): number | undefined {
    return place < this.length ? this.page(place >> PAGE_BITS)[place & (PAGE - 1)] : undefined;
  }

  slice(from: number, to: number): Of {
    const first = from & (PAGE - 1);
    // Mostly the numbers are in one page.
    if (from < to && first + to - from <= PAGE)
      return this.page(from >> PAGE_BITS).subarray(first, first + to - from) as Of;
    const made = new this.make(Math.max(to - from, 0));
    for (let at = from; at < to;) {
      const begin = at & (PAGE - 1);
      const part = this.page(at >> PAGE_BITS).subarray(begin, begin + to - at);
      made.set(part, at - from);
      at += part.length;
    }
    return made;
  }

  private page(page: number): Of {
    return (this.pages[page] ??= this.read(page));
  }
}
