/** A table of pay: a line a row, a card each on a phone, the notes below it. */
import { BY_FAMILY } from "../../charts/frame.ts";
import { centsOf, formatAmount, unitsOf } from "../../domain/amount.ts";
import {
  AMOUNT_FIELD,
  type AmountField,
  type ExecutiveCompensation as Row,
} from "../../domain/row-fields.ts";
import { type Html, html, type HtmlPart } from "../../lib/html.ts";
import { rowPath } from "./addresses.ts";
import { currencySign, type Unit } from "./amounts.ts";
import { Footnotes, type RowNotes, rowNotes } from "./footnotes.ts";
import { type Before, changeAmount, changeOf, changeMark } from "./change.ts";
import { CASH, EQUITY, mixBar, outlineBar, shareText } from "./mix.ts";
import { tableBox } from "./tables.ts";
import { sourceMark } from "./sources.ts";
import { PARTIAL } from "./years.ts";

/** Columns that can be left out, by their name in addresses. */
export const COLUMNS = {
  mix: "Mix of pay",
  before: "Total of the year before",
  change_amount: "Change in amount",
  change: "Change on the year before",
  cash: "Cash",
  equity: "Equity",
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
  /** A column beside the first: in a ranking, who is paid. */
  beside?: Pick<PayColumn, "key" | "head" | "cell"> | undefined;
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
  /** Whether quartiles stand below the rows; what they are of. */
  quartilesOf?: string | undefined;
  /** On a phone, where components unfold, those of the first row are folded too. */
  isBrief?: boolean;
}

/** A column of the table. */
interface PayColumn {
  /** What the table can be sorted by. */
  key: string;
  head: string;
  /** Its head in full. */
  about?: string;
  /** Its name on a card, if not its head. */
  label?: string;
  kind: string;
  cell: (row: Row, mark: Html) => HtmlPart;
  /** The amount of which there are quartiles. */
  amountOf?: (row: Row) => number;
  /** The whole cell, where it depends on the row. */
  whole?: (row: Row, kind: string) => Html;
}

/** A table of pay: a line a row, a card each on a phone, the notes below it. */
export function payTable(rows: readonly Row[], table: PayTable): Html {
  const { unit, sorting, remainder } = table;
  const notes = new Footnotes("note");
  const notesOf = (row: Row) => [
    ...rowNotes(row, table),
    ...(row.unknown_component !== 0 && remainder === "note"
      ? [`${formatAmount(row.unknown_component)} of this total is in no column of the table.`]
      : []),
  ];
  // On paper each row names its filing by number, as listed below.
  const sources = [...new Set(rows.map((row) => row.source.accession))];
  const columns = columnsOf(rows, table);
  const sortedOf = (key: string) => (key === "" ? null : (sorting?.(key)?.sorted ?? null));
  const line = (row: Row, index: number) => {
    const mark = notes.mark(...notesOf(row));
    const cell = ({ key, head, kind, label = head, cell: of, whole }: PayColumn) => {
      const kinds = sortedOf(key) === null ? kind : `${kind} sorted`;
      return whole?.(row, kinds) ?? html`<td class="${kinds}" data-label="${label}">${of(row, mark)}</td>`;
    };
    return html`<tr>
      <th scope="row">
        <input
          type="checkbox"
          class="more"
          aria-label="Components"
          ${index === 0 && table.isBrief !== true && html`checked`}
        />
        ${table.lead(row, index, mark)}<sup class="paper-only"
          >${sources.indexOf(row.source.accession) + 1}</sup
        >
      </th>
      ${columns.map(cell)}
    </tr>`;
  };
  const first = { key: table.beside === undefined ? "" : "company_name", head: table.head, kind: "" };
  const heads = html`<tr>
    ${[first, ...columns].map((column) => headCell(column, sorting))}
  </tr>`;
  const kind = `pay cards${table.isBrief === true ? " brief" : ""}${table.beside === undefined ? "" : " ranked"}`;
  return html`${tableBox({ kind, caption: table.caption }, heads, html`${rows.map(line)}${table.quartilesOf !== undefined && quartileLines(rows, columns, table.quartilesOf)}`)}
  ${notes.list()} ${unit === "percent" && html`<p class="foot">Components in percent of each total.</p>`}`;
}

/** Quartiles of each column of amounts, as Excel's PERCENTILE.INC: each has its own, so they do not add up. */
function quartileLines(rows: readonly Row[], columns: readonly PayColumn[], of: string): Html {
  const quartile = (amountOf: (row: Row) => number, share: number): number => {
    const cents = rows.map((row) => centsOf(amountOf(row))).toSorted((a, b) => a - b);
    const place = (cents.length - 1) * share;
    const [low = 0, high = low] = cents.slice(Math.floor(place));
    return Math.round((low + (high - low) * (place % 1)) / 100);
  };
  const text = (amount: number) => (amount === 0 ? html`<span class="nil">–</span>` : formatAmount(amount));
  const lines = [
    [`75th percentile ${of}`, 0.75],
    ["Median", 0.5],
    ["25th percentile", 0.25],
  ] as const;
  return html`${lines.map(
    ([name, share]) =>
      html`<tr class="summary">
        <th scope="row">${name}</th>
        ${columns.map(({ kind, head, amountOf }) => html`<td class="${kind}" data-label="${head}">${amountOf !== undefined && text(quartile(amountOf, share))}</td>`)}
      </tr>`,
  )}`;
}

/** The head of a column, which sorts by it. */
function headCell(
  { key, head, about = "", kind }: Pick<PayColumn, "key" | "head" | "about" | "kind">,
  sorting: PayTable["sorting"],
): Html {
  const { href, sorted = null } = (key === "" ? undefined : sorting?.(key)) ?? {};
  const isNumber = kind.startsWith("number");
  const kinds = `${isNumber ? "number" : ""}${sorted === null ? "" : " sorted"}`.trim();
  const text = html`${head}${sorted !== null && (sorted === "descending" ? " ▾" : " ▴")}`;
  return html`<th
    scope="col"
    ${kinds !== "" && html`class="${kinds}"`}
    ${href === undefined && about !== "" && html`title="${about}"`}
    ${sorted !== null && html`aria-sort="${sorted}"`}
  >
    ${href === undefined ? text : html`<a href="${href}" title="Sort by ${about || head}">${text}</a>`}
  </th>`;
}

/** The columns after the first. */
// oxlint-disable-next-line max-lines-per-function -- a list of columns, in the order they stand in
function columnsOf(rows: readonly Row[], table: PayTable): PayColumn[] {
  const { columns, before, remarks, cells, isPartial, beside } = table;
  const sign = currencySign(rows[0]?.reporting_currency ?? null).trim();
  const years = new Set(rows.map((row) => row.fiscal_year));
  const [year] = years.size === 1 ? years : [];
  const isChange = columns.has("change_amount") && before !== null;
  const hasRemainder = table.remainder === "column" && rows.some((row) => row.unknown_component !== 0);
  const isSorted = (name: string) => (table.sorting?.(name)?.sorted ?? null) !== null;
  const components = BY_FAMILY.filter((name) =>
    columns.has("components") ? name !== "unknown_component" || hasRemainder : isSorted(name),
  );
  const sumOf = (row: Row, names: readonly AmountField[]) => {
    const cents = names.reduce((sum, name) => sum + centsOf(row[name]), 0);
    return cents === 0 ? html`<span class="nil">–</span>` : amountText(unitsOf(cents), row, table.unit);
  };
  const shown = (name: Column, column: PayColumn): PayColumn[] =>
    columns.has(name) || isSorted(column.key) ? [column] : [];
  const changes = (name: Column, column: PayColumn) => (before === null ? [] : shown(name, column));
  const amount = (name: AmountField, kind: string, head: string): PayColumn => ({
    key: name,
    head,
    kind,
    about: name === "total_compensation" ? "Total, as printed" : AMOUNT_FIELD[name].label,
    cell: () => "",
    amountOf: (row) => row[name],
    whole: (row, kinds) => amountCell(row, name, table, undefined, kinds.includes("sorted")),
  });
  return [
    ...(beside === undefined ? [] : [{ kind: "person", ...beside }]),
    ...(isPartial === undefined
      ? []
      : [
          {
            key: "fiscal_year",
            head: "Year",
            label: "Fiscal year",
            kind: "number",
            cell: (row: Row) => html`${row.fiscal_year}${isPartial(row) && PARTIAL}`,
          },
        ]),
    ...shown("mix", {
      key: "",
      head: isChange
        ? `Mix of pay, ${year === undefined ? "below last year’s" : `below ${year - 1}’s`} total`
        : "Mix of pay",
      kind: "mixed",
      cell: mixOver(rows, isChange ? before : null),
    }),
    ...changes("before", {
      key: "",
      head: `Total ${year === undefined ? "before" : year - 1}`,
      kind: "number detail",
      cell(row) {
        const total = before?.(row)?.total_compensation;
        return total === undefined ? html`<span class="nil">–</span>` : formatAmount(total);
      },
    }),
    amount("total_compensation", "number total", isChange && year !== undefined ? `Total ${year}` : "Total"),
    ...changes("change_amount", {
      key: "total_change",
      head: `Change, ${sign}`,
      about: "Change on the year before",
      kind: "number",
      cell: (row) => changeAmount(row, before?.(row), remarks),
    }),
    ...changes("change", {
      key: "total_change_percent",
      head: isChange ? "Change, %" : "Change",
      label: "Change",
      kind: "number change",
      about: "Change on the year before in percent",
      cell: (row) => changeMark(changeOf(row, before?.(row), remarks)),
    }),
    ...shown("cash", {
      key: "",
      head: "Cash",
      about: "Salary, bonus and non-equity incentive",
      kind: "number detail",
      cell: (row) => sumOf(row, CASH),
    }),
    ...shown("equity", {
      key: "",
      head: "Equity",
      about: "Stock and option awards",
      kind: "number detail",
      cell: (row) => sumOf(row, EQUITY),
    }),
    ...shown("equity_share", {
      key: "equity_share",
      head: "Equity, %",
      label: "Equity",
      kind: "number share",
      about: "Equity share: stock and option awards",
      cell: (row) => shareText(row, EQUITY),
    }),
    ...shown("cash_share", {
      key: "cash_share",
      head: "Cash, %",
      label: "Cash",
      kind: "number detail",
      about: "Cash share: salary, bonus and non-equity incentive",
      cell: (row) => shareText(row, CASH),
    }),
    ...components.map((name) => amount(name, "number component", AMOUNT_FIELD[name].shortLabel)),
    ...shown("filing", {
      key: "",
      head: "Source",
      kind: "number mark",
      cell: (row) => sourceMark(row, cells.evidence(row)),
    }),
  ];
}

/** The mix of each row on one scale, below the total of the year before where there is one. */
function mixOver(rows: readonly Row[], before: Before | null): (row: Row) => Html {
  const totalBefore = (row: Row) => before?.(row)?.total_compensation ?? 0;
  const totals = rows.flatMap((row) => [row.total_compensation, totalBefore(row)]).toSorted((a, b) => b - a);
  const [first = 1, second = first] = totals;
  // One total far above all others would make every other bar a dot: its outline is cut.
  const highest = Math.max(1, before === null ? first : Math.min(first, second * 1.1));
  return (row) =>
    html`${before !== null && totalBefore(row) > 0 && outlineBar(totalBefore(row), highest)}${mixBar(row, highest)}`;
}

/** An amount of a row, a link to where it comes from. */
export function amountCell(
  row: Row,
  name: AmountField,
  { cells, unit }: Pick<PayTable, "cells" | "unit">,
  href = `${rowPath(row)}/${name}`,
  isSorted = false,
): Html {
  const isTotal = name === "total_compensation";
  const isNil = row[name] === 0 && !cells.isPrintedZero(row, name);
  const kind = isTotal ? "number total" : `number component${isNil ? " none" : ""}`;
  return html`<td class="${kind}${isSorted && " sorted"}" data-label="${AMOUNT_FIELD[name].shortLabel}">
    <a class="${isNil ? "amount nil" : "amount"}" href="${href}"
      >${isNil ? "–" : amountText(row[name], row, isTotal && unit === "percent" ? "" : unit)}</a
    >
  </td>`;
}

/** @param unit of the address; percent of the row's total */
function amountText(units: number, { total_compensation: total }: Row, unit: Unit): string {
  if (unit === "thousands") return formatAmount(Math.round(units / 1000));
  if (unit === "") return formatAmount(units);
  return total > 0 ? `${((units / total) * 100).toFixed(1)}%` : "–";
}
