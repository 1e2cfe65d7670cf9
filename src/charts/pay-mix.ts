import { scaleBand } from "d3-scale";
import { stack, stackOffsetDiverging } from "d3-shape";
import { AMOUNT_FIELD, type AmountField, byAmount, type Component } from "../domain/row-fields.ts";
import { elementAt } from "../lib/checked-access.ts";
import { type Html, html } from "../lib/html.ts";
import {
  columnDrawings,
  amountAxis,
  amountScale,
  BY_FAMILY,
  type Chart,
  type ChartOf,
  type ColumnDrawings,
  LEFT,
  payKeys,
  coordinate,
  shortAmount,
  textAt,
  placeOf,
} from "./frame.ts";
import { widthOf } from "./text-width.ts";

/** Amounts of one person or company: a row, or a sum of rows. */
type Amounts = Readonly<Record<AmountField, number>>;

/** A bar: one person's pay by component. */
export interface PayBar {
  /** Label below the bar, such as a fiscal year; need not be unique. */
  label: string;
  /** Second line below the label. */
  note?: string;
  row: Amounts;
  /** Whether nothing but its total is known: its bar is an outline. */
  isTotalOnly?: boolean;
  /** A narrower bar at its right, such as the CFO's. */
  beside?: Amounts | undefined;
  /** What the bar is, and what the one beside it: on a line above the label. */
  names?: readonly string[];
}

/** What is drawn of a total whose components are not known. */
export function totalOnly(total: number): Amounts {
  return { ...byAmount(() => 0), unknown_component: total, total_compensation: total };
}

/** Vertical room: above the highest bar, for one line of labels, and for the whole drawing. */
const LAYOUT = { top: 22, line: 18, height: 310 } as const;
/** Above this, the chart scrolls on a phone rather than shrinks. */
const MAX_PHONE_BARS = 7;
/** The class of a bar without components. */
const OUTLINE = "outline";
/** What is added to the classes of a narrower bar beside another. */
const BESIDE = " beside";

/** Bars on one scale, stacked by family. @param range where the lowest and the highest amount are */
function stackBars(bars: readonly Amounts[], range: readonly [bottom: number, top: number]) {
  const shown = BY_FAMILY.filter((name) => bars.some((bar) => bar[name] !== 0));
  const layersOf = (bar: Amounts) =>
    stack<Amounts, Component>()
      .keys(shown)
      .value((amounts, name) => amounts[name])
      .offset(stackOffsetDiverging)([bar]);
  const ends = bars.flatMap((bar) =>
    layersOf(bar).flatMap((layer) => layer.flatMap(([low, high]) => [low, high])),
  );
  const y = amountScale(ends, range);
  const part = (bar: Amounts, place: Html, kind: string) => (layer: ReturnType<typeof layersOf>[number]) => {
    const [look, label] =
      kind === OUTLINE
        ? [kind, "Total only, as tagged by the filer"]
        : [`pay-${layer.key}${kind}`, AMOUNT_FIELD[layer.key].label];
    return layer.map(
      ([low, high]) =>
        low !== high &&
        html`<rect
          class="${look}"
          ${place}
          y="${coordinate(y(high))}"
          height="${coordinate(y(low) - y(high))}"
        >
          <title>${label}: ${shortAmount(bar[layer.key])}</title>
        </rect>`,
    );
  };
  return {
    shown,
    y,
    /** @param place attributes: where it is across, and how wide @param kind a class, or the outline */
    draw: (bar: Amounts, place: Html, kind = "") => html`${layersOf(bar).map(part(bar, place, kind))}`,
    top: (bar: Amounts) => y(Math.max(0, ...layersOf(bar).map((layer) => elementAt(layer, 0)[1]))),
  };
}

/** Height of the bars above the columns of a table, and width of one, in pixels. */
const COLUMN = { height: 190, wide: 68 } as const;

/** Bars above the columns of a table, at the right as its numbers are. */
export function payColumns(
  bars: readonly Pick<PayBar, "row" | "isTotalOnly">[],
  currency: string,
): ColumnDrawings {
  const rows = bars.map(({ row }) => row);
  const { y, draw, top } = stackBars(rows, [COLUMN.height - 4, 24]);
  const column = ({ row, isTotalOnly = false }: (typeof bars)[number]) =>
    html`<g transform="translate(-${COLUMN.wide} 0)"
        >${draw(row, html`x="100%" width="${COLUMN.wide}"`, isTotalOnly ? OUTLINE : "")}</g
      >
      <text class="value" x="100%" y="${coordinate(top(row) - 6)}" text-anchor="end"
        >${currency}${shortAmount(row.total_compensation)}</text
      >`;
  return columnDrawings(y, currency, COLUMN.height, bars.map(column));
}

/** Whether a label is wider on a phone than the room of its bar. */
function isTooWide(bars: readonly PayBar[]): boolean {
  return bars.some(({ label }) => widthOf(label, LABEL_SIZE) * bars.length > PHONE_WIDTH * (1 - LEFT / 100));
}

/** The size of labels, and the width of drawings on a phone, in pixels. */
const LABEL_SIZE = 12;
const PHONE_WIDTH = 350;

/** A stacked bar chart of pay by component. Negative amounts extend below the axis. */
// oxlint-disable-next-line max-lines-per-function -- its parts share the scales
export function payMixChart(chart: ChartOf & { bars: readonly PayBar[] }): Chart {
  const { id, title, bars, currency = "" } = chart;
  const isNamed = bars.some(({ names }) => names !== undefined);
  const all = bars.flatMap(({ row, beside }) => (beside === undefined ? [row] : [row, beside]));
  const outlines = new Set(bars.flatMap(({ row, isTotalOnly }) => (isTotalOnly === true ? [row] : [])));
  const lines = 1 + Number(isNamed) + Number(bars.some(({ note }) => note !== undefined));
  const bottom = LAYOUT.height - lines * LAYOUT.line - 6;
  const { shown, y, draw: stackOf, top } = stackBars(all, [bottom, LAYOUT.top]);
  const x = scaleBand<number>()
    .domain(bars.map((_, index) => index))
    .range([LEFT, 100])
    .padding(bars.length > MAX_PHONE_BARS ? 0.25 : 0.4);
  // Few bars would be as wide as houses.
  const width = Math.min(x.bandwidth(), 9);
  const hasBeside = bars.some(({ beside }) => beside !== undefined);
  const drawBar = (bar: Amounts, left: number, wide: number, kind: string): Html => {
    const [style, at, anchor, sign] =
      kind !== BESIDE ? ["value", left + wide / 2, "middle", currency] : ["tick fine", left, "start", ""];
    return html`${stackOf(bar, html`x="${coordinate(left)}%" width="${coordinate(wide)}%"`, kind)}
      <text class="${style}" x="${coordinate(at)}%" y="${coordinate(top(bar) - 6)}" text-anchor="${anchor}"
        >${sign}${shortAmount(bar.total_compensation)}</text
      >`;
  };
  const text = (kind: string, at: number, line: number, words: string) =>
    textAt(kind, at, bottom + line * LAYOUT.line, words);
  const draw = (bar: PayBar, index: number): Html => {
    const middle = placeOf(x, index) + x.bandwidth() / 2;
    const wide = hasBeside ? width * 0.6 : width;
    const narrow = width * 0.34;
    const left = middle - (bar.beside === undefined ? wide : width) / 2;
    return html`${drawBar(bar.row, left, wide, bar.isTotalOnly === true ? OUTLINE : "")}
    ${bar.beside !== undefined && drawBar(bar.beside, left + width - narrow, narrow, BESIDE)}
    ${isNamed && text("tick fine whose", left + wide / 2, 1, bar.names?.[0] ?? "")}
    ${isNamed && bar.beside !== undefined && text("tick fine", left + width - narrow / 2, 1, bar.names?.[1] ?? "")}
    ${text("tick year", middle, isNamed ? 2 : 1, bar.label)}
    ${bar.note !== undefined && text("tick", middle, lines, bar.note)}`;
  };
  return {
    id,
    title,
    height: LAYOUT.height,
    isDense: bars.length > MAX_PHONE_BARS || isTooWide(bars),
    ...(hasBeside ? { narrowNote: "On a narrow page only the wider bar of each pair is drawn." } : {}),
    description: bars
      .map(({ label, names = [], row }) =>
        [label, ...names.slice(0, 1)].join(" ").concat(`: ${shortAmount(row.total_compensation)}`),
      )
      .join("; "),
    drawing: html`${amountAxis(y, currency)} ${bars.map(draw)}`,
    // What cannot be seen needs no key: most remainders are of one dollar.
    legend: [
      ...payKeys(
        shown.filter((name) =>
          all.some(
            (row) => !outlines.has(row) && Math.abs(row[name]) * 500 > Math.abs(row.total_compensation),
          ),
        ),
      ),
      ...(outlines.size > 0 ? [{ colour: OUTLINE, label: "Total only, as tagged by the filer" }] : []),
    ],
  };
}
