import { scalePoint } from "d3-scale";
import { type Html, html } from "../html.ts";
import { amountAxis, amountScale, type Chart, LEFT, point, shortAmount, textAt, yearsFrom } from "./frame.ts";

/** A line of a chart; a year without an amount interrupts it. */
export interface Series {
  label: string;
  /** Amounts by fiscal year. */
  amounts: ReadonlyMap<number, number>;
  /** Years whose points are hollow, because they are partial. */
  partial?: ReadonlySet<number>;
  isDashed?: boolean;
}

const HEIGHT = 250;
/** Of more years, a phone names every second one. */
const MANY = 7;
/** Number of series colours in the stylesheet; they repeat after that. */
const COLOURS = 8;

function colourOf(index: number): string {
  return `series-${(index % COLOURS) + 1}`;
}

/** A line chart of amounts by fiscal year. */
export function lineChart(chart: {
  id: string;
  title: string;
  series: readonly Series[];
  currency?: string;
}): Chart {
  const { id, title, series, currency = "" } = chart;
  const years = yearsFrom(series.flatMap(({ amounts }) => [...amounts.keys()]));
  const y = amountScale(
    series.flatMap(({ amounts }) => [...amounts.values()]),
    [HEIGHT - 26, 22],
  );
  const x = scalePoint<number>().domain(years).range([LEFT, 100]).padding(0.5);
  const at = (year: number) => `${(x(year) ?? 0).toFixed(2)}%`;
  const draw = ({ label, amounts, partial, isDashed }: Series, index: number): Html => {
    const colour = colourOf(index);
    const steps = years.flatMap((year) => {
      const [from, to] = [amounts.get(year - 1), amounts.get(year)];
      return from === undefined || to === undefined ? [] : [{ year, from, to }];
    });
    return html`${steps.map(({ year, from, to }) => html`<line class="stroke ${colour}${isDashed === true && " dashed"}" x1="${at(year - 1)}" y1="${point(y(from))}" x2="${at(year)}" y2="${point(y(to))}" />`)}
    ${[...amounts].map(
      ([year, amount]) =>
        html`<circle
          class="${partial?.has(year) === true && "hollow "}${colour}"
          cx="${at(year)}"
          cy="${point(y(amount))}"
          r="3.5"
        >
          <title>${label}, fiscal ${year}: ${shortAmount(amount)}</title>
        </circle>`,
    )}`;
  };
  const [only] = series.length === 1 ? series : [];
  return {
    id,
    title,
    height: HEIGHT,
    description: series
      .map(({ label, amounts }) => {
        const told = [...amounts].toSorted(([a], [b]) => a - b);
        return `${label}: ${told.map(([year, amount]) => `${year} ${shortAmount(amount)}`).join(", ")}`;
      })
      .join("; "),
    drawing: html`${amountAxis(y, currency)} ${series.map(draw)}
    ${[...(only?.amounts ?? [])].map(([year, amount]) => textAt("value", x(year) ?? 0, y(amount) - 9, shortAmount(amount)))}
    ${years.map((year, at) => textAt(`tick year${(years.length - at) % 2 === 0 && years.length > MANY ? " second" : ""}`, x(year) ?? 0, HEIGHT - 6, String(year)))}`,
    legend: series.length > 1 ? series.map(({ label }, index) => ({ colour: colourOf(index), label })) : [],
  };
}
