import { csvLines, csvRow } from "../../src/lib/csv.ts";
import { describe, expect, test } from "bun:test";
import { companyLines, type RowsToShow } from "../../src/cli/questions/rows.ts";
import { formatAmountCell } from "../../src/domain/amount.ts";
import type { ExecutiveCompensation } from "../../src/domain/row-fields.ts";

const cook: ExecutiveCompensation = {
  ticker: "AAPL",
  cik: "0000320193",
  company_name: "Apple Inc.",
  fiscal_year: 2025,
  reported_year: 2025,
  period: "annual",
  executive_id: "tim-cook",
  executive_name: "Tim Cook",
  executive_role: "Chief Executive Officer",
  is_peo: true,
  is_pfo: false,
  reporting_currency: "USD",
  salary: 3_000_000,
  bonus: 0,
  stock_awards: 57_535_293,
  option_awards: 0,
  non_equity_incentive: 12_000_000,
  pension_change: 0,
  other_comp: 1_759_518,
  unknown_component: 0,
  total_compensation: 74_294_811,
  source: {
    form: "DEF 14A",
    accession: "0001308179-26-000008",
    filing_date: "2026-01-08",
    filing_url: "https://www.sec.gov/x.htm",
  },
};
const parekh: ExecutiveCompensation = {
  ...cook,
  fiscal_year: 2022,
  executive_name: 'Kevan "K|P" Parekh, Jr',
  executive_role: null,
  is_peo: false,
  is_pfo: true,
  salary: 2_000_000,
  stock_awards: 47_535_293,
  non_equity_incentive: 11_000_000,
  pension_change: -1200.5,
  other_comp: 759_518,
};
const shown = { rows: [cook, parekh], incompleteYears: [2022], remarks: () => [] };

test.each([
  [74_294_811, "74,294,811"],
  [0, "–"],
  [-1200, "(1,200)"],
  [999, "999"],
  [0.5, "0.50"],
  [1234.56, "1,234.56"],
])("%p is printed as %s", (amount, text) => {
  expect(formatAmountCell(amount)).toBe(text);
});

function formatRows(format: "table" | "md" | "csv", rows: RowsToShow, width: number | null = null): string {
  const { texts, csv } = companyLines(rows);
  return format === "csv" ? csvLines(csv()).join("\n") : texts[format](width, null);
}

describe("a table", () => {
  const table = formatRows("table", shown);
  const lines = table.split("\n");

  test("names company, symbol, CIK and currency once, at the top", () => {
    expect(lines[0]).toBe("Apple Inc. (AAPL), CIK 0000320193, amounts in USD");
    expect(table.match(/Apple Inc\./g)).toBeArrayOfSize(1);
  });

  test("right-aligns amounts below their headings, with an en dash for nil", () => {
    const heading = lines.find((line) => line.startsWith("FY2025")) ?? "";
    const row = lines.find((line) => line.startsWith("Tim Cook, CEO")) ?? "";
    expect(row).toMatch(/3,000,000 +– +57,535,293 +– +12,000,000 +– +1,759,518 +74,294,811$/);
    expect(row.length).toBe(heading.length);
    for (const [title, amount] of [
      ["Salary", "3,000,000"],
      ["Stock", "57,535,293"],
      ["Other", "1,759,518"],
    ] as const) {
      expect(row.indexOf(amount) + amount.length).toBe(heading.indexOf(title) + title.length);
    }
  });

  test("fits a narrow terminal: the least important amounts are omitted and named, never the total", () => {
    for (const width of [50, 60, 80, 100]) {
      const narrow = formatRows("table", shown, width).split("\n");
      const own = narrow.filter((line) => !/^(?: {2}https|†|\(no room)/.test(line));
      for (const line of own.slice(1))
        expect([width, line.length <= width, line]).toEqual([width, true, line]);
      expect(narrow.join("\n")).toContain("74,294,811");
    }
    expect(formatRows("table", shown, 80)).toContain("\n\n(no room for Bonus, Options, Pension, Other)\n");
    // Columns without any value are dropped first.
    expect(formatRows("table", shown, 98)).toContain("(no room for Bonus, Options)");
    expect(formatRows("table", shown, 400)).toBe(table);
  });

  test("shows the id that other commands require, and the position as printed if there is one", () => {
    expect(table).toContain("\n  tim-cook · Chief Executive Officer\n");
    expect(table).toContain("\n  tim-cook\n");
    expect(table).not.toContain("null");
  });

  test("gives each year's filing with its link", () => {
    expect(table).toContain("DEF 14A filed 2026-01-08, 0001308179-26-000008\n  https://www.sec.gov/x.htm");
  });

  test("marks only the incomplete year, and explains the mark", () => {
    expect(table).toMatch(/^FY2022 † /m);
    expect(table).toMatch(/^FY2025 {2}/m);
    expect(table).toMatch(/\n† partial: /);
    expect(formatRows("table", { rows: [cook], incompleteYears: [], remarks: () => [] })).not.toContain("†");
  });

  test("names the currency of each year where they differ", () => {
    const euros = { ...shown, rows: [cook, { ...parekh, reporting_currency: "EUR" }] };
    expect(formatRows("table", euros)).toMatch(
      /amounts in USD and EUR\n[^]*^FY2025 USD {2}[^]*^FY2022 EUR † /m,
    );
    expect(formatRows("md", euros)).toMatch(/^### FY2025 USD\n[^]*^### FY2022 EUR \(/m);
  });

  test("has a column for unreconciled amounts only if there are any", () => {
    expect(table).not.toContain("Difference");
    const odd = { rows: [{ ...cook, unknown_component: -5 }], incompleteYears: [], remarks: () => [] };
    expect(formatRows("table", odd)).toMatch(/Difference[^]*\(5\)/);
  });
});

test("CSV has one line per row with every field, quoted if necessary, and says which years are complete", () => {
  const [head = "", first = "", second = "", ...more] = formatRows("csv", {
    ...shown,
    remarks: ({ executive_id: id, fiscal_year: year }) =>
      id === cook.executive_id && year === cook.fiscal_year
        ? [
            { code: "rounding", message: "Off by one." },
            { code: "restated", message: "Was more." },
          ]
        : [],
  }).split("\n");
  expect(more).toEqual([]);
  expect(head.split(",").slice(0, 4)).toEqual(["ticker", "cik", "company_name", "fiscal_year"]);
  expect(head.split(",")).toBeArrayOfSize(21 + 4 + 2);
  expect(first).toEndWith(
    ',74294811,"DEF 14A","0001308179-26-000008","2026-01-08","https://www.sec.gov/x.htm",true,"restated rounding"',
  );
  expect(second).toContain(',"Kevan ""K|P"" Parekh, Jr",,false,true,');
  expect(second).toEndWith(",false,");
});

test("a CSV cell that a spreadsheet would run as a formula is text, both in show and in data export", () => {
  for (const name of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]) {
    const csv = formatRows("csv", {
      rows: [{ ...cook, executive_name: name }],
      incompleteYears: [],
      remarks: () => [],
    });
    expect(csv).toContain(`'${name}`);
    expect(csvRow([name])).toBe(`"'${name}"`);
  }
  // A spreadsheet that separates columns by semicolons would begin a cell inside an unquoted text.
  expect(csvRow(["CEO;=HYPERLINK(1)", 'a"b'])).toBe('"CEO;=HYPERLINK(1)","a""b"');
  // An amount is a number and stays one.
  expect(
    csvLines([
      ["name", "a b"],
      [-5, null],
      [true, ""],
    ]),
  ).toEqual(['name,"a b"', "-5,", "true,"]);
});

test("Markdown is one table per year with its filing linked and bars inside cells escaped", () => {
  const text = formatRows("md", shown);
  expect(text).toContain("## Apple Inc. (AAPL)");
  expect(text).toContain("### FY2022 (partial:");
  expect(text).toContain("| Tim Cook | Chief Executive Officer | CEO | 3,000,000 | – |");
  expect(text).toContain('K\\|P" Parekh');
  expect(text).toContain("[DEF 14A filed 2026-01-08, 0001308179-26-000008](https://www.sec.gov/x.htm)");
});

test("no rows give a message, never an empty table", () => {
  expect(formatRows("table", { rows: [], incompleteYears: [], remarks: () => [] })).toBe("No rows.");
});
