/**
 * Sentences that date an office. A sentence is searched with placeholders for people, offices and dates: `⟦0⟧` is a person
 * of the table (`⟦?⟧` another person), `⟨P⟩` and `⟨F⟩` the two offices (`⟨X⟩` another company's or a division's), `‹0›` a date.
 *
 * A frame says who does what to which office. The position of its date (after, before, `…, when`) is not part of it:
 * `officers/terms.ts` generates every word order from the frame's meaning.
 */
import { lexiconOf } from "./lexicon.ts";

/** What the date of a frame means; `dated` frames contain their date. */
export type FrameMeaning = "takes office" | "leaves office" | "served" | "has served since" | "dated";

const START =
  "(?<!\\bre-)(?:appoint(?:ed|ing|ment)|nam(?:ed|ing)|elect(?:ed|ion)|promot(?:ed|ion)|bec(?:ame|ome|oming)|assum(?:ed|es|ing)|began|begin(?:ning)?|commenced|joined|hired|designated|elevated|took office|transition(?:ed|ing)?(?: in)?to|took over|start(?:ed|ing)|succeeded to|ascended|moved into)";
const SERVE =
  "(?:serv(?:ed|es|ing)|act(?:ed|s|ing)|has been|have been|was|held|position|role|remained|continued)";
const LEAVE =
  "(?:cease[sd]?|step(?:s|ped|ping)? down|resign(?:s|ed|ing)?|retir(?:e|es|ed|ing)|departed|left|terminated|transition(?:ed|ing)? from|removed|relinquish(?:ed|ing)|separated|concluded|no longer|died|passed away|(?:his|her|their) (?:departure|resignation|retirement|termination|separation|transition|death|passing))";
const SUCCEEDING = "(?:to succeed|succeeding|replacing|in place of)";
/** Nouns for the end of a term of office. */
const DEPARTURE = "(?:retirement|resignation|departure|termination|removal|death|passing)";
/** Nouns for a term of office. */
const TENURE = "(?:employment|service|tenure|term|role|appointment|position)";
const BECOMING =
  "(?:(?:his|her|their)\\s+)?(?:becoming|being\\s+(?:appointed|named|promoted|elected|hired)|appointment|promotion|election|hiring|hire)";

/** Text without a person, a date or the end of an office. */
const ON = `(?:(?!⟦|‹|\\b${LEAVE}\\b|\\bformer\\b|\\bprevious).)`;
/** The same, but dates are allowed: what the person did before. */
const BEFORE = `(?:(?!⟦|\\b${LEAVE}\\b|\\bformer\\b|\\bprevious).)`;
/** Evidence that the office left is not the one named next. */
const ELSE =
  "\\bas (?:a |an independent )?(?:director|member)|\\bto (?!be\\b|serve\\b|act\\b|hold\\b)|\\bbecause\\b|\\b(?:appointed|named|elected|promoted|become)\\b";
/** Words before another person's office: `appointed Treasurer by our CEO`. */
export const REPORTS = "\\b(?:by|under|report\\w*|assist\\w*|advis\\w*|participat\\w*|than|eligible)\\b";
const ASIDE = `, our ⟨|, the Company|\\bto (?:the|our) Board|\\bin addition to\\b|\\b(?:after|having)\\b(?=[^⟦⟨‹]{0,50}\\b(?:as|been)\\b)|${REPORTS}`;
/** `promoted from CFO …`: the office after `from` is the one left, unless the office follows `to`. */
const FROM_OTHER = "\\bfrom\\b(?![^⟦⟨‹]{0,80}\\bto\\b)";
const UP_TO_OFFICE = `(?:(?!${ASIDE}|${FROM_OTHER})${ON}){0,130}?`;

/** The person of a frame, with an optional aside: `Ms. Krause, previously Treasurer, became …`. */
export const WHO =
  "(?<!\\b(?:successor (?:to|of)|succe\\w+|replac\\w+) )⟦(?<who>\\d+|\\?)⟧(?:,\\s+(?:who|formerly|previously|then)\\b[^⟦]{0,160}?,)?";
const WHOM = "⟦(?<whom>\\d+|\\?)⟧";
const BY_WHO = "⟦(?<who>\\d+|\\?)⟧";
/** `⟨N⟩` is any office: `became an officer of the Company`. */
const OFFICE = "⟨(?<office>[PFN])⟩";
/** The start date. */
export const FROM = "‹(?<from>\\d+)›";
/** The end date. */
export const TO = "‹(?<to>\\d+)›";
/** Words that tie a date to an event. */
export const AT =
  "(?:effective(?: as of| on)?|since|on|in|as of|at|beginning|starting|commencing|from|during)";
/** `March 4, 2019, when`: the event happened on the preceding date. */
export const WHEN =
  ",?\\s*(?:when|at which (?:time|point)|(?:up)?on which(?: date)?|the date (?:on which|that)?)";

/** A person who has held an office since a date: `Ms. Krause, our Chief Financial Officer since 2009`. */
const OFFICER_SINCE = `${BY_WHO},\\s+(?:our\\b|who\\s+(?:had|has)\\s+(?:been|served|acted)\\b)[^⟦⟨‹]{0,60}${OFFICE}\\s+since\\s+[^⟦⟨‹]{0,12}${FROM}`;

/** A person with the office held so far: `Ms. Krause, our then Chief Financial Officer,`, `who had been … since 2009`. */
const OFFICER_SO_FAR = `${BY_WHO},\\s+(?:(?:then|formerly|previously|until then)[,\\s]+)?(?:our|its|the\\s+Company[’']s|then|who)\\b(?:(?!⟦|⟨|‹|\\b${LEAVE}\\b).){0,60}?${OFFICE}(?:\\s+(?:at\\s+(?:the|that)\\s+time|for\\s+[^⟦⟨‹,]{1,30}))?(?:,?\\s+since\\s+[^⟦⟨‹]{0,12}${FROM})?,\\s+(?:was\\s+|has\\s+been\\s+|is\\s+)?${START}`;
/** What somebody did until the event: `after five years as our Chief Financial Officer`. */
const AFTER_YEARS = `\\b(?:after|following|having)\\s+(?:(?!⟦|⟨|‹|,).){0,50}?\\b(?:as|been|served)\\b[^⟦⟨‹,]{0,40}?${OFFICE}(?:\\s+since\\s+[^⟦⟨‹]{0,12}${FROM})?`;

/** Groups: `who` (and `and`) held the office between `from` and `to`; `whom` held it until `from`. */
export const OFFICER_FRAMES = lexiconOf("officer-frames", {
  "takes office": {
    "terms.test: Ms. Krause became our Chief Financial Officer on March 4, 2019": `${WHO}(?:(?!⟨)${ON}){0,100}?\\b${START}\\b${UP_TO_OFFICE}${OFFICE}`,
    "terms.test: Ms. Krause has served as our Controller since 2009 and was named": `${WHO}${BEFORE}{0,260}?(?:,|;|\\band)\\s+(?:(?:then|later|subsequently|also|was|were|has|been|is|most recently)\\s+){0,3}${START}\\b${UP_TO_OFFICE}${OFFICE}`,
    "terms.test: Ms. Krause was appointed President in 2017 and Chief Executive Officer": `${WHO}${BEFORE}{0,200}?\\b${START}\\b${BEFORE}{0,120}?›,?\\s+and\\b[^⟦⟨‹]{0,60}?${OFFICE}`,
    "terms.test: On March 4, 2019, our Board appointed Ms. Krause as": `\\b(?:appoint(?:ed|ment of|ing)|nam(?:ed|ing)|elect(?:ed|ion of)|promot(?:ed|ion of|ing)|hir(?:ed|ing of)|designat(?:ed|ing))\\s+${WHO}[^⟦⟨‹]{0,70}?\\b(?:as|to)\\b(?:(?!⟦|‹|\\bBoard\\b|${REPORTS}).){0,90}?${OFFICE}`,
    "terms.test: Ms. Krause succeeded Mr. Santos as Chief Financial Officer": `${WHO}[^⟦⟨‹]{0,80}\\b(?:succe(?:ed(?:ed|s|ing)?|ssor to)|replac(?:e|ed|es|ing))\\s+(?:(?:his|her|their)\\s+\\w+,?\\s+)?${WHOM}[^⟦‹]{0,90}?${OFFICE}`,
    "terms.test: Mr. Santos was succeeded by Ms. Krause": `${WHOM}[^⟦⟨‹]{0,40}\\b(?:was|were|been)\\s+(?:succeeded|replaced)\\s+by\\s+${BY_WHO}[^⟦‹]{0,60}?${OFFICE}`,
    "cases: Mr. Santos was replaced as Chief Financial Officer by Ms. Krause": `${WHOM}[^⟦⟨‹]{0,40}\\b(?:was|were|been)\\s+(?:succeeded|replaced)\\s+as\\b[^⟦⟨‹]{0,30}${OFFICE}\\s+by\\s+${BY_WHO}`,
    "cases: Our Board named Ms. Krause Chief Financial Officer effective": `\\b(?:appointed|named|elected)\\s+${WHO}\\s+(?:(?:our|its|to the office of)\\s+)?${OFFICE}`,
    "terms.test: Mr. Santos handed over the role": `${WHOM}\\s+handed\\b[^⟦⟨‹]{0,60}${OFFICE}[^⟦⟨‹]{0,20}\\bto\\s+${WHO}`,
    "terms.test: Ms. Krause and Mr. Santos were each appointed": `${WHO}\\s+and\\s+⟦(?<and>\\d+|\\?)⟧\\s+(?:were|have been)\\s+(?:each\\s+|both\\s+)?${START}\\b[^⟦⟨‹]{0,60}${OFFICE}`,
    "terms.test: Ms. Krause transitioned from Chief Accounting Officer to": `${WHO}[^⟦⟨‹]{0,60}\\b(?:transition\\w*|moved|advanced|changed)\\b[^⟦⟨‹]{0,30}\\bfrom\\b[^⟦‹]{0,90}?\\bto\\b[^⟦⟨‹]{0,60}${OFFICE}`,
    "terms.test: Ms. Krause’s employment as our Chief Financial Officer began": `${WHO}\\s+${TENURE}\\b(?! agreement)[^⟦⟨‹]{0,40}${OFFICE}[^⟦⟨‹]{0,40}?\\b(?:began|commenced|started|was effective|became effective)\\b`,
  },
  "leaves office": {
    "terms.test: Ms. Krause resigned as Chief Financial Officer effective": `${WHO}(?:(?!⟦|⟨).){0,120}?\\b${LEAVE}\\b(?:(?!⟦|⟨|${ELSE}).){0,90}?${OFFICE}`,
    "terms.test: Ms. Krause was promoted from Chief Financial Officer to": `${WHO}[^⟦⟨‹]{0,60}\\b(?:promoted|transition\\w*|moved|changed)\\b[^⟦⟨‹]{0,30}\\bfrom\\b[^⟦⟨‹]{0,40}${OFFICE}(?:\\s+of\\s+[^⟦⟨‹,;]{1,40}?)?\\s+to\\b(?:[^⟦‹]{0,80}(?=\\s\\w+\\s+‹))?`,
    "cases: Mr. Santos, our Chief Financial Officer since 2009, passed away": `${WHO},\\s+our\\b[^⟦⟨‹]{0,40}${OFFICE}(?:\\s+since\\s+[^⟦⟨‹]{0,20}‹\\d+›)?,\\s+${LEAVE}\\b(?![^⟦⟨‹]{0,60}\\b(?:[Bb]oard|[Cc]ommittee|[Dd]irector|${ELSE}))`,
    "terms.test: Ms. Krause’s service as Chief Financial Officer ended": `${WHO}\\s+${TENURE}\\b[^⟦⟨‹]{0,40}${OFFICE}[^⟦⟨‹]{0,40}?\\b(?:terminated|ended|ceased|concluded|expired|came to an end)\\b`,
    "cases: Following Mr. Santos’s resignation as Chief Financial Officer": `${WHO}\\s+${DEPARTURE}\\s+(?:as|from)\\b[^⟦⟨‹]{0,40}${OFFICE}`,
  },
  served: {
    "terms.test: Ms. Krause was our Chief Financial Officer from March 4, 2019 until": `${WHO}(?:(?!⟦).){0,220}?${OFFICE}`,
  },
  "has served since": {
    "terms.test: Ms. Krause has been our Chief Financial Officer since March 2019": `${WHO}${ON}{0,90}?\\b${SERVE}\\b(?:(?!, our ⟨|, the Company)${ON}){0,120}?(?<!\\bfrom\\s(?:our\\s|the\\s)?)${OFFICE}`,
  },
  dated: {
    "terms.test: Ms. Krause, our Chief Financial Officer since March 4, 2019": `${WHO}(?:(?!${REPORTS})${BEFORE}){0,200}?${OFFICE},?\\s+since\\s+[^⟦⟨‹]{0,20}${FROM}`,
    "terms.test: Ms. Krause is our Chief Financial Officer, a position she has held since": `${WHO}[^⟦⟨‹]{0,80}${OFFICE},?\\s+(?:a|the|which)\\s+(?:(?:position|role|office|capacity)\\s+)?(?:(?:that|which)\\s+)?(?:he|she|they|⟦\\d+⟧)\\s+(?:has|have)\\s+(?:held|served in|occupied)\\s+since\\s+[^⟦⟨‹]{0,12}${FROM}`,
    "0001324424-20-000029: acting Chief Financial Officer since the departure of the former": `${WHO}${ON}{0,90}?\\b${SERVE}\\b${ON}{0,120}?${OFFICE}[^⟦⟨‹]{0,20}\\bsince\\s+(?:the|his|her)?\\s*(?:departure|resignation|retirement|termination|death|passing)\\b[^‹]{0,90}${FROM}`,
    "terms.test: Ms. Krause joined the Company on March 4, 2019 as": `${WHO}\\s+joined\\b[^⟦⟨‹]{0,60}\\b(?:in|on|effective)\\s+${FROM},?[^⟦⟨‹]{0,20}\\bas\\b(?:(?!⟦|‹).){0,70}?${OFFICE}`,
    "cases: became Chief Financial Officer on March 4, 2019 following the resignation of Mr. Santos": `${OFFICE}[^⟦⟨‹]{0,40}\\b${AT}\\s+[^⟦⟨‹]{0,15}${FROM},?\\s+(?:${SUCCEEDING}\\s+|(?:following|upon|after|due to)\\s+(?:the\\s+)?(?:${DEPARTURE}\\s+of\\s+|(?=⟦\\d+⟧\\s+${DEPARTURE})))${WHOM}(?!,\\s+who\\s+ha[ds]\\b)`,
    "cases: On March 4, 2019, the Board appointed Ms. Krause as Chief Financial Officer, replacing": `\\b${AT}\\s+${FROM},[^‹]{0,160}?${OFFICE},?\\s+${SUCCEEDING}\\s+${WHOM}(?!,\\s+who\\s+ha[ds]\\b)`,
    "cases: Ms. Krause assumed the Chief Financial Officer role from Mr. Santos": `${OFFICE}(?:\\s+role)?,?\\s+(?:${SUCCEEDING}|from)\\s+${WHOM}[^⟦⟨‹]{0,30}\\b${AT}\\s+${FROM}`,
    "cases: On March 4, 2019, Ms. Krause, our Chief Financial Officer since 2009, was promoted": `\\b${AT}\\s+${TO},?\\s+${OFFICER_SINCE},\\s+(?:was\\s+|has\\s+been\\s+)?${START}`,
    "cases: Ms. Krause, who had served as Chief Financial Officer since 2009, was promoted": `${OFFICER_SINCE},\\s+(?:was\\s+|has\\s+been\\s+)?${START}[^⟦‹]{0,90}\\b${AT}\\s+[^⟦⟨‹]{0,15}${TO}`,
    "cases: Ms. Krause has served as Treasurer since 2019, and previously served as Chief Financial Officer": `${WHO}[^⟦⟨‹]{0,160}?\\b${AT}\\s+[^⟦⟨‹]{0,12}${TO},?\\s+and\\s+previously\\s+(?:our|(?:served|acted|was|held)\\b[^⟦⟨‹]{0,60})\\s*${OFFICE}(?:[^⟦⟨‹.;]{0,20}\\bsince\\s+[^⟦⟨‹]{0,12}${FROM}|(?![^⟦⟨;.]{0,60}‹))`,
    "cases: Effective March 4, 2019, Ms. Krause, our then Chief Financial Officer, was appointed": `\\b(?:effective|on|as of|in)\\s+(?:as of\\s+)?${TO},?[^‹;]{0,220}?${OFFICER_SO_FAR}`,
    "cases: Ms. Krause, who previously served as our Chief Financial Officer, was appointed": `${OFFICER_SO_FAR}[^⟦‹]{0,140}?\\b${AT}\\s+[^⟦⟨‹]{0,15}${TO}`,
    "cases: After five years as our Chief Financial Officer, Ms. Krause was appointed": `${AFTER_YEARS},\\s+${BY_WHO}[^⟦‹]{0,40}\\b${START}[^⟦‹]{0,140}?\\b${AT}\\s+[^⟦⟨‹]{0,15}${TO}`,
    "cases: Ms. Krause was appointed Treasurer on March 4, 2019, after five years as our Chief Financial Officer": `${BY_WHO}[^⟦‹]{0,60}\\b${START}[^⟦‹]{0,140}?\\b${AT}\\s+[^⟦⟨‹]{0,15}${TO},?\\s+${AFTER_YEARS}`,
    "cases: On March 4, 2019, Ms. Krause became Treasurer after five years as our Chief Financial Officer": `\\b${AT}\\s+${TO},?[^‹;]{0,60}?${BY_WHO}[^⟦‹]{0,60}\\b${START}[^⟦‹]{0,140}?${AFTER_YEARS}`,
    "cases: Ms. Krause became Treasurer after five years as our Chief Financial Officer, effective": `${BY_WHO}[^⟦‹]{0,60}\\b${START}[^⟦‹]{0,140}?${AFTER_YEARS}[^⟦⟨‹]{0,20}\\b${AT}\\s+${TO}`,
    "cases: Chief Financial Officer on March 4, 2019, a role previously held by Mr. Santos": `${OFFICE}[^⟦⟨‹]{0,60}\\b${AT}\\s+[^⟦⟨‹]{0,15}${FROM},?\\s+(?:an?|the|which)\\s+(?:(?:role|position|office|title)\\s+)?(?:(?:that|which)\\s+)?(?:was\\s+|had been\\s+)?(?:previously|formerly|until then)\\s+held\\s+by\\s+${WHOM}`,
    "cases: Ms. Krause served as our Chief Financial Officer before becoming Treasurer": `${BY_WHO}\\s+(?:was|served|acted|had been|had served|held)\\b[^⟦⟨‹]{0,60}?${OFFICE}[^⟦⟨‹]{0,60}?\\b(?:prior to|before|until)\\s+${BECOMING}\\b[^⟦‹]{0,100}?\\b${AT}\\s+[^⟦⟨‹]{0,15}${TO}`,
    "cases: succeeding Mr. Santos, who had served as Interim Chief Financial Officer since": `${SUCCEEDING}\\s+${OFFICER_SINCE}`,
    "cases: Until March 4, 2019, Mr. Santos served as Chair and Chief Financial Officer": `\\b(?:until|prior to)\\s+${TO},\\s+${WHO}\\s+(?:also\\s+)?(?:was|served|acted|had been|had served|held)\\b[^⟦‹]{0,60}?${OFFICE}`,
    "terms.test: Mr. Santos has served as Executive Chairman since July 2019, prior to which": `\\b(?:since|on|in|effective)\\s+${TO},?\\s*(?:prior to|before)\\s+(?:which|that|then)\\b[^⟦⟨‹]{0,12}${WHO}\\s+(?:was|served|acted|had been|had served|held)\\b[^⟦‹]{0,60}?${OFFICE}`,
    "terms.test: until March 4, 2019, when he was succeeded by Ms. Krause": `${OFFICE}[^⟦⟨‹]{0,60}${FROM}(?:${WHEN}\\s+⟦\\d+⟧|,?\\s+and)\\s+(?:was|were)\\s+(?:succeeded|replaced)\\s+(?:on an interim basis\\s+)?by\\s+${BY_WHO}`,
    "terms.test: Mr. Santos stepped down as Chief Financial Officer and was succeeded by": `${WHOM}[^⟦⟨‹]{0,90}${OFFICE},?\\s+and\\s+(?:was|were)\\s+(?:succeeded|replaced)\\s+by\\s+${BY_WHO}[^⟦⟨‹]{0,30}\\b${AT}\\s+[^⟦⟨‹]{0,15}${FROM}`,
    "terms.test: Prior to his appointment as Treasurer in March 2019, Mr. Santos served as": `\\b(?:prior to|before)\\s+${BECOMING}\\b(?:(?!⟦|‹).){0,80}?\\b${AT}\\s+[^⟦⟨‹]{0,12}${TO},\\s+${WHO}\\s+(?:was|served|acted|had been|had served)\\b[^⟦‹]{0,60}?${OFFICE}(?![^⟦⟨;.]{0,60}‹)`,
    "terms.test: on March 4, 2019 and Ms. Krause was appointed as his successor": `${OFFICE}[^⟦⟨‹]{0,60}${FROM},?\\s+and\\s+${WHO}\\s+(?:was|has been)\\s+(?:appointed|named|elected|chosen)\\s+(?:as\\s+|to be\\s+)?(?:his|her|their)\\s+successor`,
    "terms.test: Prior to becoming our Chief Financial Officer on March 4, 2019, Ms. Krause": `\\b(?:prior to|before|following|upon|after|until|in connection with|as a result of|at the time of)\\s+${BECOMING}\\b[^⟦⟨‹]{0,50}${OFFICE}[^⟦⟨‹]{0,30}\\b${AT}\\s+[^⟦⟨‹]{0,15}${FROM},\\s+${WHO}`,
    "terms.test: Ms. Krause was our Treasurer before becoming": `${WHO}[^⟦‹]{0,120}\\b(?:prior to|before|until)\\s+${BECOMING}\\b[^⟦⟨‹]{0,50}${OFFICE}[^⟦⟨‹]{0,30}\\b${AT}\\s+[^⟦⟨‹]{0,15}${FROM}`,
    "terms.test: Upon his resignation as Chief Financial Officer on March 4, 2019, Mr. Santos": `\\b(?:prior to|before|following|upon|after|in connection with|at the time of)\\s+(?:his|her|their)\\s+(?:resignation|retirement|departure|termination|separation)\\b[^⟦⟨‹]{0,30}\\b(?:as|from)\\b[^⟦⟨‹]{0,50}${OFFICE}[^⟦⟨‹]{0,30}\\b${AT}\\s+[^⟦⟨‹]{0,15}${TO},\\s+${WHO}`,
    "terms.test: Ms. Krause’s last day as Chief Financial Officer was": `${WHO}\\s+last day\\b[^⟦⟨‹]{0,40}\\bas\\b[^⟦⟨‹]{0,30}${OFFICE}\\s+(?:was|is|of)\\s+[^⟦⟨‹]{0,10}${TO}`,
  },
});

/** A word that every sentence that dates an office contains. */
export const EVENT = new RegExp(
  `\\b(?:${START}|${SERVE}|${LEAVE}|succe\\w+|replac\\w+|until|through|since|ended|came to an end|changed|last day|${DEPARTURE})\\b`,
  "i",
);

/**
 * Words that decide whether a sentence about an office can be used, matched against the whole of it. It is about another company (`elsewhere`, unless `here after all`), leaves open who took
 * which office or whether it happened (`undecided`), is a signature, or says that the office is still held.
 */
export const SENTENCES = lexiconOf("sentences", {
  elsewhere: {
    "terms.test: Prior to joining us":
      /\bprior to (?:joining|that|his|her|this|serving)\b(?! (?:appointment|promotion|election) (?:as|to)\b)/i,
    "terms.test: She previously served at Foo": /\bpreviously\b.*\bat\b/i,
    "terms.test: Under her employment agreement": /\bemployment agreement\b.*\bterm\b/i,
  },
  "here after all": {
    "terms.test: to succeed Mr. Santos": /\bsucceed/i,
    "terms.test: the day-to-day": /day-to-day/i,
  },
  undecided: {
    "terms.test: respectively": /\brespectively\b/i,
    "terms.test: announced": /\bannounced?\b/i,
    "terms.test: would become": /\bwould\b/i,
  },
  signature: {
    "designations.test: /s/ Bettina Krause": /\/s\//,
    "designations.test: Attorney-in-Fact": /attorney-in-fact/i,
    "designations.test: Pursuant to the requirements": /pursuant to the requirements/i,
  },
  "still serves": {
    "offices-of-rows.test: has served since": /\b(?:has|have) (?:been|served|acted)\b[^.;]{0,160}\bsince\b/i,
  },
});

/**
 * Evidence that an office in a sentence is not one of this company: it is another company's, a division's, or just a label.
 * Matched against `words before ⟨CEO⟩ words after`. A `company` that a pattern captures must not be this one.
 * `label`: not an office; `elsewhere`: an office of another company or of a part of this one.
 */
export const ELSEWHERE = lexiconOf("office-elsewhere", {
  label: {
    "cases: Mr. Santos (our First PEO) served as a director; 0001140361-25-021135":
      /\b(?:first|second|third|former|prior|new|current)\s+⟨PEO⟩|⟨PEO⟩\s*(?:#\s*)?\d\b/i,
    // A co-chief executive who continues alone.
    "cases: Ms. Krause became sole Chief Executive Officer": /\bsole\s+⟨/i,
    "cases: Ms. Krause received half of the award of our CFO; the CFO’s award":
      /\b(?<!\b(?:role|office|position|title|capacity|dut(?:y|ies)|responsibilit\w+|functions?|post|job|powers|work|place|appointment|promotion|election|hiring) )(?:of|by|with|for|than|between)\s+(?:our|its|their)\s+(?:(?:then|current|former|new|next|[A-Z][\w&-]*|and|of the Board)[\s,]+){0,6}⟨|⟩[’']s\b(?! (?:role|office|position|duties|responsibilities))/,
    "cases: the award granted to our CFO in 2023":
      /\b(?:grant|award|paid|provid|given|made|issu|payable|applica|recommend|relati|compar|equal|similar)\w*\b[^⟦⟨‹;]{0,40}\bto\s+(?:our|the|its|their)\s+(?:[A-Z][\w&-]*[\s,]+(?:and\s+)?){0,5}⟨/,
    "cases: Ms. Krause was named to the CFO Hall of Fame":
      /⟩\s+(?:hall of fame|magazine|council|forum|award|search|succession|selection|evaluation)\b/i,
  },
  elsewhere: {
    "terms.test: Ms. Krause previously served as Chief Financial Officer of Foo Corp.":
      /⟩\s*(?:and (?:president|director|chairman|chair|secretary|treasurer)\s*)?(?:of|at|for|with)\s+(?:the\s+)?(?!General|Issuer|January|February|March|April|May|June|July|August|September|October|November|December)(?<company>[A-Z][\w&.’'-]*(?:\s+[A-Z&][\w&.’'-]*){0,5})/,
    "cases: Ms. Krause was a partner of CFO Advisors LLC":
      /⟩\s+(?<company>[A-Z][\w&.’'-]*(?:\s+[A-Z&][\w&.’'-]*){0,3},?\s+(?:LLC|LLP|Inc|Corp|Ltd))\b/,
    "cases: Ms. Krause co-founded Foo Labs and served as its Chief Executive Officer":
      /\b(?:at|joined|founded|formed|director of)\s+(?:the\s+)?(?<company>[A-Z][\w&.’'-]*)[^⟦⟨;]{0,120}\bits\s+(?:[\w,]+\s+){0,5}⟨/,
    "cases: Ms. Krause was appointed Chief Financial Officer, Retail Division":
      /⟩\s*,\s*(?:[A-Z][\w.&]+\s+){0,3}(?:Division|Segment|Group|Region|International|Americas|North America|Europe|Asia)/,
    "cases: Ms. Krause has served as CFO – Retail Region since":
      /⟩\s+[–—-]\s+(?!President|Chair|Chief|Director|Treasurer|Secretary|Vice|Executive|Senior|Principal|General|Interim|Acting|Controller|Founder)(?<company>[A-Z][\w&]*(?:\s+[A-Z&][\w&]*){0,3}),?\s+(?:on|in|effective|since|from|until)\b/,
    "cases: Ms. Krause has served as CFO, Wealth & Retail Management, since":
      /⟩,\s+(?!President|Chair|Chief|Director|Treasurer|Secretary|Vice|Executive|Senior|Principal|General|Interim|Acting|Controller|Founder)(?<company>[A-Z]\w*(?:\s+(?:&|and)\s+[A-Z]\w*(?:\s+[A-Z]\w*){0,2})),?\s+(?:on|in|effective|since|from|until)\b/,
    "cases: Ms. Krause was named Chief Executive Officer, Foo Medical, on":
      /⟩,\s+(?!President|Chair|Chief|Director|Treasurer|Secretary|Vice|Executive|Senior|Principal|General|Interim|Acting|Controller|Founder|Inc|Corp|LLC|Ltd)(?<company>[A-Z][\w&.’'-]*(?:\s+[A-Z][\w&.’'-]*){0,3}),?\s+(?:on|in|effective|since|from|until)\b/,
    "cases: Ms. Krause held several positions with Foo, most recently as Chief Financial Officer":
      /\b(?:at|with)\s+(?<company>[A-Z][\w&.’'-]*)[^⟦⟨;]{0,60}\bmost recently\b[^⟦⟨;]{0,40}⟨/,
    "terms.test: Ms. Krause was promoted to chief of staff to our Chief Financial Officer":
      /\b(?:report|advis|assist|chief of staff|consult|deputy|successor)\w*\s+(?:\w+\s+){0,3}(?:to|for|with)\s+(?:the|our)\s+(?:former\s+|(?:\w+\s+){1,4}(?<!\bto the )(?<!\bas ))?⟨/i,
    "terms.test: Ms. Krause became Acme’s Chief Financial Officer":
      /(?!(?:Company|Corporation|Registrant|Firm|Partnership|Bank)[’'])(?<![\w&.-])(?<company>[A-Z][\w&.-]*)[’']s\s+(?:former\s+|interim\s+|acting\s+)?(?:[A-Z]\w*(?:,|\s+and|\s+of the Board)?(?:\s+and)?\s+){0,6}⟨/,
    "terms.test: Ms. Krause joined Foo Corp. in 2009 and became its Chief Financial Officer":
      /\b(?:Inc|Corp|LLC|Ltd|L\.P)\b.*\b[Ii]ts\s+(?:[\w,]+\s+){0,5}⟨/s,
    "terms.test: Ms. Krause was appointed Deputy Chief Financial Officer":
      /\b(?:deputy|assistant|division|divisional|regional|segment)\s+⟨/i,
    "fixture 53: Office of the Chief Executive Officer": /\boffice of the\s+⟨/i,
    "terms.test: a director of Foo Corp., where she was Chief Financial Officer":
      /\bwhere(?:,[^⟦⟨;]{0,60},)?\s+(?:he|she|⟦\d+⟧)\s+(?:[\w-]+,?\s+){0,5}⟨/,
    "terms.test: Ms. Krause was named Chief Financial Officer-elect": /⟩\s*[- ](?:designate|elect)\b/i,
    "terms.test: Ms. Krause was Chief Financial Officer of our subsidiary":
      /⟩\s*(?:of|at|for)\s+(?:(?:the|our|its)\s+)?(?:[Cc]ompany[’']s\s+)?(?:[\w-]+\s+){0,2}(?:subsidiar|affiliate|division|parent\b|segment|business\b|operations\b)/,
    "cases: Ms. Krause was Chief Executive Officer of a privately held software company":
      /⟩\s*of\s+(?:an?|another)\b/,
    "terms.test: Ms. Krause was Chief Executive Officer and sole Board member of Vision Global":
      /⟩(?:\s*[/,&]|\s+and)\s*(?:[\w-]+\s+){1,5}?(?:of|at|for)\s+(?!the\s+(?:Board|Company))(?:the\s+)?(?<company>[A-Z][\w&.’'-]*)(?:\s+[A-Z&][\w&.’'-]*){0,5},?\s+(?:Inc|Corp|LLC|L\.L\.C|Ltd|L\.P|plc|PLC|N\.V|S\.A|Corporation|Company|Holdings|Bancorp|Bancshares)\b/,
  },
});
