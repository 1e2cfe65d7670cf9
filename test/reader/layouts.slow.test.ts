import { describe, expect, test } from "bun:test";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { drawPlan, FAMILIES, judge, report, shrink, type Verdict } from "../support/layouts/index.ts";

const SEED = 20_260_101;
const CHUNK = 100;
const CHUNKS = 20;

const tally: Record<Verdict, number> = { exact: 0, refused: 0, flagged: 0, silent: 0 };
const families = new Set<string>();

describe("2,000 filings laid out from true rows", () => {
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    test(`none is read silently wrong: ${chunk * CHUNK + 1} to ${(chunk + 1) * CHUNK}`, () => {
      const silent: string[] = [];
      for (let at = 0; at < CHUNK; at++) {
        const plan = drawPlan(SEED + chunk * CHUNK + at);
        families.add(plan.family);
        const comparison = judge(plan, parseFiling);
        tally[comparison.verdict]++;
        if (comparison.verdict !== "silent" || silent.length > 2) continue;
        const small = shrink(plan, (smaller) => judge(smaller, parseFiling).verdict === "silent", 150);
        silent.push(report(small, judge(small, parseFiling)));
      }
      expect(silent.join("\n")).toBe("");
    }, 300_000);
  }

  test("at most 2% are refused or flagged, the others are exact to the cell", () => {
    expect(tally.exact + tally.refused + tally.flagged + tally.silent).toBe(CHUNK * CHUNKS);
    expect(tally.refused + tally.flagged).toBeLessThanOrEqual((CHUNK * CHUNKS * 2) / 100);
  });

  test("they come from every family of layouts", () => {
    expect([...families].sort()).toEqual([...FAMILIES].sort());
  });
});
