import { companyWordsOf, officeOfTitle, type TitleOffice } from "../domain/office.ts";
import { surnameOf } from "../domain/executive.ts";
import { designated, signed } from "./designations.ts";
import type { Evidence } from "./parsed.ts";
import type { Period, Periods } from "./periods.ts";
import { readSpans, type DatedSpan } from "./spans.ts";
import { letters } from "./text.ts";
import type { EcdFact } from "./xbrl.ts";

/** Somebody of the table as far as offices go. */
export interface OfficeHolder {
  readonly index: number;
  readonly name: string;
  readonly printedName: string;
  readonly title: string | null;
  readonly years: readonly number[];
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
  const tags = new Map<number, Set<number>>();
  const strangers: { year: number; name: string }[] = [];
  for (const [year, period] of periods) {
    for (const fact of ecd) {
      if (fact.name !== "PeoName" || !sameYear(fact, period)) continue;
      const who = people.filter((person) => sameName(person.name, fact.text));
      const [only] = who;
      if (only === undefined || who.length > 1) {
        if (only === undefined) strangers.push({ year, name: fact.text });
        continue;
      }
      tags.set(year, (tags.get(year) ?? new Set<number>()).add(only.index));
    }
  }
  const decided = new Map<string, Flag>();
  const unclear: { year: number; office: "peo" | "pfo" }[] = [];
  for (const [year, period] of periods) {
    for (const office of ["peo", "pfo"] as const) {
      const present = people.filter((person) => person.years.includes(year));
      const flags = present.map((person) => ({ person, flag: decide(person, office, year, period) }));
      if (!flags.some(({ flag }) => flag.held)) {
        const fallback = present.filter((person) => !person.blank.includes(year) && stands(person, office));
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
    const own = spans.filter((span) => span.person === person.index && span.office === office);
    const title = titles[people.indexOf(person)];
    const bears = title !== undefined && title[office];
    const over = title !== undefined && (office === "peo" ? title.peoFormer : title.pfoFormer);
    const dated = overlap(own, period, bears, over);
    if (office === "peo") {
      const tagged = tags.get(year);
      if (tagged?.has(person.index) === true) return held("tag", `ecd:PeoName ${person.name}`);
      if (tagged !== undefined && tagged.size > 0 && dated?.held !== true)
        return { held: false, evidence: { kind: "tag", text: "ecd:PeoName names somebody else" } };
      if (tagged !== undefined && tagged.size > 0 && dated?.exact !== true)
        return { held: false, evidence: { kind: "tag", text: "ecd:PeoName names somebody else" } };
    }
    if (dated !== undefined)
      return dated.held
        ? held("dated", dated.text)
        : { held: false, evidence: { kind: "dated", text: dated.text } };
    // What the text calls somebody counts where no title in the table says it, or where it says so expressly.
    const key = `${person.index} ${office}`;
    const says = titles.some((other) => other[office])
      ? year === newest
        ? made.get(key)
        : undefined
      : named.get(key);
    if (!bears && says === undefined) return NOBODY;
    // Who is named for this year with a date goes before today's title beside an older year.
    const others = people.some(
      (other) =>
        other !== person &&
        other.years.includes(year) &&
        spans.some((span) => span.person === other.index && span.office === office && covers(span, period)),
    );
    if (over) {
      const successor = people.find(
        (other) =>
          other !== person &&
          titles[people.indexOf(other)]?.[office] === true &&
          startedBy(other.index, office) <= period.start,
      );
      return successor === undefined
        ? held(year === newest ? "title" : "weak", person.title ?? "")
        : { held: false, evidence: { kind: "dated", text: `${successor.name} held the office all year` } };
    }
    if (year < newest && others)
      return { held: false, evidence: { kind: "dated", text: "somebody else is dated to this year" } };
    return held(year === newest ? "title" : "weak", bears ? (person.title ?? "") : (says ?? ""));
  }

  /** The last day on which somebody's time can have begun: `in 2025` proves nothing about that January. */
  function startedBy(person: number, office: "peo" | "pfo"): string {
    const starts = spans
      .filter((span) => span.person === person && span.office === office)
      .map((span) => span.startBy ?? "9999");
    return starts.sort()[0] ?? "9999";
  }
}

function held(kind: Evidence["kind"], text: string): Flag {
  return { held: true, evidence: { kind, text: text.slice(0, 240) } };
}

/** A span that has both ends, or one in the year, and covers the year at least in part. */
function covers(span: DatedSpan, period: Period): boolean {
  if (span.start !== null && span.start > period.end) return false;
  if (span.end !== null && span.end < period.start) return false;
  return span.start !== null ? span.end !== null || span.start <= period.end : true;
}

interface Overlap {
  held: boolean;
  /** Both ends of the time are given, or the given one lies within the year. */
  exact: boolean;
  text: string;
}

/** What the dated spans say of one year; undefined when they leave it open. */
function overlap(
  spans: readonly DatedSpan[],
  period: Period,
  bears: boolean,
  over: boolean,
): Overlap | undefined {
  const current = bears && !over;
  if (spans.length === 0) return undefined;
  const starts = spans.filter((span) => span.start !== null && span.end === null);
  const ends = spans.filter((span) => span.end !== null && span.start === null);
  const whole = spans.find((span) => span.start !== null && span.end !== null && covers(span, period));
  if (whole !== undefined) return { held: true, exact: true, text: whole.text };
  const start = starts.toSorted((a, b) => ((a.start ?? "") < (b.start ?? "") ? -1 : 1))[0];
  const end = ends.toSorted((a, b) => ((a.end ?? "") < (b.end ?? "") ? 1 : -1))[0];
  const began = start?.start ?? null;
  const ended = end?.end ?? null;
  if (began !== null && began > period.end) {
    return { held: false, exact: true, text: start?.text ?? "" };
  }
  // A title that still names the office must be a former one, or the dated end is that of another time.
  if (ended !== null && ended < period.start && over)
    return { held: false, exact: true, text: end?.text ?? "" };
  if (began !== null && (current || ended !== null))
    return { held: true, exact: true, text: start?.text ?? "" };
  if (began !== null && began >= period.start) return { held: true, exact: true, text: start?.text ?? "" };
  if (ended !== null && ended >= period.start)
    return { held: true, exact: ended <= period.end, text: end?.text ?? "" };
  return undefined;
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
