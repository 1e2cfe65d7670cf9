/**
 * Finds companies by name, former name, ticker, former ticker or CIK. Case, accents, legal forms and one typing error per
 * word are ignored. Companies with rows come first, then those with a total of their CEO, and larger ones before smaller
 * ones.
 */
import { normalizeCik, normalizeSymbol } from "../domain/company.ts";
import { foldedWords } from "../domain/selection.ts";
import { lowerBound } from "./binary-search.ts";
import { MIN_MISTAKEN } from "./columns/names.ts";
import { isLegalForm, type SearchIndex } from "./company-names.ts";
import { type CompanySearch, type Dataset, padCik } from "./dataset.ts";
import { First } from "./first.ts";

/** Points for how well words match a name. A former name gets a little less. */
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

/** Longer queries are not names. */
const MAX_LETTERS = 100;

/** The search over the names of a dataset. */
export function companySearch(dataset: Dataset, index: SearchIndex): CompanySearch {
  const { ciks, company, former, cores, together, togetherNames, symbols, symbolCiks } = index;
  const found = new Found(index.weights);
  const having = (sought: readonly string[], isForgiving: boolean) =>
    index.words.typed(
      sought.map((begins) => ({ begins, equals: [] })),
      isForgiving,
    );
  const placeOf = (cik: number) => {
    const place = lowerBound(ciks, cik);
    return ciks[place] === cik ? place : undefined;
  };

  return (text, max) => {
    if (text.length > MAX_LETTERS) return [];
    found.clear();
    const cik = normalizeCik(text);
    if (cik !== undefined) found.add(placeOf(Number(cik)), SCORES.cik);
    const symbol = normalizeSymbol(text);
    const owner = dataset.findBySymbol(symbol);
    if (owner !== undefined) {
      const current = owner.symbols[0] === symbol || owner.ticker === symbol;
      found.add(placeOf(Number(owner.cik)), current ? SCORES.symbol : SCORES.formerSymbol);
      // The symbol of a company without rows does not hide one with rows that was meant: `aple`.
      found.any &&= owner.hasRows;
    }
    const words = foldedWords(text);
    const significant = words.filter((word) => !isLegalForm(word));
    const sought = significant.length > 0 ? significant : words;
    const phrase = sought.join(" ");
    const ofFormer = (name: number) => (former[name] === 1 ? SCORES.former : 0);
    const addNames = (names: readonly number[], more: number) => {
      for (const name of names) found.add(company[name], fit(cores.at(name), phrase) + ofFormer(name) + more);
    };
    if (sought.length > 0) {
      addNames(having(sought, false), 0);
      // `att` is AT&T, too.
      const [from, to] = together.beginning(sought.join(""));
      for (const name of togetherNames.subarray(from, to))
        found.add(company[name], SCORES.begins + ofFormer(name));
      if (!found.any) {
        addNames(having(sought, true), SCORES.mistaken);
        if (symbol.length >= MIN_MISTAKEN) {
          for (const near of symbols.near(symbol))
            found.add(placeOf(symbolCiks[symbols.find(near)] ?? -1), SCORES.nearSymbol);
        }
      }
    }
    return found.best(max).map((place) => padCik(ciks[place] ?? 0));
  };
}

/** The companies that a search found, with their points. Shared by all searches; each clears it first. */
class Found {
  any = false;
  /** By company; 0 means not found. */
  private readonly points: Int32Array;

  constructor(private readonly weights: Int32Array) {
    this.points = new Int32Array(weights.length);
  }

  clear(): void {
    this.points.fill(0);
    this.any = false;
  }

  /** Adds a match of a company; the match with the most points counts. */
  add(company: number | undefined, score: number): void {
    const weight = this.weights[company ?? -1];
    if (company === undefined || weight === undefined) return;
    this.points[company] = Math.max(this.points[company] ?? 0, score + weight);
    this.any = true;
  }

  best(max: number): number[] {
    if (max < 1) return [];
    const { points } = this;
    const first = new First(max, (company) => points[company] ?? 0, -1);
    for (let company = 0; company < points.length; company++) {
      const earned = points[company] ?? 0;
      if (earned > 0 && -earned < first.below) first.keep(company);
    }
    return first.sorted();
  }
}

function fit(core: string, phrase: string): number {
  if (!core.startsWith(phrase)) return SCORES.contains;
  if (core.length === phrase.length) return SCORES.wholeName;
  return core[phrase.length] === " " ? SCORES.firstWords : SCORES.begins;
}
