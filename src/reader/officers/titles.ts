/** Reads the two offices in printed titles. */
import { type Office, OFFICES, type Standing } from "../../domain/officer-claims.ts";
import { SENTENCES } from "../lexicon/officer-frames.ts";
import {
  AFTER_OFFICE,
  DESIGNATIONS,
  FORMER,
  LEGAL_OFFICE_NAMES,
  NO_DIVISION,
  OFFICE_NAMES,
  OFFICE_POSITIONS,
  SERVES_OFFICER,
  WORDS_BEFORE_OFFICE,
} from "../lexicon/titles.ts";
import { ANY_SIGN, type Mentions, namesAnother } from "./sentences.ts";

/** For each office, its names after a pattern. */
function named(before: string, flags: string): Readonly<Record<Office, RegExp>> {
  const name = (office: Office) =>
    new RegExp(`${before}(?:${OFFICE_NAMES.anyOf("i", office).source})`, flags);
  return { peo: name("peo"), pfo: name("pfo") };
}

const IN_TITLE = named("\\b", "gi");
const INTERIM = named("\\b(?:interim|acting)\\b[^,;]{0,40}\\b", "i");
const CO_CHIEF = named("\\bco-\\s?", "i").peo;
/** Small words before another office. */
const LEAD = /^(?:and\s+|&\s*|our\s+|the\s+|a\s+|current\s+)*/i;

/**
 * The standing that a title gives in an office of the whole company; null if it does not name it. The head of a division
 * (`CEO, Walmart U.S.`, `Co-CEO, CIB`, `CEO of CBS`) does not hold it, nor does an assistant (`Chief of Staff to the CEO`).
 *
 * @param companyWords words of the company's own name: `CEO of Acme` heads Acme
 */
export function officeOfTitle(
  title: string | null | undefined,
  office: Office,
  companyWords: readonly string[] = [],
): Standing {
  const interim = INTERIM[office].test(title ?? "") ? "_interim" : "";
  let standing: Standing = null;
  for (const match of (title ?? "").matchAll(IN_TITLE[office])) {
    const before = match.input.slice(0, match.index);
    const behind = match.input.slice(match.index + match[0].length);
    if (!isOfCompany(before, behind, companyWords)) continue;
    if (!FORMER.has(before, "before") && !FORMER.has(behind, "behind")) return `present${interim}`;
    standing = `former${interim}`;
  }
  return standing;
}

/** Whether the title is that of a co-chief executive. */
export function isCoChief(title: string | null): boolean {
  return CO_CHIEF.test(title ?? "");
}

/** Whether the office between these parts of a title is one of the whole company. */
function isOfCompany(before: string, behind: string, companyWords: readonly string[]): boolean {
  if (SERVES_OFFICER.has(before)) return false;
  const part = (before.split(/[,;(]|\s[–—-]\s|\band\b|&/i).at(-1) ?? "").toLowerCase();
  const isPlain = (word: string): boolean => {
    const bare = word.replace(/[.,–-]+$/, "");
    return WORDS_BEFORE_OFFICE.has(bare) || FORMER.has(bare, "before") || isOwnWord(word, companyWords);
  };
  const words = part.split(/[\s/]+/).filter((word) => word !== "");
  return (words.includes("of") || words.every(isPlain)) && namesNoDivision(behind.trim(), companyWords);
}

function namesNoDivision(behind: string, companyWords: readonly string[]): boolean {
  if (behind === "") return true;
  const whose = /^(?:of|for|at)\s+(?:the\s+)?(.*)$/i.exec(behind)?.[1];
  if (whose !== undefined) return ownName(whose, companyWords);
  const both = AFTER_OFFICE.find(behind, "second office")?.pattern.exec(behind)?.groups?.["whose"];
  const next = /^(?:,|[–—-]|…|:|\/|\()\s*(.*)$/.exec(behind)?.[1];
  const rest = both ?? next ?? behind;
  const isEnd = both === undefined ? /^(?:and|&|;|\)|\.|\*)/i.test(behind) : AFTER_OFFICE.has(both, "region");
  return rest === "" || isEnd || NO_DIVISION.has(rest.replace(LEAD, "")) || ownName(rest, companyWords);
}

const LEGAL_WORDS =
  "inc corp corporation company co holdings holding group ltd limited llc lp plc sa nv ag the of";
/** Optional words of a company name: `Acme` and `Acme Holdings, Inc.` are the same company. */
const LEGAL = new Set(LEGAL_WORDS.split(" "));
const SHARED_WORDS =
  "and de international global industries enterprises partners trust bancorp financial n v";
/** Words that many company names share. */
const COMMON = LEGAL.union(new Set(SHARED_WORDS.split(" ")));
const ITSELF =
  /^(?:the\s+)?(?:our|this|us|company|corporation|registrant|firm|partnership|general partner|issuer|trust|manager)\b/i;

/**
 * Whether the text starts with the company itself: `the Company`, its name or its initials. `Walmart U.S.` is not Walmart;
 * `NextEra Energy Resources` is not NextEra Energy.
 */
export function ownName(text: string, companyWords: readonly string[]): boolean {
  if (ITSELF.test(text)) return true;
  const named = namedAt(text, companyWords);
  const [first = ""] = named;
  if (named.length === 1 && isShortForm(first, companyWords)) return true;
  const distinctive = named.filter((word) => !LEGAL.has(word) && !NO_DIVISION.has(word, "date"));
  if (isOwnWord(first, companyWords) && distinctive.every((word) => companyWords.includes(word))) return true;
  // The whole name, or its first words: `International Paper`, `A. O. Smith`.
  const core = companyWords.filter((word) => !LEGAL.has(word));
  const isMost = distinctive.length >= 2 && core.length <= distinctive.length + 1;
  return isMost && distinctive.every((word, at) => core[at] === word);
}

/** The words of the name at the start of a text, normalized. */
function namedAt(text: string, companyWords: readonly string[]): string[] {
  return (text.split(/[,;()]|\s(?:and|effective|since|from|until|through|in|on|as)\s/)[0] ?? "")
    .split(/[\s/]+/)
    .map((word) =>
      bareOf(word.toLowerCase().replace(/[’']s$/, (end) => (companyWords.includes(bareOf(word)) ? end : ""))),
    )
    .filter((word) => word !== "" && word !== "the" && word !== "of");
}

/** Whether a word is the company's initials or the beginning of a word of its name. */
function isShortForm(word: string, companyWords: readonly string[]): boolean {
  const initials = companyWords.map((one) => (one === "inc" ? "" : one.charAt(0))).join("");
  if (word.length > 1 && initials.startsWith(word)) return true;
  const isLong = word.length >= 4 && !COMMON.has(word);
  return isLong && companyWords.some((one) => one.startsWith(word) && one !== word);
}

/** Whether a word is a distinctive one of the company's name. */
export function isOwnWord(word: string, companyWords: readonly string[]): boolean {
  const bare = bareOf(word);
  return bare.length > 1 && !COMMON.has(bare) && companyWords.includes(bare);
}

function bareOf(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The words of a company's name in lower case: `Acme Holdings, Inc.` has `acme holdings inc`, `PG&E Corp` also `pge`. */
export function companyWordsOf(name: string | null): string[] {
  const bare = (name ?? "").toLowerCase().replace(/[’']/g, "");
  const words = bare.split(/[^a-z0-9]+/).filter((word) => word !== "");
  const joined = (bare.match(/[a-z0-9]+(?:[&.*+-][a-z0-9]+)+/g) ?? []).map(bareOf);
  return [...words, ...joined];
}

/** The text that gives a person an office, by `personKey`. */
export type OfficesInText = ReadonlyMap<string, string>;

/** @param person the executive id */
export function personKey(person: string, office: Office): string {
  return `${person} ${office}`;
}

/** `executive and financial` means both offices; `accounting` alone means neither. */
const OFFICE_WORDS: Readonly<Record<Office, RegExp>> = { peo: /\bexec/i, pfo: /\bfinanc/i };
const PATTERNS = DESIGNATIONS.entries.map(({ pattern }) => new RegExp(pattern.source, "giu"));

/** People whom a sentence expressly designates principal officer. The nearest name counts; no other name may come between. */
export function designatedInText(mentions: Mentions, passages: readonly string[]): OfficesInText {
  const designated = new Map<string, string>();
  const { people, replaceIn } = mentions;
  for (const passage of passages.filter((one) => LEGAL_OFFICE_NAMES.has(one))) {
    const named = replaceIn(passage);
    for (const match of PATTERNS.flatMap((pattern) => [...named.matchAll(pattern)])) {
      const { who, first, second = "", between = "" } = match.groups ?? {};
      const around = named.slice(Math.max(0, match.index - 300), match.index + match[0].length + 200);
      // A signer holds the office on the filing date, not necessarily in the fiscal year.
      if (namesAnother(between) || SENTENCES.has(around, "signature")) continue;
      const words = match[0].replace(/⟦(\d+)⟧/g, (_, at) => people[Number(at)]?.name ?? "…");
      const person = people[Number(who)]?.id;
      // The document's own text may have such a sign.
      if (person === undefined) continue;
      for (const office of OFFICES)
        if (OFFICE_WORDS[office].test(`${first} ${second}`)) designated.set(personKey(person, office), words);
    }
  }
  return designated;
}

const LEGAL_NAME = LEGAL_OFFICE_NAMES.anyOf("i").source;
const PRINCIPAL = new RegExp(`\\(?\\b(?:${LEGAL_NAME})(?:\\s+(?:and|&)\\s+(?:${LEGAL_NAME}))?`, "gi");
const CHARACTERS_BEHIND = 110;
const CHARACTERS_BEFORE = 120;
/** A bracket may be farther from a signature. */
const CHARACTERS_BEFORE_BRACKET = 220;

const TITLES_BEHIND = OFFICE_POSITIONS.anyOf("", "titles behind a name");
const FURTHER_WORDS = OFFICE_POSITIONS.anyOf("", "end of titles");
const RUN_TOGETHER = OFFICE_POSITIONS.anyOf("g", "next title follows");
const CHARACTERS_OF_TITLES = 170;

/**
 * People whom the text calls principal officer right after their name (`(Principal Executive Officer)` under a signature) or
 * lists with the office. Weaker than a designation; used if the table's titles leave an office open.
 */
export function officesNamedInText(mentions: Mentions, passages: readonly string[]): OfficesInText {
  const signs = passages.map((passage) => mentions.replaceIn(passage));
  const listed = signs.flatMap((passage) => listedIn(passage, mentions));
  const called = signs.flatMap((passage) => calledIn(passage, mentions));
  return new Map([...listed.toReversed(), ...called]);
}

/** Each person whose placeholder is next to the name of an office, with the text. */
function calledIn(passage: string, { people }: Mentions): [string, string][] {
  return [...passage.matchAll(PRINCIPAL)].flatMap((match): [string, string][] => {
    const person = people[nearestPerson(passage, match.index, match[0])];
    if (person === undefined) return [];
    const words = match[0].replace(/^\(/, "");
    const offices = OFFICES.filter((office) => OFFICE_NAMES.has(words, office));
    return offices.map((office) => [personKey(person.id, office), `${person.name} (${words})`]);
  });
}

/** The index of the person next to the words; NaN if it is someone outside the table. */
function nearestPerson(passage: string, at: number, words: string): number {
  const end = at + words.length;
  const behind = passage.slice(end, end + CHARACTERS_BEHIND);
  const isBracket = words.startsWith("(");
  if (OFFICE_POSITIONS.has(behind, "name follows")) return Number([...behind.matchAll(ANY_SIGN)][0]?.[1]);
  const reach = isBracket ? CHARACTERS_BEFORE_BRACKET : CHARACTERS_BEFORE;
  const before = passage.slice(Math.max(0, at - reach), at);
  const nearest = [...before.matchAll(ANY_SIGN)].at(-1);
  if (nearest === undefined) return Number.NaN;
  // Outside brackets, the office belongs to a name in the same sentence.
  if (!isBracket && OFFICE_POSITIONS.has(before.slice(nearest.index), "new sentence")) return Number.NaN;
  return namesAnother(before.slice(nearest.index + nearest[0].length)) ? Number.NaN : Number(nearest[1]);
}

/** Each person followed by the office in a list of officers or under a signature: `Jane Doe 64 President, Chief Executive Officer and Chief Financial Officer`. */
function listedIn(passage: string, { people }: Mentions): [string, string][] {
  return [...passage.matchAll(ANY_SIGN)].flatMap(({ 0: sign, 1: place, index }): [string, string][] => {
    const person = people[Number(place)];
    const from = index + sign.length;
    const found = TITLES_BEHIND.exec(passage.slice(from, from + CHARACTERS_OF_TITLES));
    if (person === undefined || found === null) return [];
    // In boxes of a chart the office behind a name may be the next one's.
    if (person.title === null && !/^\s*[,(\d–—-]/.test(passage.slice(from))) return [];
    // Right before the next name, the last title may belong to that name; `CEO’s Assistant` is none.
    if (/^(?:⟦|['’]s\b)/.test(passage.slice(from + found[0].length))) return [];
    const titles = found.groups?.["titles"] ?? "";
    const parted = titles.replace(FURTHER_WORDS, "").replace(RUN_TOGETHER, "$&,");
    // What follows the name of someone outside the table is theirs.
    const words = parted.split(/\s+/);
    const other = words.findIndex((word, at) => namesAnother(`${word} ${words[at + 1] ?? ""}`));
    const runs = [parted, words.slice(0, other < 0 ? words.length : other).join(" ")];
    const offices = OFFICES.filter((office) => runs.every((run) => officeOfTitle(run, office) !== null));
    return offices.map((office) => [personKey(person.id, office), `${person.name}, ${titles.trim()}`]);
  });
}
