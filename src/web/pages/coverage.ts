/** Which fiscal years are available for each company, and what is missing. */
import { companyName } from "../../domain/company-name.ts";
import { READ_AS } from "../../dataset/record.ts";
import { counted, numeral } from "../../lib/text.ts";
import { yearSpan } from "../../charts/frame.ts";
import { valueName, SECTORS } from "../../domain/selection.ts";
import { type Html, html, type HtmlPart } from "../../lib/html.ts";
import { ROUTES } from "../../http/routes.ts";
import {
  type CoverageLine,
  type CoverageQuery,
  type CoverageSums,
  coverageSums,
  findCoverage,
  gapsOf,
  totalsReconciled,
} from "../../dataset/coverage.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import type { PageVisit } from "../page-visit.ts";
import { show } from "../page-response.ts";
import type { Viewer } from "../viewer.ts";
import { chip, typedChip } from "../fields.ts";
import { withQuery } from "../downloads.ts";
import { companyPath, nameIn } from "../parts/addresses.ts";
import { keyFigures, linkOut, pick } from "../parts/elements.ts";
import { plainTable } from "../parts/tables.ts";
import { PARTIAL_MEANS, yearRange } from "../parts/years.ts";

/** Companies on one page. */
const COVERAGE_PAGE = 250;

/** `/coverage` */
export async function showCoverage({ url, origin, viewer, dataset }: PageVisit): Promise<Response> {
  const { searchParams } = url;
  const query = {
    search: searchParams.get("search")?.trim().slice(0, 60) ?? "",
    status: nameIn(COVERAGE_STATUSES, searchParams.get("status")) ?? "rows",
    sector: searchParams.get("sector")?.slice(0, 40) ?? "",
    page: Math.trunc(Number(searchParams.get("page") ?? 1)) || 1,
  };
  const sums = coverageSums(dataset);
  const section = ROUTES.coverage.path;
  return show(viewer, {
    title: "Coverage",
    description: `Fiscal years available for ${sums.companies} companies, and what is missing.`,
    canonical: origin + section,
    section,
    main: coverageMain(dataset, sums, query, viewer),
  });
}

/** Status filter of the coverage page. */
const COVERAGE_STATUSES = {
  rows: "With pay by component",
  complete: "Every year complete",
  partial: "With partial years",
  pending: "Newest filing not read yet",
  all: "All known",
} as const satisfies Record<CoverageQuery["status"], string>;

/** Details are shown for up to this many companies. */
const MAX_DETAILED = 10;
/** Maximum fiscal years in the map. */
const MAX_YEARS = 10;

/** Totals first, then a map of companies by year; details when the search leaves only a few companies. */
function coverageMain(
  dataset: Dataset,
  sums: CoverageSums,
  query: CoverageQuery & { page: number },
  viewer: Viewer,
): Html {
  const { found, page, pages, lines } = findCoverage(dataset, query, query.page, COVERAGE_PAGE);
  const { search, status, sector } = query;
  const sectors = SECTORS.map((name) => [name, valueName(name)] as const);
  const shown = pages > 1 ? `, page ${page} of ${pages}` : "";
  const pathTo = (at: number) =>
    withQuery(ROUTES.coverage.path, "", { search, status, sector, page: String(at) });
  const other = (name: string, at: number) => at > 0 && at <= pages && pick(pathTo(at), name, false);
  const beside = html`${other("Previous", page - 1)} ${other("Next", page + 1)}`;
  return html`<h1>Coverage</h1>
    ${totals(sums, dataset)}
    <form class="chips" method="get" action="${ROUTES.coverage.path}">
      ${typedChip("search", "Ticker, name or CIK", search, "Ticker, name or CIK", { maxlength: 60 })}
      ${chip("status", "Status", status, Object.entries(COVERAGE_STATUSES))}
      ${chip("sector", "Sector", sector, [["", "All sectors"], ...sectors])}
      <button class="primary">Show</button>
    </form>
    ${found > 0 && found <= MAX_DETAILED && detailTable(lines)}
    ${found === 0 ? html`<p>No companies match. Broaden the filters.</p>` : yearMap(lines, `${counted(found, "company")}${shown}`)}
    ${pages > 1 && html`<nav class="row" aria-label="Pages">${beside}</nav>`}
    <h2>Filling the gaps</h2>
    ${remedy(viewer)}`;
}

/** What fills the gaps, for who may do it. */
function remedy(viewer: Viewer): Html {
  if (viewer.kind === "operator")
    return html`<p>With a network, these commands read filings from the SEC:</p>
      ${plainTable(
        ["Command", "Reads"],
        [
          [html`<code>execcomp ingest --ticker AAPL --years 5</code>`, "five fiscal years of one company"],
          [
            html`<code>execcomp ingest --pending --index sp500</code>`,
            "the known filings of S&P 500 companies that have not been read",
          ],
          [html`<code>execcomp ingest --pending</code>`, "all known filings that have not been read"],
        ],
      )}`;
  return viewer.kind === "person" && viewer.person.isOwner
    ? html`<p>
        <a class="button" href="${ROUTES.admin.path}#load">Load the S&amp;P 500 from the SEC</a>
        <a class="button" href="${ROUTES.adminIngest.path}">Load one company</a>
      </p>`
    : html`<p>
        Whoever runs this server can have more filings read: ask them for the company that you need.
      </p>`;
}

function totals(sums: CoverageSums, { info }: Dataset): Html {
  const { companies, withRows, years, complete, unloaded, checked, reconciled, manual, collected, linked } =
    sums;
  const share = checked === 0 ? "" : ` (${((reconciled / checked) * 100).toFixed(1)}%)`;
  return keyFigures([
    ["Companies with pay by component", numeral(withRows), `of ${numeral(companies)} with a known filing`],
    [
      "Their fiscal years",
      numeral(years),
      `${numeral(complete)} complete, ${numeral(years - complete)} partial`,
    ],
    ["Totals that add up", numeral(reconciled), `of ${numeral(checked)} checked${share}`],
    [
      "Companies checked cell by cell",
      numeral(linked),
      `${numeral(manual)} typed, ${numeral(collected)} collected${linked + manual + collected > withRows ? ", some in two ways" : ""}`,
    ],
    ["Known filings not read yet", numeral(unloaded), `data as of ${info.edition}`],
  ]);
}

/** Companies by year: a full circle for a complete year, a half circle for a partial one. @param count how many companies */
function yearMap(lines: readonly CoverageLine[], count: string): Html {
  const years = lines.flatMap(({ years }) => years.map(({ fiscalYear }) => fiscalYear));
  const columns = yearSpan(years).toReversed().slice(0, MAX_YEARS);
  return plainTable(
    ["Company", ...columns, "Newest filing"],
    lines.map((line) => mapLine(line, columns)),
    { kind: "map", caption: `${count}. ● complete, ◐ partial: ${PARTIAL_MEANS}` },
  );
}

function mapLine(line: CoverageLine, columns: readonly number[]): HtmlPart[] {
  const { ticker, cik, name, rows, years, newestKnown } = line;
  const older = years.map(({ fiscalYear }) => fiscalYear).filter((year) => year < (columns.at(-1) ?? 0));
  const earlier = older.length === 0 ? "" : `also ${yearRange(older)}`;
  return [
    html`${rows > 0 ? html`<a href="${companyPath({ ticker, cik })}">${companyName(name)}</a>` : companyName(name)}
      <span class="soft">${[ticker, earlier].filter((part) => part !== "").join(" · ")}</span>`,
    ...columns.map((year) => {
      const held = years.find(({ fiscalYear }) => fiscalYear === year);
      const kind = held?.complete === true ? "complete" : "partial";
      return held && html`<abbr class="${kind}" title="${kind}">${held.complete ? "●" : "◐"}</abbr>`;
    }),
    newestKnown !== null && !newestKnown.isLoaded && `of ${newestKnown.filingDate}, not read yet`,
  ];
}

/** Details of a few companies. */
function detailTable(lines: readonly CoverageLine[]): Html {
  const heads = ["Ticker", "Company", "Fiscal years", "Amounts", "Totals", "Newest known filing"];
  return plainTable(
    [...heads, "Known gaps and problems", { number: "Records" }],
    lines.map((line) => {
      const { ticker, cik, name, years, rows, read, newestKnown, checks, checkedRows, problems } = line;
      const met = Object.entries(problems)
        .map(([problem, count]) => `${problem.replaceAll("_", " ")} ${count}`)
        .join(", ");
      return [
        rows > 0 ? html`<a href="${companyPath({ ticker, cik })}">${ticker || cik}</a>` : ticker || cik,
        companyName(name),
        html`<span
          >${years.map(({ fiscalYear, complete }) => (complete ? html`${fiscalYear} ` : html`<em>${fiscalYear}*</em> `))}</span
        >`,
        read.map((how) => READ_AS[how]).join(", "),
        checkedRows > 0 && `${totalsReconciled(checks)} of ${checkedRows} add up`,
        newestKnown !== null &&
          html`<span
            >${linkOut(newestKnown.url, newestKnown.accession)} of
            ${newestKnown.filingDate}${!newestKnown.isLoaded && html`, <strong>not read yet</strong>`}</span
          >`,
        [...gapsOf(line), met].filter((words) => words !== "").join("; "),
        rows,
      ];
    }),
    { kind: "records", caption: "How the amounts are known, and what is missing" },
  );
}
