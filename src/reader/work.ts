/**
 * How much work one document may take. The reader has no clock, and the same bytes must always give the same result: so work is
 * counted where a document decides how much of it there is, in characters looked at, or what costs about as much.
 */

/** Twenty times what the largest of the real filings takes; a few seconds of one processor. */
export const MAX_WORK = 60_000_000;

/** People of a table who are searched for in the text: more than any table has. The search takes people times text. */
export const MAX_PEOPLE = 60;

/** Thrown by `Work.spend`; the pipeline turns it into a refusal. */
export class TooMuchWork extends Error {}

/** The work that was done for one document. */
export class Work {
  /** Characters that were counted so far. */
  spent = 0;
  private readonly limit: number;

  constructor(limit = MAX_WORK) {
    this.limit = limit;
  }

  /** Counts some work before it is done. */
  spend(characters: number): void {
    this.spent += characters;
    if (this.spent > this.limit) throw new TooMuchWork(`more than ${this.limit} characters of work`);
  }
}
