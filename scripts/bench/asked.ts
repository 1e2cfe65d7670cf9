/** What several benches ask, and with which keys. */
import type { Burst } from "./burst.ts";
import { KEYS_A_USER } from "./fill.ts";

/** An answer that is free to a key. */
export const LATEST = "/api/executive-compensation?ticker=AAPL&limit=1";
/** An answer that costs a credit. */
export const HISTORY = "/api/executive-compensation?ticker=AAPL";

/** The same key over and over: the first. */
export function withOneKey(path: string, [key = ""]: readonly string[]): Burst {
  return { path, headers: { "x-api-key": key } };
}

/** A key of each of the first users. @param keys of all users, those of each beside each other (`fillStore`) */
export function keyOfEach(keys: readonly string[], users: number): string[] {
  return Array.from({ length: users }, (_, user) => keys[user * KEYS_A_USER] ?? "");
}
