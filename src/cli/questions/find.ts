import type { CsvCell } from "../../lib/csv.ts";
import { shellWord } from "../../lib/text.ts";
import type { FoundCompany } from "../../operations/companies.ts";
import { command } from "../command.ts";
import { findTypedPeople, type TypedPerson } from "../../operations/people.ts";
import { callOperation, withServices } from "./questions.ts";
import { OUTPUT_FLAGS, printAnswer } from "../output.ts";
import { markdownTable, type TextColumn, textTable } from "../../lib/text-table.ts";
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
    ["find tim coo", "A person, by part of a name."],
  ],
  async run({ flags, operands }, io) {
    const words = operands.join(" ");
    const parameters = new Map([["q", [words]]]);
    if (flags.maxRows !== undefined) parameters.set("max_rows", [flags.maxRows]);
    const { companies } = await callOperation(io, "companies", parameters);
    const found = await withServices(io, ({ snapshots, analyst }) =>
      findTypedPeople(snapshots.current(), analyst, words, MAX_PEOPLE),
    );
    const people = found.map(personJson);
    const has = hasAll(words);
    const isPerson =
      people.some(({ executive_name: name }) => has(name)) &&
      !companies.some((one) => has([one.ticker, one.cik, one.company_name, ...one.former_names].join(" ")));
    const tableOf = (table: <T>(columns: readonly TextColumn<T>[], rows: readonly T[]) => string) => {
      const tables = [
        companies.length > 0 && table(COLUMNS, companies),
        people.length > 0 && table(PEOPLE_COLUMNS, people),
      ].filter((text) => text !== false);
      // Companies whose names are merely similar come after the person who is meant.
      return (isPerson ? tables.toReversed() : tables).join("\n\n") || "No company or person found.";
    };
    const rows: (FoundCompany | PersonJson)[] = [...companies, ...people];
    const format = await printAnswer(
      io,
      flags,
      { companies, people },
      {
        rows,
        columns: [],
        none: "",
        csv: () => [CSV_COLUMNS, ...rows.map(csvLine)],
        texts: {
          table: (width, style) => tableOf((columns, lines) => textTable(columns, lines, width, style)),
          md: () => tableOf(markdownTable),
        },
      },
    );
    if (format === "table") for (const person of people) io.note(`To see it: ${questionOf(person)}`);
    if (rows.length > 0) return 0;
    if (format !== "json")
      io.note(
        words.includes(",")
          ? `One name at a time. For several companies: execcomp compare ${shellWord(words)}`
          : "Try fewer or other words. Companies with rows: execcomp coverage",
      );
    return 1;
  },
});

const MAX_PEOPLE = 5;

/** Whether a text has all the words as they were typed, in any case. */
function hasAll(words: string): (text: string) => boolean {
  const typed = words.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => typed.every((word) => text.toLowerCase().includes(word));
}

/** A person of one company. */
function personJson({ name, companyName, ticker, cik, executiveId, years }: TypedPerson) {
  return {
    ticker,
    cik,
    company_name: companyName,
    executive_id: executiveId,
    executive_name: name,
    fiscal_years: years,
  };
}

type PersonJson = ReturnType<typeof personJson>;

/** The command that shows what a person was paid. */
function questionOf({ ticker, cik, executive_id: id }: PersonJson): string {
  const company = ticker === "" ? `--cik ${cik}` : `--ticker ${ticker}`;
  // Somebody known only from a tagged total has no row.
  return id === null
    ? `execcomp ceo-pay ${company} --fiscal-year-gte 0`
    : `execcomp query ${company} --executive-id ${id} --fiscal-year-gte 0 --sort -fiscal_year`;
}

const PEOPLE_COLUMNS: readonly TextColumn<PersonJson>[] = [
  { head: "Ticker", cell: ({ ticker }) => ticker },
  { head: "Executive", cell: ({ executive_name: name }) => name },
  { head: "Company", cell: ({ company_name: name }) => name },
  { head: "Fiscal years", cell: ({ fiscal_years: years }) => yearRange(years) },
  { head: "Executive id", rank: 1, cell: ({ executive_id: id }) => id ?? "" },
  { head: "CIK", rank: 2, cell: ({ cik }) => cik },
];

const CSV_COLUMNS = [
  "ticker",
  "cik",
  "company_name",
  "executive_id",
  "executive_name",
  "fiscal_years",
  "sector",
  "former_names",
];

function csvLine(row: FoundCompany | PersonJson): CsvCell[] {
  const person = "executive_id" in row ? row : null;
  const company = "sector" in row ? row : null;
  return [
    row.ticker,
    row.cik,
    row.company_name,
    person?.executive_id ?? null,
    person?.executive_name ?? null,
    row.fiscal_years.join(" "),
    company?.sector ?? null,
    company?.former_names.join("; ") ?? null,
  ];
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
  if (newest === undefined || oldest === undefined) return "none yet";
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
  ["coverage", "what is covered"],
] as const;

const SERVING = [
  ["serve", "REST, MCP and pages"],
  ["mcp", "for an assistant here"],
  ["help", "all commands and flags"],
] as const;

/** Shown when `execcomp` is typed on a terminal without arguments. */
export const welcome = command({
  name: "welcome",
  summary: "Show what to ask.",
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
