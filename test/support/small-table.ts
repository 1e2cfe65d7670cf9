/** Documents with one small Summary Compensation Table, and the result of parsing them, one line per row. */
import type { ParsedFiling } from "../../src/reader/parsed-filing.ts";
import { parseFiling } from "../../src/reader/pipeline.ts";

/** Parses a document with this body. */
export const read = (body: string, form = "DEF 14A"): ParsedFiling =>
  parseFiling(new TextEncoder().encode(`<html><body>${body}</body></html>`), { form });

/** A table row with these cells. */
export const row = (...cells: (string | number)[]): string =>
  `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;

/** Headers of a table under scaled disclosure. */
export const HEAD = [
  "Name and Principal Position",
  "Year",
  "Salary ($)",
  "Bonus ($)",
  "Stock Awards ($)",
  "All Other Compensation ($)",
  "Total ($)",
];

/** A table with these rows under its heading. */
export const table = (...rows: string[]): string =>
  `<p>Summary Compensation Table</p><table>${rows.join("")}</table>`;

/** `name|title|year|salary|other|unknown|total|flags` of each row. */
export const summary = (filing: ParsedFiling): string[] =>
  filing.rows
    .filter((one) => !one.placeholder)
    .map(
      (one) =>
        `${one.executive_name}|${one.executive_role ?? ""}|${one.fiscal_year}|${one.amounts.salary / 100}|${one.amounts.other_comp / 100}|${one.amounts.unknown_component / 100}|${one.amounts.total_compensation / 100}|${one.is_peo ? "PEO" : ""}${one.is_pfo ? "PFO" : ""}`,
    );

/** The problem codes of each row that are not about an office. */
export const rowCodes = (filing: ParsedFiling): string[][] =>
  filing.rows.map(({ problems }) =>
    problems.filter(({ step }) => step !== "offices").map(({ code }) => code),
  );

/** All problem codes, of the filing and of its rows. */
export const codes = (filing: ParsedFiling): string[] =>
  [...filing.problems, ...filing.rows.flatMap((one) => one.problems)].map((one) => one.code);
