/** Figures derived from a row, and for a change from the same executive's row of the fiscal year before. */

/** The measures, in the order of the contract. */
export const MEASURES = ["total_change", "total_change_percent", "cash_share", "equity_share"] as const;
/** One of them. */
export type Measure = (typeof MEASURES)[number];

/** How a measure is stored: as a whole number of `1 / unit`, so that sums and comparisons are exact. */
export const MEASURE_UNIT: Readonly<Record<Measure, number>> = {
  total_change: 100,
  total_change_percent: 10_000,
  cash_share: 1_000_000,
  equity_share: 1_000_000,
};

/** What each measure means. */
export const MEASURE_ABOUT: Readonly<Record<Measure, string>> = {
  total_change:
    "total minus the same executive's total of the fiscal year before; both full years, one currency",
  total_change_percent: "the same in percent of the total of the year before",
  cash_share: "salary, bonus and non-equity incentive as a share of the total, from 0 to 1",
  equity_share: "stock and option awards as a share of the total, from 0 to 1",
};

/** Whether a word names a measure. */
export function isMeasure(word: string): word is Measure {
  return MEASURES.some((name) => name === word);
}
