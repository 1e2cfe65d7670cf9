/** Decides who was principal executive and financial officer in each year of a table. */
import { valueAt } from "../../lib/checked-access.ts";
import { type FiscalYear, shiftDays } from "../../domain/fiscal-year.ts";
import { type Office, type OfficerClaim, OFFICES } from "../../domain/officer-claims.ts";
import { type OfficeYear, resolve, type Verdict } from "../../domain/officer-verdict.ts";
import type { EcdFact } from "../document/submission.ts";
import { FALLBACK_TITLES, FORMER, LEGAL_OFFICE_NAMES } from "../lexicon/titles.ts";
import {
  COST,
  type Evidence,
  MAX_PEOPLE,
  type ReadingProblem,
  type ReportProblem,
} from "../parsed-filing.ts";
import { letters } from "../clean-text.ts";
import {
  designatedInText,
  type OfficesInText,
  officesNamedInText,
  personKey,
  isCoChief,
  officeOfTitle,
} from "./titles.ts";
import { type FiscalPeriods, ofYear, readTagClaims } from "./fiscal-years.ts";
import { type Mentions, mentionsOf, type TableOfficer } from "./sentences.ts";
import { readTerms, type TermSources } from "./terms.ts";

/** Whether a person held the offices in a year, with the evidence, and why that is not certain. */
interface OfficerFlags extends Record<Office, { readonly held: boolean; readonly evidence: Evidence }> {
  readonly unclear: ReadingProblem[];
}

const NO_FLAG: OfficerFlags[Office] = { held: false, evidence: { kind: "none", text: "", claims: [] } };
/** A table with fewer officers need not include the financial one. */
const MIN_OFFICERS_WITH_PFO = 4;

/** Gathers the document's claims and resolves them. */
export function readOfficers(sources: OfficerSources, report: ReportProblem) {
  const { people, periods, accession, work } = sources;
  const claims = readClaims(sources, report);
  work.spend(claims.length * periods.size * COST.claim);
  const certain = claims.filter(({ doubt }) => doubt === undefined);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const flags = new Map<string, OfficerFlags>();
  const of = (person: string, year: number): OfficerFlags =>
    flags.getOrInsertComputed(`${person} ${year}`, () => ({ peo: NO_FLAG, pfo: NO_FLAG, unclear: [] }));
  const newest = Math.max(...periods.keys());
  for (const [year, period] of periods) {
    const present = people.filter((person) => person.years.has(year));
    const printed = new Map(present.map(({ id }) => [id, { filings: [accession], servedFrom: accession }]));
    const filingsOfYear = new Set(year === newest ? [accession] : []);
    for (const office of OFFICES) {
      const question = { office, year: period, people: printed, filingsOfYear };
      const verdicts = resolve(certain, question);
      for (const [id, verdict] of verdicts)
        of(id, year)[office] = { held: verdict.held, evidence: evidenceOf(id, verdict, names) };
      const withDoubtful = certain.length < claims.length ? resolve(claims, question) : verdicts;
      const title = `principal ${office === "peo" ? "executive" : "financial"} officer`;
      const doubts = [
        ...doubtfulFlags(verdicts, withDoubtful, names, `${title} in ${year}`),
        ...(year === newest
          ? contestedDoubts(verdicts, certain, question, names, `${title} at the end of ${year}`)
          : []),
        ...gapDoubts(verdicts, question, `${title} for`, year),
      ];
      for (const [message, whose] of doubts) {
        const problem = report(`${office}_unclear`, message);
        for (const id of whose) of(id, year).unclear.push(problem);
      }
    }
  }
  reportBoth(sources, of, report);
  /** Dated claims that someone held an office. */
  const terms = certain.filter(({ basis, held }) => basis === "dated" && held);
  return { of, terms };
}

/** Somebody dated in one office may not yet have held the one in the current title. */
function reportBoth(
  { people, companyWords }: OfficerSources,
  of: (person: string, year: number) => OfficerFlags,
  report: ReportProblem,
): void {
  for (const { id, name, title, years } of people)
    for (const year of years.keys()) {
      const flags = of(id, year);
      const weak = OFFICES.find((office) => flags[office].held && flags[office].evidence.kind === "weak");
      const dated = OFFICES.find((office) => flags[office].held && flags[office].evidence.kind === "dated");
      if (weak === undefined || dated === undefined || officeOfTitle(title, dated, companyWords) !== null)
        continue;
      flags.unclear.push(report(`${weak}_unclear`, `${name} had the other office in ${year}`));
    }
}

type Verdicts = ReadonlyMap<string, Verdict>;
type Names = ReadonlyMap<string, string>;

/** Why the flags of some people of a year, by executive id, are not certain. */
type Doubt = readonly [message: string, whose: readonly string[]];

/** The flags that would differ if doubtful sentences counted. @param office and year, for a message */
function doubtfulFlags(verdicts: Verdicts, withDoubtful: Verdicts, names: Names, office: string): Doubt[] {
  return [...withDoubtful].flatMap(([id, verdict]): Doubt[] => {
    const { held, claims } = verdict;
    if (held === verdicts.get(id)?.held) return [];
    const reason = claims[0]?.doubt ?? "it depends on another officer's dates";
    const statement = `${names.get(id)} ${held ? "was" : "was not"} ${office}`;
    return [[`Only an uncertain sentence says that ${statement} (${reason}): ${claims[0]?.quote}`, [id]]];
  });
}

/** Several people with an office at the end of the newest year. @param office for a message */
function contestedDoubts(
  verdicts: Verdicts,
  certain: readonly OfficerClaim[],
  question: OfficeYear,
  names: Names,
  office: string,
): Doubt[] {
  const titles = certain.filter((claim) => claim.office === question.office && claim.basis === "title");
  const several = contestantsOf(verdicts, new Set(titles.map(({ person }) => person)), question.year);
  const listed = several.map((id) => names.get(id)).join(", ");
  return several.length === 0 ? [] : [[`Several people have the office of ${office}: ${listed}`, several]];
}

/**
 * An office that no one in the table is known to have held in a year, or only from a later day on: anyone may have
 * held it.
 */
function gapDoubts(verdicts: Verdicts, { office, year }: OfficeYear, title: string, label: number): Doubt[] {
  const gap = office === "pfo" && verdicts.size < MIN_OFFICERS_WITH_PFO ? undefined : gapIn(verdicts, year);
  // Those whose own dates exclude the year did not.
  const isOpen = (id: string, { held, basis, claims: [claim] }: Verdict) =>
    !held && !(basis === "dated" && claim?.basis === "dated" && claim.person === id);
  const others = [...verdicts].flatMap(([id, verdict]) => (isOpen(id, verdict) ? [id] : []));
  return gap === undefined ? [] : [[`No one in the table has the title of ${title} ${gap}${label}`, others]];
}

/** Days by which a term may miss the first day of a year: a weekend, or the extra week of a 53-week year. */
const SLACK = 10;

/** The part of a year in which no one is known to hold an office, worded for a message; undefined if there is none. */
function gapIn(verdicts: Verdicts, { first }: FiscalYear): string | undefined {
  const held = [...verdicts.values()].filter((verdict) => verdict.held);
  if (held.length === 0) return "";
  const begins = shiftDays(first, SLACK);
  const isLate = ({ basis, claims: [claim] }: Verdict): boolean =>
    basis === "dated" && (claim?.from?.earliest ?? "") > begins;
  return held.every(isLate) ? "the beginning of " : undefined;
}

/**
 * Everyone in office at the end of the year, if one of them may not have held it: several have it by titles that neither
 * share nor date it, or one has it by a sentence alone and another has it too.
 * @param titled people whose title in the table names the office
 */
function contestantsOf(verdicts: Verdicts, titled: ReadonlySet<string>, { last }: FiscalYear): string[] {
  const inOffice = (isCurrent: (claim: OfficerClaim) => boolean): string[] =>
    [...verdicts].flatMap(([id, { held, claims }]) =>
      held && claims.slice(0, 1).some(isCurrent) ? [id] : [],
    );
  const byTitle = inOffice((one) => one.basis === "title" && one.standing === "present" && !one.isShared);
  const byDate = inOffice(({ basis, to }) => basis === "dated" && (to === null || to.earliest > last));
  const current = [...byTitle, ...byDate];
  const isContested = byTitle.length > 1 || byDate.some((id) => !titled.has(id));
  return current.length > 1 && isContested ? current : [];
}

function evidenceOf(person: string, { held, basis, claims }: Verdict, names: Names): Evidence {
  const [claim] = claims;
  if (claim === undefined || basis === "none") return NO_FLAG.evidence;
  const whose = !held && claim.person !== person ? `${valueAt(names, claim.person)}: ` : "";
  const text = `${whose}${claim.quote}`.slice(0, 240);
  if (basis === "dated") return { kind: claim.basis === "tag" ? "tag" : "dated", text, claims };
  return { kind: basis === "title_of_year" || !held ? "title" : "weak", text, claims };
}

interface OfficerSources extends Omit<TermSources, "mentions"> {
  readonly people: readonly TableOfficer[];
  readonly periods: FiscalPeriods;
  readonly facts: readonly EcdFact[];
}

/** Gathers the claims of one document. */
export function readClaims(sources: OfficerSources, report: ReportProblem): OfficerClaim[] {
  const { periods, facts, passages, accession, people } = sources;
  const mentions = mentionsOf(people.slice(0, MAX_PEOPLE));
  const designated = designatedInText(mentions, passages);
  return [
    ...readTagClaims(people, periods, facts, accession, report),
    ...readTerms({ ...sources, mentions }),
    ...OFFICES.flatMap((office) => people.flatMap((person) => [...tableClaims(sources, person, office)])),
    ...designationClaims(sources, designated, mentions),
    ...coChiefClaims(sources, designated),
  ];
}

/**
 * Claims from the table about one person: from the title, from titles next to single years, from a fallback title, and from
 * years paid or left blank, which show who held the office first.
 */
function* tableClaims(
  { periods, companyWords, accession }: OfficerSources,
  person: TableOfficer,
  office: Office,
): Generator<OfficerClaim> {
  const newest = Math.max(...periods.keys());
  const title = person.title ?? "";
  const quote = title.slice(0, 240);
  const standing = officeOfTitle(title, office, companyWords);
  const about = { person: person.id, office, basis: "title", held: true, standing: null, accession } as const;
  const isShared = office === "peo" && isCoChief(title) && standing?.endsWith("interim") === false;
  if (standing !== null) yield { ...about, from: null, to: null, standing, isShared, rule: "title", quote };
  const fallback = FALLBACK_TITLES.find(letters(title.replace(/\b(?:former|retired)\b.*$/i, "")), office);
  const isPaid = (year: number): boolean => person.years.get(year)?.isPaid === true;
  for (const [year, period] of periods) {
    if (!person.years.has(year)) continue;
    const inYear = { ...about, ...ofYear(period) };
    const own = person.years.get(year)?.title;
    const beside = own === undefined ? standing : officeOfTitle(own, office, companyWords);
    if (own !== undefined) {
      const besideYear = { rule: "title beside the year", quote: own.slice(0, 240) };
      yield { ...inYear, ...besideYear, held: beside !== null, standing: beside };
    }
    if (fallback !== undefined && isPaid(year))
      yield { ...inYear, standing: "fallback", rule: fallback.source, quote };
    if (beside === "former" && FORMER.has(title, "left") && isPaid(year) && isPaid(newest))
      yield { ...inYear, basis: "successor", rule: "left later", quote: title };
    // A blank year before a paid one means that the person took the office, or joined, later.
    const paidLater = year < newest && person.years.keys().some((other) => other > year && isPaid(other));
    const blank = { rule: "paid only later", quote: `no amount is printed for ${year}` };
    if (paidLater && !isPaid(year)) yield { ...inYear, ...blank, basis: "successor", held: false };
  }
}

/** Claims from offices named in the text: for any year if no title in the table names the office, else for the newest year and only from express designations. */
function designationClaims(
  { people, periods, accession, passages, companyWords }: OfficerSources,
  designated: OfficesInText,
  mentions: Mentions,
): OfficerClaim[] {
  const newestPeriod = periods.get(Math.max(...periods.keys()));
  if (newestPeriod === undefined) return [];
  const titles = people.flatMap(({ title, years }) => [title, ...years.values().map((year) => year.title)]);
  const open = OFFICES.filter((office) =>
    titles.every((title) => officeOfTitle(title, office, companyWords) === null),
  );
  const named = open.length > 0 ? officesNamedInText(mentions, passages) : new Map<string, string>();
  return OFFICES.flatMap((office) => {
    const isOpen = open.includes(office);
    const dates = isOpen ? { from: null, to: null } : ofYear(newestPeriod);
    const about = { office, held: true, basis: "designation", standing: "present", accession } as const;
    return people.flatMap(({ id: person }) => {
      const key = personKey(person, office);
      const quote = (isOpen ? named.get(key) : undefined) ?? designated.get(key);
      return quote === undefined ? [] : [{ ...about, ...dates, person, rule: "named in the text", quote }];
    });
  });
}

/** If the filing expressly calls one of several co-chief executives the principal one, the others did not hold the office. */
function coChiefClaims({ people, periods, accession }: OfficerSources, designated: OfficesInText) {
  const chiefs = people.filter(({ title }) => isCoChief(title));
  const principals = chiefs.filter(
    ({ id, title }) => LEGAL_OFFICE_NAMES.has(title ?? "", "peo") || designated.has(personKey(id, "peo")),
  );
  const others = chiefs.filter((chief) => !principals.includes(chief));
  return [...periods].flatMap(([year, period]): OfficerClaim[] => {
    const principal = principals.find(({ years }) => years.has(year));
    if (principal === undefined) return [];
    const quote = `${principal.name} is the principal one`;
    const common = { basis: "designation", standing: null, rule: "co-chief", quote, accession } as const;
    return others.map(({ id }) => ({ person: id, office: "peo", held: false, ...ofYear(period), ...common }));
  });
}
