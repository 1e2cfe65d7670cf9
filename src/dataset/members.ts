import { currentMembers } from "./company-facts.ts";
import { type Dataset, padCik } from "./dataset.ts";

/**
 * Filings whose document is to be read, in terms of the table `filings`: those that are known and not loaded, and those with
 * collected rows, which it replaces, unless it was tried.
 */
export const TO_READ = `(status = 'pending' or read = 'collected'
    and not exists (select 1 from problems p where p.filing = filings.id and p.code = 'document_unread'))
  and url is not null and filing_date is not null`;

/** What the dataset has of the current members of an index, and what is still to be read. */
export interface MemberCoverage {
  members: number;
  withRows: number;
  /** With the chief executive's total, of a row or as tagged. */
  withTotal: number;
  /** Without rows, a filing known. */
  unloaded: number;
  /** Members whose newest known filing is to be read, as ten-digit CIKs. */
  ciks: readonly string[];
  /** Their filings that are to be read, since the oldest of the newest. */
  filings: number;
  /** The date of that one, `2025-03-04`; empty if all is read. */
  since: string;
  /** How many of the filings have collected rows. */
  collected: number;
}

/** Counts it for an index. */
export function memberCoverage(dataset: Dataset, index: string): MemberCoverage {
  const members = new Set(currentMembers(dataset, index));
  const ofMembers = (sql: string) =>
    dataset
      .all<{ cik: number; date: string | null }>(sql)
      .map(({ cik, date }) => ({ cik: padCik(cik), date: date ?? "" }))
      .filter(({ cik }) => members.has(cik));
  const lines = ofMembers("select cik, iif(rows > 0, 'rows', '') as date from coverage");
  const withRows = new Set(lines.flatMap(({ cik, date }) => (date === "rows" ? cik : [])));
  const tagged = ofMembers("select distinct cik, null as date from ceo_pay");
  const newest = new Map(
    ofMembers(
      `select companies.cik, filing_date as date from companies join filings on filings.id = newest_filing where ${TO_READ}`,
    ).map(({ cik, date }) => [cik, date]),
  );
  const [since = ""] = [...newest.values()].toSorted();
  const toRead = dataset
    .all<{ cik: number; date: string; collected: number }>(
      `select cik, filing_date as date, read is 'collected' as collected from filings where ${TO_READ}`,
    )
    .filter(({ cik, date }) => newest.has(padCik(cik)) && date >= since);
  return {
    members: members.size,
    withRows: withRows.size,
    withTotal: new Set([...withRows, ...tagged.map(({ cik }) => cik)]).size,
    unloaded: lines.filter(({ cik }) => !withRows.has(cik)).length,
    ciks: [...newest.keys()].toSorted(),
    filings: toRead.length,
    collected: toRead.filter((one) => one.collected === 1).length,
    since,
  };
}
