/** What the search by name needs, laid out when a snapshot is made: all names of all companies, and an index of their words. */
import { foldedWords } from "../domain/selection.ts";
import { type WordIndex, wordIndex } from "./columns/names.ts";
import { PackedTexts } from "./columns/packed.ts";
import type { Dataset } from "./dataset.ts";

/** The index. A company is its place in `ciks`, a name its place in `company`. */
export interface SearchIndex {
  /** Ascending. */
  ciks: Float64Array;
  /** What is added to the points of a match: `WEIGHTS`, and less for index membership and size. */
  weights: Int32Array;
  /** The company of each name. */
  company: Int32Array;
  /** Whether each name is a former one. */
  former: Uint8Array;
  /** The words of each name without legal forms (Inc., Corp.). */
  cores: PackedTexts;
  /** The words of names. */
  words: WordIndex;
  /** The words of names without spaces, ascending, and the name of each. */
  together: PackedTexts;
  togetherNames: Int32Array;
  /** All tickers, ascending, and the CIK of each. */
  symbols: PackedTexts;
  symbolCiks: Float64Array;
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
  const { companies, members, formerNames } = readNames(dataset);
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
  const order = [...together.keys()].sort((a, b) => compare(together[a] ?? "", together[b] ?? "") || a - b);
  const symbols = dataset.all<{ symbol: string; cik: number }>(
    "select symbol, cik from symbols order by symbol",
  );
  return {
    ciks: Float64Array.from(companies, ({ cik }) => cik),
    weights: Int32Array.from(
      companies,
      ({ cik, rowCount, tags, category }) =>
        (rowCount > 0 ? WEIGHTS.hasRows : tags > 0 ? WEIGHTS.hasTotal : 0) +
        sizeOf(category, members.has(cik)),
    ),
    company: Int32Array.from(company),
    former: Uint8Array.from(former),
    cores: PackedTexts.of(cores),
    words: wordIndex(names, (folded) => folded.split(" ")),
    together: PackedTexts.of(order.map((name) => together[name] ?? "")),
    togetherNames: Int32Array.from(order),
    symbols: PackedTexts.of(symbols.map(({ symbol }) => symbol)),
    symbolCiks: Float64Array.from(symbols, ({ cik }) => cik),
  };
}

/** All companies with their names and what their size is judged by. */
function readNames(dataset: Pick<Dataset, "all">) {
  const companies = dataset.all<{
    cik: number;
    name: string;
    listedName: string | null;
    rowCount: number;
    tags: number;
    category: string | null;
  }>(
    `select c.cik, name, listed_name as listedName, row_count as rowCount, filer_category as category,
        exists (select 1 from peo_tags t where t.cik = c.cik) as tags
      from companies c left join registrants r on r.cik = c.cik order by c.cik`,
  );
  const members = new Set(
    dataset
      .all<{ cik: number }>("select distinct cik from index_members where removed is null")
      .map(({ cik }) => cik),
  );
  const formerNames = Map.groupBy(
    dataset.all<{ cik: number; name: string }>("select cik, name from former_names"),
    ({ cik }) => cik,
  );
  return { companies, members, formerNames };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sizeOf(category: string | null, isMember: boolean): number {
  const filer = category?.startsWith("Large")
    ? SIZES.large
    : category?.startsWith("Accel")
      ? SIZES.accelerated
      : 0;
  return (isMember ? SIZES.inIndex : 0) + filer;
}
