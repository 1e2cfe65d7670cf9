/** Ways of setting the table that some filers have: nothing of them is read wrongly without a word, and nobody else's row. */
import { expect, test } from "bun:test";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { judgeRows } from "../support/disturbances/index.ts";
import { drawPlan, judge } from "../support/layouts/index.ts";
import { truthOf } from "../support/unusual/filing.ts";
import { KINDS, unusual } from "../support/unusual/kinds.ts";
import { nameOverThreeRows } from "../support/unusual/layouts.ts";

const SEEDS = Array.from({ length: 8 }, (_, at) => 500 + at);

/** Kinds that leave nothing open to a reader: read exactly, not only with a word of doubt. */
const CLEAR =
  /^(?:nameOverThreeRows|secondCurrencyTotal|convenienceTable|rowspanOverPages|groupRow|directorsInTable|dashOverColumns|fewerColumnsOnPage|officeBands|looseMarks|familyNameFirst|personTotals|medianEmployee|subsidiaryBand|directorHeaderInTable|groupBands|yearOverPeople|priorTotalColumn|parentCompany|directorsOnNextPage|tableInNotes|marksEverywhere|nameAboveRows|namesRepeatedOtherwise|allocatedShare|cellOverPeople|crossedOut|hiddenNumbers|otherInParts|reorderedPage|splitSalary|subtotalBetween|thousandsInNote|millions|totalFirst|correctedTable|fatherAndSon|oneFamily|nameBehindYear|yearsInTitle|notesBetweenRows|amountsLikeYears|headerEachPerson|projectedYears|tableAYear|unseenDraft|vacantOffice)$/;

test.each(Object.entries(KINDS))("%s", (name, kind) => {
  const outcomes = SEEDS.map((seed) => {
    const { text, people } = unusual(kind, seed);
    const parsed = parseFiling(new TextEncoder().encode(text), { form: "DEF 14A" });
    const { verdict, differences } = judgeRows(parsed, truthOf(people));
    return { seed, verdict, differences: differences.slice(0, 3) };
  });
  // Of a document without the table nothing is served, not even with a word of doubt.
  const none = unusual(kind, SEEDS[0] ?? 0).people.length === 0;
  const right = none || CLEAR.test(name) ? ["exact"] : ["exact", "told"];
  expect(outcomes.filter(({ verdict }) => !right.includes(verdict))).toEqual([]);
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
