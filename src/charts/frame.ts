/**
 * Shared parts of charts: rendered on the server as SVG, coloured by classes of the stylesheet, and described in text.
 */
import type { Component } from "../domain/row-fields.ts";
import { type Html, html } from "../html.ts";

/** Width of a drawing in its own units; it scales with the page. */
export const WIDTH = 848;

/** Components by family, as they are stacked: cash, equity, then the rest. */
export const BY_FAMILY: readonly Component[] = [
  "salary",
  "bonus",
  "non_equity_incentive",
  "stock_awards",
  "option_awards",
  "pension_change",
  "other_comp",
  "unknown_component",
];

/** Margins around the drawing. */
export const MARGIN = { top: 24, right: 12, bottom: 30, left: 64 } as const;

/** A chart to render. */
export interface Chart {
  /** Prefix of element ids; unique on the page. */
  id: string;
  title: string;
  /** Text alternative of one or two sentences. */
  description: string;
  height: number;
  /** In its own units; `WIDTH` if absent. */
  width?: number;
  /** Whether positions across are in percent: the drawing then takes any width, and its text does not shrink. */
  isFluid?: boolean;
  /** Whether a fluid drawing is too dense for a phone, and scrolls there. */
  isDense?: boolean;
  drawing: Html;
  /** The colours and their meaning. */
  legend?: readonly LegendEntry[];
}

/** A colour and its meaning. */
export interface LegendEntry {
  /** Class with the fill colour. */
  colour: string;
  label: string;
}

/** Renders a chart as a figure with title, drawing, text alternative and legend. */
export function figure(chart: Chart): Html {
  const { id, title, description, height, width = WIDTH, drawing, legend = [], isFluid, isDense } = chart;
  const size =
    isFluid === true ? html`width="100%" height="${height}"` : html`viewBox="0 0 ${width} ${height}"`;
  const kind =
    isDense === true ? "plot dense" : isFluid === true && height < 100 ? "plot strip-plot" : "plot";
  return html`<figure class="${kind}">
    ${title !== "" && html`<figcaption>${title}</figcaption>`} ${keys(legend)}
    <svg ${size} role="img" aria-labelledby="${id}-title ${id}-text">
      <title id="${id}-title">${title}</title>
      <desc id="${id}-text">${description}</desc>
      ${drawing}
    </svg>
  </figure>`;
}

/** Colours and their meaning. */
export function keys(legend: readonly LegendEntry[]): Html | false {
  return (
    legend.length > 0 &&
    html`<ul class="legend">
      ${legend.map(
        ({ colour, label }) =>
          html`<li>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect class="${colour}" width="10" height="10" rx="2" /></svg
            >${label}
          </li>`,
      )}
    </ul>`
  );
}

/** An amount for axes and bars: `74.3M`, `950K`, `0`. */
export function shortAmount(units: number): string {
  const size = Math.abs(units);
  const sign = units < 0 ? "−" : "";
  const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, ""));
  // Values that would round to 1000 use the next unit.
  if (size >= 999.5e6) return `${sign}${digits(size / 1e9)}B`;
  if (size >= 999.5e3) return `${sign}${digits(size / 1e6)}M`;
  if (size >= 1e3) return `${sign}${digits(size / 1e3)}K`;
  return `${sign}${size}`;
}

/** Horizontal grid lines with their amounts on the left. @param currency the sign in front of them */
export function amountAxis(
  ticks: readonly number[],
  y: (value: number) => number,
  { currency = "", width = WIDTH }: { currency?: string; width?: number } = {},
): Html {
  return html`${ticks.map(
    (tick) =>
      html`<line
          class="grid"
          x1="${MARGIN.left}"
          x2="${width - MARGIN.right}"
          y1="${point(y(tick))}"
          y2="${point(y(tick))}"
        />
        <text class="tick" x="${MARGIN.left - 8}" y="${point(y(tick) + 4)}" text-anchor="end"
          >${tick === 0 ? "" : currency}${shortAmount(tick)}</text
        >`,
  )}`;
}

/** A coordinate with at most one decimal. */
export function point(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}
