import { expect, test } from "bun:test";
import { GenerationCache } from "../../src/store/store.ts";

test("does not keep what was found before a change", () => {
  const cache = new GenerationCache<string>(10);
  expect(cache.get("key", 1)).toBeUndefined();
  // Between the lookup and its result, something is written.
  expect(cache.get("other", 2)).toBeUndefined();
  cache.set("key", "not revoked", 1);
  expect(cache.get("key", 2)).toBeUndefined();
  cache.set("key", "revoked", 2);
  expect(cache.get("key", 2)).toBe("revoked");
  expect(cache.get("key", 3)).toBeUndefined();
});

test("stays within its maximum, and keeps what is used repeatedly", () => {
  const cache = new GenerationCache<number>(10);
  cache.get("", 1);
  for (let n = 0; n < 1000; n += 1) {
    cache.set(`key ${n}`, n, 1);
    cache.get("key 0", 1);
  }
  const kept = Array.from({ length: 1000 }, (_, n) => cache.get(`key ${n}`, 1)).filter(
    (one) => one !== undefined,
  );
  expect(kept.length).toBeLessThanOrEqual(10);
  expect(kept[0]).toBe(0);
  expect(kept.at(-1)).toBe(999);
});
