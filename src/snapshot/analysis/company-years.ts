/** Which company-years a selection asks for, before anything is asked of their rows. */
import type { Selection } from "../../domain/selection.ts";
import { type Columns, SEVERAL } from "./columns.ts";

/** A selection whose companies are looked up. */
export interface ResolvedSelection extends Omit<Selection, "tickers" | "currency"> {
  /** Whether only the companies of `ciks` are meant, which may be none. */
  onlyNamed: boolean;
  /** ISO 4217; null for any, where no amounts are compared. */
  currency: string | null;
}

/** In the mask of company-years: not asked for. */
export const NONE = 0;
/** Its rows have to be looked at one by one. */
export const SOME = 1;
/** All of its rows are asked for. */
const ALL = 2;

/**
 * Of each company-year `NONE`, `SOME` or `ALL`.
 *
 * Each condition is a walk of its own: a small loop over one or two arrays is quicker than its share of one that asks everything.
 * @param companies 1 or 0 of each; null: all
 */
export function companyYearMask(
  { companyYears, currencies, fiscalYears }: Columns,
  selection: ResolvedSelection,
  companies: Uint8Array | null,
  isYear: (year: number) => boolean,
): Uint8Array {
  const { company, yearPlace, complete, latest, member, currency } = companyYears;
  const whole = selection.office === null ? ALL : SOME;
  const asked = selection.currency;
  const mask = new Uint8Array(company.length);
  // By currency less `SEVERAL`, which comes first.
  const kinds = Uint8Array.of(
    SOME,
    ...currencies.map((one) => (asked === null || one === asked ? whole : NONE)),
  );
  if (companies === null) {
    for (let at = 0; at < mask.length; at++) mask[at] = kinds[(currency[at] ?? 0) - SEVERAL] ?? 0;
  } else {
    // Mostly few, and those of one company together: what is not asked for is passed over.
    for (let at = 0; at < mask.length; at++) {
      if (companies[company[at] ?? 0] === 1) mask[at] = kinds[(currency[at] ?? 0) - SEVERAL] ?? 0;
    }
  }
  if (selection.years.length === 0) keepBoth(mask, latest);
  else if (!fiscalYears.every(isYear)) {
    keepThoseOf(
      mask,
      yearPlace,
      Uint8Array.from(fiscalYears, (year) => (isYear(year) ? 1 : 0)),
    );
  }
  if (selection.completeOnly) keepBoth(mask, complete);
  if (selection.index !== null) keepBoth(mask, member);
  return mask;
}

/** Keeps the company-years that are of one that is asked for. @param asked 1 or 0 of each */
function keepThoseOf(mask: Uint8Array, of: Int32Array, asked: Uint8Array): void {
  for (let at = 0; at < mask.length; at++) mask[at] = (mask[at] ?? 0) & -(asked[of[at] ?? 0] ?? 0);
}

/** Keeps the company-years that are asked for. @param asked 1 or 0 of each */
function keepBoth(mask: Uint8Array, asked: Uint8Array): void {
  for (let at = 0; at < mask.length; at++) mask[at] = (mask[at] ?? 0) & -(asked[at] ?? 0);
}

/** Which companies fit the facts asked for; null where all do. */
export function companyMask(columns: Columns, selection: ResolvedSelection): Uint8Array | null {
  const { onlyNamed, sector, sic, filerCategory } = selection;
  if (!onlyNamed && sector === null && sic === null && filerCategory === null) return null;
  const { companies, profile, profiles } = columns;
  const fitting = Uint8Array.from(profiles, (one) =>
    (sector === null || one.sector === sector) &&
    (sic === null || one.sic?.startsWith(sic) === true) &&
    (filerCategory === null || one.filerCategories.includes(filerCategory))
      ? 1
      : 0,
  );
  const named = new Set(selection.ciks);
  const mask = new Uint8Array(companies.length);
  for (let at = 0; at < mask.length; at++) {
    if (!onlyNamed || named.has(companies[at]?.cik ?? "")) mask[at] = fitting[profile[at] ?? 0] ?? 0;
  }
  return mask;
}

/** Which fiscal years are asked for. */
export function yearTest({ years }: ResolvedSelection): (year: number) => boolean {
  let [low, high] = [-Infinity, Infinity];
  for (const { bound, year } of years) {
    if (bound === "eq" || bound === "gte") low = Math.max(low, year);
    if (bound === "gt") low = Math.max(low, year + 1);
    if (bound === "eq" || bound === "lte") high = Math.min(high, year);
    if (bound === "lt") high = Math.min(high, year - 1);
  }
  return (year) => year >= low && year <= high;
}
