import {
  type CompensationQuery,
  YEAR_FILTERS,
  YEARS_LIMIT,
  incompleteYears,
  readQuery,
  selectYears,
} from "../../domain/parameters.ts";
import { yearsAsOf } from "../../dataset/detail.ts";
import { type Remark, type RemarksOf, rowRemarks, shortPeriods } from "../../dataset/remarks.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { COMPANY_OPERAND, resolveCompany, sentenceOf, yearsText } from "./questions.ts";
import { command } from "../command.ts";
import { OUTPUT_FLAGS, printAnswer, readDay, styleOf, wholeNumber, widthOf } from "../output.ts";

import { markdownCell, notShown, printable, shortened, type Style, wrapped } from "../text-table.ts";
import { formatAmountCell } from "../../domain/amount.ts";
import {
  AMOUNT_FIELD,
  AMOUNTS,
  type AmountField,
  type ExecutiveCompensation,
  readRows,
  ROW_COLUMNS,
} from "../../domain/row-fields.ts";

const { maximum: MAX_YEARS } = YEARS_LIMIT.schema;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
type YearFlag = CamelCase<(typeof YEAR_FILTERS)[number]["name"]>;

/** The flag of a year filter. */
function flagFor(name: (typeof YEAR_FILTERS)[number]["name"]): YearFlag {
  // The same conversion as in the type `CamelCase`.
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as YearFlag;
}

// One flag for each year filter.
const YEAR_FLAGS = Object.fromEntries(
  YEAR_FILTERS.map(({ name, about }) => [flagFor(name), { value: "YEAR", about: sentenceOf(about) }]),
) as Record<YearFlag, { value: string; about: string }>;

/** `execcomp show TICKER` */
export const show = command({
  name: "show",
  summary: "Show what a company paid its named executive officers.",
  operands: [COMPANY_OPERAND],
  flags: {
    years: { value: "N", about: `The newest N fiscal years; default ${YEARS_LIMIT.schema.default}.` },
    ...YEAR_FLAGS,
    asOf: {
      value: "DATE",
      about: "Use only filings up to that date (YYYY-MM-DD).",
    },
    ...OUTPUT_FLAGS,
  },
  examples: [
    ["show AAPL", "Apple's newest fiscal years as a table."],
    ["show BRK.B --years 1", "The newest year only; any spelling of a symbol works."],
    ["show AAPL --fiscal-year 2021", "One fiscal year; bounds are flags too."],
    ["show AAPL --years 10 --format csv", "Ten years for a spreadsheet."],
    ["show 0000320193 --json", "By CIK, for a script."],
    ["show AAPL --as-of 2024-06-30", "As known on 30 June 2024."],
  ],
  async run({ flags, operands: [companyName = ""] }, io) {
    const limit =
      flags.years === undefined
        ? YEARS_LIMIT.schema.default
        : wholeNumber("--years", flags.years, 1, MAX_YEARS, " See: execcomp help show");
    const dataset = openDataset(io.loaded.config.dataDir);
    const { company, ticker } = resolveCompany(dataset, companyName);
    const remarks = (flags.asOf === undefined ? rowRemarks : shortPeriods)(dataset, [company.cik]);
    const held =
      flags.asOf === undefined
        ? dataset.years(company.cik)
        : yearsAsOf(dataset, company.cik, readDay("--as-of", flags.asOf));
    const years = selectYears(held, readYearFilters(flags), limit);
    const rows = years.flatMap(({ rowJson }) => readRows(ticker, rowJson));
    const known = dataset.years(company.cik).map(({ fiscalYear }) => fiscalYear);
    if (rows.length === 0 && known.length > 0)
      io.note(`Available for ${company.name.replace(/\.$/, "")}: ${yearsText(known)}.`);
    const partial = incompleteYears(years);
    await printAnswer(
      io,
      flags,
      { executive_compensation: rows, incomplete_fiscal_years: partial },
      companyLines(
        { rows, incompleteYears: partial, remarks },
        widthOf(io, flags.out),
        styleOf(io, flags.out),
      ),
    );
  },
});

function readYearFilters(flags: Readonly<Record<YearFlag, string | undefined>>): CompensationQuery {
  const given = YEAR_FILTERS.flatMap(({ name }) => {
    const text = flags[flagFor(name)];
    return text === undefined ? [] : [[name, [text]] as const];
  });
  return readQuery(new Map(given), YEAR_FILTERS);
}

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
