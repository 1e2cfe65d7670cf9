import { and, eq, isNotNull, isNull, not, or, sql } from "drizzle-orm";
import { currentMembers } from "./company-facts.ts";
import type { Dataset } from "./dataset.ts";
import { ceoPay, companies, coverage, filings, problems, type RecordOf } from "./schema.ts";

/** A document that could not be read when it was tried. */
const IS_UNREAD = sql`exists (select 1 from ${problems}
  where ${problems.filing} = ${filings.id} and ${problems.code} = 'document_unread')`;

/** A filing whose document is to be read. */
export interface FilingToRead extends Pick<
  RecordOf<typeof filings>,
  "id" | "cik" | "accession" | "form" | "read"
> {
  filingDate: string;
  url: string;
}

/** By company: filings that are known and not loaded, and those with collected rows, which the document replaces, unless it was tried. */
export function filingsToRead(dataset: Pick<Dataset, "read">): FilingToRead[] {
  const { id, cik, accession, form, filingDate, url, read, status } = filings;
  const isWanted = or(eq(status, "pending"), and(eq(read, "collected"), not(IS_UNREAD)));
  return dataset
    .read((db) =>
      db
        .select({ id, cik, accession, form, filingDate, url, read })
        .from(filings)
        .where(and(isWanted, isNotNull(url), isNotNull(filingDate)))
        .orderBy(cik, id)
        .all(),
    )
    .flatMap(({ filingDate: date, url: address, ...filing }) =>
      date === null || address === null ? [] : [{ ...filing, filingDate: date, url: address }],
    );
}

/** What the dataset has of the current members of an index, and what is still to be read. */
export interface MemberCoverage {
  members: number;
  withRows: number;
  /** With the chief executive's newest total, of a row or as tagged, and not in doubt. */
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
  const ofMembers = <Line extends { cik: string }>(lines: readonly Line[]) =>
    lines.filter(({ cik }) => members.has(cik));
  const covered = ofMembers(
    dataset.read((db) => db.select({ cik: coverage.cik, rows: coverage.rows }).from(coverage).all()),
  );
  const withRows = new Set(covered.flatMap(({ cik, rows }) => (rows > 0 ? cik : [])));
  const isCounted = and(eq(ceoPay.isLatest, true), isNull(ceoPay.doubts));
  const totals = ofMembers(
    dataset.read((db) => db.selectDistinct({ cik: ceoPay.cik }).from(ceoPay).where(isCounted).all()),
  );
  const known = filingsToRead(dataset);
  const newestOf = new Set(
    dataset.read((db) => db.select({ id: companies.newestFiling }).from(companies).all()).map(({ id }) => id),
  );
  const newest = ofMembers(known.filter(({ id }) => newestOf.has(id)));
  const unread = new Set(newest.map(({ cik }) => cik));
  const [since = ""] = newest.map(({ filingDate }) => filingDate).toSorted();
  const toRead = known.filter(({ cik, filingDate }) => unread.has(cik) && filingDate >= since);
  return {
    members: members.size,
    withRows: withRows.size,
    withTotal: totals.length,
    unloaded: covered.filter(({ cik }) => !withRows.has(cik)).length,
    ciks: [...unread].toSorted(),
    filings: toRead.length,
    collected: toRead.filter(({ read }) => read === "collected").length,
    since,
  };
}
