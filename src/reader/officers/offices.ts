import { companyWordsOf, officeOfTitle, type TitleOffice } from "../../domain/office.ts";
import { designated, signed } from "./designations.ts";
import type { Evidence } from "../parsed.ts";
import type { Period, Periods } from "./fiscal-periods.ts";
import { readSpans, type DatedSpan } from "./terms.ts";
import { readTags } from "./tags.ts";
import { overlap, type Bearing, type Overlap } from "./tenure.ts";
import { letters } from "../document/text.ts";
import type { EcdFact } from "../document/inline-xbrl.ts";

/** Somebody of the table as far as offices go. */
export interface OfficeHolder {
  readonly index: number;
  readonly name: string;
  readonly printedName: string;
  readonly title: string | null;
  /** Titles by year, where the table prints one beside each. */
  readonly titleOf: ReadonlyMap<number, string | null>;
  readonly years: readonly number[];
  /** The printed totals by year, in hundredths. */
  readonly totals: ReadonlyMap<number, number>;
  /** Years of them that are printed without any amount. */
  readonly blank: readonly number[];
}

/** Who held an office in a year, with what says so. */
export interface Flag {
  readonly held: boolean;
  readonly evidence: Evidence;
}

/** Flags by person and year, and what is not certain. */
export interface Offices {
  flag(person: number, year: number, office: "peo" | "pfo"): Flag;
  readonly spans: readonly DatedSpan[];
  /** Tagged names of principal executive officers that are nobody's in the table, by year. */
  readonly strangers: readonly { readonly year: number; readonly name: string }[];
  readonly unclear: readonly { readonly year: number; readonly office: "peo" | "pfo" }[];
}

const NOBODY: Flag = { held: false, evidence: { kind: "none", text: "" } };

/** Decides who was principal executive and financial officer in each year that the table prints, in the order of evidence of the contract. */
export function readOffices(
  people: readonly OfficeHolder[],
  periods: Periods,
  ecd: readonly EcdFact[],
  passages: readonly string[],
  companyName: string | null,
): Offices {
  const companyWords = companyWordsOf(companyName);
  const titles = people.map((person) => officeOfTitle(person.title, companyWords));
  const spans = readSpans(passages, people, companyWords);
  // Only where a title is missing does it matter whom the text calls so.
  const complete = titles.some((title) => title.peo) && titles.some((title) => title.pfo);
  const named = complete ? new Map<string, string>() : signed(people, passages);
  const made = designated(people, passages);
  const newest = Math.max(...periods.keys());
  const { tags, strangers, open } = readTags(people, periods, ecd);
  const decided = new Map<string, Flag>();
  const unclear: { year: number; office: "peo" | "pfo" }[] = [];
  for (const [year, period] of periods) {
    for (const office of ["peo", "pfo"] as const) {
      const present = people.filter((person) => person.years.includes(year));
      const flags = present.map((person) => ({ person, flag: decide(person, office, year, period) }));
      if (!flags.some(({ flag }) => flag.held)) {
        const fallback = flags
          .filter(({ person, flag }) => flag.evidence.kind !== "dated" && !person.blank.includes(year))
          .map(({ person }) => person)
          .filter((person) => stands(person, office));
        const [only] = fallback;
        const tagged = office === "peo" && (tags.get(year)?.size ?? 0) > 0;
        if (only !== undefined && fallback.length === 1 && !tagged) {
          for (const one of flags)
            if (one.person === only)
              one.flag = { held: true, evidence: { kind: "weak", text: only.title ?? "" } };
        } else if (year === newest && (office === "peo" || present.length > 3))
          unclear.push({ year, office });
      }
      for (const { person, flag } of flags) decided.set(`${person.index} ${year} ${office}`, flag);
    }
  }
  return {
    flag: (person, year, office) => decided.get(`${person} ${year} ${office}`) ?? NOBODY,
    spans,
    strangers,
    unclear,
  };

  function decide(person: OfficeHolder, office: "peo" | "pfo", year: number, period: Period): Flag {
    const { bears, over, brief } = bearing(person, office, year);
    const dated = datedOf(person, office, year, period);
    if (office === "peo") {
      const tagged = tags.get(year);
      const tag = tagged?.get(person.index);
      if (tag !== undefined) return held("tag", tag);
      const dayed = dated?.held === true && dated.exact;
      if (tagged !== undefined && tagged.size > 0 && !dayed && !open.has(year))
        return { held: false, evidence: { kind: "tag", text: "the tags name somebody else" } };
    }
    if (dated !== undefined)
      return dated.held
        ? held("dated", dated.text)
        : { held: false, evidence: { kind: "dated", text: dated.text } };
    const says = calledSo(person, office, year);
    if (!bears && says === undefined) return NOBODY;
    const chosen = office === "peo" && CO_CHIEF.test(person.title ?? "") ? principalOf(year) : [];
    if (chosen.length > 0 && !chosen.includes(person))
      return {
        held: false,
        evidence: { kind: "title", text: `${chosen[0]?.name ?? ""} is the principal one` },
      };
    // Who is named for this year with a date goes before today's title beside an older year; so does a predecessor,
    // of whom the table says no more than that the office is over.
    const others = people.some(
      (other) =>
        other !== person &&
        other.years.includes(year) &&
        (stillHeld(other, office, year, period) || leftLater(other, office, year, period)),
    );
    if (over && brief && year < newest) return NOBODY;
    if (over) {
      const successor = people.find(
        (other) =>
          other !== person &&
          titles[people.indexOf(other)]?.[office] === true &&
          startedBy(other.index, office, period) <= period.start,
      );
      return successor === undefined
        ? held(year === newest ? "title" : "weak", person.title ?? "")
        : { held: false, evidence: { kind: "dated", text: `${successor.name} held the office all year` } };
    }
    if (year < newest && others && !person.titleOf.has(year))
      return { held: false, evidence: { kind: "dated", text: "somebody else held the office that year" } };
    const before = people.find((other) => other !== person && outlasts(other, person, office, year, period));
    if (before !== undefined)
      return {
        held: false,
        evidence: { kind: "dated", text: `${before.name} held the office beyond the year` },
      };
    // A blank year of somebody who is paid in a later one says that the office, or the job, came later.
    if (
      year < newest &&
      person.blank.includes(year) &&
      person.years.some((other) => other > year && !person.blank.includes(other))
    )
      return NOBODY;
    const printed = person.titleOf.get(year) ?? person.title ?? "";
    return held(
      year === newest || person.titleOf.has(year) ? "title" : "weak",
      bears ? printed : (says ?? ""),
    );
  }

  /** Whether somebody who is a former officer by now is dated to leave after the newest year, and the successor to nothing. */
  function outlasts(
    other: OfficeHolder,
    successor: OfficeHolder,
    office: "peo" | "pfo",
    year: number,
    period: Period,
  ): boolean {
    const ends = spans.filter(
      (span) => span.person === other.index && span.office === office && span.end !== null,
    );
    return (
      year === newest &&
      other.years.includes(year) &&
      bearing(other, office, year).over &&
      ends.length > 0 &&
      ends.every((span) => (span.endFrom ?? "") > period.end) &&
      startedBy(successor.index, office, period) === "9999"
    );
  }

  /** Whether dates put somebody in office at the end of the year: an end within it is where the next one began. */
  function stillHeld(other: OfficeHolder, office: "peo" | "pfo", year: number, period: Period): boolean {
    if (datedOf(other, office, year, period)?.held !== true) return false;
    const own = spans.filter((span) => span.person === other.index && span.office === office);
    const ends = own.filter((span) => span.end !== null && span.end >= period.start && span.end < period.end);
    return (
      ends.length === 0 || own.some((span) => span.end === null && (span.start ?? "") > (ends[0]?.end ?? ""))
    );
  }

  /** Whether somebody who is nothing but a former officer was paid in the year and in the newest one. */
  function leftLater(other: OfficeHolder, office: "peo" | "pfo", year: number, period: Period): boolean {
    const { over, brief } = bearing(other, office, year);
    return (
      over &&
      !brief &&
      /^(?:former|retired|prior|previous|outgoing|ex-)/i.test(other.title ?? "") &&
      other.years.includes(newest) &&
      !other.blank.includes(year) &&
      !other.blank.includes(newest) &&
      datedOf(other, office, year, period)?.held !== false
    );
  }

  /** Of several chief executives: whom the filing expressly calls the principal one. */
  function principalOf(year: number): OfficeHolder[] {
    return people.filter(
      (person) =>
        person.years.includes(year) &&
        CO_CHIEF.test(person.title ?? "") &&
        (/\bprincipal executive officer/i.test(person.title ?? "") || made.has(`${person.index} peo`)),
    );
  }

  /** What the text calls somebody: where no title in the table names the office, or, for the newest year, where it says so expressly. */
  function calledSo(person: OfficeHolder, office: "peo" | "pfo", year: number): string | undefined {
    const key = `${person.index} ${office}`;
    if (!titles.some((other) => other[office])) return named.get(key) ?? made.get(key);
    return year === newest ? made.get(key) : undefined;
  }

  /** Whether the title printed for the year names the office, and whether as a former one. */
  function bearing(person: OfficeHolder, office: "peo" | "pfo", year: number): Bearing {
    const own = person.titleOf.get(year);
    const title = own === undefined ? titles[people.indexOf(person)] : officeOfTitle(own, companyWords);
    if (title === undefined) return { bears: false, over: false, brief: false };
    const over = office === "peo" ? title.peoFormer : title.pfoFormer;
    return { bears: title[office], over, brief: BRIEF[office].test(own ?? person.title ?? "") };
  }

  function datedOf(
    person: OfficeHolder,
    office: "peo" | "pfo",
    year: number,
    period: Period,
  ): Overlap | undefined {
    const own = spans.filter((span) => span.person === person.index && span.office === office);
    return overlap(own, period, bearing(person, office, year));
  }

  /** The last day on which somebody's time can have begun: `in 2025` proves nothing about that January. */
  function startedBy(person: number, office: "peo" | "pfo", period: Period): string {
    const starts = spans
      .filter((span) => span.person === person && span.office === office)
      .filter((span) => span.end === null || span.end >= period.end)
      .map((span) => span.startBy ?? "9999");
    return starts.sort()[0] ?? "9999";
  }
}

const CO_CHIEF = /\bco-\s?(?:chief executive|CEO|principal executive)/i;

const BRIEF = {
  peo: /\b(?:interim|acting)\b[^,;]{0,40}\b(?:chief executive|CEO|principal executive)/i,
  pfo: /\b(?:interim|acting)\b[^,;]{0,40}\b(?:chief financial|CFO|principal financial)/i,
};

function held(kind: Evidence["kind"], text: string): Flag {
  return { held: true, evidence: { kind, text: text.slice(0, 240) } };
}

/** Where nobody bears the office's own title: the one whose title comes nearest to it. */
function stands(person: OfficeHolder, office: "peo" | "pfo"): boolean {
  const bare = letters((person.title ?? "").replace(/\b(?:former|retired)\b.*$/i, ""));
  if (office === "peo")
    return (
      /^(?:chairman|chair|chairmanoftheboard|chairmanand|chairand|founder|cofounder)*(?:and)?president(?:anddirector|director|secretary|treasurer|$)/.test(
        bare,
      ) || /soleofficer|managingmember|generalpartner$/.test(bare)
    );
  return /treasurer|(?:vicepresident|vp|evp|svp)(?:of)?finance|principalaccounting|chiefaccounting|financialofficer|^controller|soleofficer/.test(
    bare,
  );
}

/** Re-exported for callers that only have a title. */
export type { TitleOffice };
