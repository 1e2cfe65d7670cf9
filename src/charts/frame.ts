/**
 * Shared parts of charts: rendered on the server as SVG, coloured by classes of the stylesheet, and described in text.
 */
import { scaleLinear } from "d3-scale";
import { AMOUNT_FIELD, type Component } from "../domain/row-fields.ts";
import { type Html, html } from "../lib/html.ts";

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

/** A chart to render. Across, positions are in percent: it takes any width, and its text stays as large. */
export interface Chart {
  /** Prefix of element ids; unique on the page. */
  id: string;
  title: string;
  /** Text alternative of one or two sentences. */
  description: string;
  height: number;
  /** Whether it is too dense for a phone, and scrolls there. */
  isDense?: boolean;
  drawing: Html;
  /** The colours and their meaning. */
  legend?: readonly LegendEntry[];
  /** What a narrow page leaves out of the drawing. */
  narrowNote?: string;
}

/** What every chart of amounts is made from. */
export interface ChartOf {
  id: string;
  title: string;
  /** The sign in front of amounts. */
  currency?: string;
}

/** A colour and its meaning. */
export interface LegendEntry {
  /** Class with the fill colour. */
  colour: string;
  label: string;
}

/** Renders a chart as a figure with title, drawing, text alternative and legend. */
export function figure({
  id,
  title,
  description,
  height,
  drawing,
  legend = [],
  isDense,
  narrowNote,
}: Chart): Html {
  // What scrolls is reached by the keyboard.
  const box = isDense === true ? html`class="plot dense" tabindex="0"` : html`class="plot"`;
  return html`<figure ${box}>
    ${title !== "" && html`<figcaption>${title}</figcaption>`} ${legendList(legend)}
    <svg width="100%" height="${height}" role="img" aria-labelledby="${id}-title ${id}-text">
      <title id="${id}-title">${title}</title>
      <desc id="${id}-text">${description}</desc>
      ${drawing}
    </svg>
    ${narrowNote !== undefined && html`<p class="narrow-note">${narrowNote}</p>`}
  </figure>`;
}

/** The colours of components. */
export function payKeys(components: readonly Component[]): LegendEntry[] {
  return components.map((name) => ({ colour: `pay-${name}`, label: AMOUNT_FIELD[name].shortLabel }));
}

/** Colours and their meaning. */
export function legendList(legend: readonly LegendEntry[]): Html | false {
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

/** Where drawings begin behind the labels of the axis, in percent of the width. */
export const LEFT = 7;

/** The scale of amounts, which begins at zero. @param range where the lowest and the highest one are */
export function amountScale(amounts: readonly number[], range: readonly [bottom: number, top: number]) {
  return scaleLinear()
    .domain([Math.min(0, ...amounts), Math.max(1, ...amounts)])
    .nice(4)
    .range(range);
}

/** A scale and what is drawn on it above each column of a table. */
export interface ColumnDrawings {
  axis: Html;
  drawings: readonly Html[];
}

/** The amounts that a scale names. */
function ticksOf(y: ReturnType<typeof amountScale>): number[] {
  return y.ticks(4).filter((tick) => Number.isInteger(tick));
}

/** The line of an amount, across a drawing. @param from where it begins */
function gridLine(y: ReturnType<typeof amountScale>, tick: number, from = 0): Html {
  return html`<line
    class="${tick === 0 ? "axis" : "grid"}"
    x1="${from}"
    x2="100%"
    y1="${coordinate(y(tick))}"
    y2="${coordinate(y(tick))}"
  />`;
}

/** Lines across the drawing, with their amounts. @param currency the sign in front of them */
export function amountAxis(y: ReturnType<typeof amountScale>, currency: string): Html {
  return html`${ticksOf(y).map(
    (tick) =>
      html`${gridLine(y, tick)}
        <text class="tick scale" x="0" y="${coordinate(y(tick) - 4)}"
          >${tick === 0 ? "" : currency + shortAmount(tick)}</text
        >`,
  )}`;
}

/** Drawings of one scale above the columns of a table. @returns the labels of the scale, and a drawing for each column */
export function columnDrawings(
  y: ReturnType<typeof amountScale>,
  currency: string,
  height: number,
  columns: readonly Html[],
): ColumnDrawings {
  const drawing = (inside: Html) =>
    html`<svg width="100%" height="${height}" aria-hidden="true">${inside}</svg>`;
  const ticks = ticksOf(y);
  // Lines begin where those of the column before end.
  const lines = html`${ticks.map((tick) => gridLine(y, tick, -14))}`;
  const label = (tick: number) =>
    html`<text class="tick" x="100%" y="${coordinate(y(tick) + 4)}" text-anchor="end"
      >${tick !== 0 && currency}${shortAmount(tick)}</text
    >`;
  return {
    axis: drawing(html`${ticks.map(label)}`),
    drawings: columns.map((column) => drawing(html`${lines}${column}`)),
  };
}

/** Text in the middle of a place. @param x in percent */
export function textAt(kind: string, x: number, y: number, words: string): Html {
  return html`<text class="${kind}" x="${x.toFixed(2)}%" y="${coordinate(y)}" text-anchor="middle"
    >${words}</text
  >`;
}

/** Every year from the first to the last. */
export function yearSpan(years: readonly number[]): number[] {
  const first = Math.min(...years);
  return years.length === 0
    ? []
    : Array.from({ length: Math.max(...years) - first + 1 }, (_, at) => first + at);
}

/** A coordinate with at most one decimal. */
export function coordinate(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}

/** Where a scale places one of its values. @throws RangeError for any other, instead of a place at the edge */
export function placeOf(scale: (value: number) => number | undefined, value: number): number {
  const place = scale(value);
  if (place === undefined) throw new RangeError(`${value} is not on the scale`);
  return place;
}
