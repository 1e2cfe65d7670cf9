/** Whom the text itself calls principal officer, in place of a title of the table or against one. */
import { OFFICES, type Office } from "../../domain/officer-claims.ts";
import { DESIGNATIONS, OFFICE_POSITIONS } from "../lexicon/designations.ts";
import { LEGAL_OFFICE_NAMES, OFFICE_NAMES } from "../lexicon/office-names.ts";
import { SENTENCES } from "../lexicon/sentences.ts";
import { mentionsOf, nameAround, namesAnother, type TablePerson } from "./mentions.ts";
import { officeOfTitle } from "./titles.ts";

/** The words that give a person an office, by `personKey`. */
export type OfficesInText = ReadonlyMap<string, string>;

/** @param person the executive id */
export function personKey(person: string, office: Office): string {
  return `${person} ${office}`;
}

/** `executive and financial` are both offices; `accounting` alone is neither. */
const OFFICE_WORDS: Readonly<Record<Office, RegExp>> = { peo: /^exec/i, pfo: /^financ/i };
const PATTERNS = DESIGNATIONS.entries.map(({ pattern }) => new RegExp(pattern.source, "giu"));

/** Whom a sentence expressly makes principal officer; the nearest name counts, and nobody's name may stand between. */
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
      // Who signs bears the office on the day of the filing, not in its fiscal year.
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
/** A bracket may stand farther from a signature. */
const CHARACTERS_BEFORE_BRACKET = 220;

/**
 * Whom the text calls principal officer right behind a name (`(Principal Executive Officer)` under a signature), or names with
 * the office in a list of officers. Weaker than a designation: for tables whose titles leave an office open.
 */
export function officesNamedInText(
  people: readonly TablePerson[],
  passages: readonly string[],
): OfficesInText {
  const named = new Map<string, string>();
  const names = people.map((person) => ({ person, pattern: nameAround(person.name) }));
  for (const passage of passages) {
    for (const match of passage.matchAll(PRINCIPAL)) {
      const nearest = nearestName(names, passage, match.index, match[0]);
      if (nearest === undefined) continue;
      const words = match[0].replace(/^\(/, "");
      for (const office of OFFICES)
        if (OFFICE_NAMES.has(words, office))
          named.set(personKey(nearest.id, office), `${nearest.name} (${words})`);
    }
  }
  listedInText(names, passages, named);
  return named;
}

interface Name {
  readonly person: TablePerson;
  readonly pattern: RegExp;
}

function nearestName(
  names: readonly Name[],
  passage: string,
  at: number,
  words: string,
): TablePerson | undefined {
  const end = at + words.length;
  const behind = passage.slice(end, end + CHARACTERS_BEHIND);
  const follows = OFFICE_POSITIONS.has(behind, "name follows");
  const isBracket = words.startsWith("(");
  const reach = isBracket ? CHARACTERS_BEFORE_BRACKET : CHARACTERS_BEFORE;
  const around = follows ? behind : passage.slice(Math.max(0, at - reach), at);
  const [nearest] = names
    .flatMap(({ person, pattern }) => {
      const last = [...around.matchAll(pattern)].at(-1);
      return last === undefined ? [] : [{ person, at: last.index, end: last.index + last[0].length }];
    })
    .toSorted((a, b) => (follows ? a.at - b.at : b.at - a.at));
  if (nearest === undefined || follows) return nearest?.person;
  // Out of brackets the office belongs to a name of the same sentence.
  if (!isBracket && OFFICE_POSITIONS.has(around.slice(nearest.at), "new sentence")) return undefined;
  return namesAnother(around.slice(nearest.end)) ? undefined : nearest.person;
}

const TITLES_BEHIND = OFFICE_POSITIONS.anyOf("", "titles behind a name");
const FURTHER_WORDS = OFFICE_POSITIONS.anyOf("", "end of titles");
const RUN_TOGETHER = OFFICE_POSITIONS.anyOf("g", "next title follows");
const CHARACTERS_OF_TITLES = 170;

/** Whose name is followed by the office in a list of officers or under a signature: `Jane Doe 64 President, Chief Executive Officer and Chief Financial Officer`. */
function listedInText(names: readonly Name[], passages: readonly string[], named: Map<string, string>): void {
  const surnames = names.map(({ person }) => person.name.split(" ").at(-1) ?? " ");
  for (const [index, { person, pattern }] of names.entries()) {
    for (const passage of passages) {
      for (const match of passage.matchAll(pattern)) {
        const from = match.index + match[0].length;
        const titles = TITLES_BEHIND.exec(passage.slice(from, from + CHARACTERS_OF_TITLES))?.groups?.[
          "titles"
        ];
        if (titles === undefined || surnames.some((other, at) => at !== index && titles.includes(other)))
          continue;
        const parted = titles.replace(FURTHER_WORDS, "").replace(RUN_TOGETHER, "$&,");
        for (const office of OFFICES) {
          const key = personKey(person.id, office);
          if (officeOfTitle(parted, office) !== "none" && !named.has(key))
            named.set(key, `${person.name}, ${titles.trim()}`);
        }
      }
    }
  }
}
