/** A table of pay: a line a row, a card each on a phone, the notes below it. */
import { percentileOf } from "../../analysis/statistics.ts";
import { BY_FAMILY } from "../../charts/frame.ts";
import { centsOf, formatAmount, unitsOf } from "../../domain/amount.ts";
import {
  AMOUNT_FIELD,
  type AmountField,
  COMPONENTS,
  type ExecutiveCompensation as Row,
} from "../../domain/row-fields.ts";
import { type Html, html, type HtmlPart } from "../../lib/html.ts";
import { MIN_RANKED } from "../../operations/rankings.ts";
import { amountPath } from "./addresses.ts";
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
export type ColumnName = keyof typeof COLUMNS;

/** The columns named in an address. */
export function readColumns(text: string | null, usual: readonly ColumnName[]): ReadonlySet<ColumnName> {
  if (text === null) return new Set(usual);
  const named = text.split(",");
  return new Set(Object.keys(COLUMNS).filter((name): name is ColumnName => named.includes(name)));
}

/** A table of pay. */
export interface PayTable extends RowNotes {
  caption: string;
  /** The header of the first column, and its cell in each row. */
  head: string;
  lead: (row: Row, index: number, mark: Html) => Html;
  /** A column beside the first: in a ranking, who is paid. */
  beside?: Pick<PayColumn, "key" | "head" | "cell"> | undefined;
  columns: ReadonlySet<ColumnName>;
  unit: Unit;
  /** Whether a row's fiscal year is partial, where each has its year in a column of its own. */
  isPartial?: ((row: Row) => boolean) | undefined;
  /** Null where the viewer may not see other years: then there is no column of changes. */
  before: Before | null;
  /** The address that sorts by a key, and how the table is sorted by it now. */
  sorting?: (key: string) => { href: string; sorted: "ascending" | "descending" | null } | undefined;
  /** Whether what no column explains has a column where a row has it, or a note. */
  remainder: "column" | "note";
  /** What stands below the rows. */
  quartiles?: Quartiles | undefined;
  /** The mark of a row of which nothing but the total is known; undefined for others. */
  onlyTotal?: (row: Row) => Html | undefined;
  /** Whether a row is the own company's. */
  isOwn?: (row: Row) => boolean;
  /** Columns before the source. */
  further?: readonly Pick<PayColumn, "key" | "head" | "kind" | "amountOf" | "whole" | "cell">[];
  /** Whether each source has its date. */
  isDated?: boolean;
  /** Further classes. */
  kind?: string;
  /** On a phone, where components unfold, those of the first row are folded too. */
  isBrief?: boolean;
}

/** Quartiles of the rows that count, and the place of the own company's among these. */
export interface Quartiles {
  /** What they are of: `of the 12 peers`. */
  of: string;
  isCounted: (row: Row) => boolean;
  /** Whether a row stands for its company in the column of a key: one has its total, another may have its components. */
  standsIn: (row: Row, key: string) => boolean;
  /** The own company's rows; no place among fewer than eight. */
  own: { rows: readonly Row[]; rankOf: string } | null;
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
  /** The amount of which there are quartiles; null where the row has none. */
  amountOf?: (row: Row) => number | null;
  /** The whole cell, where it depends on the row. */
  whole?: (row: Row, kind: string) => Html;
}

/** A table of pay: a line a row, a card each on a phone, the notes below it. */
export function payTable(rows: readonly Row[], table: PayTable): Html {
  const { unit, sorting, remainder } = table;
  const notes = new Footnotes("note");
  const isWhole = (row: Row) => table.onlyTotal?.(row) === undefined;
  const notesOf = (row: Row) => [
    ...(isWhole(row) ? rowNotes(row, table) : []),
    ...(row.unknown_component !== 0 && remainder === "note"
      ? [`${formatAmount(row.unknown_component)} of this total is in no column of the table.`]
      : []),
  ];
  // On paper each row names its filing by number, as listed below.
  const sources = [...new Set(rows.map((row) => row.source.accession))].filter((one) => one !== "");
  const columns = columnsOf(rows, table);
  const sortedOf = (key: string) => (key === "" ? null : (sorting?.(key)?.sorted ?? null));
  const line = (row: Row, index: number) => {
    const mark = notes.mark(...notesOf(row));
    const cell = ({ key, head, kind, label = head, cell: of, whole }: PayColumn) => {
      const kinds = sortedOf(key) === null ? kind : `${kind} sorted`;
      const only = table.onlyTotal?.(row);
      if (only !== undefined && !OF_TOTALS.test(kind))
        return totalCell(row, { key, kinds, label }, only, unit);
      return whole?.(row, kinds) ?? html`<td class="${kinds}" data-label="${label}">${of(row, mark)}</td>`;
    };
    return html`<tr${table.isOwn?.(row) === true && html` class="is-own"`}>
      <th scope="row">
        ${
          isWhole(row) &&
          html`<input
            type="checkbox"
            class="more"
            aria-label="Components"
            ${index === 0 && table.isBrief !== true && html`checked`}
          />`
        }
        ${table.lead(row, index, mark)}${
          sources.includes(row.source.accession) &&
          html`<sup class="paper-only">${sources.indexOf(row.source.accession) + 1}</sup>`
        }
      </th>
      ${columns.map(cell)}
    </tr>`;
  };
  const first = { key: table.beside === undefined ? "" : "company_name", head: table.head, kind: "" };
  const heads = html`<tr>
    ${[first, ...columns].map((column) => headCell(column, sorting))}
  </tr>`;
  const kinds = [
    "pay cards",
    table.isBrief === true && "brief",
    (table.kind === "compared" || (table.isBrief !== true && isWide(columns))) && "two-lined",
    table.beside !== undefined && "ranked",
    table.kind,
  ];
  const kind = kinds.filter(Boolean).join(" ");
  return html`${tableBox({ kind, caption: table.caption }, heads, html`${rows.map(line)}${table.quartiles !== undefined && quartileLines(rows, columns, table, table.quartiles)}`)}
  ${notes.list()} ${unit === "percent" && html`<p class="foot">Components in percent of each total.</p>`}`;
}

/** Whether a tablet has no room for all components beside the rest. */
function isWide(columns: readonly PayColumn[]): boolean {
  return columns.filter(({ kind }) => /component(?!.*unused)/.test(kind)).length > 4;
}

/** Columns that a row has of which nothing but the total is known: bar, year, who is paid. */
const OF_TOTALS = /mixed|year|person/;

/** A cell of such a row: the total, how it is known, or that nothing is. */
function totalCell(
  row: Row,
  { key, kinds, label }: { key: string; kinds: string; label: string },
  mark: Html,
  unit: Unit,
): Html {
  const text = amountText(row.total_compensation, row, unit === "percent" ? "" : unit);
  if (key === "total_compensation") return html`<td class="${kinds}" data-label="${label}">${text}</td>`;
  if (kinds.includes("mark")) return html`<td class="${kinds}" data-label="${label}">${mark}</td>`;
  return html`<td class="${kinds} none" data-label="${label}"><span class="nil">–</span></td>`;
}

/** The totals of which there are quartiles. */
function totalsOf(rows: readonly Row[], { isCounted, standsIn }: Quartiles): number[] {
  const counted = rows.filter((row) => isCounted(row) && standsIn(row, "total_compensation"));
  return counted.map((row) => row.total_compensation);
}

/** A quartile, as of statistics; 0 of no amounts. */
function quartileOf(amounts: readonly number[], share: number): number {
  return amounts.length === 0 ? 0 : percentileOf(Float64Array.from(amounts, centsOf).toSorted(), share) / 100;
}

/** Quartiles of each column of amounts: each has its own, so they do not add up. Below them the own company's rank. */
function quartileLines(
  rows: readonly Row[],
  columns: readonly PayColumn[],
  { unit }: PayTable,
  quartiles: Quartiles,
): Html {
  const { of, isCounted, standsIn, own } = quartiles;
  const highest = highestOf(rows, null);
  // Of components as they are shown: in percent, of their shares.
  const valueOf = (row: Row, { key, amountOf }: PayColumn): number | null => {
    const amount = standsIn(row, key) ? (amountOf?.(row) ?? null) : null;
    if (amount === null || unit !== "percent" || !isComponent(key)) return amount;
    return row.total_compensation > 0 ? (amount / row.total_compensation) * 100 : null;
  };
  const valuesOf = (of: readonly Row[], column: PayColumn) => of.flatMap((row) => valueOf(row, column) ?? []);
  const counted = rows.filter(isCounted);
  const quartile = (column: PayColumn, share: number): HtmlPart => {
    if (column.kind === "mixed") return outlineBar(quartileOf(totalsOf(rows, quartiles), share), highest);
    if (column.amountOf === undefined) return "";
    const value = quartileOf(valuesOf(counted, column), share);
    if (Math.round(value * 100) === 0) return html`<span class="nil">–</span>`;
    if (unit === "percent" && isComponent(column.key)) return `${value.toFixed(1)}%`;
    return formatAmount(Math.round(unit === "thousands" ? value / 1000 : value));
  };
  const rank = (column: PayColumn): HtmlPart => {
    if (column.amountOf === undefined) return "";
    const [mine = 0] = valuesOf(own?.rows ?? [], column);
    const values = valuesOf(counted, column);
    const isAmong = own?.rows.some(isCounted) === true;
    if (mine === 0 || values.length + (isAmong ? 0 : 1) < MIN_RANKED) return html`<span class="nil">–</span>`;
    return String(1 + values.filter((value) => value > mine).length);
  };
  const line = (name: string, kind: string, cell: (column: PayColumn) => HtmlPart) =>
    html`<tr class="${kind}">
      <th scope="row">${name}</th>
      ${columns.map((column) => {
        const shown = cell(column);
        return html`<td class="${column.kind}${shown === "" && " none"}" data-label="${column.head}">
          ${shown}
        </td>`;
      })}
    </tr>`;
  return html`${line(`75th percentile ${of}`, "summary", (column) => quartile(column, 0.75))}
  ${line("Median", "summary", (column) => quartile(column, 0.5))}
  ${line("25th percentile", "summary", (column) => quartile(column, 0.25))}
  ${own !== null && line(own.rankOf, "is-own ranks", rank)}`;
}

function isComponent(key: string): boolean {
  return COMPONENTS.some((name) => name === key);
}

/** The head of a column, which sorts by it. */
function headCell(
  { key, head, about = "", kind }: Pick<PayColumn, "key" | "head" | "about" | "kind">,
  sorting: PayTable["sorting"],
): Html {
  const { href, sorted = null } = (key === "" ? undefined : sorting?.(key)) ?? {};
  const kept = kind.split(" ").filter((one) => HEAD_KINDS.has(one));
  const kinds = [...kept, ...(sorted === null ? [] : ["sorted"])].join(" ");
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

/** What of the kinds of a column its head has, too. */
const HEAD_KINDS: ReadonlySet<string> = new Set(
  "number person mark share detail unused mixed year total change component".split(" "),
);

/** The columns after the first. */
// oxlint-disable-next-line max-lines-per-function -- a list of columns, in the order they stand in
function columnsOf(rows: readonly Row[], table: PayTable): PayColumn[] {
  const { columns, before, remarks, cells, isPartial, beside, further = [], isDated } = table;
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
  const shown = (name: ColumnName, column: PayColumn): PayColumn[] =>
    columns.has(name) || isSorted(column.key) ? [column] : [];
  const changes = (name: ColumnName, column: PayColumn) => (before === null ? [] : shown(name, column));
  const amount = (name: AmountField, kind: string, head: string): PayColumn => ({
    key: name,
    head,
    kind,
    about: name === "total_compensation" ? "Total, as printed" : AMOUNT_FIELD[name].label,
    cell: () => "",
    amountOf: (row) => row[name],
    whole: (row, kinds) => amountCell(row, name, table, { kind: kinds }),
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
            kind: "number year",
            cell: (row: Row) => html`${row.fiscal_year}${isPartial(row) && PARTIAL}`,
          },
        ]),
    ...shown("mix", {
      key: "",
      head: isChange
        ? `Mix of pay, ${year === undefined ? "below last year’s" : `below ${year - 1}’s`} total`
        : "Mix of pay",
      kind: "mixed",
      cell: mixOver(rows, isChange ? before : null, table),
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
    ...components.map((name) =>
      amount(
        name,
        rows.every((row) => row[name] === 0) ? "number component unused" : "number component",
        AMOUNT_FIELD[name].shortLabel,
      ),
    ),
    ...further,
    ...shown("filing", {
      key: "",
      head: "Source",
      kind: "number mark",
      cell: (row) =>
        html`${sourceMark(row, cells.evidence(row))}${isDated === true && html` <span class="soft roomy">${row.source.filing_date}</span>`}`,
    }),
  ];
}

/** The total that the longest bar stands for. */
function highestOf(rows: readonly Row[], before: Before | null): number {
  const totals = rows
    .flatMap((row) => [row.total_compensation, before?.(row)?.total_compensation ?? 0])
    .toSorted((a, b) => b - a);
  const [first = 1, second = first] = totals;
  // One total far above all others would make every other bar a dot: its outline is cut.
  return Math.max(1, before === null ? first : Math.min(first, second * 1.1));
}

/** The mix of each row on one scale, below the total of the year before where there is one; with the median where there are quartiles. */
function mixOver(rows: readonly Row[], before: Before | null, table: PayTable): (row: Row) => Html {
  const totalBefore = (row: Row) => before?.(row)?.total_compensation ?? 0;
  const highest = highestOf(rows, before);
  const counted = table.quartiles === undefined ? [] : totalsOf(rows, table.quartiles);
  const median = counted.length > 0 ? quartileOf(counted, 0.5) : null;
  return (row) =>
    table.onlyTotal?.(row) === undefined
      ? html`${before !== null && totalBefore(row) > 0 && outlineBar(totalBefore(row), highest)}${mixBar(row, highest, median)}`
      : outlineBar(row.total_compensation, highest, median);
}

/** An amount of a row, a link to where it comes from. */
export function amountCell(
  row: Row,
  name: AmountField,
  { cells, unit }: Pick<PayTable, "cells" | "unit">,
  {
    href = amountPath(row, name),
    kind = name === "total_compensation" ? "number total" : "number component",
    label = AMOUNT_FIELD[name].shortLabel,
  }: { href?: string | undefined; kind?: string; label?: string } = {},
): Html {
  const isTotal = name === "total_compensation";
  const isNil = row[name] === 0 && !cells.isPrintedZero(row, name);
  return html`<td class="${kind}${isNil && !isTotal && " none"}" data-label="${label}">
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
