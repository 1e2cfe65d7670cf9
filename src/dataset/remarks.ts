/** What was found with served rows, as sentences for people: a short period, a restated amount, a slip of the filer. */
import { AMOUNT_FIELD, AMOUNTS } from "../domain/row-fields.ts";
import { foundByRow, type RowName } from "./company-facts.ts";
import type { Dataset } from "./dataset.ts";

/** One problem of a served row. */
export interface Remark {
  /** One of the data dictionary's problem codes. */
  code: string;
  /** A sentence for people. */
  message: string;
}

/** The remarks on a row; none for most. */
export type RemarksOf = (row: RowName) => readonly Remark[];

/** Whether the row covers less than a year: its amounts do not compare with those of a whole one. */
export function isShortPeriod(remarks: readonly Remark[]): boolean {
  return remarks.some(({ code }) => code === "partial_period");
}

/** The mark of a year in charts and lists: one of these rows covers less than twelve months. */
export function shortMark(remarks: RemarksOf, rows: readonly (RowName | undefined)[]): "‡" | "" {
  return rows.some((row) => row !== undefined && isShortPeriod(remarks(row))) ? "‡" : "";
}

/** Codes that are about an office and not about an amount. */
const OFFICE_CODES = ["outside_knowledge", "undecided_flag", "flag_conflict", "peo_unclear", "pfo_unclear"];

/** Whether the remark is about who held an office. */
export function isAboutOffice({ code }: Remark): boolean {
  return OFFICE_CODES.includes(code);
}

/** The remarks on all rows of these companies. */
export function rowRemarks(dataset: Dataset, ciks: readonly string[]): RemarksOf {
  const problems = foundByRow<{ step: string; code: string; message: string }>(
    dataset,
    ciks,
    "step, code, message",
    {
      join: "problems on problems.filing = rows.filing and problems.position = rows.position",
      order: "problems.filing, problems.place",
    },
  );
  return (row) =>
    reportedOnce(problems(row)).map(({ code, message }) => ({ code, message: sentenceOf(code, message) }));
}

/** Of these remarks those on periods shorter than a year. */
export function shortPeriods(dataset: Dataset, ciks: readonly string[]): RemarksOf {
  const all = rowRemarks(dataset, ciks);
  return (row) => all(row).filter((one) => isShortPeriod([one]));
}

/** The problems of one row without those that a later step reports too, in other words. */
export function reportedOnce<Reported extends { readonly code: string; readonly step: string }>(
  problems: readonly Reported[],
): Reported[] {
  const lastStep = new Map(problems.map(({ code, step }) => [code, step]));
  return problems.filter(({ code, step }) => lastStep.get(code) === step);
}

/** What a message leaves to its code. */
const LEADS: Readonly<Record<string, string>> = {
  restated: "Restated: ",
  outside_knowledge: "The office is known from a source other than the company's filings: ",
};

const NAMES: Readonly<Record<string, string>> = {
  is_peo: "CEO flag",
  is_pfo: "CFO flag",
  ...Object.fromEntries(AMOUNTS.map((name) => [name, AMOUNT_FIELD[name].label.toLowerCase()])),
};

/** Why a flag is served as false that nothing decides. */
export const TITLES_NOT_COLLECTED = "titles are not collected; false is served";
export const NO_FILING_DECIDES = "no filing decides it; false is served";

/** What is said instead of messages about an office that nothing decides, which name the flag. */
const UNDECIDED: readonly (readonly [ending: string, said: (office: string) => string])[] = [
  [TITLES_NOT_COLLECTED, (office) => `Titles were not collected, so who was ${office} is not known.`],
  [NO_FILING_DECIDES, (office) => `No filing says whether this person was ${office}; shown as not.`],
];

function sentenceOf(code: string, message: string): string {
  const said = UNDECIDED.find(([ending]) => message.endsWith(ending))?.[1];
  if (said !== undefined) return said(message.startsWith("is_peo") ? "CEO" : "CFO");
  const text = `${LEADS[code] ?? ""}${message}`
    .replaceAll(/\b[a-z]+(?:_[a-z]+)*\b/g, (word) => NAMES[word] ?? word)
    // Not the digits of an accession number.
    .replaceAll(/(?<![\d.,-])\d{5,}(?![\d-])/g, (digits) => Number(digits).toLocaleString("en-US"));
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
}

/** Problems found after a document has been read: in manual entries, while merging and while assembling. */
export const DATASET_PROBLEMS = {
  filer_arithmetic:
    "the filer's components do not add up to the filer's total; the rest is in unknown_component",
  misprint: "the filing misprints an amount, as its own total shows",
  outside_knowledge: "who held the office is known from a source other than the company's filings",
  restated:
    "another filing prints different amounts for this executive and year; the later one is served, but a collected row never replaces another",
  components_unchecked: "the row was collected; its components were not checked against the document",
  printed_twice: "the filing prints this executive's year twice with different amounts",
  undecided_flag: "no filing says whether the executive held the office; false is served",
  flag_conflict: "filings disagree on who held the office",
  partial_period: "the row covers less than a year",
  peo_total_differs: "the total tagged for the principal executive officer differs from the row's",
  reading_differs: "the reader's result differs from the manual entry, which is kept",
  document_unread: "the document could not be read when it was ingested; the collected rows stay",
  document_changed: "the document on EDGAR has changed since it was read",
  pinned_separately: "two spellings of what may be one name already have different ids",
} as const;
/** A problem code. */
export type DatasetProblem = keyof typeof DATASET_PROBLEMS;
