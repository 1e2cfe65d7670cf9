/** What chief executives were paid across the market: a total each, from a row where there is one, else as the filer tagged it. */
import { Elysia } from "elysia";
import { formatAmount } from "../../domain/amount.ts";
import type { ExecutiveCompensation } from "../../domain/row-fields.ts";
import { type Html, html } from "../../html.ts";
import { parameters } from "../../http/responses.ts";
import { ROUTES } from "../../http/routes.ts";
import {
  answerCeoPay,
  answerCeoPayStatistics,
  type CeoPayAnswer,
  type CeoPayJson,
  type CeoPayStatistics,
} from "../../operations/ceo-pay.ts";
import { csvFile, DOWNLOADS } from "../../operations/downloads.ts";
import { type Dataset, rowCells, type RowCells, rowsOfOfficers } from "../../operations/page-data.ts";
import type { CoverageReader } from "../../operations/pages.ts";
import { groupsOf } from "../company-lists.ts";
import type { WebDeps } from "../deps.ts";
import { open } from "../opening.ts";
import { show, showFile, showRefusal } from "../show.ts";
import { citeButton, SHARE, pictureOf } from "../take-away.ts";
import { type Gate, offer, type Viewer } from "../viewer.ts";
import {
  companyPath,
  counted,
  linkOut,
  mixBar,
  money,
  pageActions,
  rowPath,
  shortName,
  sourceMark,
} from "./parts.ts";
import {
  addressWith,
  chip,
  filterChips,
  type Filters,
  type FilterView,
  isLatest,
  readSelected,
  type Selected,
  selectionNotes,
  selectionWords,
  subjectOf,
} from "./selected.ts";

const PAGE_ROWS = 100;
const FILE_ROWS = 1000;

/** Parameters of a selection that one total a company has too. */
const SHARED = [
  "cik",
  "ticker",
  "sector",
  "sic",
  "state",
  "index",
  "filer_category",
  "reporting_currency",
  "cursor",
];
const SORTS: Readonly<Record<string, string>> = {
  total_compensation: "peo_total",
  company_name: "company_name",
  "-company_name": "-company_name",
};

/** `/ceo-pay` and its download. */
export function ceoPayPages(deps: WebDeps, coverage: CoverageReader) {
  const { path } = ROUTES.ceoPayPage;
  return new Elysia({ name: "ceo-pay-pages" })
    .get(
      path,
      deps.conditional(async (request) => {
        const found = await openTotals(deps, request, await deps.viewers.find(request), coverage);
        if (found instanceof Response) return found;
        return show(found.selected.viewer, {
          ...about(deps, request, found.selected),
          main: totalsMain(found),
        });
      }),
    )
    .post(
      path,
      async ({ request }) => {
        const { url } = deps.contextOf(request);
        const selected = await readSelected(deps, request, await deps.viewers.find(request));
        return selected instanceof Response
          ? selected
          : open(deps, request, gateOf(deps, selected.filters), url.pathname + url.search);
      },
      { parse: "none" },
    )
    .get(ROUTES.ceoPayDownload.path, async ({ request }) => {
      const found = await openTotals(deps, request, await deps.viewers.find(request), coverage, FILE_ROWS);
      if (found instanceof Response) return found;
      return showFile(csvFile(totalsLines(found.answer)), DOWNLOADS.csv, "execcomp-ceo-pay.csv");
    });
}

function gateOf({ prices }: WebDeps, filters: Filters): Gate {
  const subject = subjectOf("ceo-pay", filters);
  return { subject, operation: "page:query", ticker: null, costCredits: prices.priceQuery };
}

/** Totals of a market that their viewer may see. */
interface OpenTotals extends FilterView {
  answer: CeoPayAnswer;
  statistics: CeoPayStatistics;
  known: KnownRows;
  origin: string;
}

/** The rows behind totals that have one. */
interface KnownRows {
  rowOf(record: CeoPayJson): ExecutiveCompensation | undefined;
  cells: RowCells;
}

async function openTotals(
  deps: WebDeps,
  request: Request,
  viewer: Viewer,
  coverage: CoverageReader,
  maxRows = PAGE_ROWS,
): Promise<OpenTotals | Response> {
  const selected = await readSelected(deps, request, viewer);
  if (selected instanceof Response) return selected;
  const { url, baseUrls } = deps.contextOf(request);
  const { dataset, filters } = selected;
  const view = { selected, groups: await groupsOf(deps, viewer), years: coverage.fiscalYears() };
  const gate = gateOf(deps, filters);
  const isPublic = deps.publicRankings === "on" && isLatest(filters);
  if (!isPublic && !(await deps.viewers.isOpen(viewer, dataset.info.contentHash, gate))) {
    const main = html`<h1>${totalsTitle(selected)}</h1>
      ${filterChips(view, ROUTES.ceoPayPage.path, { fields: sortField(selected) })}
      ${offer(viewer, gate, "these totals", url.pathname + url.search)}`;
    return show(viewer, { ...about(deps, request, selected), main });
  }
  try {
    return {
      ...view,
      ...(await readTotals(deps, dataset, askedFor(filters), maxRows)),
      origin: baseUrls.origin,
    };
  } catch (refused) {
    return showRefusal(viewer, refused);
  }
}

/** Totals with their statistics and rows. @param asked as the operation accepts it */
export async function readTotals(
  deps: Pick<WebDeps, "analyst">,
  dataset: Dataset,
  asked: Filters,
  maxRows: number,
) {
  const { sort: _sort, cursor: _cursor, ...selection } = asked;
  const given = (filters: Filters) => parameters(new URLSearchParams(filters));
  const [totals, figures] = await Promise.all([
    answerCeoPay(deps, dataset, given({ ...asked, max_rows: String(maxRows) })).answer(),
    answerCeoPayStatistics(deps, dataset, given(selection)).answer(),
  ]);
  // The operation writes exactly these bodies.
  const answer = JSON.parse(decoder.decode(totals.json)) as CeoPayAnswer;
  const statistics = JSON.parse(decoder.decode(figures.json)) as CeoPayStatistics;
  const ciks = answer.ceo_pay.filter(({ basis }) => basis === "row").map(({ cik }) => cik);
  return { answer, statistics, known: { rowOf: rowsOfOfficers(dataset), cells: rowCells(dataset, ciks) } };
}

const decoder = new TextDecoder();

/** The filters of the page in the operation's words. */
function askedFor(filters: Filters): Filters {
  const kept = Object.entries(filters).filter(
    ([name]) => SHARED.includes(name) || name.startsWith("fiscal_year"),
  );
  const amounts = Object.entries(filters).flatMap(([name, value]) =>
    name.startsWith("total_compensation_") ? [[name.replace("total_compensation", "peo_total"), value]] : [],
  );
  const sort = SORTS[filters["sort"] ?? ""];
  return { ...Object.fromEntries([...kept, ...amounts]), ...(sort === undefined ? {} : { sort }) };
}

function about(deps: WebDeps, request: Request, selected: Selected) {
  const title = totalsTitle(selected);
  const section = ROUTES.rankings.path;
  return {
    title,
    description: `${title}: each total with how it is known, from proxy statements and the filers' own tags.`,
    canonical:
      deps.contextOf(request).baseUrls.origin + addressWith(ROUTES.ceoPayPage.path, selected.given, {}),
    picture: pictureOf(deps, request, ROUTES.rankingsPreview.path, `${title}.`),
    section,
  };
}

function totalsTitle({ filters, companies, dataset }: Selected): string {
  const words = selectionWords(filters, companies, dataset);
  return words.startsWith(",") ? `CEO pay across the market${words}` : `CEO pay${words}`;
}

function sortField({ given }: Selected): Html {
  return chip(given, "Sort by", "sort", [
    ["", "Total, highest first"],
    ["total_compensation", "Total, lowest first"],
    ["company_name", "Company"],
  ]);
}

function totalsMain(view: OpenTotals): Html {
  const { selected, answer, statistics, origin } = view;
  const { given, dataset } = selected;
  const path = ROUTES.ceoPayPage.path;
  const title = totalsTitle(selected);
  const here = origin + addressWith(path, given, {});
  const [figures] = statistics.statistics;
  const cite = `execcomp, edition ${dataset.info.edition}: ${title}. ${totalsText(answer)} ${here}`;
  const rows = addressWith(ROUTES.rankings.path, given, { office: "peo", cursor: "" });
  return html`<div class="pay-page">
    <div class="title">
      <h1>${title}</h1>
      ${pageActions(html`<a class="button" href="${addressWith(ROUTES.ceoPayDownload.path, given, { cursor: "" })}">CSV</a> ${SHARE} ${citeButton(cite)}`)}
    </div>
    <p class="meta">
      ${totalsText(answer)}
      ${figures !== undefined && `Median ${money(Math.round(figures.median), figures.group.reporting_currency === undefined ? "USD" : String(figures.group.reporting_currency))}.`}
      <a href="${rows}">Rows with components only</a>
    </p>
    ${filterChips(view, path, { fields: sortField(selected) })} ${selectionNotes(selected, path)}
    ${answer.ceo_pay.length === 0 ? html`<p>No totals match. Broaden the filters.</p>` : totalsTable(answer.ceo_pay, view.known)}
    ${TOTAL_MARKS}
    ${answer.next_cursor !== null && html`<p class="actions"><a class="button" href="${addressWith(path, given, { cursor: answer.next_cursor })}">Next page</a></p>`}
    <p class="foot paper-only"><span data-printed></span>${here} · dataset edition ${dataset.info.edition}</p>
  </div>`;
}

/** How many totals of how many companies, and how they are known. */
function totalsText({
  matched,
  index_members: members,
  index_members_without_total: without,
}: CeoPayAnswer): string {
  const { row, tag } = matched.by_basis;
  return [
    `${counted(matched.records, "total")} of ${counted(matched.companies, "company", "companies")}: ${row.toLocaleString("en-US")} from a row, ${tag.toLocaleString("en-US")} as tagged by the filer.`,
    matched.doubtful > 0 ? `${matched.doubtful} in doubt are left out.` : "",
    members === undefined ? "" : `${without ?? 0} of ${members} index members have no total.`,
  ]
    .filter((text) => text !== "")
    .join(" ");
}

/** What the marks of totals mean. */
export const TOTAL_MARKS = html`<p class="foot">
  <i class="dot"></i> linked to its cell &#160; <i class="dot typed"></i> typed from the filing &#160;
  <i class="dot tagged"></i> the total only, as the filer tagged it in inline XBRL; its bar is an outline, a
  dashed one is cut. A year in grey is the one in which the period ended.
</p>`;

/** Totals, a line each. */
export function totalsTable(records: readonly CeoPayJson[], known: KnownRows): Html {
  const totals = records.map(({ peo_total: total }) => total ?? 0).toSorted((a, b) => b - a);
  // One total far above all others would make every other bar a dot: its bar is cut.
  const [first = 1, second = first] = totals;
  const highest = Math.max(1, Math.min(first, second * 1.1));
  return html`<div class="scroll">
    <table class="pay cards brief short">
      <caption>
        Total in ${records[0]?.reporting_currency ?? "USD"}, ${records.length} of the totals
      </caption>
      <thead>
        <tr>
          <th scope="col">Company and CEO</th>
          <th scope="col">Mix of pay</th>
          <th scope="col" class="number">Total</th>
          <th scope="col" class="number">Fiscal year</th>
          <th scope="col" class="number">Source</th>
        </tr>
      </thead>
      <tbody>
        ${records.map((record, index) => totalLine(record, index + 1, highest, known))}
      </tbody>
    </table>
  </div>`;
}

function totalLine(record: CeoPayJson, rank: number, highest: number, { rowOf, cells }: KnownRows): Html {
  const row = record.basis === "row" ? rowOf(record) : undefined;
  const total = record.peo_total ?? 0;
  const name = shortName(record.company_name);
  const year = html`<span class="${record.label_inferred && "nil"}">${record.fiscal_year}</span>`;
  return html`<tr>
    <th scope="row">
      <span class="rank">${rank}</span
      >${row === undefined ? html`<a href="${companyPath(record)}">${name}</a>` : html`<a href="${companyPath(row)}">${name}</a>`}
      ${
        row === undefined
          ? html`<span class="role">${record.peo_name ?? "not named by the tag"}</span>`
          : html`<a class="role" href="${rowPath(row)}">${row.executive_name}</a>`
      }
    </th>
    <td class="mixed">${row === undefined ? outlineBar(total, highest) : mixBar(row, highest)}</td>
    <td class="number total">
      ${row === undefined ? formatAmount(total) : html`<a class="amount" href="${rowPath(row)}/total_compensation">${formatAmount(total)}</a>`}
    </td>
    <td class="number share" data-label="">${year}</td>
    <td class="number mark" data-label="Source">
      ${row === undefined ? tagMark(record) : sourceMark(row, cells.isLinked(row))}
    </td>
  </tr>`;
}

/** A total without components. */
function outlineBar(total: number, highest: number): Html {
  const width = Math.min(1000, (total / highest) * 1000);
  return html`<svg class="mix" viewBox="0 0 1000 9" preserveAspectRatio="none" aria-hidden="true">
    <rect
      class="${total > highest ? "outline cut" : "outline"}"
      x="1"
      y="0.5"
      width="${Math.max(2, width - 2).toFixed(0)}"
      height="8"
    />
  </svg>`;
}

function tagMark({ source, provider, company_url: page }: CeoPayJson): Html {
  const told = `tagged by the filer${provider === null ? "" : `, collected by ${provider}`}`;
  const mark = html`<i class="dot tagged"></i><span class="away">${told}</span>`;
  return linkOut(source?.filing_url ?? page, mark, told);
}

function totalsLines({ ceo_pay: records }: CeoPayAnswer) {
  return [
    [
      "ticker",
      "cik",
      "company_name",
      "fiscal_year",
      "label_inferred",
      "peo_name",
      "peo_total",
      "reporting_currency",
      "basis",
      "accession",
      "provider",
    ],
    ...records.map((one) => [
      one.ticker,
      one.cik,
      one.company_name,
      one.fiscal_year,
      one.label_inferred,
      one.peo_name,
      one.peo_total,
      one.reporting_currency,
      one.basis,
      one.source?.accession ?? null,
      one.provider,
    ]),
  ];
}
