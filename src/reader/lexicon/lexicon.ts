/**
 * Lexicons contain the wordings that the reader knows, each written down once, as ordered lists of entries that every
 * step searches.
 */

/** One wording. */
interface Entry<Means extends string> {
  readonly means: Means;
  readonly pattern: RegExp;
  /** Why it is here: an accession, a test or fixture, or a rule of Regulation S-K. */
  readonly source: string;
}

/**
 * Makes a lexicon of entries in order: the first match wins.
 *
 * @param name unique
 */
function defineLexicon<Means extends string>(name: string, entries: readonly Entry<Means>[]) {
  const isOneOf = (entry: Entry<Means>, means: readonly Means[]): boolean =>
    means.length === 0 || means.includes(entry.means);
  /** The first entry that matches the text, optionally among those with one of these meanings. */
  const find = (text: string, ...means: readonly Means[]): Entry<Means> | undefined => {
    // A plain loop: this is the reader's most frequent call.
    for (const entry of entries) if (isOneOf(entry, means) && entry.pattern.test(text)) return entry;
    return undefined;
  };
  return {
    name,
    entries,
    find,
    /** Whether any entry matches. */
    has: (text: string, ...means: readonly Means[]): boolean => find(text, ...means) !== undefined,
    /** One pattern for all entries of these meanings, to search, split or strip longer text. */
    anyOf(flags: string, ...means: readonly Means[]): RegExp {
      const sources = entries
        .filter((one) => isOneOf(one, means))
        .map(({ pattern }) => `(?:${pattern.source})`);
      // An empty pattern would match everything; without entries nothing may match.
      return new RegExp(sources.join("|") || "(?!)", flags);
    },
  };
}

/** A pattern; as text, made of parts, it ignores case. */
type Wording = RegExp | string;
/** Wordings by source. */
type Wordings = Readonly<Record<string, Wording | readonly Wording[]>>;

/** Makes a lexicon from tables of meaning, source and patterns. A meaning whose entries are not adjacent appears in several tables. */
export function lexiconOf<Means extends string>(
  name: string,
  ...tables: readonly Readonly<Partial<Record<Means, Wordings>>>[]
) {
  // The keys of a table are its meanings.
  const meanings = tables.flatMap((table) => Object.entries(table) as [Means, Wordings][]);
  const entries = meanings.flatMap(([means, wordings]) =>
    Object.entries(wordings).flatMap(([source, of]) =>
      [of]
        .flat()
        .map((one) => ({ means, source, pattern: typeof one === "string" ? new RegExp(one, "i") : one })),
    ),
  );
  return defineLexicon(name, entries);
}

/** A case-insensitive pattern for each beginning in a space-separated list. @param end pattern that must follow it */
export function startsOf(list: string, end = "\\b"): readonly RegExp[] {
  return list.split(" ").map((start) => new RegExp(`^${start}${end}`, "i"));
}
