/** Tables in fixed-width text. */
import { expect, test } from "bun:test";
import { codes, read, rowCodes, summary } from "../../../support/small-table.ts";

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

const salaries = (...lines: string[]): unknown =>
  read(`<p>Summary Compensation Table</p><pre>\n${lines.join("\n")}\n</pre>`).rows.map(
    ({ amounts: { salary, bonus, non_equity_incentive, other_comp }, problems }) => [
      ...[salary, bonus, non_equity_incentive, other_comp].map((cents) => cents / 100),
      ...problems.filter(({ step }) => step !== "offices").map(({ code }) => code),
    ],
  );

test("two headers with one blank between them are cut where the header's other lines are, and that is told", () => {
  const table = [
    "                             Non-Equity",
    "Name and             Year    Incentive Plan All Other",
    "Position                     Compensation   Compensation   Salary    Total",
    "Ann Example          2020        875,495         93,789    100,000   1,069,284",
    "Bo Sample            2020        772,568                   100,000     872,568",
  ];
  expect(salaries(...table)).toEqual([
    [100_000, 0, 875_495, 93_789, "cell_ambiguous"],
    [100_000, 0, 772_568, 0, "cell_ambiguous"],
  ]);
  const below = table
    .with(1, "Name and             Year    Incentive Plan  All Other")
    .with(2, "Position                      Compensation Compensation    Salary    Total");
  expect(salaries(...below)).toEqual(salaries(...table));
});

test("a small amount, or one with a marker, belongs to the column whose amounts end where it does", () => {
  expect(
    salaries(
      "Name and Position    Year  Salary       Bonus       Other       Total",
      "Ann Example          2020           $1   750,000                750,001",
      "Bo Sample            2020      500,000(1)            20,000     520,000",
      "                     2019                 80,000                 80,000(2)",
    ),
  ).toEqual([
    [1, 750_000, 0, 0],
    [500_000, 0, 0, 20_000],
    [0, 80_000, 0, 0],
  ]);
});

test("a header over amounts in two places has two columns below it, and is not read", () => {
  const lines = [
    "Name and Position    Year     Salary    Performance Bonus    Total",
    "Ann Example          2020    500,000    50,000             550,000",
    "                     2019    500,000    40,000             540,000",
    "Bo Sample            2020    400,000             30,000    430,000",
    "                     2019    400,000             20,000    420,000",
  ];
  const filing = read(`<p>Summary Compensation Table</p><pre>\n${lines.join("\n")}\n</pre>`);
  expect(filing.reason).toBe("columns_unclear");
});

test("amounts between two headers that reach below the edge of one are not read where their ends do not decide", () => {
  const lines = [
    "Name and Position     Year  Salary         Bonus           Other           Total",
    "Ann Example           2020          $300,036                         $37,990        $338,026",
    "Bo Sample             2020          $350,627                         $30,900        $381,527",
  ];
  const filing = read(`<p>Summary Compensation Table</p><pre>\n${lines.join("\n")}\n</pre>`);
  expect(filing.reason).toBe("columns_unclear");
});

test("headers that touch are cut above the units below them, and every row says so whatever its sum", () => {
  const filing = read(`<pre>Summary Compensation Table

                                                    Change in Pension
Name and                              Stock Awards Deferred Compensation  Other
Position            Year  Salary ($)      ($)(1)       Earnings ($)(2)       ($)        Total ($)
Ann Example         2020    100,000    6,729,046            1,176,501    136,011        8,141,558
                    2019    100,000    7,013,377               37,810    138,962        7,290,149
</pre>
`);
  expect(filing.rows.map(({ amounts }) => [amounts.stock_awards, amounts.pension_change])).toEqual([
    [672_904_600, 117_650_100],
    [701_337_700, 3_781_000],
  ]);
  expect(rowCodes(filing)).toEqual([["cell_ambiguous"], ["cell_ambiguous"]]);
});

test("amounts with one blank between them are told, whatever their sum", () => {
  const filing = read(
    `<pre>\n${HEADER}Ann Example           2020    100,000   5,000   1,000    106,000\n${BO.replace("5,000   2,000 ", "5,000 2,000   ")}</pre>`,
  );
  expect(rowCodes(filing)).toEqual([[], ["cell_ambiguous"]]);
});

test("the true table is read, not a supplemental one below its own heading in the same text", () => {
  const columns = `Name and Principal            Salary    Stock Awards   All Other       Total
Position              Year     ($)          ($)        Comp. ($)        ($)`;
  const text = `FISCAL 2020 SUMMARY COMPENSATION TABLE

The following table sets forth what was paid to our named executive officers during fiscal 2020 and 2019.

${columns}

Ann Example           2020    100,000     5,000,000       1,000     5,101,000
                      2019    100,000     4,000,000       1,000     4,101,001

(1) Represents the grant date fair value of awards of stock that vest over the next five years, as described.
    The maximum fair values of these awards do not differ from the fair values that are presented in this table.

SUPPLEMENTAL FISCAL 2020 SUMMARY COMPENSATION TABLE

The table above is prepared in accordance with the rules, and shows the fair value of the whole award that covers five years.
The table below sets forth the same information as the table above, with one-fifth of that award for the year.

${columns}

Ann Example           2020    100,000     1,000,000       1,000     1,101,000
`;
  const filing = read(`<pre>${text}</pre>`);
  expect(filing.rows.map(({ amounts }) => amounts.total_compensation)).toEqual([510_100_000, 410_100_100]);
});
