import { surnameOf } from "../../domain/executive.ts";
import type { Period, Periods } from "./fiscal-periods.ts";
import type { EcdFact } from "../document/inline-xbrl.ts";

/** Somebody of the table as far as the tags go. */
interface Tagged {
  readonly index: number;
  readonly name: string;
  /** The printed totals by year, in hundredths. */
  readonly totals: ReadonlyMap<number, number>;
}

/** What the tags of pay versus performance say of the principal executive officers. */
interface Tags {
  /** By year and person: the tag that says so. */
  readonly tags: ReadonlyMap<number, ReadonlyMap<number, string>>;
  readonly strangers: readonly { readonly year: number; readonly name: string }[];
  /** Years in which more officers are tagged than could be told by name or amount. */
  readonly open: ReadonlySet<number>;
}

/**
 * Whom the tags make principal executive officer of a year: a name without a member in the year of its context, one with a
 * member in the years for which that member's total is tagged, and the one row whose total is a tagged total.
 */
export function readTags(people: readonly Tagged[], periods: Periods, ecd: readonly EcdFact[]): Tags {
  const tags = new Map<number, Map<number, string>>();
  const strangers: { year: number; name: string }[] = [];
  const open = new Set<number>();
  const names = ecd.filter((fact) => fact.name === "PeoName");
  const totals = ecd.filter((fact) => fact.name === "PeoTotalCompAmt" && (fact.cents ?? 0) !== 0);
  const key = (fact: EcdFact): string => fact.members.toSorted().join(" ");
  for (const [year, period] of periods) {
    const found = new Map<number, string>();
    const ofYear = totals.filter((fact) => sameYear(fact, period));
    for (const fact of names) {
      const apart = fact.members.length > 0 && totals.some((total) => key(total) === key(fact));
      const counts = apart ? ofYear.some((total) => key(total) === key(fact)) : sameYear(fact, period);
      if (!counts) continue;
      const who = people.filter((person) => sameName(person.name, fact.text));
      const [only] = who;
      if (only === undefined) strangers.push({ year, name: fact.text });
      else if (who.length === 1) found.set(only.index, `ecd:PeoName ${only.name}`);
    }
    for (const { cents } of ofYear) {
      const paid = people.filter((person) => person.totals.get(year) === cents);
      const [only] = paid;
      if (only !== undefined && paid.length === 1 && !found.has(only.index))
        found.set(only.index, `ecd:PeoTotalCompAmt ${(cents ?? 0) / 100}`);
    }
    if (found.size > 0) tags.set(year, found);
    if (new Set(ofYear.map(key)).size > found.size) open.add(year);
  }
  return { tags, strangers, open };
}

function sameYear(fact: EcdFact, period: Period): boolean {
  return Math.abs(Date.parse(fact.end) - Date.parse(period.end)) < 20 * 86_400_000;
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
