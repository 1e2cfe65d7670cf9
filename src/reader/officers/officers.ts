/** Decides who was principal executive and financial officer in each year of a table. */
import { OFFICES, type Office, type OfficerClaim } from "../../domain/officer-claims.ts";
import { shiftDays, type FiscalYear } from "../../domain/fiscal-year.ts";
import { resolve, type Verdict } from "../../domain/officer-verdict.ts";
import type { Evidence } from "../parsed.ts";
import { problemOf, type ReadingProblem } from "../problem.ts";
import { COST } from "../work.ts";
import { readClaims, type OfficerSources } from "./claims.ts";

/** Whether a person held an office in a year, with the evidence. */
interface OfficerFlag {
  readonly held: boolean;
  readonly evidence: Evidence;
}

/** Officer flags by person and year. */
export interface Officers {
  flag(person: string, year: number, office: Office): OfficerFlag;
  /** Dated claims that someone held an office. */
  readonly terms: readonly OfficerClaim[];
  readonly problems: readonly ReadingProblem[];
}

const NO_FLAG: OfficerFlag = { held: false, evidence: { kind: "none", text: "", claims: [] } };
/** A table with fewer officers need not include the financial one. */
const MIN_OFFICERS_WITH_PFO = 4;

const OFFICE_WORDS: Readonly<Record<Office, string>> = { peo: "executive", pfo: "financial" };

/** Gathers the document's claims and resolves them. */
export function readOfficers(sources: OfficerSources): Officers {
  const { people, periods, accession, work } = sources;
  const { claims, unmatchedTags } = readClaims(sources);
  work.spend(claims.length * periods.size * COST.claim);
  const newest = Math.max(...periods.keys());
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const flags = new Map<string, OfficerFlag>();
  const problems: ReadingProblem[] = [];
  for (const [year, period] of periods) {
    const present = people.filter((person) => person.years.includes(year));
    for (const office of OFFICES) {
      const verdicts = resolve(claims, {
        office,
        year: period,
        people: new Map(present.map(({ id }) => [id, { filings: [accession], servedFrom: accession }])),
        filingsOfYear: new Set(year === newest ? [accession] : []),
      });
      for (const [id, verdict] of verdicts) {
        const evidence = evidenceOf(id, verdict, names);
        flags.set(`${id} ${year} ${office}`, { held: verdict.held, evidence });
      }
      if (year === newest && isContested(verdicts)) {
        const message = `Several people have the title of principal ${OFFICE_WORDS[office]} officer for ${year}, without dates`;
        problems.push(problemOf(`${office}_unclear`, message));
      }
      const isExpected = year === newest && (office === "peo" || present.length >= MIN_OFFICERS_WITH_PFO);
      const gap = isExpected ? gapIn(verdicts, period) : undefined;
      if (gap === undefined) continue;
      const message = `No one in the table has the title of principal ${OFFICE_WORDS[office]} officer for ${gap}${year}`;
      problems.push(problemOf(`${office}_unclear`, message));
    }
  }
  for (const { year, name } of unmatchedTags) {
    const message = `ecd:PeoName for ${year} is "${name}", who is not in the table`;
    problems.push(problemOf("ecd_peo_name", message));
  }
  return {
    flag: (person, year, office) => flags.get(`${person} ${year} ${office}`) ?? NO_FLAG,
    terms: claims.filter(({ basis, held }) => basis === "dated" && held),
    problems,
  };
}

/** Days by which a term may miss the first day of a year: a weekend, or the extra week of a 53-week year. */
const SLACK = 10;

/** The part of a year in which no one is known to hold an office, worded for a message; undefined if there is none. */
function gapIn(verdicts: ReadonlyMap<string, Verdict>, { first }: FiscalYear): string | undefined {
  const held = [...verdicts.values()].filter((verdict) => verdict.held);
  if (held.length === 0) return "";
  const terms = held.map(({ basis, claims: [claim] }) => (basis === "dated" ? claim : undefined));
  const begins = shiftDays(first, SLACK);
  return terms.every((term) => (term?.from?.earliest ?? "") > begins) ? "the beginning of " : undefined;
}

/** Whether several people have the same office by titles that are not interim, former or shared; one of them may not hold it. */
function isContested(verdicts: ReadonlyMap<string, Verdict>): boolean {
  const claims = [...verdicts.values()].flatMap(({ held, basis, claims: [claim] }) =>
    held && basis === "title_of_year" && claim !== undefined ? [claim] : [],
  );
  return claims.filter(({ standing, isShared }) => standing === "present" && isShared !== true).length > 1;
}

function evidenceOf(person: string, verdict: Verdict, names: ReadonlyMap<string, string>): Evidence {
  const { held, basis, claims } = verdict;
  const [claim] = claims;
  if (claim === undefined || basis === "none") return NO_FLAG.evidence;
  const isOther = !held && claim.person !== person;
  const text = isOther ? `${names.get(claim.person) ?? ""}: ${claim.quote}` : claim.quote;
  return { kind: kindOf(verdict, claim), text: text.slice(0, 240), claims };
}

function kindOf({ held, basis }: Verdict, claim: OfficerClaim): Evidence["kind"] {
  if (basis === "dated") return claim.basis === "tag" ? "tag" : "dated";
  return basis === "title_of_year" || !held ? "title" : "weak";
}
