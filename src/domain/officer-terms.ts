/** What dated terms of office come to for one person, one office and one fiscal year. */
import { middleDay, type FiscalYear } from "./fiscal-year.ts";
import type { OfficerClaim, Standing } from "./officer-claims.ts";

/** What the dates say of a year. */
export interface TermVerdict {
  readonly held: boolean;
  /** Both ends of the term are given, or the given one lies within the year. */
  readonly exact: boolean;
  /** The dates only begin after the year. */
  readonly beginsLater: boolean;
  readonly claims: readonly OfficerClaim[];
}

/**
 * Whether a term is over before the year. Whoever left on its first day did not serve in it: the successor did. A month or a
 * year alone can mean any of its days and is taken by its middle: `until 2007` does not reach a year that began in September.
 */
function endsBefore({ to }: OfficerClaim, { first }: FiscalYear): boolean {
  return to !== null && middleDay(to) <= first;
}

/** Whether a term begins only after the year. */
export function beginsAfter({ from }: OfficerClaim, { last }: FiscalYear): boolean {
  return from !== null && from.earliest > last;
}

/**
 * Weighs the dated claims of one person about one office; undefined when they leave the year open.
 * @param standing what the title printed for the year says: a title that still names the office lets a start last
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
  // The last end before the year closes every start before it.
  const ended = ends.findLast((claim) => endsBefore(claim, year));
  const begun = starts.filter((claim) => !beginsAfter(claim, year));
  const began = begun.find((claim) => ended === undefined || follows(claim, ended));
  const current = standing === "present" || standing === "present_interim";
  if (began !== undefined) {
    const lasts = current || began.standing === "present" || later !== undefined;
    return lasts || startOf(began) >= year.first ? verdict(true, began) : undefined;
  }
  // A title that still names the office must be a former one, or the dated end is that of another time.
  if (ended !== undefined && !current) return verdict(false, ended);
  // A term with both ends denies the years before it too, where no other start is given.
  const first = starts[0] ?? terms.filter(({ from }) => from !== null).toSorted(byStart)[0];
  if (first !== undefined && begun.length === 0 && beginsAfter(first, year)) {
    if (later === undefined || endOf(later) >= startOf(first))
      return { ...verdict(false, first), beginsLater: true };
  }
  return later === undefined ? undefined : { ...verdict(true, later), exact: endOf(later) <= year.last };
}

/** Whether the time of a claim takes up the whole year. */
function spans({ from, to }: OfficerClaim, { first, last }: FiscalYear): boolean {
  return (from === null || from.latest <= first) && to !== null && to.latest >= last;
}

/** Whether an end alone says that the office was held in the year. An interim's says nothing of the years before. */
function reaches(claim: OfficerClaim, year: FiscalYear, standing: Standing): boolean {
  if (claim.from !== null || endsBefore(claim, year)) return false;
  const interim = standing === "present_interim" || standing === "former_interim";
  return !(interim && (claim.to?.earliest ?? "") > year.last);
}

/** Whether a term begins after another one, or goes on from it under a new title. */
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
