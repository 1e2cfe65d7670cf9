import { ownName } from "../../domain/office.ts";
import { mentionsOf, type Known } from "./mentions.ts";
import { sentencesOf } from "./narrative.ts";
import { EVENT, RULES } from "./term-rules.ts";
import { tidy } from "../document/text.ts";
import { readDate } from "../table/years.ts";

/** The time that a sentence gives for somebody's office; at least one end is given. */
export interface DatedSpan {
  readonly person: number;
  readonly office: "peo" | "pfo";
  readonly start: string | null;
  /** The latest day that `start` can mean: the same for a day, the last one for a month or a year. */
  readonly startBy: string | null;
  readonly end: string | null;
  /** The earliest day that `end` can mean. */
  readonly endFrom: string | null;
  /** The sentence says that the office is still held: `has served as … since`. */
  readonly lasts: boolean;
  readonly text: string;
}

interface Dated {
  first: string;
  last: string;
}

const OFFICE =
  /\b(?:chief executive officer|chief executive|CEO|principal executive officer|PEO)\b|\b(?:chief (?:\w+ and )?financial(?: and \w+)? officer|CFO|PFO|principal financial(?: and accounting)? officer)\b/gi;
const DATE_WORDS =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(?:\d{1,2}\s*,?\s*)?(?:of\s+)?(?:19|20)\d\d\b|\b\d{1,2}\/\d{1,2}\/(?:(?:19|20)\d\d|\d\d)\b|\b(?:19|20)\d\d\b/gi;

/** A clause that names an office and nobody. */
const ELLIPTIC =
  /^(?:(?:and|our|the|interim|acting|president|chairman|chair|executive|senior|vice|of the board)[\s,]+)*(?:co-)?(?:chief executive|chief financial|principal (?:executive|financial)|CEO\b|CFO\b)/i;

const ANYBODY = /⟦(?:\d+|\?)⟧/g;
const MOST_SENTENCES = 6000;
/** Eleven is the most that a sentence of the filings at hand has; without a bound damaged text would cost seconds. */
const MOST_OFFICES = 12;

/** Finds, in passages of running text and in the titles, when the people of the table held the two offices. */
export function readSpans(
  passages: readonly string[],
  people: readonly Known[],
  companyWords: readonly string[],
): DatedSpan[] {
  if (people.length === 0) return [];
  const mentions = mentionsOf(people);
  const spans: DatedSpan[] = [];
  for (const person of people) {
    if (person.title === null || !/(?:19|20)\d\d|\/\d\d\b/.test(person.title)) continue;
    const ended = /\b(?:until|through|former|to)\b/i.test(person.title);
    readSentence(`⟦${person.index}⟧ ${ended ? "served as" : "became"} ${person.title}`, companyWords, spans);
  }
  let count = 0;
  for (const passage of passages) {
    let last: string | undefined;
    // Who was named last in a clause that ended with a semicolon: `Chairman since 2001; Chief Executive Officer from 2001`.
    let open: string | undefined;
    for (const sentence of sentencesOf(passage)) {
      if (++count > MOST_SENTENCES) return spans;
      // Cheap tests first: most sentences date no office at all, but each may name whom `he` in the next one means.
      const worth = /(?:19|20)\d\d|\/\d\d\b/.test(sentence) && (open !== undefined || EVENT.test(sentence));
      if (!worth) {
        mentions.pattern.lastIndex = 0;
        const first = mentions.pattern.exec(sentence);
        if (first !== null) last = mentions.token(first[0]);
        open = undefined;
        continue;
      }
      const own = sentence.replace(mentions.pattern, (word) => mentions.token(word));
      const named = open !== undefined && ELLIPTIC.test(own) ? `${open} served as ${own}` : own;
      open = sentence.endsWith(";") ? [...named.matchAll(ANYBODY)].at(-1)?.[0] : undefined;
      const whom = /⟦(?:\d+|\?)⟧/.exec(named)?.[0];
      const before = last;
      const spoken = named.replace(
        /^(?:\W{0,4})(?:He|She)\b|(?<=[,;] |and |until |when |date |which |that |time |before |after |since |while )(?:he|she)\b/g,
        // Whom `he` means is whoever this sentence named last, else the one before.
        (word, at: number) => [...named.slice(0, at).matchAll(ANYBODY)].at(-1)?.[0] ?? before ?? word,
      );
      last = whom ?? last;
      OFFICE.lastIndex = 0;
      if (!/‹|(?:19|20)\d\d|\/\d\d\b/.test(spoken) || !/⟦\d/.test(spoken) || !OFFICE.test(spoken)) continue;
      if (
        /\bprior to (?:joining|that|his|her|this|serving)\b(?! (?:appointment|promotion|election) (?:as|to)\b)|\bpreviously\b.*\bat\b|\bemployment agreement\b.*\bterm\b/i.test(
          spoken,
        ) &&
        !/\bsucceed|day-to-day/i.test(spoken)
      )
        continue;
      // Who of several took which office, and what is only planned, is left to other sentences.
      if (/\brespectively\b|\bannounced?\b|\bwould\b|\bintends?\b/i.test(spoken)) continue;
      readSentence(spoken, companyWords, spans);
    }
  }
  return spans;
}

function readSentence(sentence: string, companyWords: readonly string[], spans: DatedSpan[]): void {
  const dates: Dated[] = [];
  const withOffices = sentence.replace(OFFICE, (word, at: number) =>
    officeToken(sentence, word, at, companyWords),
  );
  const offices = withOffices.match(/⟨[PF]⟩/g)?.length ?? 0;
  if (offices === 0 || offices > MOST_OFFICES) return;
  const tokens = withOffices.replace(DATE_WORDS, (word) => {
    const date = readDate(/^(?:19|20)\d\d$/.test(word) ? `in ${word}` : word);
    if (date === undefined) return word;
    dates.push({ first: date.date, last: lastDay(date.date, date.precision) });
    return `‹${dates.length - 1}›`;
  });
  if (dates.length === 0) return;
  const quote = tidy(sentence.replace(/⟦\d+⟧/g, "…")).slice(0, 240);
  for (const { pattern, read } of RULES) {
    for (const match of apart(tokens).flatMap((one) => [...one.matchAll(pattern)])) {
      for (const found of read(match)) {
        if (
          found.person === undefined ||
          found.person === "?" ||
          (found.office !== "P" && found.office !== "F")
        )
          continue;
        const began = found.start === undefined ? undefined : dates[Number(found.start)];
        const start = began?.first ?? null;
        const ended = found.end === undefined ? undefined : dates[Number(found.end)];
        const end = ended?.last ?? null;
        if ((start === null && end === null) || (start !== null && end !== null && start > end)) continue;
        const [person, office] = [Number(found.person), found.office === "P" ? "peo" : "pfo"] as const;
        const twin = (one: DatedSpan): boolean =>
          one.person === person && one.office === office && one.start === start && one.end === end;
        if (spans.some(twin)) continue;
        spans.push({
          person,
          office,
          start,
          startBy: began?.last ?? null,
          end,
          endFrom: ended?.first ?? null,
          lasts:
            end === null &&
            new RegExp(`\\b(?:has|have) (?:been|served|acted)\\b[^.;]{0,160}\\bsince\\b`, "i").test(match[0]),
          text: quote,
        });
      }
    }
  }
}

/** Two offices in a row share what is said of them: `principal executive officer, principal financial officer … on May 29` becomes two sentences. */
function apart(tokens: string): string[] {
  const both = /⟨([PF])⟩((?:[\s,/&]|\band\b|[a-z]+(?=,)){1,40})⟨([PF])⟩/g;
  if (!both.test(tokens)) return [tokens];
  return [tokens.replace(both, "⟨$1⟩$2"), tokens.replace(both, "$2⟨$3⟩")];
}

function lastDay(date: string, precision: "day" | "month" | "year"): string {
  if (precision === "day") return date;
  if (precision === "year") return `${date.slice(0, 4)}-12-31`;
  const next = new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0));
  return next.toISOString().slice(0, 10);
}

/** A second office and then a company: `and sole Board member of Vision Global Solutions, Inc.`, `/Founder of Business Legacy, Inc.` */
const ELSEWHERE =
  /^(?:\s*[/,&]|\s+and)\s*(?:[\w-]+\s+){1,5}?(?:of|at|for)\s+(?!the\s+(?:Board|Company))(?:the\s+)?([A-Z][\w&.’'-]*)(?:\s+[A-Z&][\w&.’'-]*){0,5},?\s+(?:Inc|Corp|LLC|L\.L\.C|Ltd|L\.P|plc|PLC|N\.V|S\.A|Corporation|Company|Holdings|Bancorp|Bancshares)\b/;

/** Which office a phrase names, or `⟨X⟩` when it is that of a division or of another company. */
function officeToken(sentence: string, word: string, at: number, companyWords: readonly string[]): string {
  const token = /exec|ceo|peo/i.test(word) ? "⟨P⟩" : "⟨F⟩";
  const after = sentence.slice(at + word.length, at + word.length + 140);
  const before = sentence.slice(Math.max(0, at - 60), at);
  // `(the “Second PEO”)` is a label of the table of pay versus performance.
  if (
    /^PEO$/i.test(word) &&
    (/\b(?:first|second|third|former|prior|new|current)\s+$/i.test(before) || /^\s*(?:#\s*)?\d\b/.test(after))
  )
    return "label";
  const of =
    /^\s*(?:and (?:president|director|chairman|chair|secretary|treasurer)\s*)?(?:of|at|for|with)\s+(?:the\s+)?([A-Z][\w&.’'-]*)/.exec(
      after,
    );
  if (
    of !== null &&
    !/^(?:General|Issuer|January|February|March|April|May|June|July|August|September|October|November|December)/.test(
      of[1] ?? "",
    ) &&
    !ownName(of[1] ?? "", companyWords)
  )
    return "⟨X⟩";
  if (
    /^\s*,\s*(?:[A-Z][\w.&]+\s+){0,3}(?:Division|Segment|Group|Region|International|Americas|North America|Europe|Asia)/.test(
      after,
    )
  )
    return "⟨X⟩";
  if (
    /\b(?:to|for|with)\s+(?:the|our)\s+(?:former\s+)?$/i.test(before) &&
    /\b(?:report|advis|assist|chief of staff|consult)\w*\s+(?:\w+\s+){0,3}$/i.test(
      before.replace(/\b(?:to|for|with)\s+(?:the|our)\s+(?:former\s+)?$/i, ""),
    )
  )
    return "⟨X⟩";
  const owner = /([A-Z][\w&.-]*)[’']s\s+(?:former\s+|interim\s+|acting\s+)?$/.exec(before)?.[1];
  if (
    owner !== undefined &&
    !/^(?:Company|Corporation|Registrant|Firm|Partnership|Bank)$/.test(owner) &&
    !ownName(owner, companyWords)
  )
    return "⟨X⟩";
  if (/\bits\s+(?:[\w,]+\s+){0,5}$/.test(before) && /\b(?:Inc|Corp|LLC|Ltd|L\.P)\b/.test(sentence))
    return "⟨X⟩";
  if (/\b(?:deputy|assistant|division|divisional|regional|segment)\s+$/i.test(before)) return "⟨X⟩";
  if (/\bwhere\s+(?:he|she|⟦\d+⟧)\s+(?:[\w-]+,?\s+){0,5}$/i.test(before)) return "⟨X⟩";
  if (/^\s*[- ](?:designate|elect)\b/i.test(after)) return "⟨X⟩";
  if (
    /^\s*(?:of|at|for)\s+(?:(?:the|our|its)\s+)?(?:[Cc]ompany[’']s\s+)?(?:[\w-]+\s+){0,2}(?:subsidiar|affiliate|division)/.test(
      after,
    )
  )
    return "⟨X⟩";
  const behind = ELSEWHERE.exec(after)?.[1];
  if (behind !== undefined && !ownName(behind, companyWords)) return "⟨X⟩";
  return token;
}
