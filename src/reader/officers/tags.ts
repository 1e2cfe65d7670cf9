/** Reads from pay-versus-performance tags (Item 402(v)) who was principal executive officer in a year. */
import { surnameOf } from "../../domain/executive.ts";
import { isSameYearEnd } from "../../domain/fiscal-year.ts";
import type { OfficerClaim } from "../../domain/officer-claims.ts";
import type { EcdFact } from "../document/inline-xbrl.ts";
import { ofYear, type FiscalPeriods } from "./fiscal-periods.ts";
import type { TableOfficer } from "./mentions.ts";

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
