/** What speaks for and against a table. */
import { expect, test } from "bun:test";
import { meaningOf } from "../../../../src/reader/table/header/column-headers.ts";
import { judge } from "../../../../src/reader/table/choice/judge.ts";

/** The reasons of a table without rows, by its headers and the blocks above it. */
function reasons(headers: readonly string[], ...above: readonly string[]): readonly string[] {
  const columns = headers.map((header, at) => ({
    x0: at,
    x1: at + 1,
    path: [header],
    meaning: meaningOf([header]),
  }));
  return judge({ columns, titles: [], rows: [], people: [], above, heading: above.join(" ") }).reasons;
}

test.each([
  ["All Other Compensation ($)", "+3 all other compensation"],
  ["Non-Equity Incentive Plan Compensation ($)", "+2 non-equity incentive plan"],
  ["Stock Awards ($)", "+2 stock or option awards"],
  ["Option Awards ($)", "+2 stock or option awards"],
  ["Name and Principal Position", "+2 name and principal position"],
  ["Year", "+2 a column of years"],
  ["Realized Pay ($)", "-5 column headers of another view of pay"],
  ["Compensation Actually Paid ($)", "-5 column headers of another view of pay"],
])("a column %p gives %p", (header, reason) => {
  expect(reasons([header])).toContain(reason);
  expect(reasons(["Salary ($)"])).not.toContain(reason);
});

test.each([
  ["Summary Compensation Table", "+12 its own title"],
  ["Executive and Director Summary Compensation", "+5 heading"],
  ["Director Compensation", "-8 heading of other people"],
  ["Realized Pay", "-5 heading of another view of pay"],
  ["The following table shows what our named executive officers earned.", "+1 introduced by a sentence"],
])("the words %p above it give %p", (words, reason) => {
  expect(reasons(["Salary ($)"], words)).toContain(reason);
  expect(reasons(["Salary ($)"], "Matters of the year")).not.toContain(reason);
});

test.each([
  ["Director", true],
  ["President", false],
])("people of whom the first is a %s: no one with an office is %p", (title, told) => {
  const ann = { name: "Ann Example", printedName: "Ann Example", title, clear: true, rows: [], unread: [] };
  const { reasons } = judge({ columns: [], titles: [], rows: [], people: [ann], above: [], heading: "" });
  expect(reasons).toContain("+2 1 people");
  expect(reasons.includes("-3 no one with an office")).toBe(told);
});
