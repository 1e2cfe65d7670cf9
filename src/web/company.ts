import { type ExecutiveCompensation, readRows } from "../domain/compensation.ts";
import { AMOUNTS } from "../domain/components.ts";
import type { Company, AvailableYear } from "../domain/company.ts";
import { type Html, html, page } from "../html.ts";

const CAPTIONS: Readonly<Record<(typeof AMOUNTS)[number], string>> = {
  salary: "Salary",
  bonus: "Bonus",
  stock_awards: "Stock awards",
  option_awards: "Option awards",
  non_equity_incentive: "Non-equity incentive",
  pension_change: "Pension change",
  other_comp: "All other",
  unknown_component: "Unattributed",
  total_compensation: "Total",
};

/**
 * The page of a company: its latest fiscal year as a table, each row with the filing that it came from.
 * @param asOf day until which filings are taken into account; null for all
 */
export function companyPage(
  company: Company,
  ticker: string,
  latest: AvailableYear,
  asOf: string | null,
): string {
  const rows = readRows(ticker, latest.rowJson);
  const currency = rows[0]?.reporting_currency ?? "";
  const shown = AMOUNTS.filter((name) => name !== "unknown_component" || rows.some((row) => row[name] !== 0));
  const title = `${company.name} executive compensation, fiscal ${latest.fiscalYear}`;
  return page({
    title,
    description: `What ${company.name} paid its named executive officers in fiscal ${latest.fiscalYear}, with the filing.`,
    main: html`<h1>${company.name}</h1>
      <p class="soft">
        ${ticker} · CIK ${company.cik} · fiscal ${latest.fiscalYear} · amounts in
        ${currency}${asOf !== null && ` · as filed until ${asOf}`}
      </p>
      ${!latest.complete && incomplete(latest.fiscalYear)}
      <div class="scroll">
        <table>
          <caption>
            Summary Compensation Table (Regulation S-K Item 402(c)), fiscal ${latest.fiscalYear}
          </caption>
          <thead>
            <tr>
              <th scope="col">Executive</th>
              ${shown.map((name) => html`<th scope="col" class="number">${CAPTIONS[name]}</th>`)}
              <th scope="col">Filing</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map((row) => executive(row, shown))}
          </tbody>
        </table>
      </div>
      <p>
        Earlier fiscal years need an API key: <a href="/developer">get one</a>. The same rows in JSON:
        <a href="/t/${ticker}/facts">/t/${ticker}/facts</a>.
      </p>`,
  });
}

function executive(row: ExecutiveCompensation, shown: readonly (typeof AMOUNTS)[number][]): Html {
  const office = [row.is_peo && "PEO", row.is_pfo && "PFO"].filter((word) => word !== false).join(", ");
  const { form, filing_date, filing_url, accession } = row.source;
  const filing = html`<span class="whole">${form}</span>
    <span class="whole">${filing_date ?? accession}</span>`;
  return html`<tr>
    <th scope="row">
      ${row.executive_name}${office !== "" && html` <span class="soft">(${office})</span>`}<br /><span
        class="soft"
        >${row.executive_role}</span
      >
    </th>
    ${shown.map((name) => html`<td class="number${name === "total_compensation" && " total"}">${money(row[name])}</td>`)}
    <td>
      ${filing_url === null ? filing : html`<a href="${filing_url}" title="${accession}">${filing}</a>`}
    </td>
  </tr>`;
}

function incomplete(year: number): Html {
  return html`<p class="warning">
    Fiscal ${year} is incomplete: the filing of that year is not held, so executives who had left by the next
    one are missing.
  </p>`;
}

/** An amount the way finance people write it: thousands separated, cents only where there are some, an en dash for nil. */
export function money(amount: number): string {
  if (amount === 0) return "–";
  const cents = Number.isInteger(amount) ? 0 : 2;
  return amount.toLocaleString("en-US", { minimumFractionDigits: cents, maximumFractionDigits: cents });
}
