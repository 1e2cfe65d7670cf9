import { expect, test } from "bun:test";
import { read, row } from "../../../support/small-table.ts";

const FILLER =
  "Words that make a table long enough to be looked at, as every table of a proxy statement is. ".repeat(2);

test("a refusal counts the tables that speak of pay, whether or not their rows could be read", () => {
  const pay = `<table>${row("Name", "Salary ($)", "Bonus ($)", "Total ($)")}${row("Ann Example", FILLER, "5", "6")}</table>`;
  const other = `<table>${row("Item", FILLER)}</table>`;
  expect(read(`<p>Pay</p>${pay}<p>More</p>${other}`)).toMatchObject({
    reason: "no_table",
    reasonDetail: "2 tables, 1 with pay headers, none of them the Summary Compensation Table",
  });
});

test("the Canadian table is refused as that", () => {
  const headers = [
    "Name",
    "Year",
    "Salary ($)",
    "Share-based awards ($)",
    "Option-based awards ($)",
    "Total ($)",
  ];
  const line = ["Ann Example, CEO", "2020", "100", "10", "500", "610"];
  const html = `<p>Summary Compensation Table</p><table>${row(...headers)}${row(...line)}</table>`;
  expect(read(html).reason).toBe("foreign_layout");
});

test("the old table is told by its headers, however much markup each cell has (0001410578-22-000504)", () => {
  const style = `font-family:'Times New Roman';${"margin:0pt;padding:0pt;".repeat(20)}`;
  const cells = (...texts: string[]): string =>
    row(...texts.map((text) => `<p style="${style}">${text}</p>`));
  const html = `<p>SUMMARY COMPENSATION TABLE</p><table>${cells("", "", "", "", "Long Term Compensation", "")}
    ${cells("Name and Principal", "", "Annual Compensation", "", "Awards", "All Other Compensation")}
    ${cells("Occupation", "Year", "Salary ($)", "Bonus ($)", "Options (#)", "($)")}
    ${cells("Ann Example, President", "2021", "$ -0-", "$ -0-", "-0-", "$ -0-")}</table>`;
  expect(read(html, "10-K").reason).toBe("old_layout");
});

test.each([
  ["Name and Position", "Annual Compensation", "Long-Term Compensation"],
  ["Name and Principal Occupation", "Annual Compensation", ""],
  ["Name and Principal Position", "Salaries", "Securities Underlying Options"],
])("the table before December 2006 is refused as that: %s, %s, %s", (name, pay, awards) => {
  const headers =
    row("", "", `<b>${pay}</b>`, "", awards) + row(name, "Year", "Salary ($)", "Bonus ($)", "Options (#)");
  const html = `<p>Summary Compensation Table</p><table>${headers}${row("Ann Example, CEO", 2020, "100", "5", "7")}</table>`;
  expect(read(html).reason).toBe("old_layout");
});
