import { BoundedCache } from "../../domain/cache.ts";
import type { Answer } from "../../operations/operation.ts";

/** Bytes of members kept in memory, for each tool. */
const CACHED_BYTES = 4 * 1024 * 1024;

/** Makes the members of a result, or gives those that were made before of the same answer in the same form. */
export type MembersCache = (
  answer: Pick<Answer, "etag">,
  form: string,
  make: () => Uint8Array<ArrayBuffer>,
) => Uint8Array<ArrayBuffer>;

/**
 * A cache of members. The entity tag names everything that a body is made of; the form names what the tool makes of it: how much is
 * said, in which revision, from which place on.
 */
export function membersCache(): MembersCache {
  const members = new BoundedCache<string, Uint8Array<ArrayBuffer>>(CACHED_BYTES, (bytes) => bytes.length);
  return ({ etag }, form, make) => members.getOrMake(`${etag} ${form}`, make);
}
