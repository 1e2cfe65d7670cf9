/** The home page: search first, the highest-paid, rises and falls, the latest filings, how the rows are known. */
import { Elysia } from "elysia";
import { BoundedCache } from "../../domain/cache.ts";
import { formatAmount } from "../../domain/amount.ts";
import type { ExecutiveCompensation } from "../../domain/row-fields.ts";
import { type Html, html } from "../../html.ts";
import type { BaseUrls } from "../../http/base-urls.ts";
import { parameters } from "../../http/responses.ts";
import { ROUTES } from "../../http/routes.ts";
import {
  countLinked,
  type Dataset,
  figuresOf,
  fiscalYearsOf,
  isShortPeriod,
  type LatestFiling,
  latestFilings,
  type Ranking,
  rankingOf,
  rowBefore,
  rowCells,
  type RowCells,
  shortPeriods,
} from "../../operations/page-data.ts";
import type { WebDeps } from "../deps.ts";
import { pictureOf } from "../picture.ts";
import { show } from "../show.ts";
import type { Viewer } from "../viewer.ts";
import { siteData } from "./linked-data.ts";
import {
  changeMark,
  changeOf,
  companyPath,
  counted,
  linkOut,
  MARKS,
  mixBar,
  money,
  rowPath,
  searchForm,
  shortName,
  sourceMark,
  yearRange,
} from "./parts.ts";

const TOP = 12;
/** Rises, and falls. */
const MOVED = 4;
const LATEST_FILINGS = 6;
const MAX_ROWS = 1000;

/** What the page shows of a dataset to everyone: found once, because it reads every filing. */
interface Covered {
  filings: readonly LatestFiling[];
  /** Newest first. */
  fiscalYears: readonly number[];
  linked: number;
  rows: number;
}

/** The highest-paid, and whose pay rose and fell most. */
interface Market {
  ranking: Ranking;
  median: number | null;
  cells: RowCells;
  rose: readonly Moved[];
  fell: readonly Moved[];
  compared: number;
}

interface Moved {
  row: ExecutiveCompensation;
  before: ExecutiveCompensation;
}

/** `/` */
export function homePage(deps: WebDeps) {
  const covered = new BoundedCache<string, Covered>(2);
  const markets = new BoundedCache<string, Promise<Market>>(2);
  return new Elysia({ name: "home-page" }).get(
    ROUTES.home.path,
    deps.conditional(async (request) => {
      const viewer = await deps.viewers.find(request);
      const dataset = deps.snapshots.current();
      const { contentHash } = dataset.info;
      const sees = seesRankings(deps, viewer);
      const main = homeMain(deps.contextOf(request).baseUrls, dataset, {
        covered: covered.getOrMake(contentHash, () => ({
          filings: latestFilings(dataset, LATEST_FILINGS),
          fiscalYears: fiscalYearsOf(dataset),
          ...countLinked(dataset),
        })),
        market:
          sees === "nothing" ? null : await markets.getOrMake(contentHash, () => readMarket(deps, dataset)),
        seesChange: sees === "everything",
      });
      return show(viewer, { ...aboutHome(deps, request), main, ownSearch: true });
    }),
  );
}

function aboutHome(deps: WebDeps, request: Request) {
  const { origin } = deps.contextOf(request).baseUrls;
  const description =
    "Named executive officer compensation from SEC filings, row by row, each with its filing.";
  return {
    title: "What public companies pay their executives",
    description,
    canonical: `${origin}/`,
    picture: pictureOf(
      deps,
      request,
      ROUTES.homePreview.path,
      "How many companies, rows and fiscal years are covered.",
    ),
    linkedData: siteData(origin, description),
  };
}

/** What the viewer sees of rankings free of charge: a visitor never a change, which would tell a paid year. */
function seesRankings(
  { prices, publicRankings }: WebDeps,
  viewer: Viewer,
): "everything" | "latest" | "nothing" {
  if (viewer.kind === "operator") return "everything";
  if (viewer.kind === "person" && (viewer.isUnmetered || prices.priceQuery === 0)) return "everything";
  return publicRankings === "on" ? "latest" : "nothing";
}

async function readMarket({ analyst }: WebDeps, dataset: Dataset): Promise<Market> {
  const query = { office: "peo", one_per_company_year: "true", max_rows: String(MAX_ROWS) };
  const all = await rankingOf(dataset, analyst, parameters(new URLSearchParams(query)));
  const figures = await figuresOf(dataset, analyst, all);
  const remarks = shortPeriods(
    dataset,
    all.rows.map(({ cik }) => cik),
  );
  const moved = all.rows.flatMap((row): Moved[] => {
    const before = rowBefore(dataset, row);
    const isWhole = before?.is_peo === true && changeOf(row, before, remarks) !== null;
    return isWhole && !isShortPeriod(remarks(row)) ? [{ row, before }] : [];
  });
  const byChange = moved.toSorted((a, b) => gainOf(b) - gainOf(a));
  const rows = all.rows.slice(0, TOP);
  return {
    ranking: { ...all, rows },
    median: figures?.median ?? null,
    cells: rowCells(
      dataset,
      rows.map(({ cik }) => cik),
    ),
    rose: byChange.slice(0, MOVED).filter((one) => gainOf(one) > 0),
    fell: byChange
      .slice(-MOVED)
      .filter((one) => gainOf(one) < 0)
      .toReversed(),
    compared: moved.length,
  };
}

function gainOf({ row, before }: Moved): number {
  return row.total_compensation - before.total_compensation;
}

interface HomeView {
  covered: Covered;
  market: Market | null;
  seesChange: boolean;
}

function homeMain(baseUrls: BaseUrls, { info }: Dataset, { covered, market, seesChange }: HomeView): Html {
  const newest = covered.fiscalYears[1] ?? covered.fiscalYears[0] ?? "";
  return html`<section class="hero">
      <h1>What public companies pay their executives</h1>
      ${searchForm("", true)}
      <p class="soft">
        Try <a href="/search?q=apple">Apple</a>${
          market === null
            ? html` or <a href="/search?q=facebook">Facebook</a>, by its former name.`
            : html`, <a href="/search?q=tim+coo">tim coo</a> · or ask:
                <a href="/rankings?office=pfo&amp;fiscal_year=${newest}"
                  >the highest-paid CFOs of ${newest}</a
                >
                · <a href="/statistics">median pay by office</a> ·
                <a href="/compare?t=AAPL,MSFT,GOOGL,AMZN,META">five companies side by side</a>`
        }
      </p>
    </section>
    <div class="${market !== null && "two"}">
      ${market !== null && html`<section>${topTable(market)}</section>`}
      <section>
        ${market !== null && seesChange && movedTable(market)}
        <h2>Latest filings</h2>
        <ol class="top-list">
          ${covered.filings.map(filingItem)}
        </ol>
      </section>
    </div>
    ${howKnown(covered, info)} ${forPrograms(baseUrls)}`;
}

function topTable({ ranking, median, cells }: Market): Html {
  const { rows, matched } = ranking;
  const highest = Math.max(1, ...rows.map((row) => row.total_compensation));
  const all = "/rankings?office=peo&one_per_company_year=true";
  return html`<div class="head">
      <h2>Highest-paid CEOs, latest year</h2>
      <p class="soft">
        ${median !== null && html`median ${money(Math.round(median), rows[0]?.reporting_currency ?? "USD")} of ${counted(matched.companies, "company", "companies")} · `}<a
          href="${all}"
          >All ${matched.rows.toLocaleString("en-US")}</a
        >
      </p>
    </div>
    <div class="scroll">
      <table class="pay cards brief short">
        <caption class="away">
          Total in ${rows[0]?.reporting_currency ?? "USD"}, each company's latest fiscal year
        </caption>
        <thead>
          <tr>
            <th scope="col">Company and CEO</th>
            <th scope="col">Mix of pay</th>
            <th scope="col" class="number">Total, $</th>
            <th scope="col" class="number">Fiscal year</th>
            <th scope="col" class="number">Source</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row, index) =>
              html`<tr>
                <th scope="row">
                  <span class="rank">${index + 1}</span
                  ><a href="${companyPath(row)}">${shortName(row.company_name)}</a
                  ><a class="role" href="${rowPath(row)}">${row.executive_name}</a>
                </th>
                <td class="mixed">${mixBar(row, highest)}</td>
                <td class="number total">
                  <a class="amount" href="${rowPath(row)}/total_compensation"
                    >${formatAmount(row.total_compensation)}</a
                  >
                </td>
                <td class="number" data-label="Fiscal year">${row.fiscal_year}</td>
                <td class="number" data-label="Source">${sourceMark(row, cells.isLinked(row))}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${MARKS}`;
}

function movedTable({ rose, fell, compared }: Market): Html {
  const line = ({ row, before }: Moved) => {
    const gain = row.total_compensation - before.total_compensation;
    const millions = `${gain < 0 ? "−" : "+"}$${(Math.abs(gain) / 1e6).toFixed(1)}M`;
    return html`<li>
      <span
        ><a href="${rowPath(row)}">${row.executive_name}</a>
        <a class="soft" href="${companyPath(row)}">${shortName(row.company_name)}</a></span
      >
      <span class="number">${millions}</span>
      <span class="number"
        >${changeMark((row.total_compensation / before.total_compensation - 1) * 100)}</span
      >
    </li>`;
  };
  return html`<div class="head">
      <h2>Rose and fell most</h2>
      <p class="soft">${counted(compared, "CEO")} in office both years</p>
    </div>
    <ul class="top-list">
      ${rose.map(line)} ${fell.map(line)}
    </ul>`;
}

function filingItem({ form, filingDate, fiscalYear, url, companyName, ...company }: LatestFiling): Html {
  return html`<li>
    <a href="${companyPath(company)}">${companyName}</a>
    <span class="soft">${linkOut(url, form)}${fiscalYear !== null && `, fiscal ${fiscalYear}`}</span>
    <time class="soft" datetime="${filingDate}">${filingDate}</time>
  </li>`;
}

/** How many rows are linked to a cell, and how many were typed. */
function howKnown({ linked, rows, fiscalYears }: Covered, info: Dataset["info"]): Html {
  const share = rows === 0 ? 0 : (linked / rows) * 1000;
  return html`<div class="head">
      <h2><a href="/coverage">Coverage</a></h2>
      <p class="soft">
        ${counted(info.rows, "row")} of ${counted(info.companiesWithRows, "company", "companies")}, fiscal
        ${yearRange(fiscalYears)} · data as of <time datetime="${info.edition}">${info.edition}</time>
      </p>
    </div>
    <svg class="mix" viewBox="0 0 1000 9" preserveAspectRatio="none" aria-hidden="true">
      <rect class="pay-stock_awards" width="${share.toFixed(0)}" height="9" />
      <rect
        class="pay-option_awards"
        x="${share.toFixed(0)}"
        width="${(1000 - share).toFixed(0)}"
        height="9"
      />
    </svg>
    <dl class="sums plain">
      <div>
        <dt><i class="dot"></i> linked to cells</dt>
        <dd>
          ${linked.toLocaleString("en-US")}
          <span>rows whose amounts link to their cells in the filing's table</span>
        </dd>
      </div>
      <div>
        <dt><i class="dot typed"></i> typed from the filing</dt>
        <dd>
          ${(rows - linked).toLocaleString("en-US")}
          <span>rows with every component, read by eye, without a link to a cell yet</span>
        </dd>
      </div>
      <div>
        <dt>Companies</dt>
        <dd>
          ${info.companiesWithRows.toLocaleString("en-US")}
          <span>with rows; what is missing stands under <a href="/coverage">Coverage</a></span>
        </dd>
      </div>
    </dl>`;
}

function forPrograms({ api, mcp }: BaseUrls): Html {
  return html`<h2>From programs and AI clients</h2>
    <p class="soft">
      Latest year, without a key: <a href="/t/AAPL/facts"><code>/t/AAPL/facts</code></a
      >. All years, with a key: <code>${api}/executive-compensation</code>;
      <a href="/developer">create an API key</a> or read the <a href="/api/docs">reference</a>. MCP:
      <code>${mcp}</code>; <a href="/developer">connect</a> Claude, ChatGPT, VS Code, Cursor, Codex.
    </p>`;
}
