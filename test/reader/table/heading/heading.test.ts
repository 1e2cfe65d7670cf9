/** What the words above a table call it. */
import { expect, test } from "bun:test";
import { classifyHeadings, mentionsOwnOfficers } from "../../../../src/reader/table/heading/heading.ts";

test.each([
  [["Summary Compensation Table"], "title"],
  [["Summary Compensation Table", "(in thousands)"], "title"],
  [["Summary Compensation Table", "Example Brands LLC"], "nothing"],
  [["Director Compensation"], "other people"],
  [["Compensation of Directors", "What our officers earned"], "nothing"],
  [["The summary of compensation of our directors is below."], "other people"],
  [["The directors and our executives earned this."], "nothing"],
  [["Our subsidiary and the amounts paid to our named executive officers"], "nothing"],
  [["Our subsidiary and the amounts paid to its managers"], "other people"],
  [["Realized Pay"], "another view"],
  [["2020 All Other Compensation Table"], "another view"],
  [["Summary Compensation Table (As Originally Filed)"], "another view"],
  [["Original Summary Compensation Table"], "another view"],
  [["The following table differs from what was reported."], "another view"],
  [["Director Summary Compensation Table"], "other people"],
  [["Non-Executive Directors’ Summary Compensation Table"], "other people"],
  [["Summary Compensation Table – Executive Officers and Directors"], "nothing"],
  [["What was paid differs from what was reported."], "nothing"],
] as const)("%j: %s", (above, called) => {
  expect(classifyHeadings(above)).toBe(called);
});

test.each([
  ["Executive Compensation", true],
  ["What our officers earned", true],
  ["What our president earned", true],
  ["Matters of the year", false],
])("%p speaks of officers: %p", (words, speaks) => {
  expect(mentionsOwnOfficers([words, "(dollars in millions)"], [])).toBe(speaks);
});

test.each([
  ["Summary Compensation Table of Acme Power Company", false],
  ["Summary Compensation Table – Acme Lake Bank, N.A.", false],
  ["Summary Compensation Table of Lakeside Energy, Inc.", true],
  ["Lakeside Energy, Inc.", false],
  ["Summary Compensation Table for Fiscal 2024", true],
  ["Compensation of Acme Lake’s Executive Officers", false],
  [
    "The following table sets forth what was paid by Acme Lake Company to its named executive officers.",
    false,
  ],
  ["Compensation of Lakeside’s Executive Officers", true],
  ["The following table sets forth what was paid by the Company to its named executive officers.", true],
])("%p, of Lakeside Energy, speaks of its officers: %p", (title, speaks) => {
  expect(mentionsOwnOfficers([title], ["lakeside", "energy", "inc"])).toBe(speaks);
});
