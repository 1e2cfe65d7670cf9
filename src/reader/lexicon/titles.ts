/** What stands around an office in a printed title, and what it does to it. */
import { defineLexicon, words, type Entry } from "./entry.ts";

const MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";

/** Words that may stand right before the office without making it a division's: `Global CEO`, but not `Gillette CEO`. */
export const WORDS_BEFORE_OFFICE = defineLexicon<"plain" | "former">("title-words-before", [
  ...words("plain", "cases: TITLES", "the our then also current new permanent sole"),
  ...words("plain", "cases: TITLES", "interim acting co principal global group company corporate"),
  ...words("plain", "cases: TITLES", "president chairman chair chairwoman chairperson vice executive senior"),
  ...words(
    "plain",
    "cases: TITLES",
    "founder cofounder founding director managing member secretary treasurer",
  ),
  ...words("plain", "cases: TITLES", "v.p vp evp svp ceo cfo coo"),
  ...words("former", "cases: TITLES", "former formerly retired prior past previous outgoing departed ex"),
  { means: "plain", pattern: /^(?:co-|vice-|[a-z]+:)/, source: "cases: TITLES" },
]);

/** Tried on the title before the office: it is that of whoever is served. */
export const SERVES_OFFICER = defineLexicon<"serves">("title-serves-officer", [
  {
    means: "serves",
    pattern:
      /\b(?:to|for|reporting to|assisting|advis[eo]r to|office of)\s+(?:the\s+|our\s+)?(?:(?:co-?|former|interim|group|president\s+and|chairman\s+and|chair\s+and)\s*)*$/i,
    source: "cases: Chief of Staff to the CEO",
  },
]);

/** Tried on the title behind an office and a mark: what starts another office, a date or a suffix names no division. */
export const NO_DIVISION = defineLexicon<"office" | "date" | "suffix">("title-no-division", [
  ...starts(
    "office",
    "president chair\\w* chief c[a-z]o directors? board member secretary sec treasurer treas",
  ),
  ...starts(
    "office",
    "vice executive senior evp svp vp avp interim acting former retired corporate sole assistant",
  ),
  ...starts("office", "(?:co-?)?founder controller counsel partner trustee managing employee consultant"),
  ...starts("office", "operating administrat\\w+ advis[eo]rs? technoking pres peo pfo"),
  ...starts("office", "head\\sof co-\\w+ ex-\\w+"),
  {
    means: "office",
    pattern: /^principal (?:executive|financial|accounting|operating|officer)/i,
    source: "cases: TITLES",
  },
  {
    means: "office",
    pattern: /^general (?:counsel|manager|partner|director)/i,
    source: "cases: TITLES",
  },
  {
    means: "office",
    pattern: /^group (?:president|chief|c[a-z]o|vice|executive)/i,
    source: "cases: TITLES",
  },
  ...starts("date", "until through effective since from as\\sof"),
  { means: "date", pattern: new RegExp(`^(?:\\d|${MONTH})`, "i"), source: "cases: TITLES" },
  ...starts("suffix", "inc llc ltd corp jr sr"),
]);

/** Tried on the title behind an office: a second office says whose both are (group `whose`), unless it is that of a region alone. */
export const AFTER_OFFICE = defineLexicon<"second office" | "region">("title-after-office", [
  {
    means: "second office",
    pattern:
      /^(?:and|&)\s+(?:president|treasurer|secretary|controller|coo|chief operating officer)\s*(?:of\s+(?:the\s+)?|,\s*)(?<whose>.*)$/i,
    source: "cases: CFO & Treasurer, ComEd",
  },
  {
    means: "region",
    pattern: /^(?:north |latin )?(?:america|europe|asia|international|global|worldwide|u\.?s)/i,
    source: "cases: CEO and President, North America",
  },
]);

/** Tried on the title before and behind an office that it may say is over, and on the whole title of somebody who has left. */
export const FORMER = defineLexicon<"before" | "behind" | "left">("title-former", [
  {
    means: "before",
    // Governs the offices behind it up to a semicolon: `Vice Chair; Former President and COO`.
    pattern:
      /\b(?:former|formerly|retired|ex|prior|past|previous|outgoing|departed)\b(?:(?!\bcurrent\b)[^;])*$/i,
    source: "cases: TITLES",
  },
  {
    means: "behind",
    pattern: /^[\s,(]*(?:until|through|retired|resigned|former(?!\s+\w)|departed|to)\b/i,
    source: "cases: TITLES",
  },
  {
    means: "left",
    pattern: /^(?:former|retired|prior|previous|outgoing|ex-)/i,
    source: "offices-of-rows.test: Former Chief Executive Officer",
  },
]);

/**
 * Tried on the letters of a title without what is former: titles that stand for the office where nobody has it, and one
 * person alone has such a title.
 */
export const FALLBACK_TITLES = defineLexicon<"peo" | "pfo">("title-fallback", [
  {
    means: "peo",
    pattern:
      /^(?:chairman|chair|chairmanoftheboard|chairmanand|chairand|founder|cofounder)*(?:and)?president(?:anddirector|director|secretary|treasurer|$)/,
    source: "Item 402(a)(3)(i): acting in a similar capacity; fixture 01",
  },
  { means: "peo", pattern: /soleofficer/, source: "cases: FALLBACKS" },
  { means: "peo", pattern: /managingmember/, source: "cases: FALLBACKS" },
  { means: "peo", pattern: /generalpartner$/, source: "cases: FALLBACKS" },
  { means: "pfo", pattern: /treasurer/, source: "cases: FALLBACKS" },
  { means: "pfo", pattern: /(?:vicepresident|vp|evp|svp)(?:of)?finance/, source: "cases: FALLBACKS" },
  { means: "pfo", pattern: /(?:principal|chief)accounting/, source: "cases: FALLBACKS" },
  { means: "pfo", pattern: /financialofficer/, source: "cases: FALLBACKS" },
  { means: "pfo", pattern: /^controller/, source: "cases: FALLBACKS" },
  { means: "pfo", pattern: /soleofficer/, source: "cases: FALLBACKS" },
]);

/** An entry for each of some beginnings, parted by blanks; each is a pattern that ends with a word. */
function starts<Means extends string>(means: Means, list: string): readonly Entry<Means>[] {
  return list.split(" ").map((start) => ({
    means,
    pattern: new RegExp(`^${start}\\b`, "i"),
    source: "cases: TITLES",
  }));
}
