import { formatAmount } from "../../domain/amount.ts";
import type { ExecutiveCompensation } from "../../domain/row-fields.ts";
import { type Html, html } from "../../html.ts";
import type { BaseUrls } from "../../http/base-urls.ts";
import {
  type FoundCompany,
  type FoundPerson,
  type LatestFiling,
  MAX_PEOPLE,
} from "../../operations/page-data.ts";
import { companyPath, formerly, linkOut, rowPath, yearRange } from "./parts.ts";

/** Data of the home page. */
export interface HomeView {
  rows: number;
  companiesWithRows: number;
  edition: string;
  /** Fiscal years that have rows, newest first. */
  fiscalYears: readonly number[];
  /** The latest filings loaded. */
  filings: readonly LatestFiling[];
  /** The highest-paid of the latest year, for viewers who may see them. */
  rankings: { title: string; address: string; rows: readonly ExecutiveCompensation[] }[];
}

/** The home page: search, the highest-paid, and links to the rest. */
export function homeMain(baseUrls: BaseUrls, view: HomeView): Html {
  const { filings, rankings } = view;
  return html`<section class="hero">
      <h1>What public companies paid their named executive officers</h1>
      <p>
        One row per executive and fiscal year from the Summary Compensation Table of SEC filings, each with
        its filing and the cell that it was read from.
      </p>
      ${searchForm("", true)}
      <p class="soft">
        Try <a href="/search?q=apple">Apple</a>${
          rankings.length === 0
            ? html` or <a href="/search?q=facebook">Facebook</a>, by its former name.`
            : html`, <a href="/rankings?office=pfo&amp;fiscal_year=2024">the highest-paid CFOs of 2024</a> or
                <a href="/compare?t=AAPL,MSFT,GOOGL">Apple, Microsoft and Alphabet compared</a>.`
        }
      </p>
    </section>
    ${rankings.length > 0 && html`<div class="columns">${rankings.map(topList)}</div>`}
    <div class="columns">
      <section>
        <h2>Latest filings</h2>
        <ol class="top-list">
          ${filings.map(filingItem)}
        </ol>
      </section>
      <section>
        <h2><a href="/coverage">Coverage</a></h2>
        ${sums(view)} ${forPrograms(baseUrls)}
      </section>
    </div>`;
}

function topList({ title, address, rows }: HomeView["rankings"][number]): Html {
  return html`<section>
    <h2><a href="${address}">${title}</a></h2>
    <p class="hint soft">
      Total in ${rows[0]?.reporting_currency ?? "USD"}, each company's latest fiscal year
    </p>
    <ol class="top-list">
      ${rows.map(
        (row) =>
          html`<li>
            <a href="${rowPath(row)}">${row.executive_name}</a>
            <span class="soft"
              ><a href="${companyPath(row)}">${row.company_name}</a>, ${row.fiscal_year}</span
            >
            <span class="number">${formatAmount(row.total_compensation)}</span>
          </li>`,
      )}
    </ol>
  </section>`;
}

function filingItem({ form, filingDate, fiscalYear, url, companyName, ...company }: LatestFiling): Html {
  return html`<li>
    <a href="${companyPath(company)}">${companyName}</a>
    <span class="soft">${linkOut(url, form)}${fiscalYear !== null && `, fiscal ${fiscalYear}`}</span>
    <time class="soft" datetime="${filingDate}">${filingDate}</time>
  </li>`;
}

function sums({ rows, companiesWithRows, edition, fiscalYears }: HomeView): Html {
  const count = (value: number) => value.toLocaleString("en-US");
  return html`<dl class="sums">
    <div>
      <dt>Companies</dt>
      <dd>${count(companiesWithRows)}</dd>
    </div>
    <div>
      <dt>Rows</dt>
      <dd>${count(rows)}</dd>
    </div>
    <div>
      <dt>Fiscal years</dt>
      <dd>${yearRange(fiscalYears)}</dd>
    </div>
    <div>
      <dt>Data as of</dt>
      <dd><time datetime="${edition}">${edition}</time></dd>
    </div>
  </dl>`;
}

function forPrograms({ api, mcp }: BaseUrls): Html {
  return html`<h2>From programs and AI clients</h2>
    <ul>
      <li>
        Latest year, without a key: <a href="/t/AAPL/facts"><code>/t/AAPL/facts</code></a
        >.
      </li>
      <li>
        All years, with a key: <code>${api}/executive-compensation</code>.
        <a href="/developer">Create an API key</a> or read the <a href="/api/docs">reference</a>.
      </li>
      <li>
        MCP: <code>${mcp}</code>. <a href="/developer">Connect</a> Claude, ChatGPT, VS Code, Cursor, Codex.
      </li>
    </ul>`;
}

/** The search form. */
export function searchForm(words: string, isFocused: boolean): Html {
  return html`<form
    class="panel row search"
    method="get"
    action="/search"
    role="search"
    aria-label="Companies and executives"
  >
    <label class="wide"
      >Company, ticker symbol or executive
      <input
        name="q"
        type="search"
        value="${words}"
        required
        maxlength="100"
        placeholder="Apple, AAPL, facebook, Tim Cook"
        autocomplete="off"
        data-suggest="/suggest"
        ${isFocused && html`autofocus`}
      />
    </label>
    <button class="primary">Search</button>
  </form>`;
}

/** Maximum companies in search results. */
export const MAX_FOUND = 20;

/** Results of a search. */
export interface SearchView {
  words: string;
  companies: readonly FoundCompany[];
  /** Null where the viewer may not see people. */
  people: readonly FoundPerson[] | null;
  /** The one word these people match, when no name contains all the words. */
  having: string | null;
  offer: Html | null;
}

/** The search page. */
export function searchMain({ words, companies, people, having, offer }: SearchView): Html {
  return html`<h1>Search</h1>
    ${searchForm(words, false)}
    <h2>Companies</h2>
    ${companies.length === 0 && html`<p>No companies match “${words}”.</p>`}
    <ul class="results">
      ${companies.map(
        (company) =>
          html`<li>
            <a href="${companyPath(company)}">${company.company_name}</a>
            <span class="soft"
              >${[
                company.ticker,
                company.fiscal_years.length === 0
                  ? "no rows yet"
                  : `fiscal ${yearRange(company.fiscal_years)}`,
                formerly(company.former_names, company.company_name),
              ]
                .filter((part) => part !== "")
                .join(" · ")}</span
            >
          </li>`,
      )}
    </ul>
    ${companies.length === MAX_FOUND && firstOnly(MAX_FOUND)}
    ${
      people !== null &&
      html`<h2>Executives</h2>
        ${people.length === 0 && html`<p>No executives match “${words}”.</p>`}
        ${people.length > 0 && having !== null && html`<p>No executive’s name contains all of these words. Names with “${having}”:</p>`}
        <ul class="results">
          ${people.map(
            (person) =>
              html`<li>
                <a href="${companyPath(person)}/${person.years[0] ?? ""}/${person.executiveId}"
                  >${person.name}</a
                >
                <span class="soft">${person.companyName}, fiscal ${yearRange(person.years)}</span>
              </li>`,
          )}
        </ul>
        ${people.length === MAX_PEOPLE && firstOnly(MAX_PEOPLE)}`
    }
    ${offer}`;
}

function firstOnly(count: number): Html {
  return html`<p class="soft">Showing the first ${count}. Add a word to narrow the search.</p>`;
}
