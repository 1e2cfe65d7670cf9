/** What speaks for and against a table. */
import { expect, test } from "bun:test";
import { meaningOf } from "../../../../src/reader/table/header/header.ts";
import { judge } from "../../../../src/reader/table/choice/judge.ts";

const NOTHING = { columns: [], titles: [], rows: [], people: [], above: [] };

/** The score of a table without rows, by its one header and the block above it. */
function score(header: string, above: string): number {
  const columns = [{ x0: 0, x1: 1, path: [header], meaning: meaningOf([header]), touching: false }];
  return judge({ ...NOTHING, columns, above: [above] }).score;
}

// Beyond the point for each column of Item 402(c), which "Salary" has too.
test.each([
  ["All Other Compensation ($)", 3],
  ["Non-Equity Incentive Plan Compensation ($)", 2],
  ["Stock Awards ($)", 2],
  ["Option Awards ($)", 2],
  ["Name and Principal Position", 2 - 1],
  ["Year", 2 - 1],
  ["Realized Pay ($)", -5 - 1],
  ["Compensation Actually Paid ($)", -5 - 1],
])("a column %p instead of a salary gives %p points", (header, points) => {
  expect(score(header, "") - score("Salary ($)", "")).toBe(points);
});

test.each([
  ["Summary Compensation Table", 12],
  ["Executive and Director Summary Compensation", 5],
  ["Director Compensation", -8],
  ["Realized Pay", -5],
  ["The following table shows what our named executive officers earned.", 1],
])("the words %p above it give %p points", (words, points) => {
  expect(score("Salary ($)", words) - score("Salary ($)", "Matters of the year")).toBe(points);
});

test.each([
  ["Director", 2 - 3],
  ["President", 2],
])("a table of one %s has %p points", (title, points) => {
  const ann = { name: "Ann Example", printedName: "Ann Example", title, clear: true, controls: false };
  expect(judge({ ...NOTHING, people: [{ ...ann, rows: [], unread: [] }] }).score).toBe(points);
});
