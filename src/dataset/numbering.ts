/** Numbers words in the order of their first occurrence. */
export class Numbering {
  readonly words: string[] = [];
  private readonly places = new Map<string, number>();

  /** The number of a word; the next number if it is new. */
  of(word: string): number {
    const known = this.places.get(word);
    if (known !== undefined) return known;
    this.places.set(word, this.words.length);
    return this.words.push(word) - 1;
  }

  /** The number of a known word, or undefined. */
  find(word: string): number | undefined {
    return this.places.get(word);
  }
}
