import { surnameOf } from "../../domain/executive.ts";
import { nameLikeness } from "../values/names.ts";
import { tidy } from "../text.ts";

/** Somebody of the table, for finding in running text. */
export interface TablePerson {
  /** The executive id. */
  readonly id: string;
  readonly name: string;
  readonly printedName: string;
  readonly title: string | null;
}

/** Somebody of the table with the years that it prints. */
export interface TableOfficer extends TablePerson {
  /** Titles by year, where the table prints one beside each. */
  readonly titleOf: ReadonlyMap<number, string>;
  readonly years: readonly number[];
  /** The printed totals by year, in hundredths. */
  readonly totals: ReadonlyMap<number, number>;
  /** Years of them that are printed without any amount. */
  readonly blank: readonly number[];
}

/** Finds people in running text. The sign of a person is `⟦0⟧`, by place in the list; `⟦?⟧` is somebody else behind `Mr.`, or one of several. */
export interface Mentions {
  /** The text with a sign for every mention. */
  replaceIn(text: string): string;
  /** The sign of the first mention. */
  firstIn(text: string): string | undefined;
}

/** The sign of somebody, in a text that has them. */
export const ANY_SIGN = /⟦(\d+|\?)⟧/g;

const HONORIFIC = "(?:Mr|Ms|Mrs|Dr|Messrs|Sir)\\.?\\s+";
/** Family names alone count when they are too long to be common words. */
const MIN_SURNAME_ALONE = 5;

/** How the people of the table are named in running text: in full, by first and last name, behind `Mr.`, by a long family name. */
export function mentionsOf(people: readonly TablePerson[]): Mentions {
  const exact = new Map<string, number>();
  const surnames = new Map<string, number[]>();
  for (const [index, person] of people.entries()) {
    const clean = person.name.replace(/,?\s*(?:Jr|Sr|II|III|IV)\.?$/i, "");
    const words = clean.split(" ");
    const last = words.at(-1) ?? "";
    for (const name of [person.name, clean, person.printedName, `${words[0] ?? ""} ${last}`])
      if (name.length > 4) exact.set(fold(name), index);
    if (surnameOf(person.name) !== "" && last.length > 1)
      surnames.set(fold(last), [...(surnames.get(fold(last)) ?? []), index]);
  }
  const given = givenNames(people, surnames);
  const pattern = patternOf([...exact.keys()], given, surnames);
  const sign = (mention: string): string => {
    const plain = fold(mention.replace(/[’']s$/, ""));
    const known = exact.get(plain);
    if (known !== undefined) return `⟦${known}⟧`;
    const short = given.find(({ pattern: name }) => name.test(mention));
    if (short !== undefined) return isShortFor(short.first, mention) ? `⟦${short.index}⟧` : mention;
    const family = surnames.get(plain.replace(/^(?:mr|ms|mrs|dr|messrs|sir)\.?\s+/, ""));
    if (family === undefined) return /^[A-Z]/.test(mention) ? "⟦?⟧" : mention;
    return family.length === 1 && /^\p{Lu}/u.test(mention) ? `⟦${family[0] ?? "?"}⟧` : "⟦?⟧";
  };
  return {
    replaceIn: (text) => text.replace(pattern, sign),
    firstIn(text) {
      pattern.lastIndex = 0;
      const first = pattern.exec(text);
      return first === null ? undefined : sign(first[0]);
    },
  };
}

/** A person whose family name is nobody else's, under longer or shorter first names: `Chris Ryan`, `Christopher J. Ryan`. */
interface GivenName {
  readonly index: number;
  readonly first: string;
  readonly pattern: RegExp;
}

function givenNames(
  people: readonly TablePerson[],
  surnames: ReadonlyMap<string, readonly number[]>,
): GivenName[] {
  return [...surnames].flatMap(([surname, [index = 0, ...others]]) => {
    const first = (people[index]?.name ?? "").split(" ")[0] ?? "";
    if (others.length > 0 || !/^\p{L}{3,}$/u.test(first)) return [];
    const start = escape(first.slice(0, 3));
    return [
      { index, first, pattern: new RegExp(`^${start}\\w*\\s+(?:\\w\\.?\\s+)?${escape(surname)}\\b`, "i") },
    ];
  });
}

/** Whether one first name is the other cut short. `Robert` is not short for `Roberta`. */
export function isShortFor(first: string, mention: string): boolean {
  const named = (mention.split(/\s/)[0] ?? "").toLowerCase();
  const [short = "", long = ""] = [first.toLowerCase(), named].sort((a, b) => a.length - b.length);
  return long.startsWith(short) && (long === short || long.length - short.length > 1);
}

function patternOf(
  names: readonly string[],
  given: readonly GivenName[],
  surnames: ReadonlyMap<string, readonly number[]>,
): RegExp {
  const alone = [...surnames]
    .filter(([name, who]) => who.length === 1 && name.length >= MIN_SURNAME_ALONE)
    .map(([name]) => escape(name));
  const parts = [
    names
      .toSorted((a, b) => b.length - a.length)
      .map(escape)
      .join("|"),
    ...given.map(({ pattern }) => pattern.source.replace(/^\^|\\b$/g, "")),
    `${HONORIFIC}(?:${[...surnames.keys()].map(escape).join("|")})`,
    alone.length === 0 ? "" : `(?<![\\w’'])(?:${alone.join("|")})`,
    `${HONORIFIC}[A-Z][\\w’'-]+`,
  ].filter((part) => part !== "");
  return new RegExp(`(?<![\\w])(?:${parts.join("|")})(?![\\w])(?:[’']s)?`, "gi");
}

function fold(name: string): string {
  return tidy(name).toLowerCase().replaceAll("’", "'");
}

/** A name as a pattern: any blank, either apostrophe. */
function escape(text: string): string {
  return text
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("'", "[’']")
    .replaceAll(" ", "\\s+");
}

/** Whether the words behind somebody's name go on to somebody else's, as in a column of signatures. */
export function namesAnother(text: string): boolean {
  if (/\/s\/|\b(?:along|together) with\b/.test(text)) return true;
  const words = text.replace(/\([^()]*\)/g, " / ").split(/\s+/);
  return words.some(
    (word, at) => /^\p{Lu}[\p{L}'’.-]*$/u.test(word) && nameLikeness(`${word} ${words[at + 1] ?? ""}`) === 2,
  );
}
