/** Companies side by side: bars of one year by component, totals over the years, the rows behind them. */
import { companyName } from "../../domain/company-name.ts";
import { figure, yearSpan } from "../../charts/frame.ts";
import { type PayBar, payMixChart, totalOnly } from "../../charts/pay-mix.ts";
import { barChart, type BarGroup } from "../../charts/plots.ts";
import { formatAmount } from "../../domain/amount.ts";
import { MAX_COMPARED } from "../../domain/company.ts";
import { unreadable, wordMeant } from "../../domain/parameters.ts";
import { byAmount, type ExecutiveCompensation as Row } from "../../domain/row-fields.ts";
import { type Html, html } from "../../lib/html.ts";
import { pathTo, ROUTES } from "../../http/routes.ts";
import { counted } from "../../lib/text.ts";
import { rankingDownload, rowBefore, yearsOf } from "../../operations/rows.ts";
import { readCeoPay } from "../../dataset/ceo-pay-records.ts";
import { rowCells } from "../../dataset/company-facts.ts";
import { shortPeriods } from "../../dataset/remarks.ts";
import type { PageCompany } from "../../operations/companies.ts";
import {
  companyList,
  groupsOf,
  listText,
  lookUpsOf,
  meantBy,
  noGroup,
  ownerOf,
  type RequestedCompanies,
  requestedCompanies,
} from "./groups.ts";
import type { PageVisit } from "../page-visit.ts";
import type { WebDeps } from "../deps.ts";
import { chartTools, type ChartExport } from "../chart-files.ts";
import { citation, paperFoot, sourceLine, titleRow } from "../citation.ts";
import { dataOf, downloadMenu, withQuery } from "../downloads.ts";
import { type PaidRequest, paidPage, questionPrice } from "../paid-page.ts";
import { companiesOffered, seesCompanies, sightOf } from "../offers.ts";
import { hasEarlier } from "./company-request.ts";
import { show } from "../page-response.ts";
import { paywall } from "../paywall.ts";
import { chip, hiddenFields, SUGGESTED, typedChip } from "../fields.ts";
import { columnBars, columnTable } from "./compare-columns.ts";
import {
  byTotal,
  COMPARED,
  type Compared,
  type ComparedPay,
  type CompanyYears,
  everyYearOf,
  OFFICE,
  onlyTotals,
  readCompared,
  shownOf,
} from "./compare-pay.ts";
import { companyRows, rowsBehind } from "./compare-rows.ts";
import { type OwnCompany, ownChips, readOwn } from "./own-company.ts";
import { nameIn, nameInList, pathOf } from "../parts/addresses.ts";
import { currencySign, readUnit, unitLabel, UNITS } from "../parts/amounts.ts";
import { chartData, firstOf, headed } from "../parts/elements.ts";
import { mixKeys } from "../parts/mix.ts";
import { namesOf, shortName } from "../parts/names.ts";
import { heldBy } from "../parts/offices.ts";
import { remedyFor } from "../remedy.ts";
import { MARK_KEYS, MARKS, paperSources } from "../parts/sources.ts";
import { outlineTable, smallTable } from "../parts/tables.ts";
import { PARTIAL_FOOTNOTE, yearIn } from "../parts/years.ts";

/** The companies of a comparison: those of the address or peer group of which pay is known, and the own company; up to `MAX_COMPARED`. */
interface RequestedComparison extends RequestedCompanies, OwnCompany {
  /** The companies without the own one, unless it is one of them. */
  peers: readonly PageCompany[];
  /** Companies without rows: of some a total is known. */
  missing: readonly PageCompany[];
  /** Names of the companies beyond the maximum. */
  left: readonly string[];
}

/** A comparison that its viewer may see. */
type CompareView = Awaited<ReturnType<typeof readComparison>>;

/** `/compare` and what is below it. */
export function comparePage(deps: WebDeps) {
  return paidPage<PaidRequest & RequestedComparison, CompareView>(deps, ROUTES.compare.path, {
    async read(visit) {
      const { searchParams, search } = visit.url;
      const given = { group: searchParams.get("group"), list: listOf(searchParams) };
      const requested = compared(visit, await requestedCompanies(visit, given), readOwn(visit, searchParams));
      // The same for the same companies, however they were selected.
      const ciks = requested.found.map(({ company }) => company.cik);
      const price = questionPrice(deps);
      const sight = await sightOf(visit, price);
      const hasMore = ciks.some((cik) => !seesCompanies(sight, [cik]) && hasEarlier(visit.dataset, cik));
      const offered = hasMore ? companiesOffered(ciks) : null;
      return { ...visit, ...requested, price, sight, offered, back: ROUTES.compare.path + search };
    },
    find(requested) {
      const { viewer, found, group, back, sight, offered } = requested;
      if (group === undefined) throw noGroup();
      // A fiscal year is compared where every company's is open, the latest where those of all are.
      const isOfLatest = offered === null || readYear(requested.url) === null;
      const isSeen = sight === null || (sight.latest && viewer.kind === "person" && isOfLatest);
      if (found.length > 0 && !isSeen) {
        const main = html`<h1>Pay at ${namesOf(found, 4)}</h1>
          ${paywall(requested, `${listText(found, ", ")} side by side`, back, isOfLatest)}
          ${outlineTable(["Company", "Mix of pay", "CEO total", "Change", "Salary", "Incentive", "Stock"])}
          <h2>Each company’s page, its latest year free</h2>
          ${companyList(found)}`;
        return show(viewer, { ...aboutComparison(requested), main });
      }
      return readComparison(requested);
    },
    show: (view) => show(view.viewer, { ...aboutComparison(view), main: compareMain(view) }),
    async file(view, format) {
      const { rows, only } = linesOf(view);
      return [await rankingDownload(view.dataset, rows, format, only), "compare"];
    },
    charts: ["bars", "years"],
    chartExport: (view, chart) => chartExport(view, chart === "years"),
  });
}

/** The fiscal year of an address, `fiscal_year` as other pages name it; null for the latest. */
function readYear({ searchParams }: URL): number | null {
  const text = searchParams.get("year") ?? searchParams.get("fiscal_year") ?? "";
  if (text !== "" && !/^\d{1,4}$/.test(text))
    throw unreadable("fiscal_year", text, "a fiscal year such as 2025");
  return Number(text) || null;
}

/** Whose pay is compared; an office in the words of other pages, too. */
function readWho(text: string): Compared {
  const office = wordMeant(["peo", "pfo"], text);
  const who = office === "peo" ? "ceo" : office === "pfo" ? "cfo" : nameIn(COMPARED, text || "ceo");
  if (who === undefined) throw unreadable("who", text, `one of ${Object.keys(COMPARED).join(", ")}`);
  return who;
}

/** The comparison of a request. */
async function readComparison(requested: PaidRequest & RequestedComparison) {
  const { found, dataset, url, sight } = requested;
  const { searchParams } = url;
  const who = readWho(searchParams.get("who") ?? searchParams.get("office") ?? "");
  const year = readYear(url);
  const all = found.map((one) => {
    const held = dataset.years(one.company.cik);
    const isOpen = seesCompanies(sight, [one.company.cik]);
    return { found: one, years: yearsOf(one, isOpen ? held : held.slice(0, 1)) };
  });
  const before = (row: Row) => (seesCompanies(sight, [row.cik]) ? rowBefore(dataset, row) : undefined);
  const currency = all[0] === undefined ? "" : currencyOf(all[0]);
  const ciks = found.map(({ company }) => company.cik);
  const remarks = shortPeriods(dataset, ciks);
  const same = all.filter((one) => currencyOf(one) === currency);
  const companies = await readCompared(requested, same, { who, year, currency, remarks });
  const shown = companies.flatMap((one) => shownOf(one, { who, year }));
  const query = new URLSearchParams(searchParams);
  for (const name of ["chart", "format"]) query.delete(name);
  return {
    ...requested,
    who,
    /** The fiscal year of the bars and the table; null for each company's latest. */
    year,
    /** Every company with every year. */
    all,
    /** Amounts in different currencies are never drawn on one scale: the first company's is used. */
    currency,
    /** The companies that are drawn, with the years of that currency. */
    companies,
    /** Their pay of the year of the bars and the table, where there is something to draw. */
    shown,
    onlyTotal: onlyTotals(shown),
    before,
    /** Peer groups that the viewer can choose from. */
    groups: await groupsOf(requested),
    unit: readUnit(searchParams.get("unit")),
    cells: rowCells(dataset, ciks),
    remarks,
    query,
    title: titleOf(requested, who, year),
  };
}

/** From so many companies on they are the rows of a table: as columns they would not fit. */
const MANY = 8;
/** The years of each that are drawn then. */
const MANY_YEARS = 5;

/** The title of a comparison: a peer group has its name. */
function titleOf({ found, peers, group }: RequestedComparison, who: Compared, year: number | null): string {
  if (found.length === 0) return "Compare";
  const [whose, when] = [whoseText(who), yearText(year)];
  const named = peers.length === 0 ? found : peers;
  return group ? `${group.name}: ${whose}, ${when}` : `${whose} at ${namesOf(named, 4)}, ${when}`;
}

/** The companies listed in an address; `t` is what it was called at first. */
function listOf(query: URLSearchParams): string {
  return [...query.getAll("companies"), ...query.getAll("t")].join(",");
}

function compared(
  { dataset }: PageVisit,
  { group, found, unknown }: RequestedCompanies,
  own: OwnCompany,
): RequestedComparison {
  const isOwn = ({ company }: PageCompany) => company.cik === own.own?.company.cik;
  const listed = own.own === null || found.some(isOwn) ? found : [...found, own.own];
  const missing = listed.filter(({ company }) => !company.hasRows);
  const known = listed.filter(
    ({ company: { hasRows, cik } }) => hasRows || readCeoPay(dataset, cik).length > 0,
  );
  // The own company is not among those beyond the maximum.
  const others = known.filter((one) => !isOwn(one));
  const left = others.slice(MAX_COMPARED - (known.length - others.length));
  const kept = known.filter((one) => !left.includes(one));
  return {
    ...own,
    group,
    found: kept,
    peers: kept.filter((one) => own.includesOwn || !isOwn(one)),
    missing,
    left: left.map(({ company }) => companyName(company.name)),
    unknown,
  };
}

/** The title and description of a comparison, for any viewer. The companies of a peer group stay with its owner. */
function aboutComparison(requested: PageVisit & RequestedComparison) {
  const { origin, found, group } = requested;
  const names = listText(found, ", ");
  const section = ROUTES.compare.path;
  const list = encodeURIComponent(listText(found, ","));
  const query = group === null && found.length > 0 ? `?companies=${list}` : "";
  return {
    title: names === "" ? "Compare" : `Compare ${names}`,
    description: "Executive pay of companies side by side, by year and component.",
    section,
    ...(group === null ? { canonical: origin + section + query } : {}),
  };
}

function whoseText(who: Compared): string {
  return who === "all" ? "Pay" : `${COMPARED[who]} pay`;
}

function yearText(year: number | null): string {
  return year === null ? "latest year" : `fiscal ${year}`;
}

function compareMain(view: CompareView): Html {
  const { found, peers, unknown, missing, left, group, companies, groups, query, origin, title, dataset } =
    view;
  const { own, includesOwn } = view;
  const meant = meantBy(dataset, unknown, lookUpsOf(view)).map(({ label }) => label);
  const hint = meant.length > 0 && ` Did you mean ${meant.join(", ")}?`;
  const ownGroups = groups.map(
    ({ id, name }) => html`<a href="${ROUTES.compare.path}?group=${id}">${name}</a>`,
  );
  const leftOut = html`A comparison shows up to ${MAX_COMPARED} companies: the first ${MAX_COMPARED} of
  ${found.length + left.length}${group ? html` in <a href="${pathTo("peerGroup", { id: group.id })}">${group.name}</a>` : ""}
  are ${found.map(({ company }) => companyName(company.name)).join(", ")}. Left out: ${firstOf(left, 10)}.`;
  const keepsGroups = ownerOf(view) !== undefined;
  const { edition } = dataset.info;
  const address = `${origin}${ROUTES.compare.path}?${query}`;
  const detail =
    "Summary Compensation Tables (Regulation S-K Item 402(c)) of SEC proxy statements as printed.";
  const buttons = html`${keepsGroups && html`<a class="button" href="${ROUTES.peerGroups.path}?companies=${encodeURIComponent(listText(peers, ", "))}">Save as peer group</a>`}
  ${downloadMenu(ROUTES.compareDownload.path, query)}`;
  const heading = html`<h1>${title}</h1>`;
  return html`<div class="pay-page">
    ${found.length === 0 ? heading : titleRow(heading, buttons, citation(title, detail, edition, address))}
    ${companyForm(view)}
    ${ownGroups.length > 0 && html`<p class="soft screen-only"><a href="${ROUTES.peerGroups.path}">Peer groups</a>: ${firstOf(ownGroups)}</p>`}
    ${own !== null && html`<p class="meta">${companyName(own.company.name)} is ${includesOwn ? "one of them" : "measured against them and not counted"}.</p>`}
    ${unknown.length > 0 && html`<p class="warning">No company found for ${unknown.slice(0, 20).join(", ")}.${hint}</p>`}
    ${totalsNote(view)}
    ${missing.length > 0 && html`<div class="warning">No pay by component for ${firstOf(missing.map(linkTo), 20)}. ${remedyFor(view, missing)}</div>`}
    ${left.length > 0 && html`<p class="note">${leftOut}</p>`}
    ${companies.length === 0 ? EXAMPLES : html`${comparison(view)} ${view.offered !== null && paywall(view, "earlier fiscal years", view.back)} ${paperFoot(address, edition)}`}
  </div>`;
}

/** What can be compared, where nothing is yet. */
const EXAMPLES = html`<p>
  Enter two or more companies, names or tickers, or look at
  <a href="${ROUTES.compare.path}?companies=AAPL,MSFT,GOOGL,AMZN,META">five technology companies</a>,
  <a href="${ROUTES.compare.path}?companies=JPM,BAC,C,WFC,GS,MS">six banks</a>, or
  <a href="${ROUTES.compare.path}?companies=PFE,MRK,LLY,ABBV,BMY,AMGN&amp;who=cfo"
    >the CFOs of six drug makers</a
  >.
</p>`;

/** Of which companies the total is all that is known, and what stands beside it; whose total is in doubt. */
function totalsNote({ shown, who }: CompareView): Html {
  const only = shown.filter((one) => one.only !== null);
  const doubted =
    who === "ceo"
      ? shown.filter(({ found, isTotal }) => !isTotal && !only.some((one) => one.found === found))
      : [];
  const texts = only.map(({ found, fiscalYear }) => html`${linkTo(found)} (fiscal ${fiscalYear})`);
  const isBeside = shown.length > new Set(shown.map(({ found }) => found)).size;
  return html`${
    only.length > 0 &&
    html`<p class="note">
      <i class="dot tagged"></i> The total only, as the filer tagged it, with an outline as its bar:
      ${firstOf(texts)}.${isBeside && " Beside it stands the latest year with components, which no median of totals counts."}
    </p>`
  }
  ${doubted.length > 0 && html`<p class="note">In doubt, so no median of totals counts it: ${firstOf(doubted.map(({ found }) => linkTo(found)))}.</p>`}`;
}

function linkTo(one: PageCompany): Html {
  return html`<a href="${pathOf(one)}">${shortName(one.company.name)}</a>`;
}

/** The companies, each with a way to leave it out, a field for more, the own company, and the choices. What was not found stays in the field. */
function companyForm(view: CompareView): Html {
  const { found, unknown, own, group, who, year, all, unit, query, currency } = view;
  const rowYears = [
    ...all.flatMap((one) => one.years.map(({ fiscalYear }) => fiscalYear)),
    ...view.companies.flatMap((one) => one.totals.map(({ fiscal_year: of }) => of)),
  ];
  // The chosen year stays in the list even if no company has it: the page is about that year.
  const years = [...new Set([...rowYears, ...(year === null ? [] : [year])])].sort((a, b) => b - a);
  const names = found.filter((one) => one.company.cik !== own?.company.cik).map(nameInList);
  const without = (name: string) =>
    withQuery(ROUTES.compare.path, query, {
      group: "",
      t: "",
      companies: names.filter((one) => one !== name).join(","),
    });
  const label = `Companies, names or tickers, up to ${MAX_COMPARED}`;
  const hint = found.length === 0 ? "Apple, MSFT, alphabet" : "Add another";
  const links = names.map(
    (name) => html`<a class="button set" href="${without(name)}" title="Leave out ${name}">${name} ×</a>`,
  );
  const listed = group ? group.name : counted(names.length, "company");
  const form = html`<form
    class="chips ${found.length === 0 && "wide-list"}"
    method="get"
    action="${ROUTES.compare.path}"
  >
    ${group ? hiddenFields({ group: group.id }) : names.length > 0 && hiddenFields({ companies: names.join(",") })}
    ${
      names.length < MANY
        ? links
        : html`<details class="fold listed">
            <summary class="set">${listed} ▾</summary>
            <div>${links}</div>
          </details>`
    }
    ${group ? html`<a class="button" href="${pathTo("peerGroup", { id: group.id })}">Edit group</a>` : typedChip("companies", label, unknown.join(", "), hint, { maxlength: 4000, ...(found.length === 0 ? { required: true } : { size: 12 }), ...SUGGESTED })}
    ${found.length > 0 && ownChips(query, view)}
    ${found.length > 0 && html`<span class="soft">${found.length} of ${MAX_COMPARED}</span>`}
    ${chip("who", "Whose pay", who, Object.entries(COMPARED))}
    ${chip("year", "Fiscal year", String(year ?? ""), [["", "Latest year"], ...years.map((one) => [String(one), String(one)] as const)])}
    ${chip(
      "unit",
      "Units",
      unit,
      Object.entries(UNITS).map(([name, label]) => [name, unitLabel(label, currency || "USD")] as const),
    )}
    <button class="primary">Compare</button>
  </form>`;
  if (found.length === 0) return form;
  return html`<details class="folded">
    <summary>Companies and choices (${counted(found.length, "company")})</summary>
    ${form}
  </details>`;
}

/** The currency of a company's newest rows; tags are in dollars. */
function currencyOf({ years: [newest] }: CompanyYears): string {
  return newest === undefined ? "USD" : (newest.rows[0]?.reporting_currency ?? "");
}

/** The years of a company with rows in another currency: `ACME 2019 (EUR)`. */
function yearsBeside(company: CompanyYears, currency: string): string[] {
  const rows = company.years.flatMap((year) => year.rows);
  const others = rows.filter((row) => (row.reporting_currency ?? "") !== currency);
  return [...new Set(others.map((row) => `${nameOf(company.found)} ${yearIn(row, currency)}`))];
}

/** A bar of a comparison. */
function barOf({ found, note, row, only }: ComparedPay): PayBar {
  return {
    label: nameOf(found),
    note,
    row: only === null ? row : totalOnly(row.total_compensation),
    isTotalOnly: only !== null,
  };
}

/** The bars of one year, each with the row or the sum behind it. */
function barsChart({ shown, who, year, currency }: CompareView) {
  const title = `${COMPARED[who]} pay by component, ${yearText(year)}`;
  return payMixChart({ id: "bars", title, bars: shown.map(barOf), currency: currencySign(currency) });
}

/** Totals over all years. */
function yearGroups({ companies }: CompareView): BarGroup[] {
  const drawn = companies.map((one) => ({ found: one.found, years: everyYearOf(one) }));
  const yearsIn = (years: readonly ComparedPay[]) => years.map(({ fiscalYear }) => fiscalYear);
  const all = yearSpan(drawn.flatMap(({ years }) => yearsIn(years)));
  // Of many companies each has the years that it has: lines of dashes would hide them.
  const spanOf = (years: readonly ComparedPay[]) =>
    companies.length < MANY ? all : yearSpan(yearsIn(years)).slice(-MANY_YEARS);
  return drawn.map(({ found, years }) => ({
    label: nameOf(found),
    bars: spanOf(years).map((fiscalYear) => {
      const one = years.find((of) => of.fiscalYear === fiscalYear);
      const outlined =
        one === undefined ? "" : one.only !== null ? TOTAL_ONLY : one.complete ? "" : "partial";
      return {
        name: `fiscal ${fiscalYear}`,
        label: `’${String(fiscalYear).slice(2)}`,
        value: one?.row.total_compensation ?? null,
        outlined,
      };
    }),
  }));
}

const TOTAL_ONLY = "the total only";

function yearsChart(view: CompareView) {
  const title = `${COMPARED[view.who]} total over the years`;
  return barChart({ id: "years", title, currency: currencySign(view.currency), groups: yearGroups(view) });
}

/** The rows of a file, and those of them of which only the total is known: every year that its viewer may see, newest first. */
function linesOf({ all, companies, who }: CompareView): { rows: Row[]; only: ReadonlySet<Row> } {
  const only = companies
    .flatMap(everyYearOf)
    .flatMap(({ row, only: total }) => (total === null ? [] : [row]));
  const rows = all.flatMap(({ found, years }) => {
    const held = years.flatMap((year) => heldBy(year.rows, OFFICE[who]));
    const own = [...only.filter(({ cik }) => cik === found.company.cik), ...held];
    return own.toSorted((a, b) => b.fiscal_year - a.fiscal_year);
  });
  return { rows, only: new Set(only) };
}

function chartExport(view: CompareView, isYears: boolean): ChartExport {
  const { companies, shown, who, currency } = view;
  return {
    chart: isYears ? yearsChart(view) : barsChart(view),
    title: isYears
      ? `${whoseText(who)} at ${view.group?.name ?? namesOf(view.found, 4)} over the years`
      : view.title,
    source: sourceLine(view),
    data: dataOf(isYears ? companies.flatMap(everyYearOf) : shown, {
      company: ({ found }) => nameOf(found),
      fiscal_year: ({ fiscalYear }) => fiscalYear,
      executive_name: ({ row }) =>
        who === "all" ? "sum of all named executive officers" : row.executive_name,
      ...byAmount(
        (name) =>
          ({ row, only }: ComparedPay) =>
            only === null || name === "total_compensation" ? row[name] : null,
      ),
      reporting_currency: () => currency,
      year_complete: ({ complete, only }) => (only === null ? complete : null),
      short_period: ({ isShort }) => isShort,
    }),
    page: withQuery(ROUTES.compare.path, view.query),
  };
}

/** Charts and the rows behind them. */
function comparison(view: CompareView): Html {
  const { who, year, origin, query, currency, companies, shown, all } = view;
  const isMany = shown.length >= MANY;
  // The order of the table is that of its sources.
  const drawn = isMany ? byTotal(shown) : shown;
  const rows = drawn.flatMap(({ held, row }) => (who === "all" ? held : [row]));
  const isOther = (one: CompanyYears) => currencyOf(one) !== currency;
  const excluded = [
    ...all.filter(isOther).map((one) => `${nameOf(one.found)} (${currencyOf(one)})`),
    ...all.flatMap((one) => (isOther(one) ? [] : yearsBeside(one, currency))),
  ];
  const has = new Set(shown.map(({ found }) => found));
  const without = all.filter((one) => {
    const wanted = one.years.find((of) => year === null || of.fiscalYear === year);
    const isHeld = heldBy(wanted?.rows ?? [], OFFICE[who]).length > 0;
    return !isOther(one) && !has.has(one.found) && !isHeld;
  });
  const listed = (isMeant: (one: ComparedPay) => boolean) =>
    companies
      .flatMap((one) => {
        const named = everyYearOf(one).filter(isMeant);
        const words = named.map(({ fiscalYear }) => fiscalYear).join(", ");
        return named.length === 0 ? [] : [`${nameOf(one.found)} ${words}`];
      })
      .join("; ");
  const partial = listed(({ complete }) => !complete);
  const only = listed((one) => one.only !== null);
  const short = listed(({ isShort }) => isShort);
  const years = yearGroups(view);
  const head = (title: string, name: string) =>
    headed(title, chartTools(origin, ROUTES.compare.path, query, name));
  return html`${without.length > 0 && html`<p class="warning">No ${who === "all" ? "executive" : `${COMPARED[who]} total`} in ${year === null ? "the latest fiscal year" : `fiscal ${year}`} for ${without.map(({ found }) => nameOf(found)).join(", ")}.</p>`}
  ${excluded.length > 0 && html`<p class="warning">Not compared because they report in a different currency: ${excluded.join(", ")}.</p>`}
  ${
    rows.length > 0 &&
    (isMany
      ? html`<div class="head keyed-head">
            ${mixKeys(rows)} ${MARK_KEYS} ${chartTools(origin, ROUTES.compare.path, query, "bars")}
          </div>
          ${companyRows(rows, { ...view, shown: drawn })}`
      : html`${head("By component", "bars")}
          <div class="as-columns">${columnTable(shown, view)}</div>
          <div class="as-rows">${figure(barsChart(view))}</div>
          <div class="${who !== "all" && "as-rows"}">${rowsBehind(rows, view)}</div>
          ${MARKS}`)
  }
  ${
    years.some(({ bars }) => bars.length > 1) &&
    html`<div class="${isMany && "screen-only"}">
      ${head(`${COMPARED[who]} total over the years`, "years")}
      ${!isMany && html`<div class="as-columns">${columnBars(years, currency)}</div>`}
      <div class="${!isMany && "as-rows"}">${figure(yearsChart(view))}</div>
      ${chartData(yearTable(years))}
    </div>`
  }
  ${partial !== "" && html`<p class="foot ${isMany && "screen-only"}">${PARTIAL_FOOTNOTE} Partial years, drawn as outlines: ${partial}.</p>`}
  ${only !== "" && html`<p class="foot ${isMany && "screen-only"}"><i class="dot tagged"></i> The total only, as the filer tagged it, drawn as outlines: ${only}.</p>`}
  ${short !== "" && html`<p class="foot">‡ Less than a whole year: ${short}.</p>`} ${paperSources(rows)}`;
}

/** The totals of the chart as a table. */
function yearTable(groups: readonly BarGroup[]): Html {
  const years = [...new Set(groups.flatMap(({ bars }) => bars.map(({ name }) => name)))].toSorted();
  const lines = groups.map(({ label, bars }) => [
    label,
    ...years.map((year) => {
      const { value = null, outlined = "" } = bars.find(({ name }) => name === year) ?? {};
      if (value === null) return "–";
      return html`${outlined === TOTAL_ONLY && html`<i class="dot tagged"></i> `}${formatAmount(value)}`;
    }),
  ]);
  return smallTable(["Company"], years, lines);
}

function nameOf({ ticker, company }: PageCompany): string {
  return ticker === "" ? companyName(company.name) : ticker;
}
