/** Seven more documents of each kind than the quick test of the same name reads. */
import { expect, test } from "bun:test";
import { KINDS } from "../support/unusual/kinds.ts";
import { wrongReadings } from "../support/unusual/wrong-readings.ts";

const SEEDS = [501, 502, 503, 504, 505, 506, 507];

test.each(Object.entries(KINDS))("%s", (name, kind) => {
  expect(wrongReadings(name, kind, SEEDS)).toEqual([]);
});
