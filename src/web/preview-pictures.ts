/**
 * The images of pages in link previews. They are the same for everyone and show what a visitor may see: a company's
 * latest year, never the amounts of a comparison, and a ranking only where the operator made rankings public.
 */
import { numeral } from "../domain/text.ts";
import { Elysia } from "elysia";
import { amountsPreview, figuresPreview, MAX_PREVIEW_ROWS } from "../charts/preview.ts";
import { shortAmount } from "../charts/frame.ts";
import { BoundedCache } from "../domain/cache.ts";
import type { ExecutiveCompensation as Row } from "../domain/row-fields.ts";
import { ServiceError } from "../errors.ts";
import { refusal, refusalHeaders } from "../http/responses.ts";
import { fingerprint } from "../operations/answer.ts";
import { etagMatches } from "../operations/operation.ts";
import { fiscalYearsOf } from "../dataset/columns/columns.ts";
import { shortMark, shortPeriods } from "../dataset/remarks.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { PageCompany } from "../operations/companies.ts";
import { rankingOf } from "../operations/rankings.ts";
import { yearsOf } from "../operations/rows.ts";
import { ROUTES } from "../http/routes.ts";
import { companyOf } from "./company-request.ts";
import { type PageVisit, visitOf, type WebDeps } from "./deps.ts";
import { Instead } from "./show.ts";
import { officeOf, pathOf, shortName, yearRange } from "./pages/parts.ts";
import { totalsTitle } from "./pages/ceo-pay.ts";
import { rankingTitle } from "./pages/rankings.ts";
import { isLatest, readSelected, type Selected } from "./pages/selected.ts";
import { officeMedians, statisticsTitle } from "./pages/statistics.ts";

/** Bytes of cached images: about 200. */
const KEPT_BYTES = 8 << 20;
/** Services fetch a preview once and keep it: its address changes with the dataset. */
const CACHING = "public, max-age=86400";

/** An image to be drawn. */
interface Drawing {
  /** Identifies the image within a dataset. */
  key: string;
  svg(): string | Promise<string>;
}

/** The routes that end in `/preview.png`. */
export function previewPictures(deps: WebDeps) {
  const answer = answering(deps);
  const company = answer((visit) => {
    const found = companyOf(visit);
    if (found?.company.hasRows !== true) return undefined;
    return { key: pathOf(found), svg: () => companyDrawing(visit.dataset, found) };
  });
  const selection = (titleOf: (selected: Selected) => string, drawing?: SelectionDrawing) =>
    answer((visit) => selectionPicture(visit, titleOf, drawing));
  const sums = (title: string, subtitle: string) =>
    answer(({ dataset }) => ({ key: title, svg: () => sumsDrawing(dataset, title, subtitle) }));
  const home = "What public companies paid their named executive officers";
  const compare = "Compare executive pay";
  return new Elysia({ name: "preview-pictures" })
    .get(ROUTES.companyPreview.path, company)
    .get(ROUTES.companyPreviewByCik.path, company)
    .get(ROUTES.homePreview.path, sums(home, "One row per executive and fiscal year, each with its filing"))
    .get(ROUTES.rankingsPreview.path, selection(rankingTitle, rankingDrawing))
    .get(ROUTES.statisticsPreview.path, selection(statisticsTitle, statisticsDrawing))
    .get(ROUTES.ceoPayPreview.path, selection(totalsTitle))
    .get(ROUTES.comparePreview.path, sums(compare, "Up to twenty companies side by side"));
}

/** Makes handlers that draw each image once for all requests, tag it, and answer 304 if the client has it. */
function answering(deps: WebDeps) {
  const { rasterizer, version, publicRankings } = deps;
  const cache = new BoundedCache<string, Uint8Array<ArrayBuffer>>(KEPT_BYTES, ({ length }) => length);
  const underWay = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  const draw = async (tag: string, { svg }: Drawing): Promise<Uint8Array<ArrayBuffer>> => {
    const png = await rasterizer.png(await svg());
    return cache.getOrMake(tag, () => png);
  };
  return (drawingOf: (visit: PageVisit) => Drawing | undefined) =>
    async ({ request }: { request: Request }): Promise<Response> => {
      const visit = visitOf(deps, request, { kind: "visitor" });
      const drawing = drawingOf(visit);
      if (drawing === undefined) return refusal(404, "There is no such image.");
      const hash = visit.dataset.info.contentHash.slice(0, 16);
      const etag = `"${hash}-${version}-${fingerprint(`${drawing.key} ${publicRankings}`)}"`;
      const headers = { etag, "cache-control": CACHING };
      if (etagMatches(request.headers.get("if-none-match"), etag))
        return new Response(null, { status: 304, headers });
      try {
        const begin = () => draw(etag, drawing).finally(() => void underWay.delete(etag));
        const png = cache.get(etag) ?? (await underWay.getOrInsertComputed(etag, begin));
        const type = { "content-type": "image/png", "x-content-type-options": "nosniff" };
        return new Response(png, { headers: { ...headers, ...type } });
      } catch (refused) {
        if (!(refused instanceof ServiceError)) throw refused;
        return refusal(503, refused.message, refusalHeaders(refused));
      }
    };
}

/** A selection: what is covered, and its amounts only where everyone may see them. */
function selectionPicture(
  visit: PageVisit,
  titleOf: (selected: Selected) => string,
  drawing?: SelectionDrawing,
): Drawing {
  const { deps, url, dataset } = visit;
  const query = new URLSearchParams(url.searchParams);
  query.delete("v");
  return {
    key: `${url.pathname} ${query}`,
    async svg() {
      const subtitle = "By office, fiscal year, sector, index and amount";
      const selected = await readSelected(visit).catch((refused: unknown) => {
        if (!(refused instanceof Instead)) throw refused;
      });
      if (selected === undefined) return sumsDrawing(dataset, "Executive pay", subtitle);
      const title = titleOf(selected);
      const isPublic = deps.publicRankings === "on" && isLatest(selected.filters);
      return (isPublic && (await drawing?.(selected, title))) || sumsDrawing(dataset, title, subtitle);
    },
  };
}

/** Draws the officers of the latest fiscal year. */
function companyDrawing(dataset: Dataset, found: PageCompany): string {
  const { company, ticker } = found;
  const [year] = yearsOf(found, dataset.years(company.cik).slice(0, 1));
  const rows = year?.rows ?? [];
  const isShort = shortMark(shortPeriods(dataset, [company.cik]), rows) !== "";
  const led = rows.toSorted((a, b) => rankOf(a) - rankOf(b));
  const currency = rows[0]?.reporting_currency ?? "USD";
  const parts = [
    ticker,
    `Executive pay, fiscal ${year?.fiscalYear ?? ""}${year?.complete === false ? " (partial)" : ""}${isShort ? " (part of the year)" : ""}`,
    currency,
    rows.length > MAX_PREVIEW_ROWS ? `${MAX_PREVIEW_ROWS} of ${rows.length} officers` : "",
  ];
  const bars = led.map((row) => ({ label: row.executive_name, note: officeOf(row), row }));
  return amountsPreview(company.name, parts.filter((part) => part !== "").join(" · "), bars);
}

/** CEO first, then CFO, then the others in the table's order. */
function rankOf({ is_peo: isPeo, is_pfo: isPfo }: Row): number {
  return isPeo ? 0 : isPfo ? 1 : 2;
}

/** Draws the amounts of a selection; undefined where there are none. */
type SelectionDrawing = (selected: Selected, title: string) => Promise<string | undefined>;

const rankingDrawing: SelectionDrawing = async ({ deps, dataset, filters }, title) => {
  const parameters = { ...filters, max_rows: String(MAX_PREVIEW_ROWS) };
  const { rows } = await rankingOf(dataset, deps.analyst, parameters);
  const nameOf = (row: Row) => `${row.executive_name}, ${shortName(row.company_name)}`;
  const bars = rows.map((row) => ({ label: nameOf(row), row }));
  return amountsPreview(title, "Total of each company's latest fiscal year", bars);
};

const statisticsDrawing: SelectionDrawing = async (selected, title) => {
  const medians = await officeMedians(selected);
  if (medians.length === 0) return undefined;
  const subtitle = "Medians of each company's latest fiscal year; percentiles by component on the page";
  const figures = medians.map(({ label, value }) => [label, `$${shortAmount(value)}`] as const);
  return figuresPreview(title, subtitle, figures);
};

/** Draws what the dataset covers. */
function sumsDrawing(dataset: Dataset, title: string, subtitle: string): string {
  return figuresPreview(title, subtitle, [
    ["companies", numeral(dataset.info.companiesWithRows)],
    ["rows", numeral(dataset.info.rows)],
    ["fiscal years", yearRange(fiscalYearsOf(dataset))],
  ]);
}
