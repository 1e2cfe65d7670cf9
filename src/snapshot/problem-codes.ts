/** Problems that are met after a document has been read: with facts entered manually, in merging and in assembling. */
export const DATASET_PROBLEMS = {
  filer_arithmetic:
    "the filer's components do not add up to the filer's total; the rest is in unknown_component",
  misprint: "the filing prints an amount with a slip that its own total puts right",
  outside_knowledge: "who held the office comes from another source than the company's filings",
  restated: "an earlier filing prints other amounts for this executive and year; the later filing is served",
  printed_twice: "the filing prints this executive's year twice with different amounts",
  undecided_flag: "no filing decides whether the executive held the office; false is served",
  flag_conflict: "filings disagree on who held the office",
  partial_period: "the row covers less than a year",
  peo_total_differs: "the total tagged for the principal executive officer differs from the row's",
  reading_differs: "the pipeline reads the filing differently from the manual entry, which stays",
  document_changed: "EDGAR's document is no longer the one that was read before",
  pinned_separately: "two spellings of what may be one name have ids of their own since earlier",
} as const;
/** One of them. */
export type DatasetProblem = keyof typeof DATASET_PROBLEMS;
