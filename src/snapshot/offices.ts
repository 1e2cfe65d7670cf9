/**
 * Who held which office in a fiscal year: what the filings' words on the person-year, and the times in office that any
 * filing dates, come to.
 * @see docs/contract.md, "Principal officers"
 */
import { executiveId } from "../domain/executive.ts";
import type { FilingRecord, Observation, OfficeSpan } from "./record.ts";

/**
 * What a flag stands on, strongest first: a date or tag beside the row in any filing; the office in the filing of that
 * year (or, after it, a time in office that another filing dates: `dated` too); that this filing names somebody else;
 * today's office beside an older year (weak); nothing (undecided, served false).
 */
export type FlagBasis = "dated" | "filing_of_year" | "not_in_filing_of_year" | "todays_office" | "undecided";

/** A filing's word on one person in one year. */
export interface Statement {
  row: Observation;
  filing: FilingRecord;
  executiveId: string;
  /** Newest fiscal year that the filing prints. */
  newestPrinted: number;
}

/** A flag as it is served. */
export interface Decision {
  value: boolean;
  basis: FlagBasis;
  /** Both sides, where two filings date it differently. */
  conflict?: string;
}

/** First and last day of a fiscal year, YYYY-MM-DD. */
export interface FiscalWindow {
  first: string;
  last: string;
}

/** A time in office, tied to the person and the filing that dates it; newest filing first. */
export interface TiedSpan {
  executiveId: string;
  span: OfficeSpan;
}

/** Times in office of known people. A name that no pinned spelling and no id of the company fits is left out. */
export function tieSpans(
  spans: readonly OfficeSpan[],
  idOf: (spelling: string) => string | undefined,
  ids: ReadonlySet<string>,
): TiedSpan[] {
  return spans.flatMap((span) => {
    if (span.evidence !== "dated" && span.evidence !== "tag") return [];
    const id = idOf(span.name) ?? executiveId(span.name);
    return ids.has(id) ? [{ executiveId: id, span }] : [];
  });
}

/**
 * Whether the person held the office in the year.
 * @param words what filings say on this person in this year, newest first
 * @param chosen the one of them that the row is served from
 * @param ofYear what they say on everybody in this year
 * @param spans dated times in office, newest filing first
 * @param window the fiscal year's days, where known
 */
export function decideFlag(
  office: "peo" | "pfo",
  statements: readonly Statement[],
  chosen: Statement,
  ofYear: readonly Statement[],
  spans: readonly TiedSpan[],
  window: FiscalWindow | undefined,
): Decision {
  const [strongest, ...others] = datedStatements(office, statements);
  if (strongest !== undefined) {
    const against = others.find(({ held }) => held !== strongest.held);
    const sides = (side: DatedStatement) => `${side.accession} ${side.held ? "yes" : "no"} (${side.because})`;
    return {
      value: strongest.held,
      basis: "dated",
      ...(against !== undefined && { conflict: `${sides(strongest)}; ${sides(against)}` }),
    };
  }
  const own = statements.find(
    ({ newestPrinted, row }) => newestPrinted === row.fiscalYear && row[office].held !== null,
  );
  if (own !== undefined) return { value: own.row[office].held === true, basis: "filing_of_year" };
  const elsewhere = datedElsewhere(office, statements, chosen.executiveId, spans, window);
  if (elsewhere !== undefined) return { value: elsewhere, basis: "dated" };
  const { held } = chosen.row[office];
  if (held === null) return { value: false, basis: "undecided" };
  // Everyone who held the office in the year stands in the filing of that year (Item 402(a)(3)(i)-(ii)).
  const holders = ofYear.filter(
    ({ newestPrinted, row }) => newestPrinted === row.fiscalYear && row[office].held === true,
  );
  if (held && holders.length > 0) return { value: false, basis: "not_in_filing_of_year" };
  return { value: held, basis: "todays_office" };
}

interface DatedStatement {
  accession: string;
  held: boolean;
  because: string;
}

/** Dates and tags beside the person's rows of the year, the newest filing's first. */
function datedStatements(office: "peo" | "pfo", statements: readonly Statement[]): DatedStatement[] {
  return statements.flatMap(({ row: { accession, ...row } }) => {
    const { held, evidence, because } = row[office];
    if (held === null || (evidence !== "dated" && evidence !== "tag")) return [];
    return [{ accession, held, because: because ?? evidence }];
  });
}

/**
 * What the times in office come to that filings date which do not print the row. A filing that prints it has weighed its
 * own dates already, and the filing of the year knows better than a biography written later (which may speak of
 * another company): so these only stand where neither has decided.
 */
function datedElsewhere(
  office: "peo" | "pfo",
  statements: readonly Statement[],
  id: string,
  spans: readonly TiedSpan[],
  window: FiscalWindow | undefined,
): boolean | undefined {
  if (window === undefined) return undefined;
  const printing = new Set(statements.map(({ row }) => row.accession));
  const others = spans.filter(
    ({ executiveId: holder, span }) =>
      holder === id && span.office === office && !printing.has(span.accession),
  );
  if (others.some(({ span }) => overlaps(span, window))) return true;
  // A time that ended before the year may have been at another company; only a later start rules the year out.
  return others.length > 0 && others.every(({ span }) => startsAfter(span, window)) ? false : undefined;
}

function overlaps(span: OfficeSpan, window: FiscalWindow): boolean {
  if (span.start === null && span.end === null) return false;
  if (startsAfter(span, window) || endsBefore(span, window)) return false;
  // An end alone dates the year that it falls in; a start alone every year from its own on, up to the filing's.
  if (span.start === null) return span.end !== null && span.end <= window.last;
  return true;
}

function startsAfter({ start }: OfficeSpan, { last }: FiscalWindow): boolean {
  return start !== null && start > last;
}

/** "Until 1 June" ends before a year that begins on 1 June: the successor holds the office on that day. */
function endsBefore({ end }: OfficeSpan, { first }: FiscalWindow): boolean {
  return end !== null && end <= first;
}

/**
 * The days of a fiscal year, from the period end of a filing of that year, else from another year's (52- or 53-week
 * years move it by days, which only a change of office in those very days would notice).
 */
export function fiscalWindow(
  fiscalYear: number,
  ends: ReadonlyMap<number, string>,
): FiscalWindow | undefined {
  const own = ends.get(fiscalYear);
  const nearest = [...ends].sort(([a], [b]) => Math.abs(a - fiscalYear) - Math.abs(b - fiscalYear))[0];
  const last = own ?? (nearest === undefined ? undefined : shiftYears(nearest[1], fiscalYear - nearest[0]));
  if (last === undefined) return undefined;
  const before = ends.get(fiscalYear - 1) ?? shiftYears(last, -1);
  return { first: nextDay(before), last };
}

function shiftYears(date: string, by: number): string {
  const year = Number(date.slice(0, 4)) + by;
  const rest = date.slice(4);
  const leap = new Date(Date.UTC(year, 2, 0)).getUTCDate() === 29;
  return rest === "-02-29" && !leap
    ? `${year}-02-28`
    : rest === "-02-28" && leap
      ? `${year}-02-29`
      : `${year}${rest}`;
}

function nextDay(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}
