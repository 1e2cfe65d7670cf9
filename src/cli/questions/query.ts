import { YEAR_FILTERS } from "../../domain/years.ts";
import { counted } from "../../lib/text.ts";
import { formatAmountCell } from "../../domain/amount.ts";
import { type ExecutiveCompensation, type Measure, MEASURES } from "../../domain/row-fields.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { suggestions } from "../../operations/company.ts";
import { gapText } from "../../operations/analysis.ts";
import { QUERY_PARAMETERS as PARAMETERS } from "../../operations/query.ts";
import { isShortPeriod, rowRemarks } from "../../dataset/remarks.ts";
import {
  type Answers,
  callOperation,
  type Counts,
  flagsOf,
  OFFICE_WORDS,
  parametersOf,
} from "./questions.ts";
import { missingRows, widerQuestions } from "./hints.ts";
import { lookUpCompany } from "./lookup.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { command, type Io } from "../command.ts";
import { type AnswerFormat, formatOf, OUTPUT_FLAGS, type OutputFlags, printAnswer } from "../output.ts";
import { amountColumns, csvOfRows, INCOMPLETE, officeOf } from "./rows.ts";
import type { TextColumn } from "../../lib/text-table.ts";

/** `execcomp query` */
export const query = command({
  name: "query",
  summary: "Rows across companies: filter, sort, page.",
  details:
    "Without a year filter each company's latest fiscal year is used. The counts below a table say how many rows\n" +
    "matched and how many company-years are partial, that is, without their own filing. A table that is sorted or\n" +
    "filtered by a measure, such as total_change, shows it.",
  flags: { ...flagsOf(PARAMETERS), ...OUTPUT_FLAGS },
  examples: [
    [
      "query --office pfo --fiscal-year 2024 --max-rows 1",
      "The highest-paid CFO of fiscal 2024, with the filing.",
    ],
    [
      "query --sector health_care --office peo --format csv",
      "CEOs of health care companies, for a spreadsheet.",
    ],
    ["query --office pfo --total-compensation-gte 20000000", "CFOs above 20 million."],
    ["query --office peo --sort total_change --max-rows 10", "The CEOs whose pay fell most."],
  ],
  async run({ flags }, io) {
    const parameters = parametersOf(PARAMETERS, flags);
    const asked = askedMeasures(parameters);
    // A file has the columns that were asked for.
    if (asked.length > 0 && ["table", "md"].includes(formatOf(io, flags.format)))
      parameters.set("measures", [asked.join(",")]);
    const answer = await callOperation(io, "query", parameters);
    const given = (name: string) => parameters.get(name)?.[0];
    const named = [given("ticker"), given("cik")].flatMap((list) => list?.split(",") ?? []);
    const isWhole = answer.next_cursor === null && given("cursor") === undefined;
    const currency = given("reporting_currency") ?? "USD";
    const format = await printRows(io, flags, { answer, named: isWhole ? named : [], currency });
    if (format !== "json" && answer.matched.rows === 0)
      for (const line of widerQuestions(parameters)) io.note(line);
  },
});

/** The measures that are asked for by name, or that rows are sorted or chosen by: each has a column in a table. */
function askedMeasures(parameters: ReadonlyMap<string, readonly string[]>): readonly Measure[] {
  const words = [...parameters].flatMap(([name, [text = ""]]) =>
    name === "sort"
      ? text.replace("-", "")
      : name === "measures"
        ? text.split(",")
        : name.replace(/_[gl]te$/, ""),
  );
  return MEASURES.filter((name) => words.includes(name));
}

// `parametersOf` reads them by name, so no type needs their names.
const yearFlags: object = flagsOf(YEAR_FILTERS);

/** `execcomp compare TICKER…` */
export const compare = command({
  name: "compare",
  summary: "Companies side by side: the CEO or the CFO of each.",
  operands: [{ name: "TICKER", about: "Ticker symbols, CIKs or company names, at most 200.", many: true }],
  flags: {
    office: {
      choices: ["peo", "pfo", ...Object.keys(OFFICE_WORDS)],
      about: "CEOs (peo, the default) or CFOs (pfo).",
    },
    ...yearFlags,
    reportingCurrency: { value: "CODE", about: "Companies that report in this currency; default USD." },
    ...OUTPUT_FLAGS,
  },
  examples: [
    ["compare AAPL microsoft GOOGL", "Three CEOs in their latest fiscal years."],
    ["compare AAPL MSFT --office cfo --fiscal-year 2024", "Their CFOs in fiscal 2024."],
    ["compare AAPL MSFT --fiscal-year-gte 2023", "Several years; without a year, each company's latest."],
  ],
  async run({ flags, operands }, io) {
    const dataset = openDataset(io.loaded.config.dataDir);
    const words = operands.flatMap((word) => word.split(",")).map((word) => word.trim());
    const named = words.map((word) => {
      const company = lookUpCompany(dataset, word);
      return company === undefined ? word : company.ticker || company.company.cik;
    });
    const { office = "peo", reportingCurrency: currency } = flags;
    // The operation lists those that it does not find, and refuses if it finds none.
    const { true: cik = [], false: ticker = [] } = Object.groupBy(named, (name) => `${/^\d+$/.test(name)}`);
    const parameters = parametersOf(PARAMETERS, {
      ...flags,
      cik: cik.join(",") || undefined,
      ticker: ticker.join(",") || undefined,
      office,
      maxRows: 1000,
      reportingCurrency: currency || undefined,
    });
    const answer = await callOperation(io, "query", parameters);
    await printRows(io, flags, { answer, named, currency: currency || "USD" });
  },
});

/**
 * Writes the rows of an answer, marking rows of partial and short years, with notes about marks, currency and counts.
 * @param named requested tickers and CIKs; those without rows are reported
 */
async function printRows(
  io: Io,
  flags: OutputFlags,
  { answer, named, currency }: { answer: Answers["query"]; named: readonly string[]; currency: string },
): Promise<AnswerFormat> {
  const { executive_compensation: rows, measures = [] } = answer;
  // Every row has the same names as the first.
  const measured = Object.keys(measures[0] ?? {}) as Measure[];
  const ofRow = new Map(rows.map((row, at) => [row, measures[at]]));
  const dataset = openDataset(io.loaded.config.dataDir);
  const ciks = [...new Set(rows.map(({ cik }) => cik))];
  const yearsOf = new Map(ciks.map((cik) => [cik, dataset.years(cik)]));
  const isPartial = ({ cik, fiscal_year: year }: ExecutiveCompensation) =>
    yearsOf.get(cik)?.find(({ fiscalYear }) => fiscalYear === year)?.complete === false;
  const remarks = rowRemarks(dataset, ciks);
  const isShort = (row: ExecutiveCompensation) => isShortPeriod(remarks(row));
  const format = await printAnswer(io, flags, answer, {
    rows,
    columns: [
      ...columnsOf(rows, (row) => `${isPartial(row) ? " †" : ""}${isShort(row) ? " ‡" : ""}`),
      ...measured.map((name): TextColumn<ExecutiveCompensation> => ({
        head: name,
        align: "right",
        rank: 0,
        cell: (row) => measureText(name, ofRow.get(row)?.[name] ?? null),
      })),
    ],
    none: "No rows.",
    csv: () =>
      csvOfRows(rows, isPartial, remarks).map((line, at) => [
        ...line,
        ...measured.map((name) => (at === 0 ? name : (measures[at - 1]?.[name] ?? null))),
      ]),
  });
  if (format === "table" || format === "md") {
    if (rows.some(isPartial)) io.note(`† ${INCOMPLETE}`);
    if (rows.some(isShort)) io.note("‡ covers less than a year; `execcomp show` has the dates");
    if (rows.length > 0) io.note(`Amounts in ${currency.toUpperCase()}.`);
  }
  // JSON output includes the counts. With CSV they are needed too: the file may contain only the first page.
  if (format !== "json") for (const line of countNotes(dataset, answer)) io.note(line);
  for (const gap of answer.gaps ?? []) if (gap.reason === "not_loaded") io.note(`${gapText(gap)}.`);
  for (const line of missingRows(dataset, named, new Set(ciks), currency)) io.note(line);
  return format;
}

function measureText(name: Measure, value: number | null): string {
  if (value === null) return "";
  if (name === "total_change") return formatAmountCell(value);
  return `${(name === "total_change_percent" ? value : value * 100).toFixed(1)}%`;
}

/** @param mark appended to the fiscal year of a row */
const columnsOf = (
  rows: readonly ExecutiveCompensation[],
  mark: (row: ExecutiveCompensation) => string,
): readonly TextColumn<ExecutiveCompensation>[] => [
  { head: "FY", cell: (row) => `${row.fiscal_year}${mark(row)}` },
  { head: "Ticker", cell: (row) => row.ticker },
  { head: "Executive", cell: (row) => row.executive_name },
  {
    head: "Total",
    align: "right",
    cell: (row) => formatAmountCell(row.total_compensation),
    link: ({ source }) => source.filing_url,
  },
  { head: "Office", rank: 1, cell: officeOf },
  { head: "Company", rank: 3, cell: (row) => row.company_name },
  ...amountColumns(rows).filter(({ rank }) => rank !== 0),
  {
    head: "Filing",
    rank: 20,
    cell: ({ source }) => `${source.form} ${source.accession}`,
    link: ({ source }) => source.filing_url,
  },
];

/** Notes on the counts of an answer across companies, one line each. */
export function countNotes(dataset: Dataset, answer: Counts): string[] {
  const { matched, next_cursor: next = null, not_found: unknown, stale_companies: stale } = answer;
  const { index_members: members, index_members_without_rows: without = 0 } = answer;
  const partial = matched.incomplete_company_years;
  const notes = [
    `${counted(matched.rows, "row")} from ${counted(matched.companies, "company")} matched; ${partial} of ${counted(matched.company_years, "company-year")} ${partial === 1 || matched.company_years === 1 ? "is" : "are"} partial.`,
    stale > 0 &&
      `Left out: ${stale} ${stale === 1 ? "company" : "companies"} without a year in the last three; --fiscal-year-gte 0 includes them.`,
    members !== undefined && `Of ${counted(members, "index member")}, ${without} have no rows.`,
    (answer.companies_without_cfo ?? 0) > 0 &&
      `No CFO is known of ${counted(answer.companies_without_cfo ?? 0, "more company")}.`,
    unknown.length > 0 &&
      `Not found: ${unknown.join(", ")}.${suggestions(dataset, unknown) || " To search: execcomp find WORDS"}`,
    next !== null && `More rows: --cursor ${next}`,
  ];
  return notes.filter((note) => note !== false);
}
