/** What rankings, statistics and totals share: an offer, filters, a title with its buttons, a citation, a foot on paper. */
import { SUBPATHS, pathTo, ROUTES } from "../../http/routes.ts";
import { ServiceError } from "../../errors.ts";
import { counted } from "../../lib/text.ts";
import { type Html, html } from "../../lib/html.ts";
import { fiscalYearsOf } from "../../dataset/columns/columns.ts";
import { type Filtered, filterForm, type ParticularFilters } from "./filter-form.ts";
import { groupsOf, type RequestedCompanies } from "./groups.ts";
import type { WebDeps } from "../deps.ts";
import { chartLinks } from "../chart-files.ts";
import { citation, paperFoot, titleRow } from "../citation.ts";
import { downloadMenu, withQuery } from "../downloads.ts";
import { type PaidRequest, type PaidPage, paidPage, questionPrice } from "../paid-page.ts";
import { show } from "../page-response.ts";
import { earlierDataset } from "../refusals.ts";
import { paywall } from "../paywall.ts";
import { FURTHER, readSelected, type Selected } from "./selected.ts";
import { isOfPublicFacts } from "../filters.ts";
import { type Asked, isCovered, type Sight } from "../../analysis/sight.ts";
import { type Offer, sightOf } from "../offers.ts";
import type { ExecutiveCompensation as Row } from "../../domain/row-fields.ts";
import { companyPath, pathOf } from "../parts/addresses.ts";
import { firstOf, headed, notFound } from "../parts/elements.ts";
import { shortName } from "../parts/names.ts";
import { remedyFor } from "../remedy.ts";
import { outlineTable } from "../parts/tables.ts";
import { yearRange } from "../parts/years.ts";

/** A selection that its viewer may see, with what its filters are drawn from. */
export interface SelectionView extends Filtered, PaidRequest {
  /** The selection as a sentence. */
  title: string;
  /** The address of this page. */
  here: string;
  /** Whether the viewer sees what other years tell: changes, medians over the years. */
  seesAll: boolean;
  /** The offer of that. */
  more: Html | false;
}

/** What is particular to one page over a selection. */
interface SelectionPage<Found> extends Pick<
  PaidPage<never, SelectionView & Found>,
  "file" | "charts" | "chartExport"
> {
  /** Its name is that of what is opened, too. */
  path: string;
  /** The entry of the main navigation, if it is not the page itself. */
  section?: string;
  title(selected: Selected): string;
  /** What follows the title in its description. */
  about: string;
  /** What is offered: `this ranking`. */
  what: string;
  /** What further there is to open once the page itself is seen: `medians over the years`. */
  more?: string;
  /** What must be open for the page, and what its buttons open. Refuses what cannot be asked. */
  asks(selected: Selected): SelectionAsks;
  /** What is told of the selection before it is opened. */
  covers(selected: Selected): Promise<Covers>;
  /** The headers of its table, drawn as an outline in its place. */
  outline: readonly string[];
  filters(selected: Selected): ParticularFilters;
  /** How many rows there are of what its download has one each of. */
  rows?(view: SelectionView & Found): number;
  /** The chart that is among the downloads, by its name in addresses. */
  chartIn?(view: SelectionView & Found): string | null;
  read(
    selected: Selected & { sight: Sight | null },
    given: { seesAll: boolean; maxRows: number },
  ): Promise<Found>;
  /** How many rows, for the citation. */
  detail(view: SelectionView & Found): string;
  meta(view: SelectionView & Found): Html;
  body(view: SelectionView & Found): Html;
}

/** What a selection covers, from public facts alone: how many companies, in which years, and the first of them by name. */
export interface Covers {
  companies: number;
  fiscalYears: Readonly<Record<string, number>>;
  first: readonly Pick<Row, "ticker" | "cik" | "company_name">[];
}

/** What a page over a selection asks its viewer's sight. */
export interface SelectionAsks {
  needs: readonly Asked[];
  opens: Offer;
  /** What there is to open once that is open. */
  more: (Offer & { opening: Asked }) | null;
}

/** A page over a selection: its filters in the address, shown as pressed filters; offered where it is not open. */
export function selectionPage<Found>(deps: WebDeps, page: SelectionPage<Found>) {
  const { path } = page;
  type Question = Selected & PaidRequest & { asks: SelectionAsks };
  return paidPage<Question, SelectionView & Found>(deps, path, {
    ...page,
    async read(visit) {
      const selected = await readSelected(visit);
      const asks = asksOf(page, path, selected);
      const price = questionPrice(deps);
      const sight = await sightOf(visit, price);
      const [isSeen, seesAll] = seenOf(selected, asks, sight);
      const more = asks.more && { ...asks.more, isMore: true };
      const offered = !isSeen ? { ...asks.opens, shown: asks.needs } : seesAll ? null : more;
      return { ...selected, asks, price, sight, offered, back: visit.url.pathname + visit.url.search };
    },
    async find(selected, isFile) {
      const { viewer, dataset, origin, given, back, asks, sight } = selected;
      const [isSeen, seesAll] = seenOf(selected, asks, sight);
      const view: SelectionView = {
        ...selected,
        title: page.title(selected),
        // A cursor is of one edition of the dataset.
        here: origin + withQuery(path, given, { cursor: "" }),
        groups: await groupsOf(selected),
        years: fiscalYearsOf(dataset),
        seesAll,
        more: !seesAll && page.more !== undefined && paywall(selected, page.more, back),
      };
      if (!isSeen) {
        const covered = isOfPublicFacts(selected.filters) ? await page.covers(selected) : null;
        const main = html`<h1>${view.title}</h1>
          ${filterForm(view, path, page.filters(view))} ${selectionNotes(view, path)}
          ${covered === null ? UNCOUNTED : coverageText(covered)}
          ${
            covered?.companies !== 0 &&
            html`<p>This page shows ${page.about}</p>
              ${paywall(selected, page.what, back, isMembers(asks))} ${outlineTable(page.outline)}`
          }
          ${viewer.kind === "visitor" && freePages(covered)}`;
        return show(viewer, { ...aboutSelection(view, page), main });
      }
      const maxRows = isFile ? FILE_ROWS : PAGE_ROWS;
      return { ...view, ...(await page.read(selected, { seesAll, maxRows })) };
    },
    show(view) {
      const { viewer, title, here, problem } = view;
      const { edition } = view.dataset.info;
      const cited = citation(title, page.detail(view), edition, here);
      const main = html`<div class="pay-page">
        ${titleRow(html`<h1>${title}</h1>`, menuOf(page, view), cited)}
        <p class="meta">${page.meta(view)}</p>
        ${filterForm(view, path, page.filters(view))} ${selectionNotes(view, path)} ${page.body(view)}
        ${view.more} ${paperFoot(here, edition)}
      </div>`;
      return show(viewer, { ...aboutSelection(view, page), main, status: problem === null ? 200 : 400 });
    },
  });
}

/** What it asks; a cursor of an earlier dataset is refused with a link to the first page. */
function asksOf(
  { asks }: Pick<SelectionPage<unknown>, "asks">,
  path: string,
  selected: Selected,
): SelectionAsks {
  try {
    return asks(selected);
  } catch (refused) {
    if (refused instanceof ServiceError && refused.kind === "stale_cursor")
      throw earlierDataset(withQuery(path, selected.given, { cursor: "" }));
    throw refused;
  }
}

/** Whether every member sees it. */
function isMembers({ needs }: SelectionAsks): boolean {
  return needs.every((one) => isCovered(one, { latest: true, opened: [] }));
}

/** Whether the viewer sees the page, and whether also what other years tell, by parameters alone. */
function seenOf(
  { viewer, filters }: Selected,
  { needs, more }: SelectionAsks,
  sight: Sight | null,
): readonly [isSeen: boolean, seesAll: boolean] {
  if (sight === null) return [true, true];
  const isFirst = viewer.kind !== "visitor" || filters["cursor"] === undefined;
  return [
    isFirst && needs.every((one) => isCovered(one, sight)),
    more === null || isCovered(more.opening, sight),
  ];
}

/** The downloads of a page, and where a file has only the first lines. */
function menuOf<Found>({ path, rows, chartIn }: SelectionPage<Found>, view: SelectionView & Found): Html {
  const { given, origin } = view;
  const chart = chartIn?.(view) ?? null;
  const lines = rows?.(view) ?? 0;
  const text = (count: number) => count.toLocaleString("en-US");
  return downloadMenu(path + SUBPATHS.download, given, {
    chart: chart !== null && chartLinks(origin, path, given, chart),
    more: lines > FILE_ROWS ? `, ${text(FILE_ROWS)} of ${text(lines)} lines` : "",
  });
}

/** What a selection covers, which is public. */
function coverageText({ companies, fiscalYears }: Covers): Html {
  const years = Object.keys(fiscalYears).map(Number);
  if (companies === 0) return html`<p>No company matches. Broaden the filters.</p>`;
  const of = years
    .toSorted((a, b) => b - a)
    .map((year) => `${(fiscalYears[year] ?? 0).toLocaleString("en-US")} of fiscal ${year}`);
  const mixed = years.length > 1 && `: ${new Intl.ListFormat("en-GB").format(of)}`;
  return html`<p class="meta">
    ${counted(companies, "company")}${years.length === 1 ? `, fiscal ${yearRange(years)}` : mixed}.
  </p>`;
}

/** What is said where a count would tell amounts. */
const UNCOUNTED = html`<p class="meta">
  The number of matches is shown with the answer. For filters by company, year, sector, state and index alone,
  everyone can see it.
</p>`;

/** What a visitor can open without an account: the pages of the companies that are covered, by name, or any. */
function freePages(covered: Covers | null): Html {
  if (covered === null || covered.first.length === 0)
    return html`<p class="soft">
      Free, without an account: the latest year of <a href="${ROUTES.home.path}">each company</a>, found by
      name, ticker or person.
    </p>`;
  const shown = [...new Map(covered.first.map((one) => [one.cik, one])).values()];
  const more = covered.companies - shown.length;
  const links = shown.map(
    (one) =>
      html`<li>
        <a href="${companyPath(one)}">${shortName(one.company_name)}</a>
        <small class="soft">${one.ticker}</small>
      </li>`,
  );
  return html`${headed("Free, without an account", html`<span class="soft">each company’s latest year, in alphabetical order</span>`)}
    <ul class="names">
      ${links}
    </ul>
    ${
      more > 0 &&
      html`<p class="soft">
        And ${counted(more, "more company")}: choose a sector or a state, search, or see
        <a href="${ROUTES.coverage.path}">Coverage</a>.
      </p>`
    }`;
}

/** As many companies are named before a selection is opened. */
export const MAX_FIRST = 60;

/** Rows of a page, and of a download: at most one page of the query operation. */
const PAGE_ROWS = 100;
const FILE_ROWS = 1000;

/** What a page says of itself, open or not. */
function aboutSelection(
  view: SelectionView,
  page: Pick<SelectionPage<unknown>, "path" | "section" | "about">,
) {
  const { path, section = path, about } = page;
  const { title, origin } = view;
  // The companies of a peer group stay with its owner.
  const query = view.companies?.group ? "" : withQuery("", view.given);
  return {
    title,
    description: `${title}: ${about}`,
    canonical: origin + path + query,
    section,
  };
}

/** What else narrows the selection: a list of companies, filters without a field. */
function selectionNotes({ given, companies, meant, own, without: isLeftOut }: Selected, path: string): Html {
  const active = FURTHER.map((name) => [name, given.get(name) ?? ""] as const).filter(
    ([, value]) => value !== "",
  );
  const texts = active.map(([name, value]) =>
    name === "complete_only" && value === "true" ? "complete fiscal years only" : `${name} ${value}`,
  );
  const without = Object.fromEntries(active.map(([name]) => [name, ""]));
  const leaves = path !== ROUTES.statisticsPage.path && own !== null && isLeftOut !== null;
  return html`${leaves && html`<p class="foot">Without ${shortName(own.company.name)}, which is measured against them. <a class="screen-only" href="${withQuery(path, given, { own: "", cursor: "" })}">Include it</a></p>`}${
    texts.length > 0 &&
    html`<p class="note">
      Also filtered: ${texts.join(", ")}.
      <a href="${withQuery(path, given, { ...without, cursor: "" })}">Remove</a>
    </p>`
  }
  ${companies !== null && narrowedTo(companies, withQuery(path, given, { companies: "", group: "", cursor: "" }))}
  ${meant.length > 0 && html`<p class="note">Did you mean ${meant.map((one, at) => html`${at > 0 && ", "}<a href="${withQuery(path, given, { companies: `${given.get("companies") ?? ""},${one.ticker || `CIK${one.cik}`}`, cursor: "" })}">${one.label}</a>`)}?</p>`}`;
}

/** Which companies a list or peer group narrows the selection to. */
function narrowedTo({ group, found, unknown }: RequestedCompanies, all: string): Html {
  const names = found.map((one) => html`<a href="${pathOf(one)}">${shortName(one.company.name)}</a>`);
  return html`<p class="foot">
      ${group ? html`Peer group <a href="${pathTo("peerGroup", { id: group.id })}">${group.name}</a>: ` : "Companies: "}
      ${firstOf(names, found.length > 6 ? 5 : 6)}.
      <a class="screen-only" href="${all}">All companies</a>
    </p>
    ${notFound(unknown)}`;
}

/** Which companies of a list are not in the selection, and what helps. @param having those that are, by CIK; null without a list */
export function missingFrom(selected: Selected, having: ReadonlySet<string> | null): Html | false {
  const { companies, dataset, filters } = selected;
  const without = companies?.found.filter(({ company }) => having?.has(company.cik) === false) ?? [];
  if (without.length === 0) return false;
  const year = filters["fiscal_year"];
  // What other filters leave out is not missing.
  const missing = without.filter(({ company }) => {
    const years = dataset.years(company.cik);
    return year === undefined ? years.length === 0 : !years.some((one) => String(one.fiscalYear) === year);
  });
  return html`<div class="warning">
    Not in this selection:
    ${firstOf(
      without.map((one) => html`<a href="${pathOf(one)}">${shortName(one.company.name)}</a>`),
      MAX_WITHOUT,
    )}.
    ${missing.length < without.length && missing.length > 0 && `Not in the dataset${year === undefined ? "" : ` for fiscal ${year}`}: ${missing.length}.`}
    ${remedyFor(selected, missing)}
  </div>`;
}

/** Most companies that are named as missing. */
const MAX_WITHOUT = 20;
