/** The pages of one company: its years, one executive, the source of an amount, downloads. */
import { Elysia } from "elysia";
import { BoundedCache } from "../domain/cache.ts";
import { AMOUNT_FIELD, AMOUNTS } from "../domain/row-fields.ts";
import { html } from "../html.ts";
import { companyDownload, DOWNLOADS, readFormat } from "../operations/downloads.ts";
import {
  amountSource,
  type CompanyFacts,
  factsOf,
  loadedFilings,
  type PeerStanding,
  printedZeros,
  readHistory,
  rowRemarks,
  shortPeriods,
  standingsOf,
  yearsAsOf,
  yearsOf,
} from "../operations/page-data.ts";
import { ROUTES } from "../http/routes.ts";
import {
  type By,
  type CompanyRequest,
  readCompanyRequest,
  readRowRequest,
  segmentOf,
} from "./company-request.ts";
import type { WebDeps } from "./deps.ts";
import { open } from "./opening.ts";
import { companyMain } from "./pages/company.ts";
import { companyData } from "./pages/linked-data.ts";
import { pathOf, rowPath } from "./pages/parts.ts";
import { personMain } from "./pages/person.ts";
import { sourceMain } from "./pages/source.ts";
import { companyPicture } from "./picture.ts";
import { type KeptPages, keptPages, show, showFile, showKept, type Shown, showProblem } from "./show.ts";
import { offer } from "./viewer.ts";

/** Maximum peer rankings in the cache: each needs two queries over all rows. */
const KEPT_STANDINGS = 2000;

/** Bytes of cached pages with every year: a few hundred pages. */
const KEPT_BYTES = 8 << 20;

/** Where a company's CEO ranks among peers in a fiscal year; the same for every viewer until the dataset changes. */
type StandingsOf = (
  requested: Pick<CompanyRequest, "dataset" | "found">,
  facts: CompanyFacts,
  year: number,
) => Promise<PeerStanding[]>;

function standingsReader({ analyst }: WebDeps): StandingsOf {
  const kept = new BoundedCache<string, PeerStanding[]>(KEPT_STANDINGS);
  return async ({ dataset, found }, facts, year) => {
    const key = `${dataset.info.contentHash} ${found.company.cik} ${year}`;
    const known = kept.get(key) ?? (await standingsOf(dataset, analyst, found, facts, year));
    return kept.getOrMake(key, () => known);
  };
}

/** `/t/{ticker}`, `/c/{cik}` and the pages below them. */
export function companyPages(deps: WebDeps) {
  const standings = standingsReader(deps);
  const kept = keptPages(KEPT_BYTES);
  const mount = (by: By, routes: Record<"company" | "download" | "person" | "amount", string>) =>
    new Elysia({ name: `company-pages-by-${by}` })
      .get(
        routes.company,
        deps.conditional((request) => showCompany(deps, request, by, standings, kept)),
      )
      .post(routes.company, ({ request }) => openHistory(deps, request, by), { parse: "none" })
      .get(routes.download, ({ request }) => download(deps, request, by))
      .get(
        routes.person,
        deps.conditional((request) => showPerson(deps, request, by)),
      )
      .get(
        routes.amount,
        deps.conditional((request) => showAmount(deps, request, by)),
      );
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

async function showCompany(
  deps: WebDeps,
  request: Request,
  by: By,
  standingsIn: StandingsOf,
  kept: KeptPages,
): Promise<Response> {
  const { url } = deps.contextOf(request);
  const requested = await readCompanyRequest(deps, request, by);
  if (requested instanceof Response) return requested;
  const { viewer, dataset, found, isOpen } = requested;
  const asOf = url.searchParams.get("as_of");
  if (asOf !== null) return showCompanyAsOf(requested, asOf);
  const all = dataset.years(found.company.cik);
  const years = isOpen ? all : all.slice(0, 1);
  const wanted = url.searchParams.get("year") ?? "";
  const isWanted = ({ fiscalYear }: { fiscalYear: number }) => String(fiscalYear) === wanted;
  if (wanted !== "" && !all.some(isWanted)) {
    const known = all.map(({ fiscalYear }) => fiscalYear).join(", ");
    const text = html`No rows for fiscal ${wanted.slice(0, 60)}. Available: fiscal
      <a href="${pathOf(found)}">${known}</a>.`;
    return showProblem(viewer, 404, found.company.name, text);
  }
  const year = years.find(isWanted) ?? years[0];
  if (year === undefined) return showProblem(viewer, 404, found.company.name, "No rows yet.");
  const { fiscalYear } = year;
  const closedYear = wanted === "" || fiscalYear === Number(wanted) ? null : Number(wanted);
  const make = () => companyPage(deps, request, requested, { fiscalYear, closedYear }, standingsIn);
  // Viewers who have not opened the history get a form of their own.
  if (!isOpen) return show(viewer, await make());
  const { origin } = deps.contextOf(request).baseUrls;
  const key = `${dataset.info.contentHash} ${origin} ${found.company.cik} ${found.ticker} ${fiscalYear}`;
  return showKept(kept, key, viewer, make);
}

/** The page of one fiscal year of a company. */
async function companyPage(
  deps: WebDeps,
  request: Request,
  { viewer, dataset, found, gate, isOpen }: CompanyRequest,
  { fiscalYear, closedYear }: { fiscalYear: number; closedYear: number | null },
  standingsIn: StandingsOf,
): Promise<Shown> {
  const { url, baseUrls } = deps.contextOf(request);
  const { name } = found.company;
  const all = dataset.years(found.company.cik);
  const years = yearsOf(found, isOpen ? all : all.slice(0, 1));
  const year = years.find((one) => one.fiscalYear === fiscalYear);
  if (year === undefined) throw new Error(`no rows of ${name} for fiscal ${fiscalYear}`);
  const facts = factsOf(dataset, found);
  const seesPeers = viewer.kind !== "visitor";
  const filings = loadedFilings(dataset, found.company.cik);
  const accessions = new Set(years.flatMap(({ rows }) => rows.map(({ source }) => source.accession)));
  const here = url.pathname + (closedYear === null ? "" : `?year=${closedYear}`);
  const main = companyMain({
    found,
    facts,
    year,
    years,
    closedYear,
    offer: isOpen || all.length < 2 ? null : offer(viewer, gate, "earlier fiscal years", here),
    standings: seesPeers ? await standingsIn({ dataset, found }, facts, fiscalYear) : [],
    zeros: printedZeros(dataset, [found.company.cik]),
    remarks: rowRemarks(dataset, [found.company.cik]),
    filings: filings.filter(({ accession }) => accessions.has(accession)),
    asOf: null,
  });
  const title = `${name} executive compensation, fiscal ${year.fiscalYear}`;
  const description = `What ${name} paid its named executive officers in fiscal ${year.fiscalYear}, with each row's filing.`;
  const canonical = `${baseUrls.origin}${pathOf(found)}`;
  const linkedData = companyData(found, years, { description, address: canonical });
  const picture = companyPicture(deps, request, found);
  return { title, description, canonical, picture, linkedData, main };
}

/** The latest year according to the filings filed up to a date. */
function showCompanyAsOf({ viewer, dataset, found }: CompanyRequest, asOf: string): Response {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(asOf) || Number.isNaN(Date.parse(asOf))) {
    const text = `Cannot read as_of ${JSON.stringify(asOf.slice(0, 60))}: expected a date such as 2026-01-31.`;
    return showProblem(viewer, 400, "Invalid date", text);
  }
  const { cik, name } = found.company;
  // Earlier years need a credential here too.
  const latest = dataset.years(cik)[0]?.fiscalYear;
  const known = yearsAsOf(dataset, cik, asOf).filter(({ fiscalYear }) => fiscalYear === latest);
  const [year] = yearsOf(found, known);
  if (year === undefined) {
    return showProblem(viewer, 404, name, `${name} had not reported its latest fiscal year by ${asOf}.`);
  }
  const facts = factsOf(dataset, found);
  const zeros = printedZeros(dataset, [cik]);
  const main = companyMain({
    found,
    facts,
    year,
    zeros,
    // The others are about filings of today.
    remarks: shortPeriods(dataset, [cik]),
    asOf,
    closedYear: null,
    years: [year],
    offer: null,
    standings: [],
    filings: [],
  });
  return show(viewer, { title: `${name} as of ${asOf}`, main });
}

async function openHistory(deps: WebDeps, request: Request, by: By): Promise<Response> {
  const requested = await readCompanyRequest(deps, request, by);
  if (requested instanceof Response) return requested;
  const { found, gate } = requested;
  const year = deps.contextOf(request).url.searchParams.get("year") ?? "";
  return open(deps, request, gate, pathOf(found) + (/^\d{4}$/.test(year) ? `?year=${year}` : ""));
}

async function download(deps: WebDeps, request: Request, by: By): Promise<Response> {
  const requested = await readCompanyRequest(deps, request, by);
  if (requested instanceof Response) return requested;
  const { viewer, dataset, found, isOpen } = requested;
  const format = readFormat(deps.contextOf(request).url.searchParams.get("format"));
  if (format === undefined) return showProblem(viewer, 400, "Unknown format", "Expected csv or xlsx.");
  const bytes = await companyDownload(dataset, found, isOpen ? "all" : "latest", format);
  const name = found.ticker === "" ? found.company.cik : found.ticker;
  return showFile(bytes, DOWNLOADS[format], `execcomp-${name}.${format}`);
}

async function showPerson(deps: WebDeps, request: Request, by: By): Promise<Response> {
  const requested = await readRowRequest(deps, request, by);
  if (requested instanceof Response) return requested;
  const { viewer, dataset, found, gate, isOpen, row } = requested;
  const { fiscal_year: fiscalYear, executive_id: executiveId } = row;
  const all = yearsOf(found, dataset.years(found.company.cik)).flatMap(({ rows }) =>
    rows.filter(({ executive_id: id }) => id === executiveId),
  );
  const main = personMain({
    found,
    row,
    rows: isOpen ? all : [row],
    zeros: printedZeros(dataset, [found.company.cik]),
    remarks: rowRemarks(dataset, [found.company.cik]),
    printed: readHistory(dataset, found.company.cik, fiscalYear, executiveId),
    offer: isOpen || all.length < 2 ? null : offer(viewer, gate, "other fiscal years", pathOf(found)),
  });
  const title = `${row.executive_name}, ${found.company.name}, fiscal ${fiscalYear}`;
  const description = `What ${found.company.name} paid ${row.executive_name}, with what each filing printed.`;
  const canonical = deps.contextOf(request).baseUrls.origin + rowPath({ ...row, ticker: found.ticker });
  const picture = companyPicture(deps, request, found);
  return show(viewer, { title, description, canonical, picture, main });
}

async function showAmount(deps: WebDeps, request: Request, by: By): Promise<Response> {
  const requested = await readRowRequest(deps, request, by);
  if (requested instanceof Response) return requested;
  const { viewer, dataset, found, gate, isOpen, row } = requested;
  const named = segmentOf(deps, request, 5);
  const field = AMOUNTS.find((name) => name === named);
  const source = field && amountSource(dataset, found.company.cik, row.fiscal_year, row.executive_id, field);
  if (field === undefined || source === undefined) {
    return showProblem(viewer, 404, found.company.name, `There is no amount named ${named}.`);
  }
  const title = `${AMOUNT_FIELD[field].label} of ${row.executive_name}, fiscal ${row.fiscal_year}`;
  const { company } = found;
  const description = `The cell of the filing of ${company.name} that this amount was read from.`;
  const picture = companyPicture(deps, request, found);
  const canonical = `${deps.contextOf(request).baseUrls.origin}${rowPath({ ...row, ticker: found.ticker })}/${field}`;
  // After signing in, a visitor returns to this page; a signed-in viewer opens the company's history.
  const here = viewer.kind === "visitor" ? deps.contextOf(request).url.pathname : pathOf(found);
  const rest = isOpen
    ? null
    : offer(viewer, gate, "the whole table, which includes other fiscal years", here);
  const remarks = rowRemarks(dataset, [company.cik])(row);
  const main = sourceMain({ found, row, field, source, remarks, offer: rest });
  return show(viewer, { title, description, canonical, picture, main });
}
