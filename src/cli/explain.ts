import { formatAmount, unitsOf } from "../domain/amount.ts";
import { AMOUNTS, type AmountField } from "../domain/row-fields.ts";
import { normalizeCik, normalizeSymbol } from "../domain/company.ts";
import { nearest } from "../domain/nearest.ts";
import { OperatorError } from "../errors.ts";
import { requireCompany } from "../operations/company.ts";
import { amountSource, type AmountSource } from "../snapshot/detail.ts";
import { openDataset } from "../snapshot/snapshots.ts";
import { command, UsageError } from "./command.ts";

/** `execcomp explain TICKER YEAR ID FIELD` */
export const explain = command({
  name: "explain",
  summary: "Show where an amount comes from: the filer's table with the cell marked.",
  details:
    "The table is in the dataset, so nothing is fetched. Rows that were entered manually from the filing have no cell reference; the filing's address is printed instead.",
  operands: [
    { name: "TICKER", about: "A ticker symbol in any spelling, or a CIK." },
    { name: "YEAR", about: "The fiscal year." },
    { name: "ID", about: "The executive's id, such as tim-cook." },
    { name: "FIELD", about: `One of ${AMOUNTS.join(", ")}.` },
  ],
  flags: {},
  settings: [],
  examples: [
    ["explain AAPL 2025 tim-cook salary", "The cell of Tim Cook's salary."],
    ["explain F 2025 james-farley total_compensation --json", "The same for scripts."],
  ],
  async run({ operands: [asked = "", year = "", id = "", named = ""] }, io) {
    if (!/^\d{4}$/.test(year))
      throw new UsageError(`Cannot read YEAR ${JSON.stringify(year)}: expected a fiscal year such as 2025.`);
    const field = AMOUNTS.find((one) => one === named);
    if (field === undefined) {
      const meant = nearest(named, AMOUNTS);
      throw new UsageError(
        `Cannot read FIELD ${JSON.stringify(named)}: expected one of ${AMOUNTS.join(", ")}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
      );
    }
    const { dataDir } = io.loaded.config;
    const dataset = openDataset(dataDir);
    const cik = /\d/.test(asked) ? normalizeCik(asked) : undefined;
    const query = cik === undefined ? { ticker: normalizeSymbol(asked) } : { cik };
    const company = requireCompany(dataset, query, { kind: "operator" }, null);
    const source = amountSource(dataset, company.cik, Number(year), id, field);
    if (source === undefined)
      throw new OperatorError(`No row for ${id} in ${year} at ${company.name}. See: execcomp show ${asked}`);
    if (io.json) io.printJson(toJson(field, source));
    else for (const line of describe(field, source)) io.print(line);
    return 0;
  },
});

function toJson(field: AmountField, { filing, observation, cells, grid }: AmountSource): object {
  return {
    field,
    amount: unitsOf(observation.amounts[field]),
    filing: {
      accession: filing.accession,
      form: filing.form,
      filing_date: filing.filingDate,
      filing_url: filing.url,
    },
    read: filing.read,
    cells: cells.map(({ cell: [table, row, column, raw], caption }) => ({
      table,
      row,
      column,
      raw,
      caption,
    })),
    table: grid.map(({ table, row, caption, cells: texts }) => ({ table, row, caption, cells: texts })),
  };
}

function* describe(
  field: AmountField,
  { filing, observation, cells, grid }: AmountSource,
): Generator<string> {
  const amount = formatAmount(unitsOf(observation.amounts[field]));
  yield `${field} of ${observation.name}, ${observation.fiscalYear}: ${amount}`;
  yield `from ${filing.form ?? "a filing"} ${filing.accession}${filing.filingDate === null ? "" : `, filed ${filing.filingDate}`}`;
  if (filing.url !== null) yield filing.url;
  if (observation.cells === null) {
    yield "Entered manually from the filing; no cell reference. See the filing's Summary Compensation Table.";
    return;
  }
  if (cells.length === 0) {
    yield observation.amounts[field] === 0
      ? "No cell: the filer's table has no column for it, which means 0."
      : "No cell: it is the difference between the printed total and the sum of the other columns.";
    return;
  }
  for (const { cell, caption } of cells)
    yield `cell: table ${cell[0]}, row ${cell[1]}, column ${cell[2]}, under "${caption}": "${cell[3]}"`;
  yield "";
  yield* tableOf(cells, grid);
}

/** The filer's table with the cell in `>> <<`; columns as wide as they need, at most 28 characters. */
function* tableOf(cells: AmountSource["cells"], grid: AmountSource["grid"]): Generator<string> {
  const marked = new Set(cells.map(({ cell: [table, row, column] }) => `${table} ${row} ${column}`));
  const columns = [...new Set(grid.flatMap((line) => line.cells.map(([column]) => column)))].sort(
    (a, b) => a - b,
  );
  const shown = grid.map((line) => {
    const texts = new Map(
      line.cells.map(([column, text]) => [
        column,
        marked.has(`${line.table} ${line.row} ${column}`) ? `>>${text}<<` : shorten(text),
      ]),
    );
    return { line, texts };
  });
  const widths = new Map(
    columns.map((column) => [column, Math.max(...shown.map(({ texts }) => texts.get(column)?.length ?? 0))]),
  );
  let before = true;
  for (const { line, texts } of shown) {
    if (before && !line.caption)
      yield "-".repeat(
        Math.min(
          160,
          [...widths.values()].reduce((sum, width) => sum + width + 1, 0),
        ),
      );
    before = line.caption;
    yield columns
      .map((column) => (texts.get(column) ?? "").padEnd(widths.get(column) ?? 0))
      .join(" ")
      .trimEnd();
  }
}

function shorten(text: string): string {
  return text.length > 28 ? `${text.slice(0, 27)}…` : text;
}
