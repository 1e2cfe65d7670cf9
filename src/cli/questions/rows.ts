import { elementAt } from "../../lib/checked-access.ts";
import type { CsvCell } from "../../lib/csv.ts";
import type { RemarksOf } from "../../dataset/remarks.ts";
import {
  layOut,
  markdownTable,
  notShown,
  printable,
  shortened,
  type Style,
  type TextColumn,
  wrapped,
} from "../../lib/text-table.ts";
import { formatAmountCell } from "../../domain/amount.ts";
import { totalOnlyCells } from "../../operations/total-only.ts";
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

/** Explains the dagger after a fiscal year. */
export const INCOMPLETE =
  "partial: that year's proxy statement has not been read; executives who left before the next one are missing";

/** How `printAnswer` shows a company's rows: a table and Markdown by fiscal year, with the filings. */
export function companyLines(shown: RowsToShow) {
  const { rows, incompleteYears, remarks } = shown;
  return {
    rows,
    columns: [],
    none: "No rows.",
    csv: () => csvOfRows(rows, (row) => incompleteYears.includes(row.fiscal_year), remarks),
    texts: {
      table: (width: number | null, style: Style | null) => asTable(shown, width, style),
      md: () => asMarkdown(shown),
    },
  };
}

/** The amounts to show: `unknown_component` only if some row has it. */
function amountsOf(rows: readonly ExecutiveCompensation[]): AmountField[] {
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
  return `${first.company_name}${symbol}, CIK ${first.cik}, amounts in ${currenciesOf(rows).join(" and ")}`;
}

function currenciesOf(rows: readonly ExecutiveCompensation[]): string[] {
  return [...new Set(rows.map((row) => row.reporting_currency ?? "an unknown currency"))];
}

/** `FY2025`; with its currency where years are in several. */
function yearTitle(year: number, people: readonly ExecutiveCompensation[], rows: RowsToShow["rows"]): string {
  const isMixed = currenciesOf(rows).length > 1;
  return `FY${year}${isMixed ? ` ${currenciesOf(people).join(" and ")}` : ""}`;
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
  "other_comp",
  "bonus",
  "option_awards",
  "unknown_component",
  "non_equity_incentive",
  "salary",
  "stock_awards",
];

/** The amounts of rows as columns of a table. */
export function amountColumns(rows: readonly ExecutiveCompensation[]): TextColumn<ExecutiveCompensation>[] {
  return amountsOf(rows).map((field) => ({
    head: AMOUNT_FIELD[field].shortLabel,
    align: "right",
    rank: field === "total_compensation" ? 0 : 3 + NEEDED_LEAST.length - NEEDED_LEAST.indexOf(field),
    cell: (row) => formatAmountCell(row[field]),
  }));
}

function asTable(
  { rows, incompleteYears, remarks }: RowsToShow,
  width: number | null,
  style: Style | null,
): string {
  const bold = (text: string) => (style === null ? text : style.bold(text));
  const headOf = (year: number, people: readonly ExecutiveCompensation[]) =>
    yearTitle(year, people, rows) + (incompleteYears.includes(year) ? " †" : "");
  const amounts = amountColumns(rows);
  const { line, lines, dropped } = layOut([{ head: "", cell: nameCell }, ...amounts], rows, width, null);
  const lineOf = new Map(rows.map((row, at) => [row, elementAt(lines, at)]));
  const years = byYear(rows).flatMap(([year, people]) => [
    "",
    bold(line([headOf(year, people), ...amounts.map(({ head }) => head)])),
    ...people.flatMap((row) => [
      lineOf.get(row) ?? "",
      // `explain` takes the id.
      shortened(
        printable(`  ${[row.executive_id, row.executive_role ?? ""].filter(Boolean).join(" · ")}`),
        width,
      ),
      ...remarks(row).map(({ message }) => wrapped(printable(`  ${message}`), width, "  ")),
    ]),
    ...sourcesOf(people).map(({ name, url }) => {
      if (url === null) return `  ${name}`;
      return style === null ? `  ${name}\n  ${url}` : `  ${style.link(name, url)}`;
    }),
  ]);
  const isPartial = rows.some((row) => incompleteYears.includes(row.fiscal_year));
  return [
    bold(wrapped(printable(titleOf(rows)), width)),
    ...years,
    ...(dropped.length > 0 ? ["", ...notShown(dropped, width)] : []),
    ...(isPartial ? ["", wrapped(`† ${INCOMPLETE}`, width, "  ")] : []),
  ].join("\n");
}

function nameCell(row: ExecutiveCompensation): string {
  const office = officeOf(row);
  return office === "" ? row.executive_name : `${row.executive_name}, ${office}`;
}

function asMarkdown({ rows, incompleteYears, remarks }: RowsToShow): string {
  const columns: TextColumn<ExecutiveCompensation>[] = [
    { head: "Name", cell: (row) => row.executive_name },
    { head: "Position", cell: (row) => row.executive_role ?? "–" },
    { head: "Office", cell: (row) => officeOf(row) || "–" },
    ...amountColumns(rows),
  ];
  const years = byYear(rows).flatMap(([year, people]) => [
    "",
    `### ${yearTitle(year, people, rows)}${incompleteYears.includes(year) ? ` (${INCOMPLETE})` : ""}`,
    "",
    markdownTable(columns, people),
    "",
    ...people.flatMap((row) => remarks(row).map(({ message }) => `${row.executive_name}: ${message}\n`)),
    ...sourcesOf(people).map(({ name, url }) => `Source: ${url === null ? name : `[${name}](${url})`}`),
  ]);
  return [`## ${titleOf(rows)}`, ...years].join("\n");
}

/** Header and rows for CSV, with the columns that exports have after those of a row. @param only rows of which nothing but the total is known */
export function csvOfRows(
  rows: readonly ExecutiveCompensation[],
  isPartial: (row: ExecutiveCompensation) => boolean,
  remarks: RemarksOf,
  only: ReadonlySet<ExecutiveCompensation> = new Set(),
): CsvCell[][] {
  const cellsOf = (row: ExecutiveCompensation): CsvCell[] => {
    if (only.has(row)) return [...totalOnlyCells(row), null, null];
    return [
      ...ROW_COLUMNS.map(({ valueIn }) => valueIn(row)),
      !isPartial(row),
      [...new Set(remarks(row).map(({ code }) => code))].toSorted().join(" "),
    ];
  };
  return [[...ROW_COLUMNS.map(({ name }) => name), "year_complete", "problems"], ...rows.map(cellsOf)];
}
