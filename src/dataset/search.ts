/**
 * Finds companies by name, former name, ticker, former ticker or CIK. Case, accents, legal forms and one typing error per
 * word are ignored. The index of all names is laid out when a snapshot is made. Companies with rows come first, then those with a
 * total of their CEO, and larger ones before smaller ones.
 */
import { elementAt, int32At } from "../lib/checked-access.ts";
import { normalizeCik, normalizeSymbol } from "../domain/company.ts";
import { foldedWords } from "../domain/selection.ts";
import { maxErrors, nearest } from "../domain/spellings.ts";
import { compareTexts } from "../lib/text.ts";
import { countBefore, numberAt, TopK, type Numbers } from "./arrays.ts";
import { MIN_MISTAKEN, type WordIndex, wordIndex, PackedTexts } from "./columns/names.ts";
import { type CompanySearch, type Dataset, padCik } from "./dataset.ts";

/** Points for how well words match a name. A former name gets a little less. */
const SCORES = {
  cik: 200_000,
  wholeName: 100,
  firstWords: 75,
  begins: 65,
  contains: 50,
  mistaken: -20,
  former: -20,
  nearSymbol: 25,
} as const;

/** Points of a symbol: an own one beats every name, a former one those that only begin with it. More than `WEIGHTS` together. */
const SYMBOL_SCORES = { current: 200_000, former: 100_000, formerWithoutRows: 50_000 } as const;

/** Letters of share classes: `BRK` is BRK-A and BRK-B. */
const CLASSES = ["A", "B", "C", "D"] as const;

/**
 * The company whose symbol a text is, or whose share classes begin with it; undefined for none. SQL by hand: every search and
 * every named company asks it, the suggestions of each key pressed too (`growth`).
 */
export function ownerOfSymbol(
  { all }: Pick<Dataset, "all">,
  text: string,
): { cik: string; isFormer: boolean } | undefined {
  const symbol = normalizeSymbol(text);
  const [own] = all<{ cik: number; former: number }>(
    "select cik, former from symbols where symbol = ?",
    symbol,
  );
  if (own !== undefined) return { cik: padCik(own.cik), isFormer: own.former === 1 };
  const [classes, other] = all<{ cik: number }>(
    `select distinct cik from symbols where former = 0 and symbol in (${CLASSES.map(() => "?").join()})`,
    ...CLASSES.map((letter) => `${symbol}-${letter}`),
  );
  return classes === undefined || other !== undefined
    ? undefined
    : { cik: padCik(classes.cik), isFormer: false };
}

/** The owner of a symbol with its points. */
function scoredOwner(dataset: Dataset, symbol: string) {
  const owner = ownerOfSymbol(dataset, symbol);
  if (owner === undefined) return undefined;
  const hasRows = dataset.findByCik(owner.cik)?.hasRows === true;
  const former = hasRows ? SYMBOL_SCORES.former : SYMBOL_SCORES.formerWithoutRows;
  const score = owner.isFormer ? former : SYMBOL_SCORES.current;
  return { cik: Number(owner.cik), hasRows, score, isLeftBehind: owner.isFormer && !hasRows };
}

/** Longer queries are not names. */
const MAX_LETTERS = 100;

/** What finds companies in a dataset. */
export interface Search {
  search: CompanySearch;
  nearestTicker: Dataset["nearestTicker"];
}

/** The search over the names of a dataset. */
export function companySearch(dataset: Dataset, index: SearchIndex): Search {
  const found = new Found(index.weights);
  const having = (sought: readonly string[], isForgiving: boolean) =>
    index.words.typed(
      sought.map((begins) => ({ begins, equals: [] })),
      isForgiving,
    );
  const placeOf = (cik: number) => {
    const { ciks } = index;
    const place = countBefore(ciks.length, (at) => numberAt(ciks, at) < cik);
    return ciks.at(place) === cik ? place : undefined;
  };

  const search: CompanySearch = (text, max, isForgiving = true) => {
    if (text.length > MAX_LETTERS) return [];
    found.clear();
    const cik = normalizeCik(text);
    if (cik !== undefined) found.add(placeOf(Number(cik)), SCORES.cik);
    const symbol = normalizeSymbol(text);
    const owner = scoredOwner(dataset, symbol);
    if (owner !== undefined) {
      found.add(placeOf(owner.cik), owner.score);
      // The symbol of a company without rows does not hide one with rows that was meant: `aple`.
      found.any &&= owner.hasRows;
    }
    const words = foldedWords(text);
    const significant = words.filter((word) => !isLegalForm(word));
    const sought = significant.length > 0 ? significant : words;
    const phrase = sought.join(" ");
    const ofFormer = (name: number) => (index.former.at(name) === 1 ? SCORES.former : 0);
    const addNames = (names: readonly number[], more: number) => {
      for (const name of names) {
        const core = index.cores.at(name);
        // A name of a company with rows that has the word, as Ford Motor does, beats the former symbol of one without.
        const isNamed =
          owner?.isLeftBehind === true && index.former.at(name) === 0 && ` ${core} `.includes(` ${phrase} `);
        const word = isNamed && found.hasRows(index.company.at(name)) ? SYMBOL_SCORES.former : 0;
        found.add(index.company.at(name), fit(core, phrase) + ofFormer(name) + more + word);
      }
    };
    if (sought.length > 0) {
      addNames(having(sought, false), 0);
      // `att` is AT&T, too.
      const [from, to] = index.together.beginning(sought.join(""));
      for (const name of index.togetherNames.slice(from, to))
        found.add(index.company.at(name), SCORES.begins + ofFormer(name));
      if (!found.any && isForgiving) {
        addNames(having(sought, true), SCORES.mistaken);
        for (const near of nearSymbols(index, symbol)) found.add(placeOf(near), SCORES.nearSymbol);
      }
    }
    return found.best(max).map((place) => padCik(numberAt(index.ciks, place)));
  };
  return { search, nearestTicker: (text) => nearestTicker(dataset, index, text) };
}

/** The company with rows whose ticker a text is meant to be. */
function nearestTicker(dataset: Dataset, { tickers, longTickers }: SearchIndex, text: string) {
  const small = text.toLowerCase();
  const same = tickers.find(small) < 0 ? [] : [small];
  const near = nearest(text, [...same, ...tickers.near(small), ...longTickers].sort());
  return near === undefined ? undefined : dataset.findBySymbol(normalizeSymbol(near));
}

/** The CIKs of symbols that differ from one by a typing error. */
function nearSymbols({ symbols, symbolCiks }: SearchIndex, symbol: string): number[] {
  const near = symbol.length >= MIN_MISTAKEN ? symbols.near(symbol) : [];
  return near.map((one) => numberAt(symbolCiks, symbols.find(one)));
}

/** The companies that a search found, with their points. Shared by all searches; each clears it first. */
class Found {
  any = false;
  /** By company; 0 means not found. */
  private readonly points: Int32Array;

  constructor(private readonly weights: Numbers) {
    this.points = new Int32Array(weights.length);
  }

  clear(): void {
    this.points.fill(0);
    this.any = false;
  }

  /** Adds a match of a company; the match with the most points counts. */
  add(company: number | undefined, score: number): void {
    const weight = company === undefined ? undefined : this.weights.at(company);
    if (company === undefined || weight === undefined) return;
    this.points[company] = Math.max(int32At(this.points, company), score + weight);
    this.any = true;
  }

  hasRows(company: number | undefined): boolean {
    return company !== undefined && numberAt(this.weights, company) >= WEIGHTS.hasRows;
  }

  best(max: number): number[] {
    if (max < 1) return [];
    const { points } = this;
    const first = new TopK(max, (company) => int32At(points, company), -1);
    for (let company = 0; company < points.length; company++) {
      const earned = int32At(points, company);
      if (earned > 0 && -earned < first.below) first.add(company);
    }
    return first.sorted();
  }
}

function fit(core: string, phrase: string): number {
  if (!core.startsWith(phrase)) return SCORES.contains;
  if (core.length === phrase.length) return SCORES.wholeName;
  return core[phrase.length] === " " ? SCORES.firstWords : SCORES.begins;
}

/** The index, read in pages. A company is its place in `ciks`, a name its place in `company`. */
export interface SearchIndex {
  /** Ascending. */
  ciks: Numbers<Float64Array>;
  /** What is added to the points of a match: `WEIGHTS`, and less for index membership and size. */
  weights: Numbers<Int32Array>;
  /** The company of each name. */
  company: Numbers<Int32Array>;
  /** Whether each name is a former one. */
  former: Numbers<Uint8Array>;
  /** The words of each name without legal forms (Inc., Corp.). */
  cores: PackedTexts;
  /** The words of names. */
  words: WordIndex;
  /** The words of names without spaces, ascending, and the name of each. */
  together: PackedTexts;
  togetherNames: Numbers<Int32Array>;
  /** All tickers, ascending, and the CIK of each. */
  symbols: PackedTexts;
  symbolCiks: Numbers<Float64Array>;
  /** The primary tickers of companies with rows, in small letters and ascending. */
  tickers: PackedTexts;
  /** Those, if any, in which `nearest` allows for several errors. */
  longTickers: readonly string[];
}

/** Puts companies with rows before all others, and then those whose CEO's total a tag tells: more than any sum of other points. */
const WEIGHTS = { hasRows: 10_000, hasTotal: 5000 } as const;

/** Size points for index membership and filer category; they are compared with the match points of a search. */
const SIZES = { inIndex: 25, large: 10, accelerated: 4 } as const;

const LEGAL_FORMS = new Set(
  "inc corp corporation co company companies ltd limited plc llc lp sa nv ag se the and holdings holding group de new com".split(
    " ",
  ),
);

/** Whether a folded word is a legal form or another word too common to identify a company. */
export function isLegalForm(word: string): boolean {
  return LEGAL_FORMS.has(word);
}

/** Builds the index from all names of a dataset. */
export function buildSearchIndex(dataset: Pick<Dataset, "all">): SearchIndex {
  const { companies, formerNames } = readNames(dataset);
  const [company, former]: [number[], number[]] = [[], []];
  const [names, cores, together]: [string[], string[], string[]] = [[], [], []];
  const add = (place: number, name: string, isFormer: boolean) => {
    const words = foldedWords(name);
    const core = words.filter((word) => !LEGAL_FORMS.has(word));
    company.push(place);
    names.push(words.join(" "));
    former.push(isFormer ? 1 : 0);
    cores.push((core.length > 0 ? core : words).join(" "));
    together.push(words.join(""));
  };
  companies.forEach(({ cik, name, listedName }, place) => {
    add(place, name, false);
    if (listedName !== null && listedName !== name) add(place, listedName, false);
    for (const one of formerNames.get(cik) ?? []) add(place, one.name, true);
  });
  const order = [...together.keys()].sort(
    (a, b) => compareTexts(elementAt(together, a), elementAt(together, b)) || a - b,
  );
  const symbols = dataset.all<{ symbol: string; cik: number }>(
    "select symbol, cik from symbols order by symbol",
  );
  const tickers = companies
    .filter(({ rowCount, ticker }) => rowCount > 0 && ticker !== "")
    .map(({ ticker }) => ticker.toLowerCase())
    .sort();
  return {
    ciks: Float64Array.from(companies, ({ cik }) => cik),
    weights: Int32Array.from(companies, ({ weight }) => weight),
    company: Int32Array.from(company),
    former: Uint8Array.from(former),
    cores: PackedTexts.of(cores),
    words: wordIndex(names, (folded) => folded.split(" ")),
    together: PackedTexts.of(order.map((name) => elementAt(together, name))),
    togetherNames: Int32Array.from(order),
    symbols: PackedTexts.of(symbols.map(({ symbol }) => symbol)),
    symbolCiks: Float64Array.from(symbols, ({ cik }) => cik),
    tickers: PackedTexts.of(tickers),
    longTickers: tickers.filter((ticker) => maxErrors(ticker.length) >= 2),
  };
}

/** All companies with their names and weights. SQL by hand: the weight is computed where the tables are (`growth`). */
function readNames(dataset: Pick<Dataset, "all">) {
  const companies = dataset.all<{
    cik: number;
    name: string;
    listedName: string | null;
    ticker: string;
    rowCount: number;
    weight: number;
  }>(
    `select c.cik, name, ticker, listed_name as listedName, row_count as rowCount,
        case when row_count > 0 then ${WEIGHTS.hasRows}
          when exists (select 1 from peo_tags t where t.cik = c.cik) then ${WEIGHTS.hasTotal} else 0 end
        + iif(exists (select 1 from index_members m where m.cik = c.cik and removed is null), ${SIZES.inIndex}, 0)
        + case when filer_category glob 'Large*' then ${SIZES.large}
          when filer_category glob 'Accel*' then ${SIZES.accelerated} else 0 end as weight
      from companies c left join registrants r on r.cik = c.cik order by c.cik`,
  );
  const formerNames = Map.groupBy(
    dataset.all<{ cik: number; name: string }>("select cik, name from former_names"),
    ({ cik }) => cik,
  );
  return { companies, formerNames };
}
