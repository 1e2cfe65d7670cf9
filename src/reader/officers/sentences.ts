/** Sentences of running text with their people as signs: `Ms. Krause` is `⟦0⟧`, and so is the `she` of the next clause. */
import { ANY_SIGN, type Mentions } from "./mentions.ts";
import { sentencesOf } from "./narrative.ts";
import { OFFICE_NAMES } from "../lexicon/office-names.ts";
import { EVENT } from "../lexicon/officer-frames.ts";
import { SENTENCES } from "../lexicon/sentences.ts";

/** Sentences beyond this are not looked at. */
export const MAX_SENTENCES = 6000;

/** A clause that names an office and nobody. */
const ELLIPTIC = new RegExp(
  `^(?:(?:and|our|the|interim|acting|president|chairman|chair|executive|senior|vice|of the board)[\\s,]+)*(?:co-)?(?:${OFFICE_NAMES.anyOf("i").source})`,
  "i",
);
const YEAR = /(?:19|20)\d\d|\/\d\d\b/;
const PRONOUN =
  /^(?:\W{0,4})(?:He|She)\b|(?<=[,;] |and |until |when |date |which |that |time |before |after |since |while )(?:he|she)\b/g;

/** The sentences of a passage that have an event, a year and somebody of the table, with signs for people. */
export function* eventSentences(passage: string, mentions: Mentions): Generator<string> {
  // Whom `he` in the next sentence means, and who was named last in a clause that ended with a semicolon.
  let last: string | undefined;
  let open: string | undefined;
  for (const sentence of sentencesOf(passage)) {
    // Cheap tests first: most sentences date no office at all.
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
    // Whom `he` means is whoever this sentence named last, else the one before.
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
