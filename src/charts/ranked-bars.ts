/** A ranking as a picture: names with their amounts, a bar below each. */
import { type Component } from "../domain/row-fields.ts";
import { html } from "../lib/html.ts";
import { BY_FAMILY, type Chart, type ChartOf, payKeys, shortAmount } from "./frame.ts";
import { fitLine } from "./text-width.ts";

/** A line of a ranking. */
export interface RankedBar {
  /** Who is paid, and where. */
  name: string;
  /** What it is ranked by. */
  value: number;
  /** What the bar is made of; without, it is of one colour. */
  components?: Readonly<Record<Component, number>>;
}

const LINE_HEIGHT = 36;
/** A longer name would meet its amount on a narrow page. */
const NAME_FIT = { width: 290, from: 12, to: 12 } as const;

/** The lines in the order given, the highest amount as wide as the drawing. */
export function rankedBars(chart: ChartOf & { bars: readonly RankedBar[] }): Chart {
  const { id, title, bars, currency = "" } = chart;
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  const shown = BY_FAMILY.filter((name) => bars.some(({ components }) => (components?.[name] ?? 0) > 0));
  const wide = (amount: number) => Math.max(0, (amount / highest) * 100);
  const drawn = ({ name, value, components }: RankedBar, at: number) => {
    const y = at * LINE_HEIGHT;
    let left = 0;
    const parts = shown.map((component) => {
      const [from, width] = [left, wide(components?.[component] ?? 0)];
      left += width;
      return (
        width > 0 &&
        html`<rect
          class="pay-${component}"
          x="${from.toFixed(2)}%"
          y="${y + 20}"
          width="${width.toFixed(2)}%"
          height="9"
        />`
      );
    });
    const plain = html`<rect
      class="series-2"
      x="0"
      y="${y + 20}"
      width="${wide(value).toFixed(2)}%"
      height="9"
    />`;
    return html`<text class="tick name" x="0" y="${y + 14}"
        >${at + 1}&#160; ${fitLine(name, NAME_FIT).text}</text
      >
      <text class="value" x="100%" y="${y + 14}" text-anchor="end">${currency}${shortAmount(value)}</text>
      ${components === undefined ? plain : parts}`;
  };
  return {
    id,
    title,
    height: bars.length * LINE_HEIGHT,
    description: bars.map(({ name, value }) => `${name}: ${shortAmount(value)}`).join("; "),
    drawing: html`${bars.map(drawn)}`,
    legend: payKeys(shown),
  };
}
