/** One amount: the cell that it was read from, or that it was typed; its checks; how to cite it. */
import { evidenceOf } from "../../dataset/record.ts";
import { companyName } from "../../domain/company-name.ts";
import { formatAmount } from "../../domain/amount.ts";
import {
  AMOUNT_FIELD,
  AMOUNTS,
  type AmountField,
  COMPONENTS,
  type ExecutiveCompensation as Row,
} from "../../domain/row-fields.ts";
import { type Html, html } from "../../lib/html.ts";
import { amountSource, type AmountSource, type HistoryEntry, readHistory } from "../../dataset/detail.ts";
import { rowRemarks } from "../../dataset/remarks.ts";
import { readRowRequest, type RowRequest, segmentOf } from "./company-request.ts";
import type { PageVisit } from "../page-visit.ts";
import { noPage } from "../refusals.ts";
import { show } from "../page-response.ts";
import { filingCitation, titleRow } from "../citation.ts";
import { paywall } from "../paywall.ts";
import { amountPath, pathOf, rowPath } from "../parts/addresses.ts";
import { money } from "../parts/amounts.ts";
import { firstOf, linkOut } from "../parts/elements.ts";
import { smallTable } from "../parts/tables.ts";

/** `/t/{ticker}/{year}/{executive}/{field}`, and the same by CIK. */
export async function showAmount(visit: PageVisit): Promise<Response> {
  const requested = await readRowRequest(visit);
  if (requested instanceof Response) return requested;
  const { viewer, dataset, origin, found, row } = requested;
  const { company } = found;
  const named = segmentOf(visit, 5);
  const field = AMOUNTS.find((name) => name === named);
  const source = field && amountSource(dataset, company.cik, row.fiscal_year, row.executive_id, field);
  if (field === undefined || source === undefined)
    throw noPage(companyName(company.name), `There is no amount named ${named}.`);
  const canonical = origin + amountPath({ ...row, ticker: found.ticker }, field);
  return show(viewer, {
    title: `${AMOUNT_FIELD[field].label} of ${row.executive_name}, fiscal ${row.fiscal_year}`,
    description: `Where this amount of ${companyName(company.name)} comes from: filing, cell if recorded, checks.`,
    canonical,
    main: sourceMain({ ...requested, field, source }, canonical),
  });
}

/** One amount of a row. */
type SourceView = RowRequest & { field: AmountField; source: AmountSource };

function sourceMain(view: SourceView, address: string): Html {
  const { found, row, field, source, dataset, isOpen, back } = view;
  const { cik } = found.company;
  const { label } = AMOUNT_FIELD[field];
  const person = rowPath({ ...row, ticker: found.ticker });
  const evidence = evidenceOf(source.filing, source.observation);
  const isTyped = evidence !== "linked";
  const isLinked = source.cells.length > 0;
  // A row that is linked to cells may have amounts without one.
  const [mark, legend] = isLinked
    ? ["dot", "Checked against its cell"]
    : evidence === "collected"
      ? ["dot collected", "Collected by others, not checked"]
      : isTyped
        ? ["dot typed", "Typed from the filing"]
        : ["", "Without a cell of its own"];
  const { form, filing_date: date, accession, filing_url: link } = row.source;
  const share = row.total_compensation > 0 && field !== "total_compensation";
  const amount = money(row[field], row.reporting_currency);
  const what = `${row.executive_name}, Summary Compensation Table, ${label.toLowerCase()}, fiscal year ${row.fiscal_year}: ${amount}`;
  const title = html`<div>
    <p class="eyebrow">
      <i class="${mark}"></i>
      ${legend}
    </p>
    <h1><span class="away">${label}: </span>${amount}</h1>
    <p>
      ${label} of ${row.executive_name}${row.executive_role !== null && `, ${row.executive_role},`} at
      ${companyName(found.company.name)} in fiscal
      ${row.fiscal_year}${share && `; ${Math.round((row[field] / row.total_compensation) * 100)}% of the total of ${formatAmount(row.total_compensation)}`}.
    </p>
  </div>`;
  return html`<p class="soft">
      <a href="${pathOf(found)}">${companyName(found.company.name)}</a> ›
      <a href="${person}">${row.executive_name}, fiscal ${row.fiscal_year}</a> › ${label}
    </p>
    ${titleRow(title, html``, filingCitation(row, what, dataset.info.edition, address))}
    <h2>${isLinked ? "The cell in the filing" : "Where it comes from"}</h2>
    ${readFrom(field, source)}
    <p>
      ${linkOut(link, `Open the ${form} of ${date ?? "unknown date"}`)}${isTyped && html` and search for <code>${formatAmount(row[field])}</code>`}.
      <span class="soft whole">Accession ${accession}</span>
    </p>
    ${rowRemarks(dataset, [cik])(row).map(({ message }) => html`<p class="note">${message}</p>`)}
    ${filersTable(isOpen ? source : cellsAlone(source))}
    ${!isOpen && paywall(view, "the whole table, which includes other fiscal years", back)}
    <div class="columns">
      <section>${checks(view)}</section>
      <section>${otherFilings(readHistory(dataset, cik, row.fiscal_year, row.executive_id), field)}</section>
      <section>${wholeRow(row, field)}</section>
    </div>`;
}

/** What every filing prints for the amount. */
function otherFilings(printed: readonly HistoryEntry[], field: AmountField): Html {
  const lines = printed.map(({ filing, amounts, served }) => [
    html`<span class="whole">${linkOut(filing.url, filing.filingDate ?? filing.accession)}</span>`,
    html`${filing.form}${served && html` <span class="soft">shown here</span>`}`,
    formatAmount(amounts[field]),
  ]);
  return html`<h2>Filings that print it</h2>
    ${smallTable(["Filed", "Form"], ["Amount"], lines)}`;
}

/** The other amounts of the row. */
function wholeRow(row: Row, field: AmountField): Html {
  const shown = AMOUNTS.filter((name) => row[name] !== 0 || name === field || name === "total_compensation");
  const lines = shown.map((name) => {
    const link = html`<a href="${amountPath(row, name)}">${formatAmount(row[name])}</a>`;
    const isBold = name === field || name === "total_compensation";
    return [AMOUNT_FIELD[name].label, isBold ? html`<b>${link}</b>` : link];
  });
  return html`<h2>The whole year</h2>
    ${smallTable(["Component"], ["Amount"], lines)}`;
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

function readFrom(field: AmountField, { cells, observation, filing }: AmountSource): Html {
  if (cells.length > 0) {
    const places = cells.map(
      ({ cell: [, row, column, raw], caption }) =>
        html`<q>${raw}</q> in row ${row + 1}, column
          ${column + 1}${caption !== "" && html` under <q>${caption}</q>`}`,
    );
    return html`<p>Read from ${firstOf(places)}.</p>`;
  }
  if (observation.cells === null)
    // Of a collected amount the remarks below say it.
    return filing.read === "collected"
      ? html``
      : html`<p class="note">
          A person read this amount in the filing and typed it; which cell it was is not recorded.
        </p>`;
  if (field === "unknown_component")
    return html`<p>Calculated: the printed total minus the seven components that were read.</p>`;
  return html`<p>
    No cell reference: the filer's table has no column for this amount, or the cell is empty.
  </p>`;
}

/** What was checked, and what was not. */
function checks({ source: { observation }, row }: SourceView): Html {
  const parts = COMPONENTS.filter((name) => row[name] !== 0).map((name) => formatAmount(row[name]));
  const sum =
    parts.length > 0
      ? html`<br /><span class="soft">${parts.join(" + ")} = ${formatAmount(row.total_compensation)}</span>`
      : "";
  const texts = [...new Set(observation.checks.map((name) => CHECKS[name] ?? name.replaceAll("_", " ")))];
  return html`<h2>Checks</h2>
    <ul class="checks">
      ${texts.map((text) => html`<li><span class="up">✓</span><span>${text}${text === CHECKS["sum"] && sum}</span></li>`)}
      ${texts.length === 0 && html`<li><span class="nil">–</span><span>None is recorded.</span></li>`}
      ${observation.cells === null && html`<li><span class="nil">–</span><span>Not compared with a cell: which one it was is not recorded.</span></li>`}
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
  const shown = Map.groupBy(grid, ({ table }) => table);
  return html`<h3>The filer's own table</h3>
    ${[...shown].map(([table, lines]) => {
      // Columns that are empty (spacers in print) would only push the last ones out of sight.
      const filled = lines.flatMap(({ cells: of }) => of.filter(([, text]) => text.trim() !== ""));
      const columns = [...new Set(filled.map(([at]) => at))].toSorted((a, b) => a - b);
      const cell = (row: number, column: number, text = "") => {
        const whole = ONE_WORD.test(text) ? "whole" : "";
        return marked.has(`${table}:${row}:${column}`)
          ? html`<td class="marked ${whole}"><mark id="cell">${text}</mark></td>`
          : html`<td class="${whole}">${text}</td>`;
      };
      return html`<div class="scroll" tabindex="0" role="region" aria-label="The filer's own table">
        <table class="filer">
          <caption>
            As printed in the filing
          </caption>
          <tbody>
            ${lines.map(({ row, caption, cells: of }) => {
              const texts = new Map(of);
              return html`<tr class="${caption && "caption"}">
                ${columns.map((column) => cell(row, column, texts.get(column)))}
              </tr>`;
            })}
          </tbody>
        </table>
      </div>`;
    })}`;
}
