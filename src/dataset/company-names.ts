/** All names of a company, present and former, and its size: the data for search by name. */
import { foldedWords } from "../domain/selection.ts";
import type { Dataset } from "./dataset.ts";
import { NameWords, type WordBook } from "./word-book.ts";

/** A company name. */
export interface Name {
  /** Index of its company. */
  company: number;
  /** The words without legal forms (Inc., Corp.). */
  core: string;
  former: boolean;
}

/** A company with its search weight. */
export interface CompanySize {
  cik: number;
  size: number;
  hasRows: boolean;
  /** Whether its CEO's total is known from a tag. */
  hasTotal: boolean;
}

/** Size points for index membership and filer category; they are compared with the match points of a search. */
const SIZES = { inIndex: 25, large: 10, accelerated: 4 } as const;

const LEGAL_FORMS = new Set(
  "inc corp corporation co company companies ltd limited plc llc lp sa nv ag se the and holdings holding group de new com".split(
    " ",
  ),
);

/** Whether a folded word is a legal form or another word too common to identify a company. */
export function isLegalForm(word: string): boolean {
  return LEGAL_FORMS.has(word);
}

/** Companies read per slice, which takes 1 to 3 ms. */
const COMPANIES_A_PAGE = 256;

/** The companies by CIK, their names, and the word index over the names. */
interface Names {
  companies: CompanySize[];
  /** Index in `companies`, by CIK. */
  places: ReadonlyMap<number, number>;
  names: Name[];
  book: WordBook;
}

/** Reads all names of the dataset, `COMPANIES_A_PAGE` companies per slice. */
export function* readNames(dataset: Dataset): Generator<void, Names> {
  const companies: CompanySize[] = [];
  const places = new Map<number, number>();
  const names: Name[] = [];
  const gathered = new NameWords();
  const add = (company: number, name: string, former: boolean) => {
    const words = foldedWords(name);
    const core = words.filter((word) => !LEGAL_FORMS.has(word));
    gathered.add(words);
    names.push({ company, core: (core.length > 0 ? core : words).join(" "), former });
  };
  for (let after = -1; ;) {
    const page = readPage(dataset, after);
    const last = page.companies.at(-1);
    if (last === undefined) break;
    for (const { cik, name, listedName, hasRows, hasTotal, category } of page.companies) {
      const company = companies.length;
      places.set(cik, company);
      companies.push({ cik, hasRows, hasTotal, size: sizeOf(category, page.members.has(cik)) });
      add(company, name, false);
      if (listedName !== null && listedName !== name) add(company, listedName, false);
      for (const former of page.formerNames.get(cik) ?? []) add(company, former.name, true);
    }
    after = last.cik;
    yield;
  }
  return { companies, places, names, book: yield* gathered.book() };
}

function sizeOf(category: string | null, isMember: boolean): number {
  const filer = category?.startsWith("Large")
    ? SIZES.large
    : category?.startsWith("Accel")
      ? SIZES.accelerated
      : 0;
  return (isMember ? SIZES.inIndex : 0) + filer;
}

/** Reads the companies that follow a CIK. */
function readPage(dataset: Dataset, after: number) {
  const companies = dataset
    .all<{
      cik: number;
      name: string;
      listedName: string | null;
      rowCount: number;
      tags: number;
      category: string | null;
    }>(
      `select c.cik, name, listed_name as listedName, row_count as rowCount,
        exists (select 1 from peo_tags t where t.cik = c.cik) as tags, filer_category as category
        from companies c left join registrants r on r.cik = c.cik
        where c.cik > ? order by c.cik limit ?`,
      after,
      COMPANIES_A_PAGE,
    )
    .map(({ rowCount, tags, ...rest }) => ({ ...rest, hasRows: rowCount > 0, hasTotal: tags === 1 }));
  const between = [after + 1, companies.at(-1)?.cik ?? after] as const;
  const ofThese = <Row>(sql: string) => dataset.all<Row>(sql, ...between);
  const members = ofThese<{ cik: number }>(
    "select distinct cik from index_members where cik between ? and ? and removed is null",
  );
  const formerNames = ofThese<{ cik: number; name: string }>(
    "select cik, name from former_names where cik between ? and ?",
  );
  return {
    companies,
    members: new Set(members.map(({ cik }) => cik)),
    formerNames: Map.groupBy(formerNames, ({ cik }) => cik),
  };
}
