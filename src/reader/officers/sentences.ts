/** Replaces people in sentences by placeholders: `Ms. Krause` becomes `⟦0⟧`, and so does `she` in the next clause. */
import { ANY_SIGN, type Mentions } from "./mentions.ts";
import { sentencesOf } from "./narrative.ts";
import { nameLikeness } from "../values/names.ts";
import { OFFICE_NAMES } from "../lexicon/office-names.ts";
import { EVENT } from "../lexicon/officer-frames.ts";
import { SENTENCES } from "../lexicon/sentences.ts";

/** Further sentences are not read. */
export const MAX_SENTENCES = 6000;

/** The placeholder of a person who is not in the table. */
const UNKNOWN = "⟦?⟧";
/** A clause that names an office and no person. */
const ELLIPTIC = new RegExp(
  `^(?:(?:and|our|the|interim|acting|president|chairman|chair|executive|senior|vice|of the board)[\\s,]+)*(?:co-)?(?:${OFFICE_NAMES.anyOf("i").source})`,
  "i",
);
/** `he` or `she` by placeholder, of people whom the document calls Mr. or Ms. */
export type Pronouns = ReadonlyMap<string, string>;

/** The pronoun of each person of the table, if the document's honorifics agree on one. */
export function pronounsIn(passages: readonly string[], mentions: Mentions): Pronouns {
  const found = new Map<string, Set<string>>();
  for (const passage of passages)
    for (const [mention, honorific] of passage.matchAll(/\b(Mr|Ms|Mrs)\.\s+\p{Lu}[\p{L}’'-]+/gu)) {
      const person = mentions.firstIn(mention) ?? UNKNOWN;
      found.set(person, (found.get(person) ?? new Set()).add(honorific === "Mr" ? "he" : "she"));
    }
  return new Map(
    [...found].flatMap(([person, [pronoun, ...others]]) =>
      pronoun === undefined || others.length > 0 || person === UNKNOWN ? [] : [[person, pronoun] as const],
    ),
  );
}

const YEAR = /(?:19|20)\d\d|\/\d\d\b/;
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

/** The sentences of a passage with an event, a year and a person of the table, with placeholders for people; "" for any other sentence. */
export function* eventSentences(
  passage: string,
  mentions: Mentions,
  pronouns: Pronouns = new Map(),
): Generator<string> {
  // The person that `he` in the next sentence means, and the last person of a clause that ended with a semicolon.
  let last: string | undefined;
  let open: string | undefined;
  for (const sentence of sentencesOf(passage)) {
    // Cheap tests first: most sentences do not date an office.
    if (!YEAR.test(sentence) || (open === undefined && !EVENT.test(sentence))) {
      last = subjectOf(sentence, mentions) ?? last;
      open = undefined;
      yield "";
      continue;
    }
    const own = mentions.replaceIn(sentence);
    const named = open !== undefined && ELLIPTIC.test(own) ? `${open} served as ${own}` : own;
    open = sentence.endsWith(";") ? lastPerson(named) : undefined;
    const subject = subjectOf(sentence, mentions);
    const before = last;
    // `he` means the last person named in this sentence, else in the one before.
    const resolved = named.replace(PRONOUN, (word, at: number) => {
      const person = lastPerson(named.slice(0, at)) ?? before ?? word;
      const known = pronouns.get(person);
      return known === undefined || word.toLowerCase().replace(/\W/g, "") === known ? person : UNKNOWN;
    });
    last = subject === UNKNOWN ? UNKNOWN : (named.match(ANY_SIGN)?.[0] ?? last);
    yield isEligible(resolved) ? resolved : "";
  }
}

function lastPerson(text: string): string | undefined {
  return text.match(ANY_SIGN)?.at(-1);
}

function isEligible(sentence: string): boolean {
  if (!YEAR.test(sentence) || !/⟦\d/.test(sentence) || SENTENCES.has(sentence, "undecided")) return false;
  return !SENTENCES.has(sentence, "elsewhere") || SENTENCES.has(sentence, "here after all");
}
