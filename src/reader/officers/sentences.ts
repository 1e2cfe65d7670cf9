/** Replaces people in sentences by placeholders: `Ms. Krause` becomes `⟦0⟧`, and so does `she` in the next clause. */
import { ANY_SIGN, type Mentions } from "./mentions.ts";
import { sentencesOf } from "./narrative.ts";
import { OFFICE_NAMES } from "../lexicon/office-names.ts";
import { EVENT } from "../lexicon/officer-frames.ts";
import { SENTENCES } from "../lexicon/sentences.ts";

/** Further sentences are not read. */
export const MAX_SENTENCES = 6000;

/** A clause that names an office and no person. */
const ELLIPTIC = new RegExp(
  `^(?:(?:and|our|the|interim|acting|president|chairman|chair|executive|senior|vice|of the board)[\\s,]+)*(?:co-)?(?:${OFFICE_NAMES.anyOf("i").source})`,
  "i",
);
const YEAR = /(?:19|20)\d\d|\/\d\d\b/;
const PRONOUN =
  /^(?:\W{0,4})(?:He|She)\b|(?<=[,;] |and |until |when |date |which |that |time |before |after |since |while )(?:he|she)\b/g;

/** The sentences of a passage with an event, a year and a person of the table, with placeholders for people; "" for any other sentence. */
export function* eventSentences(passage: string, mentions: Mentions): Generator<string> {
  // The person that `he` in the next sentence means, and the last person of a clause that ended with a semicolon.
  let last: string | undefined;
  let open: string | undefined;
  for (const sentence of sentencesOf(passage)) {
    // Cheap tests first: most sentences do not date an office.
    if (!YEAR.test(sentence) || (open === undefined && !EVENT.test(sentence))) {
      last = mentions.firstIn(sentence) ?? last;
      open = undefined;
      yield "";
      continue;
    }
    const own = mentions.replaceIn(sentence);
    const named = open !== undefined && ELLIPTIC.test(own) ? `${open} served as ${own}` : own;
    open = sentence.endsWith(";") ? lastPerson(named) : undefined;
    const before = last;
    // `he` means the last person named in this sentence, else in the one before.
    const resolved = named.replace(
      PRONOUN,
      (word, at: number) => lastPerson(named.slice(0, at)) ?? before ?? word,
    );
    last = named.match(ANY_SIGN)?.[0] ?? last;
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
