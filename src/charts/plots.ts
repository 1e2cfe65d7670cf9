/** Plots of amounts: groups of bars, lines over the years, values on a strip. */
import { elementAt } from "../lib/checked-access.ts";
import { type Html, html } from "../lib/html.ts";
import {
  columnDrawings,
  amountAxis,
  amountScale,
  type Chart,
  type ChartOf,
  type ColumnDrawings,
  LEFT,
  coordinate,
  shortAmount,
  textAt,
  yearSpan,
  placeOf,
} from "./frame.ts";
import { scaleLinear, scalePoint } from "d3-scale";

/** A bar of a group. */
interface Bar {
  /** What it is of: a year, a day. */
  name: string;
  /** The text below it, in narrow letters. */
  label: string;
  /** Null where it is not known: then there is a dash. */
  value: number | null;
  /** Why it is drawn as an outline, if it is. */
  outlined?: string;
}

/** The bars of one company, or of all days. */
export interface BarGroup {
  label: string;
  bars: readonly Bar[];
}

const BARS_HEIGHT = 230;
const BOTTOM = BARS_HEIGHT - 40;
/** Above this many bars, the chart scrolls on a phone rather than shrinks. */
const MAX_PHONE_BARS = 24;
/** As many bars have a label below each; of more, some have. */
const MAX_LABELLED = 40;

/** Half of what an amount takes, in percent of a chart as wide as a page. */
const HALF_AMOUNT = 2.2;

type BarsOf = Pick<ChartOf, "currency"> & { groups: readonly BarGroup[] };

/** The scale of groups of bars, and how one is drawn at a place. */
function layoutBars({ groups, currency = "" }: BarsOf) {
  const count = Math.max(1, ...groups.map(({ bars }) => bars.length));
  const labelled = Math.ceil((groups.length * count) / MAX_LABELLED);
  const y = amountScale(
    groups.flatMap(({ bars }) => bars.flatMap(({ value }) => value ?? [])),
    [BOTTOM, 24],
  );
  /** @param from in percent, as the others @param between where the amount of the highest bar may stand */
  const draw = (
    { label, bars }: BarGroup,
    from: number,
    wide: number,
    [first, last]: readonly [number, number],
  ): Html => {
    const step = wide / count;
    const middle = (at: number) => from + (at + 0.36) * step;
    const highest = bars.reduce(
      (best, { value }, at) => ((value ?? 0) > (elementAt(bars, best).value ?? 0) ? at : best),
      0,
    );
    const bar = ({ name, value, outlined = "" }: Bar, at: number) => {
      if (value === null) return textAt("tick fine", middle(at), BOTTOM - 3, "–");
      const [top, base] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))];
      return html`<rect
        class="${outlined === "" ? "series-2" : "hollow series-2"}"
        x="${(from + at * step).toFixed(2)}%"
        y="${coordinate(top)}"
        width="${(step * 0.72).toFixed(2)}%"
        height="${coordinate(value === 0 ? 0 : Math.max(1, base - top))}"
      >
        <title>${label}, ${name}: ${shortAmount(value)}${outlined !== "" && `, ${outlined}`}</title>
      </rect>`;
    };
    const top = bars[highest]?.value ?? null;
    return html`${bars.map(bar)}
    ${bars.map((one, at) => at % labelled === 0 && one.label !== "" && textAt("tick fine", middle(at), BOTTOM + 14, one.label))}
    ${top !== null && textAt("value", Math.max(first, Math.min(middle(highest), last)), y(Math.max(0, top)) - 6, currency + shortAmount(top))}
    ${textAt("tick year", middle((bars.length - 1) / 2), BOTTOM + 33, label)}`;
  };
  return { count, y, draw };
}

/** Groups of bars above the columns of a table. */
export function barColumns(chart: BarsOf): ColumnDrawings {
  const { y, draw } = layoutBars(chart);
  const drawings = chart.groups.map((group) => draw(group, 8, 94, [0, 88]));
  return columnDrawings(y, chart.currency ?? "", BARS_HEIGHT, drawings);
}

/** Groups of bars on one scale, all with the same number of bars. */
export function barChart(chart: BarsOf & ChartOf): Chart {
  const { id, title, groups, currency = "" } = chart;
  const { count, y, draw } = layoutBars(chart);
  const wide = (100 - LEFT) / Math.max(1, groups.length);
  return {
    id,
    title,
    height: BARS_HEIGHT,
    isDense: groups.length * count > MAX_PHONE_BARS,
    description: groups
      .map(({ label, bars }) => {
        const texts = bars.flatMap(({ name, value }) =>
          value === null ? [] : [`${name} ${shortAmount(value)}`],
        );
        return `${label}: ${texts.join(", ")}`;
      })
      .join("; "),
    drawing: html`${amountAxis(y, currency)}
    ${groups.map((group, at) => {
      const from = LEFT + at * wide;
      // Within its own group, or it would lie on its neighbour's.
      const half = Math.min(HALF_AMOUNT, wide / 2);
      return draw(group, from, wide * 0.9, [from + half, Math.min(97.5, from + wide - half)]);
    })}`,
  };
}

/** A line of a chart; a year without an amount interrupts it. */
export interface Series {
  label: string;
  /** Amounts by fiscal year. */
  amounts: ReadonlyMap<number, number>;
  /** Years whose points are hollow, because they are partial. */
  partial?: ReadonlySet<number>;
  isDashed?: boolean;
}

const LINES_HEIGHT = 250;
/** Of more years, a phone names every second one. */
const MAX_ONE_LINE = 7;
/** Number of series colours in the stylesheet; they repeat after that. */
const COLOURS = 8;

function colourOf(index: number): string {
  return `series-${(index % COLOURS) + 1}`;
}

/** A line chart of amounts by fiscal year. */
export function lineChart(chart: ChartOf & { series: readonly Series[] }): Chart {
  const { id, title, series, currency = "" } = chart;
  const years = yearSpan(series.flatMap(({ amounts }) => [...amounts.keys()]));
  const y = amountScale(
    series.flatMap(({ amounts }) => [...amounts.values()]),
    [LINES_HEIGHT - 26, 22],
  );
  const x = scalePoint<number>().domain(years).range([LEFT, 100]).padding(0.5);
  const at = (year: number) => `${placeOf(x, year).toFixed(2)}%`;
  const draw = ({ label, amounts, partial, isDashed }: Series, index: number): Html => {
    const colour = colourOf(index);
    const steps = years.flatMap((year) => {
      const [from, to] = [amounts.get(year - 1), amounts.get(year)];
      return from === undefined || to === undefined ? [] : [{ year, from, to }];
    });
    return html`${steps.map(({ year, from, to }) => html`<line class="stroke ${colour}${isDashed === true && " dashed"}" x1="${at(year - 1)}" y1="${coordinate(y(from))}" x2="${at(year)}" y2="${coordinate(y(to))}" />`)}
    ${[...amounts].map(
      ([year, amount]) =>
        html`<circle
          class="${partial?.has(year) === true && "hollow "}${colour}"
          cx="${at(year)}"
          cy="${coordinate(y(amount))}"
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
    height: LINES_HEIGHT,
    description: series
      .map(({ label, amounts }) => {
        const points = [...amounts].toSorted(([a], [b]) => a - b);
        return `${label}: ${points.map(([year, amount]) => `${year} ${shortAmount(amount)}`).join(", ")}`;
      })
      .join("; "),
    drawing: html`${amountAxis(y, currency)} ${series.map(draw)}
    ${[...(only?.amounts ?? [])].map(([year, amount]) => textAt("value", placeOf(x, year), y(amount) - 9, shortAmount(amount)))}
    ${years.map((year, at) => textAt(`tick year${(years.length - at) % 2 === 0 && years.length > MAX_ONE_LINE ? " second" : ""}`, placeOf(x, year), LINES_HEIGHT - 6, String(year)))}`,
    legend: series.length > 1 ? series.map(({ label }, index) => ({ colour: colourOf(index), label })) : [],
  };
}

/** A labelled value on the strip. */
export interface Mark {
  label: string;
  value: number;
  /** Whether it is the own company's, which stands out. */
  isOwn?: boolean;
}

const STRIP_HEIGHT = 60;
const MIDDLE = 30;
/** Two labels take so much on a phone, in percent of the width: marks that are closer have them on different sides. */
const NEAR = 24;
/** No room for two labels, even on a desktop. */
const CLOSE = 16;

/**
 * A strip plot: each value as a dot on one line, with a few marks.
 *
 * @param marks at most three: labelled above, below and above
 */
export function stripChart(chart: ChartOf & { values: readonly number[]; marks: readonly Mark[] }): Chart {
  const { id, title, values, marks, currency = "" } = chart;
  const all = [...values, ...marks.map(({ value }) => value)];
  const highest = Math.max(1, ...all);
  const x = scaleLinear()
    .domain([Math.min(0, ...all), highest])
    .range([2, 98]);
  const at = (value: number) => `${coordinate(x(value))}%`;
  const anchor = (index: number): string => {
    const here = x(elementAt(marks, index).value);
    const [before, after] = [marks[index - 2], marks[index + 2]].map((one) => one && x(one.value));
    const isFollowed = after !== undefined && after - here < NEAR;
    // The label of a mark at the left end begins there, and takes the room of the next one.
    const room = before !== undefined && before < 12 ? 1.5 * NEAR : NEAR;
    if (here < (isFollowed ? 5 : 12) || (before !== undefined && here - before < room)) return "start";
    return here > 88 || isFollowed ? "end" : "middle";
  };
  // The label of the highest value stands below the line, as does every second mark's.
  const hasRoom = marks.every(({ value }, at) => (at % 2 === 0 ? value < highest : x(value) < 62));
  const end = html`<text class="tick fine" x="100%" y="${STRIP_HEIGHT - 4}" text-anchor="end"
    >${currency}${shortAmount(highest)}</text
  >`;
  const [first = 0, , third] = marks.map(({ value }) => x(value));
  // Marks near the left end would stand on one another on a phone.
  const isCrowded = third !== undefined && first < NEAR && third - first < NEAR;
  // At the very end there is no room at all for both that stand above the line.
  const isFull = third !== undefined && first < 5 && third - first < CLOSE;
  return {
    id,
    title,
    height: STRIP_HEIGHT,
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
          }${
            !(isFull && index % 2 === 0 && !isOwn) &&
            html`<text
              class="tick ${isOwn && "own"} ${isCrowded && index % 2 === 0 && "fine crowded"}"
              x="${at(value)}"
              y="${index % 2 === 0 ? MIDDLE - 17 : MIDDLE + 27}"
              text-anchor="${anchor(index)}"
              >${label} <tspan class="value">${currency}${shortAmount(value)}</tspan></text
            >`
          }`,
      )}
      ${hasRoom && end}`,
  };
}
