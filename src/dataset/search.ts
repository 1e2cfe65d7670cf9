/**
 * Finds companies by name, former name, ticker, former ticker or CIK. Case, accents, legal forms and one typing error per
 * word are ignored. Companies with rows come first, then those with a
 * total of their CEO, and larger ones before smaller ones.
 */
import { normalizeCik, normalizeSymbol } from "../domain/company.ts";
import { foldedWords } from "../domain/selection.ts";
import { type CompanySize, isLegalForm, type Name, readNames } from "./company-names.ts";
import { type CompanySearch, type Dataset, padCik } from "./dataset.ts";
import { First } from "./first.ts";
import { MIN_MISTAKEN, NearWords } from "./near-words.ts";

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

/** Puts companies with rows before all others: more than any sum of the points above. */
const HAS_ROWS = 10_000;
/** Puts companies whose CEO's total is known before the rest. */
const HAS_TOTAL = 5000;

/** Builds the search over all names: 60 ms for 11,000 companies, in slices of 1 to 3 ms (5 to 8 at most in a fresh process). */
export function* companySearch(dataset: Dataset): Generator<void, CompanySearch> {
  const { companies, places, names, book } = yield* readNames(dataset);
  const { owners, symbols } = yield* readSymbols(dataset);
  const found = new Found(companies);

  return (text, max) => {
    if (text.length > MAX_LETTERS) return [];
    found.clear();
    const cik = normalizeCik(text);
    if (cik !== undefined) found.add(places.get(Number(cik)), SCORES.cik);
    const symbol = normalizeSymbol(text);
    const owner = dataset.findBySymbol(symbol);
    if (owner !== undefined) {
      const current = owner.symbols[0] === symbol || owner.ticker === symbol;
      found.add(places.get(Number(owner.cik)), current ? SCORES.symbol : SCORES.formerSymbol);
    }
    const words = foldedWords(text);
    const significant = words.filter((word) => !isLegalForm(word));
    const sought = significant.length > 0 ? significant : words;
    const phrase = sought.join(" ");
    const addNames = (those: Int32Array, more: number) => {
      for (let at = 0; at < those.length; at++) {
        const name = names[those[at] ?? 0];
        if (name !== undefined) found.add(name.company, fit(name, phrase) + more);
      }
    };
    if (sought.length > 0) {
      addNames(book.having(sought, false), 0);
      if (sought.length > 1 || !found.any) {
        for (const at of book.beginningTogether(sought.join(""))) {
          const former = names[at]?.former === true ? SCORES.former : 0;
          found.add(names[at]?.company, SCORES.begins + former);
        }
      }
      if (!found.any) {
        addNames(book.having(sought, true), SCORES.mistaken);
        if (symbol.length >= MIN_MISTAKEN) {
          for (const near of symbols.near(symbol)) {
            found.add(places.get(owners.get(near) ?? -1), SCORES.nearSymbol);
          }
        }
      }
    }
    return found.best(max).map((company) => padCik(companies[company]?.cik ?? 0));
  };
}

/** The companies that a search found, with their points. Shared by all searches; each clears it first. */
class Found {
  any = false;
  /** By company; 0 means not found. */
  private readonly points: Int32Array;

  constructor(private readonly companies: readonly CompanySize[]) {
    this.points = new Int32Array(companies.length);
  }

  clear(): void {
    this.points.fill(0);
    this.any = false;
  }

  /** Adds a match of a company; the match with the most points counts. */
  add(company: number | undefined, score: number): void {
    const one = this.companies[company ?? -1];
    if (company === undefined || one === undefined) return;
    const earned = score + one.size + (one.hasRows ? HAS_ROWS : one.hasTotal ? HAS_TOTAL : 0);
    if (earned > (this.points[company] ?? 0)) this.points[company] = earned;
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

function fit({ core, former }: Name, phrase: string): number {
  const less = former ? SCORES.former : 0;
  if (!core.startsWith(phrase)) return SCORES.contains + less;
  if (core.length === phrase.length) return SCORES.wholeName + less;
  return (core[phrase.length] === " " ? SCORES.firstWords : SCORES.begins) + less;
}

const SYMBOLS_A_PAGE = 4096;

/** The company of each ticker, and an index of tickers that tolerates typing errors. */
function* readSymbols(
  dataset: Dataset,
): Generator<void, { owners: ReadonlyMap<string, number>; symbols: NearWords }> {
  const owners = new Map<string, number>();
  for (let after = ""; ;) {
    const page = dataset.all<{ symbol: string; cik: number }>(
      "select symbol, cik from symbols where symbol > ? order by symbol limit ?",
      after,
      SYMBOLS_A_PAGE,
    );
    const last = page.at(-1);
    if (last === undefined) break;
    for (const { symbol, cik } of page) owners.set(symbol, cik);
    after = last.symbol;
    yield;
  }
  return { owners, symbols: yield* NearWords.of([...owners.keys()]) };
}
