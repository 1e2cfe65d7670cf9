/**
 * Selections of the CEO-pay operations: the shared parameters that make sense for one total per company and year.
 * @see docs/contract.md, "CEO pay: the whole market"
 */
import type { Cents } from "./amount.ts";
import { type QueryOf, word } from "./parameters.ts";
import {
  AN_AMOUNT,
  type Bound,
  BOUND_WORDS,
  BOUNDS,
  centsGiven,
  COMPANY_PARAMETERS,
  type CompanyYears,
  companyYearsOf,
  GROUPINGS,
  pagingBy,
  type Sort,
} from "./selection.ts";

/** Which totals a question covers. */
export interface CeoPaySelection extends CompanyYears {
  totals: readonly { bound: Bound; cents: Cents }[];
  doubtful: (typeof DOUBTFUL)[number];
}

/** Whether totals with a doubt are left out or included. */
export const DOUBTFUL = ["exclude", "include"] as const;
/** Sort keys of the records. */
export const CEO_PAY_SORTS = ["peo_total", "fiscal_year", "company_name"] as const;
/** The order of the records. */
export type CeoPaySort = Sort<(typeof CEO_PAY_SORTS)[number]>;

/** Groupings of the statistics: all records are of the same office. */
export const CEO_PAY_GROUPINGS = GROUPINGS.filter((name) => name !== "office");
/** A grouping of the statistics. */
export type CeoPayGrouping = Exclude<(typeof GROUPINGS)[number], "office">;

const INDEX_ABOUT =
  "today's members of the index; with a fiscal year, its members on the last day of that year";

const TOTAL_FILTERS = BOUNDS.map((bound) => ({
  name: `peo_total_${bound}` as const,
  about: `total ${BOUND_WORDS[bound]}`,
  ...AN_AMOUNT,
  bound,
}));

const DOUBTFUL_PARAMETER = {
  name: "doubtful",
  about: "include: also totals that two sources give differently or whose scale is implausible",
  ...word(DOUBTFUL, "exclude"),
} as const;

/** The parameters of a selection. */
export const CEO_PAY_SELECTION = [
  ...COMPANY_PARAMETERS.map((one) => (one.name === "index" ? { ...one, about: INDEX_ABOUT } : one)),
  ...TOTAL_FILTERS,
  DOUBTFUL_PARAMETER,
] as const;

/** The parameters for sorting and paging of the records. */
export const CEO_PAY_PAGING = pagingBy(
  CEO_PAY_SORTS,
  "peo_total",
  "sort key, prefixed with `-` for descending; ties by CIK, then the newest year",
);

/** The parameters of the records. */
export const CEO_PAY_PARAMETERS = [...CEO_PAY_SELECTION, ...CEO_PAY_PAGING] as const;

/** The selection that values stand for. Refuses with `invalid_parameter`. */
export function ceoPaySelectionOf(query: QueryOf<typeof CEO_PAY_SELECTION>): CeoPaySelection {
  return {
    ...companyYearsOf(query),
    totals: TOTAL_FILTERS.flatMap(({ name, bound }) => {
      const { [name]: value } = query;
      return value === undefined ? [] : [{ bound, cents: centsGiven(name, value) }];
    }),
    doubtful: query.doubtful ?? "exclude",
  };
}

const IS_WITHIN: Readonly<Record<Bound, (total: Cents, bound: Cents) => boolean>> = {
  gte: (total, bound) => total >= bound,
  lte: (total, bound) => total <= bound,
  gt: (total, bound) => total > bound,
  lt: (total, bound) => total < bound,
};

/** Whether a total is within all bounds. */
export function isWithinBounds(total: Cents, bounds: CeoPaySelection["totals"]): boolean {
  return bounds.every(({ bound, cents }) => IS_WITHIN[bound](total, cents));
}
