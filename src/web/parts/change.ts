/** The change of a total on the year before. */
import type { ExecutiveCompensation as Row } from "../../domain/row-fields.ts";
import { centsOf, formatAmount, unitsOf } from "../../domain/amount.ts";
import { type Html, html } from "../../lib/html.ts";
import { isShortPeriod, type RemarksOf } from "../../dataset/remarks.ts";

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

/** The same as an amount: `−64,808,903`. */
export function changeAmount(row: Row, before: Row | undefined, remarks: RemarksOf): Html {
  if (before === undefined || changeOf(row, before, remarks) === null)
    return html`<span class="nil">n/a</span>`;
  const cents = centsOf(row.total_compensation) - centsOf(before.total_compensation);
  return html`${cents < 0 ? "−" : "+"}${formatAmount(unitsOf(Math.abs(cents)))}`;
}

/** A change in percent with its direction: `▲ 12%`. */
export function changeMark(percent: number | null): Html {
  if (percent === null) return html`<span class="nil">n/a</span>`;
  const size = Math.abs(percent);
  // A total that is not nil has not fallen by all of it.
  const whole = percent < 0 && size < 100 ? Math.min(99, Math.round(size)) : Math.round(size);
  const text = `${size < 9.95 ? size.toFixed(1) : formatAmount(whole)}%`;
  if (text === "0.0%") return html`<span class="nil">0.0%</span>`;
  return percent > 0
    ? html`<span class="up">▲&#160;${text}</span>`
    : html`<span class="down">▼&#160;${text}</span>`;
}
