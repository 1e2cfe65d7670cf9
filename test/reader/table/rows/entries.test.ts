import { expect, test } from "bun:test";
import { parseFiling } from "../../../../src/reader/pipeline.ts";
import { read as readBody, row, rowCodes, summary, table } from "../../../support/small-table.ts";

const HEADER = "Name and Principal Position|Year|Salary ($)|Bonus ($)|All Other Compensation ($)|Total ($)";

/** Reads a table of `name | year | salary` lines. */
function read(...lines: readonly string[]) {
  const row = (cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  const body = lines.map((line) => {
    const [name = "", year = "", salary = ""] = line.split(" | ");
    return row([name, year, salary, "10,000", "1,000", salary === "" ? "" : addEleven(salary)]);
  });
  const html = `<p>Summary Compensation Table</p><table>${row(HEADER.split("|"))}${body.join("")}</table>`;
  return parseFiling(new TextEncoder().encode(html));
}

function addEleven(salary: string): string {
  return (Number(salary.replaceAll(",", "")) + 11_000).toLocaleString("en-US");
}

test("a header that does not stand over the amounts is no guess at their columns", () => {
  const cells = (text: string): string => `<td>${text.replaceAll("|", "</td><td>")}</td>`;
  const line = (name: string, ...amounts: string[]): string =>
    `<tr>${cells([name, "2023", ...amounts.flatMap((amount) => ["$", amount, ""])].join("|"))}</tr>`;
  const rows = [
    line("Ada Example, CEO", "300,000", "20,000", "1,000", "321,000"),
    line("Chris Ryan, CFO", "200,000", "10,000", "2,000", "212,000"),
  ];
  const html = `<p>Summary Compensation Table</p><table><tr>${cells(HEADER)}</tr>${rows.join("")}</table>`;
  expect(parseFiling(new TextEncoder().encode(html)).reason).toBe("columns_unclear");
});

test("of a year printed twice with two titles, the office is that of the row that is kept", () => {
  const parsed = readBody(
    table(
      row(...HEADER.split("|")),
      row("Ann Example<br>Chief Executive Officer", 2023, "100,000", "—", "1,000", "101,000"),
      row("Bo Sample<br>Chief Financial Officer", 2023, "90,000", "—", "1,000", "91,000"),
      row("Ann Example<br>Chief Operating Officer", 2023, "80,000", "—", "1,000", "81,000"),
    ),
  );
  expect(summary(parsed)).toEqual([
    "Ann Example|Chief Executive Officer|2023|100000|1000|0|101000|PEO",
    "Bo Sample|Chief Financial Officer|2023|90000|1000|0|91000|PFO",
  ]);
  expect(rowCodes(parsed)[0]).toEqual(["duplicate_row"]);
});

test("two people stacked in one row of cells are not one person with years printed twice", () => {
  const line = (...cells: readonly (readonly (string | number)[])[]): string =>
    `<tr>${cells.map((lines) => `<td>${lines.join("<br>")}</td>`).join("")}</tr>`;
  const stacked = line(
    ["Ada Example", "CEO", "Chris Ryan", "CFO"],
    [2023, 2022, 2023, 2022],
    ["400,000", "390,000", "300,000", "290,000"],
    ["—", "—", "—", "—"],
    ["4,000", "3,000", "2,000", "1,000"],
    ["404,000", "393,000", "302,000", "291,000"],
  );
  const single = line(["Bo Sample, COO"], [2023], ["100,000"], ["—"], ["1,000"], ["101,000"]);
  const html = `<p>Summary Compensation Table</p><table>${line(...HEADER.split("|").map((one) => [one]))}${stacked}${single}</table>`;
  const { rows, problems } = parseFiling(new TextEncoder().encode(html));
  expect(rows.map((row) => [row.executive_name, row.is_pfo])).toEqual([["Bo Sample", false]]);
  expect(problems.map(({ code }) => code)).toContain("name_missing");
});

test("father and son of one name are two people, though no year is printed for both", () => {
  const { rows } = read("Ada Example, Sr., CEO | 2022 | 300,000", "Ada Example, Jr., CFO | 2023 | 200,000");
  expect(rows.map((row) => row.executive_id)).toEqual(["ada-example", "ada-example-jr"]);
});

test("Chris and Christopher J. of one family name are one person where no year is printed for both", () => {
  const { rows } = read(
    "Chris Ryan, CFO | 2023 | 200,000",
    "Ada Example, CEO | 2023 | 300,000",
    "Christopher J. Ryan, CFO | 2022 | 190,000",
  );
  expect(rows.map((row) => [row.executive_id, row.fiscal_year])).toEqual([
    ["chris-ryan", 2023],
    ["chris-ryan", 2022],
    ["ada-example", 2023],
  ]);
});

test("two people of one family name with a year in common stay two", () => {
  const { rows } = read(
    "Dan Smith, CEO | 2023 | 200,000",
    "Daniel Smith, CFO | 2023 | 190,000",
    "Robert Ng, Treasurer | 2023 | 180,000",
    "Roberta Ng, Secretary | 2022 | 170,000",
  );
  expect(rows.map((row) => row.executive_id)).toEqual([
    "dan-smith",
    "daniel-smith",
    "robert-ng",
    "roberta-ng",
  ]);
});

test("a year that is printed twice with different amounts is kept once and told", () => {
  const { rows } = read(
    "Ada Example, CEO | 2023 | 300,000",
    "Ben Sample, CFO | 2023 | 190,000",
    "Ada Example, CEO | 2023 | 310,000",
  );
  expect(rows.map((row) => [row.executive_id, row.amounts.salary])).toEqual([
    ["ada-example", 30_000_000],
    ["ben-sample", 19_000_000],
  ]);
  expect(rows[0]?.problems.map(({ code }) => code)).toContain("duplicate_row");
});

test("a year that is printed twice alike is one row, and the filing says so", () => {
  const { rows, problems } = read(
    "Ada Example, CEO | 2023 | 300,000",
    "Chris Ryan, CFO | 2023 | 200,000",
    "Ada Example, CEO | 2023 | 300,000",
  );
  expect(rows.map((row) => row.executive_id)).toEqual(["ada-example", "chris-ryan"]);
  expect(problems.map(({ code }) => code)).toContain("repeated_row");
});

test("a document that ends inside its table says so", () => {
  const cut =
    "<p>Summary Compensation Table</p><table><tr><td>Name</td><td>Year</td><td>Salary ($)</td><td>Total ($)</td></tr><tr><td>Ada Example, CEO</td><td>2023</td><td>300,000</td><td>300,000</td></tr><tr><td>Chris Ry";
  const { rows, problems } = parseFiling(new TextEncoder().encode(cut));
  expect(rows.map((row) => row.executive_id)).toEqual(["ada-example"]);
  expect(problems.map(({ code }) => code)).toContain("truncated");
});

test.each(["2019 Restated", "2019 (as restated)"])("of a year printed twice, the row %p is kept", (label) => {
  const filing = read("Ann Example, CEO | 2020 | 90,000", " | 2019 | 80,000", ` | ${label} | 81,000`);
  expect(filing.rows.map((one) => one.amounts.salary)).toEqual([9_000_000, 8_100_000]);
  expect(filing.rows.map((one) => one.problems.map(({ code }) => code))).toEqual([[], ["duplicate_row"]]);
});

test("amounts beside another label of a year put the row of that year in doubt", () => {
  const filing = read("Ann Example, CEO | 2020 | 90,000", " | 2019 | 80,000", " | 2019 Pro Forma | 81,000");
  expect(filing.rows.map((one) => one.problems.map(({ code }) => code))).toEqual([[], ["row_unreadable"]]);
});

test.each([
  ["Six months ended December 31, 2020|1,000|0|0|1,000", "Year ended June 30, 2020|2,000|0|0|2,000"],
  ["Year ended June 30, 2020|2,000|0|0|2,000", "Six months ended December 31, 2020|1,000|0|0|1,000"],
])("of %p and %p, which have one label, the whole year is kept and told", (first, second) => {
  const line = (text: string): string => row(...text.split("|"));
  const filing = readBody(
    `<p>Summary Compensation Table</p><table>${line(HEADER)}${line(`Ann Example, CEO|${first}`)}${line(`|${second}`)}</table>`,
  );
  expect(summary(filing)).toEqual(["Ann Example|CEO|2020|2000|0|0|2000|PEO"]);
  expect(rowCodes(filing)).toEqual([["duplicate_row"]]);
});

test("a year far from the newest one is a slip of the pen, and told", () => {
  const filing = readBody(
    table(
      row(...HEADER.split("|")),
      row("Ann Example, CEO", 2020, 100, 7, 3, 110),
      row("", 2012, 90, 7, 3, 100),
    ),
  );
  expect(rowCodes(filing)).toEqual([[], ["year_unclear"]]);
});
