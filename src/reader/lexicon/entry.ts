/**
 * Lexicons hold the wordings that the reader knows. A lexicon is an ordered list of entries; every step that looks for a
 * wording asks a lexicon, so each wording is written down once.
 */

/** One wording. */
export interface Entry<Means extends string = string> {
  readonly means: Means;
  readonly pattern: RegExp;
  /** Why it is here: an accession, a test or fixture, or a rule of Regulation S-K. */
  readonly source: string;
}

/** Entries in order: the first match wins. */
export interface Lexicon<Means extends string = string> {
  readonly name: string;
  readonly entries: readonly Entry<Means>[];
  /** The first entry that matches the text, optionally among those with one of these meanings. */
  find(text: string, ...means: readonly Means[]): Entry<Means> | undefined;
  /** Whether any entry matches. */
  has(text: string, ...means: readonly Means[]): boolean;
  /** One pattern for all entries of these meanings, to search, split or strip longer text. */
  anyOf(flags: string, ...means: readonly Means[]): RegExp;
}

/**
 * Makes a lexicon. Every lexicon is made here, so that `scripts/reader-rules.ts` can leave out one entry by replacing this
 * function.
 *
 * @param name unique; the script identifies entries by it
 */
function defineLexicon<Means extends string>(name: string, entries: readonly Entry<Means>[]): Lexicon<Means> {
  const isOneOf = (entry: Entry<Means>, means: readonly Means[]): boolean =>
    means.length === 0 || means.includes(entry.means);
  // A loop: nothing is called as often.
  const find: Lexicon<Means>["find"] = (text, ...means) => {
    for (const entry of entries) if (isOneOf(entry, means) && entry.pattern.test(text)) return entry;
    return undefined;
  };
  return {
    name,
    entries,
    find,
    has: (text, ...means) => find(text, ...means) !== undefined,
    anyOf(flags, ...means) {
      const sources = entries
        .filter((one) => isOneOf(one, means))
        .map(({ pattern }) => `(?:${pattern.source})`);
      // An empty pattern would match everything; without entries nothing may match.
      return new RegExp(sources.join("|") || "(?!)", flags);
    },
  };
}

/** Patterns by source. */
type Wordings = Readonly<Record<string, RegExp | readonly RegExp[]>>;

/** Makes a lexicon from tables of meaning, source and patterns. A meaning whose entries are not adjacent appears in several tables. */
export function lexiconOf<Means extends string>(
  name: string,
  ...tables: readonly Readonly<Partial<Record<Means, Wordings>>>[]
): Lexicon<Means> {
  // The keys of a table are its meanings.
  const meanings = tables.flatMap((table) => Object.entries(table) as [Means, Wordings][]);
  return defineLexicon(
    name,
    meanings.flatMap(([means, wordings]) =>
      Object.entries(wordings).flatMap(([source, patterns]) =>
        [patterns].flat().map((pattern) => ({ means, pattern, source })),
      ),
    ),
  );
}

/** A case-insensitive pattern for each beginning in a space-separated list. @param end pattern that must follow it */
export function startsOf(list: string, end = "\\b"): readonly RegExp[] {
  return list.split(" ").map((start) => new RegExp(`^${start}${end}`, "i"));
}
