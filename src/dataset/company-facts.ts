/** Facts about a registrant that do not come from its filings, and its loaded filings with their cells. */
import { eq } from "drizzle-orm";
import type { RowEvidence, AmountField } from "../domain/row-fields.ts";
import { type Dataset, padCik, MAX_ROWS, rowKeys } from "./dataset.ts";
import type { CellsOf, HowRead } from "./record.ts";
import { indexMembers, type RecordOf, successors } from "./schema.ts";
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
  const number = Number(cik);
  const [facts] = dataset.all<Omit<CompanyFacts, "sector" | "formerNames" | "memberships">>(
    `select sic, description as sicDescription, filer_category as filerCategory, fiscal_year_end as fiscalYearEnd,
      state_of_incorporation as stateOfIncorporation, business_state as businessState
      from (select ? as cik) left join registrants using (cik) left join sic_codes using (sic)`,
    number,
  );
  if (facts === undefined) throw new Error("one line on the left of a join stays");
  const memberships = dataset.read((db) =>
    db
      .select()
      .from(indexMembers)
      .where(eq(indexMembers.cik, cik))
      .orderBy(indexMembers.added, indexMembers.symbol)
      .all(),
  );
  return {
    ...facts,
    sector: sectorOf(memberships),
    formerNames: dataset.all(
      "select name, used_from as usedFrom, used_until as usedUntil from former_names where cik = ? order by place",
      number,
    ),
    memberships,
  };
}

/** The registrant under which a company files now, where it was another one before; null where none is known. */
export function readSuccessor(dataset: Dataset, cik: string): RecordOf<typeof successors> | null {
  return dataset.read((db) => db.select().from(successors).where(eq(successors.cik, cik)).get()) ?? null;
}

/** The current members of an index, as ten-digit CIKs. */
export function currentMembers(dataset: Dataset, index: string): string[] {
  return dataset
    .all<{ cik: number }>(
      "select distinct cik from index_members where index_name = ? and removed is null order by cik",
      index,
    )
    .map(({ cik }) => padCik(cik));
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

/** The loaded filings of a company, newest first. */
export function loadedFilings(dataset: Dataset, cik: string): LoadedFiling[] {
  return dataset.all<LoadedFiling>(
    `select accession, coalesce(form, '') as form, coalesce(filing_date, '') as filingDate,
        fiscal_year as fiscalYear, url, read
      from filings where cik = ? and status = 'parsed' order by id desc`,
    Number(cik),
  );
}

/** A loaded filing with its company. */
export interface LatestFiling extends LoadedFiling {
  cik: string;
  ticker: string;
  companyName: string;
}

/** The latest loaded filings of all companies, by filing date. Reads every filing, so callers should cache the result. */
export function latestFilings(dataset: Dataset, max: number): LatestFiling[] {
  return dataset
    .all<Omit<LatestFiling, "cik"> & { cik: number }>(
      `select filings.cik, ticker, name as companyName, accession, form, filing_date as filingDate,
          filings.fiscal_year as fiscalYear, url, read
        from filings join companies on companies.cik = filings.cik
        where status = 'parsed' and form is not null and filing_date is not null and companies.row_count > 0
        order by filing_date desc, accession desc limit ?`,
      max,
    )
    .map((line) => ({ ...line, cik: padCik(line.cik) }));
}

/** A served row, identified. */
export type RowName = { cik: string; fiscal_year: number; executive_id: string };

/** What is found for each row of these companies. @param columns of the joined table @param join it, and its order */
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
