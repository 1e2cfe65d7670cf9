import { scaleLinear, scalePoint } from "d3-scale";
import { line } from "d3-shape";
import { type Html, html } from "../html.ts";
import { amountAxis, type Chart, MARGIN, point, shortAmount, WIDTH } from "./frame.ts";

/** A line of a chart; a year without an amount interrupts it. */
export interface Series {
  label: string;
  /** Amounts by fiscal year. */
  amounts: ReadonlyMap<number, number>;
  /** Years whose points are hollow, because they are partial. */
  partial?: ReadonlySet<number>;
  isDashed?: boolean;
}

const HEIGHT = 280;
/** Number of series colours in the stylesheet; they repeat after that. */
const COLOURS = 8;

/** The CSS class of a series. */
function seriesColour(index: number): string {
  return `series-${(index % COLOURS) + 1}`;
}

/** A line chart of amounts by fiscal year. */
// oxlint-disable-next-line max-lines-per-function -- its parts share the scales
export function lineChart(chart: {
  id: string;
  title: string;
  series: readonly Series[];
  currency?: string;
  width?: number;
}): Chart {
  const { id, title, series, currency = "", width = WIDTH } = chart;
  const known = series.flatMap(({ amounts }) => [...amounts.keys()]);
  const first = Math.min(...known);
  const years =
    known.length === 0 ? [] : Array.from({ length: Math.max(...known) - first + 1 }, (_, n) => first + n);
  const all = series.flatMap(({ amounts }) => [...amounts.values()]);
  const y = scaleLinear()
    .domain([Math.min(0, ...all), Math.max(1, ...all)])
    .nice(5)
    .range([HEIGHT - MARGIN.bottom, MARGIN.top]);
  const x = scalePoint<number>()
    .domain(years)
    .range([MARGIN.left, width - MARGIN.right])
    .padding(0.5);
  const draw = (one: Series, index: number): Html => {
    const path = line<number>()
      .defined((year) => one.amounts.has(year))
      .x((year) => x(year) ?? 0)
      .y((year) => y(one.amounts.get(year) ?? 0))(years);
    const colour = seriesColour(index);
    return html`<path class="stroke ${colour}${one.isDashed === true && " dashed"}" d="${path ?? ""}" /> ${[
        ...one.amounts,
      ].map(
        ([year, amount]) =>
          html`<circle
            class="${one.partial?.has(year) === true && "hollow "}${colour}"
            cx="${point(x(year) ?? 0)}"
            cy="${point(y(amount))}"
            r="3.5"
          >
            <title>${one.label}, fiscal ${year}: ${shortAmount(amount)}</title>
          </circle>`,
      )}`;
  };
  return {
    id,
    title,
    width,
    height: HEIGHT,
    description: series
      .map(({ label, amounts }) => {
        const told = [...amounts]
          .sort(([a], [b]) => a - b)
          .map(([year, amount]) => `${year} ${shortAmount(amount)}`);
        return `${label}: ${told.join(", ")}`;
      })
      .join("; "),
    drawing: html`${amountAxis(y.ticks(5), y, { currency, width })} ${series.map(draw)}
    ${series.length === 1 && [...(series[0]?.amounts ?? [])].map(([year, amount]) => html`<text class="value" x="${point(x(year) ?? 0)}" y="${point(y(amount) - 9)}" text-anchor="middle">${shortAmount(amount)}</text>`)}
    ${years.map(
      (year) =>
        html`<text class="tick year" x="${point(x(year) ?? 0)}" y="${HEIGHT - 8}" text-anchor="middle"
          >${year}</text
        >`,
    )}`,
    legend:
      series.length > 1 ? series.map(({ label }, index) => ({ colour: seriesColour(index), label })) : [],
  };
}
