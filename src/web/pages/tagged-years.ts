/** Totals of chief executives that only the filer's tags tell: who may see which, as bars and as a table. */
import { figure } from "../../charts/frame.ts";
import { type PayBar, payMixChart, totalOnly } from "../../charts/pay-mix.ts";
import { formatAmount, unitsOf } from "../../domain/amount.ts";
import { type CeoPayRecord, readCeoPay } from "../../dataset/ceo-pay-records.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { type Html, html } from "../../lib/html.ts";
import { currencySign } from "../parts/amounts.ts";
import { linkOut } from "../parts/elements.ts";
import { Footnotes } from "../parts/footnotes.ts";
import { outlineBar } from "../parts/mix.ts";
import { tableBox } from "../parts/tables.ts";

/** A total that only a tag tells. */
export type Tagged = CeoPayRecord;

/**
 * The tagged totals that are shown, newest first.
 * @param after the newest year of the company's rows
 * @param isOpen whether all are: earlier ones than the newest known total are history
 */
export function taggedTotals(dataset: Dataset, cik: string, after: number, isOpen: boolean): Tagged[] {
  return readCeoPay(dataset, cik)
    .filter(
      ({ basis, isLatest, fiscalYear }) => basis === "tag" && (isOpen || (isLatest && fiscalYear > after)),
    )
    .toSorted((a, b) => b.fiscalYear - a.fiscalYear || b.cents - a.cents);
}

/** The total of a year that stands for it: not one in doubt; of several, the highest. */
export function totalOfYear(tagged: readonly Tagged[], year: number): Tagged | undefined {
  return tagged.find(({ fiscalYear, doubts }) => fiscalYear === year && doubts.length === 0);
}

/** The bar of a total. */
export function taggedBar({ fiscalYear, cents }: Tagged): PayBar {
  return { label: String(fiscalYear), row: totalOnly(unitsOf(cents)), isTotalOnly: true, names: ["CEO"] };
}

/** The chart of a company of which only tags tell; nothing of a single year. */
export function taggedChart(tagged: readonly Tagged[]): Html | false {
  const years = [...new Set(tagged.map(({ fiscalYear }) => fiscalYear))].toSorted((a, b) => a - b);
  const bars = years.flatMap((year) => totalOfYear(tagged, year) ?? []).map(taggedBar);
  const currency = currencySign(tagged[0]?.currency ?? null);
  return (
    bars.length > 1 &&
    figure(payMixChart({ id: "years", title: "The CEO's total over the years", bars, currency }))
  );
}

/** The CEO's name, or that there is none. */
export function taggedName({ peoName }: Tagged): string {
  return peoName ?? "Name not in the tagged data";
}

/** What the mark of tagged totals means. */
export const TAGGED_MARK = html`<i class="dot tagged"></i> the total only, as the filer tagged it in inline
  XBRL; its bar is an outline.`;

/** A line for each total. */
export function taggedTable(tagged: readonly Tagged[]): Html {
  const notes = new Footnotes("tagged");
  const highest = Math.max(1, ...tagged.map(({ cents }) => unitsOf(cents)));
  const line = (record: Tagged) => {
    const { fiscalYear, cents, currency, labelInferred, doubts, source, provider } = record;
    const remarks = [
      ...(labelInferred ? [`Fiscal ${fiscalYear} is the year in which the period ended.`] : []),
      ...doubts.map(({ message }) => `Doubtful: ${message}.`),
    ];
    const filing =
      source === null
        ? (provider ?? "inline XBRL")
        : `${source.form ?? "Proxy statement"} of ${source.filing_date ?? source.accession}`;
    return html`<tr>
      <th scope="row">
        ${taggedName(record)}
        <abbr class="tag" title="Principal executive officer (PEO), Item 402(a)(3)">CEO</abbr>
        <span class="role">fiscal ${fiscalYear}</span> ${notes.mark(...remarks)}
      </th>
      <td class="mixed">${outlineBar(unitsOf(cents), highest)}</td>
      <td class="number total" data-label="Total">
        ${currency !== "USD" && currencySign(currency)}${formatAmount(unitsOf(cents))}
      </td>
      <td class="number mark" data-label="Source">
        <i class="dot tagged"></i> ${linkOut(source?.filing_url ?? null, filing, source?.accession ?? null)}
      </td>
    </tr>`;
  };
  const heads = html`<tr>
    <th scope="col">Executive</th>
    <th scope="col">Mix of pay</th>
    <th scope="col" class="number">Total</th>
    <th scope="col" class="number">Source</th>
  </tr>`;
  const caption = "Totals as the filer tagged them; their components are not known here";
  return html`${tableBox({ kind: "pay cards brief short alone", caption }, heads, tagged.map(line))}
    ${notes.list()}
    <p class="foot">${TAGGED_MARK}</p>`;
}
