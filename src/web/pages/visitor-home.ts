/** What a visitor meets on a server for others: what is covered, six free company pages, what a credit opens, how to come in. */
import { unitsOf } from "../../domain/amount.ts";
import { counted, numeral } from "../../lib/text.ts";
import { type Html, html } from "../../lib/html.ts";
import { ROUTES } from "../../http/routes.ts";
import { fiscalYearsOf } from "../../dataset/columns/columns.ts";
import { type CeoPayRecord, readCeoPay } from "../../dataset/ceo-pay-records.ts";
import { rowCells } from "../../dataset/company-facts.ts";
import { coverageSums } from "../../dataset/coverage.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import type { ExecutiveCompensation as Row, RowEvidence } from "../../domain/row-fields.ts";
import { findCompany, type PageCompany } from "../../operations/companies.ts";
import { yearsOf } from "../../operations/rows.ts";
import { rankingOf } from "../../operations/rankings.ts";
import type { PageVisit } from "../page-visit.ts";
import type { WebDeps } from "../deps.ts";
import { accountText, priceText } from "../paywall.ts";
import { pathOf } from "../parts/addresses.ts";
import { money } from "../parts/amounts.ts";
import { headed } from "../parts/elements.ts";
import { mixBar, mixKeys, mixOf, outlineBar } from "../parts/mix.ts";
import { shortName } from "../parts/names.ts";
import { heldBy } from "../parts/offices.ts";
import { COLLECTED_MARK, EVIDENCE_MARK } from "../parts/sources.ts";

/** Companies that everybody knows. They are shown in alphabetical order: any other order would tell amounts. */
const SHOWCASE = "AAPL KO GIS JPM MCD MSFT".split(" ");

/** What is told of a dataset to everyone. */
export type Covered = Awaited<ReturnType<typeof readCovered>>;

/**
 * Counts of companies, rows, years and filings, and the free company pages. No amount of one company beside another's. SQL by hand:
 * sums over all companies (`growth`).
 */
export async function readCovered(
  deps: Pick<WebDeps, "analyst">,
  dataset: Dataset,
  known: Readonly<Record<RowEvidence, number>>,
) {
  const { info } = dataset;
  const [counts] = dataset.all<{ totals: number; alone: number; doubtful: number }>(
    `select count(distinct iif(doubt is null, t.cik, null)) as totals,
      count(distinct iif(doubt is null and row_count = 0, t.cik, null)) as alone,
      count(distinct iif(row_count = 0, t.cik, null)) as doubtful
      from ceo_pay t join companies using (cik) where is_latest`,
  );
  const { totals: withTotal = 0, alone = 0, doubtful = 0 } = counts ?? {};
  const [filings] = dataset.all<{ count: number }>(
    "select count(*) as count from filings where status = 'parsed'",
  );
  const [entire] = dataset.all<{ count: number }>(
    "select count(*) as count from coverage where rows > 0 and complete > 0",
  );
  const { fiscalYears } = await rankingOf(dataset, deps.analyst, { max_rows: "1" });
  const { withRows, years } = coverageSums(dataset);
  return {
    withRows: info.companiesWithRows,
    /** Those of them with a year of which no officer is missing. */
    entire: entire?.count ?? 0,
    rows: info.rows,
    known,
    filings: filings?.count ?? 0,
    /** Companies with a CEO's total, of a row or a tag. */
    totals: withTotal,
    /** Those without rows, and those of them whose total is in doubt. */
    alone,
    doubtful: doubtful - alone,
    companies: info.companies,
    /** Fiscal years beside each company's latest. */
    earlier: years - withRows,
    oldest: fiscalYearsOf(dataset).at(-1),
    /** The fiscal year that is the latest of most companies, and of how many. */
    latest: Object.entries(fiscalYears).toSorted(([, a], [, b]) => b - a)[0],
    showcase: showcaseOf(dataset),
  };
}

/** Free company pages: those that everybody knows, then by name, as many as there are. */
function showcaseOf(dataset: Dataset): Shown[] {
  const byName = dataset.all<{ cik: string }>(
    "select printf('%010d', cik) as cik from companies where row_count > 0 order by name limit 50",
  );
  const found = [
    ...SHOWCASE.flatMap((symbol) => findCompany(dataset, "ticker", symbol) ?? []),
    ...byName.flatMap(({ cik }) => findCompany(dataset, "cik", cik) ?? []),
  ];
  const distinct = new Map(found.map((one) => [one.company.cik, one]));
  const shown: Shown[] = [];
  for (const one of distinct.values()) {
    if (shown.length === SHOWCASE.length) break;
    shown.push(...shownOf(dataset, one));
  }
  return shown.toSorted((a, b) =>
    shortName(a.found.company.name).localeCompare(shortName(b.found.company.name), "en"),
  );
}

/** A free company page: the newest known total of its CEO, and the row it is of, where it is of one. */
interface Shown {
  found: PageCompany;
  total: CeoPayRecord;
  row: Row | undefined;
  /** Rows of that fiscal year. */
  officers: number;
  evidence: RowEvidence | null;
}

function shownOf(dataset: Dataset, found: PageCompany): Shown[] {
  const { cik } = found.company;
  const latest = readCeoPay(dataset, cik).filter(({ isLatest, doubts }) => isLatest && doubts.length === 0);
  const [total] = latest.toSorted((a, b) => b.cents - a.cents);
  if (total === undefined) return [];
  const year = dataset.years(cik).slice(0, 1);
  const rows = yearsOf(found, year).flatMap((one) => one.rows);
  const row =
    total.basis === "row"
      ? heldBy(rows, "CEO").find((one) => one.total_compensation === unitsOf(total.cents))
      : undefined;
  const evidence = row === undefined ? null : rowCells(dataset, [cik]).evidence(row);
  return [{ found, total, row, officers: rows.length, evidence }];
}

/** All of it below the search. */
export function visitorMain(visit: PageVisit, covered: Covered): Html {
  const hasCollected = covered.showcase.some(({ evidence }) => evidence === "collected");
  const rows = covered.showcase.flatMap(({ row }) => row ?? []);
  return html`${coveredStrip(visit.dataset, covered)}
    <div class="two">
      <section>
        ${headed(`${SIX[covered.showcase.length] ?? "Company"} ${covered.showcase.length === 1 ? "page" : "pages"}, free to open`, html`<span class="soft">in alphabetical order</span>`)}
        <div class="showcase">${covered.showcase.map(card)}</div>
      </section>
      <section>${credits(visit, covered)}</section>
    </div>
    <div class="head foot">
      ${mixKeys(rows)}
      <span
        ><i class="dot"></i> checked against its cell in the filing &#160; <i class="dot typed"></i> typed
        from the filing &#160; ${hasCollected && html`${COLLECTED_MARK} &#160;`}
        <i class="dot tagged"></i> tagged by the filer: an outline, the total only</span
      >
    </div>`;
}

const SIX: Readonly<Record<number, string>> = {
  1: "One company",
  2: "Two company",
  3: "Three company",
  4: "Four company",
  5: "Five company",
  6: "Six company",
};

/** Counts as parts of a strip, from the best known to what is not: in the accent, for colours are of pay. */
export function stripOf(counts: readonly number[]): Html {
  const all = Math.max(
    1,
    counts.reduce((sum, count) => sum + count, 0),
  );
  let from = 0;
  const bar = counts.map((count, at) => {
    const [left, width] = [from, (count / all) * 1000];
    from += width;
    const shade = at === counts.length - 1 ? "rest" : `part-${at + 1}`;
    return html`<rect
      class="${shade}"
      x="${left.toFixed(1)}"
      width="${Math.max(0, width - 1.5).toFixed(1)}"
      height="9"
    />`;
  });
  return html`<div class="strip-of">${mixOf(bar)}</div>`;
}

/** One sentence, and a strip of its three parts. */
function coveredStrip({ info }: Dataset, covered: Covered): Html {
  const { withRows, entire, rows, known, filings, totals, alone, doubtful, companies } = covered;
  const others = Math.max(0, companies - withRows - alone);
  const doubt = doubtful === 0 ? "" : ` (${counted(doubtful, "total")} too doubtful to show)`;
  const some = withRows === entire ? "" : ` and some officers of ${numeral(withRows - entire)} more`;
  const kinds = [
    known.linked > 0 && `${numeral(known.linked)} checked`,
    known.typed > 0 && `${numeral(known.typed)} typed`,
    known.collected > 0 && `${numeral(known.collected)} collected`,
  ];
  const how = kinds.filter((kind) => kind !== false).join(", ");
  return html`<section class="covered">
    <p>
      Every named officer of ${counted(entire, "company")}${some}; only the CEO’s total for ${numeral(alone)}
      more; only the name of ${numeral(others)} others${doubt}.
    </p>
    ${stripOf([withRows, alone, others])}
    <ul>
      <li>
        <b>${numeral(withRows)}</b> companies with pay by component: ${counted(rows, "record")} from
        ${counted(filings, "filing")}${how !== "" && ` (${how})`}
      </li>
      <li><b>${numeral(totals)}</b> companies with the CEO’s total</li>
      <li><b>${numeral(companies)}</b> companies known</li>
      <li>
        edition <time datetime="${info.edition}">${info.edition}</time> ·
        <a href="${ROUTES.coverage.path}">Coverage</a>
      </li>
    </ul>
  </section>`;
}

function card({ found, total, row, officers, evidence }: Shown): Html {
  const { company, ticker } = found;
  const name = row?.executive_name ?? total.peoName;
  const filing = row?.source ?? total.source;
  const form = filing?.filing_date ? `, proxy of ${filing.filing_date}` : "";
  const how =
    evidence === null
      ? html`<i class="dot tagged"></i> tagged${form}; total only`
      : html`<i class="${EVIDENCE_MARK[evidence].mark}"></i> ${EVIDENCE_MARK[evidence].short}${form}
          <span class="whole">· ${counted(officers, "officer")}</span>`;
  return html`<article>
    <h3><a href="${pathOf(found)}">${shortName(company.name)}</a> <span class="soft">${ticker}</span></h3>
    <strong>${money(unitsOf(total.cents), total.currency)}</strong>
    <p class="soft">${name === null ? "CEO" : `${name}, CEO`}, fiscal ${total.fiscalYear}</p>
    ${row === undefined ? outlineBar(1, 1) : mixBar(row, row.total_compensation)}
    <p class="soft">${how}</p>
  </article>`;
}

/** What a credit opens, as outlines: the drawings are the same for every dataset. */
function credits({ deps }: PageVisit, covered: Covered): Html {
  const { priceHistory, priceQuestion } = deps.prices;
  const { withRows, earlier, oldest, totals, latest } = covered;
  const isSame = priceHistory === priceQuestion;
  const isFree = priceHistory === 0 && priceQuestion === 0;
  const price = (of: number) => !isSame && html` <span class="soft">${priceText(of)}</span>`;
  const year = latest === undefined ? "" : `; of fiscal ${latest[0]}, ${counted(latest[1], "company")}`;
  const back = oldest === undefined ? "" : `, back to ${oldest}`;
  const one = (drawing: Html, name: Html, text: string) =>
    html`<li>
      <svg width="96" height="46" aria-hidden="true">${drawing}</svg>
      <p><b>${name}</b><span class="soft">${text}</span></p>
    </li>`;
  return html`${headed(isFree ? "What an account opens" : "What a credit opens", isSame && html`<span class="soft">${isFree ? "free" : `${priceText(priceHistory)} each`}</span>`)}
    <ul class="opens">
      ${one(HISTORY, html`A company’s history${price(priceHistory)}`, `${counted(earlier, "earlier fiscal year")} of ${counted(withRows, "company")}${back}, with changes`)}
      ${one(RANKINGS, html`Rankings across companies${price(priceQuestion)}`, `every officer’s pay by office, year, sector and state; ${counted(totals, "company")} by the CEO’s total${isFree ? "" : "; the latest year free with an account"}`)}
      ${one(STATISTICS, html`Statistics${price(priceQuestion)}`, `quartiles by component, your company’s rank${year}`)}
    </ul>
    ${entrance(deps)}`;
}

/** How to come in. */
function entrance({ signUp, prices: { priceHistory, priceQuestion } }: WebDeps): Html {
  return html`<p class="entrance">
    ${signUp === "open" && html`<a class="button primary" href="${ROUTES.signUp.path}">Create an account</a>`}
    <a class="button ${signUp !== "open" && "primary"}" href="${ROUTES.signIn.path}">Sign in</a>
    <span class="soft">${accountText(signUp, priceHistory + priceQuestion > 0)}</span>
  </p>`;
}

const outlines = (boxes: readonly (readonly [x: number, y: number, width: number, height: number])[]): Html =>
  html`${boxes.map(([x, y, width, height]) => html`<rect class="outline" x="${x}" y="${y}" width="${width}" height="${height}" />`)}`;
const HISTORY = html`${outlines([
    [3.5, 31.5, 9, 14],
    [18.5, 25.5, 9, 20],
    [33.5, 27.5, 9, 18],
    [48.5, 19.5, 9, 26],
    [63.5, 13.5, 9, 32],
  ])}<rect class="pay-stock_awards" x="78" y="5" width="10" height="41" />
  <path class="ground" d="M0 45.5H96" />`;
const RANKINGS = outlines([
  [0.5, 2.5, 90, 6],
  [0.5, 13.5, 66, 6],
  [0.5, 24.5, 54, 6],
  [0.5, 35.5, 38, 6],
]);
const STATISTICS = html`<path class="hair" d="M0 24.5H96" /> ${outlines([[30.5, 14.5, 36, 20]])}<path
    class="ground"
    d="M46.5 8V41"
  />
  <circle class="outline" cx="82" cy="24" r="4" />`;
