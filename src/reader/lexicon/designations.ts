/**
 * Sentences that expressly give one person an office by its legal name; they override titles. People are placeholders as in
 * `officer-frames.ts`. Groups: `who`, `first` and `second` (executive, financial, accounting), `between` (may contain another name).
 */
import { lexiconOf } from "./entry.ts";

const OFFICER =
  "(?:interim |acting |co-)?principal (?<first>executive|financ(?:ial|e)|accounting)(?: and (?:principal )?(?<second>accounting|financ(?:ial|e)))? officer";
const OUR = "(?:our|the Company[’']s)";
const WHO = "⟦(?<who>\\d+)⟧";

/** Searched for in passages that mention a principal officer. */
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
