import { surnameOf } from "../../domain/executive.ts";
import { nameLikeness } from "../values/names.ts";
import { tidy } from "../text.ts";

/** A person of the table, to be found in running text. */
export interface TablePerson {
  /** The executive id. */
  readonly id: string;
  readonly name: string;
  readonly printedName: string;
  readonly title: string | null;
}

/** A person of the table with the years printed for them. */
export interface TableOfficer extends TablePerson {
  /** Titles by year, if the table prints one next to each. */
  readonly titleOf: ReadonlyMap<number, string>;
  readonly years: readonly number[];
  /** The printed totals by year, in hundredths. */
  readonly totals: ReadonlyMap<number, number>;
  /** Years printed without any amount. */
  readonly blank: readonly number[];
}

/** Finds people in running text. A person's placeholder is `⟦0⟧`, the index in the list; `⟦?⟧` is another person after `Mr.`, or an ambiguous name. */
export interface Mentions {
  /** Replaces every mention by its placeholder. */
  replaceIn(text: string): string;
  /** The placeholder of the first mention. */
  firstIn(text: string): string | undefined;
}

/** A person's placeholder. */
export const ANY_SIGN = /⟦(\d+|\?)⟧/g;

const HONORIFIC = "(?:Mr|Ms|Mrs|Dr|Messrs|Sir)\\.?\\s+";
const LEADING_HONORIFIC = new RegExp(`^${HONORIFIC}`, "i");
/** A family name alone counts if it is too long to be a common word. */
const MIN_SURNAME_ALONE = 5;

/** Recognizes people of the table by full name, by first and last name, after `Mr.`, or by a long family name. */
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
    const family = surnames.get(plain.replace(LEADING_HONORIFIC, ""));
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

/** A person with a unique family name, under a longer or shorter first name: `Chris Ryan`, `Christopher J. Ryan`. */
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

/** Whether one first name is a shortened form of the other. `Robert` is not short for `Roberta`. */
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
