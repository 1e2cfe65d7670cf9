/**
 * What is taken away from a page: its charts as PNG, SVG and CSV, a frame for other sites, the text to cite. And pages that may
 * cost credits: shown where they are open, else offered; files, charts and frames follow the same rule.
 */
import { type Chart, figure } from "../charts/frame.ts";
import { chartSvg } from "../charts/svg.ts";
import { byAmount, type ExecutiveCompensation as Row } from "../domain/row-fields.ts";
import { companyName } from "../domain/company-name.ts";
import type { CeoPayRecord } from "../dataset/ceo-pay.ts";
import { type Html, html } from "../lib/html.ts";
import { ROUTES } from "../http/routes.ts";
import {
  csvFile,
  type DownloadFormat,
  DOWNLOADS,
  type FileColumn,
  fileOf,
  type FlatRow,
  readFormat,
} from "../operations/rows.ts";
import { answerVisit, type PageVisit, visitOf, type WebDeps } from "./deps.ts";
import { noPage, orInstead, showFile } from "./show.ts";
import type { Offered, Sight } from "./openings.ts";
import type { Gate } from "./viewer.ts";
import { Elysia } from "elysia";
import { ServiceError } from "../errors.ts";
import { redirectTo } from "../http/page-responses.ts";

/** A chart with what belongs to it outside its page. */
export interface TakeAway {
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

/** `Source: SEC proxy statements as printed; execcomp, edition 2026-11-21.` */
export function sourceLine({ dataset }: PageVisit, filings = "SEC proxy statements"): string {
  return `Source: ${filings}, Summary Compensation Table as printed; execcomp, edition ${dataset.info.edition}.`;
}

/** An address with some parameters changed; empty ones are left out. */
export function withQuery(
  path: string,
  given: URLSearchParams | string,
  changed: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams(given);
  for (const [name, value] of Object.entries(changed)) query.set(name, value);
  for (const [name, value] of Array.from(query)) if (value === "") query.delete(name);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The buttons beside a chart. @param path the page's, @param query its query @param chart the chart's name in addresses */
export function chartTools(
  origin: string,
  path: string,
  query: URLSearchParams | string,
  chart: string,
  hasFrame = true,
): Html {
  const file = (format: string) => withQuery(`${path}/chart`, query, { chart, format, cursor: "" });
  const frame = origin + withQuery(`${path}/embed`, query, { chart });
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
  return html`<details class="folded">
    <summary>${hasFrame ? "Save or embed" : "Save"}</summary>
    <div class="actions small">
      ${["png", "svg", "csv"].map((format) => html`<a class="button" href="${file(format)}">${format.toUpperCase()}</a>`)}
      ${hasFrame && embed}
    </div>
  </details>`;
}

/** What a page is cited by. @param detail the filing, or how many rows */
export function citation(title: string, detail: string, edition: string, address: string): string {
  return `${title}. ${detail} Read with execcomp, edition ${edition}. ${address}`;
}

/** What is cited of one filing: where it is at sec.gov, then where it is here. */
export function filingCitation(
  { company_name: name, cik, source }: Pick<Row, "company_name" | "cik"> & { source: CeoPayRecord["source"] },
  title: string,
  edition: string,
  address: string,
): string {
  const { form, filing_date: date, accession, filing_url: url } = source ?? {};
  const filing = [
    form === undefined || form === null ? "" : `Form ${form} `,
    date === undefined || date === null ? "" : `filed ${date}, `,
    accession === undefined ? "" : `accession ${accession}, `,
  ];
  const detail = `${filing.join("")}CIK ${cik}.${url === undefined || url === null ? "" : ` ${url}`}`;
  return citation(`${companyName(name)}, ${title}`, detail, edition, address);
}

/** The heading of a page beside its buttons, which are folded on a phone: its own, a link for a colleague, the printer, how to cite. */
export function titleRow(heading: Html, buttons: Html, cited: string): Html {
  return html`<div class="title">
    ${heading}
    <details class="folded buttons">
      <summary>Save, share, cite</summary>
      <div class="actions">
        ${buttons}
        <button type="button" data-copy-link hidden>Copy link</button>
        <button type="button" data-print hidden>Print</button>
        <details class="fold">
          <summary>Cite</summary>
          <div>
            <div class="cite" id="citation">${cited}</div>
            <button type="button" data-copy-from="citation" hidden>Copy text</button>
          </div>
        </details>
      </div>
    </details>
  </div>`;
}

/** The foot of a printed page: when, where, which data. */
export function paperFoot(address: string, edition: string): Html {
  return html`<p class="foot paper-only">
    <span data-printed></span>${address} · dataset edition ${edition}
  </p>`;
}

/** Buttons of a download in both formats. @param more behind the names of the formats */
export function fileButtons(path: string, query: URLSearchParams | string, more = ""): Html {
  return html`${["csv", "xlsx"].map((format) => html`<a class="button" href="${withQuery(path, query, { format, cursor: "" })}">${format.toUpperCase()}${more}</a> `)}`;
}

/** The amounts of a row, among the columns of the data behind a chart. */
export const ROW_AMOUNTS = byAmount((name) => (row: Row) => row[name]);

/** The data behind a chart. @param columns what each says of an item, by its name */
export function dataOf<Item>(
  items: readonly Item[],
  columns: Readonly<Record<string, (item: Item) => FlatRow[number]>>,
): FlatRow[] {
  return [Object.keys(columns), ...items.map((item) => Object.values(columns).map((of) => of(item)))];
}

/** A column of a download that is no export of rows: as in `FileColumn`, and its value of an item. */
export type DownloadColumn<Item> = readonly [
  ...of: readonly [name: string, kind: FileColumn["kind"], width: number, about: string],
  valueOf: (item: Item) => FlatRow[number],
];

/** Items as a file, a line each. @param sheet the name of a workbook's sheet */
export function fileOfItems<Item>(
  { dataset }: PageVisit,
  items: readonly Item[],
  columns: readonly DownloadColumn<Item>[],
  format: DownloadFormat,
  sheet: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const lines = items.map((item) => columns.map(([, , , , valueOf]) => valueOf(item)));
  const heads = columns.map(([name, kind, width, about]) => ({ name, kind, width, about }));
  return fileOf(dataset, lines, format, heads, sheet);
}

/** Answers with a chart as a file, in the format that the address names. */
export async function chartFile(
  { deps, url }: PageVisit,
  { chart, title, source, data }: TakeAway,
): Promise<Response> {
  const format = url.searchParams.get("format") ?? "png";
  const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const name = `execcomp-${words.slice(0, 60)}.${format}`;
  if (format === "csv") return showFile(csvFile(data), DOWNLOADS.csv, name);
  const svg = chartSvg(chart, { title, source });
  if (format === "svg") return showFile(new TextEncoder().encode(svg), "image/svg+xml", name);
  if (format !== "png") throw noPage(400, "Unknown format", "Expected png, svg or csv.");
  return showFile(await deps.rasterizer.png(svg), "image/png", name);
}

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
function framePage(origin: string, status: number, taken: TakeAway | null): Response {
  const content =
    taken === null
      ? html`<h1>Not public</h1>
          <p>The owner of this server has not made this selection public.</p>`
      : html`<h1><a href="${origin}${taken.page}" target="_blank" rel="noopener">${taken.title}</a></h1>
          ${figure(taken.chart)}
          <p class="foot">${taken.source}</p>`;
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${taken?.title ?? "Not public"}</title>
        <link rel="stylesheet" href="${ROUTES.stylesheet.path}" />
      </head>
      <body class="frame">
        <main>${content}</main>
      </body>
    </html>`.text;
  return new Response(body, { status, headers: FRAME_HEADERS });
}

/** What is asked for and may have a price. */
export interface Gated extends PageVisit {
  gate: Gate;
  /** What its viewer may see; null for everything. All rows, totals and figures of the page are taken through it. */
  sight: Sight | null;
  /** What the button opens; null where there is nothing that the viewer may not see. */
  offered: Offered | null;
  /** Where the button of the offer leads back to. */
  back: string;
}

/** The gate of a question over rows. */
export function queryGate({ prices }: WebDeps): Gate {
  return { operation: "page:query", ticker: null, costCredits: prices.priceQuestion };
}

/** A page with a price; each part may throw the page that is shown instead. @typeParam View what its viewer may see */
export interface GatedPage<Question extends Gated, View extends PageVisit> {
  /** What is asked for. */
  read(visit: PageVisit): Promise<Question>;
  /** What the viewer may see. @param isFile whether it is for a file, which has more rows */
  find(read: Question, isFile: boolean): Promise<View> | View;
  show(view: View): Promise<Response> | Response;
  /** The content of a download, and its name without the ending. */
  file(view: View, format: DownloadFormat): Promise<readonly [Uint8Array<ArrayBuffer>, string]>;
  /** The chart that the address names. */
  takeAway?(view: View, chart: string | null): TakeAway;
}

/** Mounts a page at a path, with its download, its charts and their frames below it. */
export function gatedPage<Question extends Gated, View extends PageVisit>(
  deps: WebDeps,
  path: string,
  page: GatedPage<Question, View>,
) {
  const find = async (visit: PageVisit, isFile = false) => page.find(await page.read(visit), isFile);
  const answer =
    (work: (visit: PageVisit) => Promise<Response>) =>
    ({ request }: { request: Request }) =>
      answerVisit(deps, request, work);
  const app = new Elysia()
    .get(
      path,
      deps.conditional((request) =>
        answerVisit(deps, request, async (visit) => page.show(await find(visit))),
      ),
    )
    .post(
      path,
      answer((visit) => press(visit, page)),
      { parse: "none" },
    )
    .get(
      `${path}/download`,
      answer(async (visit) => {
        const view = await find(visit, true);
        const format = readFormat(view.url.searchParams.get("format"));
        if (format === undefined) throw noPage(400, "Unknown format", "Expected csv or xlsx.");
        const [bytes, name] = await page.file(view, format);
        return showFile(bytes, DOWNLOADS[format], `execcomp-${name}.${format}`);
      }),
    );
  const { takeAway } = page;
  if (takeAway === undefined) return app;
  const taken = async (visit: PageVisit, isFile: boolean) =>
    takeAway(await find(visit, isFile), visit.url.searchParams.get("chart"));
  return app
    .get(
      `${path}/chart`,
      answer(async (visit) => chartFile(visit, await taken(visit, true))),
    )
    .get(`${path}/embed`, async ({ request }) => {
      const visit = visitOf(deps, request, deps.viewers.anonymous(request));
      const { viewer, origin } = visit;
      return orInstead(
        viewer,
        async () => framePage(origin, 200, await taken(visit, false)),
        ({ status }) => framePage(origin, status === 200 ? 403 : status, null),
      );
    });
}

/**
 * The button of an offer. The page is evaluated with its price reserved, and charged only if it has a row or a total that the
 * viewer could not see before; then it leads back to the page. A refusal, an empty answer and nothing new cost nothing. Who is
 * not signed in signs in first.
 */
async function press<Question extends Gated, View extends PageVisit>(
  visit: PageVisit,
  page: GatedPage<Question, View>,
): Promise<Response> {
  const { deps, request, origin, viewer, dataset } = visit;
  const { back, gate } = await page.read(visit);
  if (viewer.kind !== "person" || deps.sessionCookies === null)
    return redirectTo(`${origin}${ROUTES.signIn.path}?next=${encodeURIComponent(back)}`, []);
  const fields = await deps.sessionCookies.form(request, viewer.browserSession);
  const isForMore = fields.get("opens") === "more";
  const done = () => redirectTo(origin + back, viewer.browserSession.cookies);
  // What is open by now: the same button may have been pressed in another window.
  const toOpen = async () => {
    const question = await page.read(visit);
    const { sight, offered } = question;
    const isAsked = sight !== null && offered !== null && (offered.isMore ?? false) === isForMore;
    return isAsked ? { question, sight, offered } : null;
  };
  const evaluate = async (): Promise<Response> => {
    const asked = await toOpen();
    if (asked === null) return done();
    const { question, sight, offered } = asked;
    const { subject, opening, shown = [opening] } = offered;
    const counts = await Promise.all(
      shown.map(async (one) => deps.analyst.ask(dataset, { kind: "fresh", sight, opening: one })),
    );
    const fresh = counts.reduce((sum, one) => sum + one.fresh, 0);
    const all = { ...question, sight: { ...sight, opened: [...sight.opened, ...shown] }, offered: null };
    const evaluated = await page.show(await page.find(all, false));
    if (fresh === 0) return evaluated;
    // Such as an amount that could not be read: what is shown beside it is not paid for.
    if (evaluated.status !== 200) return done();
    // What would be opened is no longer shown.
    if (deps.snapshots.current() !== dataset) return done();
    const opens = { dataset: dataset.info.contentHash, subject, gate };
    await deps.viewers.open(viewer, opens, deps.contextOf(request).id);
    return done();
  };
  if ((await toOpen()) === null) return done();
  try {
    return await deps.viewers.whenAffordable(viewer, gate.costCredits, evaluate);
  } catch (refused) {
    if (refused instanceof ServiceError && refused.kind === "payment_required" && (await toOpen()) === null)
      return done();
    throw refused;
  }
}
