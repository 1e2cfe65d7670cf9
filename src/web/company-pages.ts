/** The pages of one company: its years, a person of it, where an amount was read, downloads. */
import { Elysia } from "elysia";
import { AMOUNTS } from "../domain/row-fields.ts";
import { pathSegment } from "../http.ts";
import { companyDownload, type DownloadFormat, DOWNLOADS } from "../operations/downloads.ts";
import {
  amountSource,
  factsOf,
  findCompanies,
  findCompany,
  findRow,
  type PageCompany,
  readHistory,
  standingsOf,
  yearsOf,
} from "../operations/page-data.ts";
import { findLatest } from "../operations/pages.ts";
import { AMOUNT_FIELD } from "../domain/row-fields.ts";
import { ROUTES } from "../routes.ts";
import { redirectTo } from "./entry.ts";
import type { WebDeps } from "./deps.ts";
import { companyMain } from "./pages/company.ts";
import { pathOf } from "./pages/parts.ts";
import { personMain } from "./pages/person.ts";
import { sourceMain } from "./pages/source.ts";
import { show, showProblem, showRefusal, unchanged } from "./show.ts";
import { type Gate, offer, type Viewer } from "./viewer.ts";

type By = "ticker" | "cik";

/** `/t/{ticker}` and `/c/{cik}`, and what lies below them. */
export function companyPages(deps: WebDeps) {
  const { contextOf, snapshots, viewers } = deps;
  const datasetNow = () => snapshots.current();
  const historyOf = ({ company, ticker }: PageCompany): Gate => ({
    subject: `history ${company.cik}`,
    operation: "page:history",
    ticker: ticker === "" ? null : ticker,
    costCredits: deps.prices.priceHistory,
  });
  const segment = (request: Request, index: number) => pathSegment(contextOf(request).url.pathname, index);
  /** The company of a request, or the page that says that there is none. */
  const companyOf = (request: Request, by: By, viewer: Viewer): PageCompany | Response => {
    const dataset = datasetNow();
    const asked = segment(request, 2);
    const found = findCompany(dataset, by, asked);
    if (found?.company.hasRows) return found;
    if (found !== undefined) {
      return showProblem(viewer, 404, found.company.name, `No rows for ${found.company.name} yet.`);
    }
    const [meant] = findCompanies(dataset, asked, 1);
    const hint =
      meant === undefined
        ? ""
        : ` Did you mean ${meant.company_name} (${meant.ticker || `CIK ${meant.cik}`})?`;
    return showProblem(viewer, 404, asked, `No ticker "${asked}".${hint}`);
  };

  const company =
    (by: By) =>
    async ({ request }: { request: Request }) => {
      const viewer = viewers.find(request);
      const { url, baseUrls } = contextOf(request);
      const asOf = url.searchParams.get("as_of");
      const dataset = datasetNow();
      const etag = `"${dataset.info.contentHash.slice(0, 16)}-${deps.version}-${Bun.hash(url.pathname + url.search).toString(36)}"`;
      const same = unchanged(request, viewer, etag);
      if (same !== undefined) return same;
      const found = companyOf(request, by, viewer);
      if (found instanceof Response) return found;
      if (asOf !== null) return companyAsOf(found, viewer, asOf);
      const gate = historyOf(found);
      const isOpen = viewers.isOpen(viewer, dataset.info.contentHash, gate);
      const all = dataset.years(found.company.cik);
      const years = yearsOf(found, isOpen ? all : all.slice(0, 1));
      const asked = Number(url.searchParams.get("year") ?? years[0]?.fiscalYear);
      const year = years.find(({ fiscalYear }) => fiscalYear === asked) ?? years[0];
      if (year === undefined) return showProblem(viewer, 404, found.company.name, "No rows yet.");
      const facts = factsOf(dataset, found);
      const main = companyMain({
        found,
        facts,
        year,
        years,
        offer: isOpen || all.length < 2 ? null : offer(viewer, gate, "earlier fiscal years", url.pathname),
        standings:
          viewer.kind === "visitor"
            ? []
            : await standingsOf(dataset, deps.analyst, found, facts, year.fiscalYear),
        asOf: null,
      });
      const { name } = found.company;
      return show(
        viewer,
        {
          title: `${name} executive compensation, fiscal ${year.fiscalYear}`,
          description: `What ${name} paid its named executive officers in fiscal ${year.fiscalYear}, with each row's filing.`,
          canonical: `${baseUrls.origin}${pathOf(found)}`,
          main,
        },
        etag,
      );
    };

  /** The latest year as the filings filed until a day told it. */
  const companyAsOf = (found: PageCompany, viewer: Viewer, asOf: string) => {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(asOf) || Number.isNaN(Date.parse(asOf))) {
      const text = `Cannot read as_of ${JSON.stringify(asOf)}: expected a date such as 2026-01-31.`;
      return showProblem(viewer, 400, "Invalid date", text);
    }
    const { latest } = findLatest(deps, found.ticker, asOf);
    if (latest === undefined) {
      const text = `${found.company.name} had filed nothing about its latest fiscal year by ${asOf}.`;
      return showProblem(viewer, 404, found.company.name, text);
    }
    const years = yearsOf(found, [latest]);
    const [year = { fiscalYear: latest.fiscalYear, complete: false, rows: [] }] = years;
    const facts = factsOf(datasetNow(), found);
    const main = companyMain({ found, facts, year, years, offer: null, standings: [], asOf });
    return show(viewer, { title: `${found.company.name} as of ${asOf}`, main });
  };

  const openHistory =
    (by: By) =>
    async ({ request }: { request: Request }) => {
      const viewer = viewers.find(request);
      const found = companyOf(request, by, viewer);
      if (found instanceof Response) return found;
      const { baseUrls, id } = contextOf(request);
      if (viewer.kind !== "person" || deps.sessionCookies === null) {
        return redirectTo(`${baseUrls.origin}/sign-in?next=${encodeURIComponent(pathOf(found))}`, []);
      }
      try {
        await deps.sessionCookies.form(request, viewer.browserSession);
        await viewers.open(viewer, datasetNow().info.contentHash, historyOf(found), id);
        return redirectTo(baseUrls.origin + pathOf(found), viewer.browserSession.cookies);
      } catch (refused) {
        return showRefusal(viewer, refused);
      }
    };

  const download =
    (by: By) =>
    async ({ request }: { request: Request }) => {
      const viewer = viewers.find(request);
      const found = companyOf(request, by, viewer);
      if (found instanceof Response) return found;
      const asked = contextOf(request).url.searchParams.get("format") ?? "csv";
      const format = Object.keys(DOWNLOADS).find((name): name is DownloadFormat => name === asked);
      if (format === undefined) return showProblem(viewer, 400, "Unknown format", "Expected csv or xlsx.");
      const dataset = datasetNow();
      const isOpen = viewers.isOpen(viewer, dataset.info.contentHash, historyOf(found));
      const bytes = await companyDownload(dataset, found, isOpen ? "all" : "latest", format);
      const name = found.ticker === "" ? found.company.cik : found.ticker;
      return new Response(bytes, {
        headers: {
          "content-type": DOWNLOADS[format],
          "content-disposition": `attachment; filename="execcomp-${name}.${format}"`,
          "cache-control": "private, no-cache",
          "x-content-type-options": "nosniff",
        },
      });
    };

  /** The row of a request, or the page that says why it is not shown. */
  const rowOf = (request: Request, by: By, viewer: Viewer) => {
    const found = companyOf(request, by, viewer);
    if (found instanceof Response) return found;
    const dataset = datasetNow();
    const [fiscalYear, executiveId] = [Number(segment(request, 3)), segment(request, 4)];
    const held = findRow(dataset, found, fiscalYear, executiveId);
    if (held === undefined) {
      return showProblem(
        viewer,
        404,
        found.company.name,
        `No row of ${executiveId} in fiscal ${segment(request, 3)}.`,
      );
    }
    const gate = historyOf(found);
    const isOpen = viewers.isOpen(viewer, dataset.info.contentHash, gate);
    const isLatest = dataset.years(found.company.cik)[0]?.fiscalYear === fiscalYear;
    if (!isOpen && !isLatest) {
      const here = contextOf(request).url.pathname;
      const main = offer(viewer, gate, `fiscal ${fiscalYear} of ${found.company.name}`, pathOf(found));
      return show(viewer, {
        title: found.company.name,
        main: viewer.kind === "visitor" ? offer(viewer, gate, `fiscal ${fiscalYear}`, here) : main,
      });
    }
    return { found, dataset, row: held.row, isOpen, gate };
  };

  const person =
    (by: By) =>
    ({ request }: { request: Request }) => {
      const viewer = viewers.find(request);
      const asked = rowOf(request, by, viewer);
      if (asked instanceof Response) return asked;
      const { found, dataset, row, isOpen, gate } = asked;
      const { fiscal_year: fiscalYear, executive_id: executiveId } = row;
      const all = yearsOf(found, dataset.years(found.company.cik)).flatMap(({ rows }) =>
        rows.filter(({ executive_id: id }) => id === executiveId),
      );
      const main = personMain({
        found,
        row,
        rows: isOpen ? all : [row],
        printed: readHistory(dataset, found.company.cik, fiscalYear, executiveId),
        offer: isOpen || all.length < 2 ? null : offer(viewer, gate, "other fiscal years", pathOf(found)),
      });
      return show(viewer, { title: `${row.executive_name}, ${found.company.name}`, main });
    };

  const source =
    (by: By) =>
    ({ request }: { request: Request }) => {
      const viewer = viewers.find(request);
      const asked = rowOf(request, by, viewer);
      if (asked instanceof Response) return asked;
      const { found, dataset, row } = asked;
      const field = AMOUNTS.find((name) => name === segment(request, 5));
      const read =
        field && amountSource(dataset, found.company.cik, row.fiscal_year, row.executive_id, field);
      if (field === undefined || read === undefined) {
        return showProblem(viewer, 404, found.company.name, `No amount is called ${segment(request, 5)}.`);
      }
      const title = `${AMOUNT_FIELD[field].label} of ${row.executive_name}, fiscal ${row.fiscal_year}`;
      return show(viewer, { title, main: sourceMain({ found, row, field, source: read }) });
    };

  const mount = (by: By, routes: Record<"company" | "download" | "person" | "amount", string>) =>
    new Elysia({ name: `company-pages-by-${by}` })
      .get(routes.company, company(by))
      .post(routes.company, openHistory(by), { parse: "none" })
      .get(routes.download, download(by))
      .get(routes.person, person(by))
      .get(routes.amount, source(by));
  return new Elysia({ name: "company-pages" })
    .use(
      mount("ticker", {
        company: ROUTES.company.path,
        download: ROUTES.companyDownload.path,
        person: ROUTES.person.path,
        amount: ROUTES.amount.path,
      }),
    )
    .use(
      mount("cik", {
        company: ROUTES.companyByCik.path,
        download: ROUTES.companyDownloadByCik.path,
        person: ROUTES.personByCik.path,
        amount: ROUTES.amountByCik.path,
      }),
    );
}
