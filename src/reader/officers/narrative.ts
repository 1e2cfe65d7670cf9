import { stripTags, sliceBetweenTags } from "../text.ts";

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
  const passages: string[] = [];
  let from = -1;
  let to = -1;
  let taken = 0;
  const flush = (): void => {
    if (from < 0 || taken > MAX_CHARACTERS) return;
    taken += to - from;
    // The end of a table does not continue in the sentence after it.
    const whole = sliceBetweenTags(text, from, to).replace(/<\/?table\b/gi, " • $&");
    passages.push(stripTags(whole));
  };
  for (const { index } of text.matchAll(ANCHOR)) {
    const start = Math.max(0, index - BEFORE);
    const end = Math.min(text.length, index + AFTER);
    if (from >= 0 && start <= to && to - from < MAX_AT_ONCE) {
      to = end;
      continue;
    }
    flush();
    from = Math.max(start, to);
    to = end;
  }
  flush();
  return passages;
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
