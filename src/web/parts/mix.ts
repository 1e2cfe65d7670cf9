/** What a total is made of: shares, bars, colours. */
import { BY_FAMILY, payKeys, legendList } from "../../charts/frame.ts";
import {
  AMOUNT_FIELD,
  type AmountField,
  type ExecutiveCompensation as Row,
} from "../../domain/row-fields.ts";
import { type Html, html, type HtmlPart } from "../../lib/html.ts";

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

/** A bar of the mix of a row's pay; one that is longer is cut, with a gap. @param highest the total of the longest bar @param median a total that is drawn as a dashed line from row to row */
export function mixBar(row: Amounts, highest: number, median: number | null = null): Html {
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
  return mixOf(
    html`${parts}${left > 1001 && html`<rect class="gap" x="940" width="25" height="9" />`}${medianLine(median, highest)}`,
  );
}

function medianLine(median: number | null, highest: number): Html | false {
  if (median === null) return false;
  const at = ((median / Math.max(1, highest)) * 1000).toFixed(0);
  return html`<line class="median" x1="${at}" x2="${at}" y1="-12" y2="22" />`;
}

/** The drawing of such a bar. */
export function mixOf(parts: HtmlPart): Html {
  return html`<svg class="mix" viewBox="0 0 1000 9" preserveAspectRatio="none" aria-hidden="true">
    ${parts}
  </svg>`;
}

/** A bar of a total without components. @param highest the total of the longest bar @param median as for a mix */
export function outlineBar(total: number, highest: number, median: number | null = null): Html {
  const kind = total > highest ? "outline cut" : "outline";
  const width = Math.max(2, Math.min(1000, (total / highest) * 1000) - 8).toFixed(0);
  return mixOf(
    html`<rect class="${kind}" x="4" y="0.5" width="${width}" height="8" />${medianLine(median, highest)}`,
  );
}

/** The colours of the components that some row has. */
export function mixKeys(rows: readonly Row[]): Html | false {
  const used = BY_FAMILY.filter(
    (name) => name !== "unknown_component" && rows.some((row) => row[name] !== 0),
  );
  return legendList(payKeys(used));
}

/** An amount's name with its colour. */
export function keyedName(name: AmountField): Html {
  const colour = html`<svg class="key" viewBox="0 0 10 10" aria-hidden="true">
    <rect class="pay-${name}" width="10" height="10" rx="2" />
  </svg>`;
  return html`${name !== "total_compensation" && colour}${AMOUNT_FIELD[name].shortLabel}`;
}
