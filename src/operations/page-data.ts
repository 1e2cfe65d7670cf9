/** Data for pages, from the dataset in use. Access control is up to the pages. */
import {
  type AvailableYear,
  type Company,
  normalizeCik,
  normalizeSymbol,
  readCompanyList,
} from "../domain/company.ts";
import { nearest } from "../domain/nearest.ts";
import { otherForms } from "../domain/nicknames.ts";
import { type AmountField, AMOUNTS, type ExecutiveCompensation, readRows } from "../domain/row-fields.ts";
import {
  foldedWords,
  readSelection,
  SECTORS,
  SELECTION_PARAMETERS,
  singleParameters,
} from "../domain/selection.ts";
import type { GivenParameters } from "../domain/query.ts";
import type { Analyst } from "../analysis/analyst.ts";
import type {
  Coverage,
  FiguresQuestion,
  FiguresResult,
  QueryQuestion,
  QueryResult,
} from "../analysis/index.ts";
import type { GroupStatistics, Rank } from "../analysis/statistics.ts";
import { isMemberOn, readCompanyFacts } from "../dataset/company-facts.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { MIN_MISTAKEN } from "../dataset/columns/names.ts";
import { nameCompanies } from "./analysis.ts";
import { readQuery } from "./query.ts";
import { findCompanies } from "./companies.ts";

export {
  amountSource,
  type AmountSource,
  type HistoryEntry,
  readHistory,
  yearsAsOf,
} from "../dataset/detail.ts";
export {
  countLinked,
  fiscalYearsOf,
  type LatestFiling,
  latestFilings,
  type LoadedFiling,
  loadedFilings,
  type RowCells,
  rowCells,
} from "../dataset/company-facts.ts";
export { type CeoPayRecord, readCeoPay } from "../dataset/ceo-pay.ts";
export { isShortPeriod, type Remark, type RemarksOf, rowRemarks, shortPeriods } from "../dataset/remarks.ts";
export { type FoundCompany, findCompanies } from "./companies.ts";
/** Types that pages pass on. */
export type { Analyst, Dataset, GroupStatistics, Rank };
export { readCompanyFacts };

/** A company and the symbol it was requested by. */
export interface PageCompany {
  company: Company;
  /** Empty if requested by CIK and the company has no symbol. */
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

/** The distinct companies of a list, in order, and the entries that match none. */
export interface ListedCompanies {
  found: PageCompany[];
  unknown: string[];
}

/** Resolves the entries of a list: symbols, and CIKs prefixed `CIK`. @see readCompanyList */
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

/** Names in a list that are looked up; each takes a search. */
const MAX_NAMES = 40;

/**
 * Resolves a list as people type it: symbols, CIKs and names, separated by commas, semicolons or line breaks; symbols
 * also by spaces. A name counts only if each of its words begins a word of the company's name.
 */
export async function findTyped(dataset: Dataset, text: string): Promise<ListedCompanies> {
  const bySymbol = findListed(dataset, readCompanyList(text));
  if (bySymbol.unknown.length === 0) return bySymbol;
  const entries = text.split(/[,;\n]/, 400).map((entry) => entry.trim());
  const found = new Map<string, PageCompany>();
  const unknown: string[] = [];
  let looked = 0;
  for (const entry of entries.filter((one) => one !== "")) {
    const symbols = findListed(dataset, readCompanyList(entry));
    const named =
      symbols.unknown.length > 0 && looked++ < MAX_NAMES ? companyNamed(dataset, entry) : undefined;
    if (named === undefined) unknown.push(...symbols.unknown.filter((one) => !unknown.includes(one)));
    for (const one of named === undefined ? symbols.found : [named])
      if (!found.has(one.company.cik)) found.set(one.company.cik, one);
  }
  return { found: [...found.values()], unknown };
}

/** The company meant by a name, without typing mistakes. */
function companyNamed(dataset: Dataset, name: string): PageCompany | undefined {
  const words = foldedWords(name);
  const [cik] = words.length === 0 ? [] : dataset.search(name, 1);
  const company = cik === undefined ? undefined : dataset.findByCik(cik);
  const own = foldedWords(company?.name ?? "");
  if (company === undefined || !words.every((word) => own.some((one) => one.startsWith(word))))
    return undefined;
  return { company, ticker: company.ticker };
}

/** The closest company to an unknown entry, with its label for a hint; undefined if none is close. */
export async function nearestCompany(
  dataset: Dataset,
  entry: string,
): Promise<{ ticker: string; cik: string; label: string } | undefined> {
  const [meant] = findCompanies(dataset, entry, 1);
  if (meant === undefined) return undefined;
  const { ticker, cik, company_name: name } = meant;
  return { ticker, cik, label: `${name} (${ticker || `CIK ${cik}`})` };
}

/** A company's fiscal year on a page. */
export interface PageYear {
  fiscalYear: number;
  complete: boolean;
  rows: ExecutiveCompensation[];
}

/** The rows of a company's years, newest first. */
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

/** How an amount compares with those of peers. */
export interface PeerStanding {
  /** The peer group, such as `S&P 500`. */
  among: string;
  rank: number;
  of: number;
  /** Share of the other amounts that are lower, from 0 to 1. */
  percentile: number;
  median: number;
  /** The own amount, and the lowest and highest. */
  value: number;
  ends: readonly [number, number];
}

/** How the CEO's total of a fiscal year compares within the company's sector and index. */
export async function standingsOf(
  dataset: Dataset,
  analyst: Analyst,
  { company }: PageCompany,
  fiscalYear: number,
): Promise<PeerStanding[]> {
  const facts = readCompanyFacts(dataset, company.cik);
  const peers: [string, Record<string, string>][] = [];
  // A newer dataset may have a sector this version does not know.
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
      const { tables } = await figuresOf(dataset, analyst, selectionOf(dataset, asked), [
        { field: "total_compensation", groupBy: [], rankCik: company.cik },
      ]);
      const [{ statistics, ranks } = { statistics: [], ranks: [] }] = tables;
      const [group] = statistics;
      const [place] = ranks;
      if (group === undefined || place === undefined || group.rows < 2) return undefined;
      const { rank, percentile, value } = place;
      const { rows: of, median, min, max } = group;
      return { among, rank, of, percentile, median, value, ends: [min, max] };
    }),
  );
  return found.filter((standing) => standing !== undefined);
}

/** `information_technology` as `Information technology`. */
export function sectorName(sector: string): string {
  const words = sector.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
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
  const { question, nextCursor } = readQuery(dataset, given);
  const result = await analyst.ask(dataset, question);
  return {
    ...result,
    rows: rowsOf(result),
    question,
    next: nextCursor(result),
  };
}

/** Number of values that a strip plot can still distinguish. */
export const MAX_VALUES = 1000;

/** A selection as in addresses, without sort and cursor. Refuses as the statistics operation does. */
export function selectionOf(
  dataset: Dataset,
  filters: Readonly<Record<string, string>>,
): FiguresQuestion["selection"] {
  const given = new Map(Object.entries(filters).map(([name, value]) => [name, [value]]));
  return nameCompanies(dataset, readSelection(singleParameters(given, SELECTION_PARAMETERS))).resolved;
}

/** Statistics of one selection, as the statistics operation makes them, and its first values: one pass over its rows. */
export async function figuresOf(
  dataset: Dataset,
  analyst: Analyst,
  selection: FiguresQuestion["selection"],
  questions: FiguresQuestion["questions"],
  values: { by: AmountField; descending: boolean } | null = null,
): Promise<FiguresResult> {
  return analyst.ask(dataset, {
    kind: "figures",
    selection,
    questions,
    values: values && { ...values, count: MAX_VALUES },
  });
}

/** Statistics and the first values of the amount that a ranking is sorted by, over its whole selection; nothing for other sort keys. */
export async function distributionOf(
  dataset: Dataset,
  analyst: Analyst,
  { question: { selection, sort } }: Ranking,
): Promise<{ figures: GroupStatistics | undefined; values: readonly number[] }> {
  const by = AMOUNTS.find((name) => name === sort.by);
  if (by === undefined) return { figures: undefined, values: [] };
  const asked = [{ field: by, groupBy: [], rankCik: null }];
  const { tables, values } = await figuresOf(dataset, analyst, selection, asked, { ...sort, by });
  return { figures: tables[0]?.statistics[0], values };
}

function rowsOf({ rows }: QueryResult): ExecutiveCompensation[] {
  return rowsIn(rows);
}

function rowsIn(rows: Uint8Array): ExecutiveCompensation[] {
  // The snapshot was compiled from rows of this type, and is verified by its content hash.
  return JSON.parse(`[${decode(rows)}]`) as ExecutiveCompensation[];
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

/** Maximum number of people a search by name returns. */
export const MAX_PEOPLE = 20;

/** People whose names contain the words, once per company, most recent years first, in any currency. */
export async function findPeople(dataset: Dataset, analyst: Analyst, words: string): Promise<FoundPerson[]> {
  const asked = new Map([
    ["executive", words],
    ["fiscal_year_gte", "0"],
  ]);
  const { resolved } = nameCompanies(dataset, readSelection(asked));
  const sort = { by: "fiscal_year", descending: true } as const;
  const result = await analyst.ask(dataset, {
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
    if (!found.has(key)) found.set(key, personOf(dataset, row));
  }
  return [...found.values()];
}

/** The person of a row, with every year at the company: the rows found for a common name may not include all. */
function personOf(dataset: Dataset, row: ExecutiveCompensation): FoundPerson {
  const { executive_name: name, executive_id: executiveId, cik, ticker, company_name: companyName } = row;
  const years = dataset
    .years(cik)
    .filter((year) => rowJsonOf(year, executiveId) !== undefined)
    .map(({ fiscalYear }) => fiscalYear);
  return { name, executiveId, cik, ticker, companyName, years };
}

/** Longest name that is looked for, in words. */
const MAX_TYPED = 6;

/**
 * People by what was typed: half words (`nadel`), nicknames (`bob swan`), one typing error a word. Once per company, most
 * recent years and highest totals first.
 */
export async function findTypedPeople(
  dataset: Dataset,
  analyst: Analyst,
  text: string,
  max: number,
): Promise<FoundPerson[]> {
  const words = foldedWords(text)
    .slice(0, MAX_TYPED)
    .map((word) => ({ begins: word, equals: otherForms(word) }));
  // One letter begins a third of all names.
  if (!words.some(({ begins }) => begins.length > 1)) return [];
  for (const forgiving of [false, true]) {
    const { rows } = await analyst.ask(dataset, { kind: "people", words, forgiving, max });
    const found = rowsIn(rows);
    if (found.length > 0) return found.map((row) => personOf(dataset, row));
  }
  return [];
}

/** People whose names contain the words; if no one has all of them, the last word: filings print James for Jamie. */
export async function findPeopleNamed(
  dataset: Dataset,
  analyst: Analyst,
  words: string,
): Promise<{
  people: FoundPerson[];
  /** The last word, if the people match only that. */
  having: string | null;
}> {
  const people = await findPeople(dataset, analyst, words);
  const named = foldedWords(words);
  const having = named.at(-1) ?? "";
  if (people.length > 0 || named.length < 2 || having.length < MIN_LAST_WORD) return { people, having: null };
  return { people: await findPeople(dataset, analyst, having), having };
}

/** People whose names contain what the last word, mistyped, may mean; with all other words too, if there are such. */
export async function findPeopleNear(
  dataset: Dataset,
  analyst: Analyst,
  words: string,
): Promise<{ people: FoundPerson[]; having: string | null }> {
  const named = foldedWords(words);
  const mistyped = named.pop() ?? "";
  if (mistyped.length < MIN_MISTAKEN) return { people: [], having: null };
  const { words: known } = await analyst.ask(dataset, { kind: "names", near: mistyped });
  const meant = nearest(mistyped, known);
  if (meant === undefined) return { people: [], having: null };
  const all = named.length === 0 ? [] : await findPeople(dataset, analyst, [...named, meant].join(" "));
  return { people: all.length > 0 ? all : await findPeople(dataset, analyst, meant), having: meant };
}

/** A shorter last word would match half of all people. */
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

/** The row of the same executive in the fiscal year before. */
export function rowBefore(dataset: Dataset, row: ExecutiveCompensation): ExecutiveCompensation | undefined {
  const year = dataset.years(row.cik).find(({ fiscalYear }) => fiscalYear === row.fiscal_year - 1);
  const tail = year && rowJsonOf(year, row.executive_id);
  return tail === undefined ? undefined : readRows(row.ticker, [tail])[0];
}

/** Finds the row of the principal executive officer with a total in a company's fiscal year. */
export function rowsOfOfficers(dataset: Dataset) {
  return (of: { cik: string; ticker: string; fiscal_year: number | null; peo_total: number | null }) => {
    const year = dataset.years(of.cik).find(({ fiscalYear }) => fiscalYear === of.fiscal_year);
    const rows = year === undefined ? [] : readRows(of.ticker, year.rowJson);
    return rows.find((row) => row.is_peo && row.total_compensation === of.peo_total);
  };
}

/** Whether the fiscal year of a row is partial: its own filing is not loaded. */
export function isPartialYear(dataset: Dataset, { cik, fiscal_year: of }: ExecutiveCompensation): boolean {
  return dataset.years(cik).some(({ fiscalYear, complete }) => fiscalYear === of && !complete);
}

/** The stored row of an executive in a company's year. */
function rowJsonOf({ rowJson }: AvailableYear, executiveId: string): string | undefined {
  const marked = `"executive_id":${JSON.stringify(executiveId)}`;
  return rowJson.find((one) => one.includes(marked));
}
