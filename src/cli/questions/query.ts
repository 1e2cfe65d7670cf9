import { type GivenParameters, wordMeant } from "../../domain/parameters.ts";
import { YEAR_FILTERS } from "../../domain/years.ts";
import { counted, shellWord } from "../../lib/text.ts";
import { formatAmountCell } from "../../domain/amount.ts";
import { type ExecutiveCompensation, type Measure, MEASURES } from "../../domain/row-fields.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { suggestions } from "../../operations/company.ts";
import { gapText } from "../../operations/analysis.ts";
import { CEO_PAY_PARAMETERS, type CeoPayJson } from "../../operations/ceo-pay.ts";
import { QUERY_PARAMETERS as PARAMETERS } from "../../operations/query.ts";
import { namesOfWords, wholeNames } from "../../operations/typed-names.ts";
import { totalOnlyRow } from "../../operations/total-only.ts";
import { isShortPeriod, rowRemarks } from "../../dataset/remarks.ts";
import {
  type Answers,
  callOperation,
  type Counts,
  flagsOf,
  nextStepNotes,
  OFFICE_WORDS,
  parametersOf,
  refuseFile,
} from "./questions.ts";
import { isOfLatest, missingRows, shorterName } from "./hints.ts";
import { lookUpCompany } from "./lookup.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { command, type Io, UsageError } from "../command.ts";
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
    const dataset = openDataset(io.loaded.config.dataDir);
    const named = [given("ticker"), given("cik")].flatMap((list) =>
      wholeNames(dataset, list?.split(",") ?? []),
    );
    const isWhole = answer.next_cursor === null && given("cursor") === undefined;
    const currency = given("reporting_currency") ?? "USD";
    const format = await printRows(io, flags, { answer, named: isWhole ? named : [], currency });
    if (format === "json" || answer.matched.rows > 0) return;
    for (const line of await nextQuestions(io, parameters, answer)) io.note(line);
  },
});

/** What may find rows after a query that found none: all years where they have some, otherwise what the answer says. */
async function nextQuestions(
  io: Io,
  parameters: GivenParameters,
  answer: Answers["query"],
): Promise<string[]> {
  const every = new Map([...parameters, ["fiscal_year_gte", ["0"]], ["max_rows", ["1"]]]);
  const rows = isOfLatest(parameters) ? (await callOperation(io, "query", every)).matched.rows : 0;
  if (rows > 0)
    return [
      `Only each company's latest fiscal year was searched. --fiscal-year-gte 0 finds ${counted(rows, "row")}.`,
    ];
  return [...shorterName(parameters), ...nextStepNotes(answer)];
}

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

const COMPARED_OFFICES = ["peo", "pfo", ...OFFICE_WORDS];

/** The office of a comparison, in any words that a query understands. */
function readComparedOffice(flag: string, text: string): "peo" | "pfo" {
  const meant = wordMeant(["peo", "pfo"], text);
  if (meant !== undefined) return meant;
  throw new UsageError(
    `Cannot read ${flag} ${JSON.stringify(text)}: expected one of ${COMPARED_OFFICES.join(", ")}.`,
  );
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
      value: "peo|pfo|ceo|cfo",
      values: COMPARED_OFFICES,
      reads: readComparedOffice,
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
  details:
    "Companies in the order in which they are named, the newest year first. A chief executive's total that only the filer's\n" +
    "tag tells has a line without components.",
  async run({ flags, operands }, io) {
    const dataset = openDataset(io.loaded.config.dataDir);
    for (const operand of operands) refuseFile(operand, "execcomp compare ");
    const year = operands.find((word) => /^(?:19|20)\d\d$/.test(word) && !lookUpCompany(dataset, word));
    if (year !== undefined)
      throw new UsageError(
        `No company ${year}. For a year: execcomp compare ${operands
          .filter((word) => word !== year)
          .map(shellWord)
          .join(" ")} --fiscal-year ${year}`,
      );
    const words = namesOfWords(dataset, operands);
    const found = words.map((word) => lookUpCompany(dataset, word));
    const named = words.map((word, at) => found[at]?.ticker || found[at]?.company.cik || word);
    const { office = "peo", reportingCurrency: currency } = flags;
    // The operation lists those that it does not find, and refuses if it finds none.
    const { true: cik = [], false: ticker = [] } = Object.groupBy(named, (name) => `${/^\d+$/.test(name)}`);
    const given = {
      ...flags,
      cik: cik.join(",") || undefined,
      ticker: ticker.join(",") || undefined,
      office,
      maxRows: 1000,
      reportingCurrency: currency || undefined,
    };
    const parameters = parametersOf(PARAMETERS, given);
    const answer = await callOperation(io, "query", parameters);
    const isOfCeos = parameters.get("office")?.[0] === "peo";
    const totals = isOfCeos
      ? await callOperation(io, "ceoPay", parametersOf(CEO_PAY_PARAMETERS, given))
      : null;
    const { rows, only } = inOrderOf(found, answer.executive_compensation, totals?.ceo_pay ?? []);
    await printRows(io, flags, {
      answer: {
        ...answer,
        executive_compensation: rows.filter((row) => !only.has(row)),
        ...(totals === null ? {} : { ceo_pay: totals.ceo_pay }),
      },
      named,
      currency: currency || "USD",
      rows,
      only,
    });
  },
});

/** Rows, and totals that are in none of them, by company as they were named, the newest year first. */
function inOrderOf(
  found: readonly ReturnType<typeof lookUpCompany>[],
  rows: readonly ExecutiveCompensation[],
  totals: readonly CeoPayJson[],
): { rows: ExecutiveCompensation[]; only: OnlyTotals } {
  const ciks = found.map((one) => one?.company.cik);
  const only = new Map(
    totals
      .filter(({ basis }) => basis === "tag")
      .map((total) => {
        const ticker = found[ciks.indexOf(total.cik)]?.ticker ?? "";
        return [{ ...totalOnlyRow(total), ticker }, total] as const;
      }),
  );
  const all = [...rows, ...only.keys()].toSorted(
    (a, b) =>
      ciks.indexOf(a.cik) - ciks.indexOf(b.cik) ||
      b.fiscal_year - a.fiscal_year ||
      b.total_compensation - a.total_compensation,
  );
  return { rows: all, only };
}

/** Rows of which nothing but the total is known, with that total. */
type OnlyTotals = ReadonlyMap<ExecutiveCompensation, CeoPayJson>;

/**
 * Writes the rows of an answer, marking rows of partial and short years, with notes about marks, currency and counts.
 * @param named requested tickers and CIKs; those without rows are reported
 * @param only rows of which nothing but the total is known
 */
async function printRows(
  io: Io,
  flags: OutputFlags,
  {
    answer,
    named,
    currency,
    rows = answer.executive_compensation,
    only = new Map(),
  }: {
    answer: Answers["query"];
    named: readonly string[];
    currency: string;
    rows?: readonly ExecutiveCompensation[];
    only?: OnlyTotals;
  },
): Promise<AnswerFormat> {
  const { measures = [] } = answer;
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
      ...columnsOf(rows, only, (row) =>
        only.has(row) ? " *" : `${isPartial(row) ? " †" : ""}${isShort(row) ? " ‡" : ""}`,
      ),
      ...measured.map((name): TextColumn<ExecutiveCompensation> => ({
        head: name,
        align: "right",
        rank: 0,
        cell: (row) => measureText(name, ofRow.get(row)?.[name] ?? null),
      })),
    ],
    none: "No rows.",
    // A line without components has no zeros in their place.
    record: (row) => only.get(row) ?? { ...row, ...ofRow.get(row) },
    csv: () =>
      csvOfRows(rows, isPartial, remarks, new Set(only.keys())).map((line, at) => [
        ...line,
        ...measured.map((name) => (at === 0 ? name : (measures[at - 1]?.[name] ?? null))),
      ]),
  });
  if (format === "table" || format === "md") {
    const marks = { total: only.size > 0, partial: rows.some(isPartial), short: rows.some(isShort) };
    for (const line of markNotes(marks, rows.length > 0 ? currency : "")) io.note(line);
  }
  const answered = new Set(rows.flatMap((row) => (only.has(row) ? [] : row.cik)));
  // JSON output includes the counts. With CSV they are needed too: the file may contain only the first page.
  const counts = format === "json" ? [] : countNotes(dataset, answer);
  for (const line of [...counts, ...missingNotes(dataset, answer, named, answered, currency)]) io.note(line);
  return format;
}

/** What was asked for and is not there. @param answered the CIKs that have rows */
function missingNotes(
  dataset: Dataset,
  { gaps = [] }: Answers["query"],
  named: readonly string[],
  answered: ReadonlySet<string>,
  currency: string,
): string[] {
  const years = gaps.flatMap((gap) => (gap.reason === "not_loaded" ? [`${gapText(gap)}.`] : []));
  return [...years, ...missingRows(dataset, named, answered, currency)];
}

/** What the marks of a table mean, and its currency. */
function markNotes(of: { total: boolean; partial: boolean; short: boolean }, currency: string): string[] {
  const notes = [
    of.total && "* the total only, as the filer tagged it; its components are not known here",
    of.partial && `† ${INCOMPLETE}`,
    of.short && "‡ covers less than a year; `execcomp show` has the dates",
    currency !== "" && `Amounts in ${currency.toUpperCase()}.`,
  ];
  return notes.filter((note) => note !== false);
}

function measureText(name: Measure, value: number | null): string {
  if (value === null) return "";
  if (name === "total_change") return formatAmountCell(value);
  return `${(name === "total_change_percent" ? value : value * 100).toFixed(1)}%`;
}

/** @param mark appended to the fiscal year of a row */
const columnsOf = (
  rows: readonly ExecutiveCompensation[],
  only: OnlyTotals,
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
  ...amountColumns(rows)
    .filter(({ rank }) => rank !== 0)
    .map((column) => ({
      ...column,
      cell: (row: ExecutiveCompensation) => (only.has(row) ? "" : column.cell(row)),
    })),
  {
    head: "Filing",
    rank: 20,
    cell: ({ source }) => `${source.form} ${source.accession}`.trim(),
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
