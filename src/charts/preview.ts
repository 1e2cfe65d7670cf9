/** Pictures for link previews: SVG of 1200 by 630 with all styles inline, because the renderer has no stylesheet. */
import { scaleLinear } from "d3-scale";
import { formatAmountCell } from "../domain/amount.ts";
import { AMOUNT_FIELD, type Component, COMPONENTS } from "../domain/row-fields.ts";
import { type Html, html } from "../html.ts";
import { BY_FAMILY, point } from "./frame.ts";
import type { PayBar } from "./pay-mix.ts";
import { lightColour } from "./svg.ts";
import { fitted, plainText, widthOf, wrapped } from "./text-width.ts";

/** Size of a preview in pixels. @see https://ogp.me/#structured */
export const PREVIEW = { width: 1200, height: 630 } as const;

const LEFT = 72;
const RIGHT = PREVIEW.width - LEFT;
const ROOM = RIGHT - LEFT;
/** Horizontal range of the bars; the start depends on the longest label. */
const BARS = { least: 380, most: 560, right: 930 } as const;
/** Space between columns, and width of a note. */
const GAP = 24;
const NOTE = 66;
/** Font sizes of labels, largest and smallest, and of legend keys. */
const LABEL = { from: 26, to: 20 } as const;
const KEY_SIZE = 22;
/** Maximum number of rows. */
export const MAX_PREVIEW_ROWS = 6;
/** Maximum height of a row, and the space that all rows share. */
const ROW = { height: 54, room: 290, top: 270 } as const;

/** A preview of people's pay as bars by component. @param bars of at most `MAX_PREVIEW_ROWS` people, each with a note such as CEO */
export function amountsPreview(title: string, subtitle: string, bars: readonly PayBar[]): string {
  const rows = bars.slice(0, MAX_PREVIEW_ROWS);
  const shown = BY_FAMILY.filter((name) => rows.some(({ row }) => row[name] > 0));
  // Negative components have no length; the total next to the bar includes them.
  const length = ({ row }: PayBar) => shown.reduce((sum, name) => sum + Math.max(0, row[name]), 0);
  const noteWidth = rows.some(({ note }) => note) ? NOTE : 0;
  const longest = Math.max(0, ...rows.map(({ label }) => widthOf(plainText(label), LABEL.from)));
  const barsLeft = Math.min(Math.max(LEFT + longest + noteWidth + GAP, BARS.least), BARS.most);
  const labelWidth = barsLeft - LEFT - noteWidth - GAP;
  const labelSize = Math.min(...rows.map(({ label }) => fitted(label, { width: labelWidth, ...LABEL }).size));
  const x = scaleLinear()
    .domain([0, Math.max(1, ...rows.map(length))])
    .range([barsLeft, BARS.right]);
  const height = Math.min(ROW.height, ROW.room / Math.max(1, rows.length));
  const drawRow = ({ label: name, note, row }: PayBar, index: number): Html => {
    const middle = ROW.top + (index + 0.5) * height;
    let from = 0;
    const parts = shown.map((name) => {
      const size = Math.max(0, row[name]);
      const left = x(from);
      from += size;
      return (
        size > 0 &&
        html`<rect
          fill="${colourOf(name)}"
          x="${point(left)}"
          y="${point(middle - height * 0.32)}"
          width="${point(x(from) - left)}"
          height="${point(height * 0.64)}"
        />`
      );
    });
    const label = fitted(name, { width: labelWidth, from: labelSize, to: LABEL.to });
    return html`<text class="label" x="${LEFT}" y="${point(middle + 9)}" font-size="${label.size}"
        >${label.text}</text
      >
      <text class="note" x="${barsLeft - GAP}" y="${point(middle + 8)}" text-anchor="end">${note}</text>
      ${parts}
      <text class="total" x="${RIGHT}" y="${point(middle + 10)}" text-anchor="end"
        >${formatAmountCell(row.total_compensation)}</text
      >`;
  };
  return document(html`${headings(title, subtitle)} ${rows.map(drawRow)} ${legend(shown)}`);
}

/** Width of a figure; three fit side by side. */
const FIGURE_WIDTH = 320;

/** A preview of a few figures in large type. */
export function figuresPreview(
  title: string,
  subtitle: string,
  figures: readonly (readonly [label: string, value: string])[],
): string {
  return document(
    html`${headings(title, subtitle)}
    ${figures.map(
      ([label, value], index) =>
        html`<text class="figure" x="${LEFT + index * FIGURE_WIDTH}" y="440">${plainText(value)}</text>
          <text class="soft" x="${LEFT + index * FIGURE_WIDTH}" y="485" font-size="28"
            >${plainText(label)}</text
          >`,
    )}`,
  );
}

function colourOf(name: Component): string {
  return lightColour(`pay-${COMPONENTS.indexOf(name) + 1}`);
}

/** The title in one or two lines, in the largest size that fits, and the subtitle. */
function headings(title: string, subtitle: string): Html {
  const { lines, size } = wrapped(title, { width: ROOM, from: 62, to: 46 });
  const base = lines.length === 1 ? 185 : 150;
  const line = fitted(subtitle, { width: ROOM, from: 28, to: 20 });
  return html`${lines.map(
      (text, index) =>
        html`<text class="title" x="${LEFT}" y="${base + index * 56}" font-size="${size}">${text}</text>`,
    )}
    <text class="soft" x="${LEFT}" y="${lines.length === 1 ? 235 : 252}" font-size="${line.size}"
      >${line.text}</text
    >`;
}

function legend(shown: readonly Component[]): Html {
  let next: number = LEFT;
  return html`${shown.map((name) => {
    const left = next;
    next += 26 + widthOf(AMOUNT_FIELD[name].shortLabel, KEY_SIZE) + GAP;
    return html`<rect fill="${colourOf(name)}" x="${point(left)}" y="578" width="18" height="18" rx="4" />
      <text class="key" x="${point(left + 26)}" y="594">${AMOUNT_FIELD[name].shortLabel}</text>`;
  })}`;
}

/** The frame of all previews: background, logo, product name. */
function document(drawing: Html): string {
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${PREVIEW.width}"
    height="${PREVIEW.height}"
    viewBox="0 0 ${PREVIEW.width} ${PREVIEW.height}"
  >
    <style>
      text {
        font-family: Inter;
        fill: ${lightColour("ink")};
      }
      .title,
      .figure,
      .brand {
        font-family: "Source Serif 4";
        font-weight: 500;
      }
      .total {
        font-weight: 600;
        font-size: 27px;
      }
      .figure {
        font-size: 64px;
      }
      .soft,
      .note,
      .key {
        fill: ${lightColour("soft")};
      }
      .note,
      .key {
        font-size: 22px;
      }
      .brand {
        font-size: 32px;
      }
      .accent {
        fill: ${lightColour("accent")};
      }
    </style>
    <rect width="100%" height="100%" fill="${lightColour("ground")}" />
    <text class="brand" x="${LEFT}" y="81">exec<tspan class="accent">comp</tspan></text>
    <text class="key" x="${RIGHT}" y="79" text-anchor="end">
      From SEC filings, Regulation S-K Item 402(c)
    </text>
    <rect x="${LEFT}" y="104" width="${ROOM}" height="2" fill="${lightColour("ink")}" />
    ${drawing}
  </svg>`.text;
}
