/** Decides who was principal executive and financial officer in each year of a table. */
import { OFFICES, type Office, type OfficerClaim } from "../../domain/officer-claims.ts";
import { shiftDays, type FiscalYear } from "../../domain/fiscal-year.ts";
import { resolve, type OfficeYear, type Verdict } from "../../domain/officer-verdict.ts";
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
  /** Why the flags of a person's year are not certain. */
  unclear(person: string, year: number): readonly ReadingProblem[];
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
  const certain = claims.filter(({ doubt }) => doubt === undefined);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const flags = new Map<string, OfficerFlag>();
  const unclear = new Map<string, ReadingProblem[]>();
  const problems: ReadingProblem[] = [];
  const newest = Math.max(...periods.keys());
  for (const [year, period] of periods) {
    const present = people.filter((person) => person.years.includes(year));
    for (const office of OFFICES) {
      const question = {
        office,
        year: period,
        people: new Map(present.map(({ id }) => [id, { filings: [accession], servedFrom: accession }])),
        filingsOfYear: new Set(year === newest ? [accession] : []),
      };
      const verdicts = resolve(certain, question);
      for (const [id, verdict] of verdicts)
        flags.set(`${id} ${year} ${office}`, {
          held: verdict.held,
          evidence: evidenceOf(id, verdict, names),
        });
      const withDoubtful = certain.length < claims.length ? resolve(claims, question) : verdicts;
      const doubts = [
        ...doubtfulFlags(
          verdicts,
          withDoubtful,
          names,
          `principal ${OFFICE_WORDS[office]} officer in ${year}`,
        ),
        ...(year === newest ? newestDoubts(verdicts, certain, { ...question, label: year }, names) : []),
      ];
      for (const { message, of } of doubts) {
        const problem = problemOf(`${office}_unclear`, message);
        problems.push(problem);
        for (const id of of) unclear.set(`${id} ${year}`, [...(unclear.get(`${id} ${year}`) ?? []), problem]);
      }
    }
  }
  for (const { year, name } of unmatchedTags) {
    const message = `ecd:PeoName for ${year} is "${name}", who is not in the table`;
    problems.push(problemOf("ecd_peo_name", message));
  }
  return {
    flag: (person, year, office) => flags.get(`${person} ${year} ${office}`) ?? NO_FLAG,
    unclear: (person, year) => unclear.get(`${person} ${year}`) ?? [],
    terms: certain.filter(({ basis, held }) => basis === "dated" && held),
    problems,
  };
}

type Verdicts = ReadonlyMap<string, Verdict>;
type Names = ReadonlyMap<string, string>;

/** Why the flags of some people of a year are not certain. */
interface Doubt {
  readonly message: string;
  /** Their executive ids. */
  readonly of: readonly string[];
}

/** The flags that would differ if doubtful sentences counted. @param office and year, for a message */
function doubtfulFlags(verdicts: Verdicts, withDoubtful: Verdicts, names: Names, office: string): Doubt[] {
  return [...withDoubtful].flatMap(
    ([
      id,
      {
        held,
        claims: [claim],
      },
    ]): Doubt[] => {
      if (held === verdicts.get(id)?.held) return [];
      const reason = claim?.doubt ?? "it depends on another officer's dates";
      const message = `Only an uncertain sentence says that ${names.get(id)} ${held ? "was" : "was not"} ${office} (${reason}): ${claim?.quote}`;
      return [{ message, of: [id] }];
    },
  );
}

/** What is not certain about an office in the newest year: several hold it, or no one does, or only from a later day on. */
function newestDoubts(
  verdicts: Verdicts,
  certain: readonly OfficerClaim[],
  { office, year, people, label }: OfficeYear & { readonly label: number },
  names: Names,
): Doubt[] {
  const title = `principal ${OFFICE_WORDS[office]} officer`;
  const titles = certain.filter((claim) => claim.office === office && claim.basis === "title");
  const several = contestantsOf(verdicts, new Set(titles.map(({ person }) => person)), year);
  const isExpected = office === "peo" || people.size >= MIN_OFFICERS_WITH_PFO;
  const gap = isExpected ? gapIn(verdicts, year) : undefined;
  const others = [...verdicts].flatMap(([id, { held }]) => (held ? [] : [id]));
  return [
    ...(several.length === 0
      ? []
      : [
          {
            message: `Several people have the office of ${title} at the end of ${label}: ${several.map((id) => names.get(id)).join(", ")}`,
            of: several,
          },
        ]),
    ...(gap === undefined
      ? []
      : [{ message: `No one in the table has the title of ${title} for ${gap}${label}`, of: others }]),
  ];
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

/**
 * Everyone in office at the end of the year, if one of them may not have held it: several have it by titles that neither
 * share nor date it, or one has it by a sentence alone and another has it too.
 * @param titled people whose title in the table names the office
 */
function contestantsOf(
  verdicts: ReadonlyMap<string, Verdict>,
  titled: ReadonlySet<string>,
  { last }: FiscalYear,
): string[] {
  const byTitle: string[] = [];
  const byDate: string[] = [];
  for (const [
    id,
    {
      held,
      claims: [claim],
    },
  ] of verdicts) {
    if (!held) continue;
    if (claim?.basis === "dated" && (claim.to === null || claim.to.earliest > last)) byDate.push(id);
    if (claim?.basis === "title" && claim.standing === "present" && claim.isShared !== true) byTitle.push(id);
  }
  const current = [...byTitle, ...byDate];
  const isContested = byTitle.length > 1 || byDate.some((id) => !titled.has(id));
  return current.length > 1 && isContested ? current : [];
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
