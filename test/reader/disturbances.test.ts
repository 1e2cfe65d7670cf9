/** A sample of what the slow test of the same name runs whole. */
import { describe, expect, test } from "bun:test";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { DISTURBANCES, generatedSample } from "../support/disturbances/index.ts";
import { disturbed, runDisturbances } from "../support/disturbances/run.ts";
import { drawPlan } from "../support/layouts/index.ts";

const SEED = 6_000;

describe("another person's table near the true one, page breaks and lost markers", () => {
  test("in generated filings: no foreign row, and nothing wrong or lost without a word", () => {
    const samples = Array.from({ length: 3 }, (_, at) => generatedSample(SEED + at));
    const run = runDisturbances(samples, parseFiling, { seed: SEED, every: 10 });
    expect(run.notRead).toEqual([]);
    expect(run.tallies.size).toBeGreaterThan(15);
    expect(run.faults).toEqual([]);
  });

  test.each([6028, 6072])("layout %d: both pages of a subsidiary's table between two true ones", (seed) => {
    const disturbance = DISTURBANCES.find(({ name }) => name === "subsidiary between two pages");
    if (disturbance === undefined) throw new Error("no such disturbance");
    expect(disturbed(generatedSample(seed), disturbance, 24, parseFiling)?.verdict).toBe("told");
  });

  test("an empty paragraph for a dash keeps its line in a cell that stacks years", () => {
    const disturbance = DISTURBANCES.find(({ name }) => name === "empty paragraphs for dashes");
    const seeds = Array.from({ length: 300 }, (_, at) => SEED + at);
    const stacked = seeds.filter((seed) => drawPlan(seed).family === "stacked").map(generatedSample);
    const outcomes = stacked.flatMap((sample) => {
      const outcome = disturbance === undefined ? null : disturbed(sample, disturbance, SEED, parseFiling);
      return outcome === null ? [] : [outcome.verdict];
    });
    expect(outcomes.length).toBeGreaterThan(5);
    expect(new Set(outcomes)).toEqual(new Set(["exact"]));
  });
});
