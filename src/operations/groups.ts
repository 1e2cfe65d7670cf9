/** Groups of statistics, of rows and of CEO totals alike: their parameters, and their part of an answer. */
import type { Coverage } from "../analysis/index.ts";
import { FIGURES } from "../analysis/statistics.ts";
import { FLAG, listOf, word } from "../domain/parameters.ts";
import type { Grouping } from "../domain/selection.ts";
import { invalid } from "../errors.ts";
import type { Definition } from "../lib/definition.ts";

/** The parameter that groups by one or two of these. */
export function groupByParameter<const Name extends Grouping>(groupings: readonly Name[]) {
  return {
    name: "group_by",
    about: `one or two of ${groupings.join(", ")}, comma-separated; sic2: the first two digits of the SIC code`,
    ...listOf(word(groupings), 2, `one or two different of ${groupings.join(", ")}`),
  } as const;
}

/** The parameter for trends. */
export const SAME_COMPANIES = {
  name: "same_companies",
  about: "with group_by=fiscal_year: only companies that have every fiscal year of the selection",
  ...FLAG,
} as const;

/** The values of the groupings, and the currency of the amounts. */
export const GROUP_KEY = {
  reporting_currency: "string",
  "[string]": "string | number.integer | null",
} as const;

/** Statistics of one group in an answer. @param matched definitions of its counts */
export function groupOf(matched: Readonly<Record<string, Definition>>): Definition {
  return { group: GROUP_KEY, ...matched, ...Object.fromEntries(FIGURES.map((name) => [name, "number"])) };
}

/** Whether the years of a trend are not of the same companies. */
export const COMPANIES_DIFFER = {
  "companies_differ?": ["boolean", "@", "with group_by=fiscal_year: the years are not of the same companies"],
} as const;

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
