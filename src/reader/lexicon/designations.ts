/**
 * Sentences that give one person an office by its legal name, whatever the titles of the others are. People are signs as in
 * `officer-frames.ts`. Groups: `who`, `first` and `second` (executive, financial, accounting), `between` where another name
 * may stand.
 */
import { defineLexicon } from "./entry.ts";

const OFFICER =
  "(?:interim |acting |co-)?principal (?<first>executive|financ(?:ial|e)|accounting)(?: and (?:principal )?(?<second>accounting|financ(?:ial|e)))? officer";
const OUR = "(?:our|the Company[’']s)";
const WHO = "⟦(?<who>\\d+)⟧";

/** Each is searched for in passages that speak of a principal officer. */
export const DESIGNATIONS = defineLexicon<"designates">("designations", [
  {
    means: "designates",
    // Not in a list that names the office first.
    pattern: new RegExp(
      `(?<!officer,? )${WHO},? (?:who (?:is|was) )?${OUR} ${OFFICER}(?!,? (?:⟦|(?-i:\\p{Lu}\\p{Ll}+ \\p{Lu})))`,
      "iu",
    ),
    source: "cases: Mr. McCarthy, our principal executive officer",
  },
  {
    means: "designates",
    pattern: new RegExp(`\\b${OUR} ${OFFICER}\\)?, ${WHO},`, "iu"),
    source: "cases: our principal executive officer, Hans Birkholz, our principal financial officer",
  },
  {
    means: "designates",
    pattern: new RegExp(
      `\\bdesignat\\w+ ${WHO} (?:as|to be) (?:(?:our|the|its|an?|the Company[’']s) )?${OFFICER}`,
      "iu",
    ),
    source: "fixture 53",
  },
  {
    means: "designates",
    pattern: new RegExp(
      `${WHO} (?:was|has been|is) designated (?:as )?(?:(?:our|the|its|an?|the Company[’']s) )?${OFFICER}`,
      "iu",
    ),
    source: "cases: Mr. McCarthy was designated as our principal executive officer",
  },
  {
    means: "designates",
    pattern: new RegExp(
      `${WHO}(?:, [^⟦().;]{0,60},)? (?:is|was|serves|served|acts|has served) (?:considered |deemed |as |to be ){0,2}(?:our|the|the Company[’']s) ${OFFICER}`,
      "iu",
    ),
    source: "cases: Ms. Furst is our principal executive officer",
  },
  {
    means: "designates",
    pattern: new RegExp(`${WHO}(?<between>[^⟦().;]{0,80})\\((?:and |our )?${OFFICER}\\)`, "iu"),
    source: "fixture 53: Office of the Chief Executive Officer (and principal executive officer)",
  },
]);

/** Where the name stands to an office, and where titles behind a name end. */
export const OFFICE_POSITIONS = defineLexicon<
  "name follows" | "new sentence" | "titles behind a name" | "end of titles" | "next title follows"
>("office-positions", [
  {
    means: "name follows",
    pattern: /^\s+(?:is|was|has been)\b/u,
    source: "cases: Our principal financial officer is Tom Ash",
  },
  {
    means: "name follows",
    pattern: /^,\s+\p{Lu}\p{Ll}+\s+\p{Lu}[^,]{1,30},/u,
    source: "cases: Gabriel Santos met our principal executive officer, Bettina Krause, today",
  },
  {
    // Out of brackets an office belongs to a name of the same sentence.
    means: "new sentence",
    pattern: /\p{Ll}{2}[.;]\s+\p{Lu}/u,
    source: "cases: Bettina Krause left. The principal executive officer met",
  },
  {
    means: "titles behind a name",
    pattern:
      /^[,\s]*(?:\(?\d{2}\)?[,\s]+)?(?:our\s+)?(?<titles>(?:(?:and|of|the|&|[A-Z][\w./-]*)(?:\s*,)?\s*){2,})/,
    source: "cases: Jane Doe 64 President, Chief Executive Officer and Chief Financial Officer",
  },
  {
    means: "end of titles",
    pattern: /\bPursuant\b.*/,
    source: "cases: President, Chief Executive Officer , Chief Financial Officer Pursuant to",
  },
  {
    means: "next title follows",
    pattern: /\bOfficer(?= Chief)/,
    source: "cases: Bettina Krause, Chief Operating Officer Chief Financial Officer",
  },
]);
