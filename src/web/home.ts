import { html, page } from "../html.ts";
import type { BaseUrls } from "../base-urls.ts";

/** What the dataset says of itself on the first page. */
interface DatasetSummary {
  rows: number;
  companiesWithRows: number;
  edition: string;
}

/** The first page: what this is, and a company's pay within a minute. */
export function homePage(
  { api, mcp }: BaseUrls,
  { rows, companiesWithRows, edition }: DatasetSummary,
): string {
  return page({
    title: "What public companies paid their executives",
    description: "Named executive officer compensation from SEC filings, row by row, each with its filing.",
    main: html`<h1>What public companies paid their named executive officers</h1>
      <p>
        One row per executive and fiscal year, from the Summary Compensation Table (Regulation S-K Item
        402(c)) of SEC filings, each with its filing. ${rows.toLocaleString("en-US")} rows for
        ${companiesWithRows} companies, data as of ${edition}.
      </p>
      <form class="panel row" method="get" action="/t">
        <label
          >Ticker symbol <input name="ticker" required maxlength="20" placeholder="AAPL" autofocus
        /></label>
        <button class="primary">Show the latest year</button>
      </form>
      <h2>From programs and AI clients</h2>
      <ul>
        <li>
          Latest year, without a key: <a href="/t/AAPL/facts"><code>/t/AAPL/facts</code></a
          >.
        </li>
        <li>
          All years, with a key: <code>${api}/executive-compensation?ticker=AAPL</code>.
          <a href="/developer">Create an API key</a> or read the <a href="/api/docs">reference</a>.
        </li>
        <li>
          MCP: <code>${mcp}</code>. <a href="/developer">How to connect</a> Claude, ChatGPT, VS Code, Cursor,
          Codex.
        </li>
        <li><a href="/coverage">Coverage</a>: which companies and years are available.</li>
      </ul>`,
  });
}
