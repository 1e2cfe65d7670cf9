import { MEASURES, AMOUNTS } from "../domain/row-fields.ts";
import {
  type ParameterInfo,
  shorten,
  type SingleParameters,
  singleParameters,
  unreadable,
} from "../domain/parameters.ts";
import { andThen } from "../domain/maybe-promise.ts";
import { normalizeSymbol } from "../domain/company.ts";
import {
  choice,
  GROUPINGS,
  type Grouping,
  readSelection,
  SELECTION_PARAMETERS,
} from "../domain/selection.ts";
import { ServiceError } from "../errors.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { type AnalysisDeps, countsOf, nameCompanies, pricedOperation } from "./analysis.ts";
import { suggestions } from "./company.ts";
import { encode, joined } from "./operation.ts";

/** Parts of the result, for surfaces that render it. */
export type { GroupKey, GroupStatistics, Rank } from "../analysis/statistics.ts";

/** The parameters of the statistics operation. */
export const STATISTICS_PARAMETERS: readonly ParameterInfo[] = [
  ...SELECTION_PARAMETERS,
  {
    name: "field",
    about: "amount or measure to compute statistics of",
    schema: { type: "string", enum: [...AMOUNTS, ...MEASURES], default: "total_compensation" },
  },
  groupByParameter(GROUPINGS),
  {
    name: "rank_ticker",
    about: "ticker symbol of a company; its rows in the selection are ranked within their groups",
    schema: { type: "string", pattern: "^[!-~]{1,20}$" },
  },
];

/** The parameter that groups by one or two of these. */
export function groupByParameter(groupings: readonly Grouping[]): ParameterInfo {
  const others = (one: Grouping) => groupings.filter((other) => other !== one).join("|");
  return {
    name: "group_by",
    about: `one or two of ${groupings.join(", ")}, comma-separated; sic2: the first two digits of the SIC code`,
    schema: {
      type: "string",
      pattern: `^(${groupings.map((one) => `${one}(,(${others(one)}))?`).join("|")})$`,
    },
  };
}

/** Definition of the figures, included in every answer. */
export const DEFINITION =
  "Percentiles by linear interpolation between order statistics (PERCENTILE.INC, R type 7). rank: 1 is the highest, equal " +
  "values share one. percentile: share of the other values that are lower (PERCENTRANK.INC, not rounded). office: whoever " +
  "was both counts in peo and pfo. incomplete: the company-year's own filing is not loaded, so executives who had left by " +
  "the next one are missing.";

/**
 * Statistics of rows across companies, by group. Costs `priceStatistics`, nothing if no row matches.
 * @see docs/contract.md, "Analysis"
 */
export function statisticsOperation(deps: AnalysisDeps) {
  const name = "getExecutiveCompensationStatistics";
  return pricedOperation(deps, name, deps.prices.priceStatistics, ({ analyst }, dataset, given) => {
    const single = singleParameters(given, STATISTICS_PARAMETERS);
    const selection = readSelection(single);
    const field = choice(single, "field", [...AMOUNTS, ...MEASURES]) ?? "total_compensation";
    const groupBy = groupingsOf(single, GROUPINGS);
    const rankCik = rankedCompany(dataset, single);
    const { resolved, notFound } = nameCompanies(dataset, selection);
    const question = { field, groupBy, rankCik };
    const asked = { kind: "statistics", selection: resolved, question } as const;
    return {
      identity: JSON.stringify([selection, question]),
      answer: () =>
        andThen(analyst.ask(dataset, asked), (result) => {
          const rest = {
            definition: DEFINITION,
            ...countsOf(dataset, resolved, result),
            not_found: notFound,
          };
          return {
            body: joined([result.json, encode(`,${JSON.stringify(rest).slice(1)}`)]),
            count: result.matched.rows,
          };
        }),
    };
  });
}

/** The requested groupings. Refuses with `invalid_parameter`. */
export function groupingsOf<const Name extends Grouping>(
  given: SingleParameters,
  known: readonly Name[],
): Name[] {
  const asked = given.get("group_by");
  if (asked === undefined) return [];
  const words = asked.split(",", 4).map((word) => word.trim().toLowerCase());
  const groupings = known.filter((name) => words.includes(name));
  if (words.length > 2 || groupings.length !== words.length) {
    throw unreadable("group_by", asked, `one or two different of ${known.join(", ")}`);
  }
  return groupings.sort((a, b) => words.indexOf(a) - words.indexOf(b));
}

/** CIK of the company to rank; null if none is requested. Refuses with `unknown_company`. */
function rankedCompany(dataset: Dataset, given: SingleParameters): string | null {
  const asked = given.get("rank_ticker");
  if (asked === undefined) return null;
  const company = asked.length > 20 ? undefined : dataset.findBySymbol(normalizeSymbol(asked));
  if (company !== undefined) return company.cik;
  throw new ServiceError(
    "unknown_company",
    `No ticker ${JSON.stringify(shorten(asked))} to rank.${suggestions(dataset, [asked])}`,
  );
}
