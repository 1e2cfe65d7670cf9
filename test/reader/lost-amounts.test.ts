/** Ways of printing amounts, names and years that once lost a row, an amount or a name. */
import { describe, expect, test } from "bun:test";
import { codes, HEAD, read, row, rowCodes, summary, table } from "../support/small-table.ts";

describe("footnote markers that are joined", () => {
  test.each([
    "(3),(4)",
    "(3)-(5)",
    "(3)–(5)",
    "(3) (4)",
    "(3), (4) and (5)",
    "(3)&amp;(4)",
    "(a), (b)",
    "(a)(b),(c)",
    "[3],[4]",
    "<sup>3</sup>,<sup>4</sup>",
    "<sup>(3)-(5)</sup>",
    "<sup>3,4</sup>",
    "*,†",
    "(3),",
  ])("%s are no part of an amount", (markers) => {
    const ann = [
      "Ann Example<br>Chief Executive Officer",
      2024,
      `100,000${markers}`,
      `—${markers}`,
      "50,000",
      "1,000",
      `151,000${markers}`,
    ];
    const filing = read(table(row(...HEAD), row(...ann)));
    expect(summary(filing)).toEqual(["Ann Example|Chief Executive Officer|2024|100000|1000|0|151000|PEO"]);
    expect(rowCodes(filing)).toEqual([[]]);
  });

  test("in cells of their own", () => {
    const ann = ["Ann Example<br>CEO", 2024, "100,000", "(3),(4)", "50,000", "(3)-(5)", "150,000", ""];
    const head = ["Name and Principal Position", "Year"].map((one) => `<td>${one}</td>`).join("");
    const spanned = ["Salary ($)", "Stock Awards ($)", "Total ($)"]
      .map((one) => `<td colspan="2">${one}</td>`)
      .join("");
    expect(summary(read(table(`<tr>${head}${spanned}</tr>`, row(...ann))))).toEqual([
      "Ann Example|CEO|2024|100000|0|0|150000|PEO",
    ]);
  });
});

describe("a former name", () => {
  test.each([
    "Karen Lind (f/k/a Karen Brody)(6)<br>Chief Financial Officer",
    "Karen Lind (formerly Brody)<br>Chief Financial Officer",
    "Karen Lind (formerly known as Karen Brody), Chief Financial Officer",
    "Karen Lind<br>(f/k/a Karen Brody)<br>Chief Financial Officer",
    "Karen Lind (née Brody)<br>Chief Financial Officer",
    "Karen Lind (fka Karen M. Brody)<br>Chief Financial Officer",
    "Karen Lind, f/k/a Karen Brody<br>Chief Financial Officer",
    "Karen Lind (previously Karen Brody)<br>Chief Financial Officer",
    "Karen Lind (a/k/a Karen Brody)<br>Chief Financial Officer",
    "Karen Lind [formerly Karen Brody]<br>Chief Financial Officer",
  ])("%s leaves name and title whole", (cell) => {
    const filing = read(
      table(
        row(...HEAD),
        row("Ann Example<br>Chief Executive Officer", 2024, "200", "—", "—", "1", "201"),
        row(cell, 2024, "100", "—", "—", "1", "101"),
        row("", 2023, "90", "—", "—", "1", "91"),
      ),
    );
    expect(summary(filing).slice(1)).toEqual([
      "Karen Lind|Chief Financial Officer|2024|100|1|0|101|PFO",
      "Karen Lind|Chief Financial Officer|2023|90|1|0|91|PFO",
    ]);
  });

  test("a former office is a title", () => {
    const filing = read(
      table(
        row(...HEAD),
        row("Karen Lind (formerly Chief Financial Officer)", 2024, "100", "—", "—", "1", "101"),
      ),
    );
    expect(filing.rows[0]?.executive_role).toContain("Chief Financial Officer");
  });
});

describe("one table a year", () => {
  const UNDATED = HEAD.filter((header) => header !== "Year");
  const year = (ann: string, bo: string) =>
    `<table>${row(...UNDATED)}${row("Ann Example<br>Chief Executive Officer", ann, "—", "—", "1", `${Number(ann) + 1}`)}${row("Bo Sample<br>Chief Financial Officer", bo, "—", "—", "2", `${Number(bo) + 2}`)}</table>`;
  test.each([
    ["<h4>Fiscal 2024</h4>", "<h4>Fiscal 2023</h4>"],
    ["<p>2024</p>", "<p>Fiscal 2023</p>"],
    ["<p>Year ended December 31, 2024</p>", "<p>Year ended December 31, 2023</p>"],
    ["<p>Fiscal Year 2024</p>", "<p>Fiscal Year 2023</p>"],
    ["<p>FY2024</p>", "<p>FY2023</p><p>($)</p>"],
  ])("under %s and %s", (newer, older) => {
    const filing = read(
      `<p>Summary Compensation Table</p>${newer}${year("100", "90")}${older}${year("80", "70")}`,
    );
    expect(summary(filing)).toEqual([
      "Ann Example|Chief Executive Officer|2024|100|1|0|101|PEO",
      "Ann Example|Chief Executive Officer|2023|80|1|0|81|PEO",
      "Bo Sample|Chief Financial Officer|2024|90|2|0|92|PFO",
      "Bo Sample|Chief Financial Officer|2023|70|2|0|72|PFO",
    ]);
  });

  test("a table below another heading is none of them", () => {
    const filing = read(
      `<p>Summary Compensation Table</p><p>Fiscal 2024</p>${year("100", "90")}<p>Target Pay</p><p>Fiscal 2025</p>${year("80", "70")}`,
    );
    expect([...new Set(filing.rows.map((one) => one.fiscal_year))]).toEqual([2024]);
  });
});

describe("a column beside all other compensation", () => {
  const filed = (header: string, amount: string, total: string) => {
    const head = [...HEAD.slice(0, 6), header, "Total ($)"];
    return read(table(row(...head), row("Ann Example<br>CEO", 2024, "100", "—", "50", "1", amount, total)));
  };
  test.each([
    "401(k) Match ($)",
    "Perquisites ($)",
    "Health Insurance ($)",
    "Car Allowance ($)",
    "Relocation ($)",
    "Tax Gross-Ups ($)",
  ])("%s is part of it where the total includes both", (header) => {
    const filing = filed(header, "7", "158");
    expect(summary(filing)).toEqual(["Ann Example|CEO|2024|100|8|0|158|PEO"]);
    expect(rowCodes(filing)).toEqual([[]]);
  });
  test("it is not where the total does not include it, or its header names another component", () => {
    expect(summary(filed("401(k) Match ($)", "7", "151"))).toEqual(["Ann Example|CEO|2024|100|1|0|151|PEO"]);
    expect(summary(filed("Restricted Cash Bonus Awards Paid ($)", "7", "158"))[0]).not.toContain("|8|0|");
  });
});

describe("labels of years", () => {
  const labelled = (label: string) =>
    read(
      table(
        row(...HEAD),
        row("Ann Example<br>CEO", label, "100", "—", "—", "1", "101"),
        row("", 2023, "90", "—", "—", "1", "91"),
      ),
    );
  test("2024E is read and told, 2024A is 2024", () => {
    const estimated = labelled("2024E");
    expect(estimated.rows.map((one) => one.fiscal_year)).toEqual([2024, 2023]);
    expect(rowCodes(estimated)).toEqual([["year_unclear"], []]);
    expect(rowCodes(labelled("2024A"))).toEqual([[], []]);
  });

  test.each(["2023 (As Previously Reported)", "2023 (as originally reported)", "2023 as previously filed"])(
    "%s gives way to the year beside it, and misses no name",
    (label) => {
      for (const lines of [
        [row("", "2023 (As Restated)", "90", "—", "—", "1", "91"), row("", label, "80", "—", "—", "1", "81")],
        [row("", label, "80", "—", "—", "1", "81"), row("", "2023", "90", "—", "—", "1", "91")],
      ]) {
        const filing = read(
          table(row(...HEAD), row("Ann Example<br>CEO", 2024, "100", "—", "—", "1", "101"), ...lines),
        );
        expect(summary(filing).map((line) => line.split("|").slice(2, 4))).toEqual([
          ["2024", "100"],
          ["2023", "90"],
        ]);
        expect(codes(filing)).not.toContain("name_missing");
        expect(rowCodes(filing)).toEqual([[], ["duplicate_row"]]);
      }
    },
  );
});

test("headers made of nested tables", () => {
  const nested = (header: string) =>
    `<table>${header
      .split(" (")
      .map((part) => row(part))
      .join("")}</table>`;
  const filing = read(
    `<p>Summary Compensation Table</p><table><tr>${HEAD.map((header) => `<td>${nested(header)}</td>`).join("")}</tr>${row("Ann Example<br>CEO", 2024, "100", "—", "50", "1", "151")}</table>`,
  );
  expect(summary(filing)).toEqual(["Ann Example|CEO|2024|100|1|0|151|PEO"]);
});
