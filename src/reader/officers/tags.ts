/** Reads from pay-versus-performance tags (Item 402(v)) who was principal executive officer in a year. */
import type { Cents } from "../../domain/amount.ts";
import { surnameOf } from "../../domain/executive.ts";
import { isSameYearEnd } from "../../domain/fiscal-year.ts";
import type { OfficerClaim } from "../../domain/officer-claims.ts";
import type { EcdFact } from "../document/submission.ts";
import { type Check, type ParsedRow, type ReadingProblem, type TaggedYear, problemOf } from "../parsed.ts";
import { type FiscalPeriods, ofYear } from "./fiscal-periods.ts";
import type { TableOfficer } from "./sentences.ts";

/** A person of the table, as far as tags can identify one. */
type TaggedPerson = Pick<TableOfficer, "id" | "name" | "totals">;

/** What the tags say about the principal executive officers. */
export interface TagClaims {
  readonly claims: readonly OfficerClaim[];
  /** Tagged names that match no one in the table. */
  readonly unmatchedTags: readonly { readonly year: number; readonly name: string }[];
}

/**
 * Reads claims from tags. A name without a member counts for the year of its context, one with a member for the years in which
 * that member's total is tagged. A tagged total counts for the only row with that total. People who are not tagged did not hold
 * the office, unless more officers are tagged than were matched.
 */
export function readTagClaims(
  people: readonly TaggedPerson[],
  periods: FiscalPeriods,
  facts: readonly EcdFact[],
  accession: string,
): TagClaims {
  const claims: OfficerClaim[] = [];
  const unmatchedTags: { year: number; name: string }[] = [];
  const names = facts.filter((fact) => fact.name === "PeoName");
  const tagged = facts.filter((fact) => fact.name === "PeoTotalCompAmt");
  // A dash marks a year in which this person was not PEO; a printed 0 is a total.
  const totals = tagged.filter(({ cents, text }) => cents !== null && (cents !== 0 || /\d/.test(text)));
  for (const [year, period] of periods) {
    const ofThisYear = totals.filter((fact) => isSameYearEnd(fact.end, period.last));
    const found = new Map<string, string>();
    for (const fact of names) {
      const apart = fact.members.length > 0 && tagged.some((total) => membersOf(total) === membersOf(fact));
      const counts = apart
        ? ofThisYear.some((total) => membersOf(total) === membersOf(fact))
        : isSameYearEnd(fact.end, period.last);
      if (!counts) continue;
      const named = people.filter((person) => sameName(person.name, fact.text));
      const [only] = named;
      if (only === undefined) unmatchedTags.push({ year, name: fact.text });
      else if (named.length === 1) found.set(only.id, `ecd:PeoName ${only.name}`);
    }
    for (const { cents } of ofThisYear) {
      if (cents === 0) continue;
      const paid = people.filter((person) => person.totals.get(year) === cents);
      const [only] = paid;
      if (only !== undefined && paid.length === 1 && !found.has(only.id))
        found.set(only.id, `ecd:PeoTotalCompAmt ${(cents ?? 0) / 100}`);
    }
    const isComplete = new Set(ofThisYear.map(membersOf)).size <= found.size;
    if (found.size === 0) continue;
    const about = { office: "peo", basis: "tag", standing: null, accession, ...ofYear(period) } as const;
    for (const { id } of people) {
      const tag = found.get(id);
      if (tag !== undefined) claims.push({ ...about, person: id, held: true, rule: "ecd", quote: tag });
      else if (isComplete)
        claims.push({
          ...about,
          person: id,
          held: false,
          rule: "ecd",
          quote: "the tags name another officer",
        });
    }
  }
  return { claims, unmatchedTags };
}

function membersOf(fact: EcdFact): string {
  return fact.members.toSorted().join(" ");
}

/** Whether a tagged name (`Mr. Cook`, `Timothy D. Cook`, `COOK, TIM`) is this person. */
export function sameName(name: string, tagged: string): boolean {
  const surname = surnameOf(name);
  if (surname === "") return false;
  const words = tagged
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[’']/g, "")
    .split(/[^a-z0-9]+/);
  return words.includes(surname);
}

/** Checks the table against tagged totals. Tags are wrong in hundreds of filings: a difference is reported and changes no number. */

/** Allowed differences, in cents: totals may be rounded to dollars, and their average differs by more. */
const TOTAL_CENTS = 100;
const AVERAGE_CENTS = 200;

/** Adds the checks against tags to the rows. */
export function checkTags(
  rows: readonly ParsedRow[],
  facts: readonly EcdFact[],
  periods: FiscalPeriods,
): { rows: ParsedRow[]; problems: ReadingProblem[] } {
  const newest = Math.max(...rows.map((row) => row.fiscal_year));
  const factsOf = (name: EcdFact["name"], year: number): EcdFact[] =>
    facts.filter((fact) => fact.name === name && isSameYearEnd(fact.end, periods.get(year)?.last ?? ""));
  const newestRows = rows.filter((row) => row.fiscal_year === newest && !row.placeholder);
  const average = checkAverage(newestRows, factsOf("NonPeoNeoAvgTotalCompAmt", newest), newest);
  const problems = average?.problem === undefined ? [] : [average.problem];
  const checked = rows.map((row) => {
    const checks: Check[] = [...row.checks];
    const total = row.is_peo ? checkTotal(row, factsOf("PeoTotalCompAmt", row.fiscal_year)) : undefined;
    if (total !== undefined) {
      checks.push(total);
      const names = factsOf("PeoName", row.fiscal_year);
      if (total.agrees === false && names.some((fact) => sameName(row.executive_name, fact.text))) {
        const message = `${row.executive_name} ${row.fiscal_year}: ${total.detail}`;
        problems.push(problemOf("ecd_peo_total", message));
      }
    }
    if (average !== undefined && row.fiscal_year === newest && !row.is_peo)
      checks.push({
        check: "ecd_average",
        agrees: average.problem === undefined,
        detail: "average of the officers who are not PEO",
      });
    return { ...row, checks };
  });
  return { rows: checked, problems };
}

function checkTotal({ amounts }: ParsedRow, facts: readonly EcdFact[]): Check | undefined {
  const tagged = facts.flatMap(({ cents }) => cents ?? []);
  if (tagged.length === 0) return undefined;
  const total = amounts.total_compensation;
  const sides = [...new Set(tagged)].map((cents) => cents / 100).join(" and ");
  return {
    check: "ecd_peo_total",
    agrees: tagged.some((cents) => Math.abs(cents - total) <= TOTAL_CENTS),
    detail: `table ${total / 100}, tagged ${sides}`,
  };
}

function checkAverage(
  rows: readonly ParsedRow[],
  facts: readonly EcdFact[],
  year: number,
): { problem: ReadingProblem | undefined } | undefined {
  const tagged = facts.find((fact) => fact.cents !== null)?.cents;
  const others = rows.filter((row) => !row.is_peo);
  if (tagged === undefined || tagged === null || others.length === 0) return undefined;
  const mean = others.reduce((sum, row) => sum + row.amounts.total_compensation, 0) / others.length;
  if (Math.abs(mean - tagged) <= AVERAGE_CENTS) return { problem: undefined };
  const message = `${year}: the table's average of ${others.length} officers is ${Math.round(mean) / 100}, tagged ${tagged / 100}`;
  return { problem: problemOf("ecd_average", message) };
}

/** Ties the totals that a filing tags for its principal executive officers (Item 402(v)) to fiscal years and people. */

/** The dimensions that only say whose fact it is. */
const PERSONAL = new Set(["ecd:IndividualAxis", "ecd:ExecutiveCategoryAxis"]);

/** Reads the tagged years of a filing, newest first; what cannot be tied is a problem. */
export function readTaggedYears(facts: readonly EcdFact[]): {
  years: TaggedYear[];
  problems: ReadingProblem[];
} {
  const problems: ReadingProblem[] = [];
  const report = (message: string): void => void problems.push(problemOf("ecd_unclear", message));
  const plain = facts.filter(({ name, end, text, axes }) => {
    const others = axes.filter((axis) => !PERSONAL.has(axis));
    if (others.length > 0 && name !== "PeoName")
      report(`ecd:${name} ${text} for ${end} has the dimension ${others.join(", ")}, and is left out`);
    return others.length === 0;
  });
  // Footnotes tag single years again in short contexts; a year is one for which a total or an average is tagged.
  const amounts = plain.filter(({ name }) => name !== "PeoName");
  const years = [...Map.groupBy(amounts, ({ end }) => end)]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([end, ofYear]) => yearOf(end, ofYear, plain, report));
  return {
    years: years.filter(({ peos, othersAverage }) => peos.length > 0 || othersAverage !== null),
    problems,
  };
}

type Year = Pick<TaggedYear, "start" | "end">;
type Report = (message: string) => void;

function yearOf(
  end: string,
  ofYear: readonly EcdFact[],
  all: readonly EcdFact[],
  report: Report,
): TaggedYear {
  const names = all.filter(({ name }) => name === "PeoName");
  // A dash marks a year in which this person was not PEO.
  const totals = ofYear.filter(
    ({ name, cents, text }) => name === "PeoTotalCompAmt" && (cents !== 0 || /\d/.test(text)),
  );
  const averages = ofYear.filter(({ name }) => name === "NonPeoNeoAvgTotalCompAmt");
  const byMember = Map.groupBy(totals, memberOf);
  const start = ofYear[0]?.start ?? "";
  const peos = [...byMember].map(([member, tagged]) => ({
    ...nameOf(member, { start, end }, names, byMember.size),
    member: member === "" ? null : member,
    total: onlyAmount(tagged, `ecd:PeoTotalCompAmt of ${end}${member === "" ? "" : ` (${member})`}`, report),
    decimals: tagged[0]?.decimals ?? null,
  }));
  for (const { total, name, candidates, member } of peos) {
    const who = `the principal executive officer of ${end}${member === null ? "" : ` (${member})`}`;
    if (name === null && (candidates > 1 || peos.length > 1))
      report(`${candidates > 1 ? "More than one" : "No"} ecd:PeoName can be tied to ${who}`);
    if (total !== null && total < 0) report(`The total tagged for ${who} is negative: ${total / 100}`);
  }
  if (peos.length === 0) report(`ecd:PeoTotalCompAmt is not tagged for ${end}`);
  if (peos.some(({ member }) => member === null) && peos.length > 1)
    report(`Totals with and without a member are tagged for ${end}`);
  const currencies = new Set(ofYear.map(({ currency }) => currency));
  if (currencies.size > 1) report(`The units of the tags for ${end} differ: ${[...currencies].join(", ")}`);
  return {
    start,
    end,
    currency: currencies.size === 1 ? (ofYear[0]?.currency ?? null) : null,
    peos: peos.map(({ name, member, total, decimals }) => ({ name, member, total, decimals })),
    othersAverage:
      averages.length === 0 ? null : onlyAmount(averages, `ecd:NonPeoNeoAvgTotalCompAmt of ${end}`, report),
  };
}

function onlyAmount(facts: readonly EcdFact[], what: string, report: Report): Cents | null {
  const amounts = new Set(facts.map(({ cents }) => cents));
  const [only = null] = amounts;
  if (amounts.size > 1) report(`${what} is tagged ${facts.map(({ text }) => text).join(" and ")}`);
  else if (only === null) report(`${what} has no readable amount: "${facts[0]?.text ?? ""}"`);
  return amounts.size > 1 ? null : only;
}

/** A tagged name, and how many the tags give instead of one. */
interface TiedName {
  readonly name: string | null;
  readonly candidates: number;
}

/**
 * The name tagged for a member; else the year's name that the member is made from (`RobertMBakishMember`: Mr. Bakish); else, if the
 * year has one officer, its only name.
 */
function nameOf(member: string, year: Year, names: readonly EcdFact[], officers: number): TiedName {
  const ofYear = names.filter(({ start, end }) => start >= year.start && end <= year.end);
  const ways = [
    names.filter((fact) => memberOf(fact) === member && (member !== "" || ofYear.includes(fact))),
    names.filter(({ text }) => member.toLowerCase().includes(surnameOf(text) || "?")),
    officers === 1 ? ofYear : [],
  ];
  const found = new Set((ways.find((facts) => facts.length > 0) ?? []).map(textOf));
  const [name = null] = found;
  return { name: found.size === 1 ? name : null, candidates: found.size };
}

/** A tagged name without footnote markers. */
function textOf({ text }: EcdFact): string {
  return text.replace(/(?:\s*\(\d{1,2}\)|[*†‡])+$/, "");
}

/** The members of a fact that identify a person. */
function memberOf({ members }: EcdFact): string {
  return members
    .filter((member) => member !== "ecd:PeoMember")
    .toSorted()
    .join(" ");
}
