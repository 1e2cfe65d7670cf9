/** What filings say on who was principal executive or financial officer, one statement at a time. */
import type { DayRange } from "./fiscal-year.ts";

/** Principal executive officer or principal financial officer. */
export type Office = "peo" | "pfo";
/** Both. */
export const OFFICES = ["peo", "pfo"] as const satisfies readonly Office[];

/**
 * What a claim rests on: a tag of the executive compensation taxonomy, a sentence that dates an office, a printed title, a
 * sentence that gives somebody the office by its legal name, or what the others in office leave room for.
 */
export type ClaimBasis = "tag" | "dated" | "title" | "designation" | "successor";

/**
 * How the person stands to the office on the day of the filing: in it, out of it, either for an interim, or with a title that
 * stands for the office where nobody has it. Null where the words do not say.
 */
export type Standing = "present" | "present_interim" | "former" | "former_interim" | "fallback" | null;

/** One statement of one filing about one person and one office. */
export interface OfficerClaim {
  /** The executive id. */
  readonly person: string;
  readonly office: Office;
  /** Whether it says that the person held the office, or that not. */
  readonly held: boolean;
  /** When the time that is spoken of begins; null where that is left open. */
  readonly from: DayRange | null;
  readonly to: DayRange | null;
  readonly basis: ClaimBasis;
  readonly standing: Standing;
  /** What read it: a lexicon entry's source, a tag's name. */
  readonly rule: string;
  /** The words or the tag, short. */
  readonly quote: string;
  /** The filing; the empty string for a document without a known one. */
  readonly accession: string;
}

/**
 * What a flag rests on: dated text, an XBRL tag, the title beside the filing's own year, today's title beside an older
 * year, nothing.
 */
export const EVIDENCE = ["dated", "tag", "title", "weak", "none"] as const;
/** One of `EVIDENCE`. */
export type EvidenceKind = (typeof EVIDENCE)[number];
