import type { FiscalYear } from "./company.ts";
import type { CompensationQuery } from "./parameters.ts";

/** The available years that a query selects, newest first: filtered, then limited. */
export function selectYears<Year extends FiscalYear>(
  available: readonly Year[],
  query: CompensationQuery,
  limit: number,
): readonly Year[] {
  const { fiscal_year, fiscal_year_gte, fiscal_year_lte, fiscal_year_gt, fiscal_year_lt } = query;
  const fits = ({ fiscalYear }: FiscalYear) =>
    (fiscal_year === undefined || fiscalYear === fiscal_year) &&
    (fiscal_year_gte === undefined || fiscalYear >= fiscal_year_gte) &&
    (fiscal_year_lte === undefined || fiscalYear <= fiscal_year_lte) &&
    (fiscal_year_gt === undefined || fiscalYear > fiscal_year_gt) &&
    (fiscal_year_lt === undefined || fiscalYear < fiscal_year_lt);
  return available.filter(fits).slice(0, limit);
}

/** Whether any selected year is older than the latest available one, which is what costs credits. */
export function reachesIntoHistory(
  available: readonly FiscalYear[],
  selected: readonly FiscalYear[],
): boolean {
  const latest = available[0]?.fiscalYear;
  return selected.some(({ fiscalYear }) => fiscalYear !== latest);
}

/** The selected years that may lack executives. */
export function incompleteYears(selected: readonly FiscalYear[]): readonly number[] {
  return selected.filter(({ complete }) => !complete).map(({ fiscalYear }) => fiscalYear);
}
