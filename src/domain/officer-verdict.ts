/**
 * Decides who was principal executive or financial officer in a fiscal year, weighing all claims. The reader passes the
 * claims of one document, the snapshot those of all filings of a company.
 */
import { type FiscalYear, middleDay } from "./fiscal-year.ts";
import type { Office, OfficerClaim, Standing } from "./officer-claims.ts";

/** The rows that filings print for one person and year. */
export interface PrintedYear {
  /** Newest first. */
  readonly filings: readonly string[];
  /** The filing whose row is served. */
  readonly servedFrom: string;
}

export interface OfficeYear {
  readonly office: Office;
  readonly year: FiscalYear;
  /** All people with a row for the year. */
  readonly people: ReadonlyMap<string, PrintedYear>;
  /** Filings whose newest fiscal year is this one, so that their titles apply to it. */
  readonly filingsOfYear: ReadonlySet<string>;
}

/**
 * The basis of a verdict, strongest first: a tag or date; the title in the year's own filing; a current title applied
 * to an earlier year; none.
 */
export type VerdictBasis = "dated" | "title_of_year" | "todays_title" | "none";

/** Whether a person held the office in the year. */
export interface Verdict {
  readonly held: boolean;
  readonly basis: VerdictBasis;
  /** The deciding claims; another person's, if those exclude this one. */
  readonly claims: readonly OfficerClaim[];
  /** Contradicting tags or dates in other filings. */
  readonly against: readonly OfficerClaim[];
}

/** Decides for everyone with a row, in the order of evidence of `docs/contract.md`. */
export function resolve(claims: readonly OfficerClaim[], question: OfficeYear): ReadonlyMap<string, Verdict> {
  const ofOffice = claims.filter(({ office }) => office === question.office);
  const { first: earliest, last: latest } = question.year;
  const table: Table = {
    ...question,
    middle: middleDay({ earliest, latest }),
    byPerson: Map.groupBy(ofOffice, ({ person }) => person),
    others: new Map(),
  };
  const verdicts = new Map([...question.people.keys()].map((person) => [person, decide(person, table)]));
  const isHeld = [...verdicts.values()].some(({ held }) => held);
  const fallback = isHeld ? undefined : fallbackOf(verdicts, table);
  if (fallback !== undefined) verdicts.set(fallback.person, decided(true, "todays_title", fallback));
  return verdicts;
}

/** What one filing claims about one person. */
interface Own {
  readonly person: string;
  readonly filing: string;
  readonly claims: readonly OfficerClaim[];
  /** Those that date a term. */
  readonly terms: readonly OfficerClaim[];
  /** The title printed for the year, or else for the person. */
  readonly title: OfficerClaim | undefined;
}

interface Table extends OfficeYear {
  /** The middle day of the year. */
  readonly middle: string;
  readonly byPerson: ReadonlyMap<string, readonly OfficerClaim[]>;
  /** Possible alternative officers, computed once per table: for each person anew, a crafted table of thousands of names would take quadratic time. */
  readonly others: Map<string, readonly OfficerClaim[]>;
}

/** The first claim about anyone else. @param find lists claims in order, independently of the person */
function firstOther(
  person: string,
  table: Table,
  question: string,
  find: () => Iterable<OfficerClaim>,
): OfficerClaim | undefined {
  const listed = table.others.get(question) ?? [...find()];
  table.others.set(question, listed);
  return listed.find((claim) => claim.person !== person);
}

function decided(held: boolean, basis: VerdictBasis, ...claims: readonly OfficerClaim[]): Verdict {
  return { held, basis, claims, against: [] };
}

function decide(person: string, table: Table): Verdict {
  const { filings, servedFrom } = table.people.get(person) ?? { filings: [], servedFrom: "" };
  const printed = filings.map((filing) => ownOf(person, filing, table));
  const dated = printed.flatMap((own) => byTagOrDate(own, table) ?? []);
  const [strongest, ...others] = dated;
  if (strongest !== undefined) {
    const against = others.find(({ held }) => held !== strongest.held)?.claims ?? [];
    return { ...strongest, basis: "dated", against };
  }
  for (const own of printed) {
    const title = byTitle(own, table);
    if (title?.basis === "title_of_year") return title;
  }
  return (
    elsewhere(person, filings, table) ??
    byTitle(ownOf(person, servedFrom, table), table) ??
    decided(false, "none")
  );
}

/** A tag takes precedence, except over an exact date in the text if the tag names another person. */
function byTagOrDate(own: Own, table: Table): Verdict | undefined {
  const tag = own.claims.find((claim) => claim.basis === "tag" && claim.held && isAbout(claim, table));
  if (tag !== undefined) return decided(true, "dated", tag);
  const dated = datedOf(own, table);
  const other = own.claims.find((claim) => claim.basis === "tag" && !claim.held && isAbout(claim, table));
  if (other !== undefined && !(dated?.held === true && dated.exact)) return decided(false, "dated", other);
  return dated === undefined ? undefined : decided(dated.held, "dated", ...dated.claims);
}

function datedOf({ terms, title }: Own, { year }: Table): TermVerdict | undefined {
  return weighTerms(terms, year, title?.standing ?? null);
}

/**
 * Dates in filings that do not print the row. The year's own filing is more reliable than a later biography, which may
 * be about another company: an end before the year proves nothing, and a term counts only with exact dates.
 */
function elsewhere(person: string, printing: readonly string[], table: Table): Verdict | undefined {
  const terms = (table.byPerson.get(person) ?? []).filter(
    (claim) => claim.basis === "dated" && !printing.includes(claim.accession),
  );
  const dated = weighTerms(terms, table.year, "present");
  if (dated?.held === true && dated.exact) return decided(true, "dated", ...dated.claims);
  return terms.length > 0 && terms.every((claim) => beginsAfter(claim, table.year))
    ? decided(false, "dated", ...terms)
    : undefined;
}

/** The verdict from a filing's title or designation; undefined without either. */
function byTitle(own: Own, table: Table): Verdict | undefined {
  const { person, filing, claims, title } = own;
  const designation = claims.find((claim) => claim.basis === "designation" && isAbout(claim, table));
  const ofYear = table.filingsOfYear.has(filing);
  const basis = ofYear || title?.from ? "title_of_year" : "todays_title";
  if (designation?.held === false) return decided(false, basis, designation);
  const positive = title?.held === true ? title : designation;
  if (positive === undefined) return title === undefined ? undefined : decided(false, basis, title);
  const { standing } = positive;
  if (standing === "former_interim" && !ofYear) return decided(false, "none");
  if (standing === "former" || standing === "former_interim") {
    const successor = successorOf(person, filing, table);
    return successor === undefined
      ? decided(true, ofYear ? basis : "todays_title", positive)
      : decided(false, "dated", successor);
  }
  const another =
    basis === "todays_title" ? otherOfficer(person, table) : ofYear ? stayedOn(own, table) : undefined;
  if (another !== undefined) return decided(false, basis === "todays_title" ? basis : "dated", another);
  const blank = claims.find((claim) => claim.basis === "successor" && !claim.held && isAbout(claim, table));
  return blank === undefined ? decided(true, basis, positive) : decided(false, "none", blank);
}

/** Another holder of the title whose term started before the year and did not end in it. */
function successorOf(person: string, filing: string, table: Table): OfficerClaim | undefined {
  return firstOther(person, table, `successor ${filing}`, function* () {
    for (const other of table.byPerson.keys()) {
      const own = ownOf(other, filing, table);
      const hasTitle = own.claims.some(
        ({ basis, held, from, standing }) =>
          basis === "title" && held && from === null && standing !== "fallback",
      );
      const start = hasTitle ? startedBy(own, table) : undefined;
      if (start !== undefined && (start.from?.latest ?? "9999") <= table.year.first) yield start;
    }
  });
}

/** The claim with the earliest latest-possible start: `in 2025` does not prove a start in January. */
function startedBy({ terms }: Own, { year }: Table): OfficerClaim | undefined {
  return terms
    .filter(({ from, to }) => from !== null && (to === null || to.latest >= year.last))
    .toSorted(by(({ from }) => from?.latest ?? ""))[0];
}

/**
 * Anyone with a better claim than a current title applied to an earlier year: the officer named in that year's filing,
 * one dated to its end, or a predecessor of whom the table only says that the term is over.
 */
function otherOfficer(person: string, table: Table): OfficerClaim | undefined {
  return firstOther(person, table, "in office", function* () {
    for (const [other, { filings }] of table.people) {
      for (const filing of filings) {
        const claim = inOffice(ownOf(other, filing, table), table);
        if (claim !== undefined) yield claim;
      }
    }
  });
}

/** The claim that a person was in office at the end of the year, or preceded the current officer. */
function inOffice(own: Own, table: Table): OfficerClaim | undefined {
  const { claims, filing } = own;
  if (claims.some(({ isShared }) => isShared)) return undefined;
  const named = claims.find(
    ({ basis, held, standing }) =>
      basis === "title" && held && standing !== "fallback" && table.filingsOfYear.has(filing),
  );
  if (named !== undefined) return named;
  const dated = datedOf(own, table);
  if (dated?.held === true && stillHeld(own, table)) return dated.claims[0];
  const predecessor = claims.find(
    (claim) => claim.basis === "successor" && claim.held && isAbout(claim, table),
  );
  return dated?.held === false ? undefined : predecessor;
}

/**
 * Whether dates put a person in office at the end of the year. If a term ended within it, another must
 * have started afterwards.
 */
function stillHeld({ terms }: Own, { year: { first, last } }: Table): boolean {
  const end = terms.find(({ to }) => to !== null && to.latest >= first && to.latest < last)?.to?.latest;
  return end === undefined || terms.some(({ from, to }) => to === null && (from?.earliest ?? "") > end);
}

/** A former officer dated to leave only after the filing's own year, if the successor has no dates. */
function stayedOn(own: Own, table: Table): OfficerClaim | undefined {
  if (startedBy(own, table) !== undefined) return undefined;
  const { person, filing } = own;
  return firstOther(person, table, `stayed on ${filing}`, function* () {
    for (const other of table.people.keys()) {
      const { terms, title } = ownOf(other, filing, table);
      const ends = terms.filter(({ to }) => to !== null);
      const [end] = ends;
      if (!title?.standing?.startsWith("former") || end === undefined) continue;
      if (ends.every(({ to }) => (to?.earliest ?? "") > table.year.last)) yield end;
    }
  });
}

/** The only person with a title that implies the office, if no one holds it and no tag names anyone. */
function fallbackOf(verdicts: ReadonlyMap<string, Verdict>, table: Table): OfficerClaim | undefined {
  const claims = [...table.byPerson.values()].flat().filter((claim) => isAbout(claim, table));
  if (claims.some(({ basis, held }) => basis === "tag" && held)) return undefined;
  const isOpen = (person: string): boolean => {
    const verdict = verdicts.get(person);
    return (
      verdict !== undefined &&
      verdict.basis !== "dated" &&
      verdict.claims.every((claim) => claim.person === person)
    );
  };
  const candidates = claims.filter(({ standing, person }) => standing === "fallback" && isOpen(person));
  return candidates.length === 1 ? candidates[0] : undefined;
}

function ownOf(person: string, filing: string, table: Table): Own {
  const claims = (table.byPerson.get(person) ?? []).filter(({ accession }) => accession === filing);
  const terms = claims.filter(({ basis }) => basis === "dated");
  const titles = claims.filter(({ basis, standing }) => basis === "title" && standing !== "fallback");
  const title =
    titles.find((claim) => claim.from !== null && isAbout(claim, table)) ??
    titles.find(({ from }) => from === null);
  return { person, filing, claims, terms, title };
}

/** Whether a claim is undated or its dates include the middle of the year. */
function isAbout({ from, to }: OfficerClaim, { middle }: Table): boolean {
  return (from === null || from.earliest <= middle) && (to === null || to.latest >= middle);
}

/** The conclusion from dated terms. */
export interface TermVerdict {
  readonly held: boolean;
  /** Both ends of the term are given, or the given one is within the year. */
  readonly exact: boolean;
  readonly claims: readonly OfficerClaim[];
}

/**
 * Whether a term ended before the year. Leaving on its first day counts as before, because the successor served. Dates
 * that are only a month or year count by their middle day: `until 2007` does not reach a year
 * that started in September.
 */
function endsBefore({ to }: OfficerClaim, { first }: FiscalYear): boolean {
  return to !== null && middleDay(to) <= first;
}

/** Whether a term starts only after the year. */
function beginsAfter({ from }: OfficerClaim, { last }: FiscalYear): boolean {
  return from !== null && from.earliest > last;
}

/**
 * Weighs the dated claims about one person and office; undefined if they do not decide the year.
 * @param standing according to the title printed for the year: a current title implies that a started term continues
 */
function weighTerms(
  claims: readonly OfficerClaim[],
  year: FiscalYear,
  standing: Standing,
): TermVerdict | undefined {
  if (claims.length === 0) return undefined;
  // Over the whole year.
  const denied = claims.find(
    ({ held, from, to }) =>
      !held && (from === null || from.latest <= year.first) && to !== null && to.latest >= year.last,
  );
  if (denied !== undefined) return verdict(false, denied);
  const terms = claims.filter(({ held }) => held);
  const whole = terms.find(
    (claim) =>
      claim.from !== null && claim.to !== null && !endsBefore(claim, year) && !beginsAfter(claim, year),
  );
  if (whole !== undefined) return verdict(true, whole);
  const starts = terms.filter(({ from, to }) => from !== null && to === null).toSorted(by(startOf));
  const ends = terms.filter(({ to }) => to !== null).toSorted(by(endOf));
  const later = ends.findLast((claim) => reaches(claim, year, standing));
  // The last end before the year also ends every term that started before it.
  const ended = ends.findLast((claim) => endsBefore(claim, year));
  const begun = starts.filter((claim) => !beginsAfter(claim, year));
  const began = begun.find((claim) => ended === undefined || follows(claim, ended));
  const current = standing === "present" || standing === "present_interim";
  if (began !== undefined) {
    const lasts = current || began.standing === "present" || later !== undefined;
    return lasts || startOf(began) >= year.first ? verdict(true, began) : undefined;
  }
  // The title says the person is in office, so the end belongs to an earlier term.
  if (ended !== undefined && !current) return verdict(false, ended);
  // A term with both ends also excludes earlier years, unless another start is given.
  const first = starts[0] ?? terms.filter(({ from }) => from !== null).toSorted(by(startOf))[0];
  if (first !== undefined && begun.length === 0 && beginsAfter(first, year)) {
    if (later === undefined || endOf(later) >= startOf(first)) return verdict(false, first);
  }
  return later === undefined ? undefined : { ...verdict(true, later), exact: endOf(later) <= year.last };
}

/**
 * Whether an end date alone implies that the office was held in the year. For an interim, it implies
 * nothing about earlier years.
 */
function reaches(claim: OfficerClaim, year: FiscalYear, standing: Standing): boolean {
  if (claim.from !== null || endsBefore(claim, year)) return false;
  const interim = standing === "present_interim" || standing === "former_interim";
  return !(interim && (claim.to?.earliest ?? "") > year.last);
}

/** Whether a term starts after another, or continues it under a new title. */
function follows(claim: OfficerClaim, ended: OfficerClaim): boolean {
  return ended.from === null
    ? startOf(claim) >= (ended.to?.earliest ?? "")
    : startOf(claim) > ended.from.earliest;
}

function verdict(held: boolean, claim: OfficerClaim): TermVerdict {
  return { held, exact: true, claims: [claim] };
}

function startOf({ from }: OfficerClaim): string {
  return from?.earliest ?? "";
}

function endOf({ to }: OfficerClaim): string {
  return to?.latest ?? "";
}

function by(dayOf: (claim: OfficerClaim) => string) {
  return (one: OfficerClaim, other: OfficerClaim): number => (dayOf(one) < dayOf(other) ? -1 : 1);
}
