import { scaleLinear } from "d3-scale";
import { type Html, html } from "../html.ts";
import { type Chart, point, shortAmount } from "./frame.ts";

/** One company's totals by fiscal year. */
export interface YearGroup {
  label: string;
  amounts: ReadonlyMap<number, number>;
  /** Years that are drawn as outlines, because they are partial. */
  partial: ReadonlySet<number>;
}

const HEIGHT = 230;
const ROOM = { top: 24, bottom: 40 } as const;
const LEFT = 5;
/** Above this many bars, the chart scrolls on a phone rather than shrinks. */
const DENSE = 24;

/** Totals over the years, a group of bars for each company on one scale. A year without an amount stays empty. */
// oxlint-disable-next-line max-lines-per-function -- its parts share the scales
export function yearBars(chart: {
  id: string;
  title: string;
  groups: readonly YearGroup[];
  currency?: string;
}): Chart {
  const { id, title, groups, currency = "" } = chart;
  const known = groups.flatMap(({ amounts }) => [...amounts.keys()]);
  const first = Math.min(...known);
  const years =
    known.length === 0 ? [] : Array.from({ length: Math.max(...known) - first + 1 }, (_, at) => first + at);
  const all = groups.flatMap(({ amounts }) => [...amounts.values()]);
  const bottom = HEIGHT - ROOM.bottom;
  const y = scaleLinear()
    .domain([Math.min(0, ...all), Math.max(1, ...all)])
    .nice(4)
    .range([bottom, ROOM.top]);
  const wide = (100 - LEFT) / Math.max(1, groups.length);
  const step = (wide * 0.86) / Math.max(1, years.length);
  const bar =
    (group: YearGroup, from: number) =>
    (year: number, at: number): Html | false => {
      const amount = group.amounts.get(year);
      const left = from + at * step;
      if (amount === undefined) return false;
      const isPartial = group.partial.has(year);
      const [top, base] = [Math.min(y(amount), y(0)), Math.max(y(amount), y(0))];
      return html`<rect
        class="${isPartial ? "hollow series-2" : "series-2"}"
        x="${left.toFixed(2)}%"
        y="${point(top)}"
        width="${(step * 0.72).toFixed(2)}%"
        height="${point(Math.max(1, base - top))}"
      >
        <title>${group.label}, fiscal ${year}: ${shortAmount(amount)}${isPartial && ", partial"}</title>
      </rect>`;
    };
  const draw = (group: YearGroup, index: number): Html => {
    const from = LEFT + index * wide;
    const middle = from + (step * years.length) / 2;
    const highest = [...group.amounts].toSorted((a, b) => b[1] - a[1])[0];
    const text = (kind: string, x: number, at: number, words: string) =>
      html`<text class="${kind}" x="${x.toFixed(2)}%" y="${point(at)}" text-anchor="middle">${words}</text>`;
    return html`${years.map(bar(group, from))}
    ${groups.length * years.length <= DENSE && years.map((year, at) => text("tick fine", from + (at + 0.36) * step, bottom + 14, `’${String(year).slice(2)}`))}
    ${highest !== undefined && text("value", from + (highest[0] - first + 0.4) * step, y(Math.max(0, highest[1])) - 6, currency + shortAmount(highest[1]))}
    ${years.length > 0 && groups.length * years.length > DENSE && text("tick", middle, bottom + 16, `${String(first).slice(2)}–${String(years.at(-1)).slice(2)}`)}
    ${text("tick year", middle, bottom + 33, group.label)}`;
  };
  return {
    id,
    title,
    height: HEIGHT,
    isFluid: true,
    isDense: groups.length * years.length > DENSE,
    description: groups
      .map(({ label, amounts }) => {
        const told = [...amounts]
          .toSorted(([a], [b]) => a - b)
          .map(([year, amount]) => `${year} ${shortAmount(amount)}`);
        return `${label}: ${told.join(", ")}`;
      })
      .join("; "),
    drawing: html`${y
      .ticks(4)
      .map(
        (tick) =>
          html`<line
              class="${tick === 0 ? "axis" : "grid"}"
              x1="0"
              x2="100%"
              y1="${point(y(tick))}"
              y2="${point(y(tick))}"
            />
            <text class="tick" x="0" y="${point(y(tick) - 4)}"
              >${tick === 0 ? "" : currency + shortAmount(tick)}</text
            >`,
      )}
    ${groups.map(draw)}`,
  };
}
