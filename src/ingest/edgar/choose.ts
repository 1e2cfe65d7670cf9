import type { ListedFiling } from "./submissions.ts";

/**
 * The forms of one fiscal year, best first: a definitive proxy (or an amended annual report) is expected to hold the
 * table; an annual report mostly points at the proxy, so it is asked for only when nothing better had rows.
 */
export interface FilingYear {
  /** The calendar year in which the fiscal year ends, by the registrant's nominal year end. */
  endsIn: number;
  /** All are fetched: each is an observation of its own. Newest first. */
  expected: readonly ListedFiling[];
  /** Fetched one after the other until one has rows. */
  fallback: readonly ListedFiling[];
}

const EXPECTED = ["DEF 14A", "DEF 14A/A", "DEFR14A", "DEFC14A", "DEF 14C", "10-K/A", "10-KT/A"];
const OTHERWISE = ["10-KT", "10-K", "DEFM14A"];
const AT_AN_OFFERING = ["424B4", "424B1", "424B3", "S-1/A", "S-1"];

/** Every form that can carry the table. @see docs/reading-filings.md, "Forms" */
export const FORMS: readonly string[] = [...EXPECTED, ...OTHERWISE, ...AT_AN_OFFERING];

/** Documents of an offering tried at most, newest of the best form first. */
const OFFERINGS_TRIED = 2;
/** No form reports a year that ended less than this many days ago. */
const SOONEST_DAYS = 10;
const DAY_MS = 86_400_000;

/**
 * Sorts what a registrant has filed into fiscal years, newest first.
 *
 * @param fiscalYearEnd MM-DD; the calendar year where it is not known
 * @param since filings before this date are left out
 */
export function filingYears(
  filings: readonly ListedFiling[],
  fiscalYearEnd: string | null,
  since = "",
): FilingYear[] {
  const carriers = filings.filter(({ form, filingDate }) => FORMS.includes(form) && filingDate >= since);
  const annual = carriers.filter(({ form }) => !AT_AN_OFFERING.includes(form));
  const years = Map.groupBy(annual, (filing) => yearOf(filing, fiscalYearEnd));
  const found = [...years].map(([endsIn, all]) => ({
    endsIn,
    expected: newestFirst(all.filter(({ form }) => EXPECTED.includes(form))),
    fallback: ranked(all, OTHERWISE),
  }));
  if (found.length === 0) {
    // A company that has just gone public: nothing but its prospectus tells.
    const offering = ranked(carriers, AT_AN_OFFERING).slice(0, OFFERINGS_TRIED);
    const [best] = offering;
    if (best !== undefined) {
      found.push({ endsIn: yearOf(best, fiscalYearEnd), expected: [], fallback: offering });
    }
  }
  return found.sort((a, b) => b.endsIn - a.endsIn);
}

/** The calendar year in which the fiscal year that a filing reports ended. */
function yearOf({ form, filingDate, reportDate }: ListedFiling, fiscalYearEnd: string | null): number {
  const end = fiscalYearEnd ?? "12-31";
  // The report date of an annual report is its year end, a few days off the nominal one; of a proxy it is the meeting.
  if (form.startsWith("10-K") && /^\d{4}-\d\d-\d\d$/.test(reportDate)) {
    return Number(new Date(Date.parse(reportDate) - offsetOf(reportDate, end)).toISOString().slice(0, 4));
  }
  const latest = new Date(Date.parse(filingDate) - SOONEST_DAYS * DAY_MS).toISOString();
  const year = Number(latest.slice(0, 4));
  return latest.slice(5, 10) >= end ? year : year - 1;
}

/** Milliseconds from the nearest nominal year end to a date: `2026-01-03` belongs to the year that ends on 12-31 of 2025. */
function offsetOf(date: string, end: string): number {
  const at = Date.parse(date);
  const year = Number(date.slice(0, 4));
  const distances = [year - 1, year, year + 1].map((one) => at - Date.parse(`${one}-${safeDay(end)}`));
  return distances.reduce((best, one) => (Math.abs(one) < Math.abs(best) ? one : best));
}

function safeDay(end: string): string {
  return end === "02-29" ? "02-28" : end;
}

function newestFirst(filings: readonly ListedFiling[]): ListedFiling[] {
  return filings.toSorted((a, b) => {
    if (a.filingDate !== b.filingDate) return a.filingDate < b.filingDate ? 1 : -1;
    return a.accession < b.accession ? 1 : -1;
  });
}

function ranked(filings: readonly ListedFiling[], forms: readonly string[]): ListedFiling[] {
  return forms.flatMap((wanted) => newestFirst(filings.filter(({ form }) => form === wanted)));
}
