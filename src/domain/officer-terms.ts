/** Combines dated terms of office for one person, office and fiscal year. */
import { middleDay, type FiscalYear } from "./fiscal-year.ts";
import type { OfficerClaim, Standing } from "./officer-claims.ts";

/** The conclusion from dated terms. */
export interface TermVerdict {
  readonly held: boolean;
  /** Both ends of the term are given, or the given one is within the year. */
  readonly exact: boolean;
  /** The dated terms start only after the year. */
  readonly beginsLater: boolean;
  readonly claims: readonly OfficerClaim[];
}

/**
 * Whether a term ended before the year. Leaving on its first day counts as before, because the successor served. Dates
 * that are only a month or year count by their middle day: `until 2007` does not reach a year
 * that started in September.
 */
function endsBefore({ to }: OfficerClaim, { first }: FiscalYear): boolean {
  return to !== null && middleDay(to) <= first;
}

/** Whether a term starts only after the year. */
export function beginsAfter({ from }: OfficerClaim, { last }: FiscalYear): boolean {
  return from !== null && from.earliest > last;
}

/**
 * Weighs the dated claims about one person and office; undefined if they do not decide the year.
 * @param standing according to the title printed for the year: a current title implies that a started term continues
 */
export function weighTerms(
  claims: readonly OfficerClaim[],
  year: FiscalYear,
  standing: Standing,
): TermVerdict | undefined {
  const denied = claims.find((claim) => !claim.held && spans(claim, year));
  if (denied !== undefined) return verdict(false, denied);
  const terms = claims.filter(({ held }) => held);
  const whole = terms.find(
    (claim) =>
      claim.from !== null && claim.to !== null && !endsBefore(claim, year) && !beginsAfter(claim, year),
  );
  if (whole !== undefined) return verdict(true, whole);
  const starts = terms.filter(({ from, to }) => from !== null && to === null).toSorted(byStart);
  const ends = terms.filter(({ to }) => to !== null).toSorted(byEnd);
  const later = ends.findLast((claim) => reaches(claim, year, standing));
  // The last end before the year also ends every term that started before it.
  const ended = ends.findLast((claim) => endsBefore(claim, year));
  const begun = starts.filter((claim) => !beginsAfter(claim, year));
  const began = begun.find((claim) => ended === undefined || follows(claim, ended));
  const current = standing === "present" || standing === "present_interim";
  if (began !== undefined) {
    const lasts = current || began.standing === "present" || later !== undefined;
    return lasts || startOf(began) >= year.first ? verdict(true, began) : undefined;
  }
  // The title says the person is in office, so the end belongs to an earlier term.
  if (ended !== undefined && !current) return verdict(false, ended);
  // A term with both ends also excludes earlier years, unless another start is given.
  const first = starts[0] ?? terms.filter(({ from }) => from !== null).toSorted(byStart)[0];
  if (first !== undefined && begun.length === 0 && beginsAfter(first, year)) {
    if (later === undefined || endOf(later) >= startOf(first))
      return { ...verdict(false, first), beginsLater: true };
  }
  return later === undefined ? undefined : { ...verdict(true, later), exact: endOf(later) <= year.last };
}

/** Whether the claimed period covers the whole year. */
function spans({ from, to }: OfficerClaim, { first, last }: FiscalYear): boolean {
  return (from === null || from.latest <= first) && to !== null && to.latest >= last;
}

/**
 * Whether an end date alone implies that the office was held in the year. For an interim, it implies
 * nothing about earlier years.
 */
function reaches(claim: OfficerClaim, year: FiscalYear, standing: Standing): boolean {
  if (claim.from !== null || endsBefore(claim, year)) return false;
  const interim = standing === "present_interim" || standing === "former_interim";
  return !(interim && (claim.to?.earliest ?? "") > year.last);
}

/** Whether a term starts after another, or continues it under a new title. */
function follows(claim: OfficerClaim, ended: OfficerClaim): boolean {
  return ended.from === null
    ? startOf(claim) >= (ended.to?.earliest ?? "")
    : startOf(claim) > ended.from.earliest;
}

function verdict(held: boolean, claim: OfficerClaim): TermVerdict {
  return { held, exact: true, beginsLater: false, claims: [claim] };
}

function startOf({ from }: OfficerClaim): string {
  return from?.earliest ?? "";
}

function endOf({ to }: OfficerClaim): string {
  return to?.latest ?? "";
}

function byStart(one: OfficerClaim, other: OfficerClaim): number {
  return startOf(one) < startOf(other) ? -1 : 1;
}

function byEnd(one: OfficerClaim, other: OfficerClaim): number {
  return endOf(one) < endOf(other) ? -1 : 1;
}
