/** Tables in fixed-width text. */
import { expect, test } from "bun:test";
import { codes, read, summary } from "../../../support/small-table.ts";

const HEADER = `                    SUMMARY COMPENSATION TABLE

Name and Principal            Salary    Bonus   Other     Total
Position              Year     ($)      ($)     Comp.      ($)
--------------------  ----  ---------  ------  --------  ---------
`;
const BO = "Bo Sample             2020    200,000   5,000   2,000    207,000\n";
const rows = (...lines: string[]): string[] =>
  summary(read(`<pre>\n${HEADER}${lines.join("\n")}\n${BO}</pre>`)).map((line) =>
    line.split("|").slice(0, 4).join("|"),
  );

test.each([
  ["columns", "Ann Example           2020    100,000   5,000   1,000    106,000"],
  ["a year one blank behind the name", "Ann Example, Officer 2020     100,000   5,000   1,000    106,000"],
  ["a sign apart from its amount", "Ann Example           2020 $   100,000   5,000   1,000    106,000"],
  ["an amount one blank behind the year", "Ann Example           2020 $100,000     5,000   1,000    106,000"],
  ["dots that lead to the year", "Ann Example ......... 2020    100,000   5,000   1,000    106,000"],
  ["tabs", "Ann Example\t      2020    100,000   5,000   1,000    106,000"],
])("a row with %s", (_, line) => {
  const read = rows(line);
  expect(read).toHaveLength(2);
  expect(read[0]).toMatch(/^Ann Example\|(?:Officer)?\|2020\|100000$/);
});

test("a row whose amounts stand together with single blanks is told, not guessed", () => {
  const filing = read(
    `<pre>\n${HEADER}Ann Example           2020    100,000 5,000 1,000 106,000\n${BO}</pre>`,
  );
  expect(filing.rows.map((one) => one.executive_name)).toEqual(["Bo Sample"]);
  expect(codes(filing)).toContain("total_missing");
});

test.each([
  ["above it", `<p>Summary Compensation Table</p><pre>\n${HEADER.split("\n").slice(2).join("\n")}`],
  ["inside it", `<pre>\n${HEADER}`],
])("the page behind a block with its title %s is read by the order of its columns", (_, head) => {
  const ann = "Ann Example           2020    100,000   5,000   1,000    106,000";
  const ordered = read(`${head}${ann}\n</pre><hr><pre>\n${BO}</pre>`);
  expect(ordered.rows.map((one) => [one.executive_name, one.amounts.total_compensation])).toEqual([
    ["Ann Example", 10_600_000],
    ["Bo Sample", 20_700_000],
  ]);
  expect(codes(ordered)).toContain("header_apart");
});

test("running text behind the table is no row", () => {
  const prose = "The bonus of 2020 was 5,000 for each of the officers, as the board had decided before.";
  expect(
    rows("Ann Example           2020    100,000   5,000   1,000    106,000", BO, "", prose, prose),
  ).toHaveLength(2);
});

test("an amount that ends where those of another column than the one above it do is told", () => {
  const header = `                    SUMMARY COMPENSATION TABLE

Name and                        Salary   Stock  Option   Total
Position              Year         ($)  Awards  Awards     ($)
--------------------  ----     ------- ------- ------- -------
`;
  const lines = [
    "Ann Example           2020         100,000   20,000        120,000",
    "Bo Sample             2020         200,000         30,000  230,000",
  ];
  const filing = read(`<pre>\n${header}${lines.join("\n")}\n</pre>`);
  const told = filing.rows.map((one) => one.problems.some(({ code }) => code === "cell_ambiguous"));
  expect(told).toEqual([true, false]);
});
