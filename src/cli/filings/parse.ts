import { writeFileSync } from "node:fs";
import { formatAmount, unitsOf } from "../../domain/amount.ts";
import { AMOUNTS, COMPONENTS } from "../../domain/row-fields.ts";
import { messageOf, OperatorError } from "../../errors.ts";
import { createWorkerPool } from "../../ingest/worker-pool.ts";
import { type ParsedFiling, type ParsedRow, REFUSALS, type ReadingProblem } from "../../reader/parsed.ts";
import { command } from "../command.ts";
import { parsePage } from "./parse-page.ts";

/** `execcomp parse FILE` */
export const parse = command({
  name: "parse",
  summary: "Read the Summary Compensation Table of one document.",
  details:
    "Reads only FILE: a proxy statement, annual report or prospectus as HTML, inline XBRL or text, or a full submission `.txt`. " +
    "A document without the table is refused with the reason and exit code 0; a file that cannot be read exits with 1. Stops after two minutes at most.",
  operands: [{ name: "FILE", about: "The document, as downloaded from EDGAR." }],
  flags: {
    html: {
      value: "FILE",
      about: "Also write a page: the filer's table, each cell in the color of its field.",
    },
  },
  settings: [],
  examples: [
    ["parse aapl-20260108.htm", "Rows, checks and problems."],
    ["parse aapl-20260108.htm --json", "The same for scripts."],
    ["parse aapl-20260108.htm --html page.html", "The original table in color, for a browser."],
  ],
  async run({ flags, operands: [file = ""] }, io) {
    // In a worker, which has a time limit per document.
    using pool = createWorkerPool(1);
    const parsed = await pool.read(await readBytes(file), {});
    if (flags.html !== undefined) {
      writeFileSync(flags.html, parsePage(file, parsed));
      io.note(`wrote ${flags.html}`);
    }
    if (io.json) io.printJson(toJson(parsed));
    else for (const line of report(parsed)) io.print(line, "      ");
    return 0;
  },
});

async function readBytes(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await Bun.file(file).arrayBuffer());
  } catch (cause) {
    throw new OperatorError(`Cannot read ${file}: ${messageOf(cause)}. Specify the path of a document.`);
  }
}

/** The format of `docs/contract.md`, "Command line": without placeholders, amounts in whole units. */
function toJson(parsed: ParsedFiling): object {
  return {
    status: parsed.status,
    reason: parsed.reason === null ? null : reasonOf(parsed),
    rows: parsed.rows.filter((row) => !row.placeholder).map(rowJson),
    problems: parsed.problems.map(problemJson),
  };
}

function reasonOf(parsed: ParsedFiling): string {
  const words = parsed.reason === null ? "" : REFUSALS[parsed.reason];
  return `${parsed.reason ?? ""}: ${words}${parsed.reasonDetail === null ? "" : ` (${parsed.reasonDetail})`}`;
}

function rowJson(row: ParsedRow): object {
  return {
    executive_id: row.executive_id,
    executive_name: row.executive_name,
    executive_role: row.executive_role,
    fiscal_year: row.fiscal_year,
    reporting_currency: row.reporting_currency,
    ...Object.fromEntries(AMOUNTS.map((field) => [field, unitsOf(row.amounts[field])])),
    is_peo: row.is_peo,
    is_pfo: row.is_pfo,
    checks: row.checks,
    peo_evidence: row.peoEvidence,
    pfo_evidence: row.pfoEvidence,
    unknown_reason: row.unknownReason,
    cells: row.cells,
    problems: row.problems.map(problemJson),
  };
}

function problemJson({ code, step, message, cell }: ReadingProblem): object {
  return { code, step, message, cell };
}

function* report(parsed: ParsedFiling): Generator<string> {
  const { facts } = parsed;
  yield [facts.companyName, facts.form, facts.accession, facts.fiscalYearEnd]
    .filter((part) => part !== null)
    .join("  ") || "unidentified document";
  if (parsed.status === "refused") yield `refused  ${reasonOf(parsed)}`;
  for (const problem of parsed.problems) yield `problem  ${problem.code}: ${problem.message}`;
  for (const row of parsed.rows) {
    const flags = [row.is_peo ? "PEO" : "", row.is_pfo ? "PFO" : "", row.placeholder ? "placeholder" : ""]
      .filter((flag) => flag !== "")
      .join(" ");
    yield "";
    yield `${row.fiscal_year}  ${row.executive_name}  ${row.executive_id}  ${flags}`.trimEnd();
    if (row.executive_role !== null) yield `      ${row.executive_role}`;
    const parts = COMPONENTS.filter((field) => row.amounts[field] !== 0).map(
      (field) => `${field} ${money(row.amounts[field])}`,
    );
    yield `      ${parts.length === 0 ? "nothing" : parts.join(" + ")} = ${money(row.amounts.total_compensation)} ${row.reporting_currency}`;
    const failed = row.checks.filter((check) => check.agrees === false).map((check) => check.check);
    const passed = row.checks.filter((check) => check.agrees === true).map((check) => check.check);
    yield `      checks: ${passed.join(", ") || "none"}${failed.length === 0 ? "" : `; failed: ${failed.join(", ")}`}`;
    for (const problem of row.problems) yield `      problem ${problem.code}: ${problem.message}`;
  }
}

function money(cents: number): string {
  return formatAmount(unitsOf(cents));
}
