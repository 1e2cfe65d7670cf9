import { type Html, html } from "../html.ts";
import { amountAxis, amountScale, type Chart, LEFT, point, shortAmount, textAt } from "./frame.ts";

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
/** Above this many bars, the chart scrolls on a phone rather than shrinks. */
const DENSE = 24;
/** As many bars have a label below each; of more, some have. */
const LABELLED = 40;

/** Groups of bars on one scale, all with the same number of bars. */
export function barChart(chart: {
  id: string;
  title: string;
  groups: readonly BarGroup[];
  currency?: string;
}): Chart {
  const { id, title, groups, currency = "" } = chart;
  const count = Math.max(1, ...groups.map(({ bars }) => bars.length));
  const values = groups.flatMap(({ bars }) => bars.flatMap(({ value }) => value ?? []));
  const bottom = HEIGHT - 40;
  const y = amountScale(values, [bottom, 24]);
  const wide = (100 - LEFT) / Math.max(1, groups.length);
  const step = (wide * 0.9) / count;
  const isDense = groups.length * count > DENSE;
  const labelled = Math.ceil((groups.length * count) / LABELLED);
  const draw = ({ label, bars }: BarGroup, index: number): Html => {
    const from = LEFT + index * wide;
    const middle = (at: number) => from + (at + 0.36) * step;
    const highest = bars.reduce(
      (best, { value }, at) => ((value ?? 0) > (bars[best]?.value ?? 0) ? at : best),
      0,
    );
    const bar = ({ name, value, isPartial = false }: Bar, at: number) => {
      if (value === null) return textAt("tick fine", middle(at), bottom - 3, "–");
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
    ${bars.map((one, at) => at % labelled === 0 && one.label !== "" && textAt("tick fine", middle(at), bottom + 14, one.label))}
    ${top !== null && textAt("value", Math.min(middle(highest), 97.5), y(Math.max(0, top)) - 6, currency + shortAmount(top))}
    ${textAt("tick year", middle((bars.length - 1) / 2), bottom + 33, label)}`;
  };
  return {
    id,
    title,
    height: HEIGHT,
    isDense,
    description: groups
      .map(({ label, bars }) => {
        const told = bars.flatMap(({ name, value }) =>
          value === null ? [] : [`${name} ${shortAmount(value)}`],
        );
        return `${label}: ${told.join(", ")}`;
      })
      .join("; "),
    drawing: html`${amountAxis(y, currency)} ${groups.map(draw)}`,
  };
}
