import { type Html, html } from "../../html.ts";
import type { CoverageEntry } from "../../operations/pages.ts";

/** Companies on one page. */
export const COVERAGE_PAGE = 250;

/** What the coverage page is asked for. */
export interface CoverageQuery {
  /** Letters of a ticker or name; empty for all. */
  search: string;
  /** Only companies with gaps. */
  gaps: boolean;
  /** First page is 1. */
  page: number;
}

/** Which companies and years are available, how their filings were read, and what is missing. */
export function coverageMain(lines: readonly CoverageEntry[], edition: string, query: CoverageQuery): Html {
  const wanted = query.search.toLowerCase();
  const found = lines.filter(
    ({ ticker, name, cik, gaps }) =>
      (!query.gaps || gaps.length > 0) &&
      (ticker.toLowerCase().startsWith(wanted) ||
        name.toLowerCase().includes(wanted) ||
        cik.endsWith(wanted)),
  );
  const pages = Math.max(1, Math.ceil(found.length / COVERAGE_PAGE));
  const at = Math.min(Math.max(1, query.page), pages);
  const covered = lines.filter(({ rows }) => rows > 0).length;
  const pending = lines.reduce((sum, { filings }) => sum + filings.pending, 0);
  return html`<h1>Coverage</h1>
    <p>
      ${covered} of ${lines.length} companies have rows; ${pending} known filings are not loaded yet. Data as
      of ${edition}. A year in italics with a star is partial: that year's proxy statement is not loaded, so
      executives who left before the next one are missing.
    </p>
    <p>
      With a network, <code>execcomp ingest --pending --index sp500</code> loads known filings of S&amp;P 500
      companies, <code>execcomp ingest --pending</code> all of them, those of 5,810 companies of 2017 to 2021
      included.
    </p>
    <form class="panel row" method="get" action="/coverage">
      <label>Ticker, name or CIK <input name="search" value="${query.search}" maxlength="60" /></label>
      <label class="check"
        ><input type="checkbox" name="gaps" value="1" ${query.gaps && html`checked`} /> Only with gaps</label
      >
      <button>Show</button>
    </form>
    <div class="scroll">
      <table>
        <caption>
          ${found.length}
          ${found.length === 1 ? "company" : "companies"}${pages > 1 && `, page ${at} of ${pages}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Ticker</th>
            <th scope="col">Company</th>
            <th scope="col">Fiscal years</th>
            <th scope="col" class="number">Rows</th>
            <th scope="col">Read by</th>
            <th scope="col">Validation</th>
            <th scope="col">Newest known filing</th>
            <th scope="col">Known gaps and problems</th>
          </tr>
        </thead>
        <tbody>
          ${found.slice((at - 1) * COVERAGE_PAGE, at * COVERAGE_PAGE).map(row)}
        </tbody>
      </table>
    </div>
    ${pages > 1 && turner(at, pages, query)}`;
}

function row({
  ticker,
  cik,
  name,
  years,
  rows,
  read,
  newestKnown,
  gaps,
  checks,
  checkedRows,
  problems,
}: CoverageEntry): Html {
  const label = ticker === "" ? cik : ticker;
  return html`<tr>
    <th scope="row">${rows > 0 && ticker !== "" ? html`<a href="/t/${ticker}">${label}</a>` : label}</th>
    <td>${name}</td>
    <td>
      ${years.map(({ fiscalYear, complete }) => (complete ? html`${fiscalYear} ` : html`<em>${fiscalYear}*</em> `))}
    </td>
    <td class="number">${rows}</td>
    <td>${read.join(", ")}</td>
    <td>${validation(checks, checkedRows)}</td>
    <td>
      ${
        newestKnown !== null &&
        html`${
          newestKnown.url === null
            ? newestKnown.accession
            : html`<a href="${newestKnown.url}">${newestKnown.accession}</a>`
        }
        of ${newestKnown.filingDate}${!newestKnown.held && html`, <strong>not loaded</strong>`}`
      }
    </td>
    <td>${[...gaps, counts(problems)].filter((words) => words !== "").join("; ")}</td>
  </tr>`;
}

/** `29 of 29 totals reconcile`. The check of rows that were entered manually is called `sum`. */
function validation(checks: CoverageEntry["checks"], checkedRows: number): string {
  const reconciled = (checks["sum_to_total"] ?? 0) + (checks["sum"] ?? 0);
  return checkedRows === 0 ? "" : `${reconciled} of ${checkedRows} totals reconcile`;
}

function counts(byName: Readonly<Record<string, number>>): string {
  return Object.entries(byName)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

function turner(at: number, pages: number, { search, gaps }: CoverageQuery): Html {
  const address = (to: number) =>
    `/coverage?${new URLSearchParams({ search, ...(gaps ? { gaps: "1" } : {}), page: String(to) })}`;
  return html`<nav class="row" aria-label="Pages">
    ${at > 1 && html`<a class="button" href="${address(at - 1)}">Previous</a>`}
    ${at < pages && html`<a class="button" href="${address(at + 1)}">Next</a>`}
  </nav>`;
}
