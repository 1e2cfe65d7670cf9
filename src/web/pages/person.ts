import { figure } from "../../charts/frame.ts";
import { payMixChart } from "../../charts/pay-mix.ts";
import { formatAmountCell } from "../../domain/amount.ts";
import {
  AMOUNT_FIELD,
  AMOUNTS,
  type AmountField,
  type ExecutiveCompensation,
} from "../../domain/row-fields.ts";
import { type Html, html } from "../../html.ts";
import type { HistoryEntry, PageCompany, PrintedZeros, RemarksOf } from "../../operations/page-data.ts";
import { linkOut, notDrawn, offices, pathOf, payTable, rowNotes, shownAmounts, yearIn } from "./parts.ts";

/** Data of the person page. */
export interface PersonView {
  found: PageCompany;
  /** The row that was asked for. */
  row: ExecutiveCompensation;
  /** Every row of the person at the company, newest first; only the requested one where the viewer may not see the others. */
  rows: readonly ExecutiveCompensation[];
  /** What each loaded filing printed for the requested year, by filing date. */
  printed: readonly HistoryEntry[];
  /** Shown in place of the other years. */
  offer: Html | null;
  /** Which zero amounts the filing prints as a digit. */
  zeros: PrintedZeros;
  remarks: RemarksOf;
}

/** A person's years at a company, and what each filing printed for the requested year. */
export function personMain({ found, row, rows, printed, offer, zeros, remarks }: PersonView): Html {
  const { company } = found;
  const currency = row.reporting_currency;
  const drawn = rows.filter((one) => one.reporting_currency === currency);
  const mix = payMixChart({
    id: "mix",
    title: `Pay of ${row.executive_name} at ${company.name} by component, ${currency ?? ""}`,
    bars: drawn
      .toReversed()
      .map((one) => ({ label: String(one.fiscal_year), amounts: one, total: one.total_compensation })),
  });
  const table = payTable(rows, shownAmounts(rows), {
    caption: `${row.executive_name} at ${company.name} by fiscal year, ${currency ?? ""}`,
    heads: ["Fiscal year"],
    zeros,
    lead: (one) =>
      html`<th scope="row">
        ${yearIn(one, currency)}${offices(one)}<span class="soft role">${one.executive_role}</span>
        ${rowNotes(one, { zeros, remarks })}
      </th>`,
  });
  return html`<h1>${row.executive_name}</h1>
    <p class="soft"><a href="${pathOf(found)}">${company.name}</a> · ${row.executive_role}</p>
    ${drawn.length > 1 && drawn.some(({ total_compensation: total }) => total !== 0) && html`${figure(mix)} ${notDrawn(rows, currency)}`}
    ${table} ${offer}
    <h2>Fiscal ${row.fiscal_year} in every loaded filing</h2>
    ${printed.length > 1 && changed(printed) && html`<p class="warning">The filings differ: some amounts were restated.</p>`}
    <div class="scroll">${printedTable(printed)}</div>`;
}

/** Whether two filings printed different amounts. */
function changed(printed: readonly HistoryEntry[]): boolean {
  return AMOUNTS.some((name) => new Set(printed.map(({ amounts }) => amounts[name])).size > 1);
}

/** One column per filing, one line per amount; differences from the previous filing are marked. */
function printedTable(printed: readonly HistoryEntry[]): Html {
  const cell = (entry: HistoryEntry, before: HistoryEntry | undefined, name: AmountField) => {
    const differs = before !== undefined && before.amounts[name] !== entry.amounts[name];
    const text = formatAmountCell(entry.amounts[name]);
    return html`<td class="number">
      ${differs ? html`<mark title="differs from the previous filing">${text}</mark>` : text}
    </td>`;
  };
  return html`<table>
    <caption>
      What each filing printed
    </caption>
    <thead>
      <tr>
        <th scope="col">Amount</th>
        ${printed.map(
          ({ filing, served }) =>
            html`<th scope="col" class="number">
              ${filing.url === null ? filing.accession : linkOut(filing.url, `${filing.form ?? ""} ${filing.filingDate ?? ""}`)}
              ${served && html`<span class="tag">served</span>`}
            </th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${AMOUNTS.map(
        (name) =>
          html`<tr>
            <th scope="row">${AMOUNT_FIELD[name].label}</th>
            ${printed.map((entry, index) => cell(entry, printed[index - 1], name))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
