/** A table of pay: a line a row, a card each on a phone, the notes below it. */
import { BY_FAMILY } from "../../charts/frame.ts";
import { formatAmount } from "../../domain/amount.ts";
import {
  AMOUNT_FIELD,
  type AmountField,
  type ExecutiveCompensation as Row,
} from "../../domain/row-fields.ts";
import { type Html, html } from "../../lib/html.ts";
import { rowPath } from "./addresses.ts";
import { type Unit } from "./amounts.ts";
import { Footnotes, type RowNotes, rowNotes } from "./footnotes.ts";
import { type Before, changeOf, changeMark } from "./change.ts";
import { shareText, CASH, EQUITY, mixBar } from "./mix.ts";
import { tableBox } from "./tables.ts";
import { sourceMark } from "./sources.ts";
import { PARTIAL } from "./years.ts";

/** Columns that can be left out, by their name in addresses. */
export const COLUMNS = {
  mix: "Mix of pay",
  change: "Change on the year before",
  equity_share: "Equity share",
  cash_share: "Cash share",
  components: "Components",
  filing: "Source",
} as const;

/** One of them. */
export type Column = keyof typeof COLUMNS;

/** The columns named in an address. */
export function readColumns(text: string | null, usual: readonly Column[]): ReadonlySet<Column> {
  if (text === null) return new Set(usual);
  const named = text.split(",");
  return new Set(Object.keys(COLUMNS).filter((name): name is Column => named.includes(name)));
}

/** A table of pay. */
export interface PayTable extends RowNotes {
  caption: string;
  /** The header of the first column, and its cell in each row. */
  head: string;
  lead: (row: Row, index: number, mark: Html) => Html;
  columns: ReadonlySet<Column>;
  unit: Unit;
  /** Whether a row's fiscal year is partial, where each has its year in a column of its own. */
  isPartial?: ((row: Row) => boolean) | undefined;
  /** Null where the viewer may not see other years: then there is no column of changes. */
  before: Before | null;
  /** The address that sorts by a key, and how the table is sorted by it now. */
  sorting?: (key: string) => { href: string; sorted: "ascending" | "descending" | null } | undefined;
  /** Whether what no column explains has a column where a row has it, or a note. */
  remainder: "column" | "note";
  /** On a phone, where components unfold, those of the first row are folded too. */
  isBrief?: boolean;
}

/** A table of pay: a line a row, a card each on a phone, the notes below it. */
// oxlint-disable-next-line max-lines-per-function -- one table, whose header and lines share its columns
export function payTable(rows: readonly Row[], table: PayTable): Html {
  const { columns, unit, before, remarks, cells, isPartial } = table;
  const notes = new Footnotes("note");
  const hasRemainder = table.remainder === "column" && rows.some((row) => row.unknown_component !== 0);
  const shown = columns.has("components")
    ? BY_FAMILY.filter((name) => name !== "unknown_component" || hasRemainder)
    : [];
  const notesOf = (row: Row) => [
    ...rowNotes(row, table),
    ...(row.unknown_component !== 0 && table.remainder === "note"
      ? [`${formatAmount(row.unknown_component)} of this total is in no column of the table.`]
      : []),
  ];
  const highest = Math.max(1, ...rows.map((row) => row.total_compensation));
  // On paper each row names its filing by number, as listed below.
  const sources = [...new Set(rows.map((row) => row.source.accession))];
  const hasChange = before !== null && columns.has("change");
  const line = (row: Row, index: number) =>
    html`<tr>
      <th scope="row">
        <input
          type="checkbox"
          class="more"
          aria-label="Components"
          ${index === 0 && table.isBrief !== true && html`checked`}
        />
        ${table.lead(row, index, notes.mark(...notesOf(row)))}<sup class="paper-only"
          >${sources.indexOf(row.source.accession) + 1}</sup
        >
      </th>
      ${isPartial !== undefined && html`<td class="number" data-label="Fiscal year">${row.fiscal_year}${isPartial(row) && PARTIAL}</td>`}
      ${columns.has("mix") && html`<td class="mixed">${mixBar(row, highest)}</td>`}
      ${amountCell(row, "total_compensation", table)}
      ${hasChange && html`<td class="number change" data-label="Change">${changeMark(changeOf(row, before(row), remarks))}</td>`}
      ${columns.has("equity_share") && html`<td class="number share" data-label="Equity">${shareText(row, EQUITY)}</td>`}
      ${columns.has("cash_share") && html`<td class="number" data-label="Cash">${shareText(row, CASH)}</td>`}
      ${shown.map((name) => amountCell(row, name, table))}
      ${columns.has("filing") && html`<td class="number mark" data-label="Source">${sourceMark(row, cells.evidence(row))}</td>`}
    </tr>`;
  const head = (key: string, label: string, title = "") => {
    const sort = table.sorting?.(key);
    if (sort === undefined)
      return html`<th scope="col" class="number" ${title !== "" && html`title="${title}"`}>${label}</th>`;
    const { href, sorted } = sort;
    return html`<th scope="col" class="number" ${sorted !== null && html`aria-sort="${sorted}"`}>
      <a href="${href}" title="Sort by ${title || label}"
        >${label}${sorted !== null && (sorted === "descending" ? " ▾" : " ▴")}</a
      >
    </th>`;
  };
  const heads = html`<tr>
    <th scope="col">${table.head}</th>
    ${isPartial !== undefined && html`<th scope="col" class="number">Year</th>`}
    ${columns.has("mix") && html`<th scope="col">Mix of pay</th>`}
    ${head("total_compensation", "Total", "Total, as printed")}
    ${hasChange && head("total_change_percent", "Change", "Change on the year before")}
    ${columns.has("equity_share") && head("equity_share", "Equity", "Equity share: stock and option awards")}
    ${columns.has("cash_share") && head("cash_share", "Cash", "Cash share: salary, bonus and non-equity incentive")}
    ${shown.map((name) => head(name, AMOUNT_FIELD[name].shortLabel, AMOUNT_FIELD[name].label))}
    ${columns.has("filing") && html`<th scope="col" class="number">Source</th>`}
  </tr>`;
  const kind = `pay cards${table.isBrief === true ? " brief" : ""}`;
  return html`${tableBox({ kind, caption: table.caption }, heads, rows.map(line))} ${notes.list()}
  ${unit === "percent" && html`<p class="foot">Components in percent of each total.</p>`}`;
}

/** An amount of a row, a link to where it comes from. */
export function amountCell(
  row: Row,
  name: AmountField,
  { cells, unit }: Pick<PayTable, "cells" | "unit">,
  href = `${rowPath(row)}/${name}`,
): Html {
  const isTotal = name === "total_compensation";
  const isNil = row[name] === 0 && !cells.isPrintedZero(row, name);
  const kind = isTotal ? "number total" : `number component${isNil ? " none" : ""}`;
  return html`<td class="${kind}" data-label="${AMOUNT_FIELD[name].shortLabel}">
    <a class="${isNil ? "amount nil" : "amount"}" href="${href}"
      >${isNil ? "–" : amountText(row, name, unit)}</a
    >
  </td>`;
}

function amountText(row: Row, name: AmountField, unit: Unit): string {
  if (unit === "thousands") return formatAmount(Math.round(row[name] / 1000));
  if (unit === "" || name === "total_compensation") return formatAmount(row[name]);
  return row.total_compensation > 0 ? `${((row[name] / row.total_compensation) * 100).toFixed(1)}%` : "–";
}
