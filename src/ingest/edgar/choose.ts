import type { ListedFiling } from "./submissions.ts";

/**
 * The filings of one fiscal year, best forms first: a definitive proxy (or an amended annual report) is expected to contain
 * the table; an annual report usually refers to the proxy, so it is fetched only if nothing better has rows.
 */
export interface FilingYear {
  /** The calendar year in which the fiscal year ends, according to the registrant's nominal year end. */
  endsIn: number;
  /** All are fetched, because each is an observation of its own. Newest first. */
  expected: readonly ListedFiling[];
  /** Fetched in sequence until one has rows. */
  fallback: readonly ListedFiling[];
}

const EXPECTED_FORMS = ["DEF 14A", "DEF 14A/A", "DEFR14A", "DEFC14A", "DEF 14C", "10-K/A", "10-KT/A"];
const FALLBACK_FORMS = ["10-KT", "10-K", "DEFM14A"];
const OFFERING_FORMS = ["424B4", "424B1", "424B3", "S-1/A", "S-1"];

/** All forms that can contain the table. @see docs/reading-filings.md, "Forms" */
export const FORMS: readonly string[] = [...EXPECTED_FORMS, ...FALLBACK_FORMS, ...OFFERING_FORMS];

/** Maximum offering documents to try, best form first, then newest. */
const OFFERINGS_TRIED = 2;
/** No form reports on a fiscal year that ended fewer days ago. */
const SOONEST_DAYS = 10;
const DAY_MS = 86_400_000;

/**
 * Groups a registrant's filings by fiscal year, newest first.
 *
 * @param fiscalYearEnd MM-DD; the calendar year's if null
 * @param since filings before this date are left out
 */
export function filingYears(
  filings: readonly ListedFiling[],
  fiscalYearEnd: string | null,
  since = "",
): FilingYear[] {
  const carriers = filings.filter(({ form, filingDate }) => FORMS.includes(form) && filingDate >= since);
  const annual = carriers.filter(({ form }) => !OFFERING_FORMS.includes(form));
  const years = Map.groupBy(annual, (filing) => yearOf(filing, fiscalYearEnd));
  const found = [...years].map(([endsIn, all]) => ({
    endsIn,
    expected: newestFirst(all.filter(({ form }) => EXPECTED_FORMS.includes(form))),
    fallback: ranked(all, FALLBACK_FORMS),
  }));
  if (found.length === 0) {
    // A company that has just gone public: only its prospectus has the table.
    const offering = ranked(carriers, OFFERING_FORMS).slice(0, OFFERINGS_TRIED);
    const [best] = offering;
    if (best !== undefined) {
      found.push({ endsIn: yearOf(best, fiscalYearEnd), expected: [], fallback: offering });
    }
  }
  return found.sort((a, b) => b.endsIn - a.endsIn);
}

/** The calendar year in which the fiscal year reported by a filing ended. */
function yearOf({ form, filingDate, reportDate }: ListedFiling, fiscalYearEnd: string | null): number {
  const end = fiscalYearEnd ?? "12-31";
  // An annual report's report date is its year end, a few days off the nominal one; a proxy's is the date of the meeting.
  if (form.startsWith("10-K") && /^\d{4}-\d\d-\d\d$/.test(reportDate)) {
    return Number(new Date(Date.parse(reportDate) - offsetOf(reportDate, end)).toISOString().slice(0, 4));
  }
  const latest = new Date(Date.parse(filingDate) - SOONEST_DAYS * DAY_MS).toISOString();
  const year = Number(latest.slice(0, 4));
  return latest.slice(5, 10) >= end ? year : year - 1;
}

/** Milliseconds from the nearest nominal year end to a date: `2026-01-03` belongs to the year that ended on 2025-12-31. */
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
