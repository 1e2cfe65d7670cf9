/** The edition of a snapshot: the later date is newer, and on the same date the higher sequence. */
export interface Edition {
  /** Date of the data, YYYY-MM-DD. */
  edition: string;
  /** 1 for a compiled snapshot; one more than its predecessor's for one made from another. */
  sequence: number;
}

/** Unique name of an edition: its date, and its sequence if it was made from another. */
export function editionName({ edition, sequence }: Edition): string {
  return sequence === 1 ? edition : `${edition}.${sequence}`;
}

/** Whether an edition is older than another. */
export function isOlder(one: Edition, other: Edition): boolean {
  return one.edition === other.edition ? one.sequence < other.sequence : one.edition < other.edition;
}
