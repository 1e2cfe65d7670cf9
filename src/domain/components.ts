/** The amounts that make up a row's total, in the order of the table's columns (Item 402(c)(2)(iii)-(ix)), the unattributed part last. */
export const COMPONENTS = [
  "salary",
  "bonus",
  "stock_awards",
  "option_awards",
  "non_equity_incentive",
  "pension_change",
  "other_comp",
  "unknown_component",
] as const;

/** One of the eight amounts that add up to `total_compensation`. */
export type Component = (typeof COMPONENTS)[number];

/** Every amount of a row: the eight components and the total that the filer printed. */
export const AMOUNTS = [...COMPONENTS, "total_compensation"] as const;
export type AmountField = (typeof AMOUNTS)[number];
