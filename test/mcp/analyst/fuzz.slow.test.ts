import { expect, test } from "bun:test";
import { fuzzAnalyst } from "./random-calls.ts";

test("random calls and mutated messages cause no 5xx, no result above 60,000 characters, no charge for an error", async () => {
  const { outcomes, longest, broken } = await fuzzAnalyst(400, 20261122);
  expect(broken).toEqual([]);
  expect(outcomes["answered"] ?? 0).toBeGreaterThan(100);
  expect(outcomes["400"] ?? 0).toBeGreaterThan(50);
  expect(longest).toBeGreaterThan(30_000);
}, 300_000);
