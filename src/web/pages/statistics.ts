/** Statistics of a selection: percentiles by component and office, an own company's rank, mix, medians over the years. */
import { counted } from "../../domain/text.ts";
import { BY_FAMILY, figure } from "../../charts/frame.ts";
import { lineChart, stripChart } from "../../charts/plots.ts";
import { formatAmount } from "../../domain/amount.ts";
import { type AmountField, byAmount, COMPONENTS } from "../../domain/row-fields.ts";
import { GROUPINGS, sectorName } from "../../domain/selection.ts";
import { type Html, html, type HtmlPart } from "../../html.ts";
import { ROUTES } from "../../http/routes.ts";
import { rowCells } from "../../dataset/company-facts.ts";
import type { FiguresQuestion, FiguresResult } from "../../analysis/index.ts";
import { findTyped } from "../../operations/companies.ts";
import { checkRanking, MAX_VALUES, rankingOf, selectionOf } from "../../operations/rankings.ts";
import type { PageVisit, WebDeps } from "../deps.ts";
import { chip, SUGGESTED, typedChip } from "../fields.ts";
import { rowsKind, selectionOffered, type Sight } from "../openings.ts";
import { chartTools, type DownloadColumn, fileOfItems, sourceLine, withQuery } from "../take-away.ts";
import { type SelectionAsks, selectionPage, type SelectionView, withoutRows } from "./selection-page.ts";
import {
  CASH,
  companyPath,
  currencySign,
  EQUITY,
  headed,
  keyedName,
  keyFigures,
  mixBar,
  notFound,
  ordinal,
  pick,
  plainTable,
  rowPath,
  shareText,
  smallTable,
  sourceMark,
  tableBox,
} from "./parts.ts";
import { ceoPayFilters, type Filters, leavingOut, type Selected, selectionWords, SHOWN } from "./selected.ts";

/** The offices of the table: a row with both flags counts in both. */
const OFFICES = [
  ["peo", "CEO"],
  ["pfo", "CFO"],
  ["other", "Other named officers"],
] as const;
type Office = (typeof OFFICES)[number][0];

/** What medians can be grouped by, by name in addresses; single companies where the selection names some. */
const BREAKDOWNS: Readonly<Record<string, string>> = {
  company: "Company",
  sector: "Sector",
  filer_category: "Filer category",
  state: "State",
  sic2: "Industry (SIC, two digits)",
  index: "Index",
};
const MAX_GROUPS = 30;
/** The lines of the table. */
const FIELDS: readonly AmountField[] = [
  ...BY_FAMILY.filter((name) => name !== "unknown_component"),
  "total_compensation",
];
/** What only this page has in its address. */
const OWN = { own: "", unit: "", by: "", one_per_company_year: "" } as const;

/** Statistics that their viewer may see. */
type StatisticsView = SelectionView & Awaited<ReturnType<typeof readStatistics>>;
/** The figures of one office. */
type OfficeFigures = StatisticsView["offices"][number];

/** `/statistics` and what is below it. */
export function statisticsPages(deps: WebDeps) {
  return selectionPage(deps, {
    path: ROUTES.statisticsPage.path,
    title: statisticsTitle,
    about: "percentiles by component for CEO, CFO and other named executive officers.",
    what: "these statistics",
    more: "medians over the years",
    // The filters that only statistics have: the own company, the unit.
    filters: ({ given }) => ({
      fields: html`${typedChip("own", "Own company, name or ticker", given.get("own"), "Own company", { size: 10, maxlength: 80, ...SUGGESTED })}
      ${chip("one_per_company_year", "Rows counted", given.get("one_per_company_year"), [
        ["", "One per company"],
        ["false", "Every row"],
      ])}
      ${chip("unit", "Units", given.get("unit"), [
        ["", "$ thousands"],
        ["dollars", "$"],
      ])}`,
    }),
    asks: statisticsAsks,
    async covers({ dataset, filters }) {
      const { matched, fiscalYears } = await rankingOf(dataset, deps.analyst, {
        ...peersOf(filters),
        max_rows: "1",
      });
      return { companies: matched.companies, fiscalYears };
    },
    read: (selected, { seesAll }) => readStatistics(selected, seesAll),
    detail: ({ matched }) => `${matchedText(matched)}. Percentiles as in Excel's PERCENTILE.INC.`,
    meta: ({ matched, own, given }) =>
      html`${matchedText(matched)}; ${matched.incomplete_company_years} of ${matched.company_years}
        company-years are partial.
        <a href="${withQuery(ROUTES.rankings.path, given, OWN)}">See the rows</a>
        ${own !== null && `${own.company.name} is measured against them.`}`,
    body: statisticsBody,
    file: async (view, format) => [
      await fileOfItems(view, linesOf(view.offices), COLUMNS, format, "Statistics"),
      "statistics",
    ],
    takeAway: (view) => ({
      chart: yearsChart(view),
      title: `Median total pay${selectionWords(view.filters, view.companies).replace(/, (fiscal \d+|latest year)$/, "")}`,
      source: sourceLine(view),
      data: [
        ["fiscal_year", "ceo_median", "cfo_median", "other_median", "own_ceo", "mostly_partial"],
        ...view.trend.map(({ year, medians, own, isPartial }) => [year, ...medians, own, isPartial]),
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
  return offices.flatMap(({ name, of, ranks }) =>
    FIELDS.map((field) => ({ name, field, of: of[field], rank: ranks[field] })),
  );
}

const PERCENTRANK = "as PERCENTRANK.INC of Excel, 0 to 1";
const PARTIAL_YEARS = "company-years without their own filing";
const PERCENTILES = ["p10", "p25", "median", "mean", "p75", "p90"] as const;
type Line = ReturnType<typeof linesOf>[number];
/** The columns of a download. */
const COLUMNS: readonly DownloadColumn<Line>[] = [
  ["office", "text", 22, "office; other named officers count with every row", ({ name }) => name],
  ["amount", "text", 22, "component of pay", ({ field }) => field],
  ["rows", "whole", 8, "rows counted", ({ of }) => of?.rows ?? 0],
  ["companies", "whole", 11, "companies counted", ({ of }) => of?.companies ?? 0],
  ...PERCENTILES.map((name): DownloadColumn<Line> => [
    ...([name, "amount", 14, "as PERCENTILE.INC of Excel"] as const),
    ({ of }) => of?.[name] ?? null,
  ]),
  ["own", "amount", 14, "the own company's amount", ({ rank }) => rank?.value ?? null],
  ["own_rank", "whole", 9, "its rank, 1 is the highest", ({ rank }) => rank?.rank ?? null],
  ["own_percentile", "whole", 14, PERCENTRANK, ({ rank }) => rank?.percentile ?? null],
  ["incomplete_company_years", "whole", 24, PARTIAL_YEARS, ({ of }) => of?.incomplete_company_years ?? 0],
];

/** The title of statistics: `Executive pay in energy, fiscal 2024`. */
export function statisticsTitle({ filters, companies }: Selected): string {
  return `Executive pay${selectionWords(filters, companies)}`;
}

function matchedText({ rows, companies }: { rows: number; companies: number }): string {
  return `${counted(rows, "row")} from ${counted(companies, "company")}`;
}

/** Statistics of the rows of an office that filters leave. */
function askFigures(
  { deps, dataset, sight }: PageVisit & { sight: Sight | null },
  office: Office,
  filters: Filters,
  questions: FiguresQuestion["questions"],
  values: FiguresQuestion["values"] = null,
) {
  const selection = selectionOf(dataset, filters);
  const isOthers = office === "other";
  return deps.analyst.ask(dataset, { kind: "figures", selection, sight, isOthers, questions, values });
}

const TOTAL = { field: "total_compensation", groupBy: [], rankCik: null } as const;

/** The filters that all offices share. */
function peersOf(filters: Filters): Filters {
  return leavingOut(
    filters,
    (name) => SHOWN.has(name) || name === "office" || name === "one_per_company_year",
  );
}

/** What CEOs' totals are told apart by: a kind of companies, or each of those that the selection names. */
function breakdownOf({ given, companies }: Selected): string {
  const by = given.get("by") ?? "";
  const usual = companies === null ? "sector" : "company";
  return by in BREAKDOWNS && (by !== "company" || companies !== null) ? by : usual;
}

/** Finds the figures. @param seesYears whether other years are open */
async function readStatistics(selected: Selected & { sight: Sight | null }, seesYears: boolean) {
  const { deps, dataset, filters, given, sight } = selected;
  // The own company that figures are ranked against.
  const { found, unknown: ownUnknown } = findTyped(dataset, given.get("own") ?? "", {
    names: 1,
    mistaken: selected.viewer.kind === "visitor" ? 0 : 1,
  });
  const own = found[0] ?? null;
  const rankCik = own?.company.cik ?? null;
  const all = peersOf(filters);
  // The own company counts among its peers: PERCENTRANK.INC needs it in the group.
  const peers: Filters =
    rankCik === null || all["cik"] === undefined ? all : { ...all, cik: `${all["cik"]},${rankCik}` };
  const everyRow = given.get("one_per_company_year") === "false";
  const filtersOf = (office: Office): Filters =>
    office === "other" ? peers : { ...peers, office, ...(everyRow ? {} : { one_per_company_year: "true" }) };
  const by = breakdownOf(selected);
  const groupBy = GROUPINGS.filter((name) => name === by);
  const offices = await Promise.all(
    OFFICES.map(async ([office, name]) => {
      const byGroup = office === "peo" && groupBy.length > 0 ? [{ ...TOTAL, groupBy }] : [];
      const now = await readOffice(selected, office, filtersOf(office), { rankCik, byGroup, seesYears });
      return { office, name, ...now };
    }),
  );
  const [ceos, , others] = offices;
  if (ceos === undefined || others === undefined) throw new Error("no office");
  const kinds = ceos.groups.map((of) => {
    const value = String(of.group[by] ?? "");
    return { value, label: value === "" ? "Not known" : sectorName(value), of };
  });
  const ranked = { ...filtersOf("peo"), max_rows: String(MAX_GROUPS) };
  const rows = by === "company" ? (await rankingOf(dataset, deps.analyst, ranked, sight)).rows : [];
  const ciks = rows.map(({ cik }) => cik);
  return {
    offices,
    own,
    ownUnknown,
    /** Whether every row counts, or the highest of each company-year and office. */
    everyRow,
    trend: trendOf(offices.map(({ years }) => years)),
    by,
    kinds: kinds.toSorted((a, b) => b.of.median - a.of.median).slice(0, MAX_GROUPS),
    /** Of the CEOs of a few companies. */
    rows,
    cells: rowCells(dataset, ciks),
    matched: others.matched,
    /** The companies of a list with rows, by CIK. */
    having: others.named,
  };
}

/** The figures of an office, in one pass over its rows, and in one over those of all years where these are open. */
async function readOffice(
  selected: Selected & { sight: Sight | null },
  office: Office,
  filters: Filters,
  options: { rankCik: string | null; byGroup: FiguresQuestion["questions"]; seesYears: boolean },
) {
  const { rankCik, byGroup, seesYears } = options;
  const questions = [...FIELDS.map((field) => ({ ...TOTAL, field, rankCik })), ...byGroup];
  const highest = { by: "total_compensation", descending: true, count: MAX_VALUES } as const;
  const { tables, ...found } = await askFigures(selected, office, filters, questions, highest);
  const byYear = [{ ...TOTAL, groupBy: ["fiscal_year"], rankCik }] as const;
  const everyYear = leavingOut(filters, (name) => name.startsWith("fiscal_year"));
  const allYears = { ...everyYear, fiscal_year_gte: "0" };
  const years = seesYears && (await askFigures(selected, office, allYears, byYear));
  const tableOf = (field: AmountField) => tables[FIELDS.indexOf(field)];
  return {
    ...found,
    /** Null without rows. */
    of: byAmount((field) => tableOf(field)?.statistics[0] ?? null),
    /** The best rank of the own company, if it has a row. */
    ranks: byAmount((field) => tableOf(field)?.ranks.toSorted((a, b) => a.rank - b.rank)[0] ?? null),
    /** Of the total, by what CEOs are told apart by. */
    groups: tables[FIELDS.length]?.statistics ?? [],
    /** Of the total, by year. */
    years: (years === false ? undefined : years.tables[0]) ?? { statistics: [], ranks: [] },
  };
}

/** Medians of the total by year, in the order of the offices, and the own CEO's total. */
function trendOf(byYear: FiguresResult["tables"]) {
  const all = byYear.flatMap(({ statistics }) => statistics);
  const most = Math.max(0, ...all.map(({ companies }) => companies));
  const years = new Set(all.map(({ group }) => Number(group["fiscal_year"] ?? 0)));
  return [...years]
    .toSorted((a, b) => a - b)
    .flatMap((year) => {
      const found = byYear.map(({ statistics }) =>
        statistics.find(({ group }) => group["fiscal_year"] === year),
      );
      const groups = found.filter((one) => one !== undefined);
      // A median of a few companies is not one of the group.
      if (Math.max(0, ...groups.map(({ companies }) => companies)) * 4 < most) return [];
      const own = byYear[0]?.ranks.find(({ fiscal_year: of }) => of === year)?.value ?? null;
      const isPartial = groups.some((one) => one.incomplete_company_years * 2 > one.company_years);
      return [{ year, isPartial, medians: found.map((one) => one?.median ?? null), own }];
    });
}

function statisticsBody(view: StatisticsView): Html {
  const missing = html`${notFound(view.ownUnknown)} ${withoutRows(view.companies, view.having)}`;
  if (view.matched.rows === 0)
    return html`${missing}
      <p>No rows match. Broaden the filters.</p>`;
  return html`${missing} ${officeFigures(view)} ${percentileTable(view)}
    <div class="columns">
      <section>${mixTable(view)}</section>
      ${view.trend.length > 1 && html`<section>${yearsSection(view)}</section>`}
      <section>${breakdownTable(view)}</section>
    </div>`;
}

/** The own company's rank in each office, or the medians. */
function officeFigures({ offices, own }: StatisticsView): Html {
  return keyFigures(
    offices.map(({ office, name, of, ranks, values }) => {
      const { total_compensation: figures } = of;
      const { total_compensation: rank } = ranks;
      if (figures === null) return false;
      const currency = currencySign(String(figures.group["reporting_currency"] ?? "") || null);
      const { rows, median, p25 } = figures;
      const [what, first] =
        rank === null
          ? ["median", { label: "25th", value: p25 }]
          : [
              `P${Math.round(rank.percentile * 100)}`,
              { label: own?.ticker ?? "own", value: rank.value, isOwn: true },
            ];
      const marks = [first, { label: "median", value: median }];
      const strip = { id: `strip-${office}`, title: `${name} totals`, values, marks, currency };
      return [
        `${name}, total`,
        rank === null ? `${currency}${formatAmount(Math.round(median))}` : `${ordinal(rank.rank)} of ${rows}`,
        html`${what} of ${matchedText(figures)}${values.length > 3 && figure(stripChart(strip))}`,
      ] as const;
    }),
  );
}

function inUnit({ given }: Selected): (units: number) => string {
  const isDollars = given.get("unit") === "dollars";
  return (units) => (units === 0 ? "–" : formatAmount(Math.round(isDollars ? units : units / 1000)));
}

/** The rows that a figure stands for. */
function rowsBehind({ given, everyRow }: StatisticsView, office: Office, more: Filters): string {
  const isOther = office === "other";
  return withQuery(ROUTES.rankings.path, given, {
    ...OWN,
    office: isOther ? "" : office,
    one_per_company_year: isOther || everyRow ? "" : "true",
    ...more,
  });
}

/** Percentiles by component, for the three offices side by side. */
// oxlint-disable-next-line max-lines-per-function -- one table, whose parts share its columns
function percentileTable(view: StatisticsView): Html {
  const { offices, own, given } = view;
  const shown = inUnit(view);
  const heads =
    own === null ? ["P25", "Median", "P75"] : ["P25", "Median", "P75", own.ticker || "Own", "Rank", "Pctl"];
  const cells = ({ office, of, ranks }: OfficeFigures, field: AmountField): Html => {
    const [figures, rank] = [of[field], ranks[field]];
    if (figures === null)
      return html`${heads.map((_, at) => html`<td class="number ${at === 0 && "first"}">–</td>`)}`;
    const { p25, median, p75, rows } = figures;
    const ownCells =
      rank === null || figures.max === 0
        ? html`<td class="number own">–</td>
            <td class="number">–</td>
            <td class="number">–</td>`
        : html`<td class="number own">${shown(rank.value)}</td>
            <td class="number">${rank.rank} of ${rows}</td>
            <td class="number soft">P${Math.round(rank.percentile * 100)}</td>`;
    return html`${[p25, median, p75].map(
      (value, at) =>
        html`<td class="number ${at === 0 ? "first" : at === 1 && "total"}">
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
      <th scope="col">${given.get("unit") === "dollars" ? "$" : "$ thousands"}</th>
      ${offices.map(() => heads.map((head, at) => html`<th scope="col" class="number ${at === 0 && "first"} ${at === 3 && "own"}">${head}</th>`))}
    </tr>`;
  const lines = FIELDS.map(
    (field) =>
      html`<tr class="${field === "total_compensation" && "sum"}">
        <th scope="row">${keyedName(field)}</th>
        ${offices.map((one) => cells(one, field))}
      </tr>`,
  );
  const about = { kind: "pay stat", caption: "Percentiles by component and office", isAway: true };
  return html`${tableBox(about, names, lines)}
    <p class="foot">
      Each line has percentiles of its own, so they do not add up.
      ${view.everyRow ? "Every row counts." : "CEO and CFO: one row per company and year, the highest where two held the office."}
      Other named officers: every row. Percentiles as in Excel's PERCENTILE.INC; a rank's as in
      PERCENTRANK.INC, with the own company in the group.
      <span class="screen-only">Every percentile opens its rows.</span>
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
  const ownLabel = html`<span class="own">${own?.ticker ?? "Own"}</span>`;
  const lines = offices.flatMap(({ office, name, of, ranks }) => {
    if (of.total_compensation === null) return [];
    const mean = line(name, (field) => of[field]?.mean ?? 0);
    if (office === "other" || ranks.total_compensation === null) return [mean];
    return [mean, line(ownLabel, (field) => ranks[field]?.value ?? 0)];
  });
  const of = `Mean of ${companies === null ? "the rows" : "the companies"}`;
  return html`<h2>Mix of pay</h2>
    ${plainTable([of, "Mix", { number: "Cash" }, { number: "Equity" }], lines, { kind: "pay short" })}
    <p class="foot">Cash: salary, bonus and incentive. Equity: stock and options.</p>`;
}

function yearsChart({ trend, own }: StatisticsView) {
  const partial = new Set(trend.filter(({ isPartial }) => isPartial).map(({ year }) => year));
  const line = (label: string, of: (one: (typeof trend)[number]) => number | null, isDashed = false) => {
    const points = trend.map((one) => [one.year, of(one)] as const);
    const pairs = points.filter((pair): pair is [number, number] => pair[1] !== null);
    return { label, isDashed, partial, amounts: new Map(pairs) };
  };
  return lineChart({
    id: "years",
    title: "Medians of the total over the years",
    currency: "$",
    series: [
      line("CEO, median", ({ medians: [ceo = null] }) => ceo),
      ...(own === null ? [] : [line(`${own.ticker || "Own"}, its CEO`, (one) => one.own, true)]),
      line("CFO, median", ({ medians: [, cfo = null] }) => cfo),
      line("Other, median", ({ medians: [, , other = null] }) => other),
    ],
  });
}

function yearsSection(view: StatisticsView): Html {
  const { trend, origin, given } = view;
  const shown = inUnit(view);
  const tools = chartTools(origin, ROUTES.statisticsPage.path, given, "years");
  return html`${headed("Medians over the years", tools)} ${figure(yearsChart(view))}
    ${smallTable(
      ["Median total"],
      trend.map(({ year, isPartial }) => `${year}${isPartial ? "◐" : ""}`),
      OFFICES.map(([office, name], at) => [
        office === "other" ? "Others" : name,
        ...trend.map(({ medians }) => shown(medians[at] ?? 0)),
      ]),
    )}
    <p class="foot">
      Hollow points and ◐: more than half of that year's proxy statements are not loaded. Years of a quarter
      of the companies or fewer are left out.
    </p>`;
}

function breakdownTable(view: StatisticsView): Html {
  const { by, kinds, given, companies } = view;
  const shown = inUnit(view);
  const name = BREAKDOWNS[by] ?? by;
  const lines = kinds.map(({ label, value, of }) => {
    const href = rowsBehind(view, "peo", { [by === "sic2" ? "sic" : by]: value });
    const link = value === "" || value === "none" ? label : html`<a href="${href}">${label}</a>`;
    return [link, of.rows, shown(of.p25), html`<b>${shown(of.median)}</b>`, shown(of.p75)];
  });
  const choices = Object.entries(BREAKDOWNS).filter(([one]) => one !== "company" || companies !== null);
  const pathTo = (one: string) => withQuery(ROUTES.statisticsPage.path, given, { by: one });
  return html`<h2>CEO total by ${by === "sic2" ? "industry" : name.toLowerCase()}</h2>
    <nav class="actions small" aria-label="Group by">
      ${choices.map(([one, label]) => pick(pathTo(one), label, one === by && "true"))}
    </nav>
    ${by === "company" ? companyTable(view) : smallTable([name], ["Rows", "P25", "Median", "P75"], lines)}`;
}

/** The CEOs of the companies that the selection names. */
function companyTable(view: StatisticsView): Html {
  const { rows, cells, own } = view;
  const shown = inUnit(view);
  const highest = Math.max(1, ...rows.map((row) => row.total_compensation));
  const lines = rows.map((row, at) => [
    html`<span class="rank">${at + 1}</span
      ><a class="${row.cik === own?.company.cik && "own"}" href="${companyPath(row)}"
        >${row.ticker || row.company_name}</a
      >`,
    mixBar(row, highest),
    html`<a href="${rowPath(row)}/total_compensation"><b>${shown(row.total_compensation)}</b></a>`,
    sourceMark(row, cells.isLinked(row)),
  ]);
  return plainTable(["Company", "Mix", { number: "Total" }, { number: "Source" }], lines, {
    kind: "pay short",
  });
}
