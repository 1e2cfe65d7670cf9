/** The companies that analysis questions cover. */
import { FILER_CATEGORIES } from "../../domain/selection.ts";
import { sectorOf } from "../company-facts.ts";
import { type Dataset, padCik } from "../dataset.ts";
import { Numbering } from "../numbering.ts";

/** A registrant that has rows or was a member of an index. */
export interface CompanyColumn {
  /** Ten digits. */
  cik: string;
  name: string;
  /** MM-DD */
  fiscalYearEnd: string;
  /** Index memberships; `addedKnown` is 0 where `added` is only the earliest known day. */
  stays: readonly { added: string; addedKnown: number; removed: string | null }[];
  /** Its company-years: indices from `firstYear` up to but excluding `endYear`, ascending by fiscal year. */
  firstYear: number;
  endYear: number;
}

/** The facts by which companies are selected and grouped. Shared by companies whose facts are equal. */
export interface CompanyProfile {
  sector: string | null;
  sic: string | null;
  /** EDGAR's code of the business address. */
  state: string | null;
  /** Values of `FILER_CATEGORIES`. */
  filerCategories: readonly string[];
}

interface CompanyColumns {
  companies: CompanyColumn[];
  /** Index in `profiles`, for each company. */
  profile: Int32Array;
  profiles: CompanyProfile[];
}

/** Companies with rows by CIK, then index members without rows. */
export function readCompanies(dataset: Pick<Dataset, "all">): CompanyColumns {
  const stays = Map.groupBy(readStays(dataset), ({ cik }) => cik);
  const lines = dataset.all<CompanyLine>(
    `select c.cik, name, row_count, sic, filer_category, business_state as state, coalesce(c.fiscal_year_end, r.fiscal_year_end) as fiscal_year_end
      from companies c left join registrants r on r.cik = c.cik order by row_count = 0, c.cik`,
  );
  const known = lines.filter(({ cik, row_count }) => row_count > 0 || stays.has(cik));
  const numbers = new Numbering();
  const profiles: CompanyProfile[] = [];
  const profile = Int32Array.from(known, ({ cik, sic, state, filer_category }) => {
    const sector = sectorOf(stays.get(cik) ?? []);
    const number = numbers.of(JSON.stringify([sector, sic, state, filer_category]));
    profiles[number] ??= { sector, sic, state, filerCategories: categoriesOf(filer_category ?? "") };
    return number;
  });
  // Equal dates and empty lists are shared, to save memory.
  const days = new Map<string, string>();
  const oneOfEach = (day: string) => days.getOrInsert(day, day);
  const none: CompanyColumn["stays"] = [];
  const companies = known.map((line) => ({
    cik: padCik(line.cik),
    name: line.name,
    fiscalYearEnd: oneOfEach(line.fiscal_year_end ?? "12-31"),
    stays: stays.get(line.cik) ?? none,
    firstYear: 0,
    endYear: 0,
  }));
  return { companies, profile, profiles };
}

interface CompanyLine {
  cik: number;
  name: string;
  row_count: number;
  sic: string | null;
  filer_category: string | null;
  state: string | null;
  fiscal_year_end: string | null;
}

/** All memberships in the index. */
export function readStays(
  dataset: Pick<Dataset, "all">,
): { cik: number; sector: string; added: string; addedKnown: number; removed: string | null }[] {
  return dataset.all(
    "select cik, sector, added, added_known as addedKnown, removed from index_members where index_name = 'sp500'",
  );
}

/** The values of `FILER_CATEGORIES` in the SEC's text. */
export function categoriesOf(text: string): string[] {
  const parts = text.split("; ").map((part) => part.toLowerCase().replaceAll(/[^a-z]+/g, "_"));
  return FILER_CATEGORIES.filter((category) => parts.includes(category));
}
