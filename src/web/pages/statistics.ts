/** Statistics of a selection: percentiles by component and office, an own company's rank, mix, medians over the years. */
import { Elysia } from "elysia";
import { BY_FAMILY, figure } from "../../charts/frame.ts";
import { lineChart, type Series } from "../../charts/lines.ts";
import { stripChart } from "../../charts/strip.ts";
import { formatAmount } from "../../domain/amount.ts";
import { AMOUNT_FIELD, type AmountField, byAmount, COMPONENTS } from "../../domain/row-fields.ts";
import { type Grouping, GROUPINGS } from "../../domain/selection.ts";
import { type Html, html } from "../../html.ts";
import { parameters } from "../../http/responses.ts";
import { ROUTES } from "../../http/routes.ts";
import { csvFile, DOWNLOADS } from "../../operations/downloads.ts";
import {
  type Dataset,
  findTyped,
  type GroupStatistics,
  type PageCompany,
  type Rank,
  rankingOf,
  sectorName,
  sortedValues,
  statisticsFor,
} from "../../operations/page-data.ts";
import type { CoverageReader } from "../../operations/pages.ts";
import { groupsOf } from "../company-lists.ts";
import type { WebDeps } from "../deps.ts";
import { open } from "../opening.ts";
import { show, showFile, showRefusal } from "../show.ts";
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
import { counted, currencySign, mixBar, pageActions } from "./parts.ts";
import {
  addressWith,
  chip,
  filterChips,
  type Filters,
  type FilterView,
  isLatest,
  readSelected,
  type Selected,
  selectionNotes,
  selectionWords,
  subjectOf,
} from "./selected.ts";

/** The offices of the table: a row with both flags counts in both. */
const OFFICES = [
  ["peo", "CEO"],
  ["pfo", "CFO"],
  ["other", "Other named officers"],
] as const;
type Office = (typeof OFFICES)[number][0];

/** What medians can be grouped by, by name in addresses. */
const BREAKDOWNS: Readonly<Record<string, string>> = {
  sector: "Sector",
  filer_category: "Filer category",
  state: "State",
  sic2: "Industry (SIC, two digits)",
  index: "Index",
};

/** `/statistics` and what is below it. */
export function statisticsPages(deps: WebDeps, coverage: CoverageReader) {
  const { path } = ROUTES.statisticsPage;
  return new Elysia({ name: "statistics-pages" })
    .get(
      path,
      deps.conditional((request) => showStatistics(deps, request, coverage)),
    )
    .post(
      path,
      async ({ request }) => {
        const { url } = deps.contextOf(request);
        const selected = await readSelected(deps, request, await deps.viewers.find(request));
        return selected instanceof Response
          ? selected
          : open(deps, request, gateOf(deps, selected.filters), url.pathname + url.search);
      },
      { parse: "none" },
    )
    .get(ROUTES.statisticsDownload.path, async ({ request }) => {
      const found = await openStatistics(deps, request, await deps.viewers.find(request), coverage);
      return found instanceof Response
        ? found
        : showFile(csvFile(tableLines(found)), DOWNLOADS.csv, "execcomp-statistics.csv");
    })
    .get(ROUTES.statisticsChart.path, async ({ request }) => {
      const viewer = await deps.viewers.find(request);
      const found = await openStatistics(deps, request, viewer, coverage);
      if (found instanceof Response) return found;
      const { searchParams } = deps.contextOf(request).url;
      return chartFile(deps, viewer, searchParams.get("format"), takeAway(deps, found));
    })
    .get(ROUTES.statisticsEmbed.path, async ({ request }) => {
      const { origin } = deps.contextOf(request).baseUrls;
      const found = await openStatistics(deps, request, deps.viewers.anonymous(request), coverage);
      if (found instanceof Response)
        return framePage(origin, found.status === 200 ? 403 : found.status, null);
      return framePage(origin, 200, takeAway(deps, found));
    });
}

function gateOf({ prices }: WebDeps, filters: Filters): Gate {
  return {
    subject: subjectOf("statistics", filters),
    operation: "page:query",
    ticker: null,
    costCredits: prices.priceQuery,
  };
}

/** The figures of one office. */
interface OfficeFigures {
  office: Office;
  name: string;
  /** Null without rows. */
  of: Readonly<Record<AmountField, GroupStatistics | null>>;
  /** The best rank of the own company, if it has a row. */
  ranks: Readonly<Record<AmountField, Rank | null>>;
  values: readonly number[];
}

/** Statistics that their viewer may see. */
interface OpenStatistics extends FilterView {
  offices: readonly OfficeFigures[];
  /** Medians of the total by office and year; empty where other years are not open. */
  trend: readonly {
    year: number;
    isPartial: boolean;
    medians: Readonly<Record<Office, number | null>>;
    own: number | null;
  }[];
  breakdown: { by: string; groups: readonly { label: string; value: string; of: GroupStatistics }[] };
  own: PageCompany | null;
  ownUnknown: string;
  coverage: { rows: number; companies: number; companyYears: number; incomplete: number };
  /** Whether every row counts, or the highest of each company-year and office. */
  everyRow: boolean;
  origin: string;
}

async function isOpen(deps: WebDeps, { viewer, dataset, filters }: Selected): Promise<boolean> {
  return deps.viewers.isOpen(viewer, dataset.info.contentHash, gateOf(deps, filters));
}

async function openStatistics(
  deps: WebDeps,
  request: Request,
  viewer: Viewer,
  coverage: CoverageReader,
): Promise<OpenStatistics | Response> {
  const selected = await readSelected(deps, request, viewer);
  if (selected instanceof Response) return selected;
  const { url, baseUrls } = deps.contextOf(request);
  const filterView = { selected, groups: await groupsOf(deps, viewer), years: coverage.fiscalYears() };
  const paid = await isOpen(deps, selected);
  if (!paid && !(deps.publicRankings === "on" && isLatest(selected.filters))) {
    const main = html`<h1>${statisticsTitle(selected)}</h1>
      ${filterChips(filterView, ROUTES.statisticsPage.path, { fields: ownFields(selected) })}
      ${offer(viewer, gateOf(deps, selected.filters), "these statistics", url.pathname + url.search)}`;
    return show(viewer, { ...aboutStatistics(deps, request, selected), main });
  }
  try {
    return { ...filterView, ...(await readFigures(deps, selected, paid)), origin: baseUrls.origin };
  } catch (refused) {
    return showRefusal(viewer, refused);
  }
}

/** Finds the figures. @param seesYears whether the viewer may see other years than the selected ones */
async function readFigures(deps: WebDeps, { dataset, filters, given }: Selected, seesYears: boolean) {
  const { analyst } = deps;
  const { sort: _sort, cursor: _cursor, office: _office, one_per_company_year: _one, ...rest } = filters;
  const ownWords = given.get("own") ?? "";
  const typed = ownWords === "" ? { found: [], unknown: [] } : await findTyped(dataset, ownWords);
  const own = typed.found[0] ?? null;
  // The own company counts among its peers: PERCENTRANK.INC needs it in the group.
  const cik = own !== null && rest["cik"] !== undefined ? `${rest["cik"]},${own.company.cik}` : rest["cik"];
  const peers: Filters = cik === undefined ? rest : { ...rest, cik };
  const everyRow = given.get("one_per_company_year") === "false";
  const selection = (office: Office): Filters =>
    office === "other" ? peers : { ...peers, office, ...(everyRow ? {} : { one_per_company_year: "true" }) };
  const rankCik = own?.company.cik ?? null;
  const ofOffice = async (office: Office, field: AmountField) => {
    const groupBy: readonly Grouping[] = office === "other" ? ["office"] : [];
    const asked = { filters: selection(office), field, groupBy, rankCik };
    const { statistics, ranks } = await statisticsFor(dataset, analyst, asked);
    const of = statistics.find(({ group }) => office !== "other" || group.office === "other") ?? null;
    const own = ranks.filter(({ group }) => office !== "other" || group?.office === "other");
    return { of, rank: own.toSorted((a, b) => a.rank - b.rank)[0] ?? null };
  };
  const offices = await Promise.all(
    OFFICES.map(async ([office, name]): Promise<OfficeFigures> => {
      const fields = [...COMPONENTS, "total_compensation"] as const;
      const found = new Map(
        await Promise.all(fields.map(async (field) => [field, await ofOffice(office, field)] as const)),
      );
      return {
        office,
        name,
        of: byAmount((field) => found.get(field)?.of ?? null),
        ranks: byAmount((field) => found.get(field)?.rank ?? null),
        values: office === "other" ? [] : await valuesOf(deps, dataset, selection(office)),
      };
    }),
  );
  const all = await statisticsFor(dataset, analyst, {
    filters: peers,
    field: "total_compensation",
    groupBy: [],
    rankCik: null,
  });
  const { matched } = all.coverage;
  return {
    offices,
    own,
    ownUnknown: typed.unknown.join(", "),
    everyRow,
    trend: seesYears ? await readYears(deps, dataset, selection, rankCik) : [],
    breakdown: await readBreakdown(deps, dataset, { ...selection("peo") }, given.get("by") ?? "sector"),
    coverage: {
      rows: matched.rows,
      companies: matched.companies,
      companyYears: matched.company_years,
      incomplete: matched.incomplete_company_years,
    },
  };
}

async function valuesOf({ analyst }: WebDeps, dataset: Dataset, filters: Filters): Promise<number[]> {
  const ranking = await rankingOf(
    dataset,
    analyst,
    parameters(new URLSearchParams({ ...filters, max_rows: "1" })),
  );
  return sortedValues(dataset, analyst, ranking);
}

/** Medians of all years, by office. @param selection the filters of an office */
async function readYears(
  { analyst }: WebDeps,
  dataset: Dataset,
  selection: (office: Office) => Filters,
  rankCik: string | null,
): Promise<OpenStatistics["trend"]> {
  const found = await Promise.all(
    OFFICES.map(async ([office]) => {
      const kept = Object.entries(selection(office)).filter(([name]) => !name.startsWith("fiscal_year"));
      const filters = { ...Object.fromEntries(kept), fiscal_year_gte: "0" };
      const groupBy: readonly Grouping[] = office === "other" ? ["fiscal_year", "office"] : ["fiscal_year"];
      const asked = { filters, field: "total_compensation", groupBy, rankCik } as const;
      const { statistics, ranks } = await statisticsFor(dataset, analyst, asked);
      return {
        statistics: statistics.filter(({ group }) => office !== "other" || group.office === "other"),
        ranks,
      };
    }),
  );
  const [ceos] = found;
  const all = found.flatMap(({ statistics }) => statistics);
  const years = [...new Set(all.map(({ group }) => Number(group.fiscal_year ?? 0)))].toSorted(
    (a, b) => a - b,
  );
  const most = Math.max(0, ...all.map(({ companies }) => companies));
  return years.flatMap((year) => {
    const [peo, pfo, other] = found.map(({ statistics }) =>
      statistics.find(({ group }) => group.fiscal_year === year),
    );
    const known = [peo, pfo, other].filter((one) => one !== undefined);
    // A median of a few companies is not one of the group.
    if (Math.max(0, ...known.map(({ companies }) => companies)) * 4 < most) return [];
    const own = ceos?.ranks.find(({ fiscal_year: of }) => of === year)?.value ?? null;
    const medians = { peo: peo?.median ?? null, pfo: pfo?.median ?? null, other: other?.median ?? null };
    const isPartial = known.some((one) => one.incomplete_company_years * 2 > one.company_years);
    return [{ year, isPartial, medians, own }];
  });
}

/** CEO totals by sector, state and the like. */
async function readBreakdown({ analyst }: WebDeps, dataset: Dataset, filters: Filters, asked: string) {
  const by = GROUPINGS.find((name) => name === asked && name in BREAKDOWNS) ?? "sector";
  const { statistics } = await statisticsFor(dataset, analyst, {
    filters,
    field: "total_compensation",
    groupBy: [by],
    rankCik: null,
  });
  const groups = statistics.map((of) => {
    const value = String(of.group[by] ?? "");
    return { value, label: value === "" ? "Not known" : sectorName(value), of };
  });
  return { by, groups: groups.toSorted((a, b) => b.of.median - a.of.median) };
}

async function showStatistics(deps: WebDeps, request: Request, coverage: CoverageReader): Promise<Response> {
  const viewer = await deps.viewers.find(request);
  const found = await openStatistics(deps, request, viewer, coverage);
  if (found instanceof Response) return found;
  const status = found.selected.problem === null ? 200 : 400;
  return show(viewer, {
    ...aboutStatistics(deps, request, found.selected),
    main: statisticsMain(found),
    status,
  });
}

function aboutStatistics(deps: WebDeps, request: Request, selected: Selected) {
  const { baseUrls } = deps.contextOf(request);
  const title = statisticsTitle(selected);
  const section = ROUTES.statisticsPage.path;
  return {
    title,
    description: `${title}: percentiles by component for CEO, CFO and other named executive officers.`,
    canonical:
      baseUrls.origin + (selected.companies?.group ? section : addressWith(section, selected.given, {})),
    picture: pictureOf(deps, request, ROUTES.rankingsPreview.path, "Statistics of executive pay."),
    section,
  };
}

function statisticsTitle({ filters, companies, dataset }: Selected): string {
  return `Executive pay${selectionWords(filters, companies, dataset)}`;
}

/** The fields that only statistics have: the own company, the unit. */
function ownFields({ given }: Selected): Html {
  const own = given.get("own") ?? "";
  const everyRow = given.get("one_per_company_year") === "false";
  return html`<label
      ><span class="away">Own company, name or ticker</span
      ><input
        name="own"
        class="${own !== "" && "set"}"
        value="${own}"
        placeholder="Own company"
        maxlength="80"
        autocomplete="off"
        data-suggest="/suggest"
        data-several
        data-press
    /></label>
    <label
      ><span class="away">Rows counted</span
      ><select name="one_per_company_year" data-press class="${everyRow && "set"}">
        <option value="">One row per company</option>
        <option value="false" ${everyRow && html`selected`}>Every row</option>
      </select></label
    >
    ${chip(given, "Units", "unit", [
      ["", "$ thousands"],
      ["dollars", "$"],
    ])}`;
}

const FIELDS = [...BY_FAMILY.filter((name) => name !== "unknown_component"), "total_compensation"] as const;

function statisticsMain(view: OpenStatistics): Html {
  const { selected, offices, own, coverage, trend, origin } = view;
  const { given } = selected;
  const path = ROUTES.statisticsPage.path;
  const title = statisticsTitle(selected);
  const here = origin + addressWith(path, given, {});
  const { edition } = selected.dataset.info;
  const rows = addressWith(ROUTES.rankings.path, given, {
    own: "",
    unit: "",
    by: "",
    one_per_company_year: "",
  });
  const told = `${counted(coverage.rows, "row")} from ${counted(coverage.companies, "company", "companies")}`;
  return html`<div class="pay-page">
    <div class="title">
      <h1>${title}</h1>
      ${pageActions(html`
        <a class="button" href="${addressWith(ROUTES.statisticsDownload.path, given, {})}">CSV</a> ${SHARE}
        ${citeButton(`execcomp, edition ${edition}: ${title}. ${told}. Percentiles as in Excel's PERCENTILE.INC. ${here}`)}
      `)}
    </div>
    <p class="meta">
      ${told}; ${coverage.incomplete} of ${coverage.companyYears} company-years are partial.
      <a href="${rows}">See the rows</a>
      ${own !== null && `${own.company.name} is measured against them.`}
    </p>
    ${filterChips(view, path, { fields: ownFields(selected) })} ${selectionNotes(selected, path)}
    ${view.ownUnknown !== "" && html`<p class="warning">No company found for ${view.ownUnknown}.</p>`}
    ${
      coverage.rows === 0
        ? html`<p>No rows match. Broaden the filters.</p>`
        : html`${keyFigures(view)} ${percentileTable(view)}
            <div class="columns">
              <section>${mixTable(offices, own, view)}</section>
              ${trend.length > 1 && html`<section>${yearsSection(view)}</section>`}
              <section>${breakdownTable(view)}</section>
            </div>`
    }
    <p class="foot paper-only"><span data-printed></span>${here} · dataset edition ${edition}</p>
  </div>`;
}

/** The own company's rank in each office, or the medians. */
function keyFigures({ offices, own }: OpenStatistics): Html {
  return html`<dl class="sums">
    ${offices.map(({ office, name, of, ranks, values }) => {
      const { total_compensation: figures } = of;
      const { total_compensation: rank } = ranks;
      if (figures === null) return false;
      const sign = currencySign(String(figures.group.reporting_currency ?? "") || null);
      return html`<div>
        <dt>${name}, total</dt>
        <dd>
          ${rank === null ? html`${sign}${formatAmount(Math.round(figures.median))}` : `${ordinal(rank.rank)} of ${figures.rows}`}
          <span
            >${rank === null ? `median of ${counted(figures.rows, "row")} from ${counted(figures.companies, "company", "companies")}` : `P${Math.round(rank.percentile * 100)} of ${counted(figures.rows, "row")} from ${counted(figures.companies, "company", "companies")}`}</span
          >
          ${
            values.length > 3 &&
            figure(
              stripChart({
                id: `strip-${office}`,
                title: `${name} totals`,
                values,
                marks: [
                  ...(rank === null
                    ? [{ label: "25th", value: figures.p25 }]
                    : [{ label: own?.ticker ?? "own", value: rank.value, isOwn: true }]),
                  { label: "median", value: figures.median },
                ],
                currency: sign,
              }),
            )
          }
        </dd>
      </div>`;
    })}
  </dl>`;
}

function ordinal(rank: number): string {
  const last = rank % 10;
  const isTeen = rank % 100 > 10 && rank % 100 < 14;
  return `${rank}${isTeen ? "th" : last === 1 ? "st" : last === 2 ? "nd" : last === 3 ? "rd" : "th"}`;
}

function inUnit(given: URLSearchParams): (units: number) => string {
  const isDollars = given.get("unit") === "dollars";
  return (units) => (units === 0 ? "–" : formatAmount(Math.round(isDollars ? units : units / 1000)));
}

/** The rows that a figure stands for. */
function rowsBehind({ selected }: OpenStatistics, office: Office, field: AmountField): string {
  const { given } = selected;
  const everyRow = given.get("one_per_company_year") === "false";
  return addressWith(ROUTES.rankings.path, given, {
    own: "",
    unit: "",
    by: "",
    sort: `-${field}`,
    office: office === "other" ? "" : office,
    one_per_company_year: office === "other" || everyRow ? "" : "true",
  });
}

/** Percentiles by component, for the three offices side by side. */
// oxlint-disable-next-line max-lines-per-function -- one table, whose parts share its columns
function percentileTable(view: OpenStatistics): Html {
  const { offices, own, selected } = view;
  const shown = inUnit(selected.given);
  const heads =
    own === null ? ["P25", "Median", "P75"] : ["P25", "Median", "P75", own.ticker || "Own", "Rank", "Pctl"];
  const cells = ({ office, of, ranks }: OfficeFigures, field: AmountField): Html => {
    const [figures, rank] = [of[field], ranks[field]];
    if (figures === null)
      return html`${heads.map((_, at) => html`<td class="number ${at === 0 && "first"}">–</td>`)}`;
    const { p25, median, p75, rows } = figures;
    return html`${[p25, median, p75].map(
      (value, at) =>
        html`<td class="number ${at === 0 ? "first" : at === 1 && "total"}">
          <a href="${rowsBehind(view, office, field)}">${shown(value)}</a>
        </td>`,
    )}
    ${
      own !== null &&
      (rank === null || figures.max === 0
        ? html`<td class="number own">–</td>
            <td class="number">–</td>
            <td class="number">–</td>`
        : html`<td class="number own">${shown(rank.value)}</td>
            <td class="number">${rank.rank} of ${rows}</td>
            <td class="number soft">P${Math.round(rank.percentile * 100)}</td>`)
    }`;
  };
  return html`<div class="scroll">
      <table class="pay stat">
        <caption class="away">
          Percentiles by component and office
        </caption>
        <thead>
          <tr>
            <td></td>
            ${offices.map(({ name }) => html`<th scope="colgroup" class="first" colspan="${heads.length}">${name}</th>`)}
          </tr>
          <tr>
            <th scope="col">${selected.given.get("unit") === "dollars" ? "$" : "$ thousands"}</th>
            ${offices.map(() => heads.map((head, at) => html`<th scope="col" class="number ${at === 0 && "first"} ${at === 3 && "own"}">${head}</th>`))}
          </tr>
        </thead>
        <tbody>
          ${FIELDS.map(
            (field) =>
              html`<tr class="${field === "total_compensation" && "sum"}">
                <th scope="row">
                  ${field !== "total_compensation" && html`<svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect class="pay-${field}" width="10" height="10" rx="2" /></svg>`}${AMOUNT_FIELD[field].shortLabel}
                </th>
                ${offices.map((one) => cells(one, field))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="foot">
      Each line has percentiles of its own, so they do not add up.
      ${view.everyRow ? "Every row counts." : "CEO and CFO: one row per company and year, the highest where two held the office."}
      Other named officers: every row. Percentiles as in Excel's PERCENTILE.INC; a rank's as in
      PERCENTRANK.INC, with the own company in the group. Every figure opens its rows.
    </p>`;
}

/** The mix of the means, and of the own company. */
function mixTable(
  offices: readonly OfficeFigures[],
  own: PageCompany | null,
  { selected }: OpenStatistics,
): Html {
  const line = (
    label: string,
    amounts: Readonly<Record<(typeof COMPONENTS)[number], number>>,
    isOwn: boolean,
  ) => {
    const total = COMPONENTS.reduce((sum, name) => sum + Math.max(0, amounts[name]), 0);
    const share = (names: readonly (typeof COMPONENTS)[number][]) =>
      `${Math.round((names.reduce((sum, name) => sum + amounts[name], 0) / Math.max(1, total)) * 100)}%`;
    return html`<tr>
      <th scope="row" class="${isOwn && "own"}">${label}</th>
      <td class="mixed">${mixBar(amounts, total)}</td>
      <td class="number">${share(["salary", "bonus", "non_equity_incentive"])}</td>
      <td class="number">${share(["stock_awards", "option_awards"])}</td>
    </tr>`;
  };
  const shown = offices.filter(({ of }) => of.total_compensation !== null);
  return html`<h2>Mix of pay</h2>
    <div class="scroll">
      <table class="pay short">
        <thead>
          <tr>
            <th scope="col">Mean of ${selected.companies === null ? "the rows" : "the companies"}</th>
            <td></td>
            <th scope="col" class="number">Cash</th>
            <th scope="col" class="number">Equity</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(({ name, of, ranks }) => {
            const means = byAmount((field) => of[field]?.mean ?? 0);
            const owns =
              ranks.total_compensation === null ? null : byAmount((field) => ranks[field]?.value ?? 0);
            return html`${line(name, means, false)}
            ${owns !== null && name !== "Other named officers" && line(own?.ticker ?? "Own", owns, true)}`;
          })}
        </tbody>
      </table>
    </div>
    <p class="foot">Cash: salary, bonus and incentive. Equity: stock and options.</p>`;
}

function yearsChart({ trend: years, own }: OpenStatistics) {
  const partial = new Set(years.filter(({ isPartial }) => isPartial).map(({ year }) => year));
  const line = (
    label: string,
    of: (one: OpenStatistics["trend"][number]) => number | null,
    isDashed = false,
  ): Series => ({
    label,
    isDashed,
    partial,
    amounts: new Map(
      years.flatMap((one) => {
        const amount = of(one);
        return amount === null ? [] : [[one.year, amount] as const];
      }),
    ),
  });
  return lineChart({
    id: "years",
    title: "Medians of the total over the years",
    width: 480,
    currency: "$",
    series: [
      line("CEO, median", ({ medians }) => medians.peo),
      ...(own === null ? [] : [line(`${own.ticker || "Own"}, its CEO`, (one) => one.own, true)]),
      line("CFO, median", ({ medians }) => medians.pfo),
      line("Other, median", ({ medians }) => medians.other),
    ],
  });
}

function yearsSection(view: OpenStatistics): Html {
  const { trend: years, origin, selected } = view;
  const shown = inUnit(selected.given);
  return html`<div class="head">
      <h2>Medians over the years</h2>
      ${chartTools(origin, ROUTES.statisticsPage.path, selected.given.toString(), "years")}
    </div>
    ${figure(yearsChart(view))}
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Median total</th>
            ${years.map(({ year, isPartial }) => html`<th scope="col" class="number">${year}${isPartial && "◐"}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${OFFICES.map(
            ([office, name]) =>
              html`<tr>
                <td>${name}</td>
                ${years.map(({ medians }) => html`<td class="number">${medians[office] === null ? "–" : shown(medians[office])}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="foot">
      Hollow points and ◐: more than half of that year's proxy statements are not loaded. Years of a quarter
      of the companies or fewer are left out.
    </p>`;
}

function breakdownTable(view: OpenStatistics): Html {
  const { breakdown, selected } = view;
  const shown = inUnit(selected.given);
  const { given } = selected;
  const known = GROUPINGS.filter((name) => name in BREAKDOWNS);
  const rows = (value: string) =>
    addressWith(ROUTES.rankings.path, given, {
      own: "",
      unit: "",
      by: "",
      office: "peo",
      one_per_company_year: "true",
      ...(breakdown.by === "sic2" ? { sic: value } : { [breakdown.by]: value }),
    });
  return html`<div class="head">
      <h2>CEO total by ${(BREAKDOWNS[breakdown.by] ?? breakdown.by).toLowerCase()}</h2>
    </div>
    <nav class="actions small" aria-label="Group by">
      ${known.map((name) => html`<a class="button" href="${addressWith(ROUTES.statisticsPage.path, given, { by: name })}" ${name === breakdown.by && html`aria-current="true"`}>${BREAKDOWNS[name]}</a>`)}
    </nav>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">${BREAKDOWNS[breakdown.by]}</th>
            <th scope="col" class="number">Rows</th>
            <th scope="col" class="number">P25</th>
            <th scope="col" class="number">Median</th>
            <th scope="col" class="number">P75</th>
          </tr>
        </thead>
        <tbody>
          ${breakdown.groups.slice(0, 30).map(
            ({ label, value, of }) =>
              html`<tr>
                <td>
                  ${value === "" || value === "none" ? label : html`<a href="${rows(value)}">${label}</a>`}
                </td>
                <td class="number">${of.rows}</td>
                <td class="number">${shown(of.p25)}</td>
                <td class="number total">${shown(of.median)}</td>
                <td class="number">${shown(of.p75)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

/** The percentile table as lines of cells. */
function tableLines({ offices }: OpenStatistics) {
  const head = [
    "office",
    "amount",
    "rows",
    "companies",
    "p10",
    "p25",
    "median",
    "mean",
    "p75",
    "p90",
    "own",
    "own_rank",
    "own_percentile",
  ];
  return [
    head,
    ...offices.flatMap(({ name, of, ranks }) =>
      FIELDS.map((field) => {
        const [figures, rank] = [of[field], ranks[field]];
        const {
          rows = 0,
          companies = 0,
          p10 = null,
          p25 = null,
          median = null,
          mean = null,
          p75 = null,
          p90 = null,
        } = figures ?? {};
        return [
          name,
          field,
          rows,
          companies,
          p10,
          p25,
          median,
          mean,
          p75,
          p90,
          rank?.value ?? null,
          rank?.rank ?? null,
          rank?.percentile ?? null,
        ];
      }),
    ),
  ];
}

function takeAway(deps: WebDeps, view: OpenStatistics): TakeAway {
  return {
    chart: yearsChart(view),
    title: `Median total pay${selectionWords(view.selected.filters, view.selected.companies, view.selected.dataset).replace(/, (fiscal \d+|latest year)$/, "")}`,
    source: sourceLine(deps),
    data: [
      ["fiscal_year", "ceo_median", "cfo_median", "other_median", "own_ceo", "mostly_partial"],
      ...view.trend.map(({ year, medians, own, isPartial }) => [
        year,
        medians.peo,
        medians.pfo,
        medians.other,
        own,
        isPartial,
      ]),
    ],
    page: addressWith(ROUTES.statisticsPage.path, view.selected.given, {}),
  };
}
