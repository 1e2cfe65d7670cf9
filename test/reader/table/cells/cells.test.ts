import { expect, test } from "bun:test";
import { codes, HEAD, read, row, summary, table } from "../../../support/small-table.ts";

const ANN = "Ann Example|CEO|2020|5000|100|0|5100|PEO";
const TWO = row("Ann Example<br>CEO", 2020, "5,000", "—", "—", "100", "5,100");

test("reading ends at the first footnote below the last year: a breakdown in the notes has no years to miss", () => {
  const filing = read(
    table(
      row(...HEAD),
      TWO,
      row("(1)", "The table below breaks down all other compensation of the officers for the year."),
      row("Retirement Plan Contributions", "85,704", "12,825", "12,825", "12,825", "—", ""),
      row("Total", "85,704", "12,825", "12,825", "12,825", "—", ""),
    ),
  );
  expect(summary(filing)).toEqual([ANN]);
  expect(codes(filing)).toEqual([]);
});

const stack = (...lines: string[]): string => lines.map((line) => `<p>${line}</p>`).join("");

test.each(["", "&nbsp;", "<span> </span>"])(
  "an empty paragraph %p in a cell that stacks years keeps its line",
  (blank) => {
    const filing = read(
      table(
        row(...HEAD),
        row(
          "Ann Example<br>CEO",
          stack("2020", "2019", "2018"),
          stack("5,000", "4,000", "3,000"),
          stack("100", blank, "300"),
          `<div>${stack(blank, "20", "30")}</div>`,
          stack("1", "2", "3"),
          stack("5,101", "4,022", "3,333"),
        ),
      ),
    );
    expect(filing.rows.map(({ amounts }) => [amounts.bonus, amounts.stock_awards])).toEqual([
      [10_000, 0],
      [0, 2000],
      [30_000, 3000],
    ]);
    expect(codes(filing)).toEqual([]);
  },
);

test.each(["â€”", "â€“", "&#150;", "&#151;", "\u0097", "\ufffd", "?", "Ã¢â‚¬â€", "&#8208;", "―"])(
  "%p where an amount could stand is a mis-encoded dash",
  (dash) => {
    const filing = read(
      table(row(...HEAD), row("Ann Example<br>CEO", 2020, "5,000", dash, dash, "100", "5,100")),
    );
    expect(summary(filing)).toEqual([ANN]);
    expect(codes(filing)).toEqual([]);
  },
);

test("a row without its name cell is moved back under its headers", () => {
  const filing = read(table(row(...HEAD), TWO, row(2019, "4,000", "—", "—", "90", "4,090")));
  expect(summary(filing)).toEqual([ANN, "Ann Example|CEO|2019|4000|90|0|4090|PEO"]);
});

test("a cell with fewer lines than the row has years is ambiguous, a sign alone is not", () => {
  const stacked = (bonus: string) =>
    read(
      table(
        row(...HEAD),
        row(
          "Ann Example<br>CEO",
          stack("2020", "2019"),
          stack("5,000", "4,000"),
          bonus,
          stack("—", "—"),
          stack("100", "90"),
          stack("5,100", "4,090"),
        ),
      ),
    );
  expect(codes(stacked("$"))).toEqual([]);
  expect(codes(stacked("700"))).toContain("cell_ambiguous");
});

test("amounts beside a label that reads as no year are told", () => {
  const filing = read(
    table(
      row(...HEAD),
      TWO,
      row("", "20 19", "4,000", "—", "—", "90", "4,090"),
      row("", "2018", "3,000", "—", "—", "80", "3,080"),
    ),
  );
  expect(filing.rows.map((one) => one.fiscal_year)).toEqual([2020, 2018]);
  expect(codes(filing)).toContain("row_unreadable");
});

test.each(["", "”"])("amounts beside %p where a year should stand are told", (label) => {
  const filing = read(table(row(...HEAD), TWO, row("", label, "4,000", "—", "—", "90", "4,090")));
  expect(summary(filing)).toEqual([ANN]);
  expect(codes(filing)).toEqual(["row_unreadable"]);
});

test("the sums of columns below the last person are no lost row", () => {
  const filing = read(table(row(...HEAD), TWO, row("Total", "", "5,000", "—", "—", "100", "5,100")));
  expect(codes(filing)).toEqual([]);
});

test("a year whose cell spans the rows of several people is the year of each", () => {
  const first = row("Ann Example, CEO", "9,000", "—", "—", "1,000", "10,000");
  const second = row("Bo Sample, CFO", "8,000", "—", "—", "1,000", "9,000");
  const filing = read(
    table(
      row("Year", "Name", ...HEAD.slice(2)),
      first.replace("<tr>", '<tr><td rowspan="2">2020</td>'),
      second,
    ),
  );
  expect(filing.rows.map((one) => [one.executive_name, one.fiscal_year, one.amounts.salary / 100])).toEqual([
    ["Ann Example", 2020, 9000],
    ["Bo Sample", 2020, 8000],
  ]);
});

test.each([
  [
    ["Registrant", "Name", ...HEAD.slice(1)],
    ["Lakeside Power", "Ann Example"],
  ],
  [
    ["No.", "Name", ...HEAD.slice(1)],
    ["Four", "Ann Example"],
  ],
  [
    ["Last Name", "First Name", ...HEAD.slice(1)],
    ["Example", "Ann"],
  ],
  [
    ["First Name", "Last Name", ...HEAD.slice(1)],
    ["Ann", "Example"],
  ],
])("under %j, %j is Ann Example", (head, cells) => {
  const filing = read(table(row(...head), row(...cells, 2020, "5,000", "—", "—", "100", "5,100")));
  expect(filing.rows.map((one) => one.executive_name)).toEqual(["Ann Example"]);
});

test("a year beside amounts none of which can be read is told", () => {
  const filing = read(
    table(row(...HEAD), TWO, row("Bo Sample<br>CFO", 2020, "~4,000", "~100", "~100", "~90", "~4,290")),
  );
  expect(summary(filing)).toEqual([ANN]);
  expect(codes(filing)).toContain("row_unreadable");
});

const spaced = (...cells: (string | number)[]): string =>
  row(...cells.flatMap((cell, at) => (at === 0 ? [cell] : ["", cell])));

test("a row without its year's cell, whose amounts are all beside their headers, is told", () => {
  const cells = ["Bo Sample<br>CFO", "", "4,000", "—", "—", "200", "", "4,200"];
  const filing = read(
    table(
      spaced(...HEAD),
      spaced("Ann Example<br>CEO", 2020, "5,000", "—", "—", "100", "5,100"),
      row(cells[0] ?? "", ...cells.slice(2).flatMap((cell) => (cell === "" ? [] : [cell, ""]))),
    ),
  );
  expect(summary(filing)).toEqual([ANN]);
  expect(codes(filing)).toContain("row_unreadable");
});

test("years below a row with amounts and no year may be another person's, and are flagged", () => {
  const bo = row("", "", "4,000", "—", "—", "200", "4,200");
  const filing = read(table(row(...HEAD), TWO, bo, row("", 2019, "3,000", "—", "—", "200", "3,200")));
  expect(filing.rows.map((one) => one.problems.map(({ code }) => code))).toEqual([[], ["name_missing"]]);
});

test("a row without its year's cell, with its first amount in the year's place, is told", () => {
  const filing = read(table(row(...HEAD), TWO, row("Bo Sample<br>CFO", "4,000", "—", "—", "—", "4,000")));
  expect(summary(filing)).toEqual([ANN]);
  expect(codes(filing)).toContain("row_unreadable");
});

test("a header over two columns of amounts is read in no row, though rows with one of them add up", () => {
  const head = `<tr>${HEAD.slice(0, 4)
    .map((text, at) => `<td colspan="${at === 3 ? 2 : 1}">${text}</td>`)
    .join("")}<td>${HEAD[6]}</td></tr>`;
  const filing = read(
    table(
      head,
      row("Ann Example<br>CEO", 2020, "5,000", "700", "900", "6,600"),
      row("", 2019, "5,000", "600", "", "5,600"),
      row("Bo Sample<br>CFO", 2020, "4,000", "", "800", "4,800"),
    ),
  );
  expect(filing.reason).toBe("columns_unclear");
});

test("where most rows do not fit the headers, one that adds up may do so by chance, and says so", () => {
  const filing = read(
    table(
      row(...HEAD),
      row("Ann Example<br>CEO", 2020, "5,000", "700", "—", "—", "9,000"),
      row("Bo Sample<br>CFO", 2020, "4,000", "800", "—", "—", "9,500"),
      row("Cy Third<br>COO", 2020, "3,000", "—", "—", "—", "3,000"),
    ),
  );
  expect(filing.rows.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
    ["sum_mismatch"],
    ["sum_mismatch"],
    ["cell_ambiguous"],
  ]);
});

test("a row that lacks a cell, so that its total is beside its header, is told although it adds up", () => {
  const line = (name: string, year: string | number, cells: readonly string[], total: string): string =>
    `<tr><td>${name}</td><td>${year}</td>${cells.join("")}<td></td><td></td>${total}</tr>`;
  const header = (text: string): string => `<td colspan="3">${text}</td>`;
  const amount = (text: string): string => `<td colspan="2">${text}</td><td></td>`;
  const headers = ["Salary ($)", "Pension Value ($)", "All Other Compensation ($)"].map(header);
  const cells = [amount("5,000"), amount(""), amount("100")];
  const total = "<td>$</td><td>5,100</td><td></td>";
  const filing = read(
    table(
      line("Name", "Year", headers, header("Total ($)")),
      line("Ann Example<br>CEO", 2020, cells, total),
      line("", 2019, cells.with(1, "<td></td>"), total),
    ),
  );
  const told = filing.rows.map(({ problems }) => problems.map(({ code }) => code));
  expect(told).toEqual([[], ["column_by_position"]]);
});

test("amounts beside their headers and in front of the year are read", () => {
  const paid = (year: number, shift = ""): string =>
    `<tr><td>Ann Example<br>CEO</td>${shift}${["5,100", "5,000", "—", "100"].map((text) => `<td></td><td>$</td><td>${text}</td>`).join("")}<td></td><td>${year}</td></tr>`;
  const head = `<tr><td>Name</td>${["Total", "Salary", "Bonus", "All Other Compensation"].map((text) => `<td></td><td colspan="2">${text}</td>`).join("")}<td></td><td>Year</td></tr>`;
  expect(summary(read(table(head, paid(2020), paid(2019, "<td></td>"))))).toEqual([
    "Ann Example|CEO|2020|5000|100|0|5100|PEO",
    "Ann Example|CEO|2019|5000|100|0|5100|PEO",
  ]);
});

test("components of other kinds that happen to add up to a subtotal are not its parts", () => {
  const head = HEAD.with(4, "Total Stock Awards ($)");
  const filing = read(
    table(row(...head), row("Ann Example<br>CEO", 2020, "5,000", "1,000", "6,000", "0", "6,000")),
  );
  expect(filing.rows.map(({ amounts }) => [amounts.salary, amounts.bonus])).toEqual([[500_000, 100_000]]);
});
