/** Pages that may cost credits: shown where they are open, else offered; files, charts and frames follow the same rule. */
import { SUBPATHS, ROUTES } from "../http/routes.ts";
import { type DownloadFormat, DOWNLOADS, readFormat } from "../operations/rows.ts";
import { answerVisit, type PageVisit, visitOf } from "./page-visit.ts";
import type { WebDeps } from "./deps.ts";
import { noFormat, orRefusal } from "./refusals.ts";
import { showFile } from "./page-response.ts";
import type { Sight } from "../analysis/sight.ts";
import type { Offer } from "./offers.ts";
import type { PagePrice } from "./viewer.ts";
import { Elysia } from "elysia";
import { ServiceError } from "../errors.ts";
import { redirectTo } from "../http/html-responses.ts";
import { type ChartExport, chartFile, type ChartNames, framePage, readChart } from "./chart-files.ts";

/** What is asked for and may have a price. */
export interface PaidRequest extends PageVisit {
  price: PagePrice;
  /** What its viewer may see; null for everything. All rows, totals and figures of the page are taken through it. */
  sight: Sight | null;
  /** What the button opens; null where there is nothing that the viewer may not see. */
  offered: Offer | null;
  /** Where the button of the offer leads back to. */
  back: string;
}

/** The price of a question over rows. */
export function questionPrice({ prices }: WebDeps): PagePrice {
  return { operation: "page:query", ticker: null, costCredits: prices.priceQuestion };
}

/** A page with a price; a response is shown in its place, such as an offer. @typeParam View what its viewer may see */
export interface PaidPage<Question extends PaidRequest, View extends PageVisit> {
  /** What is asked for. */
  read(visit: PageVisit): Promise<Question | Response>;
  /** What the viewer may see. @param isFile whether it is for a file, which has more rows */
  find(read: Question, isFile: boolean): Promise<View | Response> | View | Response;
  show(view: View): Promise<Response> | Response;
  /** The content of a download, and its name without the ending. */
  file(view: View, format: DownloadFormat): Promise<readonly [Uint8Array<ArrayBuffer>, string]>;
  /** The names of its charts in addresses; the first is drawn where none is named. */
  charts?: ChartNames;
  /** The chart of that name. */
  chartExport?(view: View, chart: string): ChartExport | Response;
}

/** Mounts a page at a path, with its download, its charts and their frames below it. */
export function paidPage<Question extends PaidRequest, View extends PageVisit>(
  deps: WebDeps,
  path: string,
  page: PaidPage<Question, View>,
) {
  const find = async (visit: PageVisit, isFile = false) => {
    const question = await page.read(visit);
    return question instanceof Response ? question : page.find(question, isFile);
  };
  const answer =
    (work: (visit: PageVisit) => Promise<Response>) =>
    ({ request }: { request: Request }) =>
      answerVisit(deps, request, work);
  const app = new Elysia()
    .get(
      path,
      deps.conditional((request) =>
        answerVisit(deps, request, async (visit) => {
          const view = await find(visit);
          return view instanceof Response ? view : page.show(view);
        }),
      ),
    )
    .post(
      path,
      answer((visit) => press(visit, page)),
      { parse: "none" },
    )
    .get(
      path + SUBPATHS.download,
      answer(async (visit) => {
        const view = await find(visit, true);
        if (view instanceof Response) return view;
        const format = readFormat(view.url.searchParams.get("format"));
        if (format === undefined) throw noFormat("csv or xlsx");
        const [bytes, name] = await page.file(view, format);
        return showFile(bytes, DOWNLOADS[format], `execcomp-${name}.${format}`);
      }),
    );
  const { charts, chartExport } = page;
  if (charts === undefined || chartExport === undefined) return app;
  const taken = async (visit: PageVisit, isFile: boolean) => {
    const chart = readChart(visit.url, charts);
    const view = await find(visit, isFile);
    return view instanceof Response ? view : chartExport(view, chart);
  };
  return app
    .get(
      path + SUBPATHS.chart,
      answer(async (visit) => {
        const chart = await taken(visit, true);
        return chart instanceof Response ? chart : chartFile(visit, chart);
      }),
    )
    .get(path + SUBPATHS.embed, ({ request }) => frameOf(deps, request, (visit) => taken(visit, false)));
}

/** The frame of a chart, as visitors see it on any site. */
function frameOf(
  deps: WebDeps,
  request: Request,
  taken: (visit: PageVisit) => Promise<ChartExport | Response>,
): Promise<Response> {
  const visit = visitOf(deps, request, deps.viewers.anonymous(request));
  const { viewer, origin } = visit;
  const closed = ({ status }: Response) => framePage(origin, status === 200 ? 403 : status, null);
  const open = async () => {
    const chart = await taken(visit);
    return chart instanceof Response ? closed(chart) : framePage(origin, 200, chart);
  };
  return orRefusal(viewer, open, closed);
}

/**
 * The button of a paywall. The page is evaluated with its price reserved, and charged only if it has a row or a total that the
 * viewer could not see before; then it leads back to the page. A refusal, an empty answer and nothing new cost nothing. Who is
 * not signed in signs in first.
 */
async function press<Question extends PaidRequest, View extends PageVisit>(
  visit: PageVisit,
  page: PaidPage<Question, View>,
): Promise<Response> {
  const { deps, request, origin, viewer, dataset } = visit;
  const first = await page.read(visit);
  if (first instanceof Response) return first;
  const { back, price } = first;
  if (viewer.kind !== "person" || deps.sessionCookies === null)
    return redirectTo(`${origin}${ROUTES.signIn.path}?next=${encodeURIComponent(back)}`, []);
  const fields = await deps.sessionCookies.form(request, viewer.browserSession);
  const isForMore = fields.get("opens") === "more";
  const done = () => redirectTo(origin + back, viewer.browserSession.cookies);
  const toOpen = (question: Question | Response) => {
    if (question instanceof Response) return null;
    const { sight, offered } = question;
    const isAsked = sight !== null && offered !== null && (offered.isMore ?? false) === isForMore;
    return isAsked ? { question, sight, offered } : null;
  };
  // What is open by now: the same button may have been pressed in another window.
  const stillToOpen = async () => toOpen(await page.read(visit));
  const evaluate = async (): Promise<Response> => {
    // Read before the question, so that it has no more than the question saw.
    const pricedBeside = await deps.viewers.opened(viewer, dataset.info.contentHash);
    const asked = await stillToOpen();
    if (asked === null) return done();
    const { question, sight, offered } = asked;
    const { subject, opening, shown = [opening] } = offered;
    const counts = await Promise.all(
      shown.map(async (one) => deps.analyst.ask(dataset, { kind: "fresh", sight, opening: one })),
    );
    const fresh = counts.reduce((sum, one) => sum + one.fresh, 0);
    const all = { ...question, sight: { ...sight, opened: [...sight.opened, ...shown] }, offered: null };
    const view = await page.find(all, false);
    if (view instanceof Response) return view;
    const evaluated = await page.show(view);
    if (fresh === 0) return evaluated;
    // Such as an amount that could not be read: what is shown beside it is not paid for.
    if (evaluated.status !== 200) return done();
    // What would be opened is no longer shown.
    if (deps.snapshots.current() !== dataset) return done();
    const opens = { dataset: dataset.info.contentHash, subject, price, pricedBeside };
    const isOpen = await deps.viewers.open(viewer, opens, deps.contextOf(request).id);
    return isOpen ? done() : evaluate();
  };
  if (toOpen(first) === null) return done();
  try {
    return await deps.viewers.whenAffordable(viewer, price.costCredits, evaluate);
  } catch (refused) {
    const isUnpaid = refused instanceof ServiceError && refused.kind === "payment_required";
    if (isUnpaid && (await stillToOpen()) === null) return done();
    throw refused;
  }
}
