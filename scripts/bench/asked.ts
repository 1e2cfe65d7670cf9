/** Requests and keys that several benches share. */
import type { Burst } from "./burst.ts";
import { KEYS_A_USER } from "./fill.ts";

/** A free answer for a key. */
export const LATEST = "/api/executive-compensation?ticker=AAPL&limit=1";
/** An answer that costs one credit. */
export const HISTORY = "/api/executive-compensation?ticker=AAPL";

/** Always the first key. */
export function withOneKey(path: string, [key = ""]: readonly string[]): Burst {
  return { path, headers: { "x-api-key": key } };
}

/** One key of each of the first users. @param keys of all users, those of each user next to each other (`fillStore`) */
export function keyOfEach(keys: readonly string[], users: number): string[] {
  return Array.from({ length: users }, (_, user) => keys[user * KEYS_A_USER] ?? "");
}
