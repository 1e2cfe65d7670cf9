/** A company: key figures, pay over the years, one fiscal year's table, peers, filings; its downloads and charts. */
import { companyName } from "../../domain/company-name.ts";
import {
  ROW_EVIDENCE,
  type RowEvidence,
  type ExecutiveCompensation as Row,
} from "../../domain/row-fields.ts";
import { counted } from "../../lib/text.ts";
import { Elysia } from "elysia";
import { figure } from "../../charts/frame.ts";
import { type PayBar, payMixChart } from "../../charts/pay-mix.ts";
import { stripChart } from "../../charts/plots.ts";
import { formatAmount, unitsOf } from "../../domain/amount.ts";
import { newerFilingOf } from "../../domain/company.ts";
import { type Html, html, type HtmlPart } from "../../lib/html.ts";
import { SUBPATHS, pathTo, ROUTES } from "../../http/routes.ts";
import {
  companyDownload,
  type FlatRow,
  isPartialYear,
  type PageYear,
  yearsOf,
} from "../../operations/rows.ts";
import { type LoadedFiling, loadedFilings, rowCells } from "../../dataset/company-facts.ts";
import { isShortPeriod, rowRemarks, shortMark, shortPeriods } from "../../dataset/remarks.ts";
import type { PageCompany } from "../../operations/companies.ts";
import { ranksOf } from "../../operations/rankings.ts";
import {
  aboutCompany,
  type CompanyRequest,
  readCompanyRequest,
  segmentOf,
  withoutRows,
} from "./company-request.ts";
import type { WebDeps } from "../deps.ts";
import { seesCompanies } from "../offers.ts";
import { paidPage } from "../paid-page.ts";
import { chartTools, type ChartExport } from "../chart-files.ts";
import { dataOf, downloadMenu, ROW_AMOUNTS, withQuery } from "../downloads.ts";
import { filingCitation, paperFoot, sourceLine, titleRow } from "../citation.ts";
import { noPage, showProblem } from "../refusals.ts";
import { show } from "../page-response.ts";
import { paywall } from "../paywall.ts";
import { nameInList, pathOf, rowPath } from "../parts/addresses.ts";
import { currencySign, money, readUnit, unitLabel, UNITS } from "../parts/amounts.ts";
import { changeMark, changeOf } from "../parts/change.ts";
import { chartData, headed, keyFigures, linkOut, ordinal, pick } from "../parts/elements.ts";
import { CASH, EQUITY, mixKeys, shareOf } from "../parts/mix.ts";
import { shortRole } from "../parts/names.ts";
import { heldBy, officeOf, offices } from "../parts/offices.ts";
import { payTable } from "../parts/pay-table.ts";
import { MARKS, paperSources, EVIDENCE_MARK } from "../parts/sources.ts";
import { smallTable } from "../parts/tables.ts";
import { notDrawn, PARTIAL, markNotes, partialNote, yearIn, yearRange } from "../parts/years.ts";
import {
  type Tagged,
  taggedBar,
  taggedName,
  taggedTable,
  taggedTotals,
  totalOfYear,
} from "./tagged-years.ts";

/** `/t/{ticker}`, `/c/{cik}`, and their downloads, charts and frames. */
export function companyPages(deps: WebDeps) {
  const mount = (path: string) =>
    paidPage<CompanyRequest, CompanyRequest>(deps, path, {
      read: readCompanyRequest,
      find(read) {
        const { sight, found } = read;
        const requested = { ...read, isOpen: seesCompanies(sight, [found.company.cik]) };
        // Without rows there is its page, and nothing below it.
        return found.company.hasRows || segmentOf(read, 3) === "" ? requested : withoutRows(requested);
      },
      show: (view) => (view.found.company.hasRows ? showCompany(view) : withoutRows(view)),
      async file({ dataset, found, isOpen }, format) {
        const bytes = await companyDownload(dataset, found, isOpen ? "all" : "latest", format);
        return [bytes, found.ticker || found.company.cik];
      },
      charts: ["officers", "years"],
      chartExport: companyChart,
    });
  return new Elysia({ name: "company-pages" })
    .use(mount(ROUTES.company.path))
    .use(mount(ROUTES.companyByCik.path));
}

/** What the page of a company shows. */
type CompanyView = Awaited<ReturnType<typeof readCompany>>;

/** The page of one fiscal year of a company. */
async function showCompany(requested: CompanyRequest): Promise<Response> {
  const view = await readCompany(requested);
  const { viewer, origin, found, fiscalYear } = view;
  const name = companyName(found.company.name);
  return show(viewer, {
    title: `${name} executive compensation, fiscal ${fiscalYear}`,
    description: `What ${name} paid its named executive officers in fiscal ${fiscalYear}, with the filing of each.`,
    canonical: `${origin}${pathOf(found)}`,
    main: companyMain(view),
  });
}

/** Reads what the page shows; refuses an unknown year. */
async function readCompany(requested: CompanyRequest) {
  const { deps, viewer, dataset, url, found, isOpen } = requested;
  const { name, cik } = found.company;
  const all = dataset.years(cik);
  const newest = all[0]?.fiscalYear ?? 0;
  const tagged = taggedTotals(dataset, cik, newest, isOpen);
  const wanted = url.searchParams.get("year") ?? "";
  const isWanted = ({ fiscalYear }: { fiscalYear: number }) => String(fiscalYear) === wanted;
  const known = [...all, ...taggedTotals(dataset, cik, newest, true)];
  if (wanted !== "" && !known.some(isWanted)) {
    const available = [...new Set(known.map(({ fiscalYear }) => fiscalYear))].toSorted((a, b) => b - a);
    const text = html`Nothing is known for fiscal ${wanted.slice(0, 60)}. Available: fiscal
      <a href="${pathOf(found)}">${available.join(", ")}</a>.`;
    throw noPage(companyName(name), text);
  }
  /** Every year, newest first; only the latest where the viewer may not see the others. */
  const years = yearsOf(found, isOpen ? all : all.slice(0, 1));
  const year = years.find(isWanted) ?? years[0];
  if (year === undefined) throw new Error(`no rows of ${name}`);
  /** Whether the requested year has no rows, and its total is shown. */
  const isTagged = wanted !== "" && !isWanted(year) && tagged.some(isWanted);
  /** The requested year, where the viewer may not see it. */
  const closedYear = wanted === "" || isTagged || isWanted(year) ? null : Number(wanted);
  const here = url.pathname + (closedYear === null ? "" : `?year=${closedYear}`);
  const accessions = new Set(years.flatMap(({ rows }) => rows.map(({ source }) => source.accession)));
  return {
    ...requested,
    /** The year that is shown: of rows, or one of which only a tag tells. */
    fiscalYear: isTagged ? Number(wanted) : year.fiscalYear,
    isTagged,
    /** The year of rows that is shown, or the newest. */
    year,
    years,
    tagged,
    closedYear,
    unit: readUnit(url.searchParams.get("unit")),
    /** Shown in place of the history. */
    paywall: requested.offered !== null && paywall(requested, "earlier fiscal years", here),
    ranks: viewer.kind === "visitor" ? [] : await ranksOf(dataset, deps.analyst, found),
    cells: rowCells(dataset, [cik]),
    remarks: rowRemarks(dataset, [cik]),
    /** The loaded filings whose rows the viewer may see, newest first. */
    filings: loadedFilings(dataset, cik).filter(({ accession }) => accessions.has(accession)),
    /** The total that stands first: of the year that is shown, or the newest known where it is newer than the rows. */
    headline: isTagged
      ? totalOfYear(tagged, Number(wanted))
      : wanted === "" && (tagged[0]?.fiscalYear ?? 0) > newest
        ? totalOfYear(tagged, tagged[0]?.fiscalYear ?? 0)
        : undefined,
  };
}

/** A chart of a company to take away; the offer where its viewer may not see it. */
function companyChart(requested: CompanyRequest, text: string): ChartExport | Response {
  const { viewer, dataset, found, isOpen } = requested;
  const { cik } = found.company;
  const name = companyName(found.company.name);
  const all = dataset.years(cik);
  const years = yearsOf(found, isOpen ? all : all.slice(0, 1));
  const [latest] = years;
  if (latest === undefined) throw new Error(`no rows of ${name}`);
  const tagged = taggedTotals(dataset, cik, latest.fiscalYear, isOpen);
  const known = drawnYears({ years, tagged });
  const isYears = text === "years";
  if (isYears && requested.offered !== null && known.length < 2)
    return showProblem(viewer, 403, name, paywall(requested, "earlier fiscal years", pathOf(found)));
  const remarks = shortPeriods(dataset, [cik]);
  const rows = isYears ? years.flatMap(officersOf) : latest.rows;
  const forms = [...new Set(rows.map(({ source }) => source.form))].join(", ");
  const [columns = [], ...data] = dataOf(rows, {
    fiscal_year: (row) => row.fiscal_year,
    executive_name: (row) => row.executive_name,
    office: (row) => (row.is_peo && row.is_pfo ? OFFICES.join(", ") : officeOf(row)),
    ...ROW_AMOUNTS,
    reporting_currency: (row) => row.reporting_currency,
    source_accession: (row) => row.source.accession,
    year_complete: (row) => !isPartialYear(dataset, row),
    short_period: (row) => isShortPeriod(remarks(row)),
  });
  const totals = isYears ? known.flatMap(({ total }) => total ?? []) : [];
  const lines = [...data, ...totals.map((total) => taggedData(columns, total))];
  return {
    chart: isYears ? yearsChart({ found, years, tagged, remarks }) : officersChart({ year: latest, remarks }),
    title: isYears
      ? `CEO and CFO pay at ${name}, fiscal ${yearRange(known.map(({ fiscalYear }) => fiscalYear))}`
      : `Executive pay at ${name}, fiscal ${latest.fiscalYear}`,
    source: sourceLine(requested, forms),
    data: [columns, ...lines.toSorted((a, b) => Number(b[0]) - Number(a[0]))],
    page: pathOf(found),
  };
}

/** A tagged total under the columns of rows. */
function taggedData(columns: FlatRow, { fiscalYear, peoName, cents, currency, source }: Tagged): FlatRow {
  const values: Readonly<Record<string, FlatRow[number]>> = {
    fiscal_year: fiscalYear,
    executive_name: peoName,
    office: "CEO",
    total_compensation: unitsOf(cents),
    reporting_currency: currency,
    source_accession: source?.accession ?? null,
  };
  return columns.map((name) => values[String(name)] ?? null);
}

function companyMain(view: CompanyView): Html {
  const { found, dataset, year, years, closedYear, origin, fiscalYear } = view;
  const { company, ticker } = found;
  const { edition } = dataset.info;
  const aside = view.ranks.length > 0 || view.filings.length > 0;
  const address = origin + pathOf(found);
  const closed = html`<p class="warning">
      Fiscal ${closedYear} is not shown: below is fiscal ${year.fiscalYear}.
    </p>
    ${view.paywall}`;
  const heading = html`<h1>
    ${companyName(company.name)} ${ticker !== "" && html`<span class="ticker">${ticker}</span>`}
  </h1>`;
  // A citation stays true when a newer year is loaded.
  const cited = citedOf(view, `${address}?year=${fiscalYear}`);
  const buttons = html`<a class="button" href="${ROUTES.compare.path}?companies=${nameInList(found)}"
      >Compare</a
    >
    <a class="button" href="${ROUTES.peerGroups.path}?companies=${nameInList(found)}">Add to peer group</a>
    ${downloadMenu(pathOf(found) + SUBPATHS.download, "", { more: years.length > 1 ? ", all years" : ", this year" })}
    ${ticker !== "" && html`<a class="button" href="${pathTo("facts", { ticker })}">JSON</a>`}`;
  return html`<div class="pay-page">
    ${titleRow(heading, buttons, cited)} ${aboutCompany(view)} ${closedYear !== null && closed}
    ${newerFiling(found)} ${figuresOf(view)}
    <div class="${aside && "two"}">
      <section>${chartSection(view)}</section>
      ${aside && html`<aside>${rankList(view)} ${filingList(view.filings)}</aside>`}
    </div>
    ${yearTable(view)} ${closedYear === null && view.paywall} ${!view.isTagged && paperSources(year.rows)}
    ${paperFoot(address, edition)}
  </div>`;
}

/** How to cite the year that is shown. */
function citedOf(
  { year, fiscalYear, isTagged, tagged, dataset, found }: CompanyView,
  address: string,
): string {
  const { edition } = dataset.info;
  const [row] = year.rows;
  const { name, cik } = found.company;
  if (!isTagged) {
    const what = `Summary Compensation Table (Regulation S-K Item 402(c)), fiscal year ${fiscalYear}`;
    return row === undefined ? "" : filingCitation(row, what, edition, address);
  }
  const total = tagged.find((one) => one.fiscalYear === fiscalYear);
  const what = `total of the chief executive, fiscal year ${fiscalYear}, as tagged in inline XBRL`;
  return filingCitation({ company_name: name, cik, source: total?.source ?? null }, what, edition, address);
}

const OFFICES = ["CEO", "CFO"] as const;

/** The officer of a year; if several held the office, the one with the highest total. */
function officerOf(year: PageYear | undefined, office: (typeof OFFICES)[number]) {
  return heldBy(year?.rows ?? [], office)[0];
}

/** CEO and CFO of a year, in this order; once where one person was both. */
function officersOf(year: PageYear): Row[] {
  return [...new Set(OFFICES.flatMap((office) => officerOf(year, office) ?? []))];
}

/** The totals of CEO and CFO, the share of equity, and how the rows are known. */
function figuresOf({ year, years, remarks, cells, filings, headline, isTagged }: CompanyView): Html | false {
  const { fiscalYear, rows } = year;
  const total =
    headline !== undefined &&
    ([
      `CEO total, fiscal ${headline.fiscalYear}`,
      money(unitsOf(headline.cents), headline.currency),
      html`<i class="dot tagged"></i> ${taggedName(headline)} · the total only`,
    ] as const);
  if (isTagged) return total !== false && keyFigures([total]);
  if (officersOf(year).length === 0 && total === false) return false;
  const before = years.find((one) => one.fiscalYear === fiscalYear - 1);
  const ceo = officerOf(year, "CEO");
  const [equity, cash] = ceo === undefined ? [null, null] : [shareOf(ceo, EQUITY), shareOf(ceo, CASH)];
  const ways = Map.groupBy(rows, (row) => cells.evidence(row));
  const kinds = ROW_EVIDENCE.map((kind) => {
    const { mark, short } = EVIDENCE_MARK[kind];
    return [ways.get(kind)?.length ?? 0, mark, short] as const;
  });
  const present = kinds.filter(([count]) => count > 0);
  return keyFigures([
    total,
    ...OFFICES.map((office) => {
      const row = officerOf(year, office);
      if (row === undefined) return false;
      const earlier = officerOf(before, office);
      const change = changeOf(row, earlier, remarks);
      const whose = earlier?.executive_id === row.executive_id ? "" : ` (${earlier?.executive_name ?? ""})`;
      return [
        `${office} total, fiscal ${fiscalYear}${isShortPeriod(remarks(row)) ? " (part of the year)" : ""}`,
        money(row.total_compensation, row.reporting_currency),
        html`${row.executive_name}${change !== null && html` · ${changeMark(change)} on ${fiscalYear - 1}${before?.complete === false && PARTIAL}${whose}`}`,
      ] as const;
    }),
    equity !== null && [
      "Paid in equity",
      `${Math.round(equity)}%`,
      `of CEO pay; ${Math.round(cash ?? 0)}% cash`,
    ],
    filings.length > 0 && [
      "Sources",
      counted(filings.length, "filing"),
      html`${present.map(([count, mark]) => html`<i class="${mark}"></i> ${count} `)}${rows.length === 1 ? "executive" : "executives"}
      in fiscal ${fiscalYear}: ${present.map(([, , words]) => words).join(", ")}`,
    ],
  ]);
}

/** The years of a company's chart, oldest first: rows, and a total that only a tag tells where they have no CEO. */
function drawnYears({ years, tagged }: Pick<CompanyView, "years" | "tagged">) {
  const known = new Set([...years, ...tagged].map(({ fiscalYear }) => fiscalYear));
  return [...known]
    .toSorted((a, b) => a - b)
    .flatMap((fiscalYear) => {
      const year = years.find((one) => one.fiscalYear === fiscalYear);
      const total = officerOf(year, "CEO") === undefined ? totalOfYear(tagged, fiscalYear) : undefined;
      return year === undefined && total === undefined ? [] : [{ fiscalYear, year, total }];
    });
}

/** CEO and CFO in each year, as stacked bars side by side. */
function yearsChart(view: Pick<CompanyView, "found" | "years" | "tagged" | "remarks">) {
  const { found, years, remarks } = view;
  const currency = currencyOf(years);
  const bars = drawnYears(view).flatMap(({ fiscalYear, year, total }): PayBar[] => {
    const officers = year === undefined ? [] : officersOf(year);
    const [row, beside] = officers.filter((one) => one.reporting_currency === currency);
    const marks = (year?.complete === false ? " ◐" : "") + shortMark(remarks, [row, beside]);
    const label = `${fiscalYear}${marks}`;
    if (total?.currency === currency) return [{ ...taggedBar(total), label, beside: row, names: OFFICES }];
    if (row === undefined) return [];
    return [{ label, row, beside, names: row.is_peo ? OFFICES : ["CFO"] }];
  });
  const title = `CEO and CFO pay of ${companyName(found.company.name)} by component`;
  return payMixChart({ id: "years", title, bars, currency: currencySign(currency) });
}

/** The currency of the newest rows, which the charts are in. */
function currencyOf([newest]: readonly PageYear[]): string | null {
  return newest?.rows[0]?.reporting_currency ?? null;
}

/** The named executive officers of one year. */
function officersChart({ year, remarks }: Pick<CompanyView, "year" | "remarks">) {
  const currency = currencyOf([year]);
  const drawn = year.rows.filter((row) => row.reporting_currency === currency);
  const lastName = ({ executive_name: name }: Row) => name.split(" ").at(-1) ?? "";
  return payMixChart({
    id: "officers",
    title: "Named executive officers by component",
    bars: drawn.map((row) => ({
      label: lastName(row) + shortMark(remarks, [row]),
      note: officeOf(row),
      row,
    })),
    currency: currencySign(currency),
  });
}

function chartSection(view: CompanyView): Html | false {
  const { found, year, years, origin } = view;
  const known = drawnYears(view);
  const isYears = known.length > 1;
  const chart = isYears ? yearsChart(view) : officersChart(view);
  const officers = years.flatMap(officersOf);
  const isPaid =
    known.some(({ total }) => total !== undefined) ||
    (isYears ? officers : year.rows).some((row) => row.total_compensation !== 0);
  const [name, title] = isYears
    ? ["years", "Pay over the years"]
    : ["officers", `Pay in fiscal ${year.fiscalYear}`];
  return html`${headed(title, isPaid && chartTools(origin, pathOf(found), "", name), "years")}
  ${!isPaid ? html`<p>The CEO's total is zero in every year.</p>` : figure(chart)}
  ${isYears && chartData(historyTable(view))} ${notDrawn(officers, currencyOf(years))}
  ${isPaid && markNotes(chart)}`;
}

/** The totals of the chart, and the years it leaves out. */
function historyTable(view: CompanyView): Html {
  const { years, remarks } = view;
  const currency = currencyOf(years);
  const known = drawnYears(view).toReversed();
  const lines = known.map(({ fiscalYear, year, total }, index) => {
    const pairs = OFFICES.map(
      (office) => [officerOf(year, office), officerOf(known[index + 1]?.year, office)] as const,
    );
    const first = pairs[0]?.[0] ?? pairs[1]?.[0];
    return [
      html`${first === undefined ? fiscalYear : yearIn(first, currency)}${year?.complete === false && PARTIAL}${shortMark(
        remarks,
        pairs.map(([row]) => row),
      )}`,
      total === undefined ? pairs[0]?.[0]?.executive_name : taggedName(total),
      pairs[1]?.[0]?.executive_name,
      ...pairs.flatMap(([row, before], at): HtmlPart[] => {
        if (row !== undefined)
          return [
            html`<a href="${rowPath(row)}/total_compensation">${formatAmount(row.total_compensation)}</a>`,
            changeMark(changeOf(row, before, remarks)),
          ];
        if (at > 0 || total === undefined) return ["–", ""];
        return [html`<i class="dot tagged"></i> ${formatAmount(unitsOf(total.cents))}`, ""];
      }),
    ];
  });
  return smallTable(["Fiscal year", "CEO", "CFO"], ["CEO total", "Change", "CFO total", "Change"], lines);
}

function knownAs(evidence: RowEvidence): Html {
  const { mark, short } = EVIDENCE_MARK[evidence];
  return html`<i class="${mark}"></i> ${short}`;
}

/** The filings that the rows come from, each with how it was read. */
function filingList(filings: readonly LoadedFiling[]): Html | false {
  if (filings.length === 0) return false;
  const lines = filings.map(({ form, filingDate, fiscalYear, url, accession, read }) => [
    fiscalYear,
    html`<span class="whole">${linkOut(url, form, accession)}</span>`,
    html`<span class="whole">${filingDate}</span>`,
    knownAs(read === "transcribed" ? "typed" : read === "collected" ? "collected" : "linked"),
  ]);
  return html`<h2>Filings</h2>
    ${smallTable(["Year", "Form", "Filed", "Amounts"], [], lines)}`;
}

/** The mark of a year of which only a tag tells. */
const ONLY_TOTAL = html`&#160;<i class="dot tagged"></i><span class="away">, the CEO's total only</span>`;

/** A fiscal year of the Summary Compensation Table, with the choice of year and unit. */
function yearTable(view: CompanyView): Html {
  const { found, year, years, unit, tagged, isTagged, fiscalYear } = view;
  const { rows } = year;
  const currency = rows[0]?.reporting_currency ?? "";
  const at = (changed: { year?: number; unit?: string }) =>
    withQuery(pathOf(found), "", { year: String(changed.year ?? fiscalYear), unit: changed.unit ?? unit });
  const before = years.find((one) => one.fiscalYear === fiscalYear - 1);
  const addsUp = rows.every((row) => row.unknown_component === 0);
  const known = [...new Set([...years, ...tagged].map((one) => one.fiscalYear))].toSorted((a, b) => b - a);
  const yearLinks = known.map((one) => {
    const ofRows = years.find((year) => year.fiscalYear === one);
    const mark = ofRows === undefined ? ONLY_TOTAL : !ofRows.complete && PARTIAL;
    return pick(at({ year: one }), html`${one}${mark}`, one === fiscalYear && "page");
  });
  const unitLinks = Object.entries(UNITS).map(([name, label]) =>
    pick(at({ unit: name }), unitLabel(label, currency || null), name === unit && "true"),
  );
  const choices = html`<div class="actions small">
    ${known.length > 1 && html`<nav class="actions" aria-label="Fiscal years">${yearLinks}</nav>`}
    ${!isTagged && unitLinks}
  </div>`;
  const totals = tagged.filter((one) => one.fiscalYear === fiscalYear);
  const only = totals.length > 0 && taggedTable(totals);
  if (isTagged) return html`${headed("Summary compensation table", choices)} ${only}`;
  return html`${headed("Summary compensation table", choices)} ${!year.complete && partialNote([fiscalYear])}
  ${mixKeys(rows)}
  ${payTable(rows, {
    ...view,
    remainder: "column",
    caption: `Summary Compensation Table (Regulation S-K Item 402(c)), fiscal ${fiscalYear}, ${currency}`,
    head: "Executive",
    columns: new Set(["mix", "change", "components", "filing"]),
    before:
      before === undefined ? null : (row) => before.rows.find((one) => one.executive_id === row.executive_id),
    lead: (row, _, mark) =>
      html`<a href="${rowPath(row)}">${row.executive_name}</a>${offices(row)}
        <span class="role" title="${row.executive_role}"
          >${["CEO", "CFO"].includes(shortRole(row.executive_role)) ? "" : shortRole(row.executive_role)}</span
        >
        ${mark}`,
  })}
  ${MARKS} ${only} ${addsUp && html`<p class="foot">Every total adds up.</p>`}`;
}

/** The same for everybody who may see it: the newest known totals. */
function rankList({ ranks, found, dataset, remarks }: CompanyView): Html | false {
  const [first] = ranks;
  if (first === undefined) return false;
  const { fiscalYear } = first.own;
  const isIts = (row: Row) => row.is_peo && row.total_compensation === unitsOf(first.own.cents);
  const rows = yearsOf(found, dataset.years(found.company.cik)).find(
    (year) => year.fiscalYear === fiscalYear,
  )?.rows;
  const isPart = rows?.some((row) => isIts(row) && isShortPeriod(remarks(row)));
  const currency = currencySign(first.own.currency);
  const items = ranks.map(({ among, rank, of, median, own, ends }, index) => {
    const mark = { label: found.ticker || "own", value: unitsOf(own.cents), isOwn: true };
    const marks = [mark, { label: "median", value: median }];
    return html`<li>
      <div class="head"><span>${among}</span><b>${ordinal(rank)} of ${of}</b></div>
      ${figure(stripChart({ id: `peers-${index}`, title: "", values: ends, marks, currency }))}
    </li>`;
  });
  return html`<h2>CEO pay among peers, newest known totals</h2>
    <p class="soft">
      Its total for fiscal ${fiscalYear}${isPart && " (part of the year)"}, against the newest known total of
      each other company.
    </p>
    <ul class="results">
      ${items}
    </ul>`;
}

/** A warning that a newer filing is known but not loaded. */
function newerFiling({ company }: PageCompany): Html | false {
  const newer = newerFilingOf(company);
  if (newer === null) return false;
  return html`<p class="warning">
    A newer filing has not been read yet:
    ${linkOut(newer.url, `${newer.form ?? "filing"} of ${newer.filingDate}`)}. The latest fiscal year below
    may not be the company's latest.
  </p>`;
}
