/** What each filing prints on one person in one year, of all filings that count, and which of them a row is served from. */
import {
  byFilingDate,
  isDefinitive,
  type CompanyRecord,
  type FilingRecord,
  type Observation,
} from "./record.ts";

/** A filing's statement on one person in one year. */
export interface Statement {
  readonly row: Observation;
  readonly filing: FilingRecord;
  readonly executiveId: string;
  /** Newest fiscal year that the filing prints. */
  readonly newestPrinted: number;
  /** The filing prints no amount for this person in any year. */
  readonly blankThroughout: boolean;
}

/**
 * Observations of definitive filings that were read, newest filing first.
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

/** Whether the statement stands in the filing of its own fiscal year. */
export function isOfYear({ newestPrinted, row }: Statement): boolean {
  return newestPrinted === row.fiscalYear;
}

/**
 * The statement that a row is served from: the newest one with amounts. Where one filing prints a year twice (a transition
 * period beside it) the whole year counts.
 * @param statements on one person in one year, newest first
 */
export function servedStatement(statements: readonly Statement[]): Statement | undefined {
  const [newest] = statements.filter(({ row }) => !row.placeholder);
  const ofFiling = statements.filter(({ row, filing }) => !row.placeholder && filing === newest?.filing);
  return ofFiling.find(({ row }) => row.period === null) ?? newest ?? statements[0];
}
