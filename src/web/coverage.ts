import { type Html, html, page } from "../html.ts";
import type { CoverageEntry } from "../operations/pages.ts";

/** Companies on one page. */
export const COVERAGE_PAGE = 250;

/** What the coverage page is asked for. */
export interface CoverageQuery {
  /** Letters of a ticker or name; empty for all. */
  search: string;
  /** Only companies that lack something. */
  gaps: boolean;
  /** First page is 1. */
  page: number;
}

/** What is held of each company, how it was read, and what is known to be missing. */
export function coveragePage(lines: readonly CoverageEntry[], edition: string, query: CoverageQuery): string {
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
  const held = lines.filter(({ rows }) => rows > 0).length;
  const pending = lines.reduce((sum, { filings }) => sum + filings.pending, 0);
  return page({
    title: "Coverage",
    description: `What is held of ${lines.length} companies, and what is known to be missing.`,
    main: html`<h1>Coverage</h1>
      <p>
        ${held} of ${lines.length} companies have rows; ${pending} known filings are not held. Data of
        ${edition}. A year in italics with a star is incomplete: the filing of that year is not held, so
        executives who had left by a later one are missing.
      </p>
      <form class="panel row" method="get" action="/coverage">
        <label>Ticker, name or CIK <input name="search" value="${query.search}" maxlength="60" /></label>
        <label class="check"
          ><input type="checkbox" name="gaps" value="1" ${query.gaps && html`checked`} /> Only with
          gaps</label
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
              <th scope="col">Years held</th>
              <th scope="col" class="number">Rows</th>
              <th scope="col">Read</th>
              <th scope="col">Checks that agreed</th>
              <th scope="col">Newest filing known</th>
              <th scope="col">Known gaps and problems</th>
            </tr>
          </thead>
          <tbody>
            ${found.slice((at - 1) * COVERAGE_PAGE, at * COVERAGE_PAGE).map(row)}
          </tbody>
        </table>
      </div>
      ${pages > 1 && turner(at, pages, query)}`,
  });
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
    <td>${counts(checks)}</td>
    <td>
      ${
        newestKnown !== null &&
        html`${
          newestKnown.url === null
            ? newestKnown.accession
            : html`<a href="${newestKnown.url}">${newestKnown.accession}</a>`
        }
        of ${newestKnown.filingDate}${!newestKnown.held && html`, <strong>not held</strong>`}`
      }
    </td>
    <td>${[...gaps, counts(problems)].filter((words) => words !== "").join("; ")}</td>
  </tr>`;
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
    ${at > 1 && html`<a class="button" href="${address(at - 1)}">Earlier</a>`}
    ${at < pages && html`<a class="button" href="${address(at + 1)}">Later</a>`}
  </nav>`;
}
