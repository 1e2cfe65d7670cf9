import type { Endpoint } from "./endpoint.ts";
import { MEASURES, AMOUNTS } from "../domain/row-fields.ts";
import { readQuery, shorten, textUpTo, word } from "../domain/parameters.ts";
import { GROUPINGS, selectionOf, SELECTION_PARAMETERS } from "../domain/selection.ts";
import { ServiceError } from "../errors.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { CIK } from "../domain/company.ts";
import { named } from "../lib/definition.ts";
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
import {
  COMPANIES_DIFFER,
  differing,
  GROUP_KEY,
  groupByParameter,
  groupOf,
  requireYears,
  SAME_COMPANIES,
} from "./groups.ts";
import { encode, joined } from "./operation.ts";

/** Parts of the result, for surfaces that render it. */
export { FIGURES, type GroupKey, type GroupStatistics, type Rank } from "../analysis/statistics.ts";
export { requireYears } from "./groups.ts";

/** Longest name of a company. */
const MAX_NAME = 80;

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
  price: "priceQuestion",
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
  return pricedOperation(deps, statisticsEndpoint, ({ analyst }, dataset, given) => {
    const query = readQuery(given, STATISTICS_PARAMETERS);
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

/** The company to rank. Refuses with `unknown_company`. */
function rankedCompany(dataset: Dataset, text: string): MeantCompany {
  const meant = text.length > MAX_NAME ? undefined : companyMeant(dataset, text);
  if (meant !== undefined) return meant;
  throw new ServiceError(
    "unknown_company",
    `No ticker ${JSON.stringify(shorten(text))} to rank.${whatNext(dataset, [text])}`,
  );
}
