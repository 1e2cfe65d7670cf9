/** Sentences about what is missing, the same on every surface. */
import type { Gap } from "../analysis/gaps.ts";

export type { Gap };

/** Years as a range, `2013 to 2026`, or as a list if there are gaps. @param years ascending */
export function yearsText(years: readonly number[]): string {
  const [first] = years;
  const last = years.at(-1);
  if (first === undefined || last === undefined) return "none";
  if (first === last) return String(first);
  return last - first + 1 === years.length ? `${first} to ${last}` : years.join(", ");
}

/** `MSFT: 2023 to 2025 loaded, 2019 to 2022 not loaded (newer filing 0001193125-26-000025)` */
export function gapText(
  { ticker, cik, reason, asked, held, newer_filing: newer }: Gap,
  isCeoPay = false,
): string {
  const from = asked?.from ?? held.at(-1) ?? 0;
  const last = asked?.to ?? held[0] ?? from;
  const years = Array.from({ length: Math.max(0, Math.min(last - from + 1, 100)) }, (_, at) => from + at);
  const text = {
    no_rows: isCeoPay ? "no total is known" : "none of its filings is loaded",
    not_loaded: `${yearsText(held.toReversed())} loaded, ${yearsText(years.filter((year) => !held.includes(year)))} not loaded`,
    no_match: isCeoPay ? "none of its totals matches" : "none of its rows matches",
    doubtful: "its total is doubtful",
  }[reason];
  return `${ticker || `CIK ${cik}`}: ${text}${newer === null ? "" : ` (newer filing ${newer.accession})`}`;
}
