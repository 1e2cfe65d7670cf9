/** Words around an office in a printed title, and how they change it. */
import { lexiconOf, startsOf } from "./entry.ts";
import { MONTH } from "./years.ts";

/** Words before an office that do not make it a division's: `Global CEO`, but not `Gillette CEO`. */
export const WORDS_BEFORE_OFFICE = lexiconOf("title-words-before", {
  plain: {
    "cases: TITLES": [
      ...startsOf(
        "the our then also current new permanent sole interim acting co principal global group",
        "$",
      ),
      ...startsOf("company corporate president chairman chair chairwoman chairperson vice executive", "$"),
      ...startsOf("senior founder cofounder founding director managing member secretary treasurer", "$"),
      ...startsOf("v\\.p vp evp svp ceo cfo coo", "$"),
      /^(?:co-|vice-|[a-z]+:)/,
    ],
  },
});

/** Matched against the title before an office that belongs to the person's superior. */
export const SERVES_OFFICER = lexiconOf("title-serves-officer", {
  serves: {
    "cases: Chief of Staff to the CEO":
      /\b(?:to|for|reporting to|assisting|advis[eo]r to|office of)\s+(?:the\s+|our\s+)?(?:(?:co-?|former|interim|group|president\s+and|chairman\s+and|chair\s+and)\s*)*$/i,
    "cases: Vice Chief Executive Officer": /\bvice[\s-]+$/i,
  },
});

/** Matched against the title after an office and a punctuation mark: another office, a date or a suffix does not name a division. */
export const NO_DIVISION = lexiconOf("title-no-division", {
  office: {
    "cases: TITLES": [
      ...startsOf(
        "president chair\\w* chief c[a-z]o directors? board member secretary sec treasurer treas vice",
      ),
      ...startsOf("executive senior evp svp vp avp interim acting former retired corporate sole assistant"),
      ...startsOf(
        "(?:co-?)?founder controller counsel partner trustee managing employee consultant operating",
      ),
      ...startsOf("administrat\\w+ advis[eo]rs? technoking pres peo pfo head\\sof co-\\w+ ex-\\w+"),
      /^principal (?:executive|financial|accounting|operating|officer)/i,
      /^general (?:counsel|manager|partner|director)/i,
      /^group (?:president|chief|c[a-z]o|vice|executive)/i,
    ],
  },
  date: {
    "cases: TITLES": [
      ...startsOf("until through to effective since from as\\sof"),
      new RegExp(`^(?:\\d|${MONTH})`, "i"),
    ],
  },
  suffix: { "cases: TITLES": startsOf("inc llc ltd corp jr sr") },
});

/** Matched against the title after an office: a second office says what both belong to (group `whose`), unless it is a region's alone. */
export const AFTER_OFFICE = lexiconOf("title-after-office", {
  "second office": {
    "cases: CFO & Treasurer, ComEd":
      /^(?:and|&)\s+(?:president|treasurer|secretary|controller|coo|chief operating officer)\s*(?:of\s+(?:the\s+)?|,\s*)(?<whose>.*)$/i,
    "cases: Chief Executive Officer and Chief Investment Officer of GLF":
      /^(?:and|&)\s+(?:chief\s+(?:\w+\s+){1,3}officer|c[a-z]o)\s+of\s+(?:the\s+)?(?<whose>.*)$/i,
  },
  region: {
    "cases: CEO and President, North America":
      /^(?:north |latin )?(?:america|europe|asia|international|global|worldwide|u\.?s)/i,
  },
});

/** Words for an office no longer held, before and after it; `left` is matched against the whole title of a person who has left. */
export const FORMER = lexiconOf("title-former", {
  before: {
    // Applies to the offices after it, up to a semicolon: `Vice Chair; Former President and COO`.
    "cases: TITLES":
      /\b(?:former|formerly|retired|ex|prior|past|previous|outgoing|departed|late|deceased)\b(?:(?!\bcurrent\b)[^;])*$/i,
  },
  behind: {
    "cases: TITLES": /^[\s,(]*(?:until|through|retired|resigned|former(?!\s+\w)|departed|deceased|to)\b/i,
  },
  left: {
    "offices-of-rows.test: Former Chief Executive Officer":
      /^(?:former|retired|prior|previous|outgoing|ex-)/i,
  },
});

/**
 * Titles that count as the office if no title names it and only one person has such a title. Matched against a title's letters
 * up to `former` or `retired`.
 */
export const FALLBACK_TITLES = lexiconOf("title-fallback", {
  peo: {
    "Item 402(a)(3)(i): acting in a similar capacity; fixture 01":
      /^(?:chairman|chair|chairmanoftheboard|chairmanand|chairand|founder|cofounder)*(?:and)?president(?:(?:and)?(?:director|secretary|treasurer)|$)/,
    "cases: FALLBACKS": [/soleofficer/, /managingmember/, /generalpartner$/],
  },
  pfo: {
    "cases: FALLBACKS": [
      /treasurer/,
      /(?:vicepresident|vp|evp|svp)(?:of)?finance/,
      /(?:principal|chief)accounting/,
      /financialofficer/,
      /^controller/,
      /soleofficer/,
    ],
  },
});
