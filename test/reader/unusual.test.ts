/** Ways of setting the table that some filers have: nothing of them is read wrongly without a word, and nobody else's row. */
import { expect, test } from "bun:test";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { judgeRows } from "../support/disturbances/index.ts";
import { drawPlan, judge } from "../support/layouts/index.ts";
import { truthOf } from "../support/unusual/filing.ts";
import { KINDS, unusual } from "../support/unusual/kinds.ts";
import { nameOverThreeRows } from "../support/unusual/layouts.ts";
import { wrongReadings } from "../support/unusual/wrong-readings.ts";

/** One document a kind; seven more are a slow test. */
test.each(Object.entries(KINDS))("%s", (name, kind) => {
  expect(wrongReadings(name, kind, [500])).toEqual([]);
});

test.each([9011, 9062, 9414, 9451, 9532, 9952])(
  "names over three rows, document %d, is read exactly",
  (seed) => {
    const { text, people } = unusual(nameOverThreeRows, seed);
    const parsed = parseFiling(new TextEncoder().encode(text), { form: "DEF 14A" });
    expect(judgeRows(parsed, truthOf(people)).verdict).toBe("exact");
  },
);

test.each([8_000_089, 8_100_737, 8_101_713])("layout %d, once read wrongly, is read exactly", (seed) => {
  expect(judge(drawPlan(seed), parseFiling).verdict).toBe("exact");
});
