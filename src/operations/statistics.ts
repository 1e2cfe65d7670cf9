import type { Endpoint } from "./endpoint.ts";
import { MEASURES, AMOUNTS } from "../domain/row-fields.ts";
import { FLAG, listOf, readValues, shorten, singleParameters, textUpTo, word } from "../domain/parameters.ts";
import { GROUPINGS, type Grouping, selectionOf, SELECTION_PARAMETERS } from "../domain/selection.ts";
import { invalid, ServiceError } from "../errors.ts";
import type { Coverage } from "../analysis/index.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { CIK } from "../domain/company.ts";
import { type Definition, named } from "../lib/definition.ts";
import { FIGURES } from "../analysis/statistics.ts";
import {
  type AnalysisDeps,
  COUNT,
  MATCHED_ROWS,
  nameCompanies,
  pricedOperation,
  ROW_COVERAGE,
} from "./analysis.ts";
import { companyMeant, type MeantCompany, whatNext } from "./company.ts";
import { ceoPayOf } from "./ceo-median.ts";
import { missingOf } from "./empty.ts";
import { encode, joined } from "./operation.ts";

/** Parts of the result, for surfaces that render it. */
export { FIGURES, type GroupKey, type GroupStatistics, type Rank } from "../analysis/statistics.ts";

/** The parameter that groups by one or two of these. */
export function groupByParameter<const Name extends Grouping>(groupings: readonly Name[]) {
  return {
    name: "group_by",
    about: `one or two of ${groupings.join(", ")}, comma-separated; sic2: the first two digits of the SIC code`,
    ...listOf(word(groupings), 2, `one or two different of ${groupings.join(", ")}`),
  } as const;
}

/** Longest name of a company. */
const MAX_NAME = 80;

/** The parameter for trends. */
export const SAME_COMPANIES = {
  name: "same_companies",
  about: "with group_by=fiscal_year: only companies that have every fiscal year of the selection",
  ...FLAG,
} as const;

const QUESTION = [
  {
    name: "field",
    about: "amount or measure to compute statistics of",
    ...word([...AMOUNTS, ...MEASURES], "total_compensation"),
  },
  groupByParameter(GROUPINGS),
  SAME_COMPANIES,
  {
    name: "rank_ticker",
    about: "ticker symbol or name of a company; its rows in the selection are ranked within their groups",
    ...textUpTo(MAX_NAME, "a ticker symbol or a company's name"),
  },
] as const;

/** The parameters of the statistics operation. */
export const STATISTICS_PARAMETERS = [...SELECTION_PARAMETERS, ...QUESTION] as const;

/** Definition of the figures, included in every answer. */
const DEFINITION =
  "Percentiles by linear interpolation between order statistics (PERCENTILE.INC, R type 7). rank: 1 is the highest, equal " +
  "values share one. percentile: share of the other values that are lower (PERCENTRANK.INC, not rounded). office: whoever " +
  "was both counts in peo and pfo. incomplete: the company-year's own filing has not been read, so executives who had left by " +
  "the next one are missing.";

const GROUP_KEY = { reporting_currency: "string", "[string]": "string | number.integer | null" } as const;

/** Statistics of one group in an answer. @param matched definitions of its counts */
export function groupOf(matched: Readonly<Record<string, Definition>>): Definition {
  return { group: GROUP_KEY, ...matched, ...Object.fromEntries(FIGURES.map((name) => [name, "number"])) };
}

/** Whether the years of a trend are not of the same companies. */
export const COMPANIES_DIFFER = {
  "companies_differ?": ["boolean", "@", "with group_by=fiscal_year: the years are not of the same companies"],
} as const;

const RANK = named("Rank", {
  cik: CIK,
  executive_id: "string",
  fiscal_year: "number.integer",
  "group?": GROUP_KEY,
  value: "number",
  rank: "number.integer >= 1",
  percentile: "0 <= number <= 1",
});

const STATISTICS = named("StatisticsResponse", {
  statistics: [named("StatisticsGroup", groupOf(MATCHED_ROWS)), "[]"],
  ranks: [RANK, "[]"],
  definition: "string",
  "ceo_pay?": [
    { companies: COUNT, median: "number", url: "string" },
    "@",
    "with office=peo over the total: the median of the same selection over rows and tags, and where it is from",
  ],
  ...COMPANIES_DIFFER,
  ...ROW_COVERAGE,
  "companies_without_cfo?": [
    COUNT,
    "@",
    "with office=pfo or by office: selected companies of which nobody is known to have been CFO",
  ],
});

export const statisticsEndpoint = {
  id: "getExecutiveCompensationStatistics",
  path: "/api/executive-compensation/statistics",
  methods: ["GET"],
  caller: "credential",
  tag: "Analysis",
  summary: "Get statistics across companies",
  description: `Statistics of one amount over the rows of a selection, by group. ${DEFINITION} One credit, none if nothing matches.`,
  parameters: STATISTICS_PARAMETERS,
  answer: { about: "The statistics of the selected rows, one group each.", body: STATISTICS },
  says: ["evidence", "credits"],
  refusals: ["402", "404", "503"],
} as const satisfies Endpoint;

/**
 * Statistics of rows across companies, by group. Costs `priceQuestion`, nothing if no row matches.
 * @see docs/contract.md, "Analysis"
 */
export function statisticsOperation(deps: AnalysisDeps) {
  const { id: name } = statisticsEndpoint;
  return pricedOperation(deps, name, deps.prices.priceQuestion, ({ analyst }, dataset, given) => {
    const query = readValues(singleParameters(given, STATISTICS_PARAMETERS), STATISTICS_PARAMETERS);
    const selection = selectionOf(query);
    const { field = "total_compensation", rank_ticker: ranked, group_by: groupBy = [] } = query;
    const { same_companies: sameCompanies = false } = query;
    if (sameCompanies) requireYears(groupBy);
    const rankedAs = ranked === undefined ? null : rankedCompany(dataset, ranked);
    const rankCik = rankedAs?.company.cik ?? null;
    const { resolved, notFound, told } = nameCompanies(dataset, selection);
    const understood = [...(told.understood ?? []), ...(rankedAs?.understood ? [rankedAs.understood] : [])];
    const question = { field, groupBy, rankCik };
    const text = { kind: "statistics", selection: resolved, question, sameCompanies } as const;
    return {
      identity: JSON.stringify([selection, question, understood, sameCompanies]),
      async answer() {
        const result = await analyst.ask(dataset, text);
        const rest = {
          definition: DEFINITION,
          // The companies with a row of each year are others than those with a total of each.
          ...(sameCompanies ? {} : await ceoPayOf(analyst, dataset, { resolved, question, given, result })),
          ...(sameCompanies || !groupBy.includes("fiscal_year") ? {} : differing(result)),
          ...(await missingOf(dataset, analyst, resolved, { result, notFound, sameCompanies })),
          ...(understood.length === 0 ? {} : { understood }),
        };
        return {
          body: joined([result.json, encode(`,${JSON.stringify(rest).slice(1)}`)]),
          matched: result.matched.rows,
          rowEvidence: result.evidence,
        };
      },
    };
  });
}

/** Refuses `same_companies` where no years are compared. */
export function requireYears(groupBy: readonly Grouping[]): void {
  if (!groupBy.includes("fiscal_year"))
    throw invalid("Cannot read same_companies: it compares fiscal years. Add group_by=fiscal_year.");
}

/** Reports whether groups by fiscal year cover different companies. */
export function differing({
  matched,
  fiscalYears,
}: Pick<Coverage, "fiscalYears"> & { matched: { companies: number } }) {
  const isSame = Object.values(fiscalYears).every((companies) => companies === matched.companies);
  return isSame ? {} : { companies_differ: true };
}

/** The company to rank. Refuses with `unknown_company`. */
function rankedCompany(dataset: Dataset, text: string): MeantCompany {
  const meant = text.length > MAX_NAME ? undefined : companyMeant(dataset, text);
  if (meant !== undefined) return meant;
  throw new ServiceError(
    "unknown_company",
    `No ticker ${JSON.stringify(shorten(text))} to rank.${whatNext(dataset, [text])}`,
  );
}
