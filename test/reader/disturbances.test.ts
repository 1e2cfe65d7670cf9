/** A sample of what `bun run fuzz filings --disturbed` and the slow test of the same name run whole. */
import { describe, expect, test } from "bun:test";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { generatedSample, realSamples } from "../support/disturbances/index.ts";
import { runDisturbances } from "../support/disturbances/run.ts";
import { filingsAbsent } from "../support/excerpts.ts";

const SEED = 6_000;
const absent = filingsAbsent();

describe("somebody else's table near the true one, page breaks and lost marks", () => {
  test("in generated filings: no foreign row, and nothing wrong or lost without a word", () => {
    const samples = Array.from({ length: 28 }, (_, at) => generatedSample(SEED + at));
    const run = runDisturbances(samples, parseFiling, { seed: SEED, every: 7 });
    expect(run.notRead).toEqual([]);
    expect(run.tallies.size).toBeGreaterThan(45);
    expect(run.faults).toEqual([]);
  });

  test.skipIf(absent !== null)(`in real filings, around their table ${absent ?? ""}`, () => {
    const run = runDisturbances(realSamples(parseFiling, 15_000), parseFiling, { seed: SEED, every: 7 });
    expect([...run.tallies.values()].reduce((sum, tally) => sum + tally.documents, 0)).toBeGreaterThan(80);
    expect(run.faults).toEqual([]);
  });
});
