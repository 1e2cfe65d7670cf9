import { formatAmount } from "../../domain/amount.ts";
import { AMOUNT_FIELD, type AmountField, type ExecutiveCompensation } from "../../domain/row-fields.ts";
import { type Html, html } from "../../html.ts";
import type { AmountSource, PageCompany, Remark } from "../../operations/page-data.ts";
import { filingLink, pathOf } from "./parts.ts";

/** Data of the page of one amount. */
export interface SourceView {
  found: PageCompany;
  row: ExecutiveCompensation;
  field: AmountField;
  source: AmountSource;
  remarks: readonly Remark[];
  /** Shown in place of the other years of the filer's table; null where the viewer may see them. */
  offer: Html | null;
}

/** Where one amount was read: the filer's own table with its source cells marked. */
export function sourceMain({ found, row, field, source, remarks, offer }: SourceView): Html {
  const label = AMOUNT_FIELD[field].label;
  const person = `${pathOf(found)}/${row.fiscal_year}/${row.executive_id}`;
  return html`<h1>${label}: ${formatAmount(row[field])}</h1>
    <p class="soft">
      <a href="${person}">${row.executive_name}</a>, fiscal ${row.fiscal_year},
      <a href="${pathOf(found)}">${found.company.name}</a>, ${row.reporting_currency}
    </p>
    <p>From the ${filingLink(row)}, accession number ${row.source.accession}.</p>
    ${readFrom(field, source)} ${remarks.map(({ message }) => html`<p class="note">${message}</p>`)}
    ${filersTable(offer === null ? source : cellsAlone(source))} ${offer} ${checks(source)}`;
}

/** The source with only the header and the cells that were read: the rest of the table may belong to other years. */
function cellsAlone({ cells, grid, ...source }: AmountSource): AmountSource {
  const lines = grid.flatMap((line): typeof grid => {
    if (line.caption) return [line];
    const read = cells.filter(({ cell: [table, row] }) => table === line.table && row === line.row);
    // As read: one cell of the table may contain the amounts of several years.
    const texts = read.map(({ cell: [, , column, raw] }) => [column, raw] as const);
    return texts.length === 0 ? [] : [{ ...line, cells: texts }];
  });
  return { ...source, cells, grid: lines };
}

function readFrom(field: AmountField, { cells, observation }: AmountSource): Html {
  if (cells.length > 0) {
    return html`<p>
      Read from
      ${cells.map(
        ({ cell: [, row, column, raw], caption }, index) =>
          html`${index > 0 && ", "}<q>${raw}</q> in row ${row + 1}, column
            ${column + 1}${caption !== "" && html` under <q>${caption}</q>`}`,
      )}.
    </p>`;
  }
  if (observation.cells === null) {
    return html`<p class="note">Entered manually from the filing; no cell reference.</p>`;
  }
  if (field === "unknown_component") {
    return html`<p>Calculated: the printed total minus the seven components that were read.</p>`;
  }
  return html`<p>
    No cell reference: the filer's table has no column for this amount, or the cell is empty.
  </p>`;
}

function checks({ observation }: AmountSource): Html | false {
  if (observation.checks.length === 0) return false;
  return html`<h2>Checks that this row passed</h2>
    <ul>
      ${observation.checks.map((name) => html`<li>${CHECKS[name] ?? name.replaceAll("_", " ")}</li>`)}
    </ul>`;
}

/** What each check means. */
const CHECKS: Readonly<Record<string, string>> = {
  sum: "The components add up to the printed total.",
  sum_to_total: "The components add up to the printed total.",
  not_doubled: "No amount was read twice.",
  header_grid: "Every amount is under its column header.",
  ecd_peo_total: "The total matches the one the filing tags for its principal executive officer.",
  ecd_average:
    "The total is consistent with the average the filing tags for its other named executive officers.",
};

/** Matches an amount or a year: on paper these do not wrap. */
const ONE_WORD = /^\s*\(?[^\s\p{L}()]{1,20}\)?\s*$/u;

/** The dataset's copy of the table, with the cells of this amount marked. */
function filersTable({ grid, cells }: AmountSource): Html | false {
  if (grid.length === 0) return false;
  const marked = new Set(cells.map(({ cell: [table, row, column] }) => `${table}:${row}:${column}`));
  const tables = [...new Set(grid.map(({ table }) => table))];
  return html`<h2>The filer's own table</h2>
    ${tables.map((table) => {
      const lines = grid.filter((line) => line.table === table);
      // Columns that are empty (spacers in print) would only push the last ones out of sight.
      const filled = new Set(
        lines.flatMap((line) => line.cells.flatMap(([at, text]) => (text.trim() === "" ? [] : [at]))),
      );
      const columns = [...filled].toSorted((a, b) => a - b);
      return html`<div class="scroll">
        <table class="filer">
          <caption>
            As printed in the filing
          </caption>
          <tbody>
            ${lines.map((line) => {
              const texts = new Map(line.cells);
              const name = line.caption ? "caption" : "";
              return html`<tr class="${name}">
                ${columns.map((column) => {
                  const text = texts.get(column) ?? "";
                  const whole = ONE_WORD.test(text) ? "whole" : "";
                  return marked.has(`${table}:${line.row}:${column}`)
                    ? html`<td class="marked ${whole}"><mark id="cell">${text}</mark></td>`
                    : html`<td class="${whole}">${text}</td>`;
                })}
              </tr>`;
            })}
          </tbody>
        </table>
      </div>`;
    })}`;
}
