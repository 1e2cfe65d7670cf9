/** Reads from sentences and titles when the people of the table held the two offices. */
import { type DayRange, shiftDays } from "../../domain/fiscal-year.ts";
import { type OfficerClaim, OFFICES } from "../../domain/officer-claims.ts";
import {
  AT,
  ELSEWHERE,
  type FrameMeaning,
  FROM,
  OFFICER_FRAMES,
  REPORTS,
  SENTENCES,
  TO,
  WHEN,
  WHO,
} from "../lexicon/officer-frames.ts";
import { OFFICE_NAMES } from "../lexicon/titles.ts";
import { ANY_DATE, MONTH } from "../lexicon/years.ts";
import { COST, type Work } from "../parsed-filing.ts";
import { tidy } from "../clean-text.ts";
import { readDate } from "../values/years.ts";
import { officeOfTitle, ownName } from "./titles.ts";
import {
  ANY_SIGN,
  eventSentences,
  HOLDS,
  MAX_SENTENCES,
  type Mentions,
  namesAnother,
  pronounsIn,
  YEAR,
  type TablePerson,
} from "./sentences.ts";

const OFFICE = new RegExp(`\\b(?:${OFFICE_NAMES.anyOf("i").source})`, "gi");
/** Someone who first became an officer held neither office before. */
const ANY_OFFICE = /\ban (?:executive )?officer\b(?! and director\b)/gi;
/** Words after an office that add nothing to it. */
const OF_COMPANY =
  /(?<=⟨[PF]⟩)\s+of\s+(?:the|our)\s+(?:Company|Corporation|Registrant|Firm|Partnership)\b(?![’'])/g;
/** No sentence of the sample filings has more than eleven offices; without a bound, damaged text would cost seconds. */
const MAX_OFFICES = 12;

export interface TermSources {
  /** Running text around the names of the offices. */
  readonly passages: readonly string[];
  readonly mentions: Mentions;
  readonly companyWords: readonly string[];
  readonly accession: string;
  readonly work: Work;
}

/** Finds dated terms of office in passages and titles. Each has a start, an end or both. */
export function readTerms(sources: TermSources): OfficerClaim[] {
  const { passages, mentions, work } = sources;
  const pronouns = pronounsIn(passages, mentions);
  const sentences = passages.values().flatMap((passage) => eventSentences(passage, mentions, pronouns));
  const terms = new Map<string, OfficerClaim>();
  const undated = new Map<string, OfficerClaim>();
  const printed = sentences.take(MAX_SENTENCES).flatMap((one) => [one, ...deathAsSentence(one, mentions)]);
  for (const sentence of [...mentions.people.flatMap(titleAsSentence), ...printed]) {
    work.spend(sentence.length * (YEAR.test(sentence) ? COST.frames : 1));
    const { dated, beside } = readSentence(sentence, sources);
    for (const claim of beside) undated.getOrInsert(`${claim.person} ${claim.office}`, claim);
    for (const term of dated) {
      const key = [term.person, term.office, term.from?.earliest, term.to?.latest].join(" ");
      const read = terms.get(key);
      if (read === undefined || (read.doubt !== undefined && term.doubt === undefined)) terms.set(key, term);
    }
  }
  // An office next to a name, neither dated by a sentence nor named by a title, may belong to any year.
  const classed = new Set(terms.values().map(({ person, office }) => `${person} ${office}`));
  return [...terms.values(), ...[...undated].flatMap(([key, claim]) => (classed.has(key) ? [] : [claim]))];
}

/** Characters before an office that show whose it is, and the length up to which a sentence is not a list. */
const NEAR_OFFICE = 90;
const MAX_SENTENCE = 700;
const NOT_HELD = new RegExp(`${REPORTS}|\\b(?:not|never)\\b`, "i");
const HELD_BY = /^,?[^⟦⟨;.]{0,60}\b(?:previously|formerly|until then)\s+held\s+by\s+⟦(\d+)⟧|^,\s+⟦(\d+)⟧/;

/** Doubtful claims: people in a sentence about an office that no frame classified, if their titles do not name it. */
function besideIn(
  signs: string,
  sentence: string,
  { mentions, companyWords, accession }: TermSources,
  dated: readonly OfficerClaim[] = [],
): OfficerClaim[] {
  const classed = new Set(dated.map(({ office }) => office));
  if (signs.length > MAX_SENTENCE) return [];
  return [...signs.matchAll(/⟨([PF])⟩/g)].flatMap(({ 0: sign, 1: letter, index }) => {
    const office = letter === "P" ? "peo" : "pfo";
    const before = signs.slice(0, index);
    const near = before.slice(-NEAR_OFFICE).split(/[;.•]/).at(-1) ?? "";
    const behind = HELD_BY.exec(signs.slice(index + sign.length));
    const between = near.split(/⟦(?:\d+|\?)⟧/).at(-1) ?? "";
    const all = [...before.matchAll(ANY_SIGN)].map(([, place]) => Number(place));
    // `A succeeded B as X and had until then been Y`
    const goesOn = /\band\s+(?:had|has|was)\b/.test(between);
    const isHeld =
      !classed.has(office) && HOLDS.test(between) && !NOT_HELD.test(between) && !namesAnother(between);
    const whose =
      behind === null
        ? isHeld
          ? [goesOn ? all[0] : undefined, all.at(-1)]
          : []
        : [Number(behind[1] ?? behind[2])];
    const isNamed =
      behind?.[2] === undefined || /\b(?:then|former|prior|previous|interim|acting)\b/i.test(between);
    const people = isNamed ? [...new Set(whose)].flatMap((place) => mentions.people[place ?? -1] ?? []) : [];
    const about = { office, held: true, from: null, to: null, basis: "designation", standing: null } as const;
    const source = {
      rule: "beside an office",
      quote: quoteOf(sentence),
      doubt: "nothing dates it",
      accession,
    };
    return people.flatMap(({ id: person, title }) =>
      officeOfTitle(title, office, companyWords) === null ? [{ ...about, ...source, person }] : [],
    );
  });
}

function quoteOf(sentence: string): string {
  return tidy(sentence.replace(/⟦\d+⟧/g, "…")).slice(0, 240);
}

/** A title with a date, as a sentence about the person. */
function titleAsSentence({ title }: TablePerson, index: number): string[] {
  if (title === null || !YEAR.test(title)) return [];
  const ended = /\b(?:until|through|former|to)\b/i.test(title);
  return [`⟦${index}⟧ ${ended ? "served as" : "became"} ${title}`];
}

const DIED = "(?:\\w+\\s+)?(?:passed\\s+away|died|death|passing)\\b";
const DEATHS = [
  `⟦(?<who>\\d+)⟧(?:,[^⟦]{0,80},)?\\s+${DIED}[^⟦]{0,60}?(?<date>${ANY_DATE.source})`,
  `\\b(?:death|passing)\\s+of\\s+⟦(?<who>\\d+)⟧[^⟦]{0,60}?(?<date>${ANY_DATE.source})`,
  `(?<date>${ANY_DATE.source}),?\\s+(?:upon\\s+|following\\s+)?⟦(?<who>\\d+)⟧(?:,[^⟦]{0,80},)?\\s+${DIED}`,
].map((source) => new RegExp(source, "i"));

/** A death, as a sentence about the end of the office in the person's title. */
function deathAsSentence(sentence: string, { people }: Mentions): string[] {
  const { who, date } =
    DEATHS.map((pattern) => pattern.exec(sentence)).find((match) => match !== null)?.groups ?? {};
  const title = people[Number(who)]?.title ?? null;
  return title === null || date === undefined ? [] : [`⟦${who}⟧ served as ${title} until ${date}`];
}

/** The terms in one sentence whose people are already placeholders. */
function readSentence(sentence: string, sources: TermSources) {
  const { mentions, companyWords, accession } = sources;
  const nothing: { dated: OfficerClaim[]; beside: OfficerClaim[] } = { dated: [], beside: [] };
  const named = sentence
    .replace(OFFICE, (word: string, at: number) => officeSign(sentence, word, at, companyWords))
    .replace(ANY_OFFICE, "⟨N⟩")
    .replace(OF_COMPANY, "");
  const offices = named.match(/⟨[PFN]⟩/g)?.length ?? 0;
  if (offices === 0 || offices > MAX_OFFICES) return nothing;
  const dates: DayRange[] = [];
  const signs = named.replace(SHORT_DATE, "$1, $2").replace(ANY_DATE, (word) => {
    const range = rangeOf(word);
    return range === undefined ? word : `‹${dates.push(range) - 1}›`;
  });
  if (dates.length === 0) return { ...nothing, beside: besideIn(signs, sentence, sources) };
  const texts = [signs, ...secondTerms(signs)].flatMap(oneOfficeEach);
  const matches = DATED_FRAMES.flatMap(({ rule, pattern }) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => ({ rule, match }))),
  );
  const quote = quoteOf(sentence);
  const dated = matches.flatMap(({ rule, match }) => {
    const doubt = doubtOf(match[0], sentence, companyWords);
    const source = { basis: "dated", rule, quote, accession, ...doubt } as const;
    return termsOf(match, mentions.people, dates).map((term) => ({ ...term, ...source }));
  });
  return { dated, beside: besideIn(signs, sentence, sources, dated) };
}

/** `March 1` before `to June 30, 2024`. */
const SHORT_DATE = new RegExp(
  `\\b(${MONTH}(?:\\s+\\d{1,2})?)(?=\\s*(?:to|through|until|and|[–-])\\s*${MONTH}(?:\\s+\\d{1,2})?,?\\s+((?:19|20)\\d\\d))`,
  "gi",
);

type Term = Pick<OfficerClaim, "person" | "office" | "held" | "from" | "to" | "standing">;

/** The terms of a frame's match: those of the holder and of the predecessor. */
function termsOf(
  { 0: words, groups = {} }: RegExpMatchArray,
  people: readonly TablePerson[],
  dates: readonly DayRange[],
): Term[] {
  const { who, and, whom, from, to, office: sign } = groups;
  const [begins = null, ends = null] = [from, to].map((place) => dates[Number(place ?? -1)]);
  const of = (places: readonly (string | undefined)[], term: Omit<Term, "person">): Term[] => {
    const whose = isTerm(term) ? places.flatMap((place) => people[Number(place ?? -1)] ?? []) : [];
    return whose.map(({ id }) => ({ ...term, person: id }));
  };
  if (sign === "N") {
    if (begins === null) return [];
    // Before becoming an officer at all, the person held neither office.
    const day = shiftDays(begins.earliest, -1);
    const before = { held: false, from: null, to: { earliest: day, latest: day } };
    return OFFICES.flatMap((office) => of([who, and], { ...before, office, standing: null }));
  }
  const standing = ends === null && SENTENCES.has(words, "still serves") ? "present" : null;
  const office = sign === "P" ? "peo" : "pfo";
  const time = { office, from: begins, to: ends, standing, held: true } as const;
  return [...of([who, and], time), ...of([whom], { ...time, from: null, to: begins, standing: null })];
}

function isTerm({ from, to }: Pick<OfficerClaim, "from" | "to">): boolean {
  return from === null || to === null ? from !== to : from.earliest <= to.latest;
}

/** A company by its legal form. */
const COMPANY =
  /\p{Lu}[\w&.’'-]*(?:\s+[\p{Lu}&][\w&.’'-]*){0,4},?\s+(?:Inc|Corp|LLC|Ltd|LLP|plc|PLC|N\.V)\b\.?/gu;
/** Words that make an office one of the registrant. */
const OURS = /\b(?:our|the Company[’']s|its)\b[^⟦⟨‹]{0,60}$/;

/** Why a match may be about somebody else or another company, if anything speaks for that. */
function doubtOf(words: string, sentence: string, companyWords: readonly string[]): { doubt?: string } {
  const [, between = ""] = words.split(/⟦\d+⟧([^⟦⟨]*)⟨[PF]⟩/);
  if (namesAnother(between)) return { doubt: `"${tidy(between)}" may name another person` };
  if (companyWords.length === 0 || OURS.test(words.split(/⟨[PF]⟩/)[0] ?? "")) return {};
  const company = [...sentence.matchAll(COMPANY)].find(([name]) => !ownName(name, companyWords))?.[0];
  return company === undefined ? {} : { doubt: `the sentence names ${company}` };
}

/** A sentence about two terms (`served as A from D until D and as B from D until D`) without the first one. */
function secondTerms(signs: string): string[] {
  const who = /⟦\d+⟧/.exec(signs)?.[0] ?? "";
  const seconds = signs.matchAll(/›,?\s+and\s+(?:(?:again|then|also)\s+)?as\s+/g);
  return seconds
    .map(({ 0: words, index }) => `${who} served as ${signs.slice(index + words.length)}`)
    .toArray();
}

/** Splits a sentence about two adjacent offices (`principal executive officer, principal financial officer … on May 29`) into one per office. */
function oneOfficeEach(signs: string): string[] {
  const both = /⟨([PF])⟩((?:[\s,/&]|\band\b|[a-z]+(?=,)){1,40})⟨([PF])⟩/g;
  return [...new Set([signs.replace(both, "⟨$1⟩$2"), signs.replace(both, "$2⟨$3⟩")])];
}

function rangeOf(words: string): DayRange | undefined {
  const found = readDate(/^(?:19|20)\d\d$/.test(words) ? `in ${words}` : words);
  if (found === undefined) return undefined;
  const { date, precision } = found;
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
  const end = new Date(Date.UTC(year, precision === "year" ? 12 : month, 0));
  return { earliest: date, latest: precision === "day" ? date : end.toISOString().slice(0, 10) };
}

/** The placeholder of the office that a phrase names; `⟨X⟩` for one of a division or another company. */
function officeSign(sentence: string, word: string, at: number, companyWords: readonly string[]): string {
  const around = `${sentence.slice(Math.max(0, at - 200), at)}⟨${word}⟩${sentence.slice(at + word.length, at + word.length + 140)}`;
  for (const { means, pattern } of ELSEWHERE.entries) {
    const found = pattern.exec(around);
    if (found === null) continue;
    const company = found.groups?.["company"];
    if (company === undefined || !ownName(company, companyWords)) return means === "label" ? "label" : "⟨X⟩";
  }
  const named = OFFICES.filter((office) => OFFICE_NAMES.has(word, office));
  return named.map((office) => (office === "peo" ? "⟨P⟩" : "⟨F⟩")).join(" and ");
}

/** A date before the event is the event's own only if no other date follows it. */
const NO_DATE_BEHIND = "(?![^⟦⟨]{0,20}(?:effective|since|from|on|in)\\s+‹)";
const UNTIL = "(?:until|through|till|ending(?: on)?)";
const SINCE = "(?:since|beginning|starting|commencing|effective(?: as of| on)?|as of|from(?! time))";
const HIS_EVENT =
  "(?:his|her|their)\\s+(?:promotion|appointment|election|retirement|resignation|departure|death|passing)\\b[^⟦‹]{0,60}?";

const ORDERS: Readonly<Record<FrameMeaning, Readonly<Record<string, (frame: string) => string>>>> = {
  "takes office": {
    "date behind": (frame) =>
      `${frame}(?:(?:\\s+role|\\s+on an interim basis)?,?\\s+(?:alongside|together with|succeeding|replacing|from|upon|following|after)\\s+⟦(?:\\d+|\\?)⟧)?[^⟦⟨‹]{0,60}?\\b${AT}\\s+[^⟦⟨‹]{0,30}${FROM}`,
    "date in front": (frame) =>
      `\\b${AT}\\s+${FROM},?(?:\\s+(?:upon|following|after)\\s+⟦(?:\\d+|\\?)⟧[^⟦‹]{0,80},)?[^⟦⟨‹]{0,80}${frame}${NO_DATE_BEHIND}`,
    // Effective D, A became chair and B became O
    "date in front of two": (frame) =>
      `(?:^[^⟦⟨‹]{0,12}|›\\s+)\\b(?:effective|on|as of)\\b[^⟦⟨‹]{0,12}${FROM}.{0,320}?,?\\s+and\\s+${frame}${NO_DATE_BEHIND}`,
    // A was X until D, when A became O
    "date, when": (frame) => `${FROM}${WHEN}\\s+${frame}${NO_DATE_BEHIND}`,
  },
  "leaves office": {
    "date behind": (frame) => `${frame}[^⟦⟨‹]{0,110}?\\b${AT}\\s+[^⟦⟨‹]{0,40}${TO}`,
    "date, when": (frame) => `${TO}${WHEN}\\s+${frame}`,
    "date in front": (frame) => `(?<!⟩[^.;]{0,160})\\b${AT}\\s+${TO},?[^⟦⟨‹]{0,60}${frame}`,
  },
  served: {
    "from and to": (frame) =>
      `${frame}[^⟦⟨‹]{0,80}?\\b(?:from|between)\\s+[^⟦⟨‹]{0,20}${FROM}[^⟦⟨‹]{0,30}?\\b(?:to|until|through|and|till)\\s+[^⟦⟨‹]{0,30}${TO}`,
    // From D to D, while Mr. Santos was away, A served as O
    "from and to in front": (frame) =>
      `\\b(?:from|between)\\s+${FROM}[^⟦⟨‹]{0,12}?\\b(?:to|until|through|and|till)\\s+${TO},?\\s+(?:(?:while|during|as|when|because)\\b[^⟨‹;]{0,100}?,?\\s+)?${frame}`,
    // and from D until D: the second of two terms
    "from and to again": (frame) =>
      `${frame}[^⟦⟨‹]{0,80}?\\bfrom\\s+‹\\d+›[^⟦⟨‹]{0,30}‹\\d+›,?\\s+and\\s+(?:again\\s+)?from\\s+${FROM}[^⟦⟨‹]{0,30}?\\b(?:to|until|through|till)\\s+${TO}`,
    // for 2018 and through D; until his retirement on D
    until: (frame) =>
      `${frame}(?:\\s+(?:for|in|during)\\s+‹\\d+›\\s+and\\s|[^⟦⟨‹]{0,90}?\\b)${UNTIL}\\s+(?!the end)(?:⟦\\d+⟧\\s|${HIS_EVENT})?[^⟦⟨‹]{0,60}?${TO}`,
  },
  "has served since": {
    since: (frame) =>
      `${frame}(?:(?!⟦|⟨|‹|in addition to|, which ).){0,60}?\\b${SINCE}\\s+[^⟦⟨‹]{0,30}${FROM}(?!\\s*,?\\s*(?:and\\s+)?(?:to|until|through|till)\\b)`,
    "since in front": (frame) =>
      `\\b(?:since|from|beginning|starting|commencing)\\s+(?:in\\s+|on\\s+)?${FROM}(?!,?\\s*(?:prior to|before|after|until|having)\\b),?[^⟦⟨‹]{0,40}${frame}`,
    "since inside": (frame) => frame.replace(WHO, `${WHO},?\\s+since\\s+${FROM},?`),
    "from and to in front": (frame) =>
      `\\bfrom\\s+${FROM}\\s*(?:to|until|through|till)\\s+${TO},?\\s*${frame}`,
  },
  dated: { "its own date": (frame) => frame },
};

/** Every frame in every order. All are tried on every sentence; one sentence can yield several terms. */
const DATED_FRAMES = OFFICER_FRAMES.entries.flatMap(({ means, pattern, source }) =>
  Object.entries(ORDERS[means]).map(([order, make]) => ({
    rule: `${source} (${order})`,
    pattern: new RegExp(make(pattern.source), "gi"),
  })),
);
