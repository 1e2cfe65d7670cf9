/** When the people of the table held the two offices, as sentences and titles date it. */
import { shiftDays, type DayRange } from "../../domain/fiscal-year.ts";
import { OFFICES, type OfficerClaim } from "../../domain/officer-claims.ts";
import { tidy } from "../text.ts";
import { ELSEWHERE } from "../lexicon/elsewhere.ts";
import { OFFICE_NAMES } from "../lexicon/office-names.ts";
import { SENTENCES } from "../lexicon/sentences.ts";
import { ANY_DATE } from "../lexicon/years.ts";
import { readDate } from "../values/years.ts";
import { DATED_FRAMES } from "./dated-frames.ts";
import { mentionsOf, type TablePerson } from "./mentions.ts";
import { ownName } from "./own-name.ts";
import type { Work } from "../work.ts";
import { eventSentences, MAX_SENTENCES } from "./sentences.ts";

const OFFICE = new RegExp(`\\b(?:${OFFICE_NAMES.anyOf("i").source})`, "gi");
/** Somebody who was no officer before held neither office. */
const ANY_OFFICE = /\ban (?:executive )?officer\b(?! and director\b)/gi;
/** Eleven is the most that a sentence of the filings at hand has; without a bound damaged text would cost seconds. */
const MAX_OFFICES = 12;

/** What all frames cost a character of a sentence. */
const FRAMES = 15;

/** Finds, in passages of running text and in the titles, when the people of the table held the two offices: at least one end is given. */
export function readTerms(
  passages: readonly string[],
  people: readonly TablePerson[],
  companyWords: readonly string[],
  accession: string,
  work: Work,
): OfficerClaim[] {
  if (people.length === 0) return [];
  const terms = new Map<string, OfficerClaim>();
  const add = (sentence: string): void => {
    work.spend(sentence.length * FRAMES);
    for (const term of readSentence(sentence, people, companyWords, accession)) {
      const key = [term.person, term.office, term.from?.earliest, term.to?.latest].join(" ");
      if (!terms.has(key)) terms.set(key, term);
    }
  };
  for (const [index, { title }] of people.entries()) {
    if (title === null || !/(?:19|20)\d\d|\/\d\d\b/.test(title)) continue;
    const ended = /\b(?:until|through|former|to)\b/i.test(title);
    add(`⟦${index}⟧ ${ended ? "served as" : "became"} ${title}`);
  }
  const mentions = mentionsOf(people);
  let count = 0;
  for (const passage of passages) {
    for (const sentence of eventSentences(passage, mentions)) {
      if (++count > MAX_SENTENCES) return [...terms.values()];
      if (sentence !== "") add(sentence);
    }
  }
  return [...terms.values()];
}

/** The terms that one sentence gives, its people being signs already. */
function readSentence(
  sentence: string,
  people: readonly TablePerson[],
  companyWords: readonly string[],
  accession: string,
): OfficerClaim[] {
  const withOffices = sentence.replace(OFFICE, (word: string, at: number) =>
    officeSign(sentence, word, at, companyWords),
  );
  const named = withOffices.replace(ANY_OFFICE, "⟨N⟩");
  const offices = named.match(/⟨[PFN]⟩/g)?.length ?? 0;
  if (offices === 0 || offices > MAX_OFFICES) return [];
  const dates: DayRange[] = [];
  const signs = named.replace(ANY_DATE, (word) => {
    const range = rangeOf(word);
    return range === undefined ? word : `‹${dates.push(range) - 1}›`;
  });
  if (dates.length === 0) return [];
  const texts = oneOfficeEach(signs);
  return DATED_FRAMES.flatMap(({ rule, pattern }) =>
    texts
      .flatMap((text) => [...text.matchAll(pattern)])
      .flatMap((match) => {
        const quote = tidy(sentence.replace(/⟦\d+⟧/g, "…")).slice(0, 240);
        const made = { basis: "dated", rule, quote, accession } as const;
        return termsOf(match, people, dates).map((term) => ({ ...term, ...made }));
      }),
  );
}

type Term = Pick<OfficerClaim, "person" | "office" | "held" | "from" | "to" | "standing">;

/** The terms that a frame found: those of whoever holds the office, and of whoever held it before. */
function termsOf(
  { 0: words, groups = {} }: RegExpMatchArray,
  people: readonly TablePerson[],
  dates: readonly DayRange[],
): Term[] {
  const { who, and, whom, from, to } = groups;
  const sign = groups["office"]?.toUpperCase();
  const dateAt = (place = "-1"): DayRange | null => dates[Number(place)] ?? null;
  const begins = dateAt(from);
  const ends = dateAt(to);
  const of = (place = "-1", some: readonly Omit<Term, "person">[]): Term[] => {
    const person = people[Number(place)]?.id;
    return person === undefined ? [] : some.filter(isTerm).map((time) => ({ ...time, person }));
  };
  if (sign === "N") {
    // The time before somebody became an officer at all: neither office was held.
    const day = begins === null ? null : shiftDays(begins.earliest, -1);
    const before = { held: false, from: null, to: day === null ? null : { earliest: day, latest: day } };
    const times = OFFICES.map((office) => ({ ...before, office, standing: null }));
    return [...of(who, times), ...of(and, times)];
  }
  const standing = ends === null && SENTENCES.has(words, "still serves") ? "present" : null;
  const office = sign === "P" ? "peo" : "pfo";
  const time = { office, from: begins, to: ends, standing, held: true } as const;
  const left = { ...time, from: null, to: begins, standing: null };
  return [...of(who, [time]), ...of(and, [time]), ...of(whom, [left])];
}

function isTerm({ from, to }: Pick<OfficerClaim, "from" | "to">): boolean {
  if (from === null || to === null) return from !== to;
  return from.earliest <= to.latest;
}

/** Two offices in a row share what is said of them: `principal executive officer, principal financial officer … on May 29` becomes two sentences. */
function oneOfficeEach(signs: string): string[] {
  const both = /⟨([PF])⟩((?:[\s,/&]|\band\b|[a-z]+(?=,)){1,40})⟨([PF])⟩/g;
  if (!both.test(signs)) return [signs];
  return [signs.replace(both, "⟨$1⟩$2"), signs.replace(both, "$2⟨$3⟩")];
}

function rangeOf(words: string): DayRange | undefined {
  const date = readDate(/^(?:19|20)\d\d$/.test(words) ? `in ${words}` : words);
  if (date === undefined) return undefined;
  return { earliest: date.date, latest: lastDay(date.date, date.precision) };
}

function lastDay(date: string, precision: "day" | "month" | "year"): string {
  if (precision === "day") return date;
  if (precision === "year") return `${date.slice(0, 4)}-12-31`;
  const next = new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0));
  return next.toISOString().slice(0, 10);
}

/** The sign of an office that a phrase names; `⟨X⟩` when it is that of a division or of another company. */
function officeSign(sentence: string, word: string, at: number, companyWords: readonly string[]): string {
  const around = `${sentence.slice(Math.max(0, at - 200), at)}⟨${word}⟩${sentence.slice(at + word.length, at + word.length + 140)}`;
  for (const { means, pattern } of ELSEWHERE.entries) {
    const found = pattern.exec(around);
    if (found === null) continue;
    const company = found.groups?.["company"];
    if (company === undefined || !ownName(company, companyWords)) return means === "label" ? "label" : "⟨X⟩";
  }
  const signs = { peo: "⟨P⟩", pfo: "⟨F⟩" };
  return OFFICES.filter((office) => OFFICE_NAMES.has(word, office))
    .map((office) => signs[office])
    .join(" and ");
}
