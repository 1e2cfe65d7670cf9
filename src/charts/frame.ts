/** What every chart shares: drawn on the server as SVG, coloured by classes of the one stylesheet, told in words beside it. */
import { type Html, html } from "../html.ts";

/** Width of a drawing in its own units; it scales with the page. */
export const WIDTH = 720;

/** Room around the drawing. */
export const MARGIN = { top: 24, right: 12, bottom: 30, left: 64 } as const;

/** A chart ready to be drawn. */
export interface Chart {
  /** Names it for those who hear the page; unique on the page, for ids. */
  id: string;
  title: string;
  /** What it shows, in a sentence or two, for those who cannot see it. */
  description: string;
  height: number;
  drawing: Html;
  /** What the colours mean. */
  legend?: readonly LegendEntry[];
}

/** A colour and its meaning. */
export interface LegendEntry {
  /** Class that fills it. */
  colour: string;
  label: string;
}

/** The chart as a figure: title, drawing with its text alternative, legend. */
export function figure({ id, title, description, height, drawing, legend = [] }: Chart): Html {
  return html`<figure class="plot">
    <figcaption>${title}</figcaption>
    <svg
      viewBox="0 0 ${WIDTH} ${height}"
      role="img"
      aria-labelledby="${id}-title ${id}-text"
      preserveAspectRatio="xMidYMid meet"
    >
      <title id="${id}-title">${title}</title>
      <desc id="${id}-text">${description}</desc>
      ${drawing}
    </svg>
    ${
      legend.length > 0 &&
      html`<ul class="legend">
        ${legend.map(
          ({ colour, label }) =>
            html`<li>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <rect class="${colour}" width="10" height="10" />
              </svg>
              ${label}
            </li>`,
        )}
      </ul>`
    }
  </figure>`;
}

/** An amount as an axis or a bar says it: `74.3M`, `950K`, `0`. */
export function shortAmount(units: number): string {
  const size = Math.abs(units);
  const sign = units < 0 ? "−" : "";
  const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, ""));
  // What would be rounded to 1000 is one of the next unit.
  if (size >= 999.5e6) return `${sign}${digits(size / 1e9)}B`;
  if (size >= 999.5e3) return `${sign}${digits(size / 1e6)}M`;
  if (size >= 1e3) return `${sign}${digits(size / 1e3)}K`;
  return `${sign}${size}`;
}

/** Horizontal lines at the ticks of a scale, with their amounts at the left. */
export function amountAxis(ticks: readonly number[], y: (value: number) => number): Html {
  return html`${ticks.map(
    (tick) =>
      html`<line
          class="grid"
          x1="${MARGIN.left}"
          x2="${WIDTH - MARGIN.right}"
          y1="${point(y(tick))}"
          y2="${point(y(tick))}"
        />
        <text class="tick" x="${MARGIN.left - 8}" y="${point(y(tick) + 4)}" text-anchor="end"
          >${shortAmount(tick)}</text
        >`,
  )}`;
}

/** A coordinate with at most one decimal. */
export function point(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}
