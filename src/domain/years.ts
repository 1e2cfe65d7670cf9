/** The filters on fiscal years, and what they select from the years that a company has. */
import type { CoveredYear } from "./company.ts";
import { type QueryOf, whole, WHOLE } from "./parameters.ts";

function year<const Name extends string>(name: Name, about: string) {
  return {
    name,
    // Any: a year without data selects nothing, or bounds the years.
    ...WHOLE,
    hint: yearsMeant,
    history: "always",
    about,
  } as const;
}

/** `FY2024` is a year, and `2022-2024` a range: each of its ends is a filter. */
function yearsMeant(text: string): string {
  const word = text.trim().toLowerCase();
  const only = Number(word.slice(-4));
  if ([`fy${only}`, `fy ${only}`].includes(word)) return ` Did you mean ${only}?`;
  if (["latest", "newest", "last"].includes(word)) return " For the newest, leave it out.";
  const [, from, to] = /^\s*(\d{4})\s*(?:-|–|\.\.+|:|,|to)\s*(\d{4})\s*$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return "";
  const [low, high] = [from, to].toSorted();
  return ` For several years: fiscal_year_gte=${low} and fiscal_year_lte=${high}.`;
}

/** The filters on the fiscal year. */
export const YEAR_FILTERS = [
  year("fiscal_year", "exact fiscal year"),
  year("fiscal_year_gte", "fiscal year greater than or equal"),
  year("fiscal_year_lte", "fiscal year less than or equal"),
  year("fiscal_year_gt", "fiscal year greater than"),
  year("fiscal_year_lt", "fiscal year less than"),
] as const;

/** Maximum number of fiscal years; the default applies with a credential. */
export const YEARS_LIMIT = {
  name: "limit",
  ...whole(0, 100, 4),
  history: "above 1",
  about: "maximum number of fiscal years; all executives of each are returned",
} as const;

/** The year filters of a query; absent if not given. */
type YearQuery = QueryOf<typeof YEAR_FILTERS>;

/** The available years that a query selects, newest first: filtered, then limited. */
export function selectYears<Year extends CoveredYear>(
  available: readonly Year[],
  query: YearQuery,
  limit: number,
): readonly Year[] {
  const { fiscal_year, fiscal_year_gte, fiscal_year_lte, fiscal_year_gt, fiscal_year_lt } = query;
  const fits = ({ fiscalYear }: CoveredYear) =>
    (fiscal_year === undefined || fiscalYear === fiscal_year) &&
    (fiscal_year_gte === undefined || fiscalYear >= fiscal_year_gte) &&
    (fiscal_year_lte === undefined || fiscalYear <= fiscal_year_lte) &&
    (fiscal_year_gt === undefined || fiscalYear > fiscal_year_gt) &&
    (fiscal_year_lt === undefined || fiscalYear < fiscal_year_lt);
  return available.filter(fits).slice(0, limit);
}

/** Whether any selected year is older than the latest available one, which is what costs credits. */
export function reachesIntoHistory(
  available: readonly CoveredYear[],
  selected: readonly CoveredYear[],
): boolean {
  const latest = available[0]?.fiscalYear;
  return selected.some(({ fiscalYear }) => fiscalYear !== latest);
}

/** How many of the available years a query selects and its limit leaves out. */
export function yearsLeftOut(
  available: readonly CoveredYear[],
  query: YearQuery,
  selected: readonly CoveredYear[],
): number {
  return selectYears(available, query, Infinity).length - selected.length;
}

/** The selected years that may lack executives. */
export function incompleteYears(selected: readonly CoveredYear[]): readonly number[] {
  return selected.filter(({ complete }) => !complete).map(({ fiscalYear }) => fiscalYear);
}
