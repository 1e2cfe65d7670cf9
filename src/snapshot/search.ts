/**
 * Companies by the words that people use for them: name, former name, symbol, former symbol, CIK. Case, accents, legal
 * forms and one typing mistake a word are forgiven. Companies with rows come first, and among them large ones.
 */
import { normalizeCik, normalizeSymbol } from "../domain/company.ts";
import { isOneEditApart } from "../domain/nearest.ts";
import { foldedWords } from "../domain/selection.ts";
import { hasCompanyFacts } from "./company-facts.ts";
import { type CompanySearch, type Dataset, padCik } from "./dataset.ts";

/** One name of a company. */
interface Name {
  company: number;
  words: readonly string[];
  /** The words without legal forms. */
  core: string;
  former: boolean;
}

/** What says how large a company is: the sums are compared with `SCORES`. */
const SIZES = { inIndex: 25, large: 10, accelerated: 4 } as const;
/** How well words fit a name. What a former name earns is a little less. */
const SCORES = {
  cik: 1000,
  symbol: 100,
  formerSymbol: 80,
  wholeName: 100,
  firstWords: 75,
  begins: 65,
  contains: 50,
  mistaken: -20,
  former: -20,
  nearSymbol: 25,
} as const;

const LEGAL_FORMS = new Set(
  "inc corp corporation co company companies ltd limited plc llc lp sa nv ag se the and holdings holding group de new com".split(
    " ",
  ),
);
/** More letters than this are no name. */
const MAX_LETTERS = 100;
/** Shorter words are taken as they are. */
const MIN_MISTAKEN = 4;

/** Reads every name of the dataset once: 60 ms for 11,000 companies, kept as long as the dataset. */
export function companySearch(dataset: Dataset): CompanySearch {
  const companies = readSizes(dataset);
  const places = new Map(companies.map(({ cik }, at) => [cik, at]));
  const names = readNames(dataset, places);
  const book = new WordBook(names);
  // Sorting them is a third of the work, and words that begin no name without spaces are rarely asked.
  let sorted: Compact[] | undefined;
  const compacts = () =>
    (sorted ??= names
      .map(({ words }, at) => ({ compact: words.join(""), at }))
      .sort((a, b) => (a.compact < b.compact ? -1 : a.compact > b.compact ? 1 : a.at - b.at)));
  const symbols = dataset.all<{ symbol: string; cik: number }>("select symbol, cik from symbols");

  const rowsFirst = (a: number, b: number) =>
    Number(companies[b]?.hasRows ?? false) - Number(companies[a]?.hasRows ?? false);

  return (asked, max) => {
    const scores = new Map<number, number>();
    const add = (company: number | undefined, score: number) => {
      const size = companies[company ?? -1]?.size;
      if (company === undefined || size === undefined) return;
      scores.set(company, Math.max(scores.get(company) ?? -Infinity, score + size));
    };
    if (asked.length > MAX_LETTERS) return [];
    const cik = normalizeCik(asked);
    if (cik !== undefined) add(places.get(Number(cik)), SCORES.cik);
    const symbol = normalizeSymbol(asked);
    const bearer = dataset.findBySymbol(symbol);
    if (bearer !== undefined) {
      const current = bearer.symbols[0] === symbol || bearer.ticker === symbol;
      add(places.get(Number(bearer.cik)), current ? SCORES.symbol : SCORES.formerSymbol);
    }
    const words = foldedWords(asked);
    const told = words.filter((word) => !LEGAL_FORMS.has(word));
    const sought = told.length > 0 ? told : words;
    if (sought.length > 0) {
      for (const at of book.having(sought, false)) add(names[at]?.company, fit(names[at], sought));
      if (sought.length > 1 || scores.size === 0) {
        for (const at of withPrefix(compacts(), sought.join(""))) {
          const former = names[at]?.former === true ? SCORES.former : 0;
          add(names[at]?.company, SCORES.begins + former);
        }
      }
      if (scores.size === 0) {
        for (const at of book.having(sought, true)) {
          add(names[at]?.company, fit(names[at], sought) + SCORES.mistaken);
        }
        if (symbol.length >= MIN_MISTAKEN) {
          for (const line of symbols) {
            if (isOneEditApart(symbol, line.symbol)) add(places.get(line.cik), SCORES.nearSymbol);
          }
        }
      }
    }
    return [...scores]
      .sort(([a, left], [b, right]) => rowsFirst(a, b) || right - left || a - b)
      .slice(0, max)
      .map(([company]) => padCik(companies[company]?.cik ?? 0));
  };
}

function fit(name: Name | undefined, sought: readonly string[]): number {
  if (name === undefined) return 0;
  const former = name.former ? SCORES.former : 0;
  const phrase = sought.join(" ");
  if (name.core === phrase) return SCORES.wholeName + former;
  if (`${name.core} `.startsWith(`${phrase} `)) return SCORES.firstWords + former;
  if (name.core.startsWith(phrase)) return SCORES.begins + former;
  return SCORES.contains + former;
}

/** Words of names, and which names have them. */
class WordBook {
  private readonly words: readonly string[];
  private byLength: Map<number, string[]> | undefined;
  private readonly names: ReadonlyMap<string, readonly number[]>;

  constructor(names: readonly Name[]) {
    const book = new Map<string, number[]>();
    names.forEach(({ words }, at) => {
      for (const word of words) {
        const list = book.get(word);
        if (list === undefined) book.set(word, [at]);
        else if (list.at(-1) !== at) list.push(at);
      }
    });
    this.names = book;
    this.words = [...book.keys()].sort();
  }

  /**
   * Names that have a word beginning with each of those sought.
   * @param forgiving words one typing mistake away count too
   */
  having(sought: readonly string[], forgiving: boolean): Set<number> {
    let found: Set<number> | undefined;
    for (const word of sought) {
      const those = new Set<number>();
      for (const known of this.beginning(word)) this.addAll(those, known);
      if (forgiving && word.length >= MIN_MISTAKEN) {
        for (const known of this.near(word)) if (isOneEditApart(word, known)) this.addAll(those, known);
      }
      found = found === undefined ? those : found.intersection(those);
      if (found.size === 0) break;
    }
    return found ?? new Set();
  }

  private addAll(to: Set<number>, word: string): void {
    for (const at of this.names.get(word) ?? []) to.add(at);
  }

  /** Words of nearly the same length: no other is one mistake away. */
  private near(word: string): string[] {
    this.byLength ??= Map.groupBy(this.words, ({ length }) => length);
    return [-1, 0, 1].flatMap((more) => this.byLength?.get(word.length + more) ?? []);
  }

  private *beginning(prefix: string): Generator<string> {
    for (let at = firstAtLeast(this.words, prefix, (word) => word); ; at++) {
      const word = this.words[at];
      if (word === undefined || !word.startsWith(prefix)) return;
      yield word;
    }
  }
}

/** All words of a name in one, and the name's number. */
interface Compact {
  compact: string;
  at: number;
}

function* withPrefix(sorted: readonly Compact[], prefix: string): Generator<number> {
  for (let place = firstAtLeast(sorted, prefix, ({ compact }) => compact); ; place++) {
    const name = sorted[place];
    if (name === undefined || !name.compact.startsWith(prefix)) return;
    yield name.at;
  }
}

/** Place of the first of the ascending items that is not below the text. */
function firstAtLeast<Item>(items: readonly Item[], text: string, of: (item: Item) => string): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && of(item) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function readSizes(dataset: Dataset): { cik: number; size: number; hasRows: boolean }[] {
  const facts = hasCompanyFacts(dataset)
    ? {
        columns: "filer_category as category, m.cik is not null as member",
        join: `left join registrants r on r.cik = c.cik
          left join (select distinct cik from index_members where removed is null) m on m.cik = c.cik`,
      }
    : { columns: "null as category, 0 as member", join: "" };
  return dataset
    .all<{ cik: number; row_count: number; category: string | null; member: number }>(
      `select c.cik, row_count, ${facts.columns} from companies c ${facts.join} order by c.cik`,
    )
    .map(({ cik, row_count, category, member }) => ({
      cik,
      hasRows: row_count > 0,
      size:
        (member === 1 ? SIZES.inIndex : 0) +
        (category?.startsWith("Large") ? SIZES.large : category?.startsWith("Accel") ? SIZES.accelerated : 0),
    }));
}

function readNames(dataset: Dataset, places: ReadonlyMap<number, number>): Name[] {
  const former = hasCompanyFacts(dataset) ? "union all select cik, name, 1 from former_names" : "";
  return dataset
    .all<{ cik: number; name: string; former: number }>(
      `select cik, name, 0 as former from companies
       union all select cik, listed_name, 0 from companies where listed_name <> name ${former}`,
    )
    .flatMap(({ cik, name, former: isFormer }) => {
      const company = places.get(cik);
      if (company === undefined) return [];
      const words = foldedWords(name);
      const core = words.filter((word) => !LEGAL_FORMS.has(word));
      return [
        {
          company,
          words,
          core: (core.length > 0 ? core : words).join(" "),
          former: isFormer === 1,
        },
      ];
    });
}
