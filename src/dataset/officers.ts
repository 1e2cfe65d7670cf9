/**
 * What each eligible filing prints for a person and year, which of them the row is served from, and who held which office in
 * the year: what each says about the person-year, and the dated terms of office, as claims for `domain/officer-verdict.ts`.
 * @see docs/contract.md, "Rows", `is_peo` / `is_pfo`
 */
import { elementAt } from "../lib/checked-access.ts";
import { executiveId } from "../domain/executive.ts";
import { fiscalYearEnding, fiscalYearOf, type DayRange, type FiscalYear } from "../domain/fiscal-year.ts";
import { OFFICES, type Office, type OfficerClaim } from "../domain/officer-claims.ts";
import { resolve, type Verdict } from "../domain/officer-verdict.ts";
import {
  type OfficeFlag,
  type OfficeTerm,
  byFilingDate,
  isDefinitive,
  type CompanyRecord,
  type FilingRecord,
  type Observation,
} from "./record.ts";

/**
 * The basis of a flag, strongest first: a date or tag for the row in any filing; the office in that year's filing (followed
 * by a term of office dated in another filing, which is also `dated`); another officer named by that filing; today's office
 * in an older year's row (weak); nothing (undecided, served as false).
 */
export type FlagBasis = "dated" | "filing_of_year" | "not_in_filing_of_year" | "todays_office" | "undecided";

/** A decided flag. */
export interface OfficeDecision {
  readonly value: boolean;
  readonly basis: FlagBasis;
  /** What decided it. */
  readonly claims: readonly OfficerClaim[];
  /** Both dates, if two filings date it differently. */
  readonly conflict: string | null;
}

/** Both flags of a person. */
export type Decisions = Readonly<Record<Office, OfficeDecision>>;

/** Facts about officers that filings state outside the rows. */
export interface CompanyOfficers {
  readonly terms: readonly OfficerClaim[];
  /** The end of each fiscal year, from the filing that reports on it. */
  readonly yearEnds: ReadonlyMap<number, string>;
}

const UNDECIDED: OfficeDecision = { value: false, basis: "undecided", claims: [], conflict: null };

/**
 * The dated terms of known people, as claims. Names that match no pinned spelling and no id of the company are left out.
 * @param idOf the person of a pinned spelling
 */
export function termClaims(
  terms: readonly OfficeTerm[],
  idOf: (spelling: string) => string | undefined,
  ids: ReadonlySet<string>,
): OfficerClaim[] {
  return terms.flatMap(({ accession, name, office, start, end, evidence, because }) => {
    const person = idOf(name) ?? executiveId(name);
    if (!ids.has(person) || (evidence !== "dated" && evidence !== "tag")) return [];
    const [from, to] = [start, end].map((day) => (day === null ? null : dayOnly(day)));
    if (from === undefined || to === undefined || (from === null && to === null)) return [];
    const standing = to === null ? "present" : null;
    const common = { basis: "dated", standing, rule: "term", quote: because, accession } as const;
    return [{ person, office, held: true, from, to, ...common }];
  });
}

/** A single day as a range. */
function dayOnly(day: string): DayRange {
  return { earliest: day, latest: day };
}

/**
 * Decides both flags of every person for whom a filing prints the year.
 * @param statements of the year, newest filing first
 * @param byPerson the same by executive id
 */
export function decideFlags(
  fiscalYear: number,
  statements: readonly Statement[],
  byPerson: ReadonlyMap<string, readonly Statement[]>,
  { terms, yearEnds }: CompanyOfficers,
): ReadonlyMap<string, Decisions> {
  const year = fiscalYearOf(fiscalYear, yearEnds) ?? fiscalYearEnding(`${fiscalYear}-12-31`);
  const people = new Map(
    [...byPerson].map(([person, own]) => {
      const filings = [...new Set(own.map(({ row }) => row.accession))];
      return [person, { filings, servedFrom: servedStatement(own)?.row.accession ?? "" }];
    }),
  );
  // A filing that prints the row has already taken its own dates into account.
  const elsewhere = terms.filter(
    ({ person, accession }) => people.get(person)?.filings.includes(accession) === false,
  );
  const filingsOfYear = new Set(statements.filter(isOfYear).map(({ row }) => row.accession));
  const [peo, pfo] = OFFICES.map((office) => {
    const printed = statements.flatMap((statement) => statementClaim(statement, office, year) ?? []);
    return resolve([...printed, ...elsewhere], { office, year, people, filingsOfYear });
  });
  return new Map(
    [...people.keys()].map((person) => [
      person,
      { peo: decisionOf(person, peo?.get(person)), pfo: decisionOf(person, pfo?.get(person)) },
    ]),
  );
}

/** The flag that the reader, or a manual entry, decided for the person-year from one filing. */
function statementClaim(
  { row, executiveId: person }: Statement,
  office: Office,
  { first, last }: FiscalYear,
): OfficerClaim | undefined {
  const { held, evidence, because }: OfficeFlag = row[office];
  if (held === null) return undefined;
  const about = { person, office, held, rule: "row", accession: row.accession } as const;
  if (evidence === "dated" || evidence === "tag") {
    const [from, to] = [dayOnly(first), dayOnly(last)];
    return { ...about, from, to, basis: evidence, standing: null, quote: because ?? evidence };
  }
  return {
    ...about,
    from: null,
    to: null,
    basis: "title",
    standing: "present",
    quote: because ?? row.role ?? "",
  };
}

function decisionOf(person: string, verdict: Verdict | undefined): OfficeDecision {
  if (verdict === undefined || verdict.basis === "none") return UNDECIDED;
  const { held, claims, against } = verdict;
  const conflict = against.length === 0 ? null : [claims, against].map(sideOf).join("; ");
  return { value: held, basis: basisOf(person, verdict), claims, conflict };
}

/** The first claim of one side of a conflict. */
function sideOf([claim]: readonly OfficerClaim[]): string {
  return claim === undefined ? "" : `${claim.accession} ${claim.held ? "yes" : "no"} (${claim.quote})`;
}

function basisOf(person: string, { held, basis, claims }: Verdict): FlagBasis {
  if (basis === "dated") return "dated";
  if (basis === "title_of_year") return "filing_of_year";
  // That year's filing names everyone who held the office in the year (Item 402(a)(3)(i)-(ii)).
  return !held && claims.some((claim) => claim.person !== person) ? "not_in_filing_of_year" : "todays_office";
}

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
      .map((filing) => [
        filing.accession,
        { filing, newestPrinted: filing.fiscalYear ?? 0, withAmounts: new Set<string>() },
      ]),
  );
  record.observations.forEach(({ accession, fiscalYear, placeholder }, index) => {
    const printed = filings.get(accession);
    if (printed === undefined) return;
    printed.newestPrinted = Math.max(printed.newestPrinted, fiscalYear);
    if (!placeholder) printed.withAmounts.add(elementAt(ids, index));
  });
  return record.observations
    .flatMap((row, index) => {
      const printed = filings.get(row.accession);
      if (printed === undefined) return [];
      const { filing, newestPrinted, withAmounts } = printed;
      const executiveId = elementAt(ids, index);
      return [{ row, filing, executiveId, newestPrinted, blankThroughout: !withAmounts.has(executiveId) }];
    })
    .sort((a, b) => byFilingDate(b.filing, a.filing) || a.row.position - b.row.position);
}

/** The check of a collected row whose year's other officers have the average that the filer tags: nobody is missing. */
export const CONFIRMED_AVERAGE = "ecd_average";

/** Whether a statement shows that its year is complete: the year's own filing is loaded, or the tagged average confirms it. */
export function completesYear(statement: Statement): boolean {
  const { filing, row } = statement;
  return filing.read === "collected" ? row.checks.includes(CONFIRMED_AVERAGE) : isOfYear(statement);
}

/** Whether the statement comes from the filing of its own fiscal year. */
export function isOfYear({ newestPrinted, row }: Statement): boolean {
  return newestPrinted === row.fiscalYear;
}

/**
 * The statement that the row is served from: the newest one with amounts, a collected one only where there is no other. If one
 * filing prints a year twice (the year and a transition period), the full year is used.
 * @param statements of one person and year, newest first
 */
export function servedStatement(statements: readonly Statement[]): Statement | undefined {
  const withAmounts = statements.filter(({ row }) => !row.placeholder);
  const newest = withAmounts.find(({ filing }) => filing.read !== "collected") ?? withAmounts[0];
  const ofFiling = statements.filter(({ row, filing }) => !row.placeholder && filing === newest?.filing);
  return ofFiling.find(({ row }) => row.period === null) ?? newest ?? statements[0];
}
