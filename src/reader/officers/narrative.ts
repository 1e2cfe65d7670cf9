import { stripTags, sliceBetweenTags } from "../text.ts";

/** Passages of running text around the words that name the two offices. */
const ANCHOR =
  /(?:chief|principal)(?:\s|&nbsp;|&#160;|&#xa0;|<[^<>]{0,120}>){1,12}(?:executive|financial)|\b[CP][EF]O\b|\ban (?:executive )?officer of\b|fiscal(?:\s|&nbsp;|&#160;){1,4}years?(?:\s|&nbsp;|&#160;){1,4}ended/gi;
const BEFORE = 1500;
const AFTER = 1500;
const MAX_CHARACTERS = 3_000_000;
/** Passages that run into each other are cut here. */
const MAX_AT_ONCE = 200_000;

/** The passages of a document that speak of its chief executive or financial officer, as plain text in document order. */
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
  const anchors = new RegExp(ANCHOR.source, "gi");
  for (let found = anchors.exec(text); found !== null; found = anchors.exec(text)) {
    const start = Math.max(0, found.index - BEFORE);
    const end = Math.min(text.length, found.index + AFTER);
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

/** Splits running text into sentences; the full stops of `Mr.` and initials do not end one. */
export function sentencesOf(passage: string): string[] {
  return passage
    .replace(ABBREVIATION, "$1\u0001")
    .split(/(?<=[.;!?”"])\s+(?:•\s+)*(?=[A-Z(“"\d⟦])|\s•\s/)
    .map((sentence) => sentence.replaceAll("\u0001", "."))
    .filter((sentence) => sentence.length > 8 && sentence.length < 1500);
}
