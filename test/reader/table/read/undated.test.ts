import { expect, test } from "bun:test";
import { codes, HEAD, read, row, summary } from "../../../support/small-table.ts";

const HEADERS = HEAD.filter((header) => header !== "Year");
const TABLE = `<table>${row(...HEADERS)}${row("Ann Example", "100", "—", "—", "1", "101")}${row("Manager and Chief Executive Officer")}${row("Bo Sample<br>Chief Financial Officer", "200", "—", "—", "2", "202")}</table>`;
const ROWS = [
  "Ann Example|Manager and Chief Executive Officer|2023|100|1|0|101|PEO",
  "Bo Sample|Chief Financial Officer|2023|200|2|0|202|PFO",
];

test.each([
  "<p>2023 Summary Compensation Table</p>",
  "<p>Summary Compensation Table</p><p>The following table shows the pay of our named executive officers for the year ended December 31, 2023:</p>",
])("a table without years under %p is read with that year, and says so", (heading) => {
  const filing = read(heading + TABLE);
  expect(summary(filing)).toEqual(ROWS);
  expect(codes(filing)).toContain("year_from_heading");
});

test.each([
  ["two years", "<p>2023 and 2022 Summary Compensation Table</p>"],
  ["no year", "<p>Summary Compensation Table</p>"],
  ["a running head with a year", "<p>Summary Compensation Table</p><p>2024 Proxy Statement</p>"],
  ["another title", "<p>2023 Annual Compensation of Management</p>"],
])("under %s it is refused", (_, heading) => {
  expect(read(heading + TABLE)).toMatchObject({ status: "refused", rows: [] });
});

test("units below the column headers are no row of it", () => {
  const units = row("", ...HEADERS.slice(1).map(() => "($000)"));
  const bare = TABLE.replaceAll(" ($)", "").replace("</tr>", `</tr>${units}`);
  const filing = read(`<p>2023 Summary Compensation Table</p>${bare}`);
  expect(filing.rows.map(({ amounts }) => amounts.salary)).toEqual([10_000_000, 20_000_000]);
});

test.each([
  "<p>2023 Summary Compensation Table</p>",
  "<p>2023 Summary Compensation Table</p><p>The following table shows what the named executive officers of Example, Inc. earned.</p>",
])(
  "under %s its next page is of the same year; one with officers of its own puts both in doubt",
  (heading) => {
    const more = `<table>${row(...HEADERS)}${row("Cy Third<br>General Counsel", "300", "—", "—", "3", "303")}</table>`;
    const third = "Cy Third|General Counsel|2023|300|3|0|303|";
    expect(summary(read(`${heading}${TABLE}<p>47</p><hr>${more}`))).toEqual([...ROWS, third]);
    const others = TABLE.replace("Ann Example", "Di Outside").replace("Bo Sample", "Ed Beyond");
    const filing = read(heading + others + TABLE);
    expect(filing.rows.every(({ problems }) => problems.some(({ code }) => code === "several_tables"))).toBe(
      true,
    );
  },
);
