/** What each eligible filing prints for a person and year, and which filing the row is served from. */
import {
  byFilingDate,
  isDefinitive,
  type CompanyRecord,
  type FilingRecord,
  type Observation,
} from "./record.ts";

/** One filing's row for a person and year. */
export interface Statement {
  readonly row: Observation;
  readonly filing: FilingRecord;
  readonly executiveId: string;
  /** The newest fiscal year in the filing. */
  readonly newestPrinted: number;
  /** Whether the filing prints no amount for this person in any year. */
  readonly blankThroughout: boolean;
}

/**
 * Statements of all definitive filings that were read, newest filing first.
 * @param ids the person of each of the record's observations
 * @param asOf only filings filed on or before this day (YYYY-MM-DD)
 */
export function eligibleStatements(
  record: CompanyRecord,
  ids: readonly string[],
  asOf: string | undefined,
): Statement[] {
  const filings = new Map(
    record.filings
      .filter((filing) => filing.status === "parsed" && isDefinitive(filing.form))
      .filter((filing) => asOf === undefined || (filing.filingDate !== null && filing.filingDate <= asOf))
      .map((filing) => [filing.accession, filing]),
  );
  const newest = new Map<string, number>();
  const withAmounts = new Set<string>();
  record.observations.forEach(({ accession, fiscalYear, placeholder }, index) => {
    newest.set(accession, Math.max(newest.get(accession) ?? 0, fiscalYear));
    if (!placeholder) withAmounts.add(`${accession} ${ids[index] ?? ""}`);
  });
  return record.observations
    .flatMap((row, index) => {
      const filing = filings.get(row.accession);
      if (filing === undefined) return [];
      const executiveId = ids[index] ?? "";
      const newestPrinted = newest.get(row.accession) ?? 0;
      const blankThroughout = !withAmounts.has(`${row.accession} ${executiveId}`);
      return [{ row, filing, executiveId, newestPrinted, blankThroughout }];
    })
    .sort((a, b) => byFilingDate(b.filing, a.filing) || a.row.position - b.row.position);
}

/** Whether the statement comes from the filing of its own fiscal year. */
export function isOfYear({ newestPrinted, row }: Statement): boolean {
  return newestPrinted === row.fiscalYear;
}

/**
 * The statement that the row is served from: the newest one with amounts. If one filing prints a year twice (the year and a
 * transition period), the full year is used.
 * @param statements of one person and year, newest first
 */
export function servedStatement(statements: readonly Statement[]): Statement | undefined {
  const [newest] = statements.filter(({ row }) => !row.placeholder);
  const ofFiling = statements.filter(({ row, filing }) => !row.placeholder && filing === newest?.filing);
  return ofFiling.find(({ row }) => row.period === null) ?? newest ?? statements[0];
}
