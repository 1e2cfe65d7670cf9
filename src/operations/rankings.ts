/** Rankings, figures and standings over a selection, for pages. Access control is up to the pages. */
import { type GivenParameters, singleParameters } from "../domain/parameters.ts";
import { type AmountField, AMOUNTS, type ExecutiveCompensation } from "../domain/row-fields.ts";
import { readSelection, sectorName, SECTORS, SELECTION_PARAMETERS } from "../domain/selection.ts";
import type { Analyst } from "../analysis/analyst.ts";
import type { Coverage, FiguresQuestion, FiguresResult, QueryQuestion } from "../analysis/index.ts";
import type { GroupStatistics } from "../analysis/statistics.ts";
import { isMemberOn, readCompanyFacts } from "../dataset/company-facts.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { nameCompanies } from "./analysis.ts";
import type { PageCompany } from "./companies.ts";
import { readQuery } from "./query.ts";
import { decodeRows } from "./rows.ts";

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
  const { question, page } = readQuery(dataset, given);
  const result = await analyst.ask(dataset, question);
  return {
    ...result,
    rows: decodeRows(result.rows),
    question,
    next: page.next(result.count, result.matched.rows),
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
  {
    values = null,
    isOthers = false,
  }: { values?: { by: AmountField; descending: boolean } | null; isOthers?: boolean } = {},
): Promise<FiguresResult> {
  return analyst.ask(dataset, {
    kind: "figures",
    selection,
    isOthers,
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
  const { tables, values } = await figuresOf(dataset, analyst, selection, asked, { values: { ...sort, by } });
  return { figures: tables[0]?.statistics[0], values };
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
