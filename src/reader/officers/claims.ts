/** Everything that one document says on who held the two offices, as claims. */
import { OFFICES, type Office, type OfficerClaim, type Standing } from "../../domain/officer-claims.ts";
import type { EcdFact } from "../document/inline-xbrl.ts";
import { letters } from "../document/text.ts";
import { LEGAL_OFFICE_NAMES } from "../lexicon/office-names.ts";
import { FALLBACK_TITLES, FORMER } from "../lexicon/titles.ts";
import { designatedInText, officesNamedInText, personKey, type OfficesInText } from "./designations.ts";
import { ofYear, type FiscalPeriods } from "./fiscal-periods.ts";
import type { TablePerson } from "./mentions.ts";
import { companyWordsOf } from "./own-name.ts";
import { readTagClaims, type TagClaims } from "./tags.ts";
import { readTerms } from "./terms.ts";
import type { Work } from "../work.ts";
import { isCoChief, isInterim, officeOfTitle } from "./titles.ts";

/** Somebody of the table with the years that it prints. */
export interface TableOfficer extends TablePerson {
  /** Titles by year, where the table prints one beside each. */
  readonly titleOf: ReadonlyMap<number, string | null>;
  readonly years: readonly number[];
  /** The printed totals by year, in hundredths. */
  readonly totals: ReadonlyMap<number, number>;
  /** Years of them that are printed without any amount. */
  readonly blank: readonly number[];
}

/** What claims are gathered from. */
export interface OfficerSources {
  readonly people: readonly TableOfficer[];
  readonly periods: FiscalPeriods;
  readonly facts: readonly EcdFact[];
  /** Running text around the names of the offices. */
  readonly passages: readonly string[];
  readonly companyName: string | null;
  readonly accession: string;
  readonly work: Work;
}

/** More people than any table of officers has: beyond them no text is searched, which would take the product of both. */
const MAX_PEOPLE = 60;

/** Gathers the claims of one document. */
export function readClaims(sources: OfficerSources): TagClaims {
  const { periods, facts, passages, accession, people, work } = sources;
  const companyWords = companyWordsOf(sources.companyName);
  const searched = people.slice(0, MAX_PEOPLE);
  const tags = readTagClaims(people, periods, facts, accession);
  const titles: TitleReading = {
    ...sources,
    newest: Math.max(...periods.keys()),
    companyWords,
    standings: new Map(
      OFFICES.map((office) => [office, people.map(({ title }) => standingOf(title, office, companyWords))]),
    ),
  };
  const designated = designatedInText(searched, passages);
  return {
    claims: [
      ...tags.claims,
      ...readTerms(passages, searched, companyWords, accession, work),
      ...OFFICES.flatMap((office) => [
        ...people.flatMap((person, index) => titleClaims(titles, person, index, office)),
        ...people.flatMap((person, index) => jobClaims(titles, person, index, office)),
      ]),
      ...designationClaims(titles, designated, searched),
    ],
    unmatchedTags: tags.unmatchedTags,
  };
}

interface TitleReading extends OfficerSources {
  readonly newest: number;
  readonly companyWords: readonly string[];
  /** What everybody's title says, by office; undefined for one that does not name it. */
  readonly standings: ReadonlyMap<Office, readonly (Standing | undefined)[]>;
}

function standingOf(
  title: string | null,
  office: Office,
  companyWords: readonly string[],
): Standing | undefined {
  const named = officeOfTitle(title, office, companyWords);
  if (named === "none") return undefined;
  return isInterim(title, office) ? `${named}_interim` : named;
}

/** The title of a person, those printed beside single years, and one that stands for the office where nobody has it. */
function titleClaims(reading: TitleReading, person: TableOfficer, index: number, office: Office) {
  const { periods, companyWords, accession, standings } = reading;
  const claims: OfficerClaim[] = [];
  const about = { person: person.id, office, basis: "title", accession } as const;
  const standing = standings.get(office)?.[index];
  const quote = (person.title ?? "").slice(0, 240);
  if (standing !== undefined)
    claims.push({ ...about, held: true, from: null, to: null, standing, rule: "title", quote });
  const fallback = FALLBACK_TITLES.find(
    letters((person.title ?? "").replace(/\b(?:former|retired)\b.*$/i, "")),
    office,
  );
  for (const [year, period] of periods) {
    if (!person.years.includes(year)) continue;
    const dates = ofYear(period);
    const own = person.titleOf.get(year);
    if (own !== undefined) {
      const beside = standingOf(own, office, companyWords);
      claims.push({
        ...about,
        ...dates,
        held: beside !== undefined,
        standing: beside ?? null,
        rule: "title beside the year",
        quote: (own ?? "").slice(0, 240),
      });
    }
    if (fallback !== undefined && !person.blank.includes(year))
      claims.push({ ...about, ...dates, held: true, standing: "fallback", rule: fallback.source, quote });
  }
  return claims;
}

/** What the years that are printed, and those left blank, say of who came first. */
function jobClaims(reading: TitleReading, person: TableOfficer, index: number, office: Office) {
  const { periods, newest, accession, standings } = reading;
  const claims: OfficerClaim[] = [];
  const about = { person: person.id, office, basis: "successor", standing: null, accession } as const;
  const isPaid = (year: number): boolean => person.years.includes(year) && !person.blank.includes(year);
  for (const [year, period] of periods) {
    if (!person.years.includes(year)) continue;
    const own = person.titleOf.get(year);
    const standing =
      own === undefined ? standings.get(office)?.[index] : standingOf(own, office, reading.companyWords);
    if (standing === "former" && FORMER.has(person.title ?? "", "left") && isPaid(year) && isPaid(newest))
      claims.push({ ...about, ...ofYear(period), held: true, rule: "left later", quote: person.title ?? "" });
    // A blank year of somebody who is paid in a later one says that the office, or the job, came later.
    if (
      year < newest &&
      person.blank.includes(year) &&
      person.years.some((other) => other > year && isPaid(other))
    )
      claims.push({
        ...about,
        ...ofYear(period),
        held: false,
        rule: "paid only later",
        quote: `no amount is printed for ${year}`,
      });
  }
  return claims;
}

/** What the text calls somebody: where no title in the table names the office, or, for the newest year, where it says so expressly. */
function designationClaims(
  reading: TitleReading,
  designated: OfficesInText,
  searched: readonly TablePerson[],
): OfficerClaim[] {
  const { people, periods, newest, accession, standings, passages } = reading;
  const newestPeriod = periods.get(newest);
  const isOpen = (office: Office): boolean =>
    (standings.get(office) ?? []).every((standing) => standing === undefined);
  const named = OFFICES.some(isOpen) ? officesNamedInText(searched, passages) : new Map<string, string>();
  const claims: OfficerClaim[] = [];
  for (const office of OFFICES) {
    const about = { office, basis: "designation", standing: "present", accession } as const;
    for (const [index, { id: person }] of people.entries()) {
      const key = personKey(index, office);
      const quote = isOpen(office) ? (named.get(key) ?? designated.get(key)) : designated.get(key);
      if (quote === undefined || newestPeriod === undefined) continue;
      const dates = isOpen(office) ? { from: null, to: null } : ofYear(newestPeriod);
      claims.push({ ...about, ...dates, person, held: true, rule: "named in the text", quote });
    }
  }
  return [...claims, ...coChiefClaims(reading, designated)];
}

/** Of several chief executives, whom the filing expressly calls the principal one: the others are not. */
function coChiefClaims({ people, periods, accession }: TitleReading, designated: OfficesInText) {
  const chiefs = people.flatMap((person, index) => (isCoChief(person.title) ? [{ person, index }] : []));
  const principals = chiefs.filter(
    ({ person, index }) =>
      LEGAL_OFFICE_NAMES.has(person.title ?? "", "peo") || designated.has(personKey(index, "peo")),
  );
  const claims: OfficerClaim[] = [];
  for (const [year, period] of periods) {
    const principal = principals.find(({ person }) => person.years.includes(year))?.person;
    if (principal === undefined) continue;
    for (const chief of chiefs)
      if (!principals.includes(chief))
        claims.push({
          person: chief.person.id,
          office: "peo",
          held: false,
          ...ofYear(period),
          basis: "designation",
          standing: null,
          rule: "co-chief",
          quote: `${principal.name} is the principal one`,
          accession,
        });
  }
  return claims;
}
