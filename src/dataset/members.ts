import { currentMembers } from "./company-facts.ts";
import { type Dataset, padCik } from "./dataset.ts";

/** What the dataset has of the current members of an index, and what is known but not loaded. */
export interface MemberCoverage {
  members: number;
  withRows: number;
  /** With the chief executive's total, of a row or as tagged. */
  withTotal: number;
  /** Without rows, a filing known. */
  unloaded: number;
  /** Members whose newest known filing is not loaded, as ten-digit CIKs. */
  ciks: readonly string[];
  /** Their filings that are not loaded, since the oldest of the newest. */
  filings: number;
  /** The date of that one, `2025-03-04`; empty if all is loaded. */
  since: string;
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
  const pending = ofMembers(
    "select cik, filing_date as date from filings where status = 'pending' and url is not null and filing_date is not null",
  );
  const behind = new Set(
    ofMembers("select cik, null as date from coverage where newest_unloaded = 1").map(({ cik }) => cik),
  );
  const newest = new Map<string, string>();
  for (const { cik, date } of pending)
    if (behind.has(cik) && date > (newest.get(cik) ?? "")) newest.set(cik, date);
  const [since = ""] = [...newest.values()].toSorted();
  return {
    members: members.size,
    withRows: withRows.size,
    withTotal: new Set([...withRows, ...tagged.map(({ cik }) => cik)]).size,
    unloaded: lines.filter(({ cik }) => !withRows.has(cik)).length,
    ciks: [...newest.keys()].toSorted(),
    filings: pending.filter(({ cik, date }) => newest.has(cik) && date >= since).length,
    since,
  };
}
