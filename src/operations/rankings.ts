/** Rankings, figures and standings over a selection, for pages. Access control is up to the pages. */
import { type GivenParameters, singleParameters } from "../domain/parameters.ts";
import { AMOUNTS } from "../domain/row-fields.ts";
import { readSelection, sectorName, SECTORS, SELECTION_PARAMETERS } from "../domain/selection.ts";
import type { Analyst } from "../analysis/analyst.ts";
import type { FiguresQuestion } from "../analysis/index.ts";
import type { GroupStatistics } from "../analysis/statistics.ts";
import { isMemberOn, readCompanyFacts } from "../dataset/company-facts.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { nameCompanies } from "./analysis.ts";
import type { PageCompany } from "./companies.ts";
import { readQuery } from "./query.ts";
import { decodeRows } from "./rows.ts";

/** A page of a ranking. */
export type Ranking = Awaited<ReturnType<typeof rankingOf>>;

/** Filters as in addresses, each once. */
type Filters = Readonly<Record<string, string>>;

function givenOf(filters: Filters): GivenParameters {
  return new Map(Object.entries(filters).map(([name, value]) => [name, [value]]));
}

/** Rows across companies for a page. Refuses as the query operation does. */
export async function rankingOf(dataset: Dataset, analyst: Analyst, filters: Filters) {
  const { question, page } = readQuery(dataset, givenOf(filters));
  const result = await analyst.ask(dataset, question);
  const next = page.next(result.count, result.matched.rows);
  return { ...result, rows: decodeRows(result.rows), question, next };
}

/** Number of values that a strip plot can still distinguish. */
export const MAX_VALUES = 1000;

/** A selection as in addresses, without sort and cursor. Refuses as the statistics operation does. */
export function selectionOf(dataset: Dataset, filters: Filters): FiguresQuestion["selection"] {
  const single = singleParameters(givenOf(filters), SELECTION_PARAMETERS);
  return nameCompanies(dataset, readSelection(single)).resolved;
}

/** Statistics and the first values of the amount that a ranking is sorted by, over its whole selection; nothing for other sort keys. */
export async function distributionOf(
  dataset: Dataset,
  analyst: Analyst,
  { question: { selection, sort } }: Ranking,
): Promise<{ figures: GroupStatistics | undefined; values: readonly number[] }> {
  const by = AMOUNTS.find((name) => name === sort.by);
  if (by === undefined) return { figures: undefined, values: [] };
  const { tables, values } = await analyst.ask(dataset, {
    kind: "figures",
    selection,
    questions: [{ field: by, groupBy: [], rankCik: null }],
    values: { by, descending: sort.descending, count: MAX_VALUES },
  });
  return { figures: tables[0]?.statistics[0], values };
}

/** How the CEO's total of a fiscal year compares within the company's sector and index. */
export async function standingsOf(
  dataset: Dataset,
  analyst: Analyst,
  { company }: PageCompany,
  fiscalYear: number,
) {
  const facts = readCompanyFacts(dataset, company.cik);
  const peers: [string, Record<string, string>][] = [];
  // A newer dataset may have a sector this version does not know.
  const sector = SECTORS.find((name) => name === facts.sector);
  if (sector !== undefined) peers.push([sectorName(sector), { sector }]);
  const day = `${fiscalYear}-${company.fiscalYearEnd ?? facts.fiscalYearEnd ?? "12-31"}`;
  if (isMemberOn(facts.memberships, day)) peers.push(["S&P 500", { index: "sp500" }]);
  const found = await Promise.all(
    peers.map(async ([among, narrowed]) => {
      const parameters = { office: "peo", fiscal_year: String(fiscalYear), one_per_company_year: "true" };
      const { tables } = await analyst.ask(dataset, {
        kind: "figures",
        selection: selectionOf(dataset, { ...narrowed, ...parameters }),
        questions: [{ field: "total_compensation", groupBy: [], rankCik: company.cik }],
        values: null,
      });
      const [{ statistics, ranks } = { statistics: [], ranks: [] }] = tables;
      const [group] = statistics;
      const [place] = ranks;
      if (group === undefined || place === undefined || group.rows < 2) return undefined;
      const { rows: of, median, min, max } = group;
      // The own amount, and the lowest and highest.
      return { among, rank: place.rank, of, median, value: place.value, ends: [min, max] };
    }),
  );
  return found.filter((standing) => standing !== undefined);
}
