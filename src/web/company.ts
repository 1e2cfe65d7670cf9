import { formatAmountCell } from "../domain/amount.ts";
import { AMOUNT_FIELD, AMOUNTS, type AmountField, type ExecutiveCompensation } from "../domain/row-fields.ts";
import { readRows } from "../domain/row-text.ts";
import { type AvailableYear, type Company, newerFilingOf } from "../domain/company.ts";
import { type Html, html, page } from "../html.ts";

/**
 * The page of a company: its latest fiscal year as a table, each row with its filing.
 * @param asOf day up to which filings are taken into account; null for all
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
    description: `What ${company.name} paid its named executive officers in fiscal ${latest.fiscalYear}, with each row's filing.`,
    main: html`<h1>${company.name}</h1>
      <p class="soft">
        ${ticker} · CIK ${company.cik} · fiscal ${latest.fiscalYear} · amounts in
        ${currency}${asOf !== null && ` · from filings up to ${asOf}`}
      </p>
      ${!latest.complete && incomplete(latest.fiscalYear)} ${newerFiling(company)}
      <div class="scroll">
        <table>
          <caption>
            Summary Compensation Table (Regulation S-K Item 402(c)), fiscal ${latest.fiscalYear}
          </caption>
          <thead>
            <tr>
              <th scope="col">Executive</th>
              ${shown.map((name) => html`<th scope="col" class="number">${AMOUNT_FIELD[name].label}</th>`)}
              <th scope="col">Filing</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map((row) => executive(row, shown))}
          </tbody>
        </table>
      </div>
      <p>
        Earlier fiscal years need an API key: <a href="/developer">create one</a>. The same rows as JSON:
        <a href="/t/${ticker}/facts">/t/${ticker}/facts</a>.
      </p>`,
  });
}

function executive(row: ExecutiveCompensation, shown: readonly AmountField[]): Html {
  const offices = [
    row.is_peo &&
      html` <abbr class="soft" title="Principal executive officer (PEO), Item 402(a)(3)">CEO</abbr>`,
    row.is_pfo &&
      html` <abbr class="soft" title="Principal financial officer (PFO), Item 402(a)(3)">CFO</abbr>`,
  ];
  const { form, filing_date, filing_url, accession } = row.source;
  const filing = html`<span class="whole">${form}</span>
    <span class="whole">${filing_date ?? accession}</span>`;
  return html`<tr>
    <th scope="row">${row.executive_name}${offices}<br /><span class="soft">${row.executive_role}</span></th>
    ${shown.map((name) => html`<td class="number${name === "total_compensation" && " total"}">${formatAmountCell(row[name])}</td>`)}
    <td>
      ${filing_url === null ? filing : html`<a href="${filing_url}" title="${accession}">${filing}</a>`}
    </td>
  </tr>`;
}

function incomplete(year: number): Html {
  return html`<p class="warning">
    Fiscal ${year} is partial: that year's proxy statement is not loaded, so executives who left before the
    next one are missing.
  </p>`;
}

function newerFiling(company: Company): Html | false {
  const newer = newerFilingOf(company);
  if (newer === null) return false;
  const name = html`${newer.form ?? "filing"} of ${newer.filingDate}`;
  return html`<p class="warning">
    A newer filing is known and not loaded yet:
    ${newer.url === null ? name : html`<a href="${newer.url}">${name}</a>`}. The latest fiscal year below may
    not be the company's latest.
  </p>`;
}
