/**
 * Companies by the words that people use for them: name, former name, symbol, former symbol, CIK. Case, accents, legal
 * forms and one typing mistake a word are forgiven. Companies with rows come first, and among them large ones.
 */
import { normalizeCik, normalizeSymbol } from "../domain/company.ts";
import { foldedWords } from "../domain/selection.ts";
import { hasCompanyFacts } from "./company-facts.ts";
import { type CompanySearch, type Dataset, padCik } from "./dataset.ts";
import { First } from "./first.ts";
import { MIN_MISTAKEN, NearWords } from "./near-words.ts";
import { WordBook } from "./word-book.ts";

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

/** Companies with rows stand before all others: more than any sum of the points above. */
const HAS_ROWS = 10_000;

/** Reads every name of the dataset once: 60 ms for 11,000 companies, kept as long as the dataset. */
export function companySearch(dataset: Dataset): CompanySearch {
  const companies = readSizes(dataset);
  const places = new Map(companies.map(({ cik }, at) => [cik, at]));
  const names = readNames(dataset, places);
  const book = new WordBook(names.map(({ words }) => words));
  const owners = Map.groupBy(
    dataset.all<{ symbol: string; cik: number }>("select symbol, cik from symbols"),
    ({ symbol }) => symbol,
  );
  const symbols = new NearWords([...owners.keys()].sort());
  const found = new Found(companies);

  return (asked, max) => {
    if (asked.length > MAX_LETTERS) return [];
    found.clear();
    const cik = normalizeCik(asked);
    if (cik !== undefined) found.add(places.get(Number(cik)), SCORES.cik);
    const symbol = normalizeSymbol(asked);
    const bearer = dataset.findBySymbol(symbol);
    if (bearer !== undefined) {
      const current = bearer.symbols[0] === symbol || bearer.ticker === symbol;
      found.add(places.get(Number(bearer.cik)), current ? SCORES.symbol : SCORES.formerSymbol);
    }
    const words = foldedWords(asked);
    const told = words.filter((word) => !LEGAL_FORMS.has(word));
    const sought = told.length > 0 ? told : words;
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
            for (const { cik } of owners.get(near) ?? []) found.add(places.get(cik), SCORES.nearSymbol);
          }
        }
      }
    }
    return found.best(max).map((company) => padCik(companies[company]?.cik ?? 0));
  };
}

/** The companies that a search found, with their points. One for all searches: each clears it. */
class Found {
  any = false;
  /** By company; 0: not found. */
  private readonly points: Int32Array;

  constructor(private readonly companies: readonly CompanySize[]) {
    this.points = new Int32Array(companies.length);
  }

  clear(): void {
    this.points.fill(0);
    this.any = false;
  }

  /** A company that was found, for one reason: the best one counts. */
  add(company: number | undefined, score: number): void {
    const one = this.companies[company ?? -1];
    if (company === undefined || one === undefined) return;
    const earned = score + one.size + (one.hasRows ? HAS_ROWS : 0);
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

interface CompanySize {
  cik: number;
  size: number;
  hasRows: boolean;
}

function readSizes(dataset: Dataset): CompanySize[] {
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
