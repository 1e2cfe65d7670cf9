/** Finds whom the text calls principal officer, whether or not the table's titles agree. */
import { OFFICES, type Office } from "../../domain/officer-claims.ts";
import { DESIGNATIONS, OFFICE_POSITIONS, LEGAL_OFFICE_NAMES, OFFICE_NAMES } from "../lexicon/titles.ts";
import { SENTENCES } from "../lexicon/officer-frames.ts";
import { ANY_SIGN, mentionsOf, namesAnother, type TablePerson } from "./sentences.ts";
import { officeOfTitle } from "./titles.ts";

/** The text that gives a person an office, by `personKey`. */
export type OfficesInText = ReadonlyMap<string, string>;

/** @param person the executive id */
export function personKey(person: string, office: Office): string {
  return `${person} ${office}`;
}

/** `executive and financial` means both offices; `accounting` alone means neither. */
const OFFICE_WORDS: Readonly<Record<Office, RegExp>> = { peo: /^exec/i, pfo: /^financ/i };
const PATTERNS = DESIGNATIONS.entries.map(({ pattern }) => new RegExp(pattern.source, "giu"));

/** People whom a sentence expressly designates principal officer. The nearest name counts; no other name may come between. */
export function designatedInText(people: readonly TablePerson[], passages: readonly string[]): OfficesInText {
  const designated = new Map<string, string>();
  if (people.length === 0) return designated;
  const mentions = mentionsOf(people);
  for (const passage of passages) {
    if (!LEGAL_OFFICE_NAMES.has(passage)) continue;
    const named = mentions.replaceIn(passage);
    for (const match of PATTERNS.flatMap((pattern) => [...named.matchAll(pattern)])) {
      const { who, first, second, between } = match.groups ?? {};
      const around = named.slice(Math.max(0, match.index - 300), match.index + match[0].length + 200);
      // A signer holds the office on the filing date, not necessarily in the fiscal year.
      if (namesAnother(between ?? "") || SENTENCES.has(around, "signature")) continue;
      const words = match[0].replace(/⟦(\d+)⟧/g, (_, at) => people[Number(at)]?.name ?? "…");
      const person = people[Number(who)]?.id ?? "";
      for (const office of OFFICES)
        if (OFFICE_WORDS[office].test(first ?? "") || OFFICE_WORDS[office].test(second ?? ""))
          designated.set(personKey(person, office), words);
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
export function officesNamedInText(
  people: readonly TablePerson[],
  passages: readonly string[],
): OfficesInText {
  const mentions = mentionsOf(people);
  const signs = people.length === 0 ? [] : passages.map((passage) => mentions.replaceIn(passage));
  const listed = signs.flatMap((passage) => listedIn(passage, people));
  const called = signs.flatMap((passage) => calledIn(passage, people));
  return new Map([...listed.toReversed(), ...called]);
}

/** Each person whose placeholder is next to the name of an office, with the text. */
function calledIn(passage: string, people: readonly TablePerson[]): [string, string][] {
  return [...passage.matchAll(PRINCIPAL)].flatMap((match) => {
    const person = people[nearestPerson(passage, match.index, match[0])];
    if (person === undefined) return [];
    const words = match[0].replace(/^\(/, "");
    return OFFICES.filter((office) => OFFICE_NAMES.has(words, office)).map((office): [string, string] => [
      personKey(person.id, office),
      `${person.name} (${words})`,
    ]);
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
function listedIn(passage: string, people: readonly TablePerson[]): [string, string][] {
  return [...passage.matchAll(ANY_SIGN)].flatMap(({ 0: sign, 1: place, index }) => {
    const person = people[Number(place)];
    const from = index + sign.length;
    const found = TITLES_BEHIND.exec(passage.slice(from, from + CHARACTERS_OF_TITLES));
    if (person === undefined || found === null) return [];
    // Right before the next name, the last title may belong to that name.
    if (passage.startsWith("⟦", from + found[0].length)) return [];
    const titles = found.groups?.["titles"] ?? "";
    const parted = titles.replace(FURTHER_WORDS, "").replace(RUN_TOGETHER, "$&,");
    return OFFICES.filter((office) => officeOfTitle(parted, office) !== "none").map(
      (office): [string, string] => [personKey(person.id, office), `${person.name}, ${titles.trim()}`],
    );
  });
}
