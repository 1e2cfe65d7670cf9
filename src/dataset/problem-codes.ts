/** Problems found after a document has been read: in manual entries, while merging and while assembling. */
export const DATASET_PROBLEMS = {
  filer_arithmetic:
    "the filer's components do not add up to the filer's total; the rest is in unknown_component",
  misprint: "the filing misprints an amount, as its own total shows",
  outside_knowledge: "who held the office is known from a source other than the company's filings",
  restated:
    "an earlier filing prints different amounts for this executive and year; the later filing is served",
  printed_twice: "the filing prints this executive's year twice with different amounts",
  undecided_flag: "no filing says whether the executive held the office; false is served",
  flag_conflict: "filings disagree on who held the office",
  partial_period: "the row covers less than a year",
  peo_total_differs: "the total tagged for the principal executive officer differs from the row's",
  reading_differs: "the reader's result differs from the manual entry, which is kept",
  document_changed: "the document on EDGAR has changed since it was read",
  pinned_separately: "two spellings of what may be one name already have different ids",
} as const;
/** A problem code. */
export type DatasetProblem = keyof typeof DATASET_PROBLEMS;
