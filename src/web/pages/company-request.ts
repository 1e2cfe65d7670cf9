/** The company that a request is about, and whether its viewer may see it. */
import { companyName } from "../../domain/company-name.ts";
import { unitsOf } from "../../domain/amount.ts";
import type { ExecutiveCompensation as Row } from "../../domain/row-fields.ts";
import { type Html, html } from "../../lib/html.ts";
import { ServiceError } from "../../errors.ts";
import { nothingServedAt } from "../../http/refusals.ts";
import { pathSegment } from "../../http/requests.ts";
import { folderOf, ROUTES } from "../../http/routes.ts";
import { readCeoPay } from "../../dataset/ceo-pay-records.ts";
import { readCompanyFacts } from "../../dataset/company-facts.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { valueName } from "../../domain/selection.ts";
import { findCompany, type PageCompany } from "../../operations/companies.ts";
import { searchCompanies } from "../../operations/company.ts";
import { findRow } from "../../operations/rows.ts";
import type { PageVisit } from "../page-visit.ts";
import { companyPath, pathOf } from "../parts/addresses.ts";
import { money } from "../parts/amounts.ts";
import { keyFigures, linkList, linkOut } from "../parts/elements.ts";
import { formerly } from "../parts/names.ts";
import { taggedChart, taggedName, taggedTable, taggedTotals } from "./tagged-years.ts";
import { noPage } from "../refusals.ts";
import { show } from "../page-response.ts";
import { companiesOffered, openRows, seesCompanies, sightOf } from "../offers.ts";
import type { PaidRequest } from "../paid-page.ts";
import { paywall } from "../paywall.ts";

/** A page about a company. */
type OfCompany = PageVisit & { found: PageCompany };

/** A request for a page of a company; what is offered and may be open are its earlier years. */
export type CompanyRequest = OfCompany & PaidRequest & { isOpen: boolean };

/** Reads the request. Refuses an unknown company. */
export async function readCompanyRequest(visit: PageVisit): Promise<CompanyRequest> {
  const found = companyOf(visit);
  if (found === undefined) throw noCompany(visit);
  const { company, ticker } = found;
  const price = {
    operation: "page:history",
    ticker: ticker === "" ? null : ticker,
    costCredits: visit.deps.prices.priceHistory,
  };
  const sight = await sightOf(visit, price);
  const isOpen = seesCompanies(sight, [company.cik]);
  const offered = isOpen || !hasEarlier(visit.dataset, company.cik) ? null : companiesOffered([company.cik]);
  const year = visit.url.searchParams.get("year") ?? "";
  const back = pathOf(found) + (/^\d{4}$/.test(year) ? `?year=${year}` : "");
  return { ...visit, found, price, sight, offered, back, isOpen };
}

/** Whether anything is known of a company beside its latest year and its newest total. */
export function hasEarlier(dataset: Dataset, cik: string): boolean {
  return dataset.years(cik).length > 1 || readCeoPay(dataset, cik).some(({ isLatest }) => !isLatest);
}

/** How the path names a company: `/t/` by its ticker, `/c/` by its CIK. */
function byOf(visit: PageVisit): "ticker" | "cik" {
  return folderOf(visit.url.pathname) === folderOf(ROUTES.companyByCik.path) ? "cik" : "ticker";
}

/** The company that a request's path names. */
export function companyOf(visit: PageVisit): PageCompany | undefined {
  return findCompany(visit.dataset, byOf(visit), segmentOf(visit, 2));
}

/** Most companies offered in place of an unknown one. */
const MAX_MEANT = 5;

function noCompany(visit: PageVisit): ServiceError {
  const requested = segmentOf(visit, 2);
  const isCik = byOf(visit) === "cik";
  const meant = isCik ? [] : searchCompanies(visit.dataset, requested, MAX_MEANT);
  const asked = `${isCik ? "CIK" : "ticker"} “${requested.slice(0, 60)}”`;
  const text =
    meant.length > 0
      ? `No company has the ${asked}. These have a name or a ticker like it:`
      : `No company with the ${asked} is known here. ${isCik ? "Search for its name." : "Tickers change: search for the name."}`;
  const list = meant.map(
    (company) => [companyPath(company), companyName(company.name), company.ticker] as const,
  );
  return noPage(`No ${asked}`, text, {
    words: isCik ? "" : requested.slice(0, 60),
    meant: list.length > 0 && linkList(list),
  });
}

/** The page of a company without rows: what is known, where its filings are, what would load them. */
export function withoutRows(visit: CompanyRequest): Response {
  const { viewer, dataset, found, origin, isOpen, offered, back } = visit;
  const { cik, name } = found.company;
  const all = `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${cik}&type=DEF+14A`;
  const named = found.ticker === "" ? `--cik ${cik}` : `--ticker ${found.ticker}`;
  const isOwner = viewer.kind === "person" && viewer.person.isOwner;
  const loads = isOwner
    ? html`<a href="${ROUTES.admin.path}#load">Load the S&amp;P 500 from the SEC</a>, or
        <a href="${ROUTES.adminIngest.path}">this company alone</a>.`
    : "Ask whoever runs this server to load its filings.";
  const command = html`To load five years of its filings, run
    <code>execcomp ingest ${named} --years 5</code>.`;
  const coverage = `${ROUTES.coverage.path}?status=all&search=${encodeURIComponent(found.ticker || cik)}`;
  const tagged = taggedTotals(dataset, cik, 0, isOpen);
  const main = html`<div class="title">
      <h1>
        ${companyName(name)} ${found.ticker !== "" && html`<span class="ticker">${found.ticker}</span>`}
      </h1>
    </div>
    ${aboutCompany(visit)} ${knownFigures(visit)}
    <p>No pay by component for ${companyName(name)} yet.</p>
    ${tagged.length > 0 && html`<div class="pay-page">${taggedChart(tagged)} ${taggedTable(tagged)}</div>`}
    ${offered !== null && paywall(visit, "its earlier totals", back)}
    <p>
      ${viewer.kind === "operator" ? command : loads}
      <a href="${all}">Its proxy statements on EDGAR</a> · <a href="${coverage}">Coverage</a>
    </p>`;
  // Only the page of the company is there; it has no file, chart or row.
  const status = segmentOf(visit, 3) === "" ? 200 : 404;
  const canonical = origin + pathOf(found);
  const description = `What is known about executive pay at ${companyName(name)}, and its newest filing.`;
  return show(viewer, {
    title: `${companyName(name)} executive compensation`,
    description,
    canonical,
    main,
    status,
  });
}

/** What is known of a company without rows. */
function knownFigures({ dataset, found }: OfCompany): Html {
  const { cik, newestKnown } = found.company;
  const [tagged] = readCeoPay(dataset, cik).filter(
    ({ isLatest, basis, doubts }) => isLatest && basis === "tag" && doubts.length === 0,
  );
  return keyFigures([
    tagged !== undefined && [
      `CEO total, fiscal ${tagged.fiscalYear}`,
      money(unitsOf(tagged.cents), tagged.currency),
      html`<i class="dot tagged"></i> ${taggedName(tagged)} · tagged by the filer`,
    ],
    [
      "Newest filing",
      newestKnown === null ? "None known" : (newestKnown.form ?? "Proxy statement"),
      newestKnown !== null &&
        html`filed ${newestKnown.filingDate} · ${linkOut(newestKnown.url, newestKnown.accession)} · not read
        yet`,
    ],
    ["Pay by component", "None yet", "none of its filings has been read"],
  ]);
}

/** What a company is: sector, industry, fiscal year, CIK, other and former names. */
export function aboutCompany({ dataset, found }: OfCompany): Html {
  const { company, ticker } = found;
  const facts = readCompanyFacts(dataset, company.cik);
  const [month, day] = (company.fiscalYearEnd ?? facts.fiscalYearEnd ?? "").split("-").map(Number);
  const others = dataset
    .symbols(company.cik)
    .filter((symbol) => symbol !== ticker)
    .join(", ");
  const parts = [
    facts.sector !== null && valueName(facts.sector),
    month !== undefined &&
      day !== undefined &&
      `${facts.sector === null ? "Fiscal" : "fiscal"} year ends ${MONTHS[month - 1] ?? month} ${day}`,
  ];
  // A phone has no room for these.
  const further = [
    facts.sicDescription,
    `CIK\u00a0${company.cik}`,
    others !== "" && `also ${others}`,
    formerly(
      facts.formerNames.map(({ name }) => name),
      company.name,
    ),
  ];
  const joined = (texts: typeof further) =>
    texts.filter((part) => part !== null && part !== false && part !== "").join(" · ");
  const shown = joined(parts);
  return html`<p class="meta">
    ${shown}<span class="roomy">${shown !== "" && " · "}${joined(further)}</span>
  </p>`;
}

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** A request for a page of a row. */
export type RowRequest = CompanyRequest & { row: Row };

/** The row that a request is about; the offer, where it is not open. Refuses an unknown row. */
export async function readRowRequest(visit: PageVisit): Promise<RowRequest | Response> {
  const year = segmentOf(visit, 3);
  if (!/^\d{1,4}$/.test(year)) throw new ServiceError("no_route", nothingServedAt(visit.url.pathname));
  const requested = await readCompanyRequest(visit);
  const { viewer, dataset, url, found } = requested;
  if (!found.company.hasRows) return withoutRows(requested);
  const { name, cik } = found.company;
  const executiveId = segmentOf(visit, 4);
  const row = findRow(dataset, { cik, ticker: found.ticker }, Number(year), executiveId);
  if (row === undefined)
    throw noPage(
      companyName(name),
      html`No executive “${executiveId.slice(0, 60)}” is known in fiscal ${year}.
        <a href="${pathOf(found)}">All named executive officers of ${companyName(name)}</a>`,
    );
  // After signing in, a visitor returns to this page; a signed-in viewer opens the company's history.
  const back = viewer.kind === "visitor" ? url.pathname : pathOf(found);
  const isLatest = dataset.years(cik)[0]?.fiscalYear === row.fiscal_year;
  if (isLatest || (await openRows(requested, requested.sight, [cik]))(row))
    return { ...requested, back, row };
  const title = companyName(name);
  const main = html`<h1>${title}</h1>
    ${paywall(requested, `fiscal ${year} of ${title}`, back)}
    <p class="soft">Free: <a href="${pathOf(found)}">its latest fiscal year</a>.</p>`;
  return show(viewer, { title, main });
}

/** A segment of the request's path, decoded. */
export function segmentOf({ url }: PageVisit, index: number): string {
  return pathSegment(url.pathname, index);
}
