/** What the pages show, from the dataset in use. Who may see it is the pages' to decide. */
import { type AvailableYear, type Company, normalizeCik, normalizeSymbol } from "../domain/company.ts";
import { AMOUNTS, type ExecutiveCompensation } from "../domain/row-fields.ts";
import { readRows } from "../domain/row-text.ts";
import { foldedWords, readSelection, SECTORS } from "../domain/selection.ts";
import type { GivenParameters } from "../domain/query.ts";
import type { Analyst } from "../snapshot/analysis/analyst.ts";
import type {
  Coverage,
  QueryQuestion,
  QueryResult,
  StatisticsQuestionOf,
} from "../snapshot/analysis/index.ts";
import type { GroupStatistics, Rank } from "../snapshot/analysis/statistics.ts";
import { type CompanyFacts, isMemberOn, readCompanyFacts } from "../snapshot/company-facts.ts";
import type { Dataset } from "../snapshot/dataset.ts";
import { nameCompanies } from "./analysis.ts";
import { readQuery } from "./query.ts";

export {
  amountSource,
  type AmountSource,
  type HistoryEntry,
  readHistory,
  yearsAsOf,
} from "../snapshot/detail.ts";
export {
  fiscalYearsOf,
  type LatestFiling,
  latestFilings,
  type LoadedFiling,
  loadedFilings,
  type PrintedZeros,
  printedZeros,
} from "../snapshot/company-filings.ts";
import { findCompanies } from "./companies.ts";
import { whenSearchable } from "./company-search.ts";
export { type FoundCompany, findCompanies } from "./companies.ts";
/** What pages are handed through. */
export type { Analyst, CompanyFacts, Dataset, GroupStatistics };

/** A company and the symbol that a page was asked by. */
export interface PageCompany {
  company: Company;
  /** Empty where the company was asked for by its CIK and has none. */
  ticker: string;
}

/** The company of a page: by symbol in any spelling, or by CIK. */
export function findCompany(dataset: Dataset, by: "ticker" | "cik", asked: string): PageCompany | undefined {
  if (by === "ticker") {
    const ticker = normalizeSymbol(asked);
    const company = dataset.findBySymbol(ticker);
    return company && { company, ticker };
  }
  const cik = normalizeCik(asked);
  const company = cik === undefined ? undefined : dataset.findByCik(cik);
  return company && { company, ticker: company.ticker };
}

/** The companies of a list, each once, in the order of the list, and the entries that name none. */
export interface ListedCompanies {
  found: PageCompany[];
  unknown: string[];
}

/** Looks up the entries of a list: symbols, and CIKs behind `CIK`. @see readCompanyList */
export function findListed(dataset: Dataset, entries: readonly string[]): ListedCompanies {
  const found = new Map<string, PageCompany>();
  const unknown: string[] = [];
  for (const entry of entries) {
    const one = findCompany(dataset, /^CIK\d+$/.test(entry) ? "cik" : "ticker", entry);
    if (one === undefined) unknown.push(entry);
    else if (!found.has(one.company.cik)) found.set(one.company.cik, one);
  }
  return { found: [...found.values()], unknown };
}

/** The company nearest to an unknown entry and what it is called, for a hint; undefined where none is near. */
export async function nearestCompany(
  dataset: Dataset,
  entry: string,
): Promise<{ ticker: string; cik: string; label: string } | undefined> {
  await dataset.searchReady();
  const [meant] = findCompanies(dataset, entry, 1);
  if (meant === undefined) return undefined;
  const { ticker, cik, company_name: name } = meant;
  return { ticker, cik, label: `${name} (${ticker || `CIK ${cik}`})` };
}

/** A fiscal year of a company as a page shows it. */
export interface PageYear {
  fiscalYear: number;
  complete: boolean;
  rows: ExecutiveCompensation[];
}

/** The rows of a company's years, the newest first. */
export function yearsOf(
  { ticker }: Pick<PageCompany, "ticker">,
  years: readonly AvailableYear[],
): PageYear[] {
  return years.map(({ fiscalYear, complete, rowJson }) => ({
    fiscalYear,
    complete,
    rows: readRows(ticker, rowJson),
  }));
}

/** Where one amount stands among others. */
export interface PeerStanding {
  /** Who the others are, such as `S&P 500`. */
  among: string;
  rank: number;
  of: number;
  /** Share of the others that are lower, 0 to 1. */
  percentile: number;
  median: number;
}

/** Where the CEO's total of a fiscal year stands among those of the company's sector and index. */
export async function standingsOf(
  dataset: Dataset,
  analyst: Analyst,
  { company }: PageCompany,
  facts: CompanyFacts,
  fiscalYear: number,
): Promise<PeerStanding[]> {
  const peers: [string, Record<string, string>][] = [];
  // A newer dataset may name a sector that this program does not know.
  const sector = SECTORS.find((name) => name === facts.sector);
  if (sector !== undefined) peers.push([sectorName(sector), { sector }]);
  const day = `${fiscalYear}-${company.fiscalYearEnd ?? facts.fiscalYearEnd ?? "12-31"}`;
  if (isMemberOn(facts.memberships, day)) peers.push(["S&P 500", { index: "sp500" }]);
  const found = await Promise.all(
    peers.map(async ([among, narrowed]): Promise<PeerStanding | undefined> => {
      const asked = {
        ...narrowed,
        office: "peo",
        fiscal_year: String(fiscalYear),
        one_per_company_year: "true",
      };
      const { resolved } = nameCompanies(dataset, readSelection(new Map(Object.entries(asked))));
      const { statistics, ranks } = await figuresFrom(dataset, analyst, {
        kind: "statistics",
        selection: resolved,
        question: { field: "total_compensation", groupBy: [], rankCik: company.cik },
      });
      const [group] = statistics;
      const [place] = ranks;
      if (group === undefined || place === undefined || group.rows < 2) return undefined;
      const { rank, percentile } = place;
      return { among, rank, of: group.rows, percentile, median: group.median };
    }),
  );
  return found.filter((standing) => standing !== undefined);
}

/** `information_technology` as people write it. */
export function sectorName(sector: string): string {
  const words = sector.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The facts of a page's company. */
export function factsOf(dataset: Dataset, { company }: PageCompany): CompanyFacts {
  return readCompanyFacts(dataset, company.cik);
}

/** A page of a ranking. */
export interface Ranking extends Coverage {
  rows: ExecutiveCompensation[];
  question: QueryQuestion;
  next: string | null;
}

/** Rows across companies for a page. Refuses as the query operation does. */
export async function rankingOf(
  dataset: Dataset,
  analyst: Analyst,
  given: GivenParameters,
): Promise<Ranking> {
  const { question, nextCursor } = await whenSearchable(() => readQuery(dataset, given));
  const result = await analyst.query(dataset, question);
  return {
    ...result,
    rows: rowsOf(result),
    question,
    next: nextCursor(result),
  };
}

/** The figures of the amount that a ranking is sorted by, over its whole selection, as the statistics operation has them. */
export async function figuresOf(
  dataset: Dataset,
  analyst: Analyst,
  { question }: Ranking,
): Promise<GroupStatistics | undefined> {
  const field = AMOUNTS.find((name) => name === question.sort.by);
  if (field === undefined) return undefined;
  const { statistics } = await figuresFrom(dataset, analyst, {
    kind: "statistics",
    selection: question.selection,
    question: { field, groupBy: [], rankCik: null },
  });
  return statistics[0];
}

/** Values that a strip plot still tells apart. */
export const MAX_VALUES = 1000;

/** The values of the amount that a ranking is sorted by, the first `MAX_VALUES`; none where it is sorted by no amount. */
export async function sortedValues(
  dataset: Dataset,
  analyst: Analyst,
  { question }: Ranking,
): Promise<number[]> {
  const by = AMOUNTS.find((name) => name === question.sort.by);
  if (by === undefined) return [];
  const { descending } = question.sort;
  const { values } = await analyst.values(dataset, {
    kind: "values",
    selection: question.selection,
    sort: { by, descending },
    count: MAX_VALUES,
  });
  return values;
}

function rowsOf({ rows }: QueryResult): ExecutiveCompensation[] {
  // The snapshot is compiled from rows of this very shape, and its content hash vouches for it.
  return JSON.parse(`[${decode(rows)}]`) as ExecutiveCompensation[];
}

async function figuresFrom(dataset: Dataset, analyst: Analyst, question: StatisticsQuestionOf) {
  const { json } = await analyst.statistics(dataset, question);
  // The analysis writes exactly these.
  return JSON.parse(`${decode(json)}}`) as { statistics: GroupStatistics[]; ranks: Rank[] };
}

const decoder = new TextDecoder();

function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** A person found by name. */
export interface FoundPerson {
  name: string;
  executiveId: string;
  cik: string;
  ticker: string;
  companyName: string;
  years: number[];
}

/** People that a search by name finds at most. */
export const MAX_PEOPLE = 20;

/** People by words of their names, each once a company, the newest years first; in whatever currency they are paid. */
export async function findPeople(dataset: Dataset, analyst: Analyst, words: string): Promise<FoundPerson[]> {
  const asked = new Map([
    ["executive", words],
    ["fiscal_year_gte", "0"],
  ]);
  const { resolved } = nameCompanies(dataset, readSelection(asked));
  const sort = { by: "fiscal_year", descending: true } as const;
  const result = await analyst.query(dataset, {
    kind: "query",
    selection: { ...resolved, currency: null },
    sort,
    offset: 0,
    count: 200,
    askedAs: new Map(),
  });
  const found = new Map<string, FoundPerson>();
  for (const row of rowsOf(result)) {
    const key = `${row.cik} ${row.executive_id}`;
    if (found.size >= MAX_PEOPLE) break;
    if (found.has(key)) continue;
    const { executive_name: name, executive_id: executiveId, cik, ticker, company_name: companyName } = row;
    // Of a name that many have, not every year is among the rows found.
    const years = dataset
      .years(cik)
      .filter((year) => rowJsonOf(year, executiveId) !== undefined)
      .map(({ fiscalYear }) => fiscalYear);
    found.set(key, { name, executiveId, cik, ticker, companyName, years });
  }
  return [...found.values()];
}

/** People by words of their names; where nobody has all of them, by the last one: filings print James for Jamie. */
export async function findPeopleNamed(
  dataset: Dataset,
  analyst: Analyst,
  words: string,
): Promise<{
  people: FoundPerson[];
  /** The last word, where it is all that they have. */
  having: string | null;
}> {
  const people = await findPeople(dataset, analyst, words);
  const named = foldedWords(words);
  const having = named.at(-1) ?? "";
  if (people.length > 0 || named.length < 2 || having.length < MIN_LAST_WORD) return { people, having: null };
  return { people: await findPeople(dataset, analyst, having), having };
}

/** Shorter ones name half of all people. */
const MIN_LAST_WORD = 3;

/** The row of a page, by year and executive. */
export function findRow(
  dataset: Dataset,
  { company, ticker }: PageCompany,
  fiscalYear: number,
  executiveId: string,
): ExecutiveCompensation | undefined {
  const year = dataset.years(company.cik).find((one) => one.fiscalYear === fiscalYear);
  const tail = year && rowJsonOf(year, executiveId);
  return tail === undefined ? undefined : readRows(ticker, [tail])[0];
}

/** The row of an executive in a company's year. */
function rowJsonOf({ rowJson }: AvailableYear, executiveId: string): string | undefined {
  const marked = `"executive_id":${JSON.stringify(executiveId)}`;
  return rowJson.find((one) => one.includes(marked));
}
