import { surnameOf } from "../../domain/executive.ts";
import { nameLikeness } from "../table/names.ts";
import { tidy } from "../document/text.ts";

/** Somebody of the table, for finding in running text. */
export interface Known {
  readonly index: number;
  readonly name: string;
  readonly printedName: string;
  readonly title: string | null;
}

/** How the people of the table are named in running text, and the token that stands for one: `⟦0⟧`, or `⟦?⟧` for somebody else behind a title. */
export function mentionsOf(people: readonly Known[]): { pattern: RegExp; token(word: string): string } {
  const exact = new Map<string, number>();
  const surnames = new Map<string, number[]>();
  for (const person of people) {
    const clean = person.name.replace(/,?\s*(?:Jr|Sr|II|III|IV)\.?$/i, "");
    const words = clean.split(" ");
    const last = words.at(-1) ?? "";
    for (const name of [person.name, clean, person.printedName, `${words[0] ?? ""} ${last}`])
      if (name.length > 4) exact.set(fold(name), person.index);
    if (surnameOf(person.name) !== "" && last.length > 1)
      surnames.set(fold(last), [...(surnames.get(fold(last)) ?? []), person.index]);
  }
  const words = [...exact.keys()].sort((a, b) => b.length - a.length).map(escape);
  const families = [...surnames.keys()].map(escape);
  const title = "(?:Mr|Ms|Mrs|Dr|Messrs|Sir)\\.?\\s+";
  // Family names alone count when they are long enough not to be common words; other people in front of a title are a `?`.
  const bare = [...surnames]
    .filter(([name, who]) => who.length === 1 && name.length >= 5)
    .map(([name]) => escape(name));
  const parts = [
    words.join("|"),
    `${title}(?:${families.join("|")})`,
    bare.length === 0 ? "" : `(?<![\\w’'])(?:${bare.join("|")})`,
    `${title}[A-Z][\\w’'-]+`,
  ].filter((part) => part !== "");
  const pattern = new RegExp(`(?<![\\w])(?:${parts.join("|")})(?![\\w])(?:[’']s)?`, "gi");
  return {
    pattern,
    token: (word) => {
      const plain = fold(word.replace(/[’']s$/, ""));
      const known = exact.get(plain);
      if (known !== undefined) return `⟦${known}⟧`;
      const family = surnames.get(plain.replace(/^(?:mr|ms|mrs|dr|messrs|sir)\.?\s+/, ""));
      if (family === undefined) return /^[A-Z]/.test(word) ? "⟦?⟧" : word;
      return family.length === 1 && /^\p{Lu}/u.test(word) ? `⟦${family[0] ?? "?"}⟧` : "⟦?⟧";
    },
  };
}

function fold(name: string): string {
  return tidy(name).toLowerCase().replaceAll("’", "'");
}

/** A name as a pattern: any blank, either apostrophe. */
export function escape(text: string): string {
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

/** Where somebody is named last, by the full name or by its first and last word; -1 for nowhere. */
export function lastMention(text: string, name: string): { at: number; end: number } {
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
