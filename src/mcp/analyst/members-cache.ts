import { BoundedCache } from "../../domain/cache.ts";
import type { Answer } from "../../operations/operation.ts";

/** Bytes of members cached, per tool. */
const CACHED_BYTES = 4 * 1024 * 1024;

/** Returns the members of a result, cached by answer and form. */
export type MembersCache = (
  answer: Pick<Answer, "etag">,
  form: string,
  make: () => Uint8Array<ArrayBuffer>,
) => Uint8Array<ArrayBuffer>;

/**
 * Creates a cache of members. The entity tag identifies the body; the form is how the tool presents it: verbosity,
 * revision and offset.
 */
export function membersCache(): MembersCache {
  const members = new BoundedCache<string, Uint8Array<ArrayBuffer>>(CACHED_BYTES, (bytes) => bytes.length);
  return ({ etag }, form, make) => members.getOrMake(`${etag} ${form}`, make);
}
