/** Rankings, figures and ranks over a selection, for pages. Access control is up to the pages. */
import { unitsOf } from "../domain/amount.ts";
import { givenOnce, singleParameters } from "../domain/parameters.ts";
import { AMOUNTS } from "../domain/row-fields.ts";
import { readSelection, valueName, SECTORS, SELECTION_PARAMETERS } from "../domain/selection.ts";
import type { Analyst } from "../analysis/analyst.ts";
import type { FiguresQuestion } from "../analysis/index.ts";
import type { GroupStatistics } from "../analysis/statistics.ts";
import type { Sight } from "../analysis/sight.ts";
import { readCeoPay } from "../dataset/ceo-pay-records.ts";
import { isMemberOn, readCompanyFacts } from "../dataset/company-facts.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { nameCompanies } from "./analysis.ts";
import type { PageCompany } from "./companies.ts";
import { readQuery } from "./query.ts";
import { type CeoPayGroup, leftOut, resolvedCeoPay } from "./ceo-pay.ts";
import { decodeRows } from "./rows.ts";

/** A page of a ranking. */
export type Ranking = Awaited<ReturnType<typeof rankingOf>>;

/** Filters as in addresses, each once. */
type Filters = Readonly<Record<string, string>>;

/** Refuses filters, an order or a cursor that a ranking does not have, as the query operation does. */
export function checkRanking(dataset: Dataset, filters: Filters): void {
  readQuery(dataset, givenOnce(filters));
}

/** Rows across companies for a page. Refuses as the query operation does. @param sight what its viewer may see; null for everything @param without the CIK of a company that is left out */
export async function rankingOf(
  dataset: Dataset,
  analyst: Analyst,
  filters: Filters,
  sight: Sight | null = null,
  without: string | null = null,
) {
  const { question: asked, page } = readQuery(dataset, givenOnce(filters));
  const question = { ...asked, selection: { ...asked.selection, ...leftOut(without) }, sight };
  const result = await analyst.ask(dataset, question);
  const next = page.next(result.count, result.matched.rows);
  return { ...result, rows: decodeRows(result.rows), question, next };
}

/** Number of values that a strip plot can still distinguish. */
export const MAX_VALUES = 1000;

/** A selection as in addresses, without sort and cursor. Refuses as the statistics operation does. */
export function selectionOf(dataset: Dataset, filters: Filters): FiguresQuestion["selection"] {
  const single = singleParameters(givenOnce(filters), SELECTION_PARAMETERS);
  return nameCompanies(dataset, readSelection(single)).resolved;
}

/** Statistics and the first values of the amount that a ranking is sorted by, over its whole selection; nothing for other sort keys. */
export async function distributionOf(
  dataset: Dataset,
  analyst: Analyst,
  { question: { selection, sight, sort } }: Ranking,
): Promise<{ figures: GroupStatistics | undefined; values: readonly number[] }> {
  const by = AMOUNTS.find((name) => name === sort.by);
  if (by === undefined) return { figures: undefined, values: [] };
  const { tables, values } = await analyst.ask(dataset, {
    kind: "figures",
    selection,
    sight,
    questions: [{ field: by, groupBy: [], rankCik: null }],
    values: { by, descending: sort.descending, count: MAX_VALUES },
  });
  return { figures: tables[0]?.statistics[0], values };
}

/** Fewest totals that one is ranked among: among fewer, the others could be told from the rank. */
export const MIN_RANKED = 8;

/** How the newest known total of a company's CEO compares with the newest known of the others in its sector and index. */
export async function ranksOf(dataset: Dataset, analyst: Analyst, { company }: PageCompany) {
  const facts = readCompanyFacts(dataset, company.cik);
  const [own] = readCeoPay(dataset, company.cik)
    .filter(({ isLatest, doubts }) => isLatest && doubts.length === 0)
    .toSorted((a, b) => b.cents - a.cents);
  if (own === undefined) return [];
  const peers: [string, Record<string, string>][] = [];
  // A newer dataset may have a sector this version does not know.
  const sector = SECTORS.find((name) => name === facts.sector);
  if (sector !== undefined) peers.push([valueName(sector), { sector }]);
  if (isMemberOn(facts.memberships, dataset.info.edition)) peers.push(["S&P 500", { index: "sp500" }]);
  const totalsOf = async (filters: Filters) => {
    const selection = resolvedCeoPay(dataset, filters);
    const asked = { kind: "ceo_pay_statistics", selection, groupBy: [], sameCompanies: false } as const;
    const { json } = await analyst.ask(dataset, asked);
    const [group] = decodeGroups(json);
    return group;
  };
  const found = await Promise.all(
    peers.map(async ([among, narrowed]) => {
      const filters = { ...narrowed, reporting_currency: own.currency };
      const [group, mine, above] = await Promise.all([
        totalsOf(filters),
        totalsOf({ ...filters, cik: company.cik }),
        totalsOf({ ...filters, peo_total_gt: String(unitsOf(own.cents)) }),
      ]);
      // Its newest total may be too old to be compared.
      const isAmong =
        mine !== undefined && group !== undefined && group.max >= mine.max && group.min <= mine.max;
      if (!isAmong || group.records < MIN_RANKED) return undefined;
      const { records: of, median, min, max } = group;
      // The own amount, and the lowest and highest.
      return { among, rank: (above?.records ?? 0) + 1, of, median, ends: [min, max], own };
    }),
  );
  return found.filter((one) => one !== undefined);
}

const decoder = new TextDecoder();

function decodeGroups(json: Uint8Array): CeoPayGroup[] {
  // The analysis wrote exactly these.
  return JSON.parse(`[${decoder.decode(json)}]`) as CeoPayGroup[];
}
