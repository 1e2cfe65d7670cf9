import type { FoundCompany } from "../../operations/companies.ts";
import { command } from "../command.ts";
import { findTypedPeople, type TypedPerson } from "../../operations/people.ts";
import { yearsText } from "./hints.ts";
import { callOperation, withServices } from "./questions.ts";
import { OUTPUT_FLAGS, printAnswer } from "../output.ts";
import type { TextColumn } from "../text-table.ts";
import { openDataset } from "../../dataset/snapshots.ts";

/** `execcomp find WORDS` */
export const find = command({
  name: "find",
  summary:
    "Find companies by name, former name, symbol or CIK, and people by name; tolerates typing mistakes.",
  operands: [{ name: "WORDS", about: "Words of the name of a company or a person.", many: true }],
  flags: {
    maxRows: { value: "N", about: "Maximum number of companies, 1 to 100; default 10." },
    ...OUTPUT_FLAGS,
  },
  examples: [
    ["find facebook", "By a former name."],
    ["find j p morgan", "With spaces between the initials."],
    ["find tim coo", "A person, by half a name."],
  ],
  async run({ flags, operands }, io) {
    const parameters = new Map([["q", [operands.join(" ")]]]);
    if (flags.maxRows !== undefined) parameters.set("max_rows", [flags.maxRows]);
    const answer = await callOperation(io, "companies", parameters);
    const { companies } = answer;
    await printAnswer(io, flags, answer, { rows: companies, columns: COLUMNS, none: "No company found." });
    const people = await withServices(io, ({ snapshots, analyst }) =>
      findTypedPeople(snapshots.current(), analyst, operands.join(" "), MAX_PEOPLE),
    );
    for (const person of people) io.note(personText(person));
    return companies.length + people.length === 0 ? 1 : 0;
  },
});

const MAX_PEOPLE = 5;

/** A person, and the command that shows what they were paid. */
function personText({ name, companyName, ticker, cik, executiveId, years }: TypedPerson): string {
  const company = ticker === "" ? `--cik ${cik}` : `--ticker ${ticker}`;
  const all =
    executiveId === null
      ? `execcomp ceo-pay ${company} --fiscal-year-gte 0`
      : `execcomp query ${company} --executive-id ${executiveId} --fiscal-year-gte 0`;
  return `${name}, ${companyName}, ${yearsText(years)}: ${all}`;
}

const COLUMNS: readonly TextColumn<FoundCompany>[] = [
  { head: "Ticker", cell: ({ ticker }) => ticker },
  { head: "Company", cell: ({ company_name: name }) => name },
  { head: "CIK", rank: 2, cell: ({ cik }) => cik },
  { head: "Fiscal years", cell: ({ fiscal_years: years }) => yearRange(years) },
  { head: "Sector", rank: 2, cell: ({ sector }) => sector ?? "" },
  { head: "Former names", rank: 3, cell: ({ former_names: names }) => names.join(", ") },
];

/** `2019-2025` */
function yearRange(years: readonly number[]): string {
  const [newest] = years;
  const oldest = years.at(-1);
  if (newest === undefined || oldest === undefined) return "none loaded";
  return newest === oldest ? String(newest) : `${oldest}-${newest}`;
}

/** Example queries. */
const QUESTIONS = [
  ["show apple", "a company, by symbol or name"],
  ["find facebook", "by former names, too"],
  ["query --office pfo --fiscal-year 2024", "the highest-paid CFOs"],
  ["stats --office peo --group-by sector", "medians, percentiles"],
  ["compare AAPL MSFT GOOGL", "CEOs side by side"],
  ['sql "SELECT …"', "anything else"],
  ["explain AAPL 2025 tim-cook salary", "the cell an amount is from"],
  ["coverage", "what is loaded"],
] as const;

const SERVING = [
  ["serve", "REST, MCP and pages"],
  ["mcp", "for an assistant here"],
  ["help", "all commands and flags"],
] as const;

/** Shown when `execcomp` is typed on a terminal without arguments. */
export const welcome = command({
  name: "welcome",
  summary: "Say what can be asked.",
  async run(_given, io) {
    const { rows, companiesWithRows, edition } = openDataset(io.loaded.config.dataDir).info;
    const linesOf = (lines: readonly (readonly [string, string])[]) =>
      lines.map(([line, about]) => `  execcomp ${line.padEnd(40)}${about}`);
    io.print(
      [
        "What public companies paid their named executive officers, from their filings:",
        `${rows.toLocaleString("en-US")} rows from ${companiesWithRows.toLocaleString("en-US")} companies, edition ${edition}.`,
        "",
        "Ask:",
        ...linesOf(QUESTIONS),
        "",
        "Or:",
        ...linesOf(SERVING),
      ].join("\n"),
    );
  },
});
