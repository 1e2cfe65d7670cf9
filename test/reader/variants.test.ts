/** Ways of printing the table that real filers use, each as small as it gets. */
import { expect, test } from "bun:test";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { codes, HEAD, read, row, summary, table } from "../support/small-table.ts";

test("a title of words that no list has is cut at the comma, and a suffix before a comma stays with the name", () => {
  const filing = read(
    table(
      row(...HEAD),
      row("Ann Example, Jr., President and Chief Executive Officer", 2020, "100", "—", "—", "1", "101"),
      row("Bo Sample, Ph.D., Chief Scientific Officer", 2020, "200", "—", "—", "2", "202"),
      row("Cy Test, CPA — Sr. Exec. Vice Pres. &amp; CFO", 2020, "300", "—", "—", "3", "303"),
    ),
  );
  expect(summary(filing)).toEqual([
    "Ann Example, Jr.|President and Chief Executive Officer|2020|100|1|0|101|PEO",
    "Bo Sample|Chief Scientific Officer|2020|200|2|0|202|",
    "Cy Test|Sr. Exec. Vice Pres. & CFO|2020|300|3|0|303|PFO",
  ]);
});

test("the head of a division that bears the company's name is not the company's", () => {
  const filing = parseFiling(
    new TextEncoder().encode(
      table(
        row(...HEAD),
        row("Ann Example<br>Chief Executive Officer of Acme Corporation", 2020, "100", "—", "—", "1", "101"),
        row("Bo Sample<br>President and CEO, Acme International", 2020, "200", "—", "—", "2", "202"),
      ),
    ),
    { form: "DEF 14A", companyName: "Acme Corp" },
  );
  expect(summary(filing).map((line) => line.slice(-4))).toEqual(["|PEO", "202|"]);
});

test("a table of directors' fees is none, even with years and totals", () => {
  const filing = read(
    `<p>Director Compensation</p><table>${row("Name", "Year", "Fees Earned or Paid in Cash ($)", "Stock Awards ($)", "All Other Compensation ($)", "Total ($)")}${row("Ann Example", 2020, "10,000", "5,000", "—", "15,000")}</table>`,
  );
  expect({ status: filing.status, rows: filing.rows.length }).toEqual({ status: "refused", rows: 0 });
});

test("a supplemental table of the same people and years never stands in for the real one", () => {
  const look = `<p>Supplemental Table of Realized Pay (not a substitute for the Summary Compensation Table)</p><table>${row("Name", "Year", "Salary ($)", "Bonus ($)", "Value Realized on Vesting ($)", "Total Realized ($)")}${row("Ann Example", 2020, "100", "7", "900", "1,007")}</table>`;
  const filing = read(
    look + table(row(...HEAD), row("Ann Example<br>CEO", 2020, "100", "7", "50", "3", "160")) + look,
  );
  expect(summary(filing)).toEqual(["Ann Example|CEO|2020|100|3|0|160|PEO"]);
});

test("a footnote digit without markup is taken off only where the total confirms it", () => {
  const right = read(
    table(row(...HEAD), row("Ann Example<br>CEO", 2020, "100,0002", "—", "—", "1,000", "101,000")),
  );
  expect(summary(right)).toEqual(["Ann Example|CEO|2020|100000|1000|0|101000|PEO"]);
  expect(codes(right)).toContain("cell_irregular");
  const open = read(
    table(row(...HEAD), row("Ann Example<br>CEO", 2020, "100,0002", "—", "—", "1,000", "500,000")),
  );
  expect(codes(open)).toContain("sum_mismatch");
});

test("`(6)` is a mark or a negative amount, as the total says", () => {
  const filing = read(
    table(
      row(...HEAD),
      row("Ann Example<br>CEO", 2020, "100", "(6)", "50", "3", "153"),
      row("", 2019, "100", "(6)", "50", "3", "147"),
    ),
  );
  expect(filing.rows.map((one) => one.amounts.bonus / 100)).toEqual([0, -6]);
  expect(codes(filing)).toEqual([]);
});

test("what stands in no known column goes to unknown_component with its reason, and the row still adds up", () => {
  const filing = read(
    table(
      row(
        "Name and Principal Position",
        "Year",
        "Salary ($)",
        "Housing Grant ($)",
        "All Other Compensation ($)",
        "Total ($)",
      ),
      row("Ann Example<br>CEO", 2020, "100", "40", "3", "143"),
    ),
  );
  expect(summary(filing)).toEqual(["Ann Example|CEO|2020|100|3|40|143|PEO"]);
  expect(filing.rows[0]?.unknownReason).toBe("column_unknown");
  expect(codes(filing)).toContain("column_unknown");
});

test("amounts that look like years are amounts", () => {
  const filing = read(
    table(
      row(...HEAD),
      row("Ann Example<br>CEO", 2020, "2000", "—", "—", "2001", "4001"),
      row("", 2019, "$2019", "—", "—", "—", "$2019"),
    ),
  );
  expect(summary(filing)).toEqual([
    "Ann Example|CEO|2020|2000|2001|0|4001|PEO",
    "Ann Example|CEO|2019|2019|0|0|2019|PEO",
  ]);
});

test("no total is made up where none is printed", () => {
  const filing = read(
    table(
      row(...HEAD),
      row("Ann Example<br>CEO", 2020, "100", "—", "—", "3", "103"),
      row("", 2019, "90", "—", "—", "3", ""),
    ),
  );
  expect(summary(filing)).toEqual(["Ann Example|CEO|2020|100|3|0|103|PEO"]);
  expect(codes(filing)).toContain("total_missing");
});

test("group headings alone do not make a table old; shares in place of values do", () => {
  const groups = `<tr><td></td><td></td><td colspan="2">Annual Compensation</td><td>Long-Term Compensation</td><td></td><td></td></tr>`;
  const filing = read(
    table(groups, row(...HEAD), row("Ann Example<br>CEO", 2009, "100", "7", "50", "3", "160")),
  );
  expect(summary(filing)).toEqual(["Ann Example|CEO|2009|100|3|0|160|PEO"]);
  const old = read(
    table(
      groups,
      row(
        "Name",
        "Year",
        "Salary",
        "Bonus",
        "Securities Underlying Options (#)",
        "All Other Compensation",
        "Total",
      ),
      row("Ann Example", 2004, "100", "7", "5,000", "3", "110"),
    ),
  );
  expect(old).toMatchObject({ status: "refused", reason: "old_layout" });
});

test("one person's office ends and another's begins inside a year: both held it", () => {
  const filing = read(
    table(
      row(...HEAD),
      row("Ann Example<br>Chief Financial Officer", 2020, "100", "—", "—", "1", "101"),
      row("", 2019, "90", "—", "—", "1", "91"),
      row("Bo Sample<br>Senior Vice President", 2020, "200", "—", "—", "2", "202"),
      row("", 2019, "190", "—", "—", "2", "192"),
      row("Cy Test<br>Chief Executive Officer", 2020, "300", "—", "—", "3", "303"),
    ) +
      "<p>Ms. Example was appointed Chief Financial Officer effective June 1, 2020. Mr. Sample served as our Chief Financial Officer until May 31, 2020.</p>",
  );
  expect(
    filing.rows
      .filter((one) => one.is_pfo)
      .map((one) => `${one.executive_id} ${one.fiscal_year} ${one.pfoEvidence.kind}`),
  ).toEqual(["ann-example 2020 dated", "bo-sample 2020 dated", "bo-sample 2019 dated"]);
});

test("hidden text, struck text and white padding are not read", () => {
  const filing = read(
    `<div hidden>${table(row(...HEAD), row("Hidden Man<br>CEO", 2020, "8", "—", "—", "1", "9"))}</div>` +
      `<template>${table(row(...HEAD), row("Hidden Man<br>CEO", 2020, "7", "—", "—", "1", "8"))}</template>` +
      `<div style="display:none">${table(row(...HEAD), row("Hidden Person<br>CEO", 2020, "9", "—", "—", "1", "10"))}</div>` +
      table(
        row(...HEAD),
        row(
          "Ann Example<br>CEO",
          2020,
          `100<span style="display:none">999</span>`,
          "—",
          "<s>50</s>—",
          `<span style="color:#ffffff">0</span>3`,
          "103",
        ),
      ),
  );
  expect(summary(filing)).toEqual(["Ann Example|CEO|2020|100|3|0|103|PEO"]);
});

test("the same bytes give the same reading, and nothing is ever thrown", () => {
  const odd = [
    "",
    "\u0000\u0001\u0002".repeat(100),
    "<table>".repeat(3000),
    "<pre>Salary Total 2020 ".repeat(50),
    table(row(...HEAD)),
    "&#x110000;&#0;&bogus;".repeat(100),
  ];
  for (const text of odd) {
    const bytes = new TextEncoder().encode(text);
    expect(parseFiling(bytes)).toEqual(parseFiling(bytes));
    expect(parseFiling(bytes).status).toBe("refused");
    expect(parseFiling(bytes).reason).not.toBe("internal");
  }
});

test.each([
  ["DEF 14A", "DEF 14A", 1],
  // An exhibit may hold a target's table, or a predecessor's.
  ["8-K", "EX-99.1", 0],
  ["20-F", "20-F", 0],
  ["N-CSR", "N-CSR", 0],
])(
  "of a submission the first document with the table is read: behind %s, %s %d rows",
  (first, second, rows) => {
    const pay = table(row(...HEAD), row("Ann Example<br>CEO", 2020, "100", "—", "—", "1", "101"));
    const document = (type: string, body: string): string =>
      `<DOCUMENT>\n<TYPE>${type}\n<TEXT>\n<html><body>${body}</body></html>\n</TEXT>\n</DOCUMENT>\n`;
    const submission =
      document(first, "<p>Annual report</p>") + document(second, pay) + document(second, "<p>Other</p>");
    expect(parseFiling(new TextEncoder().encode(submission)).rows.length).toBe(rows);
  },
);
