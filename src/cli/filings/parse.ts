import { writeFileSync } from "node:fs";
import type { CsvCell } from "../../lib/csv.ts";
import { formatAmount, unitsOf } from "../../domain/amount.ts";
import { AMOUNTS, type AmountField, COMPONENTS } from "../../domain/row-fields.ts";
import { OperatorError, messageOf } from "../../errors.ts";
import { WorkerPool } from "../../ingest/worker-pool.ts";
import { type ParsedFiling, type ParsedRow, REFUSALS, type TableCopy } from "../../reader/parsed-filing.ts";
import { command } from "../command.ts";
import { OUTPUT_FLAGS, printAnswer } from "../output.ts";
import { printable, type TextColumn, wrapped } from "../../lib/text-table.ts";
import { Html, html } from "../../lib/html.ts";
import style from "./parse.css" with { type: "text" };

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
    ...OUTPUT_FLAGS,
  },
  examples: [
    ["parse aapl-20260108.htm", "Rows, checks and problems."],
    ["parse aapl-20260108.htm --json", "The same for scripts."],
    ["parse aapl-20260108.htm --format csv --out aapl.csv", "The rows, for a spreadsheet."],
    ["parse aapl-20260108.htm --html page.html", "The original table in color, for a browser."],
  ],
  async run({ flags, operands: [file = ""] }, io) {
    // In a worker, which has a time limit per document.
    using pool = new WorkerPool(1);
    const parsed = await pool.read(await readBytes(file), {});
    if (flags.html !== undefined) {
      writeFileSync(flags.html, parsePage(file, parsed));
      io.note(`wrote ${flags.html}`);
    }
    const answer = toJson(parsed);
    const format = await printAnswer(io, flags, answer, {
      rows: answer.rows,
      columns: COLUMNS,
      none: "",
      csv: () => [
        COLUMNS.map(({ head }) => head),
        ...answer.rows.map((row) => CSV_FIELDS.map((of) => of(row))),
      ],
      texts: {
        table: (width) =>
          [...report(parsed)].map((line) => wrapped(printable(line), width, "      ")).join("\n"),
      },
    });
    if (answer.reason !== null && format !== "table" && format !== "json")
      io.note(`refused  ${answer.reason}`);
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
function toJson(parsed: ParsedFiling) {
  return {
    status: parsed.status,
    reason: parsed.reason === null ? null : reasonOf(parsed),
    rows: parsed.rows.filter((row) => !row.placeholder).map(rowJson),
    problems: parsed.problems,
  };
}

function reasonOf(parsed: ParsedFiling): string {
  const words = parsed.reason === null ? "" : REFUSALS[parsed.reason];
  return `${parsed.reason ?? ""}: ${words}${parsed.reasonDetail === null ? "" : ` (${parsed.reasonDetail})`}`;
}

function rowJson(row: ParsedRow) {
  return {
    executive_id: row.executive_id,
    executive_name: row.executive_name,
    executive_role: row.executive_role,
    fiscal_year: row.fiscal_year,
    reporting_currency: row.reporting_currency,
    // Made from the names of all amounts.
    ...(Object.fromEntries(AMOUNTS.map((field) => [field, unitsOf(row.amounts[field])])) as Record<
      AmountField,
      number
    >),
    is_peo: row.is_peo,
    is_pfo: row.is_pfo,
    checks: row.checks,
    peo_evidence: row.peoEvidence,
    pfo_evidence: row.pfoEvidence,
    unknown_reason: row.unknownReason,
    cells: row.cells,
    problems: row.problems,
  };
}

type RowJson = ReturnType<typeof rowJson>;

/** The columns of rows in files. */
const FILE_COLUMNS: readonly (readonly [head: string, of: (row: RowJson) => CsvCell])[] = [
  ["executive_id", (row) => row.executive_id],
  ["executive_name", (row) => row.executive_name],
  ["executive_role", (row) => row.executive_role],
  ["fiscal_year", (row) => row.fiscal_year],
  ["reporting_currency", (row) => row.reporting_currency],
  ...AMOUNTS.map((field) => [field, (row: RowJson) => row[field]] as const),
  ["is_peo", (row) => row.is_peo],
  ["is_pfo", (row) => row.is_pfo],
  ["problems", (row) => row.problems.map(({ code }) => code).join(" ")],
];
const CSV_FIELDS = FILE_COLUMNS.map(([, of]) => of);
const COLUMNS = FILE_COLUMNS.map(([head, of]): TextColumn<RowJson> => ({
  head,
  cell: (row) => String(of(row) ?? ""),
}));

function* report(parsed: ParsedFiling): Generator<string> {
  const { facts } = parsed;
  yield [facts.companyName, facts.form, facts.accession, facts.fiscalYearEnd]
    .filter((part) => part !== null)
    .join("  ") || "unidentified document";
  if (parsed.status === "refused") yield `refused  ${reasonOf(parsed)}`;
  for (const problem of parsed.problems) yield `problem  ${problem.code}: ${problem.message}`;
  for (const row of parsed.rows) {
    const flags = [row.is_peo && "PEO", row.is_pfo && "PFO", row.placeholder && "placeholder"]
      .filter((flag) => flag !== false)
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

/** A self-contained page: the filer's table with each source cell in the colour of its field, and the problems next to it. */
function parsePage(file: string, parsed: ParsedFiling): string {
  const used = fieldsByCell(parsed.rows);
  const reason =
    parsed.reason === null
      ? null
      : html`<p class="refused">
          <b>Refused:</b> ${REFUSALS[parsed.reason]} (${parsed.reasonDetail ?? parsed.reason})
        </p>`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${file}</title>
        <style>
          ${new Html(style)}
        </style>
      </head>
      <body>
        <h1>${parsed.facts.companyName ?? file}</h1>
        <p>
          ${[parsed.facts.form, parsed.facts.accession, parsed.facts.fiscalYearEnd, file].filter((part) => part !== null).join(" · ")}
        </p>
        ${reason}
        <p class="key">${AMOUNTS.map((field) => html`<span class="${field}">${field}</span>`)}</p>
        <main>
          <section class="wide">
            <h2>The filer's table</h2>
            ${parsed.tables.map((table) => tableOf(table, used))}
          </section>
          <section>
            <h2>Problems</h2>
            ${problemsOf(parsed)}
          </section>
        </main>
        <section class="wide">
          <h2>Rows</h2>
          ${rowsOf(parsed.rows)}
        </section>
      </body>
    </html>`;
  return page.text;
}

type Used = ReadonlyMap<string, { field: AmountField; caption: string }>;

function fieldsByCell(rows: readonly ParsedRow[]): Used {
  const used = new Map<string, { field: AmountField; caption: string }>();
  for (const row of rows) {
    for (const field of AMOUNTS) {
      for (const cell of row.cells[field] ?? [])
        used.set(`${cell.table} ${cell.row} ${cell.column}`, { field, caption: cell.caption.join(" / ") });
    }
  }
  return used;
}

function tableOf(table: TableCopy, used: Used): Html {
  const captions = new Set(table.headerRows);
  const width = Math.max(0, ...table.rows.flatMap((cells) => cells.map(([column]) => column + 1)));
  const rows = table.rows.map((cells, row) => {
    if (cells.length === 0) return null;
    let at = 0;
    const shown = cells.map(([column, text], index) => {
      const gap = column > at ? html`<td colspan="${column - at}"></td>` : null;
      // A cell extends to the next non-empty one, the last cell to the edge of the table.
      const next = cells[index + 1]?.[0] ?? width;
      at = next;
      const field = used.get(`${table.table} ${row} ${column}`);
      return html`${gap}
        <td
          colspan="${Math.max(1, next - column)}"
          class="${field?.field}"
          title="${field === undefined ? "" : `${field.field}: ${field.caption}`}"
        >
          ${text}
        </td>`;
    });
    return html`<tr class="${captions.has(row) ? "caption" : ""}">
      ${shown}
    </tr>`;
  });
  return html`<h3>Table ${table.table}</h3>
    <table>
      ${rows}
    </table>`;
}

function rowsOf(rows: readonly ParsedRow[]): Html {
  const head = html`<tr class="caption">
    <td>Year</td>
    <td>Executive</td>
    <td>Role</td>
    ${AMOUNTS.map((field) => html`<td class="${field}">${field.replaceAll("_", " ")}</td>`)}
    <td>Office</td>
    <td>Checks</td>
  </tr>`;
  const body = rows.map(
    (row) =>
      html`<tr>
        <td>${row.fiscal_year}</td>
        <td>${row.executive_name}${row.placeholder ? " (placeholder)" : ""}</td>
        <td>${row.executive_role}</td>
        ${AMOUNTS.map((field) => html`<td class="num">${formatAmount(unitsOf(row.amounts[field]))}</td>`)}
        <td title="${row.peoEvidence.text} ${row.pfoEvidence.text}">
          ${[row.is_peo ? "PEO" : "", row.is_pfo ? "PFO" : ""].join(" ").trim()}
        </td>
        <td class="checks">
          ${row.checks.map((check) => `${check.agrees === true ? "✓" : check.agrees === false ? "✗" : "–"} ${check.check}`).join(", ")}
        </td>
      </tr>`,
  );
  return html`<table>
    ${head}${body}
  </table>`;
}

function problemsOf(parsed: ParsedFiling): Html {
  const all = [
    ...parsed.problems.map((problem) => ({ who: "the filing", problem })),
    ...parsed.rows.flatMap((row) =>
      row.problems.map((problem) => ({ who: `${row.executive_name} ${row.fiscal_year}`, problem })),
    ),
  ];
  if (all.length === 0) return html`<p>None.</p>`;
  return html`${all.map(({ who, problem }) => html`<p class="problem"><b>${problem.code}</b> (${who}): ${problem.message}</p>`)}`;
}
