import { figure } from "../../charts/frame.ts";
import { lineChart } from "../../charts/lines.ts";
import { payMixChart } from "../../charts/pay-mix.ts";
import { formatAmount } from "../../domain/amount.ts";
import { newerFilingOf } from "../../domain/company.ts";
import type { ExecutiveCompensation } from "../../domain/row-fields.ts";
import { type Html, html } from "../../html.ts";
import {
  type CompanyFacts,
  type PageCompany,
  type PageYear,
  sectorName,
  type PeerStanding,
} from "../../operations/page-data.ts";
import {
  amountCells,
  amountHeads,
  offices,
  partialNote,
  pathOf,
  payTable,
  rowPath,
  shownAmounts,
  withTable,
} from "./parts.ts";

/** What the page of a company shows. */
export interface CompanyView {
  found: PageCompany;
  facts: CompanyFacts;
  /** The year whose table is shown. */
  year: PageYear;
  /** Every year, newest first; only the latest where the others are not open. */
  years: readonly PageYear[];
  /** What stands in the place of the history: null where it is open or there is none. */
  offer: Html | null;
  standings: readonly PeerStanding[];
  /** Day up to which filings are taken into account; null for all. */
  asOf: string | null;
}

/** The page of a company: a year's table, and its pay over the years. */
export function companyMain(view: CompanyView): Html {
  const { found, year, years, offer, asOf } = view;
  const { company, ticker } = found;
  const currency = year.rows[0]?.reporting_currency ?? "USD";
  return html`<h1>${company.name} <span class="soft">${ticker}</span></h1>
    ${aboutCompany(view)} ${newerFiling(found)} ${years.length > 1 && yearTabs(view)}
    ${!year.complete && partialNote([year.fiscalYear])} ${yearTable(year, currency, asOf)}
    <p class="row actions">
      ${asOf === null && downloads(view)}
      <a href="${pathOf(found)}/facts">Latest year as JSON</a>
    </p>
    ${view.standings.length > 0 && standingList(view)} ${offer} ${years.length > 1 && history(view)}`;
}

function aboutCompany({ found: { company, ticker }, facts, year, asOf }: CompanyView): Html {
  const end = company.fiscalYearEnd ?? facts.fiscalYearEnd;
  const told = [
    facts.sicDescription,
    facts.sector === null ? null : sectorName(facts.sector),
    end === null ? null : `fiscal year ends ${monthDay(end)}`,
    `CIK ${company.cik}`,
    company.symbols.length > 1
      ? `also ${company.symbols.filter((symbol) => symbol !== ticker).join(", ")}`
      : null,
    facts.formerNames.length > 0 ? `formerly ${facts.formerNames.map(({ name }) => name).join(", ")}` : null,
    asOf === null ? null : `fiscal ${year.fiscalYear} from filings up to ${asOf}`,
  ];
  return html`<p class="soft">${told.filter((part) => part !== null).join(" · ")}</p>`;
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

function monthDay(end: string): string {
  const [month = "", day = ""] = end.split("-");
  return `${MONTHS[Number(month) - 1] ?? month} ${Number(day)}`;
}

function yearTabs({ found, year, years }: CompanyView): Html {
  return html`<nav class="tabs" aria-label="Fiscal years">
    ${years.map(
      ({ fiscalYear, complete }) =>
        html`<a
          href="${pathOf(found)}?year=${fiscalYear}"
          ${fiscalYear === year.fiscalYear && html`aria-current="page"`}
          >${fiscalYear}${!complete && html`<abbr title="partial">*</abbr>`}</a
        >`,
    )}
  </nav>`;
}

/** A fiscal year as the Summary Compensation Table has it. */
function yearTable({ fiscalYear, rows }: PageYear, currency: string, asOf: string | null): Html {
  return payTable(rows, shownAmounts(rows), {
    caption: `Summary Compensation Table (Regulation S-K Item 402(c)), fiscal ${fiscalYear}, ${currency}`,
    heads: ["Executive"],
    lead: (row) =>
      html`<th scope="row">
        ${asOf === null ? html`<a href="${rowPath(row)}">${row.executive_name}</a>` : row.executive_name}${offices(row)}
        <span class="soft role">${row.executive_role}</span>
        ${nothingPrinted(row) && html`<span class="soft role">Every amount is printed as nil.</span>`}
      </th>`,
  });
}

function nothingPrinted(row: ExecutiveCompensation): boolean {
  return row.total_compensation === 0 && row.salary === 0 && row.stock_awards === 0;
}

function downloads({ found, years }: CompanyView): Html {
  const what = years.length > 1 ? "all years" : "this year";
  return html`<a class="button" href="${pathOf(found)}/download?format=csv">CSV, ${what}</a>
    <a class="button" href="${pathOf(found)}/download?format=xlsx">XLSX, ${what}</a>`;
}

function standingList({ standings, year }: CompanyView): Html {
  return html`<h2>CEO pay among peers, fiscal ${year.fiscalYear}</h2>
    <ul>
      ${standings.map(
        ({ among, rank, of, percentile, median }) =>
          html`<li>
            ${among}: rank ${rank} of ${of} loaded, above ${Math.round(percentile * 100)}% of the others;
            median ${formatAmount(Math.round(median))}
          </li>`,
      )}
    </ul>`;
}

/** The CEO of a year: of several the one with the highest total. */
function ceoOf({ rows }: PageYear): ExecutiveCompensation | undefined {
  return rows
    .filter(({ is_peo: isPeo }) => isPeo)
    .toSorted((a, b) => b.total_compensation - a.total_compensation)[0];
}

function history(view: CompanyView): Html {
  const { found, years } = view;
  const ceos = years.toReversed().flatMap((year) => {
    const ceo = ceoOf(year);
    return ceo === undefined ? [] : [{ year, ceo }];
  });
  const mix = payMixChart({
    id: "mix",
    title: `CEO pay of ${found.company.name} by component`,
    bars: ceos.map(({ year, ceo }) => ({
      label: `${year.fiscalYear}${year.complete ? "" : "*"}`,
      amounts: ceo,
      total: ceo.total_compensation,
    })),
  });
  const totals = lineChart({
    id: "totals",
    title: `CEO total of ${found.company.name} over the years`,
    series: [
      {
        label: "CEO total",
        amounts: new Map(ceos.map(({ year, ceo }) => [year.fiscalYear, ceo.total_compensation])),
      },
    ],
  });
  return html`<h2>Over the years</h2>
    ${withTable(html`${figure(mix)} ${figure(totals)}`, ceoTable(ceos.map(({ ceo }) => ceo)))}
    ${comings(years)}`;
}

function ceoTable(rows: readonly ExecutiveCompensation[]): Html {
  const shown = shownAmounts(rows);
  return html`<table class="pay">
    <thead>
      <tr>
        <th scope="col">Fiscal year</th>
        <th scope="col">CEO</th>
        ${amountHeads(shown)}
        <th scope="col" class="number">Change</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row, index) =>
          html`<tr>
            <th scope="row">${row.fiscal_year}</th>
            <td>${row.executive_name}</td>
            ${amountCells(row, shown)}
            <td class="number">${changeOf(row, rows[index - 1])}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** The change on the year before, where there is one: `+12%`. */
function changeOf(row: ExecutiveCompensation, before: ExecutiveCompensation | undefined): string {
  if (before === undefined || before.fiscal_year !== row.fiscal_year - 1 || before.total_compensation <= 0)
    return "";
  const percent = Math.round((row.total_compensation / before.total_compensation - 1) * 100);
  return `${percent > 0 ? "+" : percent < 0 ? "−" : ""}${Math.abs(percent)}%`;
}

/** Who came into the table and who left it, between complete years. */
function comings(years: readonly PageYear[]): Html | false {
  const lines = years.flatMap((year, index) => {
    const before = years[index + 1];
    if (
      before === undefined ||
      !year.complete ||
      !before.complete ||
      before.fiscalYear !== year.fiscalYear - 1
    )
      return [];
    const idsOf = ({ rows }: PageYear) => new Set(rows.map(({ executive_id: id }) => id));
    const [now, then] = [idsOf(year), idsOf(before)];
    const joined = year.rows.filter(({ executive_id: id }) => !then.has(id));
    const left = before.rows.filter(({ executive_id: id }) => !now.has(id));
    return joined.length + left.length === 0 ? [] : [{ year, joined, left }];
  });
  if (lines.length === 0) return false;
  const names = (rows: readonly ExecutiveCompensation[]) =>
    rows.map(({ executive_name: name }) => name).join(", ");
  return html`<h2>Joined and left the table</h2>
    <ul>
      ${lines.map(
        ({ year, joined, left }) =>
          html`<li>
            ${year.fiscalYear}:
            ${joined.length > 0 && `joined ${names(joined)}`}${joined.length > 0 && left.length > 0 && "; "}${left.length > 0 && `left ${names(left)}`}
          </li>`,
      )}
    </ul>`;
}

function newerFiling({ company }: PageCompany): Html | false {
  const newer = newerFilingOf(company);
  if (newer === null) return false;
  const name = html`${newer.form ?? "filing"} of ${newer.filingDate}`;
  return html`<p class="warning">
    A newer filing is known and not loaded yet:
    ${newer.url === null ? name : html`<a href="${newer.url}">${name}</a>`}. The latest fiscal year below may
    not be the company's latest.
  </p>`;
}
