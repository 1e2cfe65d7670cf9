import { ServiceError } from "../errors.ts";
import type { Dataset } from "../snapshot/dataset.ts";
import type { Answer } from "./operation.ts";

const FORM = /^([0-9a-f]{16})\.([0-9a-z]{1,13})\.(\d{1,9})$/;

/**
 * A cursor: where the next page of a question begins, bound to the dataset and to the question.
 * @param identity what tells the question from others, its cursor and page size left out
 */
export function writeCursor(dataset: Dataset, identity: string, offset: number): string {
  return cursorOf(dataset.info.contentHash.slice(0, 16), identity, offset);
}

/**
 * A cursor behind a part of an answer that was given before. It is bound to the dataset of that answer: after a swap it is stale, as it
 * should be.
 * @param etag of the answer
 */
export function cursorBehind({ etag }: Pick<Answer, "etag">, identity: string, offset: number): string {
  return cursorOf(etag.slice(1, 17), identity, offset);
}

/** Where a cursor begins that has been read before; 0 without one. */
export function offsetOf(cursor: string | null): number {
  return cursor === null ? 0 : Number(Buffer.from(cursor, "base64url").toString("latin1").split(".")[2]);
}

function cursorOf(edition: string, identity: string, offset: number): string {
  return Buffer.from(`${edition}.${Bun.hash(identity).toString(36)}.${offset}`).toString("base64url");
}

/**
 * Where the page begins that a cursor names; 0 without one. Refuses with `invalid_parameter` what is no cursor of this
 * question, `stale_cursor` one of another dataset.
 */
export function readCursor(dataset: Dataset, identity: string, cursor: string | null): number {
  if (cursor === null) return 0;
  const [, edition, question, offset] = FORM.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (edition === undefined || question === undefined || offset === undefined) {
    throw new ServiceError(
      "invalid_parameter",
      "Cannot read cursor: expected the next_cursor of the page before.",
    );
  }
  if (edition !== dataset.info.contentHash.slice(0, 16)) {
    throw new ServiceError(
      "stale_cursor",
      "The dataset has changed since this cursor was given. Ask for the first page again.",
    );
  }
  if (question !== Bun.hash(identity).toString(36)) {
    throw new ServiceError(
      "invalid_parameter",
      "Cannot read cursor: it belongs to another selection or sort. Send the same parameters as for the page before.",
    );
  }
  return Number(offset);
}
