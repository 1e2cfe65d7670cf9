/** Fiscal years: partial ones, those in another currency, ranges. */
import { type Chart } from "../../charts/frame.ts";
import { type ExecutiveCompensation as Row } from "../../domain/row-fields.ts";
import { type Html, html } from "../../lib/html.ts";

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

/** `2019 to 2025`, or a single year. @param years at least one, in any order */
export function yearRange(years: readonly number[]): string {
  const [oldest, newest] = [Math.min(...years), Math.max(...years)];
  return newest === oldest ? String(newest) : `${oldest} to ${newest}`;
}
