/** The home page: search first, the highest-paid, rises and falls, the latest filings, how the totals are known. */
import { counted, numeral } from "../../lib/text.ts";
import type { ExecutiveCompensation as Row } from "../../domain/row-fields.ts";
import { type Html, html } from "../../lib/html.ts";
import { fiscalYearsOf } from "../../dataset/columns/columns.ts";
import { pathTo, ROUTES } from "../../http/routes.ts";
import type { ResultOf } from "../../analysis/index.ts";
import type { LatestFiling } from "../../dataset/company-facts.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { rankingOf } from "../../operations/rankings.ts";
import { rowBefore } from "../../operations/rows.ts";
import { resolvedCeoPay } from "../../operations/ceo-pay.ts";
import type { PageVisit } from "../page-visit.ts";
import type { WebDeps } from "../deps.ts";
import { show } from "../page-response.ts";
import { welcome } from "../paywall.ts";
import { readTotals, TOTAL_MARKS, totalsTable, yearsMixed } from "./ceo-pay.ts";
import type { Filters } from "../filters.ts";
import { readCovered, stripOf, visitorMain } from "./visitor-home.ts";
import { companyPath, rowPath } from "../parts/addresses.ts";
import { money } from "../parts/amounts.ts";
import { changeMark } from "../parts/change.ts";
import { headed, keyFigures, linkOut, searchForm } from "../parts/elements.ts";
import { shortName } from "../parts/names.ts";
import { yearRange } from "../parts/years.ts";

const TOP = 12;
const INDEX = { index: "sp500" };
/** Rises, and falls. */
const MOVED = 4;
const LATEST_FILINGS = 6;
/** Of whom the first that are shown are found. */
const CANDIDATES = 50;

type Market = Awaited<ReturnType<typeof readMarket>>;
type Moves = Awaited<ReturnType<typeof readMoved>>;

interface Moved {
  row: Row;
  before: Row;
}

/** `/` */
export function homePage(deps: WebDeps) {
  // Found once, because it reads every filing.
  const latest = oncePerDataset(async (dataset) =>
    deps.analyst.ask(dataset, { kind: "latest_filings", filings: LATEST_FILINGS }),
  );
  const market = oncePerDataset((dataset) => readMarket(deps, dataset));
  const moves = oncePerDataset((dataset) => readMoved(deps, dataset));
  const covered = oncePerDataset(async (dataset) =>
    readCovered(deps, dataset, (await latest(dataset)).known),
  );
  return async (visit: PageVisit): Promise<Response> => {
    const { viewer, dataset, origin } = visit;
    const sees = seesRankings(visit);
    const home =
      sees === "nothing"
        ? visitorMain(visit, await covered(dataset))
        : marketMain(visit, {
            latest: await latest(dataset),
            market: await market(dataset),
            moves: sees === "everything" ? await moves(dataset) : null,
          });
    return show(viewer, {
      title: "What public companies pay their executives",
      description: "What named executive officers are paid, from SEC filings: every amount with its filing.",
      canonical: `${origin}/`,
      main: html`${welcome(viewer)} ${hero(dataset, sees !== "nothing")} ${home} ${forPrograms(visit)}`,
      ownSearch: true,
    });
  };
}

/** What is found once for a dataset, until another is in use; a refusal is not kept. */
export function oncePerDataset<Found>(find: (dataset: Dataset) => Promise<Found>) {
  let cached: { contentHash: string; found: Promise<Found> } | undefined;
  return (dataset: Dataset): Promise<Found> => {
    const { contentHash } = dataset.info;
    if (cached?.contentHash === contentHash) return cached.found;
    const found = find(dataset).catch((refused: unknown) => {
      cached = undefined;
      throw refused;
    });
    cached = { contentHash, found };
    return found;
  };
}

/** What the viewer sees of rankings free of charge: the newest totals, a change, which would tell a paid year, only who sees all. */
function seesRankings({ deps, viewer }: PageVisit): "everything" | "latest" | "nothing" {
  const { prices, publicRankings } = deps;
  if (viewer.kind === "operator") return "everything";
  if (viewer.kind === "person")
    return viewer.isUnmetered || prices.priceQuestion === 0 ? "everything" : "latest";
  return publicRankings === "on" ? "latest" : "nothing";
}

/** The totals of the index, and how they are known. */
async function readMarket(deps: WebDeps, dataset: Dataset) {
  const [totals, { known }] = await Promise.all([
    readTotals(deps, dataset, INDEX, { maxRows: TOP, sight: null }),
    deps.analyst.ask(dataset, { kind: "ceo_pay_evidence", selection: resolvedCeoPay(dataset, INDEX) }),
  ]);
  return { totals, known };
}

/** Chief executives whose total can be compared with that of the year before: of the same person and currency, both of full years. */
const COMPARED = { office: "peo", one_per_company_year: "true", total_change_gte: "-1000000000000" };

async function readMoved(deps: WebDeps, dataset: Dataset) {
  const ask = (filters: Filters) => rankingOf(dataset, deps.analyst, { ...COMPARED, ...filters });
  const { fiscalYears } = await ask({ max_rows: "1" });
  // Of one year only: rises of different years are not of one market.
  const [[year] = []] = Object.entries(fiscalYears).toSorted(([, a], [, b]) => b - a);
  // No executive of the dataset has two years that can be compared.
  if (year === undefined) return null;
  const moved = async (sort: string) => {
    const { rows, matched } = await ask({ fiscal_year: year, sort, max_rows: String(CANDIDATES) });
    const pairs = rows.map((row) => ({ row, before: rowBefore(dataset, row) }));
    // Not of those who became chief executive in the year.
    const shown = pairs.filter((pair): pair is Moved => pair.before?.is_peo === true).slice(0, MOVED);
    return { shown, compared: matched.rows };
  };
  const [rose, fell] = [await moved("-total_change"), await moved("total_change")];
  return {
    rose: rose.shown.filter((one) => gainOf(one) > 0),
    fell: fell.shown.filter((one) => gainOf(one) < 0),
    compared: rose.compared,
    /** The fiscal year whose totals are compared with those of the year before. */
    year: Number(year),
  };
}

function gainOf({ row, before }: Moved): number {
  return row.total_compensation - before.total_compensation;
}

/** The search, and what to try. */
function hero(dataset: Dataset, seesRankings: boolean): Html {
  const { compare, rankings, search, statisticsPage } = ROUTES;
  const fiscalYears = fiscalYearsOf(dataset);
  const newest = fiscalYears[1] ?? fiscalYears[0] ?? "";
  const further = seesRankings
    ? html` · or open:
        <a href="${rankings.path}?office=pfo&amp;fiscal_year=${newest}">the highest-paid CFOs of ${newest}</a>
        · <a href="${statisticsPage.path}">median pay by office</a> ·
        <a href="${compare.path}?companies=AAPL,MSFT,GOOGL,AMZN,META">five companies side by side</a>`
    : html`, <a href="${search.path}?q=AT%26T">AT&amp;T</a> · each company’s latest year is free and needs no
        account`;
  return html`<section class="hero">
    <h1>What public companies pay their executives</h1>
    ${searchForm("", true)}
    <p class="soft">
      Try <a href="${search.path}?q=apple">Apple</a>, <a href="${search.path}?q=tim+coo">tim coo</a>${further}
    </p>
  </section>`;
}

function marketMain(
  { dataset }: PageVisit,
  { latest, market, moves }: { latest: ResultOf["latest_filings"]; market: Market; moves: Moves },
): Html {
  return html`<div class="two">
      <section>${topTable(market)}</section>
      <section>
        ${moves !== null && movedTable(moves)}
        <h2>Latest filings</h2>
        <ol class="top-list">
          ${latest.filings.map(filingItem)}
        </ol>
      </section>
    </div>
    ${howKnown(dataset, market)}`;
}

function topTable({ totals: { answer, statistics, provenance } }: Market): Html {
  const [figures] = statistics.statistics;
  const median =
    figures !== undefined &&
    html`median ${money(Math.round(figures.median), "USD")} of ${counted(figures.companies, "company")} · `;
  const total = numeral(answer.matched.records);
  const all = html`<a href="${ROUTES.ceoPayPage.path}?index=sp500">All ${total}</a>`;
  const title = html`Highest-paid CEOs of the S&amp;P 500, latest year`;
  return html`${headed(title, html`<p class="soft">${median}${all}</p>`)}
    ${totalsTable(answer.ceo_pay, provenance)}
    <p class="foot">Each company’s newest known total. ${yearsMixed(answer.fiscal_years)}</p>
    ${TOTAL_MARKS}`;
}

function movedTable({ rose, fell, compared, year }: NonNullable<Moves>): Html {
  const line = ({ row, before }: Moved) => {
    const gain = gainOf({ row, before });
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
  const about = html`<p class="soft">fiscal ${year} on ${year - 1}, ${counted(compared, "CEO")}</p>`;
  return html`${headed("Rose and fell most", about)}
    <ul class="top-list">
      ${rose.map(line)} ${fell.map(line)}
    </ul>`;
}

function filingItem({ form, filingDate, fiscalYear, url, companyName, ...company }: LatestFiling): Html {
  return html`<li>
    <a href="${companyPath(company)}">${shortName(companyName)}</a>
    <span class="soft">${linkOut(url, form)}${fiscalYear !== null && `, fiscal ${fiscalYear}`}</span>
    <time class="soft" datetime="${filingDate}">${filingDate}</time>
  </li>`;
}

/** How the totals of the index are known. */
function howKnown(dataset: Dataset, { totals, known }: Market): Html {
  const { info } = dataset;
  const { matched, index_members: members = 0, index_members_without_total: without = 0 } = totals.answer;
  const doubtful = matched.doubtful > 0 ? `; ${matched.doubtful} in doubt are left out` : "";
  const kinds = [
    [
      known.linked,
      "dot",
      "checked against its cell",
      "every amount is that of its cell in the filing's table",
    ],
    [
      known.typed,
      "dot typed",
      "typed from the filing",
      "every component, read by eye; its cell is not recorded",
    ],
    [
      known.collected,
      "dot collected",
      "collected by others",
      "the total is confirmed by the filer's tags, the components are not checked",
    ],
    [
      matched.by_basis.tag ?? 0,
      "dot tagged",
      "tagged by the filer",
      `the total only, from inline XBRL${doubtful}`,
    ],
    [without, "", "not known", `of ${counted(members, "member")}`],
  ] as const;
  const about = html`<p class="soft">
    every component of ${counted(info.companiesWithRows, "company")}, fiscal
    ${yearRange(fiscalYearsOf(dataset))} · data as of
    <time datetime="${info.edition}">${info.edition}</time> · <a href="${ROUTES.coverage.path}">Coverage</a>
  </p>`;
  const figures = kinds.map(
    ([count, mark, name, text]) => [html`<i class="${mark}"></i> ${name}`, numeral(count), text] as const,
  );
  return html`${headed(`How the ${numeral(matched.companies + without)} totals are known`, about)}
  ${stripOf(kinds.map(([count]) => count))} ${keyFigures(figures, "sums plain")}`;
}

function forPrograms({ deps, request }: PageVisit): Html {
  const { compensation, mcp } = deps.contextOf(request).baseUrls;
  const [facts, developer] = [pathTo("facts", { ticker: "AAPL" }), ROUTES.developer.path];
  return html`<h2>From programs and AI clients</h2>
    <p class="soft">
      Latest year, without a key: <a href="${facts}"><code>${facts}</code></a
      >. All years, with a key: <code>${compensation}</code>; <a href="${developer}">create an API key</a> or
      read the <a href="${ROUTES.docs.path}">reference</a>. MCP: <code>${mcp}</code>;
      <a href="${developer}">connect</a> Claude, ChatGPT, VS Code, Cursor, Codex.
    </p>`;
}
