/** What the rows above the amounts say of the columns. */
import { expect, test } from "bun:test";
import { codes, HEAD, read, row, summary, table } from "../../../support/small-table.ts";

const ANN = row("Ann Example<br>CEO", 2020, "9,000", "—", "—", "1,000", "10,000");
const ROW = "Ann Example|CEO|2020|9000|1000|0|10000|PEO";

test("words over # alone belong to the $ beside it, too", () => {
  const headers = row("Name", "Year", "Salary", "Stock Awards", "", "All Other Compensation", "Total");
  const filing = read(
    table(
      headers,
      row("", "", "($)", "(#)", "($)", "($)", "($)"),
      row("Ann Example<br>CEO", 2020, "9,000", "10", "500", "1,000", "10,500"),
    ),
  );
  expect(filing.rows.map(({ amounts }) => amounts.stock_awards)).toEqual([50_000]);
});

test("a year at the end of the name's cell is the row's", () => {
  const headers = row("Name and Principal Position", ...HEAD.slice(2));
  const line = row("Ann Example, CEO – 2020", "9,000", "—", "—", "1,000", "10,000");
  expect(summary(read(table(headers, line)))).toEqual([ROW]);
});

test("headers in a table of their own hold for the rows in the next one", () => {
  const apart = (rows: string): string =>
    `<p>Summary Compensation Table</p><table>${row(...HEAD)}</table><table>${rows}</table>`;
  expect(summary(read(apart(ANN)))).toEqual([ROW]);
  // With a spacer the grids differ: the columns are tied by their order, and that is told.
  const spaced = row("Ann Example<br>CEO", "", 2020, "", "9,000", "—", "—", "1,000", "10,000");
  expect(summary(read(apart(spaced)))).toEqual([ROW]);
  expect(codes(read(apart(spaced)))).toContain("header_apart");
});

test("a header repeated between two people, as at a page break inside one table", () => {
  const bo = row("Bo Sample<br>CFO", 2020, "8,000", "—", "—", "1,000", "9,000");
  expect(summary(read(table(row(...HEAD), ANN, row(...HEAD), bo)))).toEqual([
    ROW,
    "Bo Sample|CFO|2020|8000|1000|0|9000|PFO",
  ]);
});

test("a header of two rows, repeated between two people, has both again", () => {
  const groups = row("", "", "", "", "Stock", "", "");
  const own = row(...HEAD.slice(0, 4), "Awards ($)", ...HEAD.slice(5));
  const bo = row("Bo Sample<br>CFO", 2020, "8,000", "—", "500", "1,000", "9,500");
  const filing = read(table(groups, own, ANN, groups, own, bo));
  expect(filing.rows.map(({ amounts }) => [amounts.stock_awards, amounts.unknown_component])).toEqual([
    [0, 0],
    [50_000, 0],
  ]);
});

test("a title over the whole width and column letters are no headers", () => {
  const title = `<tr><td colspan="7">Summary Compensation Table for 2020 and the Years Before</td></tr>`;
  const letters = row("(a)", "(b)", "(c)", "(d)", "(e)", "(i)", "(j)");
  expect(summary(read(table(title, row(...HEAD), letters, ANN)))).toEqual([ROW]);
});

test("the copy of the table tells its rows of column headers, without titles and column letters", () => {
  const title = `<tr><td colspan="7">Summary Compensation Table</td></tr>`;
  const letters = row("(a)", "(b)", "(c)", "(d)", "(e)", "(i)", "(j)");
  const bo = row("Bo Sample<br>CFO", 2020, "8,000", "—", "—", "1,000", "9,000");
  const filing = read(table(title, row(...HEAD), letters, ANN, row(...HEAD), bo));
  expect(filing.tables.map(({ headerRows }) => headerRows)).toEqual([[1, 4]]);
});

const band = (words: string): string => `<tr><td colspan="7">${words}</td></tr>`;
const DI = row("Di Outside", 2020, "50", "—", "40", "—", "90");

test.each([
  "Non-Employee Directors",
  "Director Compensation",
  "Officers of Our Subsidiary",
  "Example Brands LLC",
  "Affiliate Officers",
  "Officers of Target",
  "Scientific Advisory Board",
  "Predecessor",
  "Lakeside Gas",
])("rows below %p, over the whole width, are other people's and are told", (words) => {
  const filing = read(table(row(...HEAD), ANN, band(words), DI));
  expect(summary(filing)).toEqual([ROW]);
  expect(codes(filing)).toContain("table_left_out");
});

test("a second header of fees and a total alone ends a table of salaries", () => {
  const few = (name: string, pay: string) => row(name, 2020, pay, pay);
  const head = (name: string, pay: string) => row(name, "Year", pay, "Total ($)");
  const filing = read(
    table(
      head("Name", "Salary ($)"),
      few("Ann Example<br>CEO", "9,000"),
      head("Name of Director", "Fees Earned ($)"),
      few("Di Outside", "8,000"),
    ),
  );
  expect(filing.rows.map((one) => one.executive_name)).toEqual(["Ann Example"]);
});

test("so are those below Directors in the column of names, but not below the end of a title", () => {
  const cell = (words: string): string => row(words, "", "", "", "", "", "");
  for (const words of [
    "Directors",
    "Consultants (5)",
    "Independent Contractors",
    "Related Parties",
    "Relatives of the Chairman",
    "Affiliate Officers",
    "Officers of Target",
    "Officers of Lakeside Bank, N.A.",
    "Key Employees of the Operating Partnership",
    "Scientific Advisory Board",
  ])
    expect(summary(read(table(row(...HEAD), ANN, cell(words), DI)))).toEqual([ROW]);
  const title = row(
    "Ann Example<br>CEO and Chairman of the Board of",
    2020,
    "9,000",
    "—",
    "—",
    "1,000",
    "10,000",
  );
  const filing = read(
    table(row(...HEAD), title, cell("Directors"), row("Di Outside, CFO", 2020, 50, "—", 40, "—", 90)),
  );
  expect(filing.rows.map((one) => one.executive_role)).toEqual([
    "CEO and Chairman of the Board of Directors",
    "CFO",
  ]);
});

test.each(["Chairman of the Board", "Named Executive Officers", "Interim Officers", "Fiscal 2020"])(
  "%p over the whole width is a title or a label",
  (words) => {
    const bo = row("Bo Sample, CFO", 2020, "8,000", "—", "—", "1,000", "9,000");
    expect(read(table(row(...HEAD), ANN, band(words), bo)).rows.length).toBe(2);
  },
);

test("directors without a header of their own, on the page behind the table, are not read", () => {
  const filing = read(`${table(row(...HEAD), ANN)}<hr><table>${band("Non-Employee Directors")}${DI}</table>`);
  expect(summary(filing)).toEqual([ROW]);
  expect(codes(filing)).toContain("continuation_unread");
});

test.each(["Name of Director", "Name"])(
  "rows below a second header, %p, without salaries are others' and told",
  (name) => {
    const header = row(name, "Year", "Retainer ($)", ...HEAD.slice(3));
    const filing = read(table(row(...HEAD), ANN, header, DI));
    expect(summary(filing)).toEqual([ROW]);
    expect(codes(filing)).toContain("table_left_out");
  },
);

test("a title over some columns is not part of their headers", () => {
  const title = '<tr><td></td><td></td><td colspan="5">Summary Compensation Table</td></tr>';
  const filing = read(table(title, row(...HEAD), ANN));
  expect(filing.rows.map((one) => one.cells.salary?.[0]?.caption)).toEqual([["Salary ($)"]]);
});

test.each(["Supplemental Disclosure", "Prior Presentation", "Compensation Actually Paid"])(
  "rows of the same people below %p, in the column of names, are another view's and told",
  (words) => {
    const cell = row(words, "", "", "", "", "", "");
    const again = row("Ann Example<br>CEO", 2020, "7,000", "—", "—", "1,000", "8,000");
    const filing = read(table(row(...HEAD), ANN, cell, again));
    expect(summary(filing)).toEqual([ROW]);
    expect(codes(filing)).toContain("table_left_out");
  },
);

test("rows below an unknown label are others', their name in a row of its own or behind the headers again", () => {
  const name = row("Di Outside", "", "", "", "", "", "");
  const pay = row("President", 2020, "50", "—", "40", "—", "90");
  const letters = row(...HEAD.map((_, at) => `(${"abcdefg"[at] ?? ""})`));
  const titled = row("Di Outside, Interim Chief Executive Officer", 2020, "50", "—", "40", "—", "90");
  for (const below of [name + pay, titled, row(...HEAD) + DI, letters + row(...HEAD) + DI])
    expect(summary(read(table(row(...HEAD), ANN, band("Predecessor"), below)))).toEqual([ROW]);
});

test.each([
  ["SUMMARY COMPENSATION TABLE (1)(2)", row(...HEAD)],
  ["Summary Compensation Table", ""],
])("the title %p, printed again behind a page break, names no person", (words, header) => {
  const later = row("", 2019, "8,000", "—", "—", "1,000", "9,000");
  const filing = read(table(band(words), row(...HEAD), ANN, band("45"), band(words), header, later));
  expect(filing.rows.map((one) => `${one.executive_name} ${one.fiscal_year}`)).toEqual([
    "Ann Example 2020",
    "Ann Example 2019",
  ]);
});

test("rows below an unknown label are others' where the year is printed before the name, too", () => {
  const head = row("Year", "Name and Principal Position", ...HEAD.slice(2));
  const ours = row(2020, "Ann Example<br>CEO", "9,000", "—", "—", "1,000", "10,000");
  const theirs = row(2020, "Di Outside<br>President", "50", "—", "40", "—", "90");
  expect(summary(read(table(head, ours, band("Predecessor"), theirs)))).toEqual([ROW]);
});

test("a company's name in the column of names is a label below an empty cell, and else the end of a title", () => {
  const label = row("Lakeside Gas Company", "", "", "", "", "", "");
  const older = row("", 2019, "8,000", "—", "—", "1,000", "9,000");
  const names = (...lines: string[]): string[] =>
    read(table(row(...HEAD), ...lines)).rows.map((one) => one.executive_name);
  expect(names(ANN, older, label, DI)).toEqual(["Ann Example", "Ann Example"]);
  expect(names(ANN, label, DI)).toEqual(["Ann Example", "Di Outside"]);
});

test("a label over the whole width is no end of the title above it", () => {
  const chair = row("Ann Example<br>CEO and Vice Chairman", 2020, "9,000", "—", "—", "1,000", "10,000");
  const filing = read(table(row(...HEAD), chair, band("Affiliate Officers"), DI));
  expect(filing.rows.map((one) => one.executive_name)).toEqual(["Ann Example"]);
});

test("a group of others in the column of names ends the table below Vice Chairman; a board below it is the title's", () => {
  const chair = row("Ann Example<br>CEO and Vice Chairman", 2020, "9,000", "—", "—", "1,000", "10,000");
  const names = (words: string): string[] =>
    read(table(row(...HEAD), chair, row(words, "", "", "", "", "", ""), DI)).rows.map(
      (one) => one.executive_name,
    );
  expect(names("Affiliate Officers")).toEqual(["Ann Example"]);
  expect(names("Board of Directors")).toEqual(["Ann Example", "Di Outside"]);
});
