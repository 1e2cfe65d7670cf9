import { expect, test } from "bun:test";
import { read, row } from "../../support/small-table.ts";

const FILLER =
  "Words that make a table long enough to be looked at, as every table of a proxy statement is. ".repeat(2);

test("a refusal counts the tables that speak of pay, whether or not their rows could be read", () => {
  const pay = `<table>${row("Name", "Salary ($)", "Bonus ($)", "Total ($)")}${row("Ann Example", FILLER, "5", "6")}</table>`;
  const other = `<table>${row("Item", FILLER)}</table>`;
  expect(read(`<p>Pay</p>${pay}<p>More</p>${other}`)).toMatchObject({
    reason: "no_table",
    reasonDetail: "2 tables, 1 with column headers of pay, none that is the Summary Compensation Table",
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
