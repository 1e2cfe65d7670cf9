/** Facts about a registrant that do not come from its filings. */
import { type Dataset, padCik } from "./dataset.ts";

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
export interface Membership {
  index: string;
  symbol: string;
  sector: string;
  /** YYYY-MM-DD; only the earliest known day where `addedKnown` is false. */
  added: string;
  addedKnown: boolean;
  /** The first day it was not a member; null for a current member. */
  removed: string | null;
}

/** The facts about one registrant. @param cik ten digits */
export function readCompanyFacts(dataset: Dataset, cik: string): CompanyFacts {
  const number = Number(cik);
  const [facts] = dataset.all<Omit<CompanyFacts, "sector" | "formerNames" | "memberships">>(
    `select sic, description as sicDescription, filer_category as filerCategory, fiscal_year_end as fiscalYearEnd,
      state_of_incorporation as stateOfIncorporation, business_state as businessState
      from registrants left join sic_codes using (sic) where cik = ?`,
    number,
  );
  const memberships = dataset
    .all<Omit<Membership, "addedKnown"> & { addedKnown: number }>(
      `select index_name as "index", symbol, sector, added, added_known as addedKnown, removed
        from index_members where cik = ? order by added, symbol`,
      number,
    )
    .map((stay) => ({ ...stay, addedKnown: stay.addedKnown === 1 }));
  return {
    ...NOTHING,
    ...facts,
    sector: sectorOf(memberships),
    formerNames: dataset.all(
      "select name, used_from as usedFrom, used_until as usedUntil from former_names where cik = ? order by place",
      number,
    ),
    memberships,
  };
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
  const newest = stays.toSorted(
    (a, b) => (end(a) < end(b) ? 1 : end(a) > end(b) ? -1 : 0) || (a.added < b.added ? 1 : -1),
  );
  return newest[0]?.sector ?? null;
}

/** Whether any membership covers the day (YYYY-MM-DD). */
export function isMemberOn(stays: readonly Pick<Membership, "added" | "removed">[], day: string): boolean {
  return stays.some(({ added, removed }) => added <= day && (removed === null || day < removed));
}

const NOTHING: CompanyFacts = {
  sic: null,
  sicDescription: null,
  sector: null,
  filerCategory: null,
  fiscalYearEnd: null,
  stateOfIncorporation: null,
  businessState: null,
  formerNames: [],
  memberships: [],
};
