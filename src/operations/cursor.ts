import { unreadable } from "../domain/parameters.ts";
import { ServiceError } from "../errors.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { Answer } from "./operation.ts";

const FORM = /^([0-9a-f]{16})\.([0-9a-z]{1,13})\.(\d{1,9})$/;

/**
 * A cursor to the next page, bound to the dataset and the query.
 * @param identity distinguishes the query from others, without cursor and page size
 */
export function writeCursor(dataset: Dataset, identity: string, offset: number): string {
  return cursorOf(dataset.info.contentHash.slice(0, 16), identity, offset);
}

/**
 * A cursor into a previous answer, bound to that answer's dataset: after a swap it is stale, as intended.
 * @param etag of the answer
 */
export function cursorBehind({ etag }: Pick<Answer, "etag">, identity: string, offset: number): string {
  return cursorOf(etag.slice(1, 17), identity, offset);
}

/** The offset of a validated cursor; 0 without one. */
export function offsetOf(cursor: string | null): number {
  return cursor === null ? 0 : Number(Buffer.from(cursor, "base64url").toString("latin1").split(".")[2]);
}

function cursorOf(edition: string, identity: string, offset: number): string {
  return Buffer.from(`${edition}.${Bun.hash(identity).toString(36)}.${offset}`).toString("base64url");
}

/**
 * The offset of a cursor; 0 without one. Refuses with `invalid_parameter` if it is not a cursor of this query,
 * `stale_cursor` if it is from another dataset.
 */
export function readCursor(dataset: Dataset, identity: string, cursor: string | null): number {
  if (cursor === null) return 0;
  const [, edition, question, offset] = FORM.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (edition === undefined || question === undefined || offset === undefined) {
    throw unreadable("cursor", cursor, "the next_cursor of the previous page");
  }
  if (edition !== dataset.info.contentHash.slice(0, 16)) {
    throw new ServiceError(
      "stale_cursor",
      "The dataset has changed since this cursor was issued. Request the first page again.",
    );
  }
  if (question !== Bun.hash(identity).toString(36)) {
    throw new ServiceError(
      "invalid_parameter",
      "Cannot read cursor: it belongs to another selection or sort order. Send the same parameters as for the previous page.",
    );
  }
  return Number(offset);
}
