/** What stands around an office in a printed title, and what it does to it. */
import { lexiconOf, startsOf } from "./entry.ts";
import { MONTH } from "./years.ts";

/** Words that may stand right before the office without making it a division's: `Global CEO`, but not `Gillette CEO`. */
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

/** Tried on the title before the office: it is that of whoever is served, or a deputy's. */
export const SERVES_OFFICER = lexiconOf("title-serves-officer", {
  serves: {
    "cases: Chief of Staff to the CEO":
      /\b(?:to|for|reporting to|assisting|advis[eo]r to|office of)\s+(?:the\s+|our\s+)?(?:(?:co-?|former|interim|group|president\s+and|chairman\s+and|chair\s+and)\s*)*$/i,
    "cases: Vice Chief Executive Officer": /\bvice[\s-]+$/i,
  },
});

/** Tried on the title behind an office and a mark: what starts another office, a date or a suffix names no division. */
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

/** Tried on the title behind an office: a second office says whose both are (group `whose`), unless it is that of a region alone. */
export const AFTER_OFFICE = lexiconOf("title-after-office", {
  "second office": {
    "cases: CFO & Treasurer, ComEd":
      /^(?:and|&)\s+(?:president|treasurer|secretary|controller|coo|chief operating officer)\s*(?:of\s+(?:the\s+)?|,\s*)(?<whose>.*)$/i,
  },
  region: {
    "cases: CEO and President, North America":
      /^(?:north |latin )?(?:america|europe|asia|international|global|worldwide|u\.?s)/i,
  },
});

/** Tried on the title before and behind an office that it may say is over, and on the whole title of somebody who has left. */
export const FORMER = lexiconOf("title-former", {
  before: {
    // Governs the offices behind it up to a semicolon: `Vice Chair; Former President and COO`.
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
 * Tried on the letters of a title without what is former: titles that stand for the office where nobody has it, and one
 * person alone has such a title.
 */
export const FALLBACK_TITLES = lexiconOf("title-fallback", {
  peo: {
    "Item 402(a)(3)(i): acting in a similar capacity; fixture 01":
      /^(?:chairman|chair|chairmanoftheboard|chairmanand|chairand|founder|cofounder)*(?:and)?president(?:anddirector|director|secretary|treasurer|$)/,
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
