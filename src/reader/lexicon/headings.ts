import { defineLexicon } from "./entry.ts";

const YEARS = "(?:fiscal(?: years?)?\\W+)?(?:19|20)\\d\\d(?:\\W+(?:and\\W+)?(?:19|20)\\d\\d)*";
const CONTINUED = "cont(?:inued|['’]?d)?\\.?";

const GROUP = "(?:executive\\s*)?(?:officers?|neos?|executives?|employees?)";

/** What stands in a table in the place of a name, and is nobody's: alone on a row, or beside the amounts of several people. */
export const ROW_LABELS = defineLexicon<"group" | "several people" | "nobody" | "other people" | "company">(
  "row-labels",
  [
    {
      means: "several people",
      pattern:
        /^(?:all|total|average|aggregate|other|remaining)\b.*\b(?:officers|executives|neos|employees|persons|people)\b|\bas\sa\sgroup\b/i,
      source: "people.test: All Other Officers",
    },
    {
      means: "nobody",
      pattern:
        /^\W*(?:vacant|(?:open|unfilled) (?:position|office)|to be (?:hired|determined|appointed|named))\b/i,
      source: "people.test: Open Position",
    },
    {
      means: "group",
      pattern: new RegExp(
        `^(?:(?:current|former|other|named|our|continuing|new)\\s*)+${GROUP}\\s*(?:as\\sof.*|at.*year.end.*)?:?$`,
        "i",
      ),
      source: "fixture 10",
    },
    {
      means: "group",
      pattern: /^(?:executive\s*)?(?:officers|neos|executives|employees)\s*(?:as\sof.*|at.*year.end.*)?$/i,
      source: "people.test: Executive Officers",
    },
    { means: "group", pattern: /:$/, source: "people.test: Our Team:" },
    {
      means: "other people",
      pattern:
        /^(?:(?:our|current|former|other|non-?employee|non-?executive|independent|outside)\s+)*(?:directors|consultants|advis[eo]rs|trustees)(?:['’]? (?:compensation|fees))?\W*$/i,
      source: "header.test: Non-Employee Directors",
    },
    {
      means: "company",
      pattern:
        /\b(?:inc|incorporated|corp|corporation|company|llc|ltd|limited|bank|bancorp|l\.?p|plc|n\.a)\.?\s*(?:\([^()]*\))?$/i,
      source: "header.test: Example Brands LLC",
    },
  ],
);

/** What stands over a table, or between two: what it names. */
export const HEADINGS = defineLexicon<
  | "summary_compensation"
  | "continued"
  | "group"
  | "other_people"
  | "others_only"
  | "no_officers"
  | "other_view"
  | "introduction"
  | "introduces_table"
  | "points_at_table"
  | "our_officers"
  | "officers"
  | "one_officer"
  | "mentions_table"
  | "units"
  | "title_row"
>("headings", [
  {
    means: "continued",
    pattern: new RegExp(`summary\\s+compensation.*\\b${CONTINUED}\\W*$|^\\W*${CONTINUED}\\W*$`, "i"),
    source: "layouts: page break",
  },
  {
    means: "summary_compensation",
    pattern: new RegExp(
      `^\\W*(?:(?:table\\s+\\d+|[ivx]{1,4}|[a-z\\d])\\W+)?(?:${YEARS}\\W+)?summary\\s+(?:of\\s+)?(?:executive\\s+)?compensation(?:\\s+tables?)?(?:\\W+(?:for|in|the|of|and|fiscal|years?|ended|named|executive|officers?|sct|thousands|millions|dollars|${YEARS}|[a-z]{3,9}\\s+\\d{1,2},?(?:\\s+(?:19|20)\\d\\d)?|\\(?\\d{1,2}\\)?))*\\W*$`,
      "i",
    ),
    source: "Item 402(c)(1)",
  },
  {
    means: "group",
    pattern:
      /^\W*(?:(?:current|former|other|our|continuing|new)\s+)*(?:named\s+(?:executive\s+)?(?:officers?|executives?)|neos?|former\s+(?:executive\s+)?(?:officers?|executives?))\W*$/i,
    source: "fixture 10",
  },
  {
    means: "other_people",
    pattern:
      /(?<!\bofficers?(?:,| and| &|\/) ?)\bdirectors?\b(?! and (?:executive )?officers)|\bboard\b|\bconsultants?\b|\badvis[oe]rs?\b|\bnon-?employees?\b|\btrustees?\b|\b(?:other|key|significant|highly (?:compensated|paid)) employees\b|\bmanagers of\b/i,
    source: "pages.test; general-enterprise-s1a-2025",
  },
  {
    means: "others_only",
    pattern:
      /\bsubsidiar(?:y|ies)\b|\bnone of whom\b|\bnot (?:an? |one of our )?(?:named )?(?:executive )?officers?\b/i,
    source: "pages.test",
  },
  {
    // Whatever offices its people have, they are not the company's.
    means: "no_officers",
    pattern:
      /^\W*subsidiar|\bofficers? of (?:our|its|the company[’']s|a|the) (?:\S+ )?subsidiar|\bnone of whom\b|\bnot (?:an? |one of our )?(?:named )?executive officers?\b/i,
    source: "choose.test: Officers of Our Bank Subsidiary",
  },
  {
    means: "other_view",
    pattern:
      /\b(?:realized|realizable|supplemental|alternative|annualized|performance year|total direct|target (?:total )?(?:direct )?compensation|not a substitute|differs? from|modified|adjusted|normalized|pro forma|reconciliation|amounts above|actually received|committee views)\b/i,
    source: "pages.test: Realized Pay",
  },
  {
    means: "other_view",
    pattern: /\bas (?:originally|previously|first) (?:filed|reported|published)\b|^\W*original summary\b/i,
    source: "heading.test: Summary Compensation Table (As Originally Filed)",
  },
  {
    means: "other_view",
    pattern: /^\W*(?:(?:19|20)\d\d\W+)?all other compensation(?: table)?\W*$/i,
    source: "heading.test: All Other Compensation",
  },
  {
    means: "introduction",
    pattern: /\bfollowing (?:table|chart)s?\b|\btables? below\b|\bas follows\b|:$/i,
    source: "pages.test: (2) The following table shows other people",
  },
  {
    means: "introduces_table",
    pattern:
      /\bfollowing\s+(?:summary\s+compensation\s+table\b|table\b.*\b(?:summary\s+compensation|named\s+executive\s+officers?)\b)/i,
    source: "judge.test: The following table shows what our named executive officers earned",
  },
  {
    means: "points_at_table",
    pattern: /\b(?:following table|table (?:below|above))\b/i,
    source: "heading.test: The following table differs from what was reported",
  },
  {
    means: "our_officers",
    pattern: /(?<!\bnot one of )\b(?:our|each|the|its|these) (?:named executive officers|neos)\b/i,
    source: "heading.test: Our subsidiary and the amounts paid to our named executive officers",
  },
  {
    means: "officers",
    pattern: /\bexecutives?\b|(?<!not )\bofficers?\b/i,
    source: "heading.test: What our officers earned",
  },
  { means: "one_officer", pattern: /\bpresident\b/i, source: "heading.test: What our president earned" },
  {
    means: "mentions_table",
    pattern: /\bsummary\s+(?:of\s+)?compensation\b/i,
    source: "heading.test: The summary of compensation of our directors",
  },
  {
    means: "units",
    pattern: /\bthousands\b|\bmillions\b|\bdollars\b|000/i,
    source: "heading.test: (in thousands)",
  },
  {
    means: "title_row",
    pattern: /summary compensation table|in thousands|\$\s?000|in dollars|expressed in|in millions/i,
    source: "header.test: a title over some columns",
  },
]);
