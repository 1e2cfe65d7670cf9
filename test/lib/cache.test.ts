import { describe, expect, test } from "bun:test";
import { BoundedCache } from "../../src/lib/cache.ts";

describe("a bounded cache", () => {
  test("creates a value once while it is cached", () => {
    const cache = new BoundedCache<string, object>(10);
    const first = cache.getOrMake("a", () => ({}));
    expect(cache.getOrMake("a", () => ({}))).toBe(first);
  });

  test("keeps what is used repeatedly, however many others come and go", () => {
    const cache = new BoundedCache<number, object>(10);
    const kept = cache.getOrMake(-1, () => ({}));
    for (let other = 0; other < 1000; other++) {
      cache.getOrMake(other, () => ({}));
      if (other % 4 === 0) expect(cache.getOrMake(-1, () => ({}))).toBe(kept);
    }
  });

  test("never exceeds its maximum: what is not used is evicted", () => {
    const cache = new BoundedCache<number, { size: number }>(100, ({ size }) => size);
    const alive = new Map<number, WeakRef<object>>();
    for (let key = 0; key < 1000; key++)
      alive.set(key, new WeakRef(cache.getOrMake(key, () => ({ size: 10 }))));
    let made = 0;
    for (let key = 0; key < 1000; key++) {
      cache.getOrMake(key, () => {
        made += 1;
        return { size: 10 };
      });
    }
    expect(made).toBeGreaterThanOrEqual(990);
  });

  test("keeps a value larger than half of its maximum until the next one arrives", () => {
    const cache = new BoundedCache<string, { size: number }>(100, ({ size }) => size);
    const large = cache.getOrMake("large", () => ({ size: 90 }));
    expect(cache.getOrMake("large", () => ({ size: 90 }))).toBe(large);
  });
});
