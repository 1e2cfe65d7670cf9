/** Statistics of a selection: percentiles by component and office, an own company's rank, mix, medians over the years. */
import { companyName } from "../../domain/company-name.ts";
import { MAX_COMPANIES } from "../../domain/selection.ts";
import { counted } from "../../lib/text.ts";
import { figure } from "../../charts/frame.ts";
import { lineChart, stripChart } from "../../charts/plots.ts";
import { formatAmount } from "../../domain/amount.ts";
import { type AmountField, byAmount, COMPONENTS } from "../../domain/row-fields.ts";
import { type Html, html, type HtmlPart } from "../../lib/html.ts";
import { ROUTES } from "../../http/routes.ts";
import { rowCells } from "../../dataset/company-facts.ts";
import { checkRanking, rankingOf } from "../../operations/rankings.ts";
import { rowsOfOfficers } from "../../operations/rows.ts";
import { totalOnlyRow } from "../../operations/total-only.ts";
import { readCeoTotals, tagMark } from "./ceo-totals.ts";
import { coversOf } from "./rankings.ts";
import { TAGGED_MARK } from "./tagged-years.ts";
import type { WebDeps } from "../deps.ts";
import { chip } from "../fields.ts";
import { ownChips } from "./own-company.ts";
import { FIELDS, kindsOf, type Office, OFFICES, peersOf, readOffice, readTrend } from "./benchmark.ts";
import type { Sight } from "../../analysis/sight.ts";
import { rowsKind, selectionOffered } from "../offers.ts";
import { chartTools } from "../chart-files.ts";
import { type DownloadColumn, fileOfItems, withQuery } from "../downloads.ts";
import { sourceLine } from "../citation.ts";
import { unitPicks } from "./filter-form.ts";
import { type SelectionAsks, selectionPage, type SelectionView, missingFrom } from "./selection-page.ts";
import { companyPath, rowPath } from "../parts/addresses.ts";
import { currencySign, unitLabel } from "../parts/amounts.ts";
import { headed, keyFigures, notFound, ordinal, pick } from "../parts/elements.ts";
import { shortName } from "../parts/names.ts";
import { CASH, EQUITY, keyedName, mixBar, outlineBar, shareText } from "../parts/mix.ts";
import { sourceMark } from "../parts/sources.ts";
import { plainTable, smallTable, tableBox } from "../parts/tables.ts";
import { ceoPayFilters, type Filters, leavingOut, selectedCurrency, SHOWN } from "../filters.ts";
import { type Selected, selectionWords } from "./selected.ts";

/** What medians can be grouped by, by name in addresses; single companies where the selection names some. */
const BREAKDOWNS: Readonly<Record<string, string>> = {
  company: "Company",
  sector: "Sector",
  filer_category: "Filer category",
  state: "State",
  sic2: "Industry (SIC, two digits)",
  index: "Index",
};
/** What only this page has in its address. */
const PARTICULAR = { same: "", unit: "", by: "", one_per_company_year: "" } as const;

/** Statistics that their viewer may see. */
type StatisticsView = SelectionView & Awaited<ReturnType<typeof readStatistics>>;
/** The figures of one office. */
type OfficeFigures = StatisticsView["offices"][number];

/** `/statistics` and what is below it. */
// oxlint-disable-next-line max-lines-per-function -- a table of what is particular to this page
export function statisticsPages(deps: WebDeps) {
  return selectionPage(deps, {
    path: ROUTES.statisticsPage.path,
    title: statisticsTitle,
    about: "percentiles by component for CEO, CFO and other named executive officers.",
    what: "these statistics",
    more: "medians over the years",
    // The filters that only statistics have: the own company, the unit.
    filters: (selected) => ({
      fields: html`${ownChips(selected.given, selected)}
      ${chip("one_per_company_year", "Counted", selected.given.get("one_per_company_year"), [
        ["", "One per company"],
        ["false", "Every executive"],
      ])}`,
      shown: ["group", "companies", "fiscal_year", "sector"],
      end: unitPicks(selected, ROUTES.statisticsPage.path, { "": "$ thousands", dollars: "$" }),
    }),
    asks: statisticsAsks,
    outline: ["Component", "CEO, P25", "Median", "P75", "CFO, P25", "Median", "P75"],
    covers: ({ dataset, filters, without }) => coversOf(dataset, deps, peersOf(filters), without),
    read: (selected, { seesAll }) => readStatistics(selected, seesAll),
    detail: ({ matched }) => `${matchedText(matched)}. Percentiles as in Excel's PERCENTILE.INC.`,
    meta: ({ matched, own, includesOwn, given }) =>
      html`${matchedText(matched)}${matched.incomplete_company_years === 0 ? "." : `; ${matched.incomplete_company_years} of ${matched.company_years} ${matched.company_years > matched.companies ? "years of companies" : "companies"} may lack officers who left.`}
        <a class="screen-only" href="${withQuery(ROUTES.rankings.path, given, PARTICULAR)}">See them</a>
        ${own !== null && `${companyName(own.company.name)} is ${includesOwn ? "one of them" : "measured against them and not counted"}.`}`,
    body: statisticsBody,
    file: async (view, format) => [
      await fileOfItems(view, linesOf(view.offices), COLUMNS, format, "Statistics"),
      "statistics",
    ],
    charts: ["years"],
    chartExport: (view) => ({
      chart: yearsChart(view),
      title: `Median total pay${selectionWords(view.filters, view.companies).replace(/, (fiscal \d+|latest year)$/, "")}`,
      source: sourceLine(view),
      data: [
        [
          "fiscal_year",
          "ceo_median",
          "cfo_median",
          "other_median",
          "ceo_companies",
          "cfo_companies",
          "other_companies",
          "own_ceo",
          "mostly_partial",
        ],
        ...view.trend.map(({ year, medians, counts, own, isPartial }) => [
          year,
          ...medians,
          ...counts,
          own,
          isPartial,
        ]),
      ],
      page: withQuery(ROUTES.statisticsPage.path, view.given),
    }),
  });
}

/** Rows and totals of the selection; beside these, of all its years. */
function statisticsAsks({ dataset, filters }: Selected): SelectionAsks {
  // Refuses what a ranking of these rows would refuse.
  checkRanking(
    dataset,
    leavingOut(filters, (name) => SHOWN.has(name)),
  );
  const peers = peersOf(filters);
  if (rowsKind(dataset, peers) === "changes") {
    const opens = selectionOffered(dataset, "changes", peers);
    return { needs: [opens.opening], opens, more: null };
  }
  const { opening } = selectionOffered(dataset, "rows", peers);
  const totals = ceoPayFilters(peers);
  const ofTotals = totals === null ? [] : [selectionOffered(dataset, "totals", totals).opening];
  const years = leavingOut(peers, (name) => name.startsWith("fiscal_year"));
  const opens = selectionOffered(dataset, "statistics", years);
  return { needs: [opening, ...ofTotals], opens, more: opens };
}

/** The lines of a download: each amount of each office. */
function linesOf(offices: readonly OfficeFigures[]) {
  return offices.flatMap(({ name, of, own }) =>
    FIELDS.map((field) => ({ name, field, of: of[field], own: own[field] })),
  );
}

const PERCENTRANK = "as PERCENTRANK.INC of Excel, 0 to 1";
const PERCENTILES = ["p10", "p25", "median", "mean", "p75", "p90"] as const;
type StatisticsLine = ReturnType<typeof linesOf>[number];
/** The columns of a download. */
const COLUMNS: readonly DownloadColumn<StatisticsLine>[] = [
  ["office", "text", 22, "office; other named officers count each", ({ name }) => name],
  ["amount", "text", 22, "component of pay", ({ field }) => field],
  ["rows", "whole", 8, "rows counted", ({ of }) => of?.rows ?? 0],
  ["companies", "whole", 11, "companies counted", ({ of }) => of?.companies ?? 0],
  ...PERCENTILES.map((name): DownloadColumn<StatisticsLine> => [
    ...([name, "amount", 14, "as PERCENTILE.INC of Excel"] as const),
    ({ of }) => of?.[name] ?? null,
  ]),
  ["own", "amount", 14, "the own company's amount", ({ own }) => own?.value ?? null],
  ["own_rank", "whole", 9, "its rank, 1 is the highest", ({ own }) => own?.rank ?? null],
  ["own_percentile", "whole", 14, PERCENTRANK, ({ own }) => own?.percentile ?? null],
  [
    "incomplete_company_years",
    "whole",
    24,
    "company-years without their own filing",
    ({ of }) => of?.incomplete_company_years ?? 0,
  ],
];

/** The title of statistics: `Executive pay in energy, fiscal 2024`. */
function statisticsTitle({ filters, companies }: Selected): string {
  return `Executive pay${selectionWords(filters, companies)}`;
}

function matchedText({ rows, companies }: { rows: number; companies: number }, who = "executive"): string {
  return `${counted(rows, who)} at ${counted(companies, "company")}`;
}

/** What CEOs' totals are told apart by: a kind of companies, or each of those that the selection names. */
function breakdownOf({ given, companies }: Selected): string {
  const by = given.get("by") ?? "";
  const usual = companies === null ? "sector" : "company";
  return by in BREAKDOWNS && (by !== "company" || companies !== null) ? by : usual;
}

/** Finds the figures. @param seesYears whether other years are open */
async function readStatistics(selected: Selected & { sight: Sight | null }, seesYears: boolean) {
  const { deps, dataset, filters, given, sight, own, without } = selected;
  const cik = own?.company.cik ?? null;
  const includesOwn = given.get("include_own") === "true";
  const everyRow = given.get("one_per_company_year") === "false";
  const by = breakdownOf(selected);
  const asked = { own: cik, includesOwn, everyRow, by };
  const offices = await Promise.all(
    OFFICES.map(async ([office, name]) => ({ office, name, ...(await readOffice(selected, office, asked)) })),
  );
  const [ceos, , others] = offices;
  if (ceos === undefined || others === undefined) throw new Error("no office");
  const same = given.get("same");
  const trend = seesYears
    ? await readTrend(selected, asked, same === null ? null : same === "true")
    : { years: [], isSame: false };
  const lines = by === "company" ? await readCompanies(selected, everyRow) : [];
  const ciks = lines.map(({ row }) => row.cik);
  const { matched } = await rankingOf(
    dataset,
    deps.analyst,
    { ...peersOf(filters), max_rows: "1" },
    sight,
    without,
  );
  return {
    offices,
    includesOwn,
    /** Whether every row counts, or the highest of each company-year and office. */
    everyRow,
    trend: trend.years,
    /** Whether the medians over the years are of the companies that have every year. */
    isSame: trend.isSame,
    by,
    kinds: kindsOf(ceos.groups, by),
    /** Of the CEOs of a few companies. */
    lines,
    cells: rowCells(dataset, ciks),
    matched,
    /** The companies of a list with rows, by CIK. */
    having:
      selected.companies === null
        ? null
        : new Set(offices.flatMap(({ named }) => [...(named ?? []), ...(cik === null ? [] : [cik])])),
  };
}

/** The CEOs of companies, highest total first: of rows and tags, as what is counted. */
async function readCompanies(selected: Selected & { sight: Sight | null }, everyRow: boolean) {
  const { deps, dataset, sight } = selected;
  const peers = peersOf(selected.filters);
  const totals = everyRow ? null : ceoPayFilters(peers);
  if (totals === null) {
    const filters = {
      ...peers,
      office: "peo",
      one_per_company_year: "true",
      max_rows: String(MAX_COMPANIES),
    };
    const { rows } = await rankingOf(dataset, deps.analyst, filters, sight);
    return rows.map((row) => ({ row, only: null }));
  }
  const rowOf = rowsOfOfficers(dataset);
  const records = await readCeoTotals(selected, totals, { count: MAX_COMPANIES });
  return records.map((record) => {
    const row = record.basis === "row" ? rowOf(record) : undefined;
    return row === undefined ? { row: totalOnlyRow(record), only: record } : { row, only: null };
  });
}

function statisticsBody(view: StatisticsView): Html {
  const missing = html`${notFound(view.ownUnknown)} ${missingFrom(view, view.having)}`;
  if (view.matched.rows === 0)
    return html`${missing}
      <p>Nothing matches. Broaden the filters.</p>`;
  return html`${missing} ${officeFigures(view)} ${percentileTable(view)}
    <div class="columns${isExact(view) && " exact"}">
      <section>${mixTable(view)}</section>
      ${view.trend.length > 1 && html`<section>${yearsSection(view)}</section>`}
      <section>${breakdownTable(view)}</section>
    </div>`;
}

/** The own company's rank in each office, or the medians. */
function officeFigures({ offices, own: company }: StatisticsView): Html {
  return keyFigures(
    offices.map(({ office, name, of, own, values, isOfAll }) => {
      const { total_compensation: figures } = of;
      const { total_compensation: mine } = own;
      if (figures === null) return false;
      const currency = currencySign(String(figures.group["reporting_currency"] ?? "") || null);
      const { rows, companies, median, p25 } = figures;
      const isRanked = mine !== null && mine.rank !== null;
      const first =
        mine === null
          ? { label: "25th", value: p25 }
          : { label: company?.ticker || "own", value: mine.value, isOwn: true };
      const marks = [first, { label: "median", value: median }];
      const strip = { id: `strip-${office}`, title: `${name} totals`, values, marks, currency };
      const who = office === "other" ? "officer" : name;
      const among = isOfAll ? counted(companies, "company") : matchedText({ rows, companies }, who);
      return [
        `${name}, total`,
        isRanked
          ? `${ordinal(mine.rank ?? 0)} of ${mine.of}`
          : `${currency}${formatAmount(Math.round(median))}`,
        html`${isRanked ? `P${Math.round(mine.percentile * 100)}` : "median"} of
        ${among}${values.length > 3 && figure(stripChart(strip))}`,
      ] as const;
    }),
  );
}

function isExact({ given }: Selected): boolean {
  return given.get("unit") === "dollars";
}

function inUnit(selected: Selected): (units: number) => string {
  const isDollars = isExact(selected);
  return (units) => (units === 0 ? "–" : formatAmount(Math.round(isDollars ? units : units / 1000)));
}

/** The rows that a figure stands for; the totals of CEOs are of rows and tags. */
function rowsBehind({ given, everyRow, offices }: StatisticsView, office: Office, more: Filters): string {
  const isOfAll = offices.some((one) => one.office === office && one.isOfAll);
  if (isOfAll && (more["sort"] ?? "-total_compensation") === "-total_compensation")
    return withQuery(ROUTES.ceoPayPage.path, given, { ...PARTICULAR, office: "", ...more, sort: "" });
  return withQuery(ROUTES.rankings.path, given, {
    ...PARTICULAR,
    office,
    one_per_company_year: office === "other" || everyRow ? "" : "true",
    ...more,
  });
}

/** Percentiles by component, for the three offices side by side. */
// oxlint-disable-next-line max-lines-per-function -- one table, whose parts share its columns
function percentileTable(view: StatisticsView): Html {
  const { offices, own, includesOwn } = view;
  const shown = inUnit(view);
  const heads =
    own === null ? ["P25", "Median", "P75"] : ["P25", "Median", "P75", own.ticker || "Own", "Rank", "Pctl"];
  const cells = ({ office, name, of, own: mine }: OfficeFigures, field: AmountField): Html => {
    const label = html`data-label="${office === "other" ? "Others" : name}"`;
    const [figures, rank] = [of[field], mine[field]];
    if (figures === null)
      return html`${heads.map((_, at) => html`<td class="number ${at === 0 ? "first" : at === 5 && "pctl"}" ${at === 0 && label}>–</td>`)}`;
    const { p25, median, p75 } = figures;
    const ownCells =
      rank === null || rank.value === 0
        ? html`<td class="number own">–</td>
            <td class="number">–</td>
            <td class="number pctl">–</td>`
        : html`<td class="number own">${shown(rank.value)}</td>
            <td class="number">${rank.rank === null ? "–" : `${rank.rank} of ${rank.of}`}</td>
            <td class="number soft pctl">
              ${rank.rank === null ? "–" : `P${Math.round(rank.percentile * 100)}`}
            </td>`;
    return html`${[p25, median, p75].map(
      (value, at) =>
        html`<td class="number ${at === 0 ? "first" : at === 1 && "total"}" ${at === 0 && label}>
          <a href="${rowsBehind(view, office, { sort: `-${field}` })}">${shown(value)}</a>
        </td>`,
    )}
    ${own !== null && ownCells}`;
  };
  const names = html`<tr>
      <td></td>
      ${offices.map(({ name }) => html`<th scope="colgroup" class="first" colspan="${heads.length}">${name}</th>`)}
    </tr>
    <tr>
      <th scope="col">${unitLabel(isExact(view) ? "$" : "$ thousands", selectedCurrency(view.filters))}</th>
      ${offices.map((_, group) => heads.map((head, at) => html`<th scope="col" class="number ${at === 0 && "first"} ${at === 3 && "own"} ${group > 0 && "later"} ${at === 5 && "pctl"}">${head}</th>`))}
    </tr>`;
  const lines = FIELDS.map(
    (field) =>
      html`<tr class="${field === "total_compensation" && "sum"}">
        <th scope="row">${keyedName(field)}</th>
        ${offices.map((one) => cells(one, field))}
      </tr>`,
  );
  const about = {
    kind: `pay stat${own === null ? "" : " measured"}${isExact(view) ? " exact" : ""}`,
    caption: "Percentiles by component and office",
    isAway: true,
  };
  return html`${tableBox(about, names, lines)}
    <p class="foot">
      Each line has percentiles of its own, so they do not add up.
      ${view.everyRow ? "Every executive counts." : "CEO and CFO: one per company and year, the highest where two held the office."}
      Other named officers: each of them.
      ${offices.some(({ isOfAll }) => isOfAll) && "CEO total: also of companies where only the filer's tag gives it."}
      ${own !== null && !includesOwn && `${companyName(own.company.name)} is not in the percentiles; its rank counts it against them. Its other officers: their average.`}
      Percentiles as in Excel's PERCENTILE.INC; a rank's as in PERCENTRANK.INC, over the group and your own
      company. No rank over fewer than eight.
      <span class="screen-only">Every percentile opens what it counts.</span>
    </p>`;
}

/** The mix of the means, and of the own company. */
function mixTable({ offices, own, companies }: StatisticsView): Html {
  const line = (label: HtmlPart, amountOf: (field: AmountField) => number): HtmlPart[] => {
    const amounts = byAmount(amountOf);
    const total = COMPONENTS.reduce((sum, name) => sum + Math.max(0, amounts[name]), 0);
    const shares = { ...amounts, total_compensation: total };
    return [label, mixBar(amounts, total), shareText(shares, CASH), shareText(shares, EQUITY)];
  };
  const ownLabel = html`<span class="own">${own?.ticker || "Own"}</span>`;
  const lines = offices.flatMap(({ office, name, of, own: mine }) => {
    if (of.total_compensation === null) return [];
    const mean = line(name, (field) => of[field]?.mean ?? 0);
    if (office === "other" || mine.salary === null) return [mean];
    return [mean, line(ownLabel, (field) => mine[field]?.value ?? 0)];
  });
  const of = `Mean of ${companies === null ? "the executives" : "the companies"}`;
  return html`<h2>Mix of pay</h2>
    ${plainTable([of, "Mix", { number: "Cash" }, { number: "Equity" }], lines, { kind: "pay short" })}
    <p class="foot">Cash: salary, bonus and incentive. Equity: stock and options.</p>`;
}

function yearsChart({ trend, own, filters }: StatisticsView) {
  const partial = new Set(trend.filter(({ isPartial }) => isPartial).map(({ year }) => year));
  const line = (label: string, of: (one: (typeof trend)[number]) => number | null, isDashed = false) => {
    const points = trend.map((one) => [one.year, of(one)] as const);
    const pairs = points.filter((pair): pair is [number, number] => pair[1] !== null);
    return { label, isDashed, partial, amounts: new Map(pairs) };
  };
  return lineChart({
    id: "years",
    title: "Medians of the total over the years",
    currency: currencySign(selectedCurrency(filters)),
    series: [
      line("CEO, median", ({ medians: [ceo = null] }) => ceo),
      ...(own === null ? [] : [line(`${own.ticker || "Own"}, its CEO`, (one) => one.own, true)]),
      line("CFO, median", ({ medians: [, cfo = null] }) => cfo),
      line("Other, median", ({ medians: [, , other = null] }) => other),
    ],
  });
}

function yearsSection(view: StatisticsView): Html {
  const { trend, isSame, origin, given } = view;
  const shown = inUnit(view);
  const sameAs = (same: string) => withQuery(ROUTES.statisticsPage.path, given, { same });
  const tools = chartTools(origin, ROUTES.statisticsPage.path, given, "years");
  return html`${headed("Medians over the years", tools)} ${figure(yearsChart(view))}
    ${smallTable(
      ["Median total"],
      trend.map(({ year, isPartial }) => `${year}${isPartial ? "◐" : ""}`),
      OFFICES.map(([office, name], at) => [
        office === "other" ? "Others" : name,
        ...trend.map(
          ({ medians, counts }) =>
            html`${shown(medians[at] ?? 0)}<br /><small class="soft">n ${counts[at] ?? 0}</small>`,
        ),
      ]),
      "Each year with its number of companies",
    )}
    <p class="actions small">
      ${pick(sameAs("true"), "Same companies", isSame && "true")}
      ${pick(sameAs("false"), "All companies of each year", !isSame && "true")}
    </p>
    <p class="foot">
      n: companies. Same companies: those with every year shown. Hollow points and ◐: more than half of that
      year's own proxy statements have not been read. Years of a quarter of the companies or fewer are left
      out.
    </p>`;
}

function breakdownTable(view: StatisticsView): Html {
  const { by, kinds, given, companies } = view;
  const shown = inUnit(view);
  const name = BREAKDOWNS[by] ?? by;
  const lines = kinds.map(({ label, value, of }) => {
    const href = rowsBehind(view, "peo", { [by === "sic2" ? "sic" : by]: value });
    const link = value === "" || value === "none" ? label : html`<a href="${href}">${label}</a>`;
    return [link, of.companies, shown(of.p25), html`<b>${shown(of.median)}</b>`, shown(of.p75)];
  });
  const choices = Object.entries(BREAKDOWNS).filter(([one]) => one !== "company" || companies !== null);
  const pathTo = (one: string) => withQuery(ROUTES.statisticsPage.path, given, { by: one });
  return html`<h2>CEO total by ${by === "sic2" ? "industry" : name.toLowerCase()}</h2>
    <nav class="actions small" aria-label="Group by">
      ${choices.map(([one, label]) => pick(pathTo(one), label, one === by && "true"))}
    </nav>
    ${by === "company" ? companyTable(view) : smallTable([name], ["Companies", "P25", "Median", "P75"], lines)}`;
}

/** The CEOs of the companies that the selection names. */
function companyTable(view: StatisticsView): Html {
  const { lines: of, cells, own } = view;
  const shown = inUnit(view);
  const highest = Math.max(1, ...of.map(({ row }) => row.total_compensation));
  const areMixed = new Set(of.map(({ row }) => row.fiscal_year)).size > 1;
  const lines = of.map(({ row, only }, at) => {
    const total = html`<b>${shown(row.total_compensation)}</b>`;
    return [
      html`<span class="rank">${at + 1}</span
        ><a class="${row.cik === own?.company.cik && "own"}" href="${companyPath(row)}"
          >${row.ticker} <span class="role">${shortName(row.company_name)}</span></a
        >${areMixed && html` <span class="role">’${String(row.fiscal_year).slice(2)}</span>`}`,
      only === null ? mixBar(row, highest) : outlineBar(row.total_compensation, highest),
      only === null ? html`<a href="${rowPath(row)}/total_compensation">${total}</a>` : total,
      only === null ? sourceMark(row, cells.evidence(row)) : tagMark(only),
    ];
  });
  return html`${plainTable(["Company", "Mix", { number: "Total" }, { number: "Source" }], lines, { kind: "pay short" })}
  ${of.some(({ only }) => only !== null) && html`<p class="foot">${TAGGED_MARK}</p>`}`;
}
