import { scaleLinear } from "d3-scale";
import { html } from "../html.ts";
import { type Chart, point, shortAmount } from "./frame.ts";

/** A labelled value on the strip. */
export interface Mark {
  label: string;
  value: number;
  /** Whether it is the own company's, which stands out. */
  isOwn?: boolean;
}

const HEIGHT = 60;
const MIDDLE = 30;
/** Marks closer than this, in percent of the width, have their labels on different sides. */
const CLOSE = 16;

/**
 * A strip plot: each value as a dot on one line, with a few marks.
 *
 * @param marks at most three: labelled above, below and above
 */
export function stripChart(chart: {
  id: string;
  title: string;
  values: readonly number[];
  marks: readonly Mark[];
  currency?: string;
}): Chart {
  const { id, title, values, marks, currency = "" } = chart;
  const all = [...values, ...marks.map(({ value }) => value)];
  const highest = Math.max(1, ...all);
  const x = scaleLinear()
    .domain([Math.min(0, ...all), highest])
    .range([2, 98]);
  const at = (value: number) => `${point(x(value))}%`;
  const anchor = (index: number): string => {
    const here = x(marks[index]?.value ?? 0);
    const [before, after] = [marks[index - 2], marks[index + 2]].map((one) => one && x(one.value));
    const isFollowed = after !== undefined && after - here < CLOSE;
    if (here < (isFollowed ? 5 : 12) || (before !== undefined && here - before < CLOSE)) return "start";
    return here > 88 || isFollowed ? "end" : "middle";
  };
  // The label of the highest value stands below the line, as does every second mark's.
  const hasRoom = marks.every(({ value }, at) => (at % 2 === 0 ? value < highest : x(value) < 62));
  // Three marks near the left end would stand on one another on a phone.
  const isCrowded = marks.length > 2 && x(marks[2]?.value ?? 0) < 2 * CLOSE;
  return {
    id,
    title,
    height: HEIGHT,
    description: `${values.length} values. ${marks.map(({ label, value }) => `${label} ${shortAmount(value)}`).join("; ")}`,
    drawing: html`<line class="grid" x1="0" x2="100%" y1="${MIDDLE}" y2="${MIDDLE}" />
      ${values.map((value) => html`<circle class="strip" cx="${at(value)}" cy="${MIDDLE}" r="4.5" />`)}
      ${marks.map(
        ({ label, value, isOwn = false }, index) =>
          html`${
              isOwn
                ? html`<circle class="series-2" cx="${at(value)}" cy="${MIDDLE}" r="6" />`
                : html`<line
                    class="mark-line"
                    x1="${at(value)}"
                    x2="${at(value)}"
                    y1="${MIDDLE - 12}"
                    y2="${MIDDLE + 12}"
                  />`
            }<text
              class="tick ${isOwn && "own"} ${isCrowded && index % 2 === 0 && "fine"}"
              x="${at(value)}"
              y="${index % 2 === 0 ? MIDDLE - 17 : MIDDLE + 27}"
              text-anchor="${anchor(index)}"
              >${label} <tspan class="value">${currency}${shortAmount(value)}</tspan></text
            >`,
      )}
      ${
        hasRoom &&
        html`<text class="tick fine" x="100%" y="${HEIGHT - 4}" text-anchor="end"
          >${currency}${shortAmount(highest)}</text
        >`
      }`,
  };
}
