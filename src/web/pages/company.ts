import { formatAmount } from "../../domain/amount.ts";
import { newerFilingOf } from "../../domain/company.ts";
import type { ExecutiveCompensation } from "../../domain/row-fields.ts";
import { type Html, html } from "../../html.ts";
import {
  type CompanyFacts,
  isShortPeriod,
  type LoadedFiling,
  type PageCompany,
  type PageYear,
  type PrintedZeros,
  type RemarksOf,
  sectorName,
  type PeerStanding,
} from "../../operations/page-data.ts";
import { changeOf, history, officerOf } from "./company-history.ts";
import {
  formerly,
  linkOut,
  nameInList,
  offices,
  partialNote,
  pathOf,
  payTable,
  rowNotes,
  rowPath,
  shownAmounts,
} from "./parts.ts";

/** Data of the company page. */
export interface CompanyView {
  found: PageCompany;
  facts: CompanyFacts;
  /** The year whose table is shown. */
  year: PageYear;
  /** Every year, newest first; only the latest where the viewer may not see the others. */
  years: readonly PageYear[];
  /** The requested year, where the viewer may not see it; null otherwise. */
  closedYear: number | null;
  /** Shown in place of the history; null where the viewer may see the history or there is none. */
  offer: Html | null;
  standings: readonly PeerStanding[];
  /** Which zero amounts the filing prints as a digit. */
  zeros: PrintedZeros;
  remarks: RemarksOf;
  /** The loaded filings whose rows the viewer may see, newest first. */
  filings: readonly LoadedFiling[];
  /** Only filings up to this day are taken into account; null for all. */
  asOf: string | null;
}

/** The company page: one year's table, and pay over the years. */
export function companyMain(view: CompanyView): Html {
  const { found, year, years, closedYear, offer, asOf } = view;
  const { company, ticker } = found;
  const currency = year.rows[0]?.reporting_currency ?? "USD";
  return html`<h1>${company.name} <span class="soft">${ticker}</span></h1>
    ${aboutCompany(view)}
    ${
      closedYear !== null &&
      html`<p class="warning">Fiscal ${closedYear} is not shown: below is fiscal ${year.fiscalYear}.</p>
        ${offer}`
    }
    ${newerFiling(found)} ${highlights(view)} ${years.length > 1 && yearTabs(view)}
    ${!year.complete && partialNote([year.fiscalYear])} ${yearTable(view, currency)}
    <p class="row actions">
      ${asOf === null && downloads(view)}
      <a class="button" href="/compare?t=${nameInList(found)}">Compare</a>
      ${ticker !== "" && html`<a href="${pathOf(found)}/facts">Latest year as JSON</a>`}
    </p>
    ${closedYear === null && offer} ${years.length > 1 && history(view)}
    ${view.standings.length > 0 && standingList(view)} ${view.filings.length > 0 && filingList(view.filings)}`;
}

/** The CEO and CFO of the year with their totals, in large print. */
function highlights({ year, years, remarks }: CompanyView): Html | false {
  const before = years.find(({ fiscalYear }) => fiscalYear === year.fiscalYear - 1);
  const officers = (["CEO", "CFO"] as const).flatMap((office) => {
    const row = officerOf(year, office);
    if (row === undefined) return [];
    const earlier = before && officerOf(before, office);
    const change = changeOf(row, earlier, remarks);
    const since = earlier?.executive_id === row.executive_id ? "" : ` (${earlier?.executive_name ?? ""})`;
    return [{ office, row, change: change === "" ? "" : `${change} on ${year.fiscalYear - 1}${since}` }];
  });
  if (officers.length === 0) return false;
  return html`<dl class="sums">
    ${officers.map(
      ({ office, row, change }) =>
        html`<div>
          <dt>${office} total, fiscal ${year.fiscalYear}${partOfYear(row, remarks)}</dt>
          <dd>
            ${formatAmount(row.total_compensation)}
            <span class="soft"
              >${row.executive_name}${change !== "" && html`<span class="soft">${change}</span>`}</span
            >
          </dd>
        </div>`,
    )}
  </dl>`;
}

/** Says of an amount that it is not of a whole year; nothing for most. */
function partOfYear(row: ExecutiveCompensation | undefined, remarks: RemarksOf): string {
  return row !== undefined && isShortPeriod(remarks(row)) ? " (part of the year)" : "";
}

/** The filings that the rows come from; printed pages show their addresses. */
function filingList(filings: readonly LoadedFiling[]): Html {
  return html`<h2>Filings</h2>
    <ul class="filings">
      ${filings.map(({ form, filingDate, fiscalYear, url, accession, read }) => {
        const name = html`${form} of ${filingDate}`;
        return html`<li>
          ${linkOut(url, name)}
          <span class="soft"
            >${fiscalYear !== null && html`fiscal ${fiscalYear} · `}<span class="whole">${accession}</span> ·
            ${read === "transcribed" ? "entered manually" : "read from the document"}</span
          >
        </li>`;
      })}
    </ul>`;
}

function aboutCompany({ found: { company, ticker }, facts, year, asOf }: CompanyView): Html {
  const end = company.fiscalYearEnd ?? facts.fiscalYearEnd;
  const parts = [
    facts.sicDescription,
    facts.sector === null ? null : sectorName(facts.sector),
    end === null ? null : `fiscal year ends ${monthDay(end)}`,
    `CIK\u00a0${company.cik}`,
    company.symbols.length > 1
      ? `also ${company.symbols.filter((symbol) => symbol !== ticker).join(", ")}`
      : null,
    formerly(
      facts.formerNames.map(({ name }) => name),
      company.name,
    ),
    asOf === null ? null : `fiscal ${year.fiscalYear} from filings up to ${asOf}`,
  ];
  return html`<p class="soft">${parts.filter((part) => part !== null && part !== "").join(" · ")}</p>`;
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

/** A fiscal year of the Summary Compensation Table. */
function yearTable(
  { year: { fiscalYear, rows }, zeros, remarks, asOf }: CompanyView,
  currency: string,
): Html {
  return payTable(rows, shownAmounts(rows), {
    zeros,
    caption: `Summary Compensation Table (Regulation S-K Item 402(c)), fiscal ${fiscalYear}, ${currency}`,
    heads: ["Executive"],
    lead: (row) =>
      html`<th scope="row">
        ${asOf === null ? html`<a href="${rowPath(row)}">${row.executive_name}</a>` : row.executive_name}${offices(row)}
        <span class="soft role">${row.executive_role}</span>
        ${rowNotes(row, { zeros, remarks })}
      </th>`,
  });
}

function downloads({ found, years }: CompanyView): Html {
  const what = years.length > 1 ? "all years" : "this year";
  return html`<a class="button" href="${pathOf(found)}/download?format=csv">CSV, ${what}</a>
    <a class="button" href="${pathOf(found)}/download?format=xlsx">XLSX, ${what}</a>`;
}

function standingList({ standings, year, remarks }: CompanyView): Html {
  const part = partOfYear(officerOf(year, "CEO"), remarks);
  return html`<h2>CEO pay among peers, fiscal ${year.fiscalYear}${part}</h2>
    <ul>
      ${standings.map(
        ({ among, rank, of, percentile, median }) =>
          html`<li>
            ${among}: rank ${rank} of ${of} loaded companies, above ${Math.round(percentile * 100)}% of the
            others; median ${formatAmount(Math.round(median))}
          </li>`,
      )}
    </ul>`;
}

/** A warning that a newer filing is known but not loaded. */
function newerFiling({ company }: PageCompany): Html | false {
  const newer = newerFilingOf(company);
  if (newer === null) return false;
  const name = html`${newer.form ?? "filing"} of ${newer.filingDate}`;
  return html`<p class="warning">
    A newer filing has not been loaded yet: ${linkOut(newer.url, name)}. The latest fiscal year below may not
    be the company's latest.
  </p>`;
}
