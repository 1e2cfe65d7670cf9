/**
 * Who was principal executive or financial officer in a fiscal year: what all claims come to. The reader asks it with the
 * claims of one document, the snapshot with those of all filings of a company.
 */
import { middleDay, type FiscalYear } from "./fiscal-year.ts";
import type { Office, OfficerClaim } from "./officer-claims.ts";
import { beginsAfter, weighTerms, type TermVerdict } from "./officer-terms.ts";

/** The rows of one person that filings print for the year. */
export interface PrintedYear {
  /** Newest first. */
  readonly filings: readonly string[];
  /** The one whose row is served. */
  readonly servedFrom: string;
}

/** One office in one fiscal year. */
export interface OfficeYear {
  readonly office: Office;
  readonly year: FiscalYear;
  /** Everyone that the year is printed for. */
  readonly people: ReadonlyMap<string, PrintedYear>;
  /** Filings whose newest fiscal year it is: their titles are those of the year. */
  readonly filingsOfYear: ReadonlySet<string>;
}

/** Strongest first: a tag or a date; the title in the filing of the year; today's title beside an older year; nothing. */
export type VerdictBasis = "dated" | "title_of_year" | "todays_title" | "none";

/** Whether somebody held the office in the year. */
export interface Verdict {
  readonly held: boolean;
  readonly basis: VerdictBasis;
  /** What decided; those of somebody else where that is why the person did not hold it. */
  readonly claims: readonly OfficerClaim[];
  /** What another filing's tags or dates say to the contrary. */
  readonly against: readonly OfficerClaim[];
}

/** Decides for everyone that the year is printed for, in the order of evidence of `docs/contract.md`. */
export function resolve(claims: readonly OfficerClaim[], question: OfficeYear): ReadonlyMap<string, Verdict> {
  const asked = claims.filter(({ office }) => office === question.office);
  const table: Table = {
    ...question,
    byPerson: Map.groupBy(asked, ({ person }) => person),
    byRow: Map.groupBy(asked, ({ person, accession }) => rowKey(person, accession)),
    others: new Map(),
  };
  const verdicts = new Map([...question.people.keys()].map((person) => [person, decide(person, table)]));
  const isHeld = [...verdicts.values()].some(({ held }) => held);
  const fallback = isHeld ? undefined : fallbackOf(verdicts, table);
  if (fallback !== undefined) verdicts.set(fallback.person, made(true, "todays_title", fallback));
  return verdicts;
}

interface Table extends OfficeYear {
  readonly byPerson: ReadonlyMap<string, readonly OfficerClaim[]>;
  /** By person and filing. */
  readonly byRow: ReadonlyMap<string, readonly OfficerClaim[]>;
  /** Who may have been in office in place of somebody: found once for everybody of the table. */
  readonly others: Map<string, readonly OfficerClaim[]>;
}

function rowKey(person: string, filing: string): string {
  return `${person} ${filing}`;
}

/** The first claim about somebody else. @param find claims in order, whoever asks */
function firstOther(
  person: string,
  table: Table,
  question: string,
  find: () => Iterable<OfficerClaim>,
): OfficerClaim | undefined {
  const known = table.others.get(question) ?? [...find()];
  table.others.set(question, known);
  return known.find((claim) => claim.person !== person);
}

function made(held: boolean, basis: VerdictBasis, ...claims: readonly OfficerClaim[]): Verdict {
  return { held, basis, claims, against: [] };
}

function decide(person: string, table: Table): Verdict {
  const { filings, servedFrom } = table.people.get(person) ?? { filings: [], servedFrom: "" };
  const dated = filings.flatMap((filing) => byTagOrDate(person, filing, table) ?? []);
  const [strongest, ...others] = dated;
  if (strongest !== undefined) {
    const against = others.find(({ held }) => held !== strongest.held)?.claims ?? [];
    return { ...strongest, basis: "dated", against };
  }
  for (const filing of filings) {
    const title = byTitle(person, filing, table);
    if (title?.basis === "title_of_year") return title;
  }
  return elsewhere(person, filings, table) ?? byTitle(person, servedFrom, table) ?? made(false, "none");
}

/** A tag comes first, but a day in the text goes before a tag that names somebody else. */
function byTagOrDate(person: string, filing: string, table: Table): Verdict | undefined {
  const own = claimsOf(person, filing, table);
  const tag = own.find((claim) => claim.basis === "tag" && claim.held && isAbout(claim, table.year));
  if (tag !== undefined) return made(true, "dated", tag);
  const dated = datedOf(person, filing, table);
  const other = own.find((claim) => claim.basis === "tag" && !claim.held && isAbout(claim, table.year));
  if (other !== undefined && !(dated?.held === true && dated.exact)) return made(false, "dated", other);
  return dated === undefined ? undefined : made(dated.held, "dated", ...dated.claims);
}

function datedOf(person: string, filing: string, table: Table): TermVerdict | undefined {
  const own = claimsOf(person, filing, table);
  const terms = own.filter(({ basis }) => basis === "dated");
  return weighTerms(terms, table.year, titleOf(own, table.year)?.standing ?? null);
}

/**
 * Dates of filings that do not print the row. The filing of the year knows better than a biography written later, which may
 * speak of another company: so an end before the year proves nothing, and a term counts only where its dates are exact.
 */
function elsewhere(person: string, printing: readonly string[], table: Table): Verdict | undefined {
  const terms = (table.byPerson.get(person) ?? []).filter(
    (claim) => claim.basis === "dated" && !printing.includes(claim.accession),
  );
  const dated = weighTerms(terms, table.year, "present");
  if (dated?.held === true && dated.exact) return made(true, "dated", ...dated.claims);
  return terms.length > 0 && terms.every((claim) => beginsAfter(claim, table.year))
    ? made(false, "dated", ...terms)
    : undefined;
}

/** What a filing's title, or its words in place of one, say; undefined where it has neither. */
function byTitle(person: string, filing: string, table: Table): Verdict | undefined {
  const own = claimsOf(person, filing, table);
  const title = titleOf(own, table.year);
  const designation = own.find((claim) => claim.basis === "designation" && isAbout(claim, table.year));
  const ofYear = table.filingsOfYear.has(filing);
  const basis = ofYear || title?.from ? "title_of_year" : "todays_title";
  if (designation?.held === false) return made(false, basis, designation);
  const positive = title?.held === true ? title : designation;
  if (positive === undefined) return title === undefined ? undefined : made(false, basis, title);
  const { standing } = positive;
  if (standing === "former_interim" && !ofYear) return made(false, "none");
  if (standing === "former" || standing === "former_interim") {
    const successor = successorOf(person, filing, table);
    return successor === undefined
      ? made(true, ofYear ? basis : "todays_title", positive)
      : made(false, "dated", successor);
  }
  const another =
    basis === "todays_title"
      ? somebodyElse(person, table)
      : ofYear
        ? stayedOn(person, filing, table)
        : undefined;
  if (another !== undefined) return made(false, basis === "todays_title" ? basis : "dated", another);
  const blank = own.find((claim) => claim.basis === "successor" && !claim.held && isAbout(claim, table.year));
  return blank === undefined ? made(true, basis, positive) : made(false, "none", blank);
}

/** Somebody with the title of the office whose term began before the year and did not end in it. */
function successorOf(person: string, filing: string, table: Table): OfficerClaim | undefined {
  return firstOther(person, table, `successor ${filing}`, function* () {
    for (const other of table.byPerson.keys()) {
      const hasTitle = claimsOf(other, filing, table).some(
        ({ basis, held, from, standing }) =>
          basis === "title" && held && from === null && standing !== "fallback",
      );
      const start = hasTitle ? startedBy(other, filing, table) : undefined;
      if (start !== undefined && (start.from?.latest ?? "9999") <= table.year.first) yield start;
    }
  });
}

/** The claim with the earliest last day on which a term can have begun: `in 2025` proves nothing about that January. */
function startedBy(person: string, filing: string, table: Table): OfficerClaim | undefined {
  return claimsOf(person, filing, table)
    .filter((claim) => claim.basis === "dated" && claim.from !== null)
    .filter(({ to }) => to === null || to.latest >= table.year.last)
    .toSorted((a, b) => ((a.from?.latest ?? "") < (b.from?.latest ?? "") ? -1 : 1))[0];
}

/**
 * Who goes before today's title beside an older year: whoever the filing of that year names, whoever is dated to its end, and
 * a predecessor of whom the table says no more than that the office is over.
 */
function somebodyElse(person: string, table: Table): OfficerClaim | undefined {
  return firstOther(person, table, "in office", function* () {
    for (const [other, { filings }] of table.people) {
      for (const filing of filings) {
        const claim = inOffice(other, filing, table);
        if (claim !== undefined) yield claim;
      }
    }
  });
}

/** What says that somebody was in office at the end of the year, or came before whoever is in it today. */
function inOffice(person: string, filing: string, table: Table): OfficerClaim | undefined {
  const own = claimsOf(person, filing, table);
  const named = own.find(
    ({ basis, held, standing }) =>
      basis === "title" && held && standing !== "fallback" && table.filingsOfYear.has(filing),
  );
  if (named !== undefined) return named;
  const dated = datedOf(person, filing, table);
  if (dated?.held === true && stillHeld(own, table.year)) return dated.claims[0];
  const predecessor = own.find(
    (claim) => claim.basis === "successor" && claim.held && isAbout(claim, table.year),
  );
  return dated?.held === false ? undefined : predecessor;
}

/** Whether dates put somebody in office at the end of the year: an end within it is where the next one began. */
function stillHeld(own: readonly OfficerClaim[], { first, last }: FiscalYear): boolean {
  const terms = own.filter(({ basis }) => basis === "dated");
  const end = terms.find(({ to }) => to !== null && to.latest >= first && to.latest < last)?.to?.latest;
  return end === undefined || terms.some(({ from, to }) => to === null && (from?.earliest ?? "") > end);
}

/** A former officer who is dated to leave only after the filing's own year, where the successor is dated to nothing. */
function stayedOn(person: string, filing: string, table: Table): OfficerClaim | undefined {
  if (startedBy(person, filing, table) !== undefined) return undefined;
  return firstOther(person, table, `stayed on ${filing}`, function* () {
    for (const other of table.people.keys()) {
      const own = claimsOf(other, filing, table);
      const standing = titleOf(own, table.year)?.standing ?? "";
      const ends = own.filter(({ basis, to }) => basis === "dated" && to !== null);
      const [end] = ends;
      if (!standing.startsWith("former") || end === undefined) continue;
      if (ends.every(({ to }) => (to?.earliest ?? "") > table.year.last)) yield end;
    }
  });
}

/** The only one with a title that stands for the office, where nobody has it and no tag tells who has. */
function fallbackOf(verdicts: ReadonlyMap<string, Verdict>, table: Table): OfficerClaim | undefined {
  const claims = [...table.byPerson.values()].flat().filter((claim) => isAbout(claim, table.year));
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

function claimsOf(person: string, filing: string, { byRow }: Table): readonly OfficerClaim[] {
  return byRow.get(rowKey(person, filing)) ?? [];
}

/** The title printed beside the year, else the one printed for the person. */
function titleOf(own: readonly OfficerClaim[], year: FiscalYear): OfficerClaim | undefined {
  const titles = own.filter(({ basis, standing }) => basis === "title" && standing !== "fallback");
  return (
    titles.find((claim) => claim.from !== null && isAbout(claim, year)) ??
    titles.find(({ from }) => from === null)
  );
}

/** Whether a claim without dates, or with the dates of this year, is about the year. */
function isAbout({ from, to }: OfficerClaim, year: FiscalYear): boolean {
  const middle = middleDay({ earliest: year.first, latest: year.last });
  return (from === null || from.earliest <= middle) && (to === null || to.latest >= middle);
}
