import { lexiconOf } from "./lexicon.ts";

const YEARS = "(?:fiscal(?: years?)?\\W+)?(?:19|20)\\d\\d(?:\\W+(?:and\\W+)?(?:19|20)\\d\\d)*";
const CONTINUED = "cont(?:inued|['’]?d)?\\.?";

/** Not after `in the`, `of our 2024`, `notes to`, which refer to something elsewhere. */
const NO_REFERENCE =
  "(?<!\\b(?:in|see|under|to|from|with|than|per|on|of|by|and)\\s+(?:(?:the|our|this|that|its|each|company[’']s|(?:fiscal\\s+)?(?:19|20)\\d\\d)\\s+|[“\"‘'(])*)";
/** Words of headings above pay that may be the officers’ own. */
const NEUTRAL =
  "executives?|officers?|directors?|named|principal|senior|management|compensation|remuneration|pay|paid|tables?|annual|cash|summary|total|item|part|section|fy\\d*|information|disclosures?|discussion|neos?|fiscal|years?|ended|months|for|of|our|the|and|to|in|by|highest|compensatory|historical|current|former|certain|continued|cont|covered|services?|employees?|company|corporation|registrant|general|partner|individuals|persons|i{1,3}|iv|[a-z]|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*";

const GROUP = "(?:executive\\s*)?(?:officers?|neos?|executives?|employees?)";

/** Companies and people beside a registrant; a general partner's officers are the registrant's own. */
const THEIRS =
  "(?:(?:external|outside|third[\\s-]party|former|investment|asset|property|joint[\\s-]venture|controlling|majority|largest)\\s+)*(?:management\\s+compan(?:y|ies)|managers?|advis[eo]rs?|sponsors?|affiliates?|parents?(?:\\s+compan(?:y|ies))?|subsidiar(?:y|ies)|partners?|(?:share|stock)holders?|customers?|suppliers?|franchisees?|licensees?|service\\s+providers?|target(?:\\s+company)?|acquired\\s+company)";
const OFFICERS = "(?:(?:named|executive|principal|senior|key)\\s+)*(?:officers?|executives?)\\b";
/** "the Manager", "the Parent" and "the Partner" may be the registrant itself. */
const OF_THEIRS = `(?:(?:our|its|an?|the\\s+company[’']s)\\s+${THEIRS}|the\\s+(?!(?:manager|management|parent|partner)s?\\b)${THEIRS})`;

/** Text in the name column that is not a person's name: a band of its own, or a label of amounts for several people. */
export const ROW_LABELS = lexiconOf("row-labels", {
  "several people": {
    "people.test: All Other Officers":
      /^(?:all|total|average|aggregate|other|remaining)\b.*\b(?:officers|executives|neos|employees|persons|people)\b|\bas\sa\sgroup\b/i,
    "people.test: NEO Average":
      /^(?:neos?|named executive officers?|executives?|officers?|peer group)\s(?:average|mean|median|total)s?\b|^key management personnel\b/i,
  },
  vacant: {
    "people.test: Open Position":
      /^\W*(?:vacant|(?:open|unfilled) (?:position|office)|to be (?:hired|determined|appointed|named))\b/i,
  },
  group: {
    "fixture 10; foreign.test: 2023 Named Executive Officers": `^(?:(?:fiscal\\s+)?(?:19|20)\\d\\d\\s+)?(?:(?:current|former|other|named|our|continuing|new)\\s*)+${GROUP}\\s*(?:as\\sof.*|at.*year.end.*)?:?$`,
    "header.test: Interim Officers":
      /^(?:(?:interim|departed|retired|additional|remaining|senior|corporate)\s+)+(?:executive\s+)?(?:officers|executives)\W*$/i,
    "people.test: Executive Officers":
      /^(?:executive\s*)?(?:officers|neos|executives|employees)\s*(?:as\sof.*|at.*year.end.*)?$/i,
    "people.test: Our Team:": /:$/,
  },
  "other people": {
    "header.test: Non-Employee Directors":
      /^(?:(?:our|current|former|other|non-?employee|non-?executive|independent|outside|advisory|honorary)\s+)*(?:directors|board members|consultants|contractors|advis[eo]rs|trustees|affiliates|relatives|related (?:parties|persons))(?:['’]? (?:compensation|fees))?\W*(?:\(\d{1,2}\))?$/i,
    // A label of the company's own officers is a `group`, which is matched first.
    "header.test: Affiliate Officers":
      /\b(?:officers|executives|employees|managers|personnel|persons|trustees)\W*$/i,
    "header.test: Officers of Target":
      /^(?:(?:executive|key|certain|other) )?(?:officers|executives|employees|managers|personnel|persons|relatives)\b(?! (?:as of|at|of the (?:company|registrant))\b)/i,
    "header.test: Scientific Advisory Board":
      /\b(?:advisory|supervisory) board\W*$|^(?:the )?board of directors\W*$/i,
  },
  "another view": {
    "header.test: Supplemental Disclosure":
      /^(?:as )?(?:supplement\w+|alternat\w+|prior|original(?:ly)?|previous(?:ly)?|adjusted|pro forma|reali[sz]\w+|target|annuali[sz]ed|normali[sz]ed)\b(?:.{0,30}\b(?:presentation|disclosure|table|view|basis|compensation|pay|reported|filed|amounts?))?\W*$/i,
    "header.test: Compensation Actually Paid":
      /^compensation actually paid\b|^pay[- ]versus[- ]performance\b|^(?:total )?excluding\b/i,
  },
  company: {
    "header.test: Example Brands LLC":
      /\b(?:inc|incorporated|corp|corporation|company|llc|ltd|limited|bank|bancorp|l\.?p|plc|n\.a)\.?\s*(?:\([^()]*\))?$/i,
  },
});

/** Text above a table or between two, by what it says about them. */
export const HEADINGS = lexiconOf("headings", {
  continued: {
    "layouts: page break": `summary\\s+compensation.*\\b${CONTINUED}\\W*$|^\\W*${CONTINUED}\\W*$`,
  },
  summary_compensation: {
    "Item 402(c)(1)": `^\\W*(?:(?:table\\s+\\d+|[ivx]{1,4}|[a-z\\d])\\W+)?(?:${YEARS}\\W+)?summary\\s+(?:of\\s+)?(?:executive\\s+)?compensation(?:\\s+tables?)?(?:\\W+(?:for|in|the|of|and|fiscal|years?|ended|named|executive|officers?|sct|thousands|millions|dollars|in|us|usd|canadian|cad|c\\$|us\\$|eur(?:os?)?|gbp|pounds|sterling|expressed|stated|all|amounts|${YEARS}|[a-z]{3,9}\\s+\\d{1,2},?(?:\\s+(?:19|20)\\d\\d)?|\\(?\\d{1,2}\\)?))*\\W*$`,
  },
  group: {
    "fixture 10":
      /^\W*(?:(?:current|former|other|our|continuing|new)\s+)*(?:named\s+(?:executive\s+)?(?:officers?|executives?)|neos?|former\s+(?:executive\s+)?(?:officers?|executives?))\W*$/i,
  },
  other_people: {
    "pages.test; general-enterprise-s1a-2025":
      /(?<!\bofficers?(?:,| and| &|\/) ?)\bdirectors?\b(?! and (?:executive )?officers)|\bboard\b|\bconsultants?\b|\badvis[oe]rs?\b|\bnon-?employees?\b|\btrustees?\b|\b(?:other|key|significant|highly (?:compensated|paid)) employees\b|\bmanagers of\b/i,
  },
  others_only: {
    "pages.test":
      /\bsubsidiar(?:y|ies)\b|\bnone of whom\b|\bnot (?:an? |one of our )?(?:named )?(?:executive )?officers?\b/i,
    "choose.test: Summary Compensation Table – Predecessor":
      /^[^.;]{0,80}\b(?:predecessor|former parent)\W*$/i,
  },
  no_officers: {
    // Whatever their offices, these people are not the company's officers.
    "choose.test: our external manager’s officers": `^(?!.*\\b(?:our|the company[’']s) (?:own )?${OFFICERS}(?!\\s+of\\b)).*\\b(?:${[
      `${OF_THEIRS}[’']s?\\s+${OFFICERS}`,
      `${OFFICERS}\\s+of\\s+${OF_THEIRS}(?![\\w-]|\\s+(?:and|or)\\b)`,
      `by\\s+${OF_THEIRS}\\s+to\\s+(?:its|their)\\s+(?:own\\s+)?${OFFICERS}`,
    ].join("|")})`,
    "choose.test: Officers of Our Bank Subsidiary":
      /^\W*subsidiar|\bofficers? of (?:our|its|the company[’']s|a|the) (?:\S+ )?subsidiar|\bnone of whom\b|\bnot (?:an? |one of our )?(?:named )?executive officers?\b/i,
  },
  other_view: {
    "pages.test: Realized Pay":
      /\b(?:realized|realizable|supplemental|alternative|annualized|performance year|total direct|target (?:total )?(?:direct )?compensation|not a substitute|differs? from|modified|adjusted|normalized|pro forma|reconciliation|amounts above|actually received|committee views)\b/i,
    "foreign.test: Potential Payments":
      /^[^.;]{0,60}\b(?:severance|potential|termination|separation|payable|change[\s-]+(?:in|of)[\s-]+control|golden|target(?:ed|s)?|decisions?|opportunit(?:y|ies)|realiz(?:ed|able)|views?|viewed|hypothetical)\b[^.;]{0,60}$/i,
    "choose.test: Illustrative Summary Compensation Table":
      /^\W*(?:(?:19|20)\d\d\W+)?(?:an?\s+)?(?:illustrat\w+|hypothetical|example|sample)\s+(?:of\s+(?:an?|the)\s+)?(?:summary|compensation|pay|table)\b/i,
    "heading.test: Summary Compensation Table (As Originally Filed)":
      /\bas (?:originally|previously|first) (?:filed|reported|published)\b|^\W*original summary\b/i,
    "heading.test: All Other Compensation": /^\W*(?:(?:19|20)\d\d\W+)?all other compensation(?: table)?\W*$/i,
  },
  introduction: {
    "pages.test: (2) The following table shows other people":
      /\bfollowing (?:table|chart)s?\b|\btables? below\b|\bas follows\b|:$/i,
  },
  introduces_table: {
    "judge.test: The following table shows what our named executive officers earned": `\\bfollowing\\s+(?:summary\\s+compensation\\s+table\\b|table\\b.*(?:${NO_REFERENCE}\\bsummary\\s+compensation\\b|\\bnamed\\s+executive\\s+officers?\\b))`,
  },
  presents_table: {
    "foreign.test: The following summary compensation table": `\\bfollowing\\s+(?:is\\s+(?:an?|the|our)\\s+|(?:fiscal\\s+)?(?:19|20)\\d\\d\\s+)*summary\\s+(?:of\\s+)?compensation\\b`,
    "foreign.test: The Summary Compensation Table below shows":
      /^(?:the|this|our)\s+(?:(?:fiscal\s+)?(?:19|20)\d\d\s+)?summary\s+compensation\s+table\s+(?:below|that\s+follows|sets?|shows?|presents?|summarizes?|contains?|provides?|lists?)\b(?!.*\b(?:above|elsewhere|page)\b)/i,
  },
  run_in_title: {
    "0001558891-19-000066: Summary Compensation Table. The following table":
      /^\W*(?:(?:fiscal\s+)?(?:19|20)\d\d\W+)?summary\s+compensation\s+table\s*[.:]\s/i,
  },
  introduces_other_pay: {
    "foreign.test: The following table shows amounts upon a termination":
      /^(?=.*\b(?:following|table|below)\b)(?!.*\b(?:earned|awarded|total compensation|summary compensation)\b).*\b(?:severance|terminat\w+|change[\s-]+(?:in|of)[\s-]+control|would|hypothetical\w*|assum\w+|at target|target(?:ed)?|opportunit\w+|deci[ds]\w+|reali[sz]\w+|(?<!paid (?:or|and) )payable)\b/i,
  },
  remark: {
    "units.test: (USD K)": /^\([^()]*\)$/,
    "units.test: Amounts in £": /^(?:all\s+)?(?:amounts|figures|dollars|expressed|stated)\b/i,
  },
  neutral: {
    "foreign.test: Potential Payments": `^[^a-z\\d]*(?:(?:${NEUTRAL}|\\d+)\\b[^a-z\\d]*)*$`,
  },
  points_at_table: {
    "heading.test: The following table differs from what was reported":
      /\b(?:following table|table (?:below|above))\b/i,
  },
  our_officers: {
    "heading.test: Our subsidiary and the amounts paid to our named executive officers":
      /(?<!\bnot one of )\b(?:our|each|the|its|these) (?:named executive officers|neos)\b/i,
  },
  officers: { "heading.test: What our officers earned": /\bexecutives?\b|(?<!not )\bofficers?\b/i },
  one_officer: { "heading.test: What our president earned": /\bpresident\b/i },
  mentions_table: {
    "heading.test: The summary of compensation of our directors": `${NO_REFERENCE}\\bsummary\\s+(?:of\\s+)?compensation\\b`,
  },
  units: { "heading.test: (in thousands)": /\bthousands\b|\bmillions\b|\bdollars\b|000/i },
  title_row: {
    "header.test: a title over some columns":
      /summary compensation table|in thousands|\$\s?000|in dollars|expressed in|in millions/i,
  },
});

/** Lines that a page break leaves between the rows or pages of a table; matched against the whole line, tidied. */
export const PAGE_ARTIFACTS = lexiconOf("page-artifacts", {
  "page number": { "pages.test": /^[A-Z]-\d{1,3}$|^\[?page\s*\d{1,3}(?:\s+of\s+\d{1,3})?\]?$/i },
  link: { "layouts: page break": /^(?:back to )?table of contents$/i },
  "running head": {
    "fixture 68": [
      /^(?!.*summary\s+compensation)[^;]{0,80}\b(?:(?:19|20)\d\d (?:annual )?proxy statement|proxy statement (?:for )?(?:19|20)\d\d)\b[^;.]{0,60}$/i,
      /^executive compensation(?: tables?)?(?:\W+cont(?:inued|['’]?d)?\W*)?$/i,
    ],
    "pages.test": /^named executive officers(?:\W+cont(?:inued|['’]?d)?\W*)?$/i,
  },
  title: {
    "fixture 68": /^(?:\d{4}\s+)?summary (?:of )?compensation(?: table)?(?:\W+cont(?:inued|['’]?d)?\W*)?$/i,
  },
  continued: {
    "pages.test": /^\W*continued(?: (?:from|on) (?:the )?(?:next|previous|following|preceding) page)?\W*$/i,
  },
  "notes below": { "pages.test": /^(?:please )?see (?:the )?(?:accompanying )?(?:foot)?notes?\b.{0,120}$/i },
});

/** Evidence for and against a table in the letters of its column headers and right above it. Meanings are quoted in refusals. */
export const TABLE_SIGNS = lexiconOf("table-signs", {
  "all other compensation": { "Item 402(c)(2)(ix); judge.test": /allothercomp/ },
  "non-equity incentive plan": { "Item 402(c)(2)(vii); judge.test": /nonequityincentiveplan/ },
  "stock or option awards": { "Item 402(c)(2)(v) and (vi); judge.test": /stockawards|optionawards/ },
  "name and principal position": { "Item 402(c)(2)(i); judge.test": /nameand?principalposition/ },
  "column headers of another view of pay": {
    "judge.test: Realized Pay": /target|realiz|performanceyear|payversus|actuallypaid|annualized/,
  },
  heading: {
    "judge.test: Executive and Director Summary Compensation":
      /summarycompensationtable|summarycompensation$|summaryofcompensation/,
  },
});
