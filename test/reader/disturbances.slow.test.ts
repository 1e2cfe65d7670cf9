import { describe, expect, test } from "bun:test";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { DISTURBANCES, generatedSample, realSamples } from "../support/disturbances/index.ts";
import { disturbed, runDisturbances, type DisturbedRun, type Tally } from "../support/disturbances/run.ts";
import { filingsAbsent } from "../support/excerpts.ts";
import { drawPlan } from "../support/layouts/index.ts";

const SEED = 7_000;
const absent = filingsAbsent();

const sum = (tallies: Iterable<Tally>, of: keyof Tally): number =>
  [...tallies].reduce((total, tally) => total + tally[of], 0);

const tallied = ({ tallies }: DisturbedRun, names: RegExp): Tally[] =>
  [...tallies].flatMap(([name, tally]) => (names.test(name) ? [tally] : []));

describe("every disturbance", () => {
  test("in twelve generated filings, one in ten: no foreign row, and nothing wrong or lost without a word", () => {
    const samples = Array.from({ length: 12 }, (_, at) => generatedSample(6_000 + at));
    const run = runDisturbances(samples, parseFiling, { seed: 6_000, every: 10 });
    expect(run.notRead).toEqual([]);
    expect(run.tallies.size).toBeGreaterThan(45);
    expect(run.faults).toEqual([]);
  }, 900_000);

  test("an empty paragraph for a dash keeps its line in a cell that stacks years", () => {
    const disturbance = DISTURBANCES.find(({ name }) => name === "empty paragraphs for dashes");
    const seeds = Array.from({ length: 400 }, (_, at) => 6_000 + at);
    const stacked = seeds.filter((seed) => drawPlan(seed).family === "stacked").map(generatedSample);
    const outcomes = stacked.flatMap((sample) => {
      const outcome = disturbance === undefined ? null : disturbed(sample, disturbance, 6_000, parseFiling);
      return outcome === null ? [] : [outcome.verdict];
    });
    expect(outcomes.length).toBeGreaterThan(5);
    expect(new Set(outcomes)).toEqual(new Set(["exact"]));
  });

  test("in 30 generated filings: no foreign row, and nothing wrong or lost without a word", () => {
    const samples = Array.from({ length: 30 }, (_, at) => generatedSample(SEED + at));
    const run = runDisturbances(samples, parseFiling, { seed: SEED });
    expect(run.faults).toEqual([]);
    expect(run.notRead.length).toBeLessThanOrEqual(1);
    const pages = tallied(run, /^page break/);
    expect(sum(pages, "documents")).toBeGreaterThan(200);
    // Caution alone would be easy: most page breaks are read through.
    expect(sum(pages, "exact") / sum(pages, "documents")).toBeGreaterThan(0.9);
  }, 900_000);

  test.skipIf(absent !== null)(
    `in the real filings, around their table ${absent ?? ""}`,
    () => {
      const run = runDisturbances(realSamples(parseFiling, 40_000), parseFiling, { seed: SEED });
      expect(run.faults).toEqual([]);
      expect(sum(run.tallies.values(), "documents")).toBeGreaterThan(800);
      // Right beside the true table, or between its pages, no word says which one is true: that is told.
      const clear = tallied(run, /^(?!.*(?:before, no heading|between two pages|untitled))/);
      expect(sum(clear, "exact") / sum(clear, "documents")).toBeGreaterThan(0.95);
    },
    900_000,
  );
});
