/** Facts about a registrant that do not come from its filings, and its loaded filings with their cells. */
import { and, desc, eq, gt, inArray, isNotNull, isNull, max as newest, ne } from "drizzle-orm";
import type { RowEvidence, AmountField } from "../domain/row-fields.ts";
import { type Dataset, MAX_ROWS, rowKeys } from "./dataset.ts";
import type { CellsOf, HowRead } from "./record.ts";
import {
  companies,
  filings,
  formerNames,
  indexMembers,
  type RecordOf,
  registrants,
  sicCodes,
  successors,
} from "./schema.ts";
import { compareTexts } from "../lib/text.ts";

/** Facts about a registrant; null where unknown. */
export interface CompanyFacts {
  /** Four digits. */
  sic: string | null;
  sicDescription: string | null;
  /** Sector of its latest index membership. */
  sector: string | null;
  /** The SEC's own text, with parts separated by `; `. */
  filerCategory: string | null;
  /** MM-DD */
  fiscalYearEnd: string | null;
  /** EDGAR's codes. */
  stateOfIncorporation: string | null;
  businessState: string | null;
  /** In chronological order. */
  formerNames: readonly { name: string; usedFrom: string | null; usedUntil: string | null }[];
  memberships: readonly Membership[];
}

/** A period of index membership under one ticker. */
export type Membership = RecordOf<typeof indexMembers>;

/** The facts about one registrant. @param cik ten digits */
export function readCompanyFacts(dataset: Dataset, cik: string): CompanyFacts {
  const facts = dataset.read((db) =>
    db
      .select({ registrant: registrants, sicDescription: sicCodes.description })
      .from(registrants)
      .leftJoin(sicCodes, eq(sicCodes.sic, registrants.sic))
      .where(eq(registrants.cik, cik))
      .get(),
  );
  const { cik: _cik, ...registrant } = facts?.registrant ?? UNKNOWN;
  const memberships = dataset.read((db) =>
    db
      .select()
      .from(indexMembers)
      .where(eq(indexMembers.cik, cik))
      .orderBy(indexMembers.added, indexMembers.symbol)
      .all(),
  );
  return {
    ...registrant,
    sicDescription: facts?.sicDescription ?? null,
    sector: sectorOf(memberships),
    formerNames: dataset.read((db) =>
      db
        .select({
          name: formerNames.name,
          usedFrom: formerNames.usedFrom,
          usedUntil: formerNames.usedUntil,
        })
        .from(formerNames)
        .where(eq(formerNames.cik, cik))
        .orderBy(formerNames.place)
        .all(),
    ),
    memberships,
  };
}

/** The former names of companies, by CIK: one query, where whoever types names would make `readCompanyFacts` run thousands. */
export function formerNamesOf(
  dataset: Pick<Dataset, "read">,
  ciks: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const { cik, name } = formerNames;
  const lines = dataset.read((db) =>
    db
      .select({ cik, name })
      .from(formerNames)
      .where(inArray(cik, [...ciks]))
      .all(),
  );
  const byCik = Map.groupBy(lines, (line) => line.cik);
  return new Map([...byCik].map(([of, names]) => [of, names.map((line) => line.name)]));
}

/** A registrant of which nothing is known. */
const UNKNOWN: RecordOf<typeof registrants> = {
  cik: "",
  sic: null,
  filerCategory: null,
  fiscalYearEnd: null,
  stateOfIncorporation: null,
  businessState: null,
};

/** The registrant under which a company files now, where it was another one before; null where none is known. */
export function readSuccessor(dataset: Dataset, cik: string): RecordOf<typeof successors> | null {
  return dataset.read((db) => db.select().from(successors).where(eq(successors.cik, cik)).get()) ?? null;
}

/** The current members of an index, as ten-digit CIKs. */
export function currentMembers(dataset: Dataset, index: string): string[] {
  const { cik, indexName, removed } = indexMembers;
  return dataset
    .read((db) =>
      db
        .selectDistinct({ cik })
        .from(indexMembers)
        .where(and(eq(indexName, index), isNull(removed)))
        .orderBy(cik)
        .all(),
    )
    .map((member) => member.cik);
}

/** The companies on the SEC's list of tickers, as ten-digit CIKs. */
export function listedCompanies(dataset: Pick<Dataset, "read">): string[] {
  const { cik, listedName } = companies;
  const listed = dataset.read((db) =>
    db.select({ cik }).from(companies).where(isNotNull(listedName)).orderBy(cik).all(),
  );
  return listed.map((company) => company.cik);
}

/** The accession numbers of all known filings. */
export function knownAccessions(dataset: Pick<Dataset, "read">): Set<string> {
  const { accession } = filings;
  const known = dataset.read((db) => db.select({ accession }).from(filings).all());
  return new Set(known.map((filing) => filing.accession));
}

/** The sector of the latest membership; current memberships take precedence over ended ones. */
export function sectorOf(stays: readonly Pick<Membership, "sector" | "added" | "removed">[]): string | null {
  const end = ({ removed }: { removed: string | null }) => removed ?? "9999";
  const newest = stays.toSorted((a, b) => compareTexts(end(b), end(a)) || (a.added < b.added ? 1 : -1));
  return newest[0]?.sector ?? null;
}

/** Whether any membership covers the day (YYYY-MM-DD). */
export function isMemberOn(stays: readonly Pick<Membership, "added" | "removed">[], day: string): boolean {
  return stays.some(({ added, removed }) => added <= day && (removed === null || day < removed));
}

/** A filing whose rows are loaded. */
export interface LoadedFiling {
  accession: string;
  form: string;
  filingDate: string;
  /** The newest fiscal year in its table. */
  fiscalYear: number | null;
  url: string | null;
  read: HowRead | null;
}

const LOADED = {
  accession: filings.accession,
  form: filings.form,
  filingDate: filings.filingDate,
  fiscalYear: filings.fiscalYear,
  url: filings.url,
  read: filings.read,
};

/** The loaded filings of a company, newest first. */
export function loadedFilings(dataset: Dataset, cik: string): LoadedFiling[] {
  const lines = dataset.read((db) =>
    db
      .select(LOADED)
      .from(filings)
      .where(and(eq(filings.cik, cik), eq(filings.status, "parsed")))
      .orderBy(desc(filings.id))
      .all(),
  );
  return lines.map((line) => ({ ...line, form: line.form ?? "", filingDate: line.filingDate ?? "" }));
}

/** The date of the newest known filing of a company; null if there is none. */
export function newestFilingDate(dataset: Dataset, cik: string): string | null {
  const day = newest(filings.filingDate);
  const found = dataset.read((db) => db.select({ day }).from(filings).where(eq(filings.cik, cik)).get());
  return found?.day ?? null;
}

/** Whether the document of a filing has been read: its rows were not collected by others. */
export function isDocumentRead(dataset: Dataset, accession: string): boolean {
  const { id, status, read } = filings;
  const isRead = and(eq(filings.accession, accession), eq(status, "parsed"), ne(read, "collected"));
  return dataset.read((db) => db.select({ id }).from(filings).where(isRead).get()) !== undefined;
}

/** A loaded filing with its company. */
export interface LatestFiling extends LoadedFiling {
  cik: string;
  ticker: string;
  companyName: string;
}

/** The latest loaded filings of all companies, by filing date. Reads every filing, so callers should cache the result. */
export function latestFilings(dataset: Dataset, max: number): LatestFiling[] {
  const { status, form, filingDate, accession } = filings;
  return dataset
    .read((db) =>
      db
        .select({ ...LOADED, cik: filings.cik, ticker: companies.ticker, companyName: companies.name })
        .from(filings)
        .innerJoin(companies, eq(companies.cik, filings.cik))
        .where(and(eq(status, "parsed"), isNotNull(form), isNotNull(filingDate), gt(companies.rowCount, 0)))
        .orderBy(desc(filingDate), desc(accession))
        .limit(max)
        .all(),
    )
    .flatMap(({ form: of, filingDate: filed, ...line }) =>
      of === null || filed === null ? [] : [{ ...line, form: of, filingDate: filed }],
    );
}

/** A served row, identified. */
export type RowName = { cik: string; fiscal_year: number; executive_id: string };

/**
 * What is found for each row of these companies. SQL by hand: each caller has columns and a join of its own, and pages of many
 * companies run it for each. @param columns of the joined table @param join it, and its order */
export function foundByRow<Found>(
  dataset: Dataset,
  ciks: readonly string[],
  columns: string,
  { join, order }: { join: string; order: string },
): (row: RowName) => readonly Found[] {
  const keyOf = ({ cik, fiscal_year: year, executive_id: id }: RowName) => `${cik} ${year} ${id}`;
  const sql = `select rows.fiscal_year, rows.executive_id, ${columns} from rows join ${join}
    where rows.id >= ? and rows.id < ? order by ${order}`;
  const found = new Map<string, Found[]>();
  for (const cik of new Set(ciks)) {
    for (const line of dataset.all<Found & Omit<RowName, "cik">>(sql, ...rowKeys(cik)))
      found.getOrInsert(keyOf({ ...line, cik }), []).push(line);
  }
  return (row) => found.get(keyOf(row)) ?? [];
}

/** How a row is known, in terms of its observation `o` and filing `f`. */
export const EVIDENCE_SQL = "iif(f.read = 'collected', 'collected', iif(o.cells is null, 'typed', 'linked'))";

/** What is known of the cells that rows were read from. */
export interface RowCells {
  /** How the row is known. */
  evidence(row: RowName): RowEvidence;
  /** Whether the filing prints a zero amount as a digit, such as `0` or `-0-`, rather than as a dash or a blank. */
  isPrintedZero(row: RowName, field: AmountField): boolean;
}

/** The cells of the companies' rows. */
export function rowCells(dataset: Dataset, ciks: readonly string[]): RowCells {
  const found = foundByRow<{ cells: string | null; evidence: RowEvidence }>(
    dataset,
    ciks,
    `o.cells, ${EVIDENCE_SQL} as evidence`,
    {
      join: `observations o on o.id = rows.filing * ${MAX_ROWS} + rows.position join filings f on f.id = rows.filing`,
      order: "rows.id",
    },
  );
  return {
    evidence: (row) => found(row)[0]?.evidence ?? "typed",
    isPrintedZero(row, field) {
      // Written by `writer.ts` from an `Observation`.
      const cells = JSON.parse(found(row)[0]?.cells ?? "{}") as Partial<CellsOf>;
      return (cells[field] ?? []).some(([, , , raw]) => isPrintedZero(raw));
    },
  };
}

/** `0`, `-0-`, `$0`, `0.00`; not a dash with a footnote such as `—(10)`. */
function isPrintedZero(raw: string): boolean {
  return /^\W*0(\.0+)?\W*$/.test(raw.replaceAll(/\(\w{1,2}\)/g, ""));
}
