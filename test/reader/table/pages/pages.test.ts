/** Which tables next to the Summary Compensation Table are pages of it, and which are about other people. */
import { expect, test } from "bun:test";
import { codes, HEAD, read, row, summary } from "../../../support/small-table.ts";

const TITLE = "<p><b>Summary Compensation Table</b></p>";
const NOTE = "<p>(1) Amounts are the grant date fair value of awards, as directors do not set them.</p>";
const page = (...rows: string[]): string => `<table>${row(...HEAD)}${rows.join("")}</table>`;
const OURS = page(
  row("Ann Example<br>Chief Executive Officer", 2020, "100", "—", "—", "1", "101"),
  row("Bo Sample<br>Chief Financial Officer", 2020, "200", "—", "—", "2", "202"),
);
const MORE = page(row("Cy Third<br>General Counsel", 2020, "300", "—", "—", "3", "303"));
const THEIRS = page(
  row("Di Outside<br>President, Example Brands", 2020, "50", "—", "40", "—", "90"),
  row("Ed Beyond<br>Vice President", 2020, "60", "—", "40", "—", "100"),
);
const [ANN, BO, CY] = [
  "Ann Example|Chief Executive Officer|2020|100|1|0|101|PEO",
  "Bo Sample|Chief Financial Officer|2020|200|2|0|202|PFO",
  "Cy Third|General Counsel|2020|300|3|0|303|",
];

const WORDS = [
  "<p>Director Compensation</p>",
  "<p>Compensation of the Board</p>",
  "<p>Consultants</p>",
  "<p>Key Employees of Example Brands LLC</p>",
  "<p>The following table sets forth what Example Brands paid its officers in 2020.</p>",
  "<p>Executive Officers of Our Subsidiary</p>",
  "<p>These people, none of whom is an executive officer, were paid as follows:</p>",
  `${NOTE}<p>Director Compensation</p>`,
  "<p>(2) The following table shows other people:</p>",
  "<p>(2) Amounts that Example Brands paid before were as follows.</p>",
  "<p>(2) See the table below for what Example Brands paid.</p>",
  "<table><tr><td>Compensation of Consultants</td></tr></table>",
];

test.each(WORDS)("a table behind the true one, under %p, is not read and is told", (words) => {
  const filing = read(TITLE + OURS + words + THEIRS);
  expect(summary(filing)).toEqual([ANN, BO]);
  expect(codes(filing)).toContain("table_left_out");
});

test.each(WORDS.slice(0, 7))("nor is one before it, under %p", (words) => {
  const filing = read(words + THEIRS + TITLE + OURS);
  expect(summary(filing)).toEqual([ANN, BO]);
});

test("a heading in the first row of the other table counts like one above it", () => {
  const other = THEIRS.replace("<tr>", '<tr><td colspan="7">Director Compensation</td></tr><tr>');
  expect(summary(read(TITLE + OURS + other))).toEqual([ANN, BO]);
});

test("a table of people without any office, right behind one of officers, is left out and told", () => {
  const filing = read(TITLE + OURS + page(row("Di Outside", 2020, "50", "—", "40", "—", "90")));
  expect(summary(filing)).toEqual([ANN, BO]);
  expect(codes(filing)).toContain("table_left_out");
});

test("another view of the same people's pay is left out", () => {
  const view = page(
    row("Ann Example<br>Chief Executive Officer", 2020, "100", "—", "—", "9", "109"),
    row("Bo Sample<br>Chief Financial Officer", 2020, "200", "—", "—", "9", "209"),
  );
  expect(summary(read(TITLE + OURS + view))).toEqual([ANN, BO]);
});

test.each(["Realized Pay", "Total Direct Compensation"])(
  "of two tables without a title, not the one under %p",
  (words) => {
    const view = page(
      row("Ann Example<br>Chief Executive Officer", 2020, "100", "—", "7", "1", "108"),
      row("Bo Sample<br>Chief Financial Officer", 2020, "200", "—", "7", "2", "209"),
    );
    const filing = read(`<p>${words}</p>${view}<p>Executive Compensation</p>${OURS}`);
    expect(summary(filing)).toEqual([ANN, BO]);
    expect(codes(filing)).toContain("table_left_out");
  },
);

test("a heading of another view inside the table ends it", () => {
  const view = `<tr><td colspan="7">Realized Pay</td></tr>${MORE.replace(/<\/?table>/g, "")}</table>`;
  const filing = read(TITLE + OURS.replace("</table>", view));
  expect(summary(filing)).toEqual([ANN, BO]);
  expect(codes(filing)).toContain("table_left_out");
});

test.each([
  "<p>47</p><hr><p><a href='#toc'>Table of Contents</a></p>",
  NOTE,
  "<table><tr><td>(1)</td><td>Amounts are the grant date fair value of awards.</td></tr></table>",
  "<p>Summary Compensation Table (continued)</p>",
  "<p>SUMMARY COMPENSATION TABLE FOR FISCAL YEAR 2020 (CONT’D)</p>",
  "<p>Former Named Executive Officers</p>",
  "<p>- 31 -</p><p>2021 Proxy Statement</p>",
])("a table with the same header across %p is its next page", (words) => {
  expect(summary(read(TITLE + OURS + words + MORE))).toEqual([ANN, BO, CY]);
});

test("a header of pages, the same all over the document, is no heading", () => {
  const head = "<div>Example Holdings Corporation</div>";
  expect(summary(read(head.repeat(6) + TITLE + OURS + head + MORE))).toEqual([ANN, BO, CY]);
});

test.each(["Director Compensation", "Executive Officers of Our Subsidiary"])(
  "a heading %p inside the table, above a header of its own, ends it",
  (words) => {
    const inside = OURS.replace(
      "</table>",
      `<tr><td colspan="7">${words}</td></tr>${THEIRS.slice("<table>".length)}`,
    );
    const filing = read(TITLE + inside);
    expect(summary(filing)).toEqual([ANN, BO]);
    expect(codes(filing)).toContain("table_left_out");
  },
);

test.each([
  "Executive Compensation",
  "A-12",
  "Page 47 of 90",
  "Named Executive Officers (continued)",
  "Continued on next page",
  "See accompanying notes to the table",
])("a page behind %p, which every page of the document may have, is read", (words) => {
  expect(summary(read(`${TITLE}${OURS}<p>${words}</p>${MORE}`))).toEqual([ANN, BO, CY]);
});

test("a table with people and a header of its own, right behind a table with both principal officers, is left out, and every row says so", () => {
  const filing = read(TITLE + OURS + THEIRS);
  expect(summary(filing)).toEqual([ANN, BO]);
  expect(filing.rows.every(({ problems }) => problems.some(({ code }) => code === "several_tables"))).toBe(
    true,
  );
});

test("nor are two such tables joined where the second one scores better", () => {
  const better = THEIRS.replaceAll("Bonus ($)", "Non-Equity Incentive Plan Compensation ($)");
  const first = OURS.replaceAll("Bonus ($)", "Non-Equity Incentive Plan Compensation ($)").replace(
    "101",
    "102",
  );
  const filing = read(first + better);
  expect(filing.rows.map((one) => one.executive_name)).toEqual(["Di Outside", "Ed Beyond"]);
  expect(filing.rows.every(({ problems }) => problems.some(({ code }) => code === "several_tables"))).toBe(
    true,
  );
});

test("a table between the title and the true one, nothing else between, puts every row in doubt", () => {
  const filing = read(TITLE + RENAMED + OURS);
  expect(filing.rows.every(({ problems }) => problems.some(({ code }) => code === "several_tables"))).toBe(
    true,
  );
});

test.each(["<hr>", '<p style="page-break-before:always"></p>'])(
  "with %p between, the mark of a page break, it is the next page",
  (mark) => {
    expect(summary(read(TITLE + OURS + mark + MORE))).toEqual([ANN, BO, CY]);
  },
);

test("nor is it left out where the table before it has no principal financial officer", () => {
  const first = page(row("Ann Example<br>Chief Executive Officer", 2020, "100", "—", "—", "1", "101"));
  expect(summary(read(TITLE + first + MORE))).toEqual([ANN, CY]);
});

test.each(["Interim Chief Executive Officer", "Co-Chief Executive Officer"])(
  "a second %s right behind the first one is another company's",
  (title) => {
    const officer = (name: string, salary: string): string =>
      page(row(`${name}<br>${title}`, 2020, salary, "—", "—", "—", salary));
    const filing = read(TITLE + officer("Ann Example", "100") + officer("Di Outside", "300"));
    expect(filing.rows.map((one) => one.executive_name)).toEqual(["Ann Example"]);
    expect(codes(filing)).toContain("several_tables");
  },
);

const INTRODUCTION =
  "<p>The following table shows what the named executive officers of Example Corp earned.</p>";
const RENAMED = OURS.replace("Ann Example", "Di Outside").replace("Bo Sample", "Ed Beyond");

test("of two tables alike, the one that a sentence introduces is read, and the other one is told", () => {
  const words = "<p>Other matters of the year.</p>";
  const filing = read(`<p>Example National Bank</p>${RENAMED}${words}${INTRODUCTION}${OURS}`);
  expect(summary(filing)).toEqual([ANN, BO]);
  expect(codes(filing).some((code) => code === "several_tables" || code === "table_left_out")).toBe(true);
});

test("a table with the same totals under other names is not the same table", () => {
  const filing = read(`${RENAMED}<p>${"Words of another part. ".repeat(1500)}</p>${OURS}`);
  expect(codes(filing)).toContain("several_tables");
});

test("a heading that the grid reads as part of the name's header still counts", () => {
  const header = row(`Compensation of Our Subsidiary ${HEAD[0] ?? ""}`, ...HEAD.slice(1));
  const other = MORE.replace(row(...HEAD), header);
  const filing = read(`${TITLE}${OURS}<p>47</p>${other}`);
  expect(summary(filing)).toEqual([ANN, BO]);
  expect(codes(filing)).toContain("table_left_out");
});

test("a page that repeats a person and year with other amounts is left out and told", () => {
  const again = page(row("Cy Third<br>General Counsel", 2020, "300", "—", "—", "9", "309"));
  const filing = read(`${TITLE}${MORE}<hr>${again}`);
  expect(summary(filing)).toEqual([CY]);
  expect(codes(filing)).toContain("table_left_out");
});

test("a table before, under the heading of another view, is no page even with other people", () => {
  const filing = read(`<p>Realized Pay</p>${MORE}<hr>${OURS}`);
  expect(summary(filing)).toEqual([ANN, BO]);
});

test("a heading inside the other table that nothing else speaks against leaves it out", () => {
  const other = MORE.replace("<tr>", '<tr><td colspan="7">Example Brands LLC</td></tr><tr>');
  const filing = read(`${TITLE}${OURS}<hr>${other}`);
  expect(summary(filing)).toEqual([ANN, BO]);
  expect(codes(filing)).toContain("table_left_out");
});

test("a foreign table between two pages of the true one is not taken for the first page", () => {
  const consultants = "<p>The persons below are not executive officers of the Company.</p>";
  const others = RENAMED.replace("Chief Financial Officer", "Consultant");
  const filing = read(
    `${INTRODUCTION}${OURS}<p>47</p><hr>${consultants}${others}<p>48</p><hr><p>Summary Compensation Table (continued)</p>${MORE}`,
  );
  const names = filing.rows.map((one) => one.executive_name);
  expect(names).not.toContain("Di Outside");
  expect(codes(filing).some((code) => code === "several_tables" || code === "table_left_out")).toBe(true);
});

test("where two tables of officers could be the first page of a second one, the filing is refused", () => {
  const filing = read(
    `${INTRODUCTION}${OURS}<p>47</p><hr><p>Example National Bank</p>${RENAMED}<p>48</p><hr><p>Summary Compensation Table (continued)</p>${MORE}`,
  );
  expect(filing.reason).toBe("ambiguous");
});

test("the title of the table of an earlier proxy statement is no running head", () => {
  const year = (one: number): string =>
    page(row("Ann Example<br>CEO and CFO", one, "9,000", "—", "—", "1,000", "10,000"));
  const words = "<p>Summary Compensation Table as Reported in Our 2020 Proxy Statement</p>";
  const filing = read(`${TITLE}${year(2020)}${words}${year(2019)}`);
  expect(filing.rows.map((one) => one.fiscal_year)).toEqual([2020]);
  expect(codes(filing)).toContain("table_left_out");
});

const FURTHER = page(row("Fay Next<br>Treasurer", 2020, "70", "—", "40", "—", "110"));

test.each([
  ["with principal officers of its own", "Example National Bank", RENAMED],
  ["of other people", "Compensation of Consultants", THEIRS],
])("the second page of a table between, %s, is not taken for a page of the true one", (_, words, others) => {
  const filing = read(
    `${INTRODUCTION}${OURS}<p>47</p><hr><p>${words}</p>${others}${FURTHER}<p>48</p><hr><p>Summary Compensation Table (continued)</p>${MORE}`,
  );
  expect(filing.rows.map((one) => one.executive_name)).not.toContain("Fay Next");
  expect(filing.reason === "ambiguous" || codes(filing).includes("table_left_out")).toBe(true);
});

test("rows of a next page that cannot be tied to the columns are told", () => {
  const more = `<table>${row("Cy Third", 2020, "300", "7", "7", "7", "7", "7", "3", "303")}</table>`;
  const filing = read(`${TITLE}${OURS}<hr>${more}`);
  expect(summary(filing)).toEqual([ANN, BO]);
  expect(codes(filing)).toContain("continuation_unread");
});

const FEWER = MORE.replace("<td>Stock Awards ($)</td>", "").replaceAll("<td>—</td><td>3</td>", "<td>3</td>");

test("a page that leaves out the columns that are empty on it is read", () => {
  const filing = read(`${TITLE}${OURS}<p>47</p><hr><p>Summary Compensation Table (continued)</p>${FEWER}`);
  expect(summary(filing)).toEqual([ANN, BO, CY]);
});

test("a page with other columns than the table is left out and told", () => {
  const others = MORE.replace("Stock Awards ($)", "Option Awards ($)");
  for (const page of [others, FEWER.replace("303", "304")]) {
    const filing = read(`${TITLE}${OURS}<p>47</p><hr>${page}`);
    expect(summary(filing)).toEqual([ANN, BO]);
    expect(codes(filing)).toContain("table_left_out");
  }
});

test("a next page with nobody but a person whose years are blank is told", () => {
  const ann = row("Ann Example<br>CEO", 2020, "100", "—", "—", "1", "101");
  const page = (...rows: string[]): string => `<table>${row(...HEAD)}${rows.join("")}</table>`;
  const blank = row("Bo Sample<br>CFO", 2020, "", "", "", "", "");
  const body = (next: string): string =>
    `<p>Summary Compensation Table</p>${page(ann)}<p>12</p><hr>${page(next)}`;
  expect(codes(read(body(blank)))).toEqual(["continuation_unread"]);
  expect(codes(read(body(row("Bo Sample", "of the board", "", "", "", "", ""))))).toEqual([]);
});

test.each([
  ["fewer cells", row("Bo Sample<br>CFO", 2020)],
  ["the name over the year", row("Bo Sample, CFO") + row("", 2020)],
  ["the title in a cell of its own", row("Bo Sample", "CFO", 2020)],
  ["the title beside the name, as wide as the table", row("Bo Sample", "CFO", 2020, "", "", "", "")],
])("such a page is told whatever its markup: %s", (_, blank) => {
  const filing = read(
    `${TITLE}<table>${row(...HEAD)}${row("Ann Example<br>CEO", 2020, "100", "—", "—", "1", "101")}</table><p>31</p><table>${blank}</table>`,
  );
  expect(summary(filing)).toEqual(["Ann Example|CEO|2020|100|1|0|101|PEO"]);
  expect(codes(filing)).toEqual(["continuation_unread"]);
});

test("a page without headers under words that are not known is left out, and that is told", () => {
  const lines = [2020, 2019].map((year) => row("Cy Third", year, "300", "—", "—", "3", "303")).join("");
  const filing = read(`${TITLE}${OURS}<p><b>Cy Third</b></p><table>${lines}</table>`);
  expect(summary(filing)).toEqual([ANN, BO]);
  expect(codes(filing)).toContain("table_left_out");
});

test("below a first page whose total has no header, the second page alone is not the table", () => {
  const nameless = OURS.replace("<td>Total ($)</td>", "<td></td>");
  const filing = read(`${TITLE}${nameless}<p>47</p><hr>${MORE}`);
  expect({ reason: filing.reason, rows: filing.rows }).toEqual({ reason: "no_table", rows: [] });
});

test("a table of a page for each row is read whole, page numbers in tables of their own between them", () => {
  const names = ["Ann", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal"].map((name) => `${name} Example`);
  const pages = names.map((name) =>
    page(row(`${name}<br>Vice President`, 2020, "100", "—", "—", "1", "101")),
  );
  const filing = read(TITLE + pages.join("<table><tr><td>45</td></tr></table><hr>"));
  expect(filing.rows.map((one) => one.executive_name)).toEqual(names);
});

test("pages before the one that scores best keep their order", () => {
  const off = (name: string, salary: string) => page(row(name, 2020, salary, "—", "—", "1", "9,999"));
  const filing = read(
    `${TITLE}${off("Ann Example<br>Chief Executive Officer", "100")}<hr>${TITLE}${off("Bo Sample<br>Chief Financial Officer", "200")}<hr>${TITLE}${MORE}`,
  );
  expect(filing.rows.map(({ executive_name }) => executive_name)).toEqual([
    "Ann Example",
    "Bo Sample",
    "Cy Third",
  ]);
});
