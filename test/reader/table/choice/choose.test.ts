/** Which of several tables with the columns of Item 402(c) is read as the Summary Compensation Table. */
import { expect, test } from "bun:test";
import { codes, HEAD, read, row, summary } from "../../../support/small-table.ts";

const page = (...rows: string[]): string => `<table>${row(...HEAD)}${rows.join("")}</table>`;
const table = (year: number, factor: number): string =>
  page(
    ...[year, year - 1].flatMap((one) => [
      row("Ann Example<br>Chief Executive Officer", one, 100 * factor, "—", "—", factor, 101 * factor),
    ]),
  );
const TRUE = table(2020, 1);
const ANN = [2020, 2019].map((year) => `Ann Example|Chief Executive Officer|${year}|100|1|0|101|PEO`);
const MATTERS = "<p>Other matters of the year.</p>";

test.each([
  "Realized Pay",
  "Supplemental Summary Compensation Table",
  "Illustrative Summary Compensation Table",
  "2024 Example Summary Compensation Table",
  "Annualized Compensation",
  "Pro Forma Summary Compensation",
  "The following table restates the amounts above as annual equivalents.",
])("a table under %p is not read, neither alone nor ahead of an untitled one", (words) => {
  const view = `<p>${words}</p>${table(2020, 7)}`;
  expect(read(view).reason).toBe("no_table");
  expect(summary(read(`${view}${MATTERS}<p>Executive Compensation</p>${TRUE}`))).toEqual(ANN);
});

test("nor one with better headers, where a word in its heading calls the other one by its name and units", () => {
  const view = page(row("Ann Example<br>Chief Executive Officer", 2020, 700, "—", 70, "—", 770));
  const words = "<p>The Summary Compensation Table is below.</p><p>Annualized Compensation</p>";
  const filing = read(`${words}${view}<p>Summary Compensation Table (in thousands)</p>${TRUE}`);
  expect(filing.rows.map((one) => one.amounts.salary)).toEqual([10_000_000, 10_000_000]);
});

test("a title with the units of the amounts is a title", () => {
  const words = "<p>Summary Compensation Table (in thousands)</p>";
  const filing = read(`${words}${TRUE}<p>Cash Pay of 2020</p>${table(2020, 7)}`);
  expect(codes(filing)).not.toContain("several_tables");
});

test.each([
  ["Summary Compensation Table", "2019 Summary Compensation Table"],
  ["Executive Compensation", "Pay of the Year Before"],
])("of two tables called alike (%p, %p), the one of the newer years is read", (ours, theirs) => {
  const older = `<p>${theirs}</p>${table(2019, 7)}`;
  const newer = `<p>${ours}</p>${TRUE}`;
  expect(summary(read(older + MATTERS + newer))).toEqual(ANN);
  expect(summary(read(newer + MATTERS + older))).toEqual(ANN);
});

test("a titled table whose rows another one prints otherwise, with a newer year, is refused", () => {
  const older = `<p>2019 Summary Compensation Table</p>${table(2019, 7)}`;
  expect(read(`${older}<p>Executive Compensation</p>${TRUE}`).reason).toBe("ambiguous");
});

test.each([
  ["Example National Bank", true],
  ["Fiscal 2020", true],
  ["Executive Compensation", false],
  ["The table shows what our president earned.", false],
  ["(in US dollars)", false],
  ["Compensation of the Executive Officers of Example National Bank", true],
  ["Pay of the executive officers of our company", false],
])("under %p alone a table is read, and its rows are in doubt: %p", (words, doubt) => {
  const filing = read(`<p>${words}</p>${TRUE}`);
  expect(summary(filing)).toEqual(ANN);
  expect(codes(filing).includes("table_untitled")).toBe(doubt);
});

test.each([
  "Officers of Our Bank Subsidiary",
  "Subsidiary Officer Compensation",
  "The persons below are not executive officers of the Company.",
  "Amounts paid to consultants, none of whom is an executive officer.",
  "Compensation of our external manager’s officers",
  "The table shows the compensation of the executive officers of our adviser.</p><p>(in dollars)",
  "Summary Compensation Table</p><p>Paid by our manager to its executive officers",
])("under %p a table is not read, whatever offices its people have", (words) => {
  expect(read(`<p>${words}</p>${TRUE}`)).toMatchObject({
    reason: "no_table",
    reasonDetail: "table 0 is under a heading of other people",
  });
});

test.each([
  "The table shows what our manager paid to our named executive officers.",
  "The table shows what our manager paid to our executive officers, who are officers of our manager.",
  "Executive Officers of Our General Partner",
])("under %p a table is read: they are the company’s officers", (words) => {
  expect(summary(read(`<p>${words}</p>${TRUE}`))).toEqual(ANN);
});

test("under a heading of other people the rows of our officers are in doubt", () => {
  const filing = read(
    `<p>Compensation of officers and directors of the Company and its subsidiaries</p>${TRUE}`,
  );
  expect(summary(filing)).toEqual(ANN);
  expect(codes(filing)).toContain("table_untitled");
});

test("where no word above speaks for a table, the offices of its people and three columns must", () => {
  const nobody = TRUE.replaceAll("<br>Chief Executive Officer", "");
  const few = `<table>${row("Name", "Year", "Base Salary ($)", "Target Bonus ($)", "Total ($)")}${row("Ann Example<br>Chief Executive Officer", 2020, 100, 50, 150)}</table>`;
  for (const one of [nobody, few]) {
    expect(read(`<p>What Others Pay</p>${one}`).reason).toBe("no_table");
    expect(read(`<p>Executive Compensation</p>${one}`).status).toBe("parsed");
  }
});

test("of a table as first filed and as corrected, the corrected one is read", () => {
  const filing = read(
    `<p>Summary Compensation Table (As Originally Filed)</p>${table(2020, 7)}<p>The table had an error.</p><p>Summary Compensation Table (As Corrected)</p>${TRUE}`,
  );
  expect(summary(filing)).toEqual(ANN);
});

test("of two tables without amounts that share a year, the one of the newer years is read", () => {
  const blank = (year: number): string =>
    page(
      ...[year, year - 1].map((one) =>
        row("Ann Example<br>Chief Executive Officer", one, "0", "0", "0", "0", "0"),
      ),
    );
  const older = `<p>Executive Compensation</p>${blank(2019)}`;
  const filing = read(`${older}${MATTERS}<p>Executive Compensation</p>${blank(2020)}`);
  expect(filing.rows.map((one) => one.fiscal_year)).toEqual([2020, 2019]);
});

test("of the tables of two companies, both with the title, rows of the one that scores better are in doubt", () => {
  const theirs = page(row("Di Outside<br>Chief Executive Officer", 2020, "50", "—", "40", "—", "90"));
  const richer = theirs.replaceAll("Bonus ($)", "Non-Equity Incentive Plan Compensation ($)");
  const title = "<p><b>Summary Compensation Table</b></p>";
  const filing = read(`${title}${TRUE}${MATTERS.repeat(20)}${title}${richer}`);
  expect(filing.rows.every(({ problems }) => problems.some(({ code }) => code === "several_tables"))).toBe(
    true,
  );
});

test("a table printed twice, far apart, is no second table", () => {
  const print = `<p>Summary Compensation Table</p>${TRUE}`;
  expect(codes(read(`${print}${MATTERS.repeat(20)}${print}`))).not.toContain("several_tables");
});

test("the same totals under other names, one person apart, are no second print of a table", () => {
  const people = (...names: string[]): string =>
    page(...names.map((name, at) => row(`${name}<br>Vice President`, 2020, 100 + at, "—", "—", 1, 101 + at)));
  const twice = (...names: string[]): string[] =>
    codes(
      read(
        `<p>Summary Compensation Table</p>${people("Ann Example", "Bo Sample", "Cy Third")}${people(...names)}`,
      ),
    );
  expect(twice("Ann Example", "Bo Sample", "Cy Third")).not.toContain("several_tables");
  expect(twice("Ada Other", "Ben Other", "Cy Third")).toContain("several_tables");
});

test("tables without any total are no second print of each other: what is left out is told", () => {
  const blank = (...years: number[]): string =>
    page(
      ...years.map((year) => row("Ann Example<br>Chief Executive Officer", year, "—", "—", "—", "—", "—")),
    );
  const other = "<p>The table below shows the compensation actually received.</p>";
  const filing = read(
    `<p>Summary Compensation Table</p>${blank(2020)}${other}${blank(2020, 2019)}<p>Summary Compensation Table (continued)</p>${blank(2019)}`,
  );
  expect(codes(filing)).toContain("table_left_out");
});

test("of two tables under one title, a sentence that introduces the second one as that of other officers makes both doubtful", () => {
  const theirs = page(row("Di Other<br>Chief Executive Officer", 2020, 700, "—", "—", 70, 770));
  const paid = "<p>The following table sets forth what Lakeside Gas paid its named executive officers.</p>";
  const ours = "<p>The following Summary Compensation Table presents what we paid in fiscal year 2020.</p>";
  const filing = read(`<p>Summary Compensation Table</p>${paid}${theirs}${MATTERS}${ours}${TRUE}`);
  expect(codes(filing)).toContain("several_tables");
});

test("a table of one person a page, titled for the year before, is doubtful where another has the newer year", () => {
  const of = (name: string, year: number, pay: number): string =>
    page(row(name, year, pay, "—", "—", 1, pay + 1));
  const older = of("Ann Example<br>Chief Executive Officer", 2019, 700) + of("Bo Sample<br>CFO", 2019, 800);
  const newer = of("Ann Example<br>Chief Executive Officer", 2020, 100) + of("Bo Sample<br>CFO", 2020, 200);
  const words = "<p>What the named executive officers of Example Corp. earned:</p>";
  const filing = read(`<p>2019 Summary Compensation Table</p>${older}${MATTERS}${words}${newer}`);
  expect(codes(filing)).toContain("several_tables");
});

test("a title that names the predecessor leaves it open whose officers the table shows", () => {
  expect(codes(read(`<p>Summary Compensation Table – Predecessor</p>${TRUE}`))).toContain("table_untitled");
});

test("a titled table of one officer is doubtful where another prints the row again with further people", () => {
  const ann = row("Ann Example<br>Chief Executive Officer", 2020, 100, "—", "—", 1, 101);
  const bo = row("Bo Sample<br>Chief Financial Officer", 2020, 200, "—", "—", 2, 202);
  const words = "<p>The following table shows what the named executive officers earned.</p>";
  const filing = read(`<p>Summary Compensation Table</p>${page(ann)}${MATTERS}${words}${page(ann, bo)}`);
  expect(codes(filing)).toContain("several_tables");
});
