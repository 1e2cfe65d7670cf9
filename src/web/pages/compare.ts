import { figure } from "../../charts/frame.ts";
import { lineChart, type Series } from "../../charts/lines.ts";
import { payMixChart } from "../../charts/pay-mix.ts";
import { MAX_COMPARED } from "../../domain/company-list.ts";
import { centsOf, unitsOf } from "../../domain/amount.ts";
import { byAmount, type ExecutiveCompensation } from "../../domain/row-fields.ts";
import { type Html, html } from "../../html.ts";
import {
  isShortPeriod,
  type PageCompany,
  type PageYear,
  type PrintedZeros,
  type RemarksOf,
} from "../../operations/page-data.ts";
import type { PeerGroup } from "../../accounts/peer-groups.ts";
import type { RequestedCompanies } from "../company-lists.ts";
import { listText } from "./groups.ts";
import {
  companyLine,
  offices,
  PARTIAL_FOOTNOTE,
  payTable,
  rowNotes,
  rowPath,
  shownAmounts,
  yearIn,
} from "./parts.ts";

/** Labels of the choices of whose pay is compared. */
export const COMPARED = { ceo: "CEO", cfo: "CFO", all: "All named executive officers, sum" } as const;
/** One of those choices. */
export type Compared = keyof typeof COMPARED;

/** A company of a comparison with its years. */
export interface ComparedCompany {
  found: PageCompany;
  years: readonly PageYear[];
}

/** Data of the comparison page. */
export interface CompareView {
  /** The companies in the query, and those left out because there are too many. */
  requested: RequestedCompanies & { left: readonly string[] };
  /** Peer groups that the viewer can choose from. */
  groups: readonly PeerGroup[];
  /** Whether the viewer can save peer groups. */
  keepsGroups: boolean;
  who: Compared;
  /** The fiscal year of the bars and the table; null for each company's latest. */
  year: number | null;
  companies: readonly ComparedCompany[];
  /** Which zero amounts the filing prints as a digit. */
  zeros: PrintedZeros;
  /** Which rows cover less than a year. */
  remarks: RemarksOf;
}

/** Companies side by side: bars of one year, lines over all years, and the table behind them. */
export function compareMain(view: CompareView): Html {
  const { requested, companies, groups, who } = view;
  return html`<h1>Compare</h1>
    ${companyForm(view)} ${view.keepsGroups && groupList(groups)}
    ${requested.unknown.length > 0 && html`<p class="warning">No rows for ${requested.unknown.slice(0, 20).join(", ")}.</p>`}
    ${requested.left.length > 0 && leftOut(view)}
    ${companies.length === 0 && html`<p class="soft">Enter two or more ticker symbols to see the companies side by side.</p>`}
    ${companies.length > 0 && comparison(view)}
    ${companies.length > 0 && html`<p class="soft">You can share the address of this page. ${COMPARED[who]} pay as printed in each filing.</p>`}`;
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
  if (groups.length === 0) {
    return html`<p class="soft"><a href="/groups">Peer groups</a>: save lists of companies to compare.</p>`;
  }
  return html`<p class="soft">
    <a href="/groups">Peer groups</a>:
    ${groups.map(({ id, name }, index) => html`${index > 0 && ", "}<a href="/compare?group=${id}">${name}</a>`)}
  </p>`;
}

function companyForm({ requested, who, year, companies }: CompareView): Html {
  const known = companies.flatMap((one) => one.years.map(({ fiscalYear }) => fiscalYear));
  // The chosen year stays in the list even if no company has it: the page is about that year.
  const years = [...new Set([...known, ...(year === null ? [] : [year])])].sort((a, b) => b - a);
  return html`<form class="panel row filters" method="get" action="/compare">
    <label class="wide"
      >Ticker symbols, up to ${MAX_COMPARED}
      <input
        name="t"
        value="${listText(requested.found, ", ")}"
        maxlength="200"
        placeholder="AAPL, MSFT, GOOGL"
        required
      />
    </label>
    <label
      >Whose pay
      <select name="who">
        ${Object.entries(COMPARED).map(([name, label]) => html`<option value="${name}" ${name === who && html`selected`}>${label}</option>`)}
      </select>
    </label>
    <label
      >Fiscal year
      <select name="year">
        <option value="">Each company's latest</option>
        ${years.map((one) => html`<option value="${one}" ${one === year && html`selected`}>${one}</option>`)}
      </select>
    </label>
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

/** Charts and the rows behind them. Amounts in different currencies are never drawn on one scale: the first company's
 * currency is used. */
function comparison(view: CompareView): Html {
  const { who } = view;
  const [first] = view.companies;
  const currency = first === undefined ? "" : currencyOf(first);
  const sameCurrency = view.companies.filter((one) => currencyOf(one) === currency);
  const companies = sameCurrency.map((one) => ({ ...one, years: yearsIn(one, currency) }));
  const others = view.companies.filter((one) => currencyOf(one) !== currency);
  const rows = companies.flatMap((company) => {
    const year = yearShown(view, company);
    return year === undefined ? [] : rowsOf(year, who).slice(0, who === "all" ? undefined : 1);
  });
  const bars = companies.flatMap((company) => {
    const year = yearShown(view, company);
    const summed = year === undefined ? undefined : sumOf(rowsOf(year, who), who);
    return year === undefined || summed === undefined
      ? []
      : [
          {
            label: nameOf(company),
            note: `${year.fiscalYear}${year.complete ? "" : "*"}${isShort(year, view) ? "‡" : ""}`,
            amounts: summed,
            total: summed.total_compensation,
          },
        ];
  });
  const series: Series[] = companies.map((company) => ({
    label: nameOf(company),
    amounts: new Map(
      company.years.flatMap((year) => {
        const summed = sumOf(rowsOf(year, who), who);
        return summed === undefined ? [] : [[year.fiscalYear, summed.total_compensation]];
      }),
    ),
  }));
  const excluded = [
    ...others.map((one) => `${nameOf(one)} (${currencyOf(one)})`),
    ...sameCurrency.flatMap((one) => yearsBeside(one, currency)),
  ].join(", ");
  const without = sameCurrency.filter((company) => {
    const year = yearShown(view, company);
    return year === undefined || rowsOf(year, who).length === 0;
  });
  return html`${without.length > 0 && html`<p class="warning">${missingText(view)} for ${without.map(nameOf).join(", ")}.</p>`}
  ${excluded !== "" && html`<p class="warning">Not compared because they report in a different currency: ${excluded}.</p>`}
  ${rows.length > 0 && figure(payMixChart({ id: "bars", title: `${COMPARED[who]} pay by component, ${currency}`, bars }))}
  ${figure(lineChart({ id: "lines", title: `${COMPARED[who]} total over the years, ${currency}`, series }))}
  ${rows.length > 0 && rowsBehind(rows, companies, view)} ${partialYears(companies)}
  ${shortYears(companies, view)}`;
}

/** The rows behind the bars, with partial years marked. */
function rowsBehind(
  rows: readonly ExecutiveCompensation[],
  companies: readonly ComparedCompany[],
  { zeros, remarks }: CompareView,
): Html {
  const isPartial = (row: ExecutiveCompensation) =>
    companies.some(
      ({ found, years }) =>
        found.company.cik === row.cik &&
        years.some(({ fiscalYear, complete }) => fiscalYear === row.fiscal_year && !complete),
    );
  return payTable(rows, shownAmounts(rows), {
    caption: "The rows behind the bars",
    heads: ["Executive", "Year"],
    zeros,
    lead: (row) =>
      html`<th scope="row">
          <a href="${rowPath(row)}">${row.executive_name}</a>${offices(row)} ${companyLine(row)}
          ${rowNotes(row, { zeros, remarks })}
        </th>
        <td>${row.fiscal_year}${isPartial(row) && html`<abbr title="partial">*</abbr>`}</td>`,
  });
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
    listed.length > 0 && html`<p class="soft">${PARTIAL_FOOTNOTE} Partial years: ${listed.join("; ")}.</p>`
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
  return told.length > 0 && html`<p class="soft">‡ Less than a whole year: ${told.join("; ")}.</p>`;
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
