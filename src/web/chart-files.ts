/** Charts outside their pages: as PNG, SVG and CSV, and in a frame for other sites. */
import { type Chart, figure } from "../charts/frame.ts";
import { chartSvg } from "../charts/svg.ts";
import { type Html, html } from "../lib/html.ts";
import { SUBPATHS, ROUTES } from "../http/routes.ts";
import { csvFile, DOWNLOADS, type FlatRow } from "../operations/rows.ts";
import type { PageVisit } from "./page-visit.ts";
import { noChart, noFormat, noPage } from "./refusals.ts";
import { showFile } from "./page-response.ts";
import { withQuery } from "./downloads.ts";

/** A chart with what belongs to it outside its page. */
export interface ChartExport {
  chart: Chart;
  /** The selection as a sentence. */
  title: string;
  /** What it was drawn from: filings, dataset. */
  source: string;
  /** The amounts drawn, with a header line. */
  data: readonly FlatRow[];
  /** Path and query of the page that shows it. */
  page: string;
}

/** The names of a page's charts in addresses, the default first. */
export type ChartNames = readonly [standard: string, ...others: string[]];

/** The chart that an address names. Refuses a name that the page does not have. */
export function readChart({ searchParams }: URL, names: ChartNames): string {
  const name = searchParams.get("chart") ?? names[0];
  if (!names.includes(name)) throw noChart(name, names);
  return name;
}

/** The files of a chart, and the code of a frame. @param path the page's, @param query its query @param chart the chart's name in addresses */
export function chartLinks(
  origin: string,
  path: string,
  query: URLSearchParams | string,
  chart: string,
  hasFrame = true,
): Html {
  const file = (format: string) => withQuery(path + SUBPATHS.chart, query, { chart, format, cursor: "" });
  const frame = origin + withQuery(path + SUBPATHS.embed, query, { chart, cursor: "" });
  const code = `<iframe src="${frame}" title="Executive pay" width="100%" height="420" loading="lazy"></iframe>`;
  const embed = html`<details class="fold">
    <summary>Embed</summary>
    <div>
      <label
        >Frame for another page; without cookies, it shows what everyone may see
        <textarea rows="4" readonly>${code}</textarea>
      </label>
      <p><a href="${frame}">Open the frame</a></p>
    </div>
  </details>`;
  return html`${["png", "svg", "csv"].map((format) => html`<a class="button" href="${file(format)}">${format.toUpperCase()}</a> `)}
  ${hasFrame && embed}`;
}

/** The same as buttons beside the chart. */
export function chartTools(...of: Parameters<typeof chartLinks>): Html {
  return html`<details class="folded">
    <summary>${of[4] === false ? "Save" : "Save or embed"}</summary>
    <div class="actions small">${chartLinks(...of)}</div>
  </details>`;
}

/** Answers with a chart as a file, in the format that the address names. */
export async function chartFile(
  { deps, url }: PageVisit,
  { chart, title, source, data }: ChartExport,
): Promise<Response> {
  const format = url.searchParams.get("format") ?? "png";
  const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const name = `execcomp-${words.slice(0, 60)}.${format}`;
  if (format === "csv") return showFile(csvFile(data), DOWNLOADS.csv, name);
  if (isEmpty(data)) throw noPage(title, NOTHING_DRAWN);
  const svg = chartSvg(chart, { title, source });
  if (format === "svg") return showFile(new TextEncoder().encode(svg), "image/svg+xml", name);
  if (format !== "png") throw noFormat("png, svg or csv");
  return showFile(await deps.rasterizer.png(svg), "image/png", name);
}

/** Whether there is no amount to draw. The first column says whose or when. */
function isEmpty([, ...lines]: ChartExport["data"]): boolean {
  return lines.every((line) => line.slice(1).every((cell) => typeof cell !== "number" || cell === 0));
}

const NOTHING_DRAWN = "There is no amount to draw.";

/** The policy of a frame: it may stand on any site, runs no script, sends nothing. */
const FRAME_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "public, max-age=300",
};

/** A chart alone, for frames on other sites. @param taken null where visitors may not see it */
export function framePage(origin: string, status: number, taken: ChartExport | null): Response {
  const [heading, why] = [400, 404].includes(status)
    ? ["Nothing here", "No chart has this address. Copy the frame again from its page."]
    : [
        "Not public",
        "Only what every visitor may see can be shown here. This chart is opened with an account:",
      ];
  const content =
    taken === null
      ? html`<h1>${heading}</h1>
          <p>${why} <a href="${origin}" target="_blank" rel="noopener">${new URL(origin).host}</a></p>`
      : html`<h1><a href="${origin}${taken.page}" target="_blank" rel="noopener">${taken.title}</a></h1>
          ${isEmpty(taken.data) ? html`<p>${NOTHING_DRAWN}</p>` : figure(taken.chart)}
          <p class="foot">${taken.source}</p>`;
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${taken?.title ?? heading}</title>
        <link rel="stylesheet" href="${ROUTES.stylesheet.path}" />
      </head>
      <body class="frame">
        <main>${content}</main>
      </body>
    </html>`.text;
  const isThere = taken === null || !isEmpty(taken.data);
  return new Response(body, { status: isThere ? status : 404, headers: FRAME_HEADERS });
}
