/** Charts as pictures to take away: SVG that needs no stylesheet, with title, colours and source inside. */
import { Html, html } from "../lib/html.ts";
import { type Chart, type LegendEntry, coordinate } from "./frame.ts";
import { plainText, widthOf, fitLine, wrapLines } from "./text-width.ts";
import chartStyle from "./charts.css" with { type: "text" };

/** The light colours of the pages. */
const LIGHT: Readonly<Record<string, string>> = {
  ground: "#fcfbf7",
  ink: "#15191c",
  soft: "#5c6166",
  line: "#e4e1d8",
  accent: "#14506b",
  ...Object.fromEntries(
    [...chartStyle.matchAll(/--([\w-]+): light-dark\((#\w+)/g)].map(([, name = "", colour = ""]) => [
      name,
      colour,
    ]),
  ),
};

/** The colour of a component or series in light. @param name as in charts.css, such as `pay-1` */
function lightColour(name: string): string {
  return LIGHT[name] ?? "#5c6166";
}

/** The rules of charts.css with their light colours in place, for renderers that know neither variables nor schemes. */
const RULES = chartStyle
  .replaceAll(/\/\*[^]*?\*\//g, "")
  .replaceAll(/@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, "")
  .replace(/:root\s*\{[^}]*\}/, "")
  .replaceAll(".plot ", "")
  .replaceAll(/var\(--([\w-]+)\)/g, (_, name: string) => lightColour(name));

/** Width of a picture in pixels; everything in it is drawn at half of that and doubled. */
const PICTURE_WIDTH = 1600;
const LEFT = 28;
const ROOM = PICTURE_WIDTH / 2 - 2 * LEFT;
const KEY = 11.5;

/**
 * A chart as a document of its own.
 *
 * @param source the line below it: what it was drawn from
 */
export function chartSvg(chart: Chart, { title, source }: { title: string; source: string }): string {
  const { lines, size } = wrapLines(title, { width: ROOM, from: 24, to: 20 });
  const top = 34 + lines.length * 26;
  const legend = chart.legend ?? [];
  // The fonts of pictures have no half-moon.
  const has = (mark: string) => chart.drawing.text.includes(mark);
  const notes = [
    source,
    ...(has("◐") ? ["* Partial year."] : []),
    ...(has("‡") ? ["‡ Less than a year."] : []),
  ];
  const drawing = new Html(xmlText(chart.drawing.text.replaceAll(/ ?◐/g, "*")));
  const body = top + (legend.length > 0 ? 24 : 4);
  const height = Math.ceil(body + chart.height + 40);
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${PICTURE_WIDTH}"
    height="${height * 2}"
    viewBox="0 0 ${PICTURE_WIDTH / 2} ${height}"
  >
    <title>${plainText(title)}</title>
    <desc>${plainText(chart.description)}</desc>
    <style>
      text { font-family: Inter, Helvetica, Arial, sans-serif; }
      .heading { font-family: "Source Serif 4", Georgia, serif; font-weight: 500; fill: ${LIGHT["ink"] ?? ""}; }
      ${new Html(RULES)}
    </style>
    <rect width="100%" height="100%" fill="${LIGHT["ground"]}" />
    ${lines.map((text, at) => html`<text class="heading" x="${LEFT}" y="${36 + at * 26}" font-size="${size}">${text}</text>`)}
    ${keysAt(legend, top)}
    <svg x="${LEFT}" y="${body}" width="${ROOM}" height="${chart.height}" overflow="visible">${drawing}</svg>
    <text class="keyed" x="${LEFT}" y="${height - 14}" font-size="11">
      ${fitLine(notes.join(" "), { width: ROOM, from: 11, to: 9 }).text}
    </text>
  </svg>`.text;
}

/** Markup without what XML forbids: names may contain anything. */
function xmlText(markup: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what XML forbids
  return markup.toWellFormed().replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "");
}

function keysAt(legend: readonly LegendEntry[], y: number): Html {
  let next = LEFT;
  return html`${legend.map(({ colour, label }) => {
    const left = next;
    next += 26 + widthOf(label, KEY);
    return html`<rect class="${colour}" x="${coordinate(left)}" y="${y - 9}" width="9" height="9" rx="2" />
      <text class="keyed" x="${coordinate(left + 14)}" y="${y}">${label}</text>`;
  })}`;
}
