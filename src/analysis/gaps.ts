/** What was asked for and is not in an answer, and why. @see docs/contract.md, "What is missing" */
import { newerFilingJson } from "../domain/company.ts";
import type { Selection } from "../domain/selection.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { yearRange } from "./company-years.ts";

/** A company or years that were asked for and are not in the answer. */
export interface Gap {
  ticker: string;
  cik: string;
  company_name: string;
  /** The fiscal years asked for; null for the latest. */
  asked: { from: number | null; to: number | null } | null;
  /** The fiscal years that are known, newest first. */
  held: number[];
  /** Some of the years are not loaded; nothing of the company is; nothing of it matches; its total is doubtful. */
  reason: "not_loaded" | "no_rows" | "no_match" | "doubtful";
  /** Newer than the latest loaded one. */
  newer_filing: {
    accession: string;
    form: string | null;
    filing_date: string;
    filing_url: string | null;
  } | null;
}

/** The range of fiscal years that bounds describe; null for the latest. */
export function askedYears(years: Selection["years"]): Gap["asked"] {
  if (years.length === 0) return null;
  const [low, high] = yearRange(years);
  return { from: low === -Infinity ? null : low, to: high === Infinity ? null : high };
}

/** Most missing years between two bounds that are looked at: nobody's pay is known for longer. */
const MAX_YEARS = 100;

/**
 * The gap of one company; null if nothing that was asked for is missing.
 * @param held its known fiscal years, newest first
 * @param isMatched whether the answer has anything of it
 */
export function gapOf(
  dataset: Dataset,
  cik: string,
  { asked, held, isMatched, isDoubtful = false }: GapBasis,
): Gap | null {
  const isMissing = isYearMissing(asked, held);
  if (isMatched && !isMissing) return null;
  const unmatched = isDoubtful ? "doubtful" : "no_match";
  const company = dataset.findByCik(cik);
  return {
    ticker: company?.ticker ?? "",
    cik,
    company_name: company?.name ?? "",
    asked,
    held,
    reason: held.length === 0 ? "no_rows" : isMissing ? "not_loaded" : unmatched,
    newer_filing: company === undefined ? null : newerFilingJson(company),
  };
}

type GapBasis = Pick<Gap, "asked" | "held"> & { isMatched: boolean; isDoubtful?: boolean };

/** An open end asks for no more than is known. */
function isYearMissing(asked: Gap["asked"], held: readonly number[]): boolean {
  if (asked === null) return false;
  const [newest, oldest] = [held[0] ?? 0, held.at(-1) ?? 0];
  const { from, to } = asked;
  const first = from ?? Math.min(oldest, to ?? oldest);
  const last = Math.min(to ?? Math.max(newest, first), first + MAX_YEARS);
  for (let year = first; year <= last; year++) if (!held.includes(year)) return true;
  return false;
}
