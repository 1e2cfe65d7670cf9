/** Gathers one document's claims about who held the two offices. */
import { OFFICES, type Office, type OfficerClaim } from "../../domain/officer-claims.ts";
import type { EcdFact } from "../document/inline-xbrl.ts";
import { letters } from "../text.ts";
import { LEGAL_OFFICE_NAMES } from "../lexicon/office-names.ts";
import { FALLBACK_TITLES, FORMER } from "../lexicon/titles.ts";
import { designatedInText, officesNamedInText, personKey, type OfficesInText } from "./designations.ts";
import { ofYear, type FiscalPeriods } from "./fiscal-periods.ts";
import type { TableOfficer, TablePerson } from "./mentions.ts";
import { companyWordsOf } from "./own-name.ts";
import { readTagClaims, type TagClaims } from "./tags.ts";
import { readTerms } from "./terms.ts";
import { MAX_PEOPLE, type Work } from "../work.ts";
import { isCoChief, isInterim, officeOfTitle } from "./titles.ts";

/** The sources of claims. */
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

/** Gathers the claims of one document. */
export function readClaims(sources: OfficerSources): TagClaims {
  const { periods, facts, passages, accession, people, work } = sources;
  const companyWords = companyWordsOf(sources.companyName);
  const searched = people.slice(0, MAX_PEOPLE);
  const tags = readTagClaims(people, periods, facts, accession);
  const reading = { ...sources, newest: Math.max(...periods.keys()), companyWords };
  const designated = designatedInText(searched, passages);
  return {
    claims: [
      ...tags.claims,
      ...readTerms(passages, searched, companyWords, accession, work),
      ...OFFICES.flatMap((office) => people.flatMap((person) => tableClaims(reading, person, office))),
      ...designationClaims(reading, designated, searched),
      ...coChiefClaims(reading, designated),
    ],
    unmatchedTags: tags.unmatchedTags,
  };
}

interface TableReading extends OfficerSources {
  readonly newest: number;
  readonly companyWords: readonly string[];
}

/** A title's standing in an office; undefined if it does not name the office. */
function standingOf(title: string | null, office: Office, companyWords: readonly string[]) {
  const named = officeOfTitle(title, office, companyWords);
  if (named === "none") return undefined;
  return isInterim(title, office) ? (`${named}_interim` as const) : named;
}

/**
 * Claims from the table about one person: from the title, from titles next to single years, from a fallback title, and from
 * years paid or left blank, which show who held the office first.
 */
function tableClaims(reading: TableReading, person: TableOfficer, office: Office): OfficerClaim[] {
  const { periods, newest, companyWords, accession } = reading;
  const title = person.title ?? "";
  const quote = title.slice(0, 240);
  const standing = standingOf(title, office, companyWords);
  const about = { person: person.id, office, basis: "title", held: true, standing: null, accession } as const;
  const claims: OfficerClaim[] = [];
  const isShared = office === "peo" && isCoChief(title) && !isInterim(title, office);
  if (standing !== undefined)
    claims.push({ ...about, from: null, to: null, standing, isShared, rule: "title", quote });
  const fallback = FALLBACK_TITLES.find(letters(title.replace(/\b(?:former|retired)\b.*$/i, "")), office);
  const isPaid = (year: number): boolean => person.years.includes(year) && !person.blank.includes(year);
  for (const [year, period] of periods) {
    if (!person.years.includes(year)) continue;
    const inYear = { ...about, ...ofYear(period) };
    const own = person.titleOf.get(year);
    const beside = own === undefined ? standing : standingOf(own, office, companyWords);
    if (own !== undefined) {
      const held = { held: beside !== undefined, standing: beside ?? null };
      claims.push({ ...inYear, ...held, rule: "title beside the year", quote: own.slice(0, 240) });
    }
    if (fallback !== undefined && isPaid(year))
      claims.push({ ...inYear, standing: "fallback", rule: fallback.source, quote });
    if (beside === "former" && FORMER.has(title, "left") && isPaid(year) && isPaid(newest))
      claims.push({ ...inYear, basis: "successor", rule: "left later", quote: title });
    // A blank year before a paid one means that the person took the office, or joined, later.
    const paidLater = year < newest && person.years.some((other) => other > year && isPaid(other));
    if (paidLater && !isPaid(year)) {
      const blank = { rule: "paid only later", quote: `no amount is printed for ${year}` };
      claims.push({ ...inYear, ...blank, basis: "successor", held: false });
    }
  }
  return claims;
}

/** Claims from offices named in the text: for any year if no title in the table names the office, else for the newest year and only from express designations. */
function designationClaims(
  reading: TableReading,
  designated: OfficesInText,
  searched: readonly TablePerson[],
): OfficerClaim[] {
  const { people, periods, newest, accession, passages, companyWords } = reading;
  const newestPeriod = periods.get(newest);
  if (newestPeriod === undefined) return [];
  const titles = people.flatMap(({ title, titleOf }) => [title, ...titleOf.values()]);
  const open = OFFICES.filter((office) =>
    titles.every((title) => standingOf(title, office, companyWords) === undefined),
  );
  const named = open.length > 0 ? officesNamedInText(searched, passages) : new Map<string, string>();
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
function coChiefClaims({ people, periods, accession }: TableReading, designated: OfficesInText) {
  const chiefs = people.filter(({ title }) => isCoChief(title));
  const principals = chiefs.filter(
    ({ id, title }) => LEGAL_OFFICE_NAMES.has(title ?? "", "peo") || designated.has(personKey(id, "peo")),
  );
  return [...periods].flatMap(([year, period]): OfficerClaim[] => {
    const principal = principals.find(({ years }) => years.includes(year));
    if (principal === undefined) return [];
    const quote = `${principal.name} is the principal one`;
    const made = { basis: "designation", standing: null, rule: "co-chief", quote, accession } as const;
    return chiefs
      .filter((chief) => !principals.includes(chief))
      .map(({ id }) => ({ person: id, office: "peo", held: false, ...ofYear(period), ...made }));
  });
}
