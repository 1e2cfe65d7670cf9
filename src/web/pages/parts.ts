/** Pieces that several pages show. */
import { formatAmount, formatAmountCell } from "../../domain/amount.ts";
import {
  AMOUNT_FIELD,
  AMOUNTS,
  type AmountField,
  type ExecutiveCompensation,
} from "../../domain/row-fields.ts";
import { foldedWords } from "../../domain/selection.ts";
import { type Html, html } from "../../html.ts";
import type { PageCompany, PrintedZeros, RemarksOf } from "../../operations/page-data.ts";

/** The page of a company: by symbol, or by CIK where it has none. */
export function companyPath({ ticker, cik }: { ticker: string; cik: string }): string {
  return ticker === "" ? `/c/${cik}` : `/t/${encodeURIComponent(ticker)}`;
}

/** The page of a company that is already loaded for a page. */
export function pathOf({ company, ticker }: PageCompany): string {
  return companyPath({ ticker, cik: company.cik });
}

/** The page of a row: the person at the company in that fiscal year. */
export function rowPath(row: ExecutiveCompensation): string {
  return `${companyPath(row)}/${row.fiscal_year}/${row.executive_id}`;
}

/** A company in a list of an address: its symbol, or its CIK if it has none. */
export function nameInList({ company, ticker }: PageCompany): string {
  return ticker === "" ? `CIK${company.cik}` : ticker;
}

/** The amounts that a table shows: `unknown_component` only where some row has it. */
export function shownAmounts(rows: readonly ExecutiveCompensation[]): AmountField[] {
  return AMOUNTS.filter((name) => name !== "unknown_component" || rows.some((row) => row[name] !== 0));
}

/** CEO and CFO tags, with the rule's term as the tooltip. */
export function offices({ is_peo: isPeo, is_pfo: isPfo }: ExecutiveCompensation): Html {
  return html`${isPeo && html` <abbr class="tag" title="Principal executive officer (PEO), Item 402(a)(3)">CEO</abbr>`}
  ${isPfo && html` <abbr class="tag" title="Principal financial officer (PFO), Item 402(a)(3)">CFO</abbr>`}`;
}

/** The company of a row, shown under the executive's name. */
export function companyLine(row: ExecutiveCompensation): Html {
  return html`<span class="soft role"><a href="${companyPath(row)}">${row.company_name}</a></span>`;
}

/** The header and leading columns of a table of rows. */
export interface PayTable {
  caption: string;
  /** Headers of the columns before the amounts. */
  heads: readonly string[];
  /** The cells of those columns. */
  lead: (row: ExecutiveCompensation) => Html;
  /** Headers of the amount columns, where they are more than the names. */
  amounts?: Html;
  /** Which zero amounts the filing prints as a digit. */
  zeros: PrintedZeros;
}

/** The CSS classes of a cell in an amount column. */
export function amountClass(name: AmountField): string {
  return name === "total_compensation" ? "number total" : "number";
}

/** The headers of the amount columns. */
export function amountHeads(shown: readonly AmountField[]): Html {
  return html`${shown.map(
    (name) =>
      html`<th scope="col" class="${amountClass(name)}" title="${AMOUNT_FIELD[name].label}">
        ${AMOUNT_FIELD[name].shortLabel}
      </th>`,
  )}`;
}

/** The amounts of a row, each a link to the cell it was read from. */
export function amountCells(
  row: ExecutiveCompensation,
  shown: readonly AmountField[],
  zeros: PrintedZeros,
): Html {
  return html`${shown.map((name) => {
    const isPrinted = row[name] === 0 && zeros(row, name);
    return html`<td class="${amountClass(name)}">
      <a class="amount" href="${rowPath(row)}/${name}" title="Show the source cell"
        >${isPrinted ? formatAmount(0) : formatAmountCell(row[name])}</a
      >
    </td>`;
  })}`;
}

/** A note on a row that has only dashes; false for any other row. */
function nothingPrinted(row: ExecutiveCompensation, zeros: PrintedZeros): Html | false {
  if (AMOUNTS.some((name) => row[name] !== 0 || zeros(row, name))) return false;
  return html`<span class="soft role"
    >The filing prints no amounts for this year, not even a total, so every amount is zero.</span
  >`;
}

/** Text with its dates and accession numbers each kept on one line. */
function unbroken(text: string): Html {
  const parts = text.split(/(\d+-\d\d-\d+)/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<span class="whole">${part}</span>` : part))}`;
}

/** Notes on a row, one line each: that every cell is a dash, then the remarks. */
export function rowNotes(
  row: ExecutiveCompensation,
  { zeros, remarks }: { zeros: PrintedZeros; remarks: RemarksOf },
): Html {
  return html`${nothingPrinted(row, zeros)}${remarks(row).map(({ message }) => html`<span class="soft role">${unbroken(message)}</span>`)}`;
}

/** The filing of a row. */
export function filingLink({ source }: ExecutiveCompensation): Html {
  const { form, filing_date, filing_url, accession } = source;
  const text = html`<span class="whole">${form}</span>
    <span class="whole">${filing_date ?? accession}</span>`;
  return linkOut(filing_url, text, accession);
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
  return others.size === 0 ? "" : `formerly ${[...others.values()].join(", ")}`;
}

/** A fiscal year, with its currency if that is not the one of the caption: `2019 (EUR)`. */
export function yearIn(
  { fiscal_year: year, reporting_currency: own }: ExecutiveCompensation,
  currency: string | null,
): string {
  return own === currency ? String(year) : `${year} (${own ?? "currency unknown"})`;
}

/** A note on the years that charts leave out, because amounts of different currencies are never drawn on one scale. */
export function notDrawn(rows: readonly ExecutiveCompensation[], currency: string | null): Html | false {
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

/** A table of rows: leading cells, then the amounts and the filing of each row. */
export function payTable(
  rows: readonly ExecutiveCompensation[],
  shown: readonly AmountField[],
  { caption, heads, lead, amounts = amountHeads(shown), zeros }: PayTable,
): Html {
  return html`<div class="scroll">
      <table class="pay">
        <caption>
          ${caption}
        </caption>
        <thead>
          <tr>
            ${heads.map((head) => html`<th scope="col">${head}</th>`)} ${amounts}
            <th scope="col">Filing</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                ${lead(row)} ${amountCells(row, shown, zeros)}
                <td>${filingLink(row)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="soft hint">Select an amount to see the cell of the filing it was read from.</p>`;
}

/** Footnote for the asterisk after a partial fiscal year. */
export const PARTIAL_FOOTNOTE =
  "* Partial: that year's proxy statement is not loaded; executives who left before the next one are missing.";

/** A warning about years whose own proxy statement is not loaded. */
export function partialNote(years: readonly number[]): Html {
  return html`<p class="warning">
    Fiscal ${years.join(", ")} ${years.length === 1 ? "is" : "are"} partial: that year's proxy statement is
    not loaded; executives who left before the next one are missing.
  </p>`;
}

/** The data behind a chart of counts, shown collapsed below it. @param of what the rows are counted by */
export function countsTable(
  of: string,
  unit: string,
  counts: readonly { label: string; count: number }[],
): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${of}</th>
        <th scope="col" class="number">${unit}</th>
      </tr>
    </thead>
    <tbody>
      ${counts.map(
        ({ label, count }) =>
          html`<tr>
            <th scope="row">${label}</th>
            <td class="number">${count}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A figure with its data table collapsed below it. */
export function withTable(figure: Html, table: Html): Html {
  return html`${figure}
    <details class="data">
      <summary>Chart data</summary>
      <div class="scroll">${table}</div>
    </details>`;
}
