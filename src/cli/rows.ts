import { csvCell } from "../snapshot/export/text.ts";
import { formatAmountCell } from "../domain/amount.ts";
import {
  AMOUNT_FIELD,
  AMOUNTS,
  type AmountField,
  type ExecutiveCompensation,
  ROW_COLUMNS,
} from "../domain/row-fields.ts";

/** Rows in contract order, with the fiscal years of which executives may be missing. */
export interface RowsToShow {
  rows: readonly ExecutiveCompensation[];
  incompleteYears: readonly number[];
}

/** How rows are written out. */
export const ROW_FORMATS = ["table", "json", "csv", "md"] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

const INCOMPLETE =
  "partial: that year's proxy statement is not loaded; executives who left before the next one are missing";

/** Rows as text in one of the formats, without a last line end. */
export function formatRows(format: RowFormat, shown: RowsToShow): string {
  switch (format) {
    case "table":
      return asTable(shown);
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

/** The amounts to show: a column for what could not be attributed only where there is something in it. */
function amountsOf(rows: readonly ExecutiveCompensation[]): AmountField[] {
  return AMOUNTS.filter(
    (field) => field !== "unknown_component" || rows.some((row) => row.unknown_component !== 0),
  );
}

function byYear(rows: readonly ExecutiveCompensation[]): [year: number, rows: ExecutiveCompensation[]][] {
  return [...Map.groupBy(rows, (row) => row.fiscal_year)];
}

/** As people say it; the rule's terms are PEO and PFO (Item 402(a)(3)). */
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

/** Each filing that the rows were read from, once. */
function sourcesOf(rows: readonly ExecutiveCompensation[]) {
  const sources = new Map(rows.map(({ source }) => [source.accession, source]));
  return [...sources.values()].map((source) => ({
    name: `${source.form}${source.filing_date === null ? "" : ` filed ${source.filing_date}`}, ${source.accession}`,
    url: source.filing_url,
  }));
}

function asTable({ rows, incompleteYears }: RowsToShow): string {
  const amounts = amountsOf(rows);
  const nameWidth = Math.max(0, ...rows.map((row) => nameCell(row).length));
  const widths = amounts.map((field) =>
    Math.max(
      AMOUNT_FIELD[field].shortLabel.length,
      ...rows.map((row) => formatAmountCell(row[field]).length),
    ),
  );
  const line = (name: string, cells: readonly string[]) =>
    [name.padEnd(nameWidth), ...cells.map((cell, column) => cell.padStart(widths[column] ?? 0))]
      .join("  ")
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
      ...(row.executive_role === null ? [] : [`  ${row.executive_role}`]),
    ]),
    ...sourcesOf(people).map(({ name, url }) => `  ${name}${url === null ? "" : `\n  ${url}`}`),
  ]);
  const note = rows.some((row) => incompleteYears.includes(row.fiscal_year)) ? ["", `† ${INCOMPLETE}`] : [];
  return [titleOf(rows), ...years.flat(), ...note].join("\n");
}

function nameCell(row: ExecutiveCompensation): string {
  const office = officeOf(row);
  return office === "" ? row.executive_name : `${row.executive_name}, ${office}`;
}

function asMarkdown({ rows, incompleteYears }: RowsToShow): string {
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
    ...sourcesOf(people).map(({ name, url }) => `Source: ${url === null ? name : `[${name}](${url})`}`),
  ]);
  return [`## ${titleOf(rows)}`, ...years].join("\n");
}

function asCsv({ rows, incompleteYears }: RowsToShow): string {
  if (rows.length === 0) return "";
  const lines = rows.map((row) => [
    ...ROW_COLUMNS.map(({ valueIn }) => valueIn(row)),
    !incompleteYears.includes(row.fiscal_year),
  ]);
  return [[...ROW_COLUMNS.map(({ name }) => name), "year_complete"], ...lines]
    .map((cells) => cells.map(csvCell).join(","))
    .join("\n");
}
