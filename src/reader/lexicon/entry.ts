/**
 * The shape of what the reader knows about wording. A lexicon is a list of entries in order; every step that asks whether
 * a text speaks of something asks a lexicon, so that each wording is written down once.
 */

/** One wording. */
export interface Entry<Means extends string = string> {
  readonly means: Means;
  readonly pattern: RegExp;
  /** Why it is there: an accession, a test or fixture, or the rule of Regulation S-K. */
  readonly source: string;
  /** The whole text, where the entry is one word: found without trying patterns. */
  readonly word?: string;
}

/** Entries in order: the first that fits decides. */
export interface Lexicon<Means extends string = string> {
  readonly name: string;
  readonly entries: readonly Entry<Means>[];
  /** The first entry that fits the text, of all or of those with one of these meanings. */
  find(text: string, ...means: readonly Means[]): Entry<Means> | undefined;
  /** Whether any entry fits. */
  has(text: string, ...means: readonly Means[]): boolean;
  /** One pattern for all entries of these meanings, to search, split or strip a longer text with. */
  anyOf(flags: string, ...means: readonly Means[]): RegExp;
}

/**
 * Makes a lexicon. Every lexicon passes here and nowhere else, so that a script can leave out one entry for all that ask:
 * it replaces this function (`scripts/reader-rules.ts`).
 *
 * @param name its own, by which the script tells the entries apart
 */
export function defineLexicon<Means extends string>(
  name: string,
  entries: readonly Entry<Means>[],
): Lexicon<Means> {
  const words = new Map(
    entries.flatMap((entry) => (entry.word === undefined ? [] : [[entry.word, entry] as const])),
  );
  const patterns = entries.filter((entry) => entry.word === undefined);
  const find: Lexicon<Means>["find"] = (text, ...means) => {
    const wanted = (entry: Entry<Means>): boolean => means.length === 0 || means.includes(entry.means);
    const word = words.size === 0 ? undefined : words.get(text.toLowerCase());
    if (word !== undefined && wanted(word)) return word;
    for (const entry of patterns) if (wanted(entry) && entry.pattern.test(text)) return entry;
    return undefined;
  };
  return {
    name,
    entries,
    find,
    has: (text, ...means) => find(text, ...means) !== undefined,
    anyOf: (flags, ...means) =>
      new RegExp(
        // An empty alternative would fit everywhere; without entries nothing does.
        entries
          .filter((entry) => means.length === 0 || means.includes(entry.means))
          .map((entry) => `(?:${entry.pattern.source})`)
          .join("|") || "(?!)",
        flags,
      ),
  };
}

/** An entry for each word of a list with blanks between, compared whole and without regard to case. */
export function words<Means extends string>(
  means: Means,
  source: string,
  list: string,
): readonly Entry<Means>[] {
  return list.split(" ").map((word) => ({
    means,
    pattern: new RegExp(`^${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`, "i"),
    source,
    word,
  }));
}
