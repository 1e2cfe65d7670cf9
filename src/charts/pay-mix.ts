import { scaleBand, scaleLinear } from "d3-scale";
import { type SeriesPoint, stack, stackOffsetDiverging } from "d3-shape";
import { AMOUNT_FIELD, type Component, COMPONENTS } from "../domain/row-fields.ts";
import { type Html, html } from "../html.ts";
import { amountAxis, type Chart, MARGIN, point, shortAmount, WIDTH } from "./frame.ts";

/** A bar: one person's pay by component. */
export interface PayBar {
  /** Label below the bar, such as a fiscal year; need not be unique. */
  label: string;
  /** Second line below the label. */
  note?: string;
  amounts: Readonly<Record<Component, number>>;
  total: number;
}

const HEIGHT = 280;
/** Height of the labels below the bars, in one or two lines. */
const LABELS = { one: MARGIN.bottom, two: MARGIN.bottom + 24 } as const;

/** A stacked bar chart of pay by component. Negative amounts extend below the axis. */
export function payMixChart(chart: { id: string; title: string; bars: readonly PayBar[] }): Chart {
  const { id, title, bars } = chart;
  const shown = COMPONENTS.filter((name) => bars.some(({ amounts }) => amounts[name] !== 0));
  const layers = stack<PayBar, Component>()
    .keys(shown)
    .value((bar, name) => bar.amounts[name])
    .offset(stackOffsetDiverging)([...bars]);
  const ends = layers.flatMap((layer) => layer.flatMap(([low, high]) => [low, high]));
  const bottom = HEIGHT - (bars.some(({ note }) => note !== undefined) ? LABELS.two : LABELS.one);
  const y = scaleLinear()
    .domain([Math.min(0, ...ends), Math.max(1, ...ends)])
    .nice(5)
    .range([bottom, MARGIN.top]);
  const x = scaleBand<number>()
    .domain(bars.map((_, index) => index))
    .range([MARGIN.left, WIDTH - MARGIN.right])
    .padding(0.35);
  const top = new Map(
    bars.map((_, index) => [index, Math.max(0, ...layers.map((layer) => layer[index]?.[1] ?? 0))]),
  );
  const part = (layer: (typeof layers)[number]) => (segment: SeriesPoint<PayBar>, index: number) =>
    segment[0] === segment[1]
      ? false
      : html`<rect
          class="pay-${layer.key}"
          x="${point(x(index) ?? 0)}"
          y="${point(y(segment[1]))}"
          width="${point(x.bandwidth())}"
          height="${point(y(segment[0]) - y(segment[1]))}"
        >
          <title>
            ${segment.data.label}, ${AMOUNT_FIELD[layer.key].label}:
            ${shortAmount(segment.data.amounts[layer.key])}
          </title>
        </rect>`;
  return {
    id,
    title,
    height: HEIGHT,
    description: bars.map(({ label, total }) => `${label}: ${shortAmount(total)}`).join("; "),
    drawing: html`${amountAxis(y.ticks(5), y)} ${layers.map((layer) => layer.map(part(layer)))}
    ${bars.map((bar, index) => barLabel(bar, { middle: (x(index) ?? 0) + x.bandwidth() / 2, top: y(top.get(index) ?? 0), bottom }))}`,
    legend: shown.map((name) => ({ colour: `pay-${name}`, label: AMOUNT_FIELD[name].label })),
  };
}

/** The total above a bar and its label below. */
function barLabel(
  { label, note, total }: PayBar,
  { middle, top, bottom }: { middle: number; top: number; bottom: number },
): Html {
  const x = point(middle);
  return html`<text class="value" x="${x}" y="${point(top - 6)}" text-anchor="middle"
      >${shortAmount(total)}</text
    >
    <text class="tick" x="${x}" y="${bottom + 20}" text-anchor="middle">${label}</text>
    ${note !== undefined && html`<text class="tick" x="${x}" y="${bottom + 44}" text-anchor="middle">${note}</text>`}`;
}
