import type { Remark, RemarksOf } from "../../dataset/remarks.ts";
import { csvCell } from "../../analysis/export/text.ts";
import { notShown, shortened } from "../text-table.ts";
import { formatAmountCell } from "../../domain/amount.ts";
import {
  AMOUNT_FIELD,
  AMOUNTS,
  type AmountField,
  type ExecutiveCompensation,
  ROW_COLUMNS,
} from "../../domain/row-fields.ts";

/** Rows in contract order, with the fiscal years that may lack executives. */
export interface RowsToShow {
  rows: readonly ExecutiveCompensation[];
  incompleteYears: readonly number[];
  remarks: RemarksOf;
}

/** Output formats of rows. */
export const ROW_FORMATS = ["table", "json", "csv", "md"] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

/** Explains the dagger after a fiscal year. */
export const INCOMPLETE =
  "partial: that year's proxy statement is not loaded; executives who left before the next one are missing";

/**
 * Formats rows as text, without a trailing newline.
 *
 * @param width of the terminal that a table is for; null if there is none
 */
export function formatRows(format: RowFormat, shown: RowsToShow, width: number | null = null): string {
  switch (format) {
    case "table":
      return asTable(shown, width);
    case "md":
      return asMarkdown(shown);
    case "csv":
      return asCsv(shown);
    case "json":
      return JSON.stringify(
        { executive_compensation: shown.rows, incomplete_fiscal_years: shown.incompleteYears },
        null,
        2,
      );
  }
}

/** The amounts to show: `unknown_component` only if some row has it. */
export function amountsOf(rows: readonly ExecutiveCompensation[]): AmountField[] {
  return AMOUNTS.filter(
    (field) => field !== "unknown_component" || rows.some((row) => row.unknown_component !== 0),
  );
}

function byYear(rows: readonly ExecutiveCompensation[]): [year: number, rows: ExecutiveCompensation[]][] {
  return [...Map.groupBy(rows, (row) => row.fiscal_year)];
}

/** The usual titles; the rule's terms are PEO and PFO (Item 402(a)(3)). */
export function officeOf({ is_peo, is_pfo }: ExecutiveCompensation): string {
  return [is_peo ? "CEO" : "", is_pfo ? "CFO" : ""].filter(Boolean).join(", ");
}

function titleOf(rows: readonly ExecutiveCompensation[]): string {
  const [first] = rows;
  if (first === undefined) return "No rows.";
  const symbol = first.ticker === "" ? "" : ` (${first.ticker})`;
  const currencies = [...new Set(rows.map((row) => row.reporting_currency ?? "an unknown currency"))];
  return `${first.company_name}${symbol}, CIK ${first.cik}, amounts in ${currencies.join(" and ")}`;
}

/** The filings that the rows come from, without duplicates. */
function sourcesOf(rows: readonly ExecutiveCompensation[]) {
  const sources = new Map(rows.map(({ source }) => [source.accession, source]));
  return [...sources.values()].map((source) => ({
    name: `${source.form}${source.filing_date === null ? "" : ` filed ${source.filing_date}`}, ${source.accession}`,
    url: source.filing_url,
  }));
}

/** Amounts in the order in which a narrow terminal drops them; the total is always shown. */
const NEEDED_LEAST: readonly AmountField[] = [
  "pension_change",
  "option_awards",
  "bonus",
  "other_comp",
  "unknown_component",
  "non_equity_incentive",
  "salary",
  "stock_awards",
];
const GAP = "  ";

function amountWidth(field: AmountField, rows: readonly ExecutiveCompensation[]): number {
  const cells = rows.map((row) => formatAmountCell(row[field]).length);
  return Math.max(AMOUNT_FIELD[field].shortLabel.length, ...cells);
}

/** The amounts that fit next to the names. */
function amountsWithin(
  rows: readonly ExecutiveCompensation[],
  nameWidth: number,
  width: number | null,
): AmountField[] {
  const amounts = amountsOf(rows);
  const needed = () => amounts.reduce((sum, field) => sum + GAP.length + amountWidth(field, rows), nameWidth);
  const isNil = (field: AmountField) => rows.every((row) => row[field] === 0);
  for (const field of [...NEEDED_LEAST.filter(isNil), ...NEEDED_LEAST]) {
    if (width === null || needed() <= width) break;
    if (amounts.includes(field)) amounts.splice(amounts.indexOf(field), 1);
  }
  return amounts;
}

function asTable({ rows, incompleteYears, remarks }: RowsToShow, width: number | null): string {
  const nameWidth = Math.max(0, ...rows.map((row) => nameCell(row).length));
  const amounts = amountsWithin(rows, nameWidth, width);
  const widths = amounts.map((field) => amountWidth(field, rows));
  const leftOut = amountsOf(rows).filter((field) => !amounts.includes(field));
  const line = (name: string, cells: readonly string[]) =>
    [name.padEnd(nameWidth), ...cells.map((cell, column) => cell.padStart(widths[column] ?? 0))]
      .join(GAP)
      .trimEnd();
  const years = byYear(rows).map(([year, people]) => [
    "",
    line(
      `FY${year}${incompleteYears.includes(year) ? " †" : ""}`,
      amounts.map((field) => AMOUNT_FIELD[field].shortLabel),
    ),
    ...people.flatMap((row) => [
      line(
        nameCell(row),
        amounts.map((field) => formatAmountCell(row[field])),
      ),
      // `explain` and `history` take the id.
      shortened(`  ${[row.executive_id, row.executive_role ?? ""].filter(Boolean).join(" · ")}`, width),
      ...remarks(row).map(({ message }) => `  ${message}`),
    ]),
    ...sourcesOf(people).map(({ name, url }) => `  ${name}${url === null ? "" : `\n  ${url}`}`),
  ]);
  const note = rows.some((row) => incompleteYears.includes(row.fiscal_year)) ? ["", `† ${INCOMPLETE}`] : [];
  const missing = notShown(leftOut.map((field) => AMOUNT_FIELD[field].shortLabel));
  return [titleOf(rows), ...years.flat(), ...(missing.length > 0 ? ["", ...missing] : []), ...note].join(
    "\n",
  );
}

function nameCell(row: ExecutiveCompensation): string {
  const office = officeOf(row);
  return office === "" ? row.executive_name : `${row.executive_name}, ${office}`;
}

function asMarkdown({ rows, incompleteYears, remarks }: RowsToShow): string {
  const amounts = amountsOf(rows);
  const cells = (texts: readonly string[]) =>
    `| ${texts.map((text) => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ")).join(" | ")} |`;
  const years = byYear(rows).flatMap(([year, people]) => [
    "",
    `### FY${year}${incompleteYears.includes(year) ? ` (${INCOMPLETE})` : ""}`,
    "",
    cells(["Name", "Position", "Office", ...amounts.map((field) => AMOUNT_FIELD[field].shortLabel)]),
    cells(["---", "---", "---", ...amounts.map(() => "---:")]),
    ...people.map((row) =>
      cells([
        row.executive_name,
        row.executive_role ?? "–",
        officeOf(row) || "–",
        ...amounts.map((field) => formatAmountCell(row[field])),
      ]),
    ),
    "",
    ...people.flatMap((row) => remarks(row).map(({ message }) => `${row.executive_name}: ${message}\n`)),
    ...sourcesOf(people).map(({ name, url }) => `Source: ${url === null ? name : `[${name}](${url})`}`),
  ]);
  return [`## ${titleOf(rows)}`, ...years].join("\n");
}

/** The columns after those of a row, as in exports. */
export const CSV_EXTRAS = ["year_complete", "problems"] as const;

/** The problem codes of a row, for one cell. */
export function codesOf(remarks: readonly Remark[]): string {
  return [...new Set(remarks.map(({ code }) => code))].toSorted().join(" ");
}

function asCsv({ rows, incompleteYears, remarks }: RowsToShow): string {
  if (rows.length === 0) return "";
  const lines = rows.map((row) => [
    ...ROW_COLUMNS.map(({ valueIn }) => valueIn(row)),
    !incompleteYears.includes(row.fiscal_year),
    codesOf(remarks(row)),
  ]);
  return [[...ROW_COLUMNS.map(({ name }) => name), ...CSV_EXTRAS], ...lines]
    .map((cells) => cells.map(csvCell).join(","))
    .join("\n");
}
