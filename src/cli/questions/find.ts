import type { FoundCompany } from "../../operations/companies.ts";
import { command } from "../command.ts";
import { callOperation } from "./questions.ts";
import { printAnswer, OUTPUT_FLAGS } from "../output.ts";
import type { TextColumn } from "../text-table.ts";

/** `execcomp find WORDS` */
export const find = command({
  name: "find",
  summary: "Find companies by name, former name, symbol, former symbol or CIK; tolerates typing mistakes.",
  operands: [{ name: "WORDS", about: "Words of the company's name.", many: true }],
  flags: {
    maxRows: { value: "N", about: "Maximum number of companies, 1 to 100; default 10." },
    ...OUTPUT_FLAGS,
  },
  settings: [],
  examples: [
    ["find facebook", "By a former name."],
    ["find j p morgan", "With spaces between the initials."],
  ],
  async run({ flags, operands }, io) {
    const parameters = new Map([["q", [operands.join(" ")]]]);
    if (flags.maxRows !== undefined) parameters.set("max_rows", [flags.maxRows]);
    // The result type of the operation.
    const answer = (await callOperation(io, "companies", parameters)) as { companies: FoundCompany[] };
    const { companies } = answer;
    await printAnswer(io, flags, answer, { rows: companies, columns: COLUMNS, none: "No company found." });
    if (companies.length === 0)
      io.note("To search for a person: execcomp query --executive NAME --fiscal-year-gte 0");
    return companies.length === 0 ? 1 : 0;
  },
});

const COLUMNS: readonly TextColumn<FoundCompany>[] = [
  { head: "Ticker", align: "left", rank: 0, cell: ({ ticker }) => ticker },
  { head: "Company", align: "left", rank: 0, cell: ({ company_name: name }) => name },
  { head: "CIK", align: "left", rank: 1, cell: ({ cik }) => cik },
  { head: "Fiscal years", align: "left", rank: 1, cell: ({ fiscal_years: years }) => yearRange(years) },
  { head: "Sector", align: "left", rank: 2, cell: ({ sector }) => sector ?? "" },
  { head: "Former names", align: "left", rank: 3, cell: ({ former_names: names }) => names.join(", ") },
];

/** `2019-2025`; empty if there are none. */
function yearRange(years: readonly number[]): string {
  const [newest] = years;
  const oldest = years.at(-1);
  if (newest === undefined || oldest === undefined) return "";
  return newest === oldest ? String(newest) : `${oldest}-${newest}`;
}
