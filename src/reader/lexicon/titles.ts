/** Words around an office in a printed title, and how they change it. */
import { lexiconOf, startsOf } from "./lexicon.ts";
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
    "cases: Wife of our CEO":
      /\b(?:wife|husband|spouse|son|daughter|father|mother|brother|sister|cousin|relative)\s+of\s+(?:the\s+|our\s+)?$/i,
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
      ...startsOf("administrat\\w+ advis[eo]rs? technoking pres peo pfo owner head\\sof co-\\w+ ex-\\w+"),
      /^principal (?:executive|financial|accounting|operating|officer)/i,
      /^general (?:counsel|manager|partner|director)/i,
      /^group (?:president|chief|c[a-z]o|vice|executive)/i,
    ],
  },
  date: {
    "cases: TITLES": [
      ...startsOf("until through to effective since from as\\sof"),
      ...startsOf("(?:re)?hired? appointed elected promoted started joined began retiring"),
      ...startsOf("age part-?\\s?time full-?\\s?time"),
      `^(?:\\d|${MONTH})`,
    ],
  },
  suffix: { "cases: TITLES": startsOf("inc llc ltd corp jr sr") },
});

/**
 * Matched against the title after an office: a second office shows what both belong to (group `whose`), unless it
 * is only a region's.
 */
export const AFTER_OFFICE = lexiconOf("title-after-office", {
  "second office": {
    "cases: CFO & Treasurer, ComEd":
      /^(?:and|&)\s+(?:president|treasurer|secretary|controller|coo|chief operating officer)\s*(?:of\s+(?:the\s+)?|,\s*)(?<whose>.*)$/i,
    "cases: Chief Executive Officer and Chief Investment Officer of GLF":
      /^(?:and|&)\s+(?:chief\s+(?:\w+\s+){1,3}officer|c[a-z]o)\s+of\s+(?:the\s+)?(?<whose>.*)$/i,
    "cases: CEO and Chairman of Gulf Bank":
      /^(?:and|&)\s+chair(?:man|woman|person)?\s+of\s+(?!.*\b(?:board|committee)\b)(?:the\s+)?(?<whose>.*)$/i,
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
      /^(?:former|retired|prior|previous|outgoing|late|deceased|ex-)/i,
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

const AND = "(?:\\s*[,/&]\\s*|\\s+and\\s+)";

/** The legal names of the two offices of Item 402(a)(3), in titles and sentences. */
const LEGAL = {
  peo: {
    "Item 402(a)(3)(i)": new RegExp(
      `principal executive(?:${AND}(?:principal\\s+)?(?:financial|accounting)){0,2}\\s+officer\\b`,
      "i",
    ),
  },
  pfo: {
    "Item 402(a)(3)(ii); 0001264931-18-000031: principal accounting and finance officer": new RegExp(
      `principal (?:(?:executive|accounting)${AND}(?:principal\\s+)?)?financ(?:ial|e)(?:${AND}(?:principal\\s+)?accounting)?\\s+officer\\b`,
      "i",
    ),
  },
};

/** The names that the rule itself uses. */
export const LEGAL_OFFICE_NAMES = lexiconOf("office-legal-names", LEGAL);

/** Matched at the beginning of a word. One name can mean both offices (`principal executive and financial officer`). */
export const OFFICE_NAMES = lexiconOf("office-names", {
  peo: {
    ...LEGAL.peo,
    "titles.test: President & Chief Executive Officer": /chief[\s-]+exec(?:utive\b|\.)(?:[\s-]+officer\b)?/i,
    "titles.test: Chairman and CEO": /c\.?\s?e\.?\s?o\b\.?/i,
    "Item 402(v)(2)(ii); fixture 76": /PEO\b/i,
  },
  pfo: {
    ...LEGAL.pfo,
    "titles.test: Chief Financial and Administrative Officer":
      /chief[\s-]+financ(?:ial|e)(?:\s*(?:and|&|,|\/)\s*(?:\w+\s+){0,3}?(?:and\s+)?\w+)?[\s-]+officer\b/i,
    "titles.test: Chief Accounting and Financial Officer":
      /chief[\s-]+\w+\s+(?:and|&)\s+financial\s+officer\b/i,
    "titles.test: CEO/CFO": /c\.?\s?f\.?\s?o\b\.?/i,
    "titles.test: President, PEO and PFO": /PFO\b/i,
    "titles.test: Finance Director": /(?:group\s+)?finance director\b/i,
    "titles.test: Chief Financial, Treasurer": /chief financial(?=\s*(?:,|$))/i,
  },
});

const OFFICER =
  "(?:interim |acting |co-)?principal (?<first>executive|financ(?:ial|e)|accounting)(?: and (?:principal )?(?<second>accounting|financ(?:ial|e)))? officer";
const OUR = "(?:our|the Company[’']s)";
const WHO = "⟦(?<who>\\d+)⟧";

/**
 * Sentences that expressly give one person an office by its legal name; they override titles. People are placeholders as in
 * `officer-frames.ts`. Groups: `who`, `first` and `second` (executive, financial, accounting), `between` (may contain another name).
 * Searched for in passages that mention a principal officer.
 */
export const DESIGNATIONS = lexiconOf("designations", {
  designates: {
    // Except in a list that names the office first.
    "cases: Mr. McCarthy, our principal executive officer": new RegExp(
      `(?<!officer,? )${WHO},? (?:who (?:is|was) )?${OUR} ${OFFICER}(?!,? (?:⟦|(?-i:\\p{Lu}\\p{Ll}+ \\p{Lu})))`,
      "iu",
    ),
    "cases: our principal executive officer, Hans Birkholz, our principal financial officer": new RegExp(
      `\\b${OUR} ${OFFICER}\\)?, ${WHO},`,
      "iu",
    ),
    "fixture 53": new RegExp(
      `\\bdesignat\\w+ ${WHO} (?:as|to be) (?:(?:our|the|its|an?|the Company[’']s) )?${OFFICER}`,
      "iu",
    ),
    "cases: Mr. McCarthy was designated as our principal executive officer": new RegExp(
      `${WHO} (?:was|has been|is) designated (?:as )?(?:(?:our|the|its|an?|the Company[’']s) )?${OFFICER}`,
      "iu",
    ),
    "cases: Ms. Furst is our principal executive officer": new RegExp(
      `${WHO}(?:, [^⟦().;]{0,60},)? (?:is|was|serves|served|acts|has served|performs|has been performing) (?:considered |deemed |as |to be |the functions of ){0,2}(?:our|the|the Company[’']s) ${OFFICER}`,
      "iu",
    ),
    "fixture 53: Office of the Chief Executive Officer (and principal executive officer)": new RegExp(
      `${WHO}(?<between>[^⟦().;]{0,80})\\((?:and |our )?${OFFICER}\\)`,
      "iu",
    ),
  },
});

/** Where the name is relative to an office, and where the titles after a name end. */
export const OFFICE_POSITIONS = lexiconOf("office-positions", {
  "name follows": {
    "cases: Our principal financial officer is Tom Ash": /^\s+(?:is|was|has been)\b/u,
    "cases: Gabriel Santos met our principal executive officer, Bettina Krause, today": /^,\s+⟦(?:\d+|\?)⟧,/,
  },
  "new sentence": {
    // Outside brackets an office belongs to a name in the same sentence.
    "cases: Bettina Krause left. The principal executive officer met": /(?:\p{Ll}{2}|⟧)[.;]\s+[\p{Lu}⟦]/u,
  },
  "titles behind a name": {
    "cases: Jane Doe 64 President, Chief Executive Officer and Chief Financial Officer":
      /^[,\s]*(?:\(?\d{2}\)?[,\s]+)?(?:our\s+)?(?<titles>(?:(?:and|of|the|&|[A-Z][\w./-]*)(?:\s*,)?\s*){2,})/,
  },
  "end of titles": {
    "cases: President, Chief Executive Officer , Chief Financial Officer Pursuant to": /\bPursuant\b.*/,
  },
  "next title follows": {
    "cases: Bettina Krause, Chief Operating Officer Chief Financial Officer": /\bOfficer(?= Chief)/,
  },
});

/** The tags of the SEC's executive compensation taxonomy (ecd) for pay versus performance that the reader uses. */
export type EcdTag = "PeoName" | "PeoTotalCompAmt" | "NonPeoNeoAvgTotalCompAmt";

/** Matched against a tag's whole name. */
export const ECD_TAGS = lexiconOf("ecd-tags", {
  PeoName: { "Item 402(v)(2)(ii); fixture 80": /^ecd:PeoName$/ },
  PeoTotalCompAmt: { "Item 402(v)(2)(ii); fixture 81": /^ecd:PeoTotalCompAmt$/ },
  NonPeoNeoAvgTotalCompAmt: { "Item 402(v)(2)(iii); 0001552781-26-000164": /^ecd:NonPeoNeoAvgTotalCompAmt$/ },
});
