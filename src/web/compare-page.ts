/** The comparison page. */
import { Elysia } from "elysia";
import { MAX_COMPARED, readCompanyList } from "../domain/company-list.ts";
import { html } from "../html.ts";
import { type Dataset, findListed, printedZeros, shortPeriods, yearsOf } from "../operations/page-data.ts";
import { ROUTES } from "../http/routes.ts";
import { type RequestedCompanies, requestedCompanies, groupsOf, ownerOf } from "./company-lists.ts";
import type { WebDeps } from "./deps.ts";
import { showNoGroup } from "./group-pages.ts";
import { open } from "./opening.ts";
import { COMPARED, type Compared, compareMain } from "./pages/compare.ts";
import { companyList, listText } from "./pages/groups.ts";
import { pictureOf } from "./picture.ts";
import { show } from "./show.ts";
import { type Gate, offer, type Viewer } from "./viewer.ts";

/** `/compare` */
export function comparePage(deps: WebDeps) {
  return new Elysia({ name: "compare-page" })
    .get(
      ROUTES.compare.path,
      deps.conditional((request) => showComparison(deps, request)),
    )
    .post(
      ROUTES.compare.path,
      async ({ request }) => {
        const { url } = deps.contextOf(request);
        const { requested } = await readComparison(deps, request);
        return open(deps, request, gateOf(deps, requested), url.pathname + url.search);
      },
      { parse: "none" },
    );
}

/** The companies of a comparison: those of the address or peer group that have rows, up to `MAX_COMPARED`. */
interface RequestedComparison extends RequestedCompanies {
  /** Names of the companies beyond the maximum. */
  left: readonly string[];
}

async function readComparison(
  deps: WebDeps,
  request: Request,
): Promise<{ viewer: Viewer; dataset: Dataset; requested: RequestedComparison }> {
  const viewer = await deps.viewers.find(request);
  const dataset = deps.snapshots.current();
  const { searchParams } = deps.contextOf(request).url;
  const given = { group: searchParams.get("group"), list: searchParams.get("t") };
  const companies = await requestedCompanies(deps, dataset, viewer, given);
  return { viewer, dataset, requested: compared(companies) };
}

/** The companies that a list in an address compares, for any viewer. */
export function comparedIn(dataset: Dataset, list: string | null): RequestedComparison {
  return compared({ group: null, ...findListed(dataset, readCompanyList(list ?? "")) });
}

function compared({ group, found, unknown }: RequestedCompanies): RequestedComparison {
  const [covered, without] = [true, false].map((hasRows) =>
    found.filter(({ company }) => company.hasRows === hasRows),
  );
  return {
    group,
    found: covered?.slice(0, MAX_COMPARED) ?? [],
    left: covered?.slice(MAX_COMPARED).map(({ company }) => company.name) ?? [],
    unknown: [...unknown, ...(without?.map(({ company, ticker }) => ticker || company.name) ?? [])],
  };
}

async function showComparison(deps: WebDeps, request: Request): Promise<Response> {
  const { viewer, dataset, requested } = await readComparison(deps, request);
  const { url } = deps.contextOf(request);
  if (requested.group === undefined) return showNoGroup(viewer);
  const { found } = requested;
  const names = listText(found, ", ");
  const gate = gateOf(deps, requested);
  const about = aboutComparison(deps, request, requested);
  if (found.length > 0 && !(await deps.viewers.isOpen(viewer, dataset.info.contentHash, gate))) {
    const main = html`<h1>Compare</h1>
      ${offer(viewer, gate, `${names} side by side`, url.pathname + url.search)}
      <h2>Companies</h2>
      ${companyList(found)}`;
    return show(viewer, { ...about, main });
  }
  const ciks = found.map(({ company }) => company.cik);
  const main = compareMain({
    requested,
    groups: await groupsOf(deps, viewer),
    keepsGroups: ownerOf(deps, viewer) !== undefined,
    who: whoOf(url),
    year: Number(url.searchParams.get("year") ?? 0) || null,
    companies: found.map((company) => ({
      found: company,
      years: yearsOf(company, dataset.years(company.company.cik)),
    })),
    zeros: printedZeros(dataset, ciks),
    remarks: shortPeriods(dataset, ciks),
  });
  return show(viewer, { ...about, main });
}

/** The title and description of a comparison, for any viewer. Companies of a peer group never appear in previews. */
function aboutComparison(deps: WebDeps, request: Request, { found, group }: RequestedComparison) {
  const names = listText(found, ", ");
  const section = ROUTES.compare.path;
  const query = group === null && found.length > 0 ? `?t=${encodeURIComponent(listText(found, ","))}` : "";
  const alt = query === "" ? "Executive pay compared." : `Executive pay of ${names} compared.`;
  return {
    title: names === "" ? "Compare" : `Compare ${names}`,
    description: "Executive pay of companies side by side, by year and component.",
    picture: pictureOf(deps, request, `${ROUTES.comparePreview.path}${query}`, alt),
    section,
    ...(group === null ? { canonical: deps.contextOf(request).baseUrls.origin + section + query } : {}),
  };
}

function whoOf(url: URL): Compared {
  const requested = url.searchParams.get("who");
  return Object.keys(COMPARED).find((name): name is Compared => name === requested) ?? "ceo";
}

/** The gate of a comparison: the same for the same companies, however they were selected. */
function gateOf({ prices }: WebDeps, { found }: RequestedCompanies): Gate {
  const ciks = found.map(({ company }) => company.cik).toSorted();
  const subject = `compare ${ciks.join(",")}`;
  return { subject, operation: "page:query", ticker: null, costCredits: prices.priceQuery };
}
