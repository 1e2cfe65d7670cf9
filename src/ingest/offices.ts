import { companyWordsOf, officeOfTitle, type TitleOffice } from "../domain/office.ts";
import { surnameOf } from "../domain/executive.ts";
import type { Evidence } from "./parsed.ts";
import type { Period, Periods } from "./periods.ts";
import { readSpans, type DatedSpan } from "./spans.ts";
import { nameLikeness } from "./names.ts";
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
    // What the text calls somebody counts only where no title in the table says it.
    const says = titles.some((other) => other[office]) ? undefined : named.get(`${person.index} ${office}`);
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
          (startOf(other.index, office) ?? "9999") <= period.start,
      );
      return successor === undefined
        ? held(year === newest ? "title" : "weak", person.title ?? "")
        : { held: false, evidence: { kind: "dated", text: `${successor.name} held the office all year` } };
    }
    if (year < newest && others)
      return { held: false, evidence: { kind: "dated", text: "somebody else is dated to this year" } };
    return held(year === newest ? "title" : "weak", bears ? (person.title ?? "") : (says ?? ""));
  }

  function startOf(person: number, office: "peo" | "pfo"): string | null {
    const starts = spans
      .filter((span) => span.person === person && span.office === office && span.start !== null)
      .map((span) => span.start ?? "");
    return starts.sort()[0] ?? null;
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

/** Whom the text itself calls principal officer: `(Principal Executive Officer)` behind a signature or a name. */
function signed(people: readonly OfficeHolder[], passages: readonly string[]): Map<string, string> {
  const out = new Map<string, string>();
  const near =
    /\(?\bprincipal\s+(executive|financial)(?:\s+(?:officer\s+)?(?:and|&)\s+(?:principal\s+)?(executive|financial|accounting)(?:\s+(?:and|&)\s+accounting)?)?\s+officer/gi;
  for (const passage of passages) {
    for (const match of passage.matchAll(near)) {
      // `Our principal financial officer is Tom Ash`: the name follows; otherwise it stands before, as under a signature.
      const behind = passage.slice(match.index + match[0].length, match.index + match[0].length + 110);
      const follows = /^\s+(?:is|was|has been)\b/i.test(behind);
      const reach = match[0].startsWith("(") ? 220 : 120;
      const around = follows ? behind : passage.slice(Math.max(0, match.index - reach), match.index);
      const places = people
        .map((person) => ({ person, ...lastMention(around, person.name) }))
        .filter((one) => one.at >= 0)
        .sort((a, b) => (follows ? a.at - b.at : b.at - a.at));
      const last = places[0];
      // Out of brackets the office belongs to a name of the same sentence.
      const apart =
        !follows &&
        last !== undefined &&
        !match[0].startsWith("(") &&
        /\p{Ll}{2}[.;]\s+\p{Lu}/u.test(around.slice(last.at));
      if (last === undefined || apart || (!follows && namesAnother(around.slice(last.end)))) continue;
      for (const word of [match[1], match[2]]) {
        const office =
          word?.toLowerCase() === "executive"
            ? "peo"
            : word?.toLowerCase() === "financial"
              ? "pfo"
              : undefined;
        if (office !== undefined)
          out.set(`${last.person.index} ${office}`, `${last.person.name} (${match[0].replace(/^\(/, "")})`);
      }
    }
  }
  listed(people, passages, out);
  return out;
}

/** Whose name is followed by the office in a list of officers or under a signature: `Jane Doe 64 President, Chief Executive Officer and Chief Financial Officer`. */
function listed(
  people: readonly OfficeHolder[],
  passages: readonly string[],
  out: Map<string, string>,
): void {
  for (const person of people) {
    const words = person.name.replace(/,.*$/, "").split(" ");
    const name = new RegExp(
      `\\b${escape(words[0] ?? "")}\\b[^,;()]{0,25}\\b${escape(words.at(-1) ?? "")}\\b`,
      "gi",
    );
    for (const passage of passages) {
      for (const match of passage.matchAll(name)) {
        const behind = passage.slice(match.index + match[0].length, match.index + match[0].length + 170);
        const titles = /^[,\s]*(?:\(?\d{2}\)?[,\s]+)?((?:(?:and|of|the|&|[A-Z][\w./-]*),?\s*){2,})/.exec(
          behind,
        )?.[1];
        if (
          titles === undefined ||
          people.some((other) => other !== person && titles.includes(other.name.split(" ").at(-1) ?? " "))
        )
          continue;
        const held = officeOfTitle(titles.replace(/\bOfficer (?=Chief)/g, "Officer, "));
        for (const office of ["peo", "pfo"] as const)
          if (held[office] && !out.has(`${person.index} ${office}`))
            out.set(`${person.index} ${office}`, `${person.name}, ${titles.trim()}`);
      }
    }
  }
}

/** Whether the words behind somebody's name go on to somebody else's, as in a column of signatures. */
function namesAnother(text: string): boolean {
  if (text.includes("/s/")) return true;
  const words = text.replace(/\([^()]*\)/g, " / ").split(/\s+/);
  return words.some(
    (word, at) => /^\p{Lu}[\p{L}'’.-]*$/u.test(word) && nameLikeness(`${word} ${words[at + 1] ?? ""}`) === 2,
  );
}

/** Where somebody is named last, by the full name or by its first and last word; -1 for nowhere. */
function lastMention(text: string, name: string): { at: number; end: number } {
  const words = name.replace(/,.*$/, "").split(" ");
  const full = text.lastIndexOf(name);
  if (full >= 0) return { at: full, end: full + name.length };
  const first = words[0] ?? "";
  const last = words.at(-1) ?? "";
  const match = [
    ...text.matchAll(new RegExp(`\\b${escape(first)}\\b[^,;()]{0,25}\\b${escape(last)}\\b`, "gi")),
  ].at(-1);
  return match === undefined ? { at: -1, end: -1 } : { at: match.index, end: match.index + match[0].length };
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
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
