import { type Html, html } from "../html.ts";
import {
  aboveColumns,
  amountAxis,
  amountScale,
  type Chart,
  type ColumnDrawings,
  LEFT,
  point,
  shortAmount,
  textAt,
} from "./frame.ts";

/** A bar of a group. */
interface Bar {
  /** What it is of: a year, a day. */
  name: string;
  /** The text below it, in narrow letters. */
  label: string;
  /** Null where it is not known: then there is a dash. */
  value: number | null;
  /** Whether it is drawn as an outline. */
  isPartial?: boolean;
}

/** The bars of one company, or of all days. */
export interface BarGroup {
  label: string;
  bars: readonly Bar[];
}

const HEIGHT = 230;
const BOTTOM = HEIGHT - 40;
/** Above this many bars, the chart scrolls on a phone rather than shrinks. */
const DENSE = 24;
/** As many bars have a label below each; of more, some have. */
const LABELLED = 40;

interface BarsOf {
  groups: readonly BarGroup[];
  currency?: string;
}

/** The scale of groups of bars, and how one is drawn at a place. */
function barsOf({ groups, currency = "" }: BarsOf) {
  const count = Math.max(1, ...groups.map(({ bars }) => bars.length));
  const labelled = Math.ceil((groups.length * count) / LABELLED);
  const y = amountScale(
    groups.flatMap(({ bars }) => bars.flatMap(({ value }) => value ?? [])),
    [BOTTOM, 24],
  );
  /** @param from in percent, as the others @param last where the amount of the highest bar stands at most */
  const draw = ({ label, bars }: BarGroup, from: number, wide: number, last: number): Html => {
    const step = wide / count;
    const middle = (at: number) => from + (at + 0.36) * step;
    const highest = bars.reduce(
      (best, { value }, at) => ((value ?? 0) > (bars[best]?.value ?? 0) ? at : best),
      0,
    );
    const bar = ({ name, value, isPartial = false }: Bar, at: number) => {
      if (value === null) return textAt("tick fine", middle(at), BOTTOM - 3, "–");
      const [top, base] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))];
      return html`<rect
        class="${isPartial ? "hollow series-2" : "series-2"}"
        x="${(from + at * step).toFixed(2)}%"
        y="${point(top)}"
        width="${(step * 0.72).toFixed(2)}%"
        height="${point(value === 0 ? 0 : Math.max(1, base - top))}"
      >
        <title>${label}, ${name}: ${shortAmount(value)}${isPartial && ", partial"}</title>
      </rect>`;
    };
    const top = bars[highest]?.value ?? null;
    return html`${bars.map(bar)}
    ${bars.map((one, at) => at % labelled === 0 && one.label !== "" && textAt("tick fine", middle(at), BOTTOM + 14, one.label))}
    ${top !== null && textAt("value", Math.min(middle(highest), last), y(Math.max(0, top)) - 6, currency + shortAmount(top))}
    ${textAt("tick year", middle((bars.length - 1) / 2), BOTTOM + 33, label)}`;
  };
  return { count, y, draw };
}

/** Groups of bars above the columns of a table. */
export function barColumns(chart: BarsOf): ColumnDrawings {
  const { y, draw } = barsOf(chart);
  const drawings = chart.groups.map((group) => draw(group, 8, 94, 88));
  return aboveColumns(y, chart.currency ?? "", HEIGHT, drawings);
}

/** Groups of bars on one scale, all with the same number of bars. */
export function barChart(chart: BarsOf & { id: string; title: string }): Chart {
  const { id, title, groups, currency = "" } = chart;
  const { count, y, draw } = barsOf(chart);
  const wide = (100 - LEFT) / Math.max(1, groups.length);
  return {
    id,
    title,
    height: HEIGHT,
    isDense: groups.length * count > DENSE,
    description: groups
      .map(({ label, bars }) => {
        const told = bars.flatMap(({ name, value }) =>
          value === null ? [] : [`${name} ${shortAmount(value)}`],
        );
        return `${label}: ${told.join(", ")}`;
      })
      .join("; "),
    drawing: html`${amountAxis(y, currency)}
    ${groups.map((group, at) => draw(group, LEFT + at * wide, wide * 0.9, 97.5))}`,
  };
}
