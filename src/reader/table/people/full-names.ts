import { displayName } from "../../../domain/executive.ts";
import { COST, MAX_PEOPLE, type Work } from "../../parsed-filing.ts";
import { letters, stripTags } from "../../clean-text.ts";
import { cleanName, hasTitleWord, nameLikeness } from "../../values/names.ts";
import type { Located } from "../grid/grid.ts";
import type { Person } from "./people.ts";

/** Characters of the document that are searched for full names. */
const MAX_TEXT = 8_000_000;
/** Occurrences of one word that are examined. */
const MAX_PLACES = 5000;
/** Characters before a family name that can contain first names. */
const MAX_NAME = 120;

/**
 * Finds in the text the full names of people whom the table gives one word: a family name (`Hininger`, 0001140361-26-012100) or
 * a name without its space (`HechunWei`). A person with a namesake in the text stays unnamed.
 */
export function completeNames(people: readonly Person[], { text, work }: Located): readonly Person[] {
  const short = people.filter((person) => person.name === "" && wordOf(person) !== "").slice(0, MAX_PEOPLE);
  if (short.length === 0) return people;
  const words = stripTags(text.slice(0, MAX_TEXT));
  return people.map((person) => {
    const word = short.includes(person) ? wordOf(person) : "";
    const full = word === "" ? undefined : fullName(word, words, work);
    if (full === undefined) return person;
    const title = (person.title ?? "").slice(word.length).replace(/^[\s,;:–—-]+/, "") || null;
    return { ...person, name: displayName(full), printedName: word, title, clear: true };
  });
}

/** The single word printed for a name, alone or right before a title; "" if there is none. */
function wordOf({ title }: Person): string {
  const found = /^(\p{Lu}[\p{L}'’-]{2,})(?:[\s,;:–—-]+(\S+))?/u.exec(cleanName(title ?? ""));
  const [, word = "", next] = found ?? [];
  return hasTitleWord(word) || (next !== undefined && !hasTitleWord(next)) ? "" : word;
}

/** One to three capitalized words at the end of text. */
const NAMES_BEFORE = /(?<![\p{L}.’'-])(?:\p{Lu}[\p{L}.’'-]*\s+){1,3}$/u;

/** The only full name in the text that ends with the word, or equals it but for a space. */
function fullName(word: string, text: string, work: Work): string | undefined {
  const parts = /^(\p{Lu}\p{Ll}+)(\p{Lu}\p{Ll}+)$/u.exec(word);
  if (parts !== null && text.includes(`${parts[1]} ${parts[2]}`)) return `${parts[1]} ${parts[2]}`;
  const found = new Map<string, string>();
  for (const { index: at } of text.matchAll(new RegExp(RegExp.escape(word), "g")).take(MAX_PLACES)) {
    work.spend(COST.cell);
    const end = at + word.length;
    const before = NAMES_BEFORE.exec(text.slice(Math.max(0, at - MAX_NAME), at))?.[0];
    if (before === undefined || /^\w/.test(text.slice(end, end + 1))) continue;
    const suffix = /^(?:,? (?:Jr|Sr)\.|,? I{2,3}\b)/.exec(text.slice(end, end + 8))?.[0] ?? "";
    const name = nameAtEnd(`${before}${word}${suffix}`);
    if (name === undefined) continue;
    const key = letters(name.split(/\s+/)[0] ?? "");
    // The longest spelling, with the initial if it is ever given.
    if (name.length > (found.get(key)?.length ?? 0)) found.set(key, name);
  }
  return found.size === 1 ? [...found.values()][0] : undefined;
}

/** The name at the end of a run of capitalized words, after the end of a sentence or `Mr.` */
function nameAtEnd(run: string): string | undefined {
  const words = run.split(/\s+/);
  const from = words.findLastIndex((word) => /\p{L}{2}\.$/u.test(word)) + 1;
  for (let at = from; at < words.length - 1; at++) {
    const name = words.slice(at).join(" ");
    if (nameLikeness(name) === 2 && !hasTitleWord(name)) return name;
  }
  return undefined;
}
