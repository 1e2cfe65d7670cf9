import type { Remark, RemarksOf } from "../../dataset/remarks.ts";
import { markdownCell, notShown, printable, shortened, type Style, wrapped } from "../text-table.ts";
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

/** Explains the dagger after a fiscal year. */
export const INCOMPLETE =
  "partial: that year's proxy statement is not loaded; executives who left before the next one are missing";

/** How `printAnswer` shows a company's rows: a table and Markdown by fiscal year, with the filings. */
export function companyLines(shown: RowsToShow, width: number | null, style: Style | null) {
  return {
    rows: shown.rows,
    columns: [],
    none: "No rows.",
    csv: () => csvLines(shown),
    texts: { table: () => asTable(shown, width, style), md: () => asMarkdown(shown) },
  };
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
export const NEEDED_LEAST: readonly AmountField[] = [
  "pension_change",
  "other_comp",
  "bonus",
  "option_awards",
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

function asTable(
  { rows, incompleteYears, remarks }: RowsToShow,
  width: number | null,
  style: Style | null,
): string {
  const bold = (text: string) => (style === null ? text : style.bold(text));
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
    bold(
      line(
        `FY${year}${incompleteYears.includes(year) ? " †" : ""}`,
        amounts.map((field) => AMOUNT_FIELD[field].shortLabel),
      ),
    ),
    ...people.flatMap((row) => [
      line(
        nameCell(row),
        amounts.map((field) => formatAmountCell(row[field])),
      ),
      // `explain` and `history` take the id.
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
  const note = rows.some((row) => incompleteYears.includes(row.fiscal_year))
    ? ["", wrapped(`† ${INCOMPLETE}`, width, "  ")]
    : [];
  const missing = notShown(
    leftOut.map((field) => AMOUNT_FIELD[field].shortLabel),
    width,
  );
  const title = bold(wrapped(printable(titleOf(rows)), width));
  return [title, ...years.flat(), ...(missing.length > 0 ? ["", ...missing] : []), ...note].join("\n");
}

function nameCell(row: ExecutiveCompensation): string {
  const office = officeOf(row);
  return printable(office === "" ? row.executive_name : `${row.executive_name}, ${office}`);
}

function asMarkdown({ rows, incompleteYears, remarks }: RowsToShow): string {
  const amounts = amountsOf(rows);
  const cells = (texts: readonly string[]) => `| ${texts.map(markdownCell).join(" | ")} |`;
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

function csvLines({ rows, incompleteYears, remarks }: RowsToShow) {
  return [
    [...ROW_COLUMNS.map(({ name }) => name), ...CSV_EXTRAS],
    ...rows.map((row) => [
      ...ROW_COLUMNS.map(({ valueIn }) => valueIn(row)),
      !incompleteYears.includes(row.fiscal_year),
      codesOf(remarks(row)),
    ]),
  ];
}
