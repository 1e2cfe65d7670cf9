import { scaleBand, scaleLinear } from "d3-scale";
import { html } from "../html.ts";
import { amountAxis, type Chart, MARGIN, point, WIDTH } from "./frame.ts";

/** The count of a day. */
export interface Day {
  /** YYYY-MM-DD */
  day: string;
  count: number;
}

const HEIGHT = 220;
/** Days between labels, which would overlap otherwise. */
const LABEL_STEP = 7;

/** A bar chart of counts per day, with both axes. */
export function dailyChart(chart: { id: string; title: string; unit: string; days: readonly Day[] }): Chart {
  const { id, title, unit, days } = chart;
  const highest = Math.max(0, ...days.map(({ count }) => count));
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const bottom = HEIGHT - MARGIN.bottom;
  const y = scaleLinear()
    .domain([0, Math.max(4, highest)])
    .nice(4)
    .range([bottom, MARGIN.top]);
  const x = scaleBand<string>()
    .domain(days.map(({ day }) => day))
    .range([MARGIN.left, WIDTH - MARGIN.right])
    .padding(0.25);
  const wholeTicks = y.ticks(4).filter((tick) => Number.isInteger(tick));
  return {
    id,
    title,
    height: HEIGHT,
    description: `${total} ${unit} in total, at most ${highest} on one day.`,
    drawing: html`${amountAxis(wholeTicks, y)}
    ${days.map(
      ({ day, count }) =>
        count > 0 &&
        html`<rect
          class="series-1"
          x="${point(x(day) ?? 0)}"
          y="${point(y(count))}"
          width="${point(x.bandwidth())}"
          height="${point(bottom - y(count))}"
        >
          <title>${day}: ${count} ${unit}</title>
        </rect>`,
    )}
    ${days.map(
      ({ day }, index) =>
        (days.length - 1 - index) % LABEL_STEP === 0 &&
        html`<text
          class="tick"
          x="${point((x(day) ?? 0) + x.bandwidth() / 2)}"
          y="${bottom + 20}"
          text-anchor="middle"
          >${day.slice(5)}</text
        >`,
    )}`,
  };
}
