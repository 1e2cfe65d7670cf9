import { afterEach, expect, setSystemTime, test } from "bun:test";
import { realRuntime } from "../src/runtime.ts";

afterEach(() => setSystemTime());

test("setting the machine's clock back moves the date, but not measured time", () => {
  const { now, monotonic } = realRuntime();
  const beforeMs = monotonic();
  setSystemTime(new Date("2001-02-03T04:05:06Z"));
  expect(now()).toBe(Date.UTC(2001, 1, 3, 4, 5, 6));
  expect(monotonic()).toBeGreaterThanOrEqual(beforeMs);
  setSystemTime(new Date("2101-02-03T04:05:06Z"));
  expect(monotonic()).toBeLessThan(Date.UTC(2001));
});

test("identifiers are unique, in order of creation, and fit into a URL", () => {
  const { id } = realRuntime();
  const ids = Array.from({ length: 1000 }, id);
  expect(new Set(ids).size).toBe(1000);
  expect(ids.toSorted()).toEqual(ids);
  for (const one of ids) expect(one).toMatch(/^[0-9a-f-]{36}$/);
});

test("secrets have the requested length, and no two are alike", () => {
  const { secret } = realRuntime();
  const secrets = Array.from({ length: 100 }, () => secret(32));
  expect(secrets.every((bytes) => bytes.length === 32)).toBe(true);
  expect(new Set(secrets.map((bytes) => bytes.toHex())).size).toBe(100);
});
