/** Pieces that several pages show: addresses, the table of pay with its marks and footnotes. */
import { BY_FAMILY, type Chart, keys } from "../../charts/frame.ts";
import { formatAmount } from "../../domain/amount.ts";
import {
  AMOUNT_FIELD,
  AMOUNTS,
  type AmountField,
  type ExecutiveCompensation as Row,
  type RowEvidence,
} from "../../domain/row-fields.ts";
import { companyName } from "../../domain/company-name.ts";
import { foldedWords } from "../../domain/selection.ts";
import { type Html, html, type HtmlPart } from "../../lib/html.ts";
import { searchBox } from "../../http/layout.ts";
import type { RowCells } from "../../dataset/company-facts.ts";
import { isShortPeriod, type RemarksOf } from "../../dataset/remarks.ts";
import type { PageCompany } from "../../operations/companies.ts";

/** The page of a company: by symbol, or by CIK where it has none. */
export function companyPath({ ticker, cik }: { ticker: string; cik: string }): string {
  return ticker === "" ? `/c/${cik}` : `/t/${encodeURIComponent(ticker)}`;
}

/** The page of a company that is already loaded for a page. */
export function pathOf({ company, ticker }: PageCompany): string {
  return companyPath({ ticker, cik: company.cik });
}

/** The page of a row: the person at the company in that fiscal year. */
export function rowPath(row: Row): string {
  return `${companyPath(row)}/${row.fiscal_year}/${row.executive_id}`;
}

/** A company in a list of an address: its symbol, or its CIK if it has none. */
export function nameInList({ company, ticker }: PageCompany): string {
  return ticker === "" ? `CIK${company.cik}` : ticker;
}

/** An amount with its currency in front: `$74,294,811`, `EUR 1,200`. */
export function money(units: number, currency: string | null): string {
  return currencySign(currency) + formatAmount(units);
}

/** `$`, or the code of any other currency with a space behind it. */
export function currencySign(currency: string | null): string {
  return currency === "USD" ? "$" : currency === null ? "" : `${currency}\u00a0`;
}

/** A place in a ranking: `1st`, `12th`. */
export function ordinal(rank: number): string {
  const last = rank % 10;
  const isTeen = rank % 100 > 10 && rank % 100 < 14;
  return `${rank}${isTeen ? "th" : last === 1 ? "st" : last === 2 ? "nd" : last === 3 ? "rd" : "th"}`;
}

/** A company's name without its legal form, for dense tables: `Starbucks`. */
export function shortName(registered: string): string {
  const name = companyName(registered);
  const short = name.replace(/^The /, "").replace(LEGAL_FORM, "");
  return short.length > 2 ? short : name;
}

/** `, Inc.`, ` Corporation`, ` & Co.`, ` and Company`, several of them in a row. */
const LEGAL_FORM =
  /(,? (Inc|Incorporated|Corp|Corporation|(and |& )?(Company|Companies|Co)|plc|Ltd|Limited|N\.V)\b\.?)+$/i;

/** Companies in a title: `Apple, Microsoft and 6 more`. @param max so many have their names */
export function namesOf(found: readonly PageCompany[], max: number): string {
  const names = found.map(({ company }) => shortName(company.name));
  const shown = names.length > max ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
  // In British English, without a comma before `and`.
  return new Intl.ListFormat("en-GB").format(shown);
}

/** The first of a list, and how many more there are. */
export function firstOf(list: readonly HtmlPart[], max = list.length): Html {
  return html`${list.slice(0, max).map((one, at) => html`${at > 0 && ", "}${one}`)}${list.length > max && ` and ${list.length - max} more`}`;
}

/** An office with its longest words abbreviated, for dense tables: `SVP, General Counsel`. */
export function shortRole(role: string | null): string {
  return (role ?? "")
    .replaceAll(/Senior Executive Vice President/gi, "SEVP")
    .replaceAll(/Executive Vice President/gi, "EVP")
    .replaceAll(/Senior Vice President/gi, "SVP")
    .replaceAll(/Chief Executive Officer/gi, "CEO")
    .replaceAll(/Chief Financial Officer/gi, "CFO")
    .replaceAll(/Chief Operating Officer/gi, "COO");
}

/** The office that a row was paid for, where it is one of the two. */
export function officeOf({ is_peo: isPeo, is_pfo: isPfo }: Row): "CEO" | "CFO" | "" {
  return isPeo ? "CEO" : isPfo ? "CFO" : "";
}

/** The rows of an office, highest total first; of all officers without one. */
export function heldBy(rows: readonly Row[], office: "CEO" | "CFO" | ""): Row[] {
  const held = rows.filter((row) => office === "" || (office === "CEO" ? row.is_peo : row.is_pfo));
  return held.toSorted((a, b) => b.total_compensation - a.total_compensation);
}

/** CEO and CFO tags, with the rule's term as the tooltip. */
export function offices({ is_peo: isPeo, is_pfo: isPfo }: Row): Html {
  return html`${isPeo && html` <abbr class="tag" title="Principal executive officer (PEO), Item 402(a)(3)">CEO</abbr>`}
  ${isPfo && html` <abbr class="tag" title="Principal financial officer (PFO), Item 402(a)(3)">CFO</abbr>`}`;
}

/** The name of an address among those that are known. */
export function nameIn<Name extends string>(
  names: Readonly<Record<Name, unknown>>,
  text: string | null,
): Name | undefined {
  // Keys of `known` are names.
  return text !== null && Object.hasOwn(names, text) ? (text as Name) : undefined;
}

/** The units that amounts are shown in, by their name in addresses. */
export const UNITS = { "": "$", thousands: "$ thousands", percent: "% of total" } as const;
/** One of them. */
export type Unit = keyof typeof UNITS;

/** The unit named in an address. */
export function readUnit(text: string | null): Unit {
  return nameIn(UNITS, text) ?? "";
}

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

/** Notes below a table, each once, with a number where it is referred to. */
export class Footnotes {
  private readonly notes: string[] = [];

  constructor(private readonly id: string) {}

  /** The numbers that refer to notes. */
  mark(...texts: readonly string[]): Html {
    return html`${texts.map((text) => {
      if (!this.notes.includes(text)) this.notes.push(text);
      const number = this.notes.indexOf(text) + 1;
      // Letters: the filings of a printed page have numbers.
      const letter = number > 26 ? String(number) : String.fromCodePoint(96 + number);
      return html`<sup><a href="#${this.id}-${number}" aria-label="Note ${letter}">${letter}</a></sup>`;
    })}`;
  }

  /** The notes, in the order of their numbers. */
  list(): Html | false {
    return (
      this.notes.length > 0 &&
      html`<ol class="foot" type="a">
        ${this.notes.map((text, at) => html`<li id="${this.id}-${at + 1}">${unbroken(text)}</li>`)}
      </ol>`
    );
  }
}

/** Text with its dates and accession numbers each kept on one line. */
function unbroken(text: string): Html {
  const parts = text.split(/(\d+-\d\d-\d+)/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<span class="whole">${part}</span>` : part))}`;
}

/** What the tables of a page say about their rows. */
export interface RowNotes {
  cells: RowCells;
  remarks: RemarksOf;
}

/** The notes on a row: that every cell is a dash, then the remarks. */
export function rowNotes(row: Row, { cells, remarks }: RowNotes): string[] {
  const isBlank = AMOUNTS.every((name) => row[name] === 0 && !cells.isPrintedZero(row, name));
  const blank = "The filing prints no amounts for this year, not even a total, so every amount is zero.";
  return [...(isBlank ? [blank] : []), ...remarks(row).map(({ message }) => message)];
}

/** The same row of the year before; undefined where it is unknown, or the viewer may not see it. */
export type Before = (row: Row) => Row | undefined;

/** The change of a total on the year before in percent; null if the two do not compare. */
export function changeOf(row: Row, before: Row | undefined, remarks: RemarksOf): number | null {
  if (
    before === undefined ||
    before.fiscal_year !== row.fiscal_year - 1 ||
    before.reporting_currency !== row.reporting_currency ||
    before.total_compensation <= 0 ||
    [row, before].some((one) => isShortPeriod(remarks(one)))
  )
    return null;
  return (row.total_compensation / before.total_compensation - 1) * 100;
}

/** A change in percent with its direction: `▲ 12%`. */
export function changeMark(percent: number | null): Html {
  if (percent === null) return html`<span class="nil">n/a</span>`;
  const size = Math.abs(percent);
  const text = `${size < 9.95 ? size.toFixed(1) : formatAmount(Math.round(size))}%`;
  if (text === "0.0%") return html`<span class="nil">0.0%</span>`;
  return percent > 0
    ? html`<span class="up">▲&#160;${text}</span>`
    : html`<span class="down">▼&#160;${text}</span>`;
}

/** Amounts of a row, or made of several. */
type Amounts = Readonly<Record<AmountField, number>>;

/** The share of components in a total, in percent; null without a positive total. */
export function shareOf(row: Amounts, names: readonly AmountField[]): number | null {
  const { total_compensation: total } = row;
  if (total <= 0) return null;
  return (names.reduce((sum, name) => sum + row[name], 0) / total) * 100;
}

/** That share as text. */
export function shareText(row: Amounts, names: readonly AmountField[]): string {
  const percent = shareOf(row, names);
  return percent === null ? "–" : `${Math.round(percent)}%`;
}

/** Components by family. */
export const CASH = ["salary", "bonus", "non_equity_incentive"] as const;
export const EQUITY = ["stock_awards", "option_awards"] as const;

/** A bar of the mix of a row's pay; one that is longer is cut, with a gap. @param highest the total of the longest bar */
export function mixBar(row: Amounts, highest: number): Html {
  let left = 0;
  const parts = BY_FAMILY.map((name) => {
    const width = Math.max(0, (row[name] / Math.max(1, highest)) * 1000);
    const from = left;
    left += width;
    // Without spaces: a ranking has hundreds of them.
    return (
      width >= 1 &&
      html`<rect class="pay-${name}" x="${from.toFixed(0)}" width="${width.toFixed(0)}" height="9" />`
    );
  });
  return mixOf(html`${parts}${left > 1001 && html`<rect class="gap" x="940" width="25" height="9" />`}`);
}

/** The drawing of such a bar. */
export function mixOf(parts: HtmlPart): Html {
  return html`<svg class="mix" viewBox="0 0 1000 9" preserveAspectRatio="none" aria-hidden="true">
    ${parts}
  </svg>`;
}

/** A bar of a total without components. @param highest the total of the longest bar */
export function outlineBar(total: number, highest: number): Html {
  const kind = total > highest ? "outline cut" : "outline";
  const width = Math.max(2, Math.min(1000, (total / highest) * 1000) - 8).toFixed(0);
  return mixOf(html`<rect class="${kind}" x="4" y="0.5" width="${width}" height="8" />`);
}

/** The colours of the components that some row has. */
export function mixKeys(rows: readonly Row[]): Html | false {
  const used = BY_FAMILY.filter(
    (name) => name !== "unknown_component" && rows.some((row) => row[name] !== 0),
  );
  return keys(used.map((name) => ({ colour: `pay-${name}`, label: AMOUNT_FIELD[name].shortLabel })));
}

/** An amount's name with its colour. */
export function keyedName(name: AmountField): Html {
  const colour = html`<svg class="key" viewBox="0 0 10 10" aria-hidden="true">
    <rect class="pay-${name}" width="10" height="10" rx="2" />
  </svg>`;
  return html`${name !== "total_compensation" && colour}${AMOUNT_FIELD[name].shortLabel}`;
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

/** A table in a box that scrolls where it is too wide. @param isAway whether its caption is for screen readers only @param box attributes of the box */
export function tableBox(
  { kind, caption, isAway = false, box }: { kind: string; caption: string; isAway?: boolean; box?: Html },
  head: HtmlPart,
  body: HtmlPart,
): Html {
  const element = html`<caption${isAway && html` class="away"`}>
    ${caption}
  </caption>`;
  return html`<div class="scroll" ${box}>
    <table class="${kind}">
      ${caption !== "" && element}
      <thead>
        ${head}
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
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

/** The mark and the words of each way in which a row is known. */
export const EVIDENCE_MARK: Readonly<Record<RowEvidence, { mark: string; short: string; means: string }>> = {
  linked: { mark: "dot", short: "checked", means: "amounts checked against their cells" },
  typed: { mark: "dot typed", short: "typed", means: "typed from the filing" },
  collected: { mark: "dot collected", short: "collected", means: "collected; components not checked" },
};

/** How an amount is known. A link to the document. */
export function sourceMark({ source }: Row, evidence: RowEvidence): Html {
  const { form, filing_date: date, filing_url: url, accession } = source;
  const { mark: look, means: kind } = EVIDENCE_MARK[evidence];
  const mark = html`<i class="${look}"></i
    ><span class="away">${form} of ${date ?? accession}, ${kind}</span>`;
  return linkOut(url, mark, `${form} of ${date ?? ""}, ${accession}, ${kind}`);
}

/** What the mark of collected rows means. */
export const COLLECTED_MARK = html`<i class="dot collected"></i> collected by others: its total is confirmed
  by the filer's tags, its components are not checked.`;

/** What the marks mean. */
export const MARKS = html`<p class="foot">
  <i class="dot"></i> amounts checked against their cells in the filing &#160; <i class="dot typed"></i> typed
  from the filing &#160; ${COLLECTED_MARK}
  <span class="screen-only">Every mark opens the document; select an amount for the way to its source.</span>
</p>`;

/** The mark of a partial year. */
export const PARTIAL = html`<abbr title="partial: that year's own proxy statement has not been read"
  >&#160;◐</abbr
>`;

/** What a partial year is. */
export const PARTIAL_MEANS =
  "that year's own proxy statement has not been read; executives who left before the next one are missing.";
/** What its mark means. */
export const PARTIAL_FOOTNOTE = `◐ Partial: ${PARTIAL_MEANS}`;

/** What the marks in a drawing mean. */
export function markNotes({ drawing: { text } }: Chart): Html {
  const notes = [text.includes("◐") && PARTIAL_FOOTNOTE, text.includes("‡") && "‡ Less than a whole year."];
  return html`${notes.map((note) => note !== false && html`<p class="foot">${note}</p>`)}`;
}

/** A warning about years whose own proxy statement has not been read. */
export function partialNote(years: readonly number[]): Html {
  return html`<p class="warning">
    Fiscal ${years.join(", ")} ${years.length === 1 ? "is" : "are"} partial: ${PARTIAL_MEANS}
  </p>`;
}

/** The filings of rows as numbered footnotes, for paper only. */
export function paperSources(rows: readonly Row[]): Html {
  const sources = new Map(rows.map(({ source, company_name: name }) => [source.accession, { source, name }]));
  return html`<ol class="foot sources paper-only">
    ${[...sources.values()].map(
      ({ source, name }) =>
        html`<li>
          ${companyName(name)}, ${source.form}, ${source.filing_date},
          <span class="whole">${source.accession}</span>, ${source.filing_url}
        </li>`,
    )}
  </ol>`;
}

/** An external link; only the text if the URL is unknown or is not http(s). */
export function linkOut(url: string | null, text: Html | string, title: string | null = null): Html {
  if (url === null || !/^https?:\/\//.test(url)) return html`${text}`;
  return html`<a href="${url}" ${title !== null && html`title="${title}"`}>${text}</a>`;
}

/** Former names to display: each once, without those that differ from the present name only in spelling (`APPLE INC`). */
export function formerly(names: readonly string[], present: string): string {
  // EDGAR appends a state to some names: `BANKAMERICA CORP/DE/`.
  const keyOf = (name: string) => foldedWords(name.replace(/\/.*$/, "")).join("");
  const others = new Map(names.map((name) => [keyOf(name), name]));
  others.delete(keyOf(present));
  return others.size === 0 ? "" : `formerly ${[...others.values()].map(companyName).join(", ")}`;
}

/** A fiscal year, with its currency if that is not the one of the caption: `2019 (EUR)`. */
export function yearIn({ fiscal_year: year, reporting_currency: own }: Row, currency: string | null): string {
  return own === currency ? String(year) : `${year} (${own ?? "currency unknown"})`;
}

/** A note on the years that charts leave out, because amounts of different currencies are never drawn on one scale. */
export function notDrawn(rows: readonly Row[], currency: string | null): Html | false {
  const others = rows.filter((row) => row.reporting_currency !== currency);
  const years = [...new Set(others.map((row) => yearIn(row, currency)))].join(", ");
  return (
    years !== "" &&
    html`<p class="warning">Not in the charts because of a different currency: fiscal ${years}.</p>`
  );
}

/** `2019 to 2025`, or a single year. @param years newest first */
export function yearRange(years: readonly number[]): string {
  const [newest = 0] = years;
  const oldest = years.at(-1) ?? newest;
  return newest === oldest ? String(newest) : `${oldest} to ${newest}`;
}

/** The header of a column, of numbers or of anything else. */
export type Head = HtmlPart | { number: HtmlPart };

/** A table whose lines begin with their header. @param kind class; `records` are cards on a phone, each cell with its heading */
export function plainTable(
  heads: readonly Head[],
  lines: readonly (readonly HtmlPart[])[],
  { caption = "", kind = "" } = {},
): Html {
  const columns = heads.map((head) =>
    typeof head === "object" && head !== null && "number" in head
      ? { text: head.number, isNumber: html` class="number"` }
      : { text: head, isNumber: false as const },
  );
  const labelOf = (at: number) => kind === "records" && html` data-label="${columns[at]?.text}"`;
  const box = html`${kind === "records" && html` tabindex="0" role="region" aria-label="${caption}"`}`;
  return tableBox(
    { kind, caption, box },
    html`<tr>
      ${columns.map(({ text, isNumber }) => html`<th${isNumber} scope="col">${text}</th> `)}
    </tr>`,
    lines.map(
      ([first, ...cells]) =>
        html`<tr>
          <th${columns[0]?.isNumber}${labelOf(0)} scope="row">${first}</th>
          ${cells.map((cell, at) => html`<td${columns[at + 1]?.isNumber}${labelOf(at + 1)}>${cell}</td> `)}
        </tr>`,
    ),
  );
}

/** A small table: columns of text, then columns of numbers. */
export function smallTable(
  texts: readonly string[],
  numbers: readonly HtmlPart[],
  lines: readonly (readonly HtmlPart[])[],
  caption = "",
): Html {
  return plainTable([...texts, ...numbers.map((number) => ({ number }))], lines, { caption });
}

/** Figures in large letters: what each is, the figure, what stands below it. */
export function keyFigures(
  figures: readonly (readonly [of: HtmlPart, figure: HtmlPart, more: HtmlPart] | false)[],
  kind = "sums",
): Html {
  return html`<dl class="${kind}">
    ${figures.map(
      (one) =>
        one !== false &&
        html`<div>
          <dt>${one[0]}</dt>
          <dd>${one[1]} <span>${one[2]}</span></dd>
        </div>`,
    )}
  </dl>`;
}

/** A list of links, each with what is said of it. */
export function linkList(links: readonly (readonly [href: string, text: string, more: string])[]): Html {
  return html`<ul class="results">
    ${links.map(([href, text, more]) => html`<li><a href="${href}">${text}</a> <span class="soft">${more}</span></li>`)}
  </ul>`;
}

/** A warning about entries of a list that match no company. */
export function notFound(unknown: readonly string[]): Html | false {
  return (
    unknown.length > 0 &&
    html`<p class="warning">
      No company found for ${unknown.slice(0, 20).join(", ")}${unknown.length > 20 && ", …"}.
    </p>`
  );
}

/** A heading with what belongs to it at the right. */
export function headed(title: HtmlPart, beside: HtmlPart, id?: string): Html {
  return html`<div class="head">
    <h2${id !== undefined && html` id="${id}"`}>${title}</h2>
    ${beside}
  </div>`;
}

/** One of several links that look like buttons. @param current what it is, where it leads here */
export function pick(href: string, text: HtmlPart, current: "page" | "true" | false): Html {
  return html`<a class="button" href="${href}" ${current !== false && html`aria-current="${current}"`}
    >${text}</a
  >`;
}

/** The way to the next page of a list. */
export function nextPage(href: string): Html {
  return html`<p class="actions"><a class="button" href="${href}">Next page</a></p>`;
}

/** The data behind a chart, folded below it. */
export function chartData(table: Html): Html {
  return html`<details class="data">
    <summary>Chart data</summary>
    ${table}
  </details>`;
}

/** The search form. */
export function searchForm(words: string, isFocused: boolean): Html {
  return searchBox(html`value="${words}" ${isFocused && html`autofocus`}`);
}
