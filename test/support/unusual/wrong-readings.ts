import { parseFiling } from "../../../src/reader/pipeline.ts";
import { judgeRows, type Outcome } from "../disturbances/index.ts";
import { type Kind, truthOf } from "./filing.ts";
import { unusual } from "./kinds.ts";

/** Kinds that leave nothing open to a reader: they must be read exactly, not just flagged as doubtful. */
const CLEAR =
  /^(?:nameOverThreeRows|secondCurrencyTotal|convenienceTable|rowspanOverPages|groupRow|directorsInTable|dashOverColumns|fewerColumnsOnPage|officeBands|looseMarks|familyNameFirst|personTotals|medianEmployee|subsidiaryBand|directorHeaderInTable|groupBands|yearOverPeople|priorTotalColumn|parentCompany|directorsOnNextPage|tableInNotes|marksEverywhere|nameAboveRows|namesRepeatedOtherwise|allocatedShare|cellOverPeople|crossedOut|hiddenNumbers|otherInParts|reorderedPage|splitSalary|subtotalBetween|thousandsInNote|millions|totalFirst|correctedTable|fatherAndSon|oneFamily|nameBehindYear|yearsInTitle|notesBetweenRows|amountsLikeYears|headerEachPerson|projectedYears|tableAYear|unseenDraft|vacantOffice|leaderDots|companyAsPayee|fixedWidthNotes|fixedWidthOthers|introducedInTable)$/;

/** The documents of a kind that are misread, or flagged with a doubt that the kind does not allow. */
export function wrongReadings(
  name: string,
  kind: Kind,
  seeds: readonly number[],
): (Outcome & { seed: number })[] {
  const outcomes = seeds.map((seed) => {
    const { text, people } = unusual(kind, seed);
    const parsed = parseFiling(new TextEncoder().encode(text), { form: "DEF 14A" });
    const { verdict, differences } = judgeRows(parsed, truthOf(people));
    return { seed, verdict, differences: differences.slice(0, 3) };
  });
  // A document without the table yields no rows, not even doubtful ones.
  const none = unusual(kind, seeds[0] ?? 0).people.length === 0;
  const right = none || CLEAR.test(name) ? ["exact"] : ["exact", "told"];
  return outcomes.filter(({ verdict }) => !right.includes(verdict));
}
