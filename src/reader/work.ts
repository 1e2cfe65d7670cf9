/**
 * Limits the work spent on one document. The reader has no clock, and the same bytes must always give the same result, so
 * steps whose cost depends on the document count it in characters examined, or their equivalent.
 */

/** Twenty times what the largest real filing needs; a few seconds of CPU. */
export const MAX_WORK = 60_000_000;

/** People of a table who are searched for in the text; no real table has more. The search costs people × text. */
export const MAX_PEOPLE = 60;

/** Thrown by `Work.spend`; the pipeline turns it into a refusal. */
export class TooMuchWork extends Error {}

/** Costs of steps, in characters. */
export const COST = {
  /** All officer frames, per character of a sentence. */
  frames: 15,
  /** Weighing one claim. */
  claim: 20,
  /** Finding one tag, or one occurrence of a running head. */
  match: 10,
  /** Searching one character for a fixed text. */
  search: 1 / 50,
  /** Examining the lines around a possible header. */
  header: 1000,
  /** Reading one cell, or the words around one name. */
  cell: 300,
} as const;

/** Counts the work done for one document. */
export class Work {
  /** Characters counted so far. */
  spent = 0;
  private readonly limit: number;

  constructor(limit = MAX_WORK) {
    this.limit = limit;
  }

  /** Counts work about to be done; throws `TooMuchWork` beyond the limit. */
  spend(characters: number): void {
    this.spent += characters;
    if (this.spent > this.limit) throw new TooMuchWork(`more than ${this.limit} characters of work`);
  }
}
