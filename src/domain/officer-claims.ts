/** Claims in filings about who was principal executive or financial officer. */
import type { DayRange } from "./fiscal-year.ts";

/** Principal executive officer or principal financial officer. */
export type Office = "peo" | "pfo";
export const OFFICES = ["peo", "pfo"] as const satisfies readonly Office[];

/**
 * The person's standing on the day of the filing: in office or formerly, each also as interim, or with a title that
 * implies the office where no one else has it. Null if the text does not say.
 */
export type Standing = "present" | "present_interim" | "former" | "former_interim" | "fallback" | null;

/** A statement in a filing about one person and one office. */
export interface OfficerClaim {
  /** The executive id. */
  readonly person: string;
  readonly office: Office;
  /** Whether the claim is that the person held the office, or did not. */
  readonly held: boolean;
  /** Start of the claimed period; null if open. */
  readonly from: DayRange | null;
  readonly to: DayRange | null;
  /**
   * A tag of the executive compensation taxonomy, a sentence that dates a term of office, a printed title, a sentence that
   * designates the person by the office's legal name, or the succession of the other officers.
   */
  readonly basis: "tag" | "dated" | "title" | "designation" | "successor";
  readonly standing: Standing;
  /** Whether the title says that others hold the office at the same time: co-chief executive officer. */
  readonly isShared?: boolean;
  /** Why the sentence may be about somebody else or another company; a flag that needs it is unclear. */
  readonly doubt?: string;
  /** The rule that produced it: a lexicon entry's source, or a tag's name. */
  readonly rule: string;
  /** A short quote of the words, or the tag. */
  readonly quote: string;
  /** The filing; empty for a document without an accession number. */
  readonly accession: string;
}

/**
 * The basis of a flag: dated text, an XBRL tag, the title in the year's own filing, a current title applied to an
 * earlier year, none.
 */
export const EVIDENCE = ["dated", "tag", "title", "weak", "none"] as const;
/** A basis of a flag. */
export type EvidenceKind = (typeof EVIDENCE)[number];
