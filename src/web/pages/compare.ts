/** Companies side by side: bars of one year by component, totals over the years, the rows behind them. */
import { Elysia } from "elysia";
import type { PeerGroup } from "../../accounts/peer-groups.ts";
import { type Chart, figure } from "../../charts/frame.ts";
import { type PayBar, payMixChart } from "../../charts/pay-mix.ts";
import { yearBars } from "../../charts/year-bars.ts";
import { MAX_COMPARED, readCompanyList } from "../../domain/company-list.ts";
import { centsOf, formatAmount, unitsOf } from "../../domain/amount.ts";
import { byAmount, COMPONENTS, type ExecutiveCompensation } from "../../domain/row-fields.ts";
import { type Html, html } from "../../html.ts";
import { ROUTES } from "../../http/routes.ts";
import { DOWNLOADS, rankingDownload, readFormat } from "../../operations/downloads.ts";
import {
  type Dataset,
  findListed,
  isShortPeriod,
  nearestCompany,
  type PageCompany,
  type PageYear,
  rowBefore,
  rowCells,
  shortPeriods,
  yearsOf,
} from "../../operations/page-data.ts";
import {
  groupsOf,
  ownerOf,
  type RequestedCompanies,
  requestedCompanies,
  showNoGroup,
} from "../company-lists.ts";
import type { WebDeps } from "../deps.ts";
import { open } from "../opening.ts";
import { show, showFile, showProblem } from "../show.ts";
import {
  chartFile,
  chartTools,
  citeButton,
  framePage,
  SHARE,
  sourceLine,
  type TakeAway,
  pictureOf,
} from "../take-away.ts";
import { type Gate, offer, type Viewer } from "../viewer.ts";
import { companyList, listText } from "./groups.ts";
import {
  companyPath,
  currencySign,
  MARKS,
  offices,
  PARTIAL_FOOTNOTE,
  pageActions,
  paperSources,
  payTable,
  readUnit,
  type RowNotes,
  rowPath,
  shortName,
  type Unit,
  yearIn,
} from "./parts.ts";

/** Labels of the choices of whose pay is compared. */
const COMPARED = { ceo: "CEO", cfo: "CFO", all: "All named executive officers, sum" } as const;
/** One of those choices. */
type Compared = keyof typeof COMPARED;

/** `/compare` and what is below it. */
export function comparePage(deps: WebDeps) {
  return new Elysia({ name: "compare-page" })
    .get(
      ROUTES.compare.path,
      deps.conditional(async (request) => showComparison(deps, request, await deps.viewers.find(request))),
    )
    .post(
      ROUTES.compare.path,
      async ({ request }) => {
        const { url } = deps.contextOf(request);
        const { requested } = await readComparison(deps, request, await deps.viewers.find(request));
        return open(deps, request, gateOf(deps, requested), url.pathname + url.search);
      },
      { parse: "none" },
    )
    .get(ROUTES.compareDownload.path, ({ request }) => download(deps, request))
    .get(ROUTES.compareChart.path, async ({ request }) => {
      const viewer = await deps.viewers.find(request);
      const view = await openComparison(deps, request, viewer);
      if (view === null) return showComparison(deps, request, viewer);
      const { searchParams } = deps.contextOf(request).url;
      return chartFile(deps, viewer, searchParams.get("format"), takeAway(deps, request, view));
    })
    .get(ROUTES.compareEmbed.path, async ({ request }) => {
      const { origin } = deps.contextOf(request).baseUrls;
      const view = await openComparison(deps, request, deps.viewers.anonymous(request));
      return framePage(origin, view === null ? 403 : 200, view && takeAway(deps, request, view));
    });
}

/** The companies of a comparison: those of the address or peer group that have rows, up to `MAX_COMPARED`. */
interface RequestedComparison extends RequestedCompanies {
  /** Names of the companies beyond the maximum. */
  left: readonly string[];
}

async function readComparison(deps: WebDeps, request: Request, viewer: Viewer) {
  const dataset = deps.snapshots.current();
  const { searchParams } = deps.contextOf(request).url;
  const given = { group: searchParams.get("group"), list: searchParams.getAll("t").join(",") };
  const companies = await requestedCompanies(deps, dataset, viewer, given);
  return { viewer, dataset, requested: compared(companies) };
}

/** The companies that a list of symbols compares, for any viewer. */
export function comparedIn(dataset: Dataset, list: string | null): RequestedComparison {
  return compared({ group: null, ...findListed(dataset, readCompanyList(list ?? "")) });
}

function compared({ group, found, unknown }: RequestedCompanies): RequestedComparison {
  const [covered, without] = [true, false].map((hasRows) =>
    found.filter(({ company }) => company.hasRows === hasRows),
  );
  return {
    group,
    found: covered?.slice(0, MAX_COMPARED) ?? [],
    left: covered?.slice(MAX_COMPARED).map(({ company }) => company.name) ?? [],
    unknown: [...unknown, ...(without?.map(({ company, ticker }) => ticker || company.name) ?? [])],
  };
}

/** The gate of a comparison: the same for the same companies, however they were selected. */
function gateOf({ prices }: WebDeps, { found }: RequestedCompanies): Gate {
  const ciks = found.map(({ company }) => company.cik).toSorted();
  const subject = `compare ${ciks.join(",")}`;
  return { subject, operation: "page:query", ticker: null, costCredits: prices.priceQuery };
}

/** The comparison of a request; null where its viewer may not see it, or nothing is compared. */
async function openComparison(deps: WebDeps, request: Request, viewer: Viewer): Promise<CompareView | null> {
  const { dataset, requested } = await readComparison(deps, request, viewer);
  const { found, group } = requested;
  const { url, baseUrls } = deps.contextOf(request);
  if (group === undefined) return null;
  if (
    found.length > 0 &&
    !(await deps.viewers.isOpen(viewer, dataset.info.contentHash, gateOf(deps, requested)))
  )
    return null;
  const ciks = found.map(({ company }) => company.cik);
  const who =
    Object.keys(COMPARED).find((name): name is Compared => name === url.searchParams.get("who")) ?? "ceo";
  const guesses = requested.unknown.slice(0, 3).map((one) => nearestCompany(dataset, one));
  return {
    requested,
    dataset,
    who,
    groups: await groupsOf(deps, viewer),
    keepsGroups: ownerOf(deps, viewer) !== undefined,
    meant: (await Promise.all(guesses)).flatMap((one) => (one === undefined ? [] : [one.label])),
    year: Number(url.searchParams.get("year") ?? 0) || null,
    unit: readUnit(url.searchParams.get("unit")),
    companies: found.map((company) => ({
      found: company,
      years: yearsOf(company, dataset.years(company.company.cik)),
    })),
    cells: rowCells(dataset, ciks),
    remarks: shortPeriods(dataset, ciks),
    query: url.searchParams.toString(),
    origin: baseUrls.origin,
  };
}

async function showComparison(deps: WebDeps, request: Request, viewer: Viewer): Promise<Response> {
  const { requested } = await readComparison(deps, request, viewer);
  const { url } = deps.contextOf(request);
  if (requested.group === undefined) return showNoGroup(viewer);
  const { found } = requested;
  const about = aboutComparison(deps, request, requested);
  const view = await openComparison(deps, request, viewer);
  if (view !== null) return show(viewer, { ...about, main: compareMain(view) });
  const main = html`<h1>${about.heading}</h1>
    ${offer(viewer, gateOf(deps, requested), `${listText(found, ", ")} side by side`, ROUTES.compare.path + url.search)}
    <h2>Companies</h2>
    ${companyList(found)}`;
  return show(viewer, { ...about, main });
}

/** The title and description of a comparison, for any viewer. Companies of a peer group never appear in previews. */
function aboutComparison(deps: WebDeps, request: Request, { found, group }: RequestedComparison) {
  const names = listText(found, ", ");
  const section = ROUTES.compare.path;
  const query = group === null && found.length > 0 ? `?t=${encodeURIComponent(listText(found, ","))}` : "";
  const alt = query === "" ? "Executive pay compared." : `Executive pay of ${names} compared.`;
  return {
    title: names === "" ? "Compare" : `Compare ${names}`,
    heading: names === "" ? "Compare" : `Pay at ${namesText(found)}`,
    description: "Executive pay of companies side by side, by year and component.",
    picture: pictureOf(deps, request, `${ROUTES.comparePreview.path}${query}`, alt),
    section,
    ...(group === null ? { canonical: deps.contextOf(request).baseUrls.origin + section + query } : {}),
  };
}

/** `Apple, Microsoft and six more` */
function namesText(found: readonly PageCompany[]): string {
  const names = found.map(({ company }) => shortName(company.name));
  if (names.length > 4) return `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

async function download(deps: WebDeps, request: Request): Promise<Response> {
  const viewer = await deps.viewers.find(request);
  const format = readFormat(deps.contextOf(request).url.searchParams.get("format"));
  if (format === undefined) return showProblem(viewer, 400, "Unknown format", "Expected csv or xlsx.");
  const view = await openComparison(deps, request, viewer);
  if (view === null) return showComparison(deps, request, viewer);
  const rows = view.companies.flatMap(({ years }) => years.flatMap((year) => rowsOf(year, view.who)));
  const bytes = await rankingDownload(view.dataset, rows, format);
  return showFile(bytes, DOWNLOADS[format], `execcomp-compare.${format}`);
}

/** A company of a comparison with its years. */
interface ComparedCompany {
  found: PageCompany;
  years: readonly PageYear[];
}

/** Data of the comparison page. */
interface CompareView extends RowNotes {
  /** The companies in the query, and those left out because there are too many. */
  requested: RequestedComparison;
  dataset: Dataset;
  /** Peer groups that the viewer can choose from. */
  groups: readonly PeerGroup[];
  /** Whether the viewer can save peer groups. */
  keepsGroups: boolean;
  /** Companies meant by entries that match none. */
  meant: readonly string[];
  who: Compared;
  /** The fiscal year of the bars and the table; null for each company's latest. */
  year: number | null;
  unit: Unit;
  companies: readonly ComparedCompany[];
  query: string;
  origin: string;
}

function compareMain(view: CompareView): Html {
  const { requested, companies, groups, who, query, origin } = view;
  const { found } = requested;
  const file = (format: string) => `${ROUTES.compareDownload.path}?${withParameter(query, "format", format)}`;
  const whose = who === "all" ? "Pay" : `${COMPARED[who]} pay`;
  const title = found.length === 0 ? "Compare" : `${whose} at ${namesText(found)}, ${yearText(view)}`;
  return html`<div class="pay-page">
    <div class="title">
      <h1>${title}</h1>
      ${
        found.length > 0 &&
        pageActions(html`
          ${view.keepsGroups && html`<a class="button" href="/groups?companies=${encodeURIComponent(listText(found, ", "))}">Save as peer group</a>`}
          <a class="button" href="${file("csv")}">CSV</a>
          <a class="button" href="${file("xlsx")}">XLSX</a> ${SHARE}
          ${citeButton(`execcomp: ${title}. Summary Compensation Tables (Regulation S-K Item 402(c)) of SEC proxy statements as printed. ${origin}${ROUTES.compare.path}?${query}`)}
        `)
      }
    </div>
    ${companyForm(view)} ${view.keepsGroups && groups.length > 0 && groupList(groups)}
    ${
      requested.unknown.length > 0 &&
      html`<p class="warning">
        No rows for
        ${requested.unknown.slice(0, 20).join(", ")}.${view.meant.length > 0 && ` Did you mean ${view.meant.join(", ")}?`}
      </p>`
    }
    ${requested.left.length > 0 && leftOut(view)}
    ${companies.length === 0 ? html`<p class="soft">Enter two or more companies, names or tickers, to see them side by side.</p>` : comparison(view)}
  </div>`;
}

function yearText({ year }: CompareView): string {
  return year === null ? "latest year" : `fiscal ${year}`;
}

function withParameter(query: string, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(query);
  changed.set(name, value);
  return changed;
}

/** Which companies are shown and which are left out, when there are more than fit. */
function leftOut({ requested: { group, found, left } }: CompareView): Html {
  const names = found.map(({ company }) => company.name).join(", ");
  return html`<p class="note">
    A comparison shows up to ${MAX_COMPARED} companies: the first ${MAX_COMPARED} of
    ${found.length + left.length}${group ? html` in <a href="/groups/${group.id}">${group.name}</a>` : ""} are
    ${names}. Left out: ${left.slice(0, 10).join(", ")}${left.length > 10 && ` and ${left.length - 10} more`}.
  </p>`;
}

function groupList(groups: readonly PeerGroup[]): Html {
  return html`<p class="soft">
    <a href="/groups">Peer groups</a>:
    ${groups.map(({ id, name }, index) => html`${index > 0 && ", "}<a href="/compare?group=${id}">${name}</a>`)}
  </p>`;
}

function companyForm({ requested, who, year, companies, unit }: CompareView): Html {
  const known = companies.flatMap((one) => one.years.map(({ fiscalYear }) => fiscalYear));
  // The chosen year stays in the list even if no company has it: the page is about that year.
  const years = [...new Set([...known, ...(year === null ? [] : [year])])].sort((a, b) => b - a);
  // What was not found stays in the field.
  const typed = [...requested.found.map((one) => listText([one], "")), ...requested.unknown].join(", ");
  return html`<form class="chips" method="get" action="/compare">
    <label
      ><span class="away">Companies, names or tickers, up to ${MAX_COMPARED}</span
      ><input
        class="picked ${typed !== "" && "set"}"
        name="t"
        value="${typed}"
        maxlength="4000"
        placeholder="Apple, MSFT, alphabet"
        autocomplete="off"
        data-suggest="/suggest"
        data-several
        data-press
        required
    /></label>
    <label
      ><span class="away">Whose pay</span
      ><select name="who" class="set" data-press>
        ${Object.entries(COMPARED).map(([name, label]) => html`<option value="${name}" ${name === who && html`selected`}>${label}</option>`)}
      </select></label
    >
    <label
      ><span class="away">Fiscal year</span
      ><select name="year" class="${year !== null && "set"}" data-press>
        <option value="">Latest year</option>
        ${years.map((one) => html`<option value="${one}" ${one === year && html`selected`}>${one}</option>`)}
      </select></label
    >
    <label
      ><span class="away">Units</span
      ><select name="unit" class="${unit !== "" && "set"}" data-press>
        <option value="">$</option>
        <option value="thousands" ${unit === "thousands" && html`selected`}>$ thousands</option>
        <option value="percent" ${unit === "percent" && html`selected`}>% of total</option>
      </select></label
    >
    <button class="primary">Compare</button>
  </form>`;
}

/** The currency of a company's newest rows. */
function currencyOf({ years }: ComparedCompany): string {
  return years[0]?.rows[0]?.reporting_currency ?? "";
}

/** The years of a company with rows in a currency, and those rows. */
function yearsIn({ years }: ComparedCompany, currency: string): PageYear[] {
  return years.flatMap((year) => {
    const rows = year.rows.filter((row) => (row.reporting_currency ?? "") === currency);
    return rows.length === 0 ? [] : [{ ...year, rows }];
  });
}

/** The years of a company with rows in another currency: `ACME 2019 (EUR)`. */
function yearsBeside(company: ComparedCompany, currency: string): string[] {
  const rows = company.years.flatMap((year) => year.rows);
  const others = rows.filter((row) => (row.reporting_currency ?? "") !== currency);
  return [...new Set(others.map((row) => `${nameOf(company)} ${yearIn(row, currency)}`))];
}

/** What is drawn. Amounts in different currencies are never drawn on one scale: the first company's is used. */
function drawn(view: CompareView) {
  const [first] = view.companies;
  const currency = first === undefined ? "" : currencyOf(first);
  const sameCurrency = view.companies.filter((one) => currencyOf(one) === currency);
  const companies = sameCurrency.map((one) => ({ ...one, years: yearsIn(one, currency) }));
  const others = view.companies.filter((one) => currencyOf(one) !== currency);
  return { currency, sameCurrency, companies, others };
}

/** The bars of one year, each with the row or the sum behind it. */
function barsChart(view: CompareView): Chart {
  const { companies, currency } = drawn(view);
  const bars = companies.flatMap((company): PayBar[] => {
    const year = yearShown(view, company);
    const summed = year && sumOf(rowsOf(year, view.who), view.who);
    if (year === undefined || summed === undefined) return [];
    const note = `${year.fiscalYear}${year.complete ? "" : "◐"}${isShort(year, view) ? "‡" : ""}`;
    return [{ label: nameOf(company), note, amounts: summed, total: summed.total_compensation }];
  });
  const title = `${COMPARED[view.who]} pay by component, ${yearText(view)}`;
  return payMixChart({ id: "bars", title, bars, currency: currencySign(currency) });
}

/** Totals over all years. */
function yearsChart(view: CompareView): Chart {
  const { companies, currency } = drawn(view);
  return yearBars({
    id: "years",
    title: `${COMPARED[view.who]} total over the years`,
    currency: currencySign(currency),
    groups: companies.map((company) => ({
      label: nameOf(company),
      partial: new Set(company.years.filter(({ complete }) => !complete).map(({ fiscalYear }) => fiscalYear)),
      amounts: new Map(
        company.years.flatMap((year) => {
          const summed = sumOf(rowsOf(year, view.who), view.who);
          return summed === undefined ? [] : [[year.fiscalYear, summed.total_compensation]];
        }),
      ),
    })),
  });
}

function takeAway(deps: WebDeps, request: Request, view: CompareView): TakeAway {
  const isYears = deps.contextOf(request).url.searchParams.get("chart") === "years";
  const { companies, currency } = drawn(view);
  const rows = companies.flatMap((company) => {
    const shown = isYears ? company.years : [yearShown(view, company)];
    return shown.flatMap((year) => {
      const summed = year && sumOf(rowsOf(year, view.who), view.who);
      return summed === undefined ? [] : [{ name: nameOf(company), row: summed }];
    });
  });
  const query = new URLSearchParams(view.query);
  for (const name of ["chart", "format"]) query.delete(name);
  const whose = view.who === "all" ? "Pay" : `${COMPARED[view.who]} pay`;
  return {
    chart: isYears ? yearsChart(view) : barsChart(view),
    title: `${whose} at ${namesText(view.requested.found)}${isYears ? " over the years" : `, ${yearText(view)}`}`,
    source: sourceLine(deps),
    data: [
      ["company", "fiscal_year", "executive_name", ...COMPONENTS, "total_compensation", "reporting_currency"],
      ...rows.map(({ name, row }) => [
        name,
        row.fiscal_year,
        view.who === "all" ? "sum of all named executive officers" : row.executive_name,
        ...COMPONENTS.map((component) => row[component]),
        row.total_compensation,
        currency,
      ]),
    ],
    page: `${ROUTES.compare.path}?${query}`,
  };
}

/** Charts and the rows behind them. */
function comparison(view: CompareView): Html {
  const { who, origin, query } = view;
  const { currency, sameCurrency, companies, others } = drawn(view);
  const rows = companies.flatMap((company) => {
    const year = yearShown(view, company);
    return year === undefined ? [] : rowsOf(year, who).slice(0, who === "all" ? undefined : 1);
  });
  const excluded = [
    ...others.map((one) => `${nameOf(one)} (${currencyOf(one)})`),
    ...sameCurrency.flatMap((one) => yearsBeside(one, currency)),
  ].join(", ");
  const without = sameCurrency.filter((company) => {
    const year = yearShown(view, company);
    return year === undefined || rowsOf(year, who).length === 0;
  });
  const tools = (name: string) => chartTools(origin, ROUTES.compare.path, query, name);
  const years = yearsChart(view);
  return html`${without.length > 0 && html`<p class="warning">${missingText(view)} for ${without.map(nameOf).join(", ")}.</p>`}
    ${excluded !== "" && html`<p class="warning">Not compared because they report in a different currency: ${excluded}.</p>`}
    ${
      rows.length > 0 &&
      html`<div class="head">
          <h2>By component, ${yearText(view)}</h2>
          ${tools("bars")}
        </div>
        ${figure(barsChart(view))} ${rowsBehind(rows, companies, view)}`
    }
    <div class="head">
      <h2>${COMPARED[who]} total over the years</h2>
      ${tools("years")}
    </div>
    ${figure(years)} ${yearTable(companies, view)} ${partialYears(companies)} ${shortYears(companies, view)}
    ${paperSources(rows)}
    <p class="foot paper-only">
      <span data-printed></span>${origin}${ROUTES.compare.path}?${query} · dataset edition
      ${view.dataset.info.edition}
    </p>`;
}

/** The rows behind the bars, with partial years marked. */
function rowsBehind(
  rows: readonly ExecutiveCompensation[],
  companies: readonly ComparedCompany[],
  view: CompareView,
): Html {
  const isPartial = (row: ExecutiveCompensation) =>
    companies.some(
      ({ found, years }) =>
        found.company.cik === row.cik &&
        years.some(({ fiscalYear, complete }) => fiscalYear === row.fiscal_year && !complete),
    );
  return html`${payTable(rows, {
    ...view,
    remainder: "note",
    caption: "The rows behind the bars",
    head: "Company",
    columns: new Set(["mix", "change", "equity_share", "components", "filing"]),
    hasYears: true,
    isPartial,
    before: (row) => rowBefore(view.dataset, row),
    lead: (row) =>
      html`<a href="${companyPath(row)}">${shortName(row.company_name)}</a
        ><a class="role" href="${rowPath(row)}">${row.executive_name}</a
        >${view.who === "all" && offices(row)}`,
  })}${MARKS}`;
}

/** The totals of the chart as a table. */
function yearTable(companies: readonly ComparedCompany[], { who }: CompareView): Html {
  const years = [...new Set(companies.flatMap((one) => one.years.map(({ fiscalYear }) => fiscalYear)))].sort(
    (a, b) => a - b,
  );
  return html`<details class="data">
    <summary>Chart data</summary>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Company</th>
            ${years.map((year) => html`<th scope="col" class="number">${year}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${companies.map(
            (company) =>
              html`<tr>
                <th scope="row">${nameOf(company)}</th>
                ${years.map((year) => {
                  const shown = company.years.find(({ fiscalYear }) => fiscalYear === year);
                  const summed = shown && sumOf(rowsOf(shown, who), who);
                  return html`<td class="number">
                    ${summed === undefined ? "–" : formatAmount(summed.total_compensation)}
                  </td>`;
                })}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

/** `No CEO in fiscal 2020` */
function missingText({ who, year }: CompareView): string {
  const whose = who === "all" ? "No rows" : `No ${COMPARED[who]}`;
  return `${whose} in ${year === null ? "the latest fiscal year" : `fiscal ${year}`}`;
}

/** A note on which of the years drawn may lack executives. */
function partialYears(companies: readonly ComparedCompany[]): Html | false {
  const listed = companies.flatMap((one) => {
    const partial = one.years.filter(({ complete }) => !complete).map(({ fiscalYear }) => fiscalYear);
    return partial.length === 0 ? [] : [`${nameOf(one)} ${partial.join(", ")}`];
  });
  return (
    listed.length > 0 &&
    html`<p class="foot">${PARTIAL_FOOTNOTE} Partial years, drawn as outlines: ${listed.join("; ")}.</p>`
  );
}

/** Whether the rows of a year that are drawn cover less than twelve months. */
function isShort(year: PageYear, { who, remarks }: CompareView): boolean {
  return rowsOf(year, who).some((row) => isShortPeriod(remarks(row)));
}

/** A note on which of the years drawn are shorter than a year. */
function shortYears(companies: readonly ComparedCompany[], view: CompareView): Html | false {
  const told = companies.flatMap((one) => {
    const short = one.years.filter((year) => isShort(year, view)).map(({ fiscalYear }) => fiscalYear);
    return short.length === 0 ? [] : [`${nameOf(one)} ${short.join(", ")}`];
  });
  return told.length > 0 && html`<p class="foot">‡ Less than a whole year: ${told.join("; ")}.</p>`;
}

function nameOf({ found }: ComparedCompany): string {
  return found.ticker === "" ? found.company.name : found.ticker;
}

function yearShown({ year }: CompareView, { years }: ComparedCompany): PageYear | undefined {
  return year === null ? years[0] : years.find(({ fiscalYear }) => fiscalYear === year);
}

/** The rows of an office, highest total first; all rows for `all`. */
function rowsOf({ rows }: PageYear, who: Compared): ExecutiveCompensation[] {
  const held = rows.filter((row) => who === "all" || (who === "ceo" ? row.is_peo : row.is_pfo));
  return held.toSorted((a, b) => b.total_compensation - a.total_compensation);
}

/** One row for an office; the sum of all rows for `all`. */
function sumOf(rows: readonly ExecutiveCompensation[], who: Compared): ExecutiveCompensation | undefined {
  const [first] = rows;
  if (first === undefined || who !== "all") return first;
  const sums = byAmount((name) => rows.reduce((sum, row) => sum + centsOf(row[name]), 0));
  return { ...first, ...byAmount((name) => unitsOf(sums[name])) };
}
