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
  const find: Lexicon<Means>["find"] = (text, ...means) => {
    for (const entry of entries)
      if ((means.length === 0 || means.includes(entry.means)) && entry.pattern.test(text)) return entry;
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

/** Patterns by the source that they come from. */
type Wordings = Readonly<Record<string, RegExp | readonly RegExp[]>>;

/** A lexicon written as a table: the wordings of each meaning by their sources. Where its order asks a meaning again, it is in a further table. */
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

/** A pattern for each of some beginnings with blanks between, without regard to case. @param end what must stand behind it */
export function startsOf(list: string, end = "\\b"): readonly RegExp[] {
  return list.split(" ").map((start) => new RegExp(`^${start}${end}`, "i"));
}
