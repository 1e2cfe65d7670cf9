/**
 * Finds the company-years a selection covers, before any of their rows is checked, and what was asked for and is not in an
 * answer, and why. @see docs/contract.md, "What is missing"
 */
import { elementAt, int32At, uint8At } from "../lib/checked-access.ts";
import type { CeoPaySelection } from "../domain/ceo-pay-selection.ts";
import type { Selection } from "../domain/selection.ts";
import { type Columns, type CompanyProfile, evidenceBit, SEVERAL } from "../dataset/columns/columns.ts";
import { newerFilingJson } from "../domain/company.ts";
import type { Dataset } from "../dataset/dataset.ts";

/** A selection whose tickers have been resolved to companies. */
export interface ResolvedSelection extends Omit<Selection, "tickers" | "currency"> {
  /** Whether the selection is limited to `ciks`, which may be empty. */
  onlyNamed: boolean;
  /** The CIK of a company that is left out: it is measured against the others. */
  without?: string;
  /** ISO 4217; null for any currency, when no amounts are compared. */
  currency: string | null;
}

/** The same of chief executives' totals. */
export interface ResolvedCeoPay extends Omit<CeoPaySelection, "tickers"> {
  onlyNamed: boolean;
  without?: string;
  /** Of several people of a company-year only the highest total. */
  onePerCompanyYear?: boolean;
}

/** Mask value: not selected. */
export const NONE = 0;
/** Mask value: its rows have to be checked one by one. */
export const SOME = 1;
/** Mask value: all of its rows are selected. */
const ALL = 2;

/**
 * `NONE`, `SOME` or `ALL` for each company-year, and the number of companies left out because their latest year is too old.
 *
 * Each condition is a loop of its own: small loops over one or two arrays are faster than one loop with every condition.
 * @param companies 1 or 0 for each company; null: all
 */
export function companyYearMask(
  columns: Columns,
  selection: ResolvedSelection,
  companies: Uint8Array | null,
  isYear: (year: number) => boolean,
): { mask: Uint8Array; stale: number } {
  const { companyYears, currencies, fiscalYears } = columns;
  const { company, yearPlace, complete, recent, member, currency } = companyYears;
  const { held, latest } = latestYears(columns, selection.evidence);
  let stale = 0;
  const whole = selection.office === null && selection.evidence === null ? ALL : SOME;
  const wanted = selection.currency;
  const mask = new Uint8Array(company.length);
  // Indexed by currency minus `SEVERAL`, which comes first.
  const kinds = Uint8Array.of(
    SOME,
    ...currencies.map((one) => (wanted === null || one === wanted ? whole : NONE)),
  );
  if (companies === null) {
    for (let at = 0; at < mask.length; at++) mask[at] = uint8At(kinds, int32At(currency, at) - SEVERAL);
  } else {
    // Usually few companies match, and their company-years are adjacent: the rest is skipped quickly.
    for (let at = 0; at < mask.length; at++) {
      if (companies[int32At(company, at)] === 1) mask[at] = uint8At(kinds, int32At(currency, at) - SEVERAL);
    }
  }
  if (selection.evidence !== null) andMask(mask, held);
  if (selection.completeOnly) andMask(mask, complete);
  if (selection.index !== null) andMask(mask, member);
  if (selection.years.length === 0) {
    andMask(mask, latest);
    // A company that is named is never left out.
    if (!selection.onlyNamed) stale = andMaskCounting(mask, recent);
  } else if (!fiscalYears.every(isYear)) {
    andMappedMask(
      mask,
      yearPlace,
      Uint8Array.from(fiscalYears, (year) => (isYear(year) ? 1 : 0)),
    );
  }
  return { mask, stale };
}

/** Which company-years have a row that is known in one of these ways, and which of them is the company's latest. */
export function latestYears(
  { companyYears: { company, evidence, latest } }: Pick<Columns, "companyYears">,
  wanted: ResolvedSelection["evidence"],
): { held: Uint8Array; latest: Uint8Array } {
  if (wanted === null) return { held: new Uint8Array(company.length).fill(1), latest };
  const bits = wanted.reduce((all, one) => all | evidenceBit(one), 0);
  const held = evidence.map((of) => ((of & bits) === 0 ? 0 : 1));
  const newest = new Uint8Array(company.length);
  let last = -1;
  for (let at = company.length - 1; at >= 0; at--) {
    const of = int32At(company, at);
    if (held[at] === 0 || of === last) continue;
    newest[at] = 1;
    last = of;
  }
  return { held, latest: newest };
}

/** Clears the entries that are 0 in `other`. @returns how many it cleared */
function andMaskCounting(mask: Uint8Array, other: Uint8Array): number {
  let cleared = 0;
  for (let at = 0; at < mask.length; at++) {
    if (mask[at] === NONE || other[at] !== 0) continue;
    mask[at] = NONE;
    cleared++;
  }
  return cleared;
}

/** Clears the entries whose mapped element is 0 in `other`. @param of index into `other` for each entry */
function andMappedMask(mask: Uint8Array, of: Int32Array, other: Uint8Array): void {
  for (let at = 0; at < mask.length; at++) mask[at] = uint8At(mask, at) & -uint8At(other, int32At(of, at));
}

/** Clears the entries that are 0 in `other`. */
function andMask(mask: Uint8Array, other: Uint8Array): void {
  for (let at = 0; at < mask.length; at++) mask[at] = uint8At(mask, at) & -uint8At(other, at);
}

/** Whether a company is of the selected sector, industry, state and filer category. */
function hasProfile(
  company: CompanyProfile,
  { sector, sic, state, filerCategory }: Pick<Selection, "sector" | "sic" | "state" | "filerCategory">,
): boolean {
  return (
    (sector === null || company.sector === sector) &&
    (sic === null || company.sic?.startsWith(sic) === true) &&
    (state === null || company.state === state) &&
    (filerCategory === null || company.filerCategories.includes(filerCategory))
  );
}

/** 1 for each company that matches the selection; null if all do. */
export function companyMask(
  columns: Columns,
  selection: Pick<
    ResolvedSelection,
    "onlyNamed" | "ciks" | "without" | "sector" | "sic" | "state" | "filerCategory"
  >,
): Uint8Array | null {
  const { onlyNamed, without, sector, sic, state, filerCategory } = selection;
  const isOfAll = !onlyNamed && [sector, sic, state, filerCategory].every((one) => one === null);
  if (isOfAll && without === undefined) return null;
  const { companies, profile, profiles } = columns;
  const fitting = Uint8Array.from(profiles, (one) => (hasProfile(one, selection) ? 1 : 0));
  const named = new Set(selection.ciks);
  const mask = new Uint8Array(companies.length);
  for (let at = 0; at < mask.length; at++) {
    const { cik } = elementAt(companies, at);
    if (cik !== without && (!onlyNamed || named.has(cik))) mask[at] = uint8At(fitting, int32At(profile, at));
  }
  return mask;
}

/** The first and last fiscal year within the bounds; infinite where there is none. */
export function yearRange(years: ResolvedSelection["years"]): [low: number, high: number] {
  let [low, high] = [-Infinity, Infinity];
  for (const { bound, year } of years) {
    if (bound === "eq" || bound === "gte") low = Math.max(low, year);
    if (bound === "gt") low = Math.max(low, year + 1);
    if (bound === "eq" || bound === "lte") high = Math.min(high, year);
    if (bound === "lt") high = Math.min(high, year - 1);
  }
  return [low, high];
}

/** A test of whether a fiscal year is selected. */
export function yearTest({ years }: Pick<ResolvedSelection, "years">): (year: number) => boolean {
  const [low, high] = yearRange(years);
  return (year) => year >= low && year <= high;
}

/** A company or years that were asked for and are not in the answer. */
export interface Gap {
  ticker: string;
  cik: string;
  company_name: string;
  /** Of a person who was named and has rows elsewhere. */
  executive_id?: string;
  executive_name?: string;
  /** The fiscal years asked for; null for the latest. */
  asked: { from: number | null; to: number | null } | null;
  /** The fiscal years that are known, newest first. */
  held: number[];
  /** Some of the years are not loaded; nothing of the company is; nothing of it matches; its total is doubtful. */
  reason: "not_loaded" | "no_rows" | "no_match" | "doubtful";
  /** Newer than the latest loaded one. */
  newer_filing: {
    accession: string;
    form: string | null;
    filing_date: string;
    filing_url: string | null;
  } | null;
}

/** The range of fiscal years that bounds describe; null for the latest. Since before the table existed means all years. */
export function askedYears(years: Selection["years"]): Gap["asked"] {
  if (years.length === 0) return null;
  const [low, high] = yearRange(years);
  const isOpen = low === -Infinity || (low < FIRST_YEAR && high >= FIRST_YEAR);
  return { from: isOpen ? null : low, to: high === Infinity ? null : high };
}

/** Year of the rule that introduced the Summary Compensation Table. */
const FIRST_YEAR = 1992;

/** Most missing years between two bounds that are looked at: nobody's pay is known for longer. */
const MAX_YEARS = 100;

/**
 * The gap of one company; null if nothing that was asked for is missing.
 * @param held its known fiscal years, newest first
 * @param isMatched whether the answer has anything of it
 */
export function gapOf(
  dataset: Dataset,
  cik: string,
  { span, held, isMatched, isDoubtful = false }: GapBasis,
): Gap | null {
  const isMissing = isYearMissing(span, held);
  if (isMatched && !isMissing) return null;
  const unmatched = isDoubtful ? "doubtful" : "no_match";
  const company = dataset.findByCik(cik);
  return {
    ticker: company?.ticker ?? "",
    cik,
    company_name: company?.name ?? "",
    asked: span,
    held,
    reason: held.length === 0 ? "no_rows" : isMissing ? "not_loaded" : unmatched,
    newer_filing: company === undefined ? null : newerFilingJson(company),
  };
}

type GapBasis = Pick<Gap, "held"> & { span: Gap["asked"]; isMatched: boolean; isDoubtful?: boolean };

/** An open end asks for no more than is known. */
function isYearMissing(span: Gap["asked"], held: readonly number[]): boolean {
  if (span === null) return false;
  const [newest, oldest] = [held[0], held.at(-1)];
  if (newest === undefined || oldest === undefined) return true;
  const { from, to } = span;
  const first = from ?? Math.min(oldest, to ?? oldest);
  const last = Math.min(to ?? Math.max(newest, first), first + MAX_YEARS);
  for (let year = first; year <= last; year++) if (!held.includes(year)) return true;
  return false;
}
