/** Peer groups: lists of companies that people save, and lists shared by a link. */
import { companyName } from "../../domain/company-name.ts";
import { counted } from "../../lib/text.ts";
import { Elysia } from "elysia";
import {
  type GroupOwner,
  MAX_GROUP_NAME,
  MAX_GROUPS,
  type PeerGroup,
  type PeerGroups,
} from "../../accounts/peer-groups.ts";
import { MAX_COMPARED, readCompanyList } from "../../domain/company.ts";
import { MAX_COMPANIES } from "../../domain/selection.ts";
import { ServiceError } from "../../errors.ts";
import { type Html, html } from "../../lib/html.ts";
import { withCookies } from "../../http/headers.ts";
import { redirectTo } from "../../http/html-responses.ts";
import { pathTo, ROUTES } from "../../http/routes.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import {
  findListed,
  findTyped,
  type ListedCompanies,
  LOOK_UPS,
  type LookUps,
  nearestCompany,
  type PageCompany,
  VISITOR_LOOK_UPS,
} from "../../operations/companies.ts";
import type { PageVisit } from "../page-visit.ts";
import type { WebDeps } from "../deps.ts";
import { type Family, type Fields, type FormPage, Forms, mount } from "../forms.ts";
import { field, hiddenFields } from "../fields.ts";
import { noPage, showProblem } from "../refusals.ts";
import { show } from "../page-response.ts";
import { nameInList, pathOf } from "../parts/addresses.ts";
import { linkList, notFound } from "../parts/elements.ts";

/** A viewer who may save groups, and the group of the page. */
interface Keeper {
  owner: GroupOwner;
  group: PeerGroup | undefined;
}

/** `/groups` and the pages below it, and `/peers`, where the link itself contains the list. */
export function groupPages(deps: WebDeps) {
  const app = new Elysia({ name: "group-pages" });
  const { peerGroups, forms: formDeps } = deps;
  if (peerGroups === null || formDeps === null) {
    const text =
      "This server runs without accounts, so peer groups cannot be saved. A link can contain a list instead.";
    const none = () => showProblem({ kind: "operator" }, 404, "Peer groups", text);
    return app.get(ROUTES.peerGroups.path, none).get(ROUTES.peerGroup.path, none);
  }
  const forms = new Forms(formDeps, keepers(peerGroups, deps));
  mount(app, "peerGroups", forms.at(groupsPage(deps, peerGroups)));
  mount(app, "peerGroup", forms.at(groupPage(deps, peerGroups)));
  return app;
}

/** Pages for viewers who may save groups; a page of one group only for its owner. */
function keepers(peerGroups: PeerGroups, deps: WebDeps): Family<Keeper> {
  return {
    async enter({ request, params: { id }, viewer, context }) {
      const owner = ownerOf({ deps, viewer });
      if (owner !== undefined) {
        if (id === undefined) return { owner, group: undefined };
        const group = await peerGroups.find(owner, id);
        return group === undefined ? showProblem(viewer, 404, ...NO_GROUP) : { owner, group };
      }
      if (request.method === "POST") return null;
      const main = html`<h1>Peer groups</h1>
        <p class="note">
          <a href="${ROUTES.signIn.path}?next=${encodeURIComponent(context.url.pathname)}">Sign in</a> to save
          lists of companies, compare and rank them, and see their percentiles by name.
        </p>
        <p class="soft">
          Without an account, a list in <a href="${ROUTES.compare.path}">Compare</a> leads to each company’s
          free page.
        </p>`;
      return show(viewer, { title: "Peer groups", section: ROUTES.peerGroups.path, main });
    },
    frame({ viewer, session, who: { group } }, _page, content, status) {
      const title = group?.name ?? "Peer groups";
      const main = html`${group !== undefined && html`<p class="soft"><a href="${ROUTES.peerGroups.path}">Peer groups</a></p>`}
        <h1>${title}</h1>
        ${content}`;
      const response = show(
        viewer,
        { title, section: ROUTES.peerGroups.path, main, status },
        { "cache-control": "no-store" },
      );
      // The page of a signed-in person sets these cookies already.
      return viewer.kind === "person" ? response : withCookies(response, session.cookies);
    },
  };
}

function groupsPage(deps: WebDeps, peerGroups: PeerGroups): FormPage<Keeper> {
  return {
    title: "Peer groups",
    async main({ who, url, form }) {
      const groups = await peerGroups.list(who.owner);
      const given = (url.searchParams.get("companies") ?? "").slice(0, 4000);
      const links = groups.map(
        ({ id, name, ciks }) => [pathTo("peerGroup", { id }), name, companiesText(ciks.length)] as const,
      );
      const add = html`<h2>New group</h2>
        ${form("create", groupFields("", given, "Save group"), { className: "panel stacked" })}`;
      return html`<p>Saved lists of companies for comparisons and rankings. Only you can see them.</p>
        ${links.length === 0 ? html`<p class="soft">No groups yet.</p>` : linkList(links)}
        ${groups.length < MAX_GROUPS ? add : html`<p class="note">You have ${MAX_GROUPS} groups, the maximum.</p>`}`;
    },
    acts: {
      create: async ({ fields, who, actor, url }) => {
        const content = contentOf(deps, fields);
        const id = await peerGroups.create(who.owner, content, actor);
        return redirectTo(url.origin + pathTo("peerGroup", { id }));
      },
    },
  };
}

function groupPage(deps: WebDeps, peerGroups: PeerGroups): FormPage<Keeper> {
  const groupOf = ({ group }: Keeper): PeerGroup => {
    if (group === undefined) throw new Error("a page of a group without one");
    return group;
  };
  return {
    title: "Peer group",
    main({ who, url, form }) {
      const group = groupOf(who);
      const { name, version } = group;
      const { found } = findListed(deps.snapshots.current(), entriesOf(group));
      const fields = groupFields(name, listText(found, ", "), "Save changes");
      const shared = new URLSearchParams({ name, t: listText(found, ",") });
      return html`${uses(found, `group=${group.id}`)}
        <h2>${companiesText(found.length)}</h2>
        ${companyList(found)}
        <h2>Share</h2>
        <p>
          <a href="${url.origin}${ROUTES.sharedList.path}?${String(shared)}">Link to this list</a>. Anyone
          with the link sees the name, the companies as they are now, and the data that this server lets them
          see.
        </p>
        <h2>Change</h2>
        ${form("change", fields, { version, className: "panel stacked" })}
        ${form("delete", html`<button class="danger">Delete this group…</button>`)}`;
    },
    acts: {
      change: async ({ fields, who, actor }) => {
        const content = contentOf(deps, fields);
        const version = fields.get("version");
        await peerGroups.change(who.owner, groupOf(who).id, content, { version, actor });
        return null;
      },
      delete: {
        ask({ who }) {
          const { name, ciks } = groupOf(who);
          return {
            question: `Delete “${name}”? The list of ${companiesText(ciks.length)} will be deleted. Links you have shared will keep working.`,
            button: "Delete group",
          };
        },
        async run({ who, actor, url }) {
          await peerGroups.delete(who.owner, groupOf(who).id, actor);
          return redirectTo(url.origin + ROUTES.peerGroups.path);
        },
      },
    },
  };
}

/** The content of a form. Refuses with `invalid_parameter`, naming unknown entries and the nearest match. */
function contentOf({ snapshots }: WebDeps, fields: Fields) {
  const dataset = snapshots.current();
  const { found, unknown } = findTyped(dataset, fields.get("companies") ?? "", LOOK_UPS);
  if (unknown.length > 0) {
    const labels = new Set(meantBy(dataset, unknown, LOOK_UPS).map(({ label }) => label));
    const hint = labels.size === 0 ? "" : ` Did you mean ${[...labels].join(", ")}?`;
    const names = unknown.slice(0, 10).join(", ") + (unknown.length > 10 ? ", …" : "");
    throw new ServiceError("invalid_parameter", `No company found for ${names}.${hint}`);
  }
  return { name: fields.get("name") ?? "", ciks: found.map(({ company }) => company.cik) };
}

/** A list contained in the link itself: anyone with the link sees it, and of each company what they may see. */
export async function showShared(visit: PageVisit): Promise<Response> {
  const { deps, request, url, viewer, dataset } = visit;
  const name = (url.searchParams.get("name") ?? "").trim().slice(0, MAX_GROUP_NAME);
  const { found, unknown } = findListed(dataset, readCompanyList(url.searchParams.get("t") ?? ""));
  const session = await deps.forms?.sessionCookies.browserSession(request);
  const isKeeper = session !== undefined && ownerOf(visit) !== undefined;
  const fields = { name: name || "Shared list", companies: listText(found, " ") };
  const keep = isKeeper
    ? html`<form class="row" method="post" action="${ROUTES.peerGroups.path}">
        ${hiddenFields({ act: "create", once: deps.forms?.runtime.id() ?? "", csrf: session.csrf, ...fields })}
        <button>Save as my peer group</button>
      </form>`
    : html`<p class="note">
        <a href="${ROUTES.signIn.path}?next=${encodeURIComponent(url.pathname + url.search)}">Sign in</a> to
        save this list.
      </p>`;
  const main = html`<p class="soft">A list of companies shared with you by a link</p>
    <h1>${name === "" ? "Shared list" : html`“${name}”`}</h1>
    ${notFound(unknown)}
    ${
      found.length === 0
        ? html`<p>None of the companies in this link was found.</p>`
        : html`${uses(found, `t=${listText(found, ",")}`)}
            <h2>${companiesText(found.length)}</h2>
            ${companyList(found)} ${keep}`
    }`;
  const answer = show(viewer, { title: fields.name, main });
  return isKeeper && viewer.kind === "operator" ? withCookies(answer, session.cookies) : answer;
}

function entriesOf({ ciks }: PeerGroup): string[] {
  return ciks.map((cik) => `CIK${cik}`);
}

/** The list as text for an address or a form. */
export function listText(found: readonly PageCompany[], separator: string): string {
  return found.map(nameInList).join(separator);
}

function uses(listed: readonly PageCompany[], query: string): Html {
  const first = listed.length > MAX_COMPARED ? `Compare the first ${MAX_COMPARED}` : "Compare";
  const ranked = query.replace(/^t=/, "companies=");
  return html`<p class="row actions">
    <a class="button primary" href="${ROUTES.compare.path}?${query}">${first}</a>
    <a class="button" href="${ROUTES.statisticsPage.path}?${ranked}">Statistics</a>
    <a class="button" href="${ROUTES.rankings.path}?office=peo&amp;${ranked}">CEO ranking</a>
    <a class="button" href="${ROUTES.rankings.path}?office=pfo&amp;${ranked}">CFO ranking</a>
  </p>`;
}

/** Companies by name, each a link to its page; companies without rows are marked. */
export function companyList(listed: readonly PageCompany[]): Html {
  return html`<ul class="names">
    ${listed.map(
      (one) =>
        html`<li>
          <a href="${pathOf(one)}">${companyName(one.company.name)}</a>
          <span class="soft">${one.ticker}${!one.company.hasRows && " · no pay by component yet"}</span>
        </li>`,
    )}
  </ul>`;
}

function groupFields(name: string, list: string, button: string): Html {
  const given = { name: "name", required: true, maxlength: MAX_GROUP_NAME, value: name };
  return html`${field("Name", { ...given, placeholder: "Large banks" })}
    <label
      >Companies: up to ${MAX_COMPANIES} names or tickers, separated by commas; a CIK as CIK0000320193
      <textarea
        name="companies"
        rows="4"
        required
        maxlength="4000"
        placeholder="JPM, Bank of America, C, WFC"
        data-suggest="${ROUTES.suggest.path}"
        data-several
      >
${list}</textarea>
    </label>
    <div><button class="primary">${button}</button></div>`;
}

const companiesText = (count: number) => counted(count, "company");

/** The owner of the groups a viewer sees; undefined for visitors and on servers without accounts. */
export function ownerOf({ deps, viewer }: Pick<PageVisit, "deps" | "viewer">): GroupOwner | undefined {
  if (deps.peerGroups === null || viewer.kind === "visitor") return undefined;
  return viewer.kind === "person" ? viewer.person.userId : null;
}

/** The peer groups that a viewer can choose from. */
export async function groupsOf(visit: PageVisit): Promise<PeerGroup[]> {
  const owner = ownerOf(visit);
  try {
    return owner === undefined ? [] : ((await visit.deps.peerGroups?.list(owner)) ?? []);
  } catch (error) {
    // The page does not depend on accounts, only its choice of groups.
    if (error instanceof ServiceError && error.kind === "unavailable") return [];
    throw error;
  }
}

/** The companies of an address. */
export interface RequestedCompanies extends ListedCompanies {
  /** The group they come from; null if the address lists them, undefined if the viewer has no such group. */
  group: PeerGroup | null | undefined;
}

/** The companies of `group`, or of the list if there is no group. @param list as in the address */
export async function requestedCompanies(
  visit: PageVisit,
  { group: id, list }: { group: string | null; list: string | null },
): Promise<RequestedCompanies> {
  const { deps, dataset } = visit;
  if (id === null || id === "") return { group: null, ...findTyped(dataset, list ?? "", lookUpsOf(visit)) };
  const owner = ownerOf(visit);
  const group = owner === undefined ? undefined : await deps.peerGroups?.find(owner, id);
  return { group, ...findListed(dataset, group === undefined ? [] : entriesOf(group)) };
}

/** How many names of a list are looked up for a viewer. */
export function lookUpsOf({ viewer }: Pick<PageVisit, "viewer">): LookUps {
  return viewer.kind === "visitor" ? VISITOR_LOOK_UPS : LOOK_UPS;
}

const NO_GROUP = [
  "Not found",
  "You have no such peer group. It may have been deleted, or it belongs to another account.",
] as const;

/** The refusal of a group that the viewer does not have, to be thrown. */
export function noGroup(): ServiceError {
  return noPage(...NO_GROUP);
}

/** The companies that entries may mean which match none; for the first of them, since each takes a search. */
export function meantBy(dataset: Dataset, unknown: readonly string[], { mistaken }: LookUps) {
  const meant = unknown.slice(0, mistaken).map((one) => nearestCompany(dataset, one));
  return meant.filter((one) => one !== undefined);
}
