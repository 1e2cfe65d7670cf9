import { defineLexicon } from "./entry.ts";

const YEARS = "(?:fiscal(?: years?)?\\W+)?(?:19|20)\\d\\d(?:\\W+(?:and\\W+)?(?:19|20)\\d\\d)*";
const CONTINUED = "cont(?:inued|['’]?d)?\\.?";

/** What stands over a table, or between two: what it names. */
export const HEADINGS = defineLexicon<
  "summary_compensation" | "continued" | "group" | "other_people" | "other_view" | "introduction"
>("headings", [
  {
    means: "continued",
    pattern: new RegExp(`summary\\s+compensation.*\\b${CONTINUED}\\W*$|^\\W*${CONTINUED}\\W*$`, "i"),
    source: "layouts: page break",
  },
  {
    means: "summary_compensation",
    pattern: new RegExp(
      `^\\W*(?:table\\s+\\d+\\W+)?(?:${YEARS}\\W+)?summary\\s+(?:of\\s+)?(?:executive\\s+)?compensation(?:\\s+tables?)?(?:\\W+(?:for|in|the|of|and|fiscal|years?|ended|named|executive|officers?|${YEARS}|[a-z]{3,9}\\s+\\d{1,2},?(?:\\s+(?:19|20)\\d\\d)?|\\(?\\d{1,2}\\)?))*\\W*$`,
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
      /\bdirectors?\b|\bboard\b|\bconsultants?\b|\badvis[oe]rs?\b|\bnone of whom\b|\bsubsidiar(?:y|ies)\b|\bnon-?employees?\b|\btrustees?\b|\bother (?:key |significant )?employees\b|\bmanagers of\b/i,
    source: "pages.test; general-enterprise-s1a-2025",
  },
  {
    means: "other_view",
    pattern:
      /\b(?:realized|realizable|supplemental|alternative|annualized|performance year|total direct|target (?:total )?(?:direct )?compensation|not a substitute|differs? from|modified|adjusted|normalized|pro forma|reconciliation)\b/i,
    source: "fixture 75",
  },
  {
    means: "introduction",
    pattern: /\bfollowing (?:table|chart)s?\b|:$/i,
    source: "pages.test",
  },
]);
