/** The company that a request is about, and whether its viewer may see it. */
import { formatAmount, unitsOf } from "../domain/amount.ts";
import type { ExecutiveCompensation } from "../domain/row-fields.ts";
import { pathSegment } from "../http/responses.ts";
import { type Html, html } from "../html.ts";
import {
  type Dataset,
  findCompany,
  findRow,
  nearestCompany,
  type PageCompany,
  readCeoPay,
} from "../operations/page-data.ts";
import type { WebDeps } from "./deps.ts";
import { companyPath, linkOut, pathOf } from "./pages/parts.ts";
import { show, showProblem } from "./show.ts";
import { type Gate, offer, type Viewer } from "./viewer.ts";

/** How an address identifies a company. */
export type By = "ticker" | "cik";

/** A request for a page of a company. */
export interface CompanyRequest {
  viewer: Viewer;
  dataset: Dataset;
  found: PageCompany;
  /** What the viewer has to open to see the company's earlier years. */
  gate: Gate;
  isOpen: boolean;
}

/** Reads the request; returns an error page if there is no such company. */
export async function readCompanyRequest(
  deps: WebDeps,
  request: Request,
  by: By,
  asViewer?: Viewer,
): Promise<CompanyRequest | Response> {
  const viewer = asViewer ?? (await deps.viewers.find(request));
  const dataset = deps.snapshots.current();
  const requested = segmentOf(deps, request, 2);
  const found = findCompany(dataset, by, requested);
  if (!found?.company.hasRows) return await noCompany(viewer, dataset, { by, requested, found });
  const { company, ticker } = found;
  const gate: Gate = {
    subject: `history ${company.cik}`,
    operation: "page:history",
    ticker: ticker === "" ? null : ticker,
    costCredits: deps.prices.priceHistory,
  };
  return {
    viewer,
    dataset,
    found,
    gate,
    isOpen: await deps.viewers.isOpen(viewer, dataset.info.contentHash, gate),
  };
}

/** The company named by a request's path, if it has rows. */
export function coveredCompany(deps: WebDeps, request: Request, by: By): PageCompany | undefined {
  const found = findCompany(deps.snapshots.current(), by, segmentOf(deps, request, 2));
  return found?.company.hasRows ? found : undefined;
}

async function noCompany(
  viewer: Viewer,
  dataset: Dataset,
  { by, requested, found }: { by: By; requested: string; found: PageCompany | undefined },
): Promise<Response> {
  if (found !== undefined) {
    return showProblem(viewer, 404, found.company.name, notLoaded(viewer, dataset, found));
  }
  const meant = await nearestCompany(dataset, requested);
  const hint = meant !== undefined && html` Did you mean <a href="${companyPath(meant)}">${meant.label}</a>?`;
  return showProblem(
    viewer,
    404,
    requested,
    html`No ${by === "cik" ? "CIK" : "ticker"} "${requested}".${hint}`,
  );
}

/** What is known about a company without rows, and where its filings are. */
function notLoaded(viewer: Viewer, dataset: Dataset, { company, ticker }: PageCompany): Html {
  const { cik, name, newestKnown } = company;
  const all = `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${cik}&type=DEF+14A`;
  const known =
    newestKnown === null
      ? ""
      : html` Its
        ${linkOut(newestKnown.url, `${newestKnown.form ?? "proxy statement"} of ${newestKnown.filingDate}`)}
        has not been loaded yet.`;
  const load =
    viewer.kind === "operator" &&
    html` To load it:
      <code>execcomp ingest ${ticker === "" ? `--cik ${cik}` : `--ticker ${ticker}`} --years 5</code>.`;
  return html`No rows for ${name} yet.${taggedTotals(dataset, cik, 0)}${known}
    <a href="${all}">Its proxy statements on EDGAR</a>.${load}`;
}

/** What its CEO was paid in the latest year, if only the filer's tag tells; earlier years are history. @param after the newest year of its rows */
export function taggedTotals(dataset: Dataset, cik: string, after: number): Html[] {
  return readCeoPay(dataset, cik)
    .filter(({ isLatest, basis, fiscalYear }) => isLatest && basis === "tag" && fiscalYear > after)
    .map((record) => {
      const { fiscalYear, labelInferred, peoName, cents, currency, doubts, source, provider } = record;
      const year = `fiscal ${fiscalYear}${labelInferred ? " (the year in which it ended)" : ""}`;
      const doubt = doubts.map(({ message }) => ` Doubtful: ${message}.`).join("");
      return html` Its CEO${peoName === null ? "" : ` ${peoName}`} was paid ${formatAmount(unitsOf(cents))}
      ${currency} in ${year}, as the filer tagged it
      (${source === null ? (provider ?? "inline XBRL") : linkOut(source.filing_url, source.accession)}).${doubt}`;
    });
}

/** The row that a request is about, or a page that says why it is not shown. */
export async function readRowRequest(
  deps: WebDeps,
  request: Request,
  by: By,
): Promise<(CompanyRequest & { row: ExecutiveCompensation }) | Response> {
  const requested = await readCompanyRequest(deps, request, by);
  if (requested instanceof Response) return requested;
  const { viewer, dataset, found, gate, isOpen } = requested;
  const year = segmentOf(deps, request, 3);
  const executiveId = segmentOf(deps, request, 4);
  const held = findRow(dataset, found, Number(year), executiveId);
  if (held === undefined) {
    return showProblem(viewer, 404, found.company.name, `No row for ${executiveId} in fiscal ${year}.`);
  }
  const isLatest = dataset.years(found.company.cik)[0]?.fiscalYear === held.fiscal_year;
  if (isOpen || isLatest) return { ...requested, row: held };
  // After signing in, a visitor returns to this page; a signed-in viewer opens the company's history.
  const here = viewer.kind === "visitor" ? deps.contextOf(request).url.pathname : pathOf(found);
  const main = html`<h1>${found.company.name}</h1>
    ${offer(viewer, gate, `fiscal ${year} of ${found.company.name}`, here)}`;
  return show(viewer, { title: found.company.name, main });
}

/** A segment of the request's path, decoded. */
export function segmentOf({ contextOf }: WebDeps, request: Request, index: number): string {
  return pathSegment(contextOf(request).url.pathname, index);
}
