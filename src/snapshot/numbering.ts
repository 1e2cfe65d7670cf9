/** Numbers words in the order in which they come. */
export class Numbering {
  readonly words: string[] = [];
  private readonly places = new Map<string, number>();

  /** The number of a word: the next one where it is new. */
  of(word: string): number {
    const known = this.places.get(word);
    if (known !== undefined) return known;
    this.places.set(word, this.words.length);
    return this.words.push(word) - 1;
  }

  /** The number of a word that came; undefined where it did not. */
  find(word: string): number | undefined {
    return this.places.get(word);
  }
}
