/** Peer groups: lists of companies that people save, and lists shared by a link. */
import { Elysia } from "elysia";
import { type GroupOwner, MAX_GROUP_NAME, type PeerGroup, type PeerGroups } from "../accounts/peer-groups.ts";
import { readCompanyList } from "../domain/company-list.ts";
import { ServiceError } from "../errors.ts";
import { html } from "../html.ts";
import { redirectTo, withCookies } from "../http/responses.ts";
import { pathTo, ROUTES } from "../http/routes.ts";
import { type Dataset, findListed, nearestCompany } from "../operations/page-data.ts";
import { ownerOf } from "./company-lists.ts";
import type { WebDeps } from "./deps.ts";
import { type Family, type Fields, type FormPage, Forms, type PageRequest } from "./forms.ts";
import { companiesText, groupMain, groupsMain, keepForm, listText, sharedMain } from "./pages/groups.ts";
import { show, showProblem } from "./show.ts";
import type { Viewer } from "./viewer.ts";

/** A viewer who may save groups, and the group of the page. */
interface Keeper {
  owner: GroupOwner;
  group: PeerGroup | undefined;
}

/** `/groups` and the pages below it, and `/peers`, where the link itself contains the list. */
export function groupPages(deps: WebDeps) {
  const app = new Elysia({ name: "group-pages" }).get(
    ROUTES.sharedList.path,
    deps.conditional((request) => showShared(deps, request)),
  );
  const { peerGroups, forms: formDeps } = deps;
  if (peerGroups === null || formDeps === null) {
    const text =
      "This server runs without accounts, so peer groups cannot be saved. A link can contain a list instead.";
    const none = () => showProblem({ kind: "operator" }, 404, "Peer groups", text);
    return app.get(ROUTES.peerGroups.path, none).get(ROUTES.peerGroup.path, none);
  }
  const forms = new Forms(formDeps, keepers(peerGroups, deps));
  const pages = { peerGroups: groupsPage(deps, peerGroups), peerGroup: groupPage(deps, peerGroups) };
  for (const name of ["peerGroups", "peerGroup"] as const) {
    app
      .get(ROUTES[name].path, (pageRequest: PageRequest) => forms.show(pages[name], pageRequest))
      .post(ROUTES[name].path, (pageRequest: PageRequest) => forms.act(pages[name], pageRequest), {
        parse: "none",
      });
  }
  return app;
}

/** Pages for viewers who may save groups; a page of one group only for its owner. */
function keepers(peerGroups: PeerGroups, deps: WebDeps): Family<Keeper> {
  return {
    async enter({ request, params: { id }, viewer, context }) {
      const owner = ownerOf(deps, viewer);
      if (owner !== undefined) {
        if (id === undefined) return { owner, group: undefined };
        const group = await peerGroups.find(owner, id);
        return group === undefined ? showNoGroup(viewer) : { owner, group };
      }
      if (request.method === "POST") return null;
      const main = html`<h1>Peer groups</h1>
        <p class="note">
          <a href="${ROUTES.signIn.path}?next=${encodeURIComponent(context.url.pathname)}">Sign in</a> to save
          lists of companies.
        </p>`;
      return show(viewer, { title: "Peer groups", main });
    },
    frame({ viewer, session, who: { group } }, _page, content, status) {
      const title = group?.name ?? "Peer groups";
      const main = html`${group !== undefined && html`<p class="soft"><a href="${ROUTES.peerGroups.path}">Peer groups</a></p>`}
        <h1>${title}</h1>
        ${content}`;
      const made = show(viewer, { title, main, status }, { "cache-control": "no-store" });
      // The page of a signed-in person sets these cookies already.
      return viewer.kind === "person" ? made : withCookies(made, session.cookies);
    },
  };
}

function groupsPage(deps: WebDeps, peerGroups: PeerGroups): FormPage<Keeper> {
  return {
    title: "Peer groups",
    main: async (visit) => groupsMain(await peerGroups.list(visit.who.owner), visit),
    acts: {
      create: {
        async run({ fields, who, actor, url }) {
          const content = await contentOf(deps, fields);
          const id = await peerGroups.create(who.owner, content, actor);
          return redirectTo(url.origin + pathTo("peerGroup", { id }));
        },
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
    main(visit) {
      const group = groupOf(visit.who);
      const { found } = findListed(
        deps.snapshots.current(),
        group.ciks.map((cik) => `CIK${cik}`),
      );
      const shared = new URLSearchParams({ name: group.name, t: listText(found, ",") });
      return groupMain(group, found, visit, `${visit.url.origin}${ROUTES.sharedList.path}?${shared}`);
    },
    acts: {
      change: {
        async run({ fields, who, actor }) {
          const content = await contentOf(deps, fields);
          const version = fields.get("version");
          await peerGroups.change(who.owner, groupOf(who).id, content, { version, actor });
          return null;
        },
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

/** The page shown when the viewer has no such group. */
export function showNoGroup(viewer: Viewer): Response {
  const text = "You have no such peer group. It may have been deleted, or it belongs to another account.";
  return showProblem(viewer, 404, "Not found", text);
}

/** Unknown entries that get a suggestion; each suggestion takes a search. */
const MAX_SUGGESTED = 3;

/** Reads the companies of a form. Refuses with `invalid_parameter`, naming unknown entries and the nearest match. */
async function companiesOf(dataset: Dataset, text: string): Promise<string[]> {
  const { found, unknown } = findListed(dataset, readCompanyList(text));
  if (unknown.length > 0) {
    const meant = await Promise.all(
      unknown.slice(0, MAX_SUGGESTED).map((one) => nearestCompany(dataset, one)),
    );
    const labels = new Set(meant.flatMap((one) => (one === undefined ? [] : [one.label])));
    const hint = labels.size === 0 ? "" : ` Did you mean ${[...labels].join(", ")}?`;
    const names = unknown.slice(0, 10).join(", ") + (unknown.length > 10 ? ", …" : "");
    throw new ServiceError("invalid_parameter", `No company found for ${names}.${hint}`);
  }
  return found.map(({ company }) => company.cik);
}

/** The content of a form. Refuses with `invalid_parameter`. */
async function contentOf({ snapshots }: WebDeps, fields: Fields) {
  const ciks = await companiesOf(snapshots.current(), fields.get("companies") ?? "");
  return { name: fields.get("name") ?? "", ciks };
}

/** A list contained in the link itself: anyone with the link sees it, and of each company what they may see. */
async function showShared(deps: WebDeps, request: Request): Promise<Response> {
  const viewer = await deps.viewers.find(request);
  const { url } = deps.contextOf(request);
  const name = (url.searchParams.get("name") ?? "").trim().slice(0, MAX_GROUP_NAME);
  const listed = findListed(deps.snapshots.current(), readCompanyList(url.searchParams.get("t") ?? ""));
  const session = await deps.forms?.sessionCookies.browserSession(request);
  const isKeeper = session !== undefined && ownerOf(deps, viewer) !== undefined;
  const keep = isKeeper
    ? keepForm(name, listed.found, session.csrf, deps.forms?.runtime.id() ?? "")
    : html`<p class="note">
        <a href="/sign-in?next=${encodeURIComponent(url.pathname + url.search)}">Sign in</a> to save this
        list.
      </p>`;
  const answer = show(viewer, {
    title: name === "" ? "Shared list" : name,
    main: sharedMain(name, listed, keep),
  });
  return isKeeper && viewer.kind === "operator" ? withCookies(answer, session.cookies) : answer;
}
