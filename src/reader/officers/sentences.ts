/** Replaces people in sentences by placeholders: `Ms. Krause` becomes `⟦0⟧`, and so does `she` in the next clause. */
import { elementAt } from "../../lib/checked-access.ts";
import { surnameOf } from "../../domain/executive.ts";
import { EVENT, SENTENCES } from "../lexicon/officer-frames.ts";
import { OFFICE_NAMES } from "../lexicon/titles.ts";
import { ANY_DATE } from "../lexicon/years.ts";
import { sliceBetweenTags, stripTags, tidy } from "../clean-text.ts";
import { nameLikeness } from "../values/names.ts";

export const MAX_SENTENCES = 6000;

/** The placeholder of a person who is not in the table. */
const UNKNOWN = "⟦?⟧";
/** A clause that names an office and no person. */
const ELLIPTIC = new RegExp(
  `^(?:(?:and|our|the|interim|acting|president|chairman|chair|executive|senior|vice|of the board)[\\s,]+)*(?:co-)?(?:${OFFICE_NAMES.anyOf("i").source})`,
  "i",
);

/** The pronoun, `he` or `she`, of each person of the table by placeholder; "" if the document's honorifics (Mr., Ms.) do not agree on one. */
export function pronounsIn(passages: readonly string[], mentions: Mentions): Map<string, string> {
  const pronouns = new Map<string, string>();
  for (const passage of passages)
    for (const [mention, honorific] of passage.matchAll(/\b(Mr|Ms|Mrs)\.\s+\p{Lu}[\p{L}’'-]+/gu)) {
      const person = mentions.firstIn(mention) ?? UNKNOWN;
      const pronoun = honorific === "Mr" ? "he" : "she";
      pronouns.set(person, pronouns.getOrInsert(person, pronoun) === pronoun ? pronoun : "");
    }
  return pronouns;
}

export const YEAR = /(?:19|20)\d\d|\/\d\d\b/;
const PRONOUN =
  /^(?:\W{0,4})(?:He|She)\b|(?<=[,;] |and |until |when |date |which |that |time |before |after |since |while )(?:he|she)\b/g;

/** Someone who is not in the table, as the subject of a sentence: `Dana (Dee) Frost has been`, `Dana Frost, 51,`. */
const STRANGER =
  /^(?:(?:Mr|Ms|Mrs|Dr)\.?\s+)?(?<name>\p{Lu}[\p{L}.’'-]*(?:\s+(?:\(\p{Lu}\p{L}*\)|\p{Lu}[\p{L}.’'-]*)){1,4}),?\s+(?:\(?\d\d\b|age\b|has\b|had\b|is\b|was\b|joined\b|serve[sd]\b|currently\b|previously\b|who\b)/u;

/** The placeholder of whoever a sentence is about: someone of the table, or `⟦?⟧`; undefined if it names nobody. */
function subjectOf(sentence: string, mentions: Mentions): string | undefined {
  const name = STRANGER.exec(sentence)?.groups?.["name"];
  const first = mentions.firstIn(sentence);
  if (name === undefined || nameLikeness(name) !== 2) return first;
  return mentions.firstIn(name) ?? UNKNOWN;
}

/** Words right before an office that somebody holds, held or will hold. */
export const HOLDS =
  /\b(?:serv(?:ed|es|ing)|act(?:ed|s|ing)|was|been|held|performed|functioned|assum(?:ed|es)|former(?:ly)?|then|prior|previous(?:ly)?|interim)\b/i;
const ANY_OFFICE = new RegExp(`\\b(?:${OFFICE_NAMES.anyOf("i").source})`, "i");

/** `prior to that date`, at the beginning of a sentence also about the one before it. */
const BACK =
  /\b(?:prior to|before|until)\s+(?:that|this|then|such)(?:\s+(?:date|time|day|point|appointment|promotion|change|role|position))?(?=[,.;]|\s+(?:he|she|they|⟦|Mr|Ms))/i;
const OUR_OFFICE = /\b(?:our|the Company(?:[’']s)?|its)\b/;
/** `Mr. Santos previously held the role`: that of the sentence before. */
const HELD_ROLE =
  /^(.{3,60}?)\s+(?:had\s+)?(?:previously|formerly)\s+(?:held|served in|occupied)\s+(?:the|that|this)\s+(?:role|position|office)\b/;

/** A sentence with the date or role that it refers back to filled in; unchanged if that is ambiguous. */
function pointedBack(sentence: string, before: string): string {
  const holder = YEAR.test(sentence) ? undefined : HELD_ROLE.exec(sentence)?.[1];
  if (holder !== undefined) return `${before.replace(/[.;]$/, "")}, a role previously held by ${holder}.`;
  const back = BACK.exec(sentence);
  if (back === null || !OUR_OFFICE.test(sentence)) return sentence;
  const own = sentence.slice(0, back.index);
  const date = lastStart(YEAR.test(own) ? own : before);
  return date === undefined ? sentence : sentence.replace(BACK, `until ${date}`);
}

/** The last date of a text, unless it ends something: `until July 2024`. */
function lastStart(text: string): string | undefined {
  const last = [...text.matchAll(ANY_DATE)].at(-1);
  const isEnd =
    last === undefined ||
    /\b(?:until|through|to|between|and)\s+(?:\w+\s+)?$/i.test(text.slice(0, last.index));
  return isEnd ? undefined : last[0];
}

/** The sentences of a passage that can give a person of the table an office, with placeholders for people; "" for any other sentence. */
export function* eventSentences(
  passage: string,
  mentions: Mentions,
  pronouns: ReadonlyMap<string, string> = new Map(),
) {
  // The person that `he` in the next sentence means, and the last person of a clause that ended with a semicolon.
  let last: string | undefined;
  let open: string | undefined;
  let previous = "";
  for (const printed of sentencesOf(passage)) {
    const sentence = pointedBack(printed, previous);
    previous = printed;
    const subject = subjectOf(sentence, mentions);
    const before = last;
    last = subject ?? last;
    // Cheap tests first: most sentences give nobody an office.
    const isDated = YEAR.test(sentence) && (open !== undefined || EVENT.test(sentence));
    if (!isDated && !(HOLDS.test(sentence) && ANY_OFFICE.test(sentence))) {
      open = undefined;
      yield "";
      continue;
    }
    const own = mentions.replaceIn(sentence);
    const named = open !== undefined && ELLIPTIC.test(own) ? `${open} served as ${own}` : own;
    open = sentence.endsWith(";") ? lastPerson(named) : undefined;
    // `he` means the last person named in this sentence, else in the one before.
    const resolved = named.replace(PRONOUN, (word, at: number) => {
      const person = lastPerson(named.slice(0, at)) ?? before ?? word;
      const expected = pronouns.get(person) || undefined;
      return expected === undefined || word.toLowerCase().replace(/\W/g, "") === expected ? person : UNKNOWN;
    });
    yield isEligible(resolved) ? resolved : "";
  }
}

function lastPerson(text: string): string | undefined {
  return text.match(ANY_SIGN)?.at(-1);
}

function isEligible(sentence: string): boolean {
  if (!/⟦\d/.test(sentence) || SENTENCES.has(sentence, "undecided")) return false;
  return !SENTENCES.has(sentence, "elsewhere") || SENTENCES.has(sentence, "here after all");
}

/** A person of the table, to be found in running text. */
export interface TablePerson {
  /** The executive id. */
  readonly id: string;
  readonly name: string;
  readonly printedName: string;
  readonly title: string | null;
}

/** A year printed for a person. */
interface OfficerYear {
  /** The title next to it, if the table prints several for one person. */
  readonly title?: string | undefined;
  /** The printed total in hundredths, if the year is a whole one. */
  readonly total?: number | undefined;
  /** Whether any amount is printed. */
  readonly isPaid: boolean;
}

/** A person of the table with the years printed for them. */
export interface TableOfficer extends TablePerson {
  readonly years: ReadonlyMap<number, OfficerYear>;
}

/**
 * Finds people in running text. A person's placeholder is `⟦0⟧`, the index in the list; `⟦?⟧` is another person after `Mr.`, or an
 * ambiguous name.
 */
export type Mentions = ReturnType<typeof mentionsOf>;

/** A person's placeholder. */
export const ANY_SIGN = /⟦(\d+|\?)⟧/g;

const HONORIFIC = "(?:Mr|Ms|Mrs|Dr|Messrs|Sir)\\.?\\s+";
const LEADING_HONORIFIC = new RegExp(`^${HONORIFIC}`, "i");
/** A family name alone counts if it is too long to be a common word. */
const MIN_SURNAME_ALONE = 5;

/** Recognizes people of the table by full name, by first and last name, after `Mr.`, or by a long family name. */
export function mentionsOf(people: readonly TablePerson[]) {
  const exact = new Map<string, number>();
  const surnames = new Map<string, number[]>();
  for (const [index, { name, printedName }] of people.entries()) {
    const clean = name.replace(/,?\s*(?:Jr|Sr|II|III|IV)\.?$/i, "");
    const last = clean.split(" ").at(-1) ?? "";
    for (const spelling of [name, clean, printedName, `${firstName(clean)} ${last}`])
      if (spelling.length > 4) exact.set(fold(spelling), index);
    if (surnameOf(name) !== "" && last.length > 1) surnames.getOrInsert(fold(last), []).push(index);
  }
  const names = [...exact.keys()].toSorted((a, b) => b.length - a.length);
  const unique = [...surnames].flatMap(([surname, [index, ...others]]) =>
    index === undefined || others.length > 0
      ? []
      : [{ surname, first: firstName(elementAt(people, index).name) }],
  );
  const alternatives = [
    ...names.map(escape),
    // Under a longer or shorter first name: `Chris Ryan`, `Christopher J. Ryan`
    ...unique
      .filter(({ first }) => /^\p{L}{3,}$/u.test(first))
      .map(({ surname, first }) => `${first.slice(0, 3)}\\w*\\s+(?:\\w\\.?\\s+)?${escape(surname)}`),
    `${HONORIFIC}(?:${[...surnames.keys()].map(escape).join("|")})`,
    ...unique
      .filter(({ surname }) => surname.length >= MIN_SURNAME_ALONE)
      .map(({ surname }) => `(?<![\\w’'])${escape(surname)}`),
    `${HONORIFIC}[A-Z][\\w’'-]+`,
  ];
  const pattern = new RegExp(`(?<![\\w])(?:${alternatives.join("|")})(?![\\w])(?:[’']s)?`, "gi");
  const sign = (mention: string): string => {
    const plain = fold(mention.replace(/[’']s$/, ""));
    const family = plain.replace(LEADING_HONORIFIC, "").split(" ").at(-1) ?? "";
    const [index, ...others] = surnames.get(family) ?? [];
    const whole = exact.get(plain);
    if (whole !== undefined) return `⟦${whole}⟧`;
    if (index === undefined) return /^[A-Z]/.test(mention) ? "⟦?⟧" : mention;
    const isUnique = others.length === 0;
    if (plain.includes(" ") && !LEADING_HONORIFIC.test(plain))
      return isUnique && isShortFor(firstName(elementAt(people, index).name), mention)
        ? `⟦${index}⟧`
        : mention;
    return isUnique && /^\p{Lu}/u.test(mention) ? `⟦${index}⟧` : "⟦?⟧";
  };
  return {
    people,
    /** Replaces every mention by its placeholder. */
    replaceIn: (text: string): string => text.replace(pattern, sign),
    /** The placeholder of the first mention. */
    firstIn(text: string): string | undefined {
      pattern.lastIndex = 0;
      const first = pattern.exec(text);
      return first === null ? undefined : sign(first[0]);
    },
  };
}

function firstName(name: string): string {
  return name.split(/\s/)[0] ?? "";
}

/** Whether one first name is a shortened form of the other. `Robert` is not short for `Roberta`. */
export function isShortFor(first: string, mention: string): boolean {
  const [one, other] = [first.toLowerCase(), firstName(mention).toLowerCase()];
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) && long.length - short.length !== 1;
}

function fold(name: string): string {
  return tidy(name).toLowerCase().replaceAll("’", "'");
}

/** A name as a pattern: any whitespace, either apostrophe. */
function escape(text: string): string {
  return text
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("'", "[’']")
    .replaceAll(" ", "\\s+");
}

/** Whether text contains another person's name, as in a column of signatures. */
export function namesAnother(text: string): boolean {
  if (/\/s\/|\b(?:along|together) with\b/.test(text)) return true;
  const words = text.replace(/\([^()]*\)/g, " / ").split(/\s+/);
  return words.some(
    (word, at) => /^\p{Lu}[\p{L}'’.-]*$/u.test(word) && nameLikeness(`${word} ${words[at + 1] ?? ""}`) === 2,
  );
}

/** Words that name the two offices or the end of a fiscal year. */
const ANCHOR =
  /(?:chief|principal)(?:\s|&nbsp;|&#160;|&#xa0;|<[^<>]{0,120}>){1,12}(?:executive|financial)|\b[CP][EF]O\b|\ban (?:executive )?officer of\b|fiscal(?:\s|&nbsp;|&#160;){1,4}years?(?:\s|&nbsp;|&#160;){1,4}ended/gi;
const BEFORE = 1500;
const AFTER = 1500;
const MAX_CHARACTERS = 3_000_000;
/** Length at which overlapping passages are cut. */
const MAX_AT_ONCE = 200_000;

/** The passages of a document about its chief executive or financial officer, as plain text in document order. */
export function readNarrative(text: string): string[] {
  const passages: { from: number; to: number }[] = [];
  for (const { index } of text.matchAll(ANCHOR)) {
    const from = Math.max(0, index - BEFORE);
    const to = Math.min(text.length, index + AFTER);
    const last = passages.at(-1);
    if (last !== undefined && from <= last.to && last.to - last.from < MAX_AT_ONCE) last.to = to;
    else passages.push({ from: Math.max(from, last?.to ?? 0), to });
  }
  let taken = 0;
  return passages.flatMap(({ from, to }) => {
    if (taken > MAX_CHARACTERS) return [];
    taken += to - from;
    // The end of a table does not continue in the sentence after it.
    return stripTags(sliceBetweenTags(text, from, to).replace(/<\/?table\b/gi, " • $&"));
  });
}

const ABBREVIATION = /\b(Mr|Mrs|Ms|Dr|Messrs|Jr|Sr|Inc|Corp|Co|Ltd|No|St|[A-Z])\.(?=\s)/g;

/** Splits running text into sentences, ignoring the full stops of `Mr.` and initials. */
export function sentencesOf(passage: string): string[] {
  return passage
    .replace(ABBREVIATION, "$1\u0001")
    .split(/(?<=[.;!?”"])\s+(?:•\s+)*(?=[A-Z(“"\d⟦])|(?<=;)\s+and\s+(?=[\p{Lu}⟦])|\s•\s/u)
    .map((sentence) => sentence.replaceAll("\u0001", "."))
    .filter((sentence) => sentence.length > 8 && sentence.length < 1500);
}
