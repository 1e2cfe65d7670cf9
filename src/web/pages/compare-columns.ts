/** Companies as columns: a bar above the amounts of each, the other office and the source below them. */
import { counted } from "../../lib/text.ts";
import { barColumns, type BarGroup } from "../../charts/plots.ts";
import { BY_FAMILY, type ColumnDrawings } from "../../charts/frame.ts";
import { payColumns, totalOnly } from "../../charts/pay-mix.ts";
import type { AmountField } from "../../domain/row-fields.ts";
import { type Html, html, type HtmlPart } from "../../lib/html.ts";
import type { PageCompany } from "../../operations/companies.ts";
import { companyPath, nameInList, pathOf, rowPath } from "../parts/addresses.ts";
import { currencySign, type Unit } from "../parts/amounts.ts";
import { type Before, changeMark, changeOf } from "../parts/change.ts";
import { Footnotes, rowNotes, type RowNotes } from "../parts/footnotes.ts";
import { EQUITY, keyedName, shareText } from "../parts/mix.ts";
import { shortName } from "../parts/names.ts";
import { amountCell } from "../parts/pay-table.ts";
import { sourceMark } from "../parts/sources.ts";
import { tableBox } from "../parts/tables.ts";
import { tagMark } from "./ceo-totals.ts";
import type { ComparedPay } from "./compare-pay.ts";

/** A table of companies side by side. */
interface ColumnTable extends RowNotes {
  who: "ceo" | "cfo" | "all";
  before: Before;
  unit: Unit;
  currency: string;
  own: PageCompany | null;
}

/** The companies side by side. */
export function columnTable(columns: readonly ComparedPay[], table: ColumnTable): Html {
  const notes = new Footnotes("column");
  const bars = columns.map(({ row, only }) =>
    only === null ? { row } : { row: totalOnly(row.total_compensation), isTotalOnly: true },
  );
  const lines = [
    ...amountLines(columns, table, notes),
    ...(table.who === "all" ? [] : officeLines(table.who, table)),
  ];
  const heads = columns.map(
    ({ found, note, only }) =>
      html`<th scope="col" class="number ${found.company.cik === table.own?.company.cik && "own"}">
        <a href="${pathOf(found)}">${shortName(found.company.name)}</a>
        ${nameInList(found)} · ${note}${only !== null && ", total only"}
      </th>`,
  );
  const line = ([label, cell]: TableLine) =>
    html`<tr>
      <th scope="row">${label}</th>
      ${columns.map(cell)}
    </tr>`;
  const about = { kind: "pay side", caption: "Companies side by side", isAway: true };
  const body = html`${barsLine(payColumns(bars, currencySign(table.currency)))} ${lines.map(line)}`;
  return html`${tableBox(
    about,
    html`<tr>
      <td></td>
      ${heads}
    </tr>`,
    body,
  )}
  ${notes.list()}`;
}

/** Bars in the places of those columns. */
export function columnBars(groups: readonly BarGroup[], currency: string): Html {
  return html`<div class="scroll">
    <table class="pay side" aria-hidden="true">
      ${barsLine(barColumns({ groups, currency: currencySign(currency) }))}
    </table>
  </div>`;
}

function barsLine({ axis, drawings }: ColumnDrawings): Html {
  return html`<tr class="bars">
    <td>${axis}</td>
    ${drawings.map((bar) => html`<td>${bar}</td>`)}
  </tr>`;
}

/** A line of the table: its name, and its cell of a company. */
type TableLine = readonly [label: HtmlPart, cell: (column: ComparedPay) => Html];

/** Of a total alone there is nothing to say. */
const number = (of: (column: ComparedPay) => HtmlPart) => (column: ComparedPay) =>
  column.only === null ? html`<td class="number">${of(column)}</td>` : NONE;

const NONE = html`<td class="number nil">–</td>`;

/** Whose pay it is, the amounts and their change on the year before, what part of them is equity. */
function amountLines(columns: readonly ComparedPay[], table: ColumnTable, notes: Footnotes): TableLine[] {
  const isSum = table.who === "all";
  // A sum comes from a table, an amount from its cell.
  const amount = (name: AmountField): TableLine => [
    keyedName(name),
    ({ row, only }) => {
      if (only !== null && name !== "total_compensation") return NONE;
      const href = `${companyPath(row)}?year=${row.fiscal_year}`;
      return amountCell(row, name, table, isSum || only !== null ? { href } : {});
    },
  ];
  const names = BY_FAMILY.filter(
    (name) => name !== "unknown_component" || columns.some(({ row }) => row[name] !== 0),
  );
  const whose = ({ row, rows, only }: ComparedPay) =>
    isSum
      ? counted(rows.length, "officer")
      : only !== null
        ? row.executive_name
        : html`<a href="${rowPath(row)}">${row.executive_name}</a>${notes.mark(...rowNotes(row, table))}`;
  const change = ({ row }: ComparedPay) => changeMark(changeOf(row, table.before(row), table.remarks));
  return [
    [
      isSum ? "Officers" : table.who.toUpperCase(),
      (column) => html`<td class="number name"><div>${whose(column)}</div></td>`,
    ],
    amount("total_compensation"),
    ...(isSum || columns.every(({ row }) => table.before(row) === undefined)
      ? []
      : [["Change", number(change)] as const]),
    ...names.map(amount),
    ["Equity share", number(({ row }) => shareText(row, EQUITY))],
  ];
}

/** The other office, how many times the CFO's total the CEO's is, the filing. */
function officeLines(who: "ceo" | "cfo", table: ColumnTable): TableLine[] {
  const ratio = ({ row, other }: ComparedPay) => {
    if (other?.executive_id === row.executive_id) return html`<span class="soft">same person</span>`;
    const [ceo, cfo] = who === "ceo" ? [row, other] : [other, row];
    const times = (ceo?.total_compensation ?? 0) / (cfo?.total_compensation ?? 0);
    return times > 0 && Number.isFinite(times) ? `${times.toFixed(1)}×` : "–";
  };
  return [
    [
      `${who === "ceo" ? "CFO" : "CEO"} total`,
      ({ other }) => (other === undefined ? NONE : amountCell(other, "total_compensation", table)),
    ],
    ["CEO to CFO", number(ratio)],
    [
      "Source",
      ({ row, only }) =>
        html`<td class="number">
          ${only === null ? sourceMark(row, table.cells.evidence(row)) : tagMark(only)}
          <span class="soft">${row.source.filing_date}</span>
        </td>`,
    ],
  ];
}
