import { scaleLinear } from "d3-scale";
import { html } from "../html.ts";
import { type Chart, MARGIN, point, shortAmount, WIDTH } from "./frame.ts";

/** A labelled value on the strip. */
export interface Mark {
  label: string;
  value: number;
}

const HEIGHT = 70;
const MIDDLE = 24;

/** A strip plot: each value as a stroke on one line, with quartiles or one company highlighted. */
export function stripChart(chart: {
  id: string;
  title: string;
  values: readonly number[];
  marks: readonly Mark[];
}): Chart {
  const { id, title, values, marks } = chart;
  const all = [...values, ...marks.map(({ value }) => value)];
  const x = scaleLinear()
    .domain([Math.min(0, ...all), Math.max(1, ...all)])
    .nice(6)
    .range([MARGIN.left / 2, WIDTH - MARGIN.left / 2]);
  return {
    id,
    title: `${title}; ${marks.map(({ label, value }) => `${label} ${shortAmount(value)}`).join(", ")}`,
    height: HEIGHT,
    description: `${values.length} values. ${marks.map(({ label, value }) => `${label}: ${shortAmount(value)}`).join("; ")}`,
    drawing: html`${values.map(
      (value) =>
        html`<line
          class="stroke strip"
          x1="${point(x(value))}"
          x2="${point(x(value))}"
          y1="${MIDDLE - 12}"
          y2="${MIDDLE + 12}"
        />`,
    )}
    ${marks.map(
      ({ value }) =>
        html`<line
          class="stroke mark"
          x1="${point(x(value))}"
          x2="${point(x(value))}"
          y1="${MIDDLE - 16}"
          y2="${MIDDLE + 16}"
        />`,
    )}
    ${x
      .ticks(6)
      .map(
        (tick) =>
          html`<text class="tick" x="${point(x(tick))}" y="${HEIGHT - 10}" text-anchor="middle"
            >${shortAmount(tick)}</text
          >`,
      )}`,
  };
}
