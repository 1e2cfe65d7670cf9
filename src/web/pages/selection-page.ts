/** What rankings, statistics and totals share: an offer, filters, a title with its buttons, a citation, a foot on paper. */
import { type Html, html } from "../../html.ts";
import type { CoverageReader } from "../../operations/pages.ts";
import { groupsOf } from "../company-lists.ts";
import type { WebDeps } from "../deps.ts";
import { type GatedPage, gatedPage, type GatedPaths } from "../gated.ts";
import { show, type Shown, showRefusal } from "../show.ts";
import { citation, fileButtons, paperFoot, pictureOf, titleRow, withQuery } from "../take-away.ts";
import { type Gate, offer } from "../viewer.ts";
import { filterChips, type FilterView, type OwnFilters, selectionNotes } from "./chips.ts";
import { isLatest, readSelected, type Selected, subjectOf } from "./selected.ts";

/** A selection that its viewer may see, with what its filters are drawn from. */
export interface SelectionView extends FilterView {
  /** The selection as a sentence. */
  title: string;
  /** The address of this page. */
  here: string;
  origin: string;
  /** Whether the viewer sees more than what is public: other years, and changes, which would tell them. */
  seesAll: boolean;
  /** The offer of more than that. */
  more: Html | false;
}

/** What is particular to one page over a selection. */
export interface SelectionPage<Found> extends Pick<GatedPage<SelectionView & Found>, "file" | "takeAway"> {
  /** Of what is opened. */
  kind: string;
  at: GatedPaths;
  /** The entry of the main navigation. */
  section: string;
  /** The picture for link previews. */
  picture: string;
  title(selected: Selected): string;
  /** What follows the title in its description. */
  about: string;
  /** What is offered: `this ranking`. */
  what: string;
  /** What only those see for whom it is open, where everyone sees the latest year: `medians over the years`. */
  more?: string;
  /** Filters of its own. */
  filters?(selected: Selected): OwnFilters;
  read(selected: Selected, given: { seesAll: boolean; isFile: boolean }): Promise<Found>;
  /** How many rows, for the citation. */
  detail(view: SelectionView & Found): string;
  meta(view: SelectionView & Found): Html;
  body(view: SelectionView & Found): Html;
}

/** A page over a selection: its filters in the address, shown as pressed filters; offered where it is not open. */
export function selectionPage<Found>(deps: WebDeps, coverage: CoverageReader, page: SelectionPage<Found>) {
  const path = page.at.page;
  const gateOf = ({ filters }: Selected): Gate => ({
    subject: subjectOf(page.kind, filters),
    operation: "page:query",
    ticker: null,
    costCredits: deps.prices.priceQuery,
  });
  const filters = (view: SelectionView) => filterChips(view, path, page.filters?.(view.selected));
  const shown = (request: Request, { selected, title, origin }: SelectionView, main: Html): Shown => {
    // The companies of a peer group stay with its owner.
    const query = selected.companies?.group ? "" : withQuery("", selected.given);
    return {
      title,
      main,
      description: `${title}: ${page.about}`,
      canonical: origin + path + query,
      picture: pictureOf(deps, request, page.picture + query, `${title}.`),
      section: page.section,
      ...(selected.problem === null ? {} : { status: 400 }),
    };
  };
  return gatedPage<SelectionView & Found>(deps, page.at, {
    ...page,
    async gate(request, viewer) {
      const selected = await readSelected(deps, request, viewer);
      const { pathname, search } = deps.contextOf(request).url;
      return selected instanceof Response ? selected : { gate: gateOf(selected), back: pathname + search };
    },
    async find(request, viewer, isFile) {
      const selected = await readSelected(deps, request, viewer);
      if (selected instanceof Response) return selected;
      const { url, baseUrls } = deps.contextOf(request);
      const gate = gateOf(selected);
      const seesAll = await deps.viewers.isOpen(viewer, selected.dataset.info.contentHash, gate);
      const offered = (what: string) => offer(viewer, gate, what, url.pathname + url.search);
      const view: SelectionView = {
        selected,
        title: page.title(selected),
        here: baseUrls.origin + withQuery(path, selected.given),
        origin: baseUrls.origin,
        groups: await groupsOf(deps, viewer),
        years: coverage.fiscalYears(),
        seesAll,
        more: !seesAll && page.more !== undefined && offered(page.more),
      };
      if (!seesAll && !(deps.publicRankings === "on" && isLatest(selected.filters))) {
        const main = html`<h1>${view.title}</h1>
          ${filters(view)} ${offered(page.what)}`;
        return show(viewer, { ...shown(request, view, main), status: 200 });
      }
      try {
        return { ...view, ...(await page.read(selected, { ...view, isFile })) };
      } catch (refused) {
        return showRefusal(viewer, refused);
      }
    },
    show: (view, request) => shown(request, view, selectionMain(page, view, filters(view))),
  });
}

function selectionMain<Found>(page: SelectionPage<Found>, view: SelectionView & Found, filters: Html): Html {
  const { selected, title, here } = view;
  const { edition } = selected.dataset.info;
  const cited = citation(title, page.detail(view), edition, here);
  return html`<div class="pay-page">
    ${titleRow(html`<h1>${title}</h1>`, fileButtons(page.at.download, selected.given), cited)}
    <p class="meta">${page.meta(view)}</p>
    ${filters} ${selectionNotes(selected, page.at.page)} ${page.body(view)} ${view.more}
    ${paperFoot(here, edition)}
  </div>`;
}
