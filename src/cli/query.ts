import { normalizeSymbol } from "../domain/company.ts";
import { formatAmountCell } from "../domain/amount.ts";
import type { ParameterInfo } from "../domain/parameters.ts";
import { AMOUNT_FIELD, AMOUNTS, type ExecutiveCompensation, ROW_COLUMNS } from "../domain/row-fields.ts";
import { PAGING_PARAMETERS, SELECTION_PARAMETERS } from "../domain/selection.ts";
import { command } from "./command.ts";
import { askOperation, flagsOf, OUTPUT_FLAGS, parametersOf, sayAnswer } from "./questions.ts";
import { officeOf } from "./rows.ts";
import type { TextColumn } from "./text-table.ts";

const PARAMETERS: readonly ParameterInfo[] = [...SELECTION_PARAMETERS, ...PAGING_PARAMETERS];

/** What the query operation answers with, as far as it is shown. */
interface QueryAnswer {
  executive_compensation: ExecutiveCompensation[];
  matched: { rows: number; companies: number; company_years: number; incomplete_company_years: number };
  index_members?: number;
  index_members_without_rows?: number;
  not_found: string[];
  next_cursor: string | null;
}

/** `execcomp query` */
export const query = command({
  name: "query",
  summary: "Rows across companies: filter, sort, page.",
  details:
    "Without a year filter each company's latest fiscal year is looked at. The counts below a table say how many rows\n" +
    "matched and how many company-years are partial: their own filing is not loaded.",
  operands: [],
  flags: { ...flagsOf(PARAMETERS), ...OUTPUT_FLAGS },
  settings: [],
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
  ],
  async run({ flags }, io) {
    // As the operation makes it.
    const answer = (await askOperation(io, "query", parametersOf(PARAMETERS, flags))) as QueryAnswer;
    const format = sayAnswer(io, flags, answer, linesOf(answer.executive_compensation));
    // JSON has them itself; a file for a spreadsheet must not end after a page without a word.
    if (format !== "json") for (const line of countsTold(answer)) io.note(line);
    return 0;
  },
});

/** `execcomp compare TICKER…` */
export const compare = command({
  name: "compare",
  summary: "Companies side by side: the CEO, the CFO or all named executive officers of each.",
  operands: [{ name: "TICKER", about: "Ticker symbols, at most 200.", many: true }],
  flags: {
    office: { value: "peo|pfo", choices: ["peo", "pfo"], about: "CEOs (peo, the default) or CFOs (pfo)." },
    fiscalYear: { value: "YEAR", about: "The fiscal year; each company's latest by default." },
    ...OUTPUT_FLAGS,
  },
  settings: [],
  examples: [
    ["compare AAPL MSFT GOOGL", "Three CEOs of their latest fiscal years."],
    ["compare AAPL MSFT --office pfo --fiscal-year 2024", "Their CFOs in fiscal 2024."],
  ],
  async run({ flags, operands }, io) {
    const parameters = new Map([
      ["ticker", [operands.join(",")]],
      ["office", [flags.office ?? "peo"]],
      ["max_rows", ["1000"]],
      ...(flags.fiscalYear === undefined ? [] : [["fiscal_year", [flags.fiscalYear]] as const]),
    ]);
    // As the operation makes it.
    const answer = (await askOperation(io, "query", parameters)) as QueryAnswer;
    const format = sayAnswer(io, flags, answer, linesOf(answer.executive_compensation));
    // JSON has them itself.
    if (format !== "json") for (const line of countsTold(answer)) io.note(line);
    const without = symbolsWithout(operands, answer);
    if (without.length > 0) io.note(`No rows for ${without.join(", ")}.`);
    return 0;
  },
});

/** Companies that are known and have nothing to compare: a row has the symbol that was asked. */
function symbolsWithout(
  operands: readonly string[],
  { executive_compensation: rows, not_found: unknown }: QueryAnswer,
): string[] {
  const told = new Set([...unknown, ...rows.map(({ ticker }) => ticker)]);
  const asked = operands.flatMap((words) => words.split(",").map(normalizeSymbol));
  return [...new Set(asked)].filter((symbol) => symbol !== "" && !told.has(symbol));
}

const linesOf = (rows: readonly ExecutiveCompensation[]) => ({
  rows,
  columns: COLUMNS,
  none: "No rows.",
  csv: () => [
    ROW_COLUMNS.map(({ name }) => name),
    ...rows.map((row) => ROW_COLUMNS.map(({ valueIn }) => valueIn(row))),
  ],
});

const COLUMNS: readonly TextColumn<ExecutiveCompensation>[] = [
  { head: "FY", align: "left", rank: 0, cell: (row) => String(row.fiscal_year) },
  { head: "Ticker", align: "left", rank: 0, cell: (row) => row.ticker },
  { head: "Executive", align: "left", rank: 0, cell: (row) => row.executive_name },
  { head: "Total", align: "right", rank: 0, cell: (row) => formatAmountCell(row.total_compensation) },
  { head: "Office", align: "left", rank: 1, cell: officeOf },
  { head: "Company", align: "left", rank: 3, cell: (row) => row.company_name },
  ...AMOUNTS.filter((name) => name !== "total_compensation" && name !== "unknown_component").map(
    (name): TextColumn<ExecutiveCompensation> => ({
      head: AMOUNT_FIELD[name].shortLabel,
      align: "right",
      rank: 4,
      cell: (row) => formatAmountCell(row[name]),
    }),
  ),
  { head: "Filing", align: "left", rank: 2, cell: ({ source }) => `${source.form} ${source.accession}` },
];

function countsTold({ matched, next_cursor: next, not_found: unknown, ...index }: QueryAnswer): string[] {
  const partial = matched.incomplete_company_years;
  return [
    `${matched.rows} ${matched.rows === 1 ? "row" : "rows"} of ${matched.companies} ${matched.companies === 1 ? "company" : "companies"} matched; ${partial} of ${matched.company_years} company-years are partial.`,
    ...(index.index_members === undefined
      ? []
      : [`Of ${index.index_members} index members, ${index.index_members_without_rows ?? 0} have no rows.`]),
    ...(unknown.length === 0 ? [] : [`Not found: ${unknown.join(", ")}.`]),
    ...(next === null ? [] : [`More rows: --cursor ${next}`]),
  ];
}
