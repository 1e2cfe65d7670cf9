/** Peer groups: lists of companies that people save, and lists shared by a link. */
import type { MaybePromise } from "../domain/maybe-promise.ts";
import { Elysia } from "elysia";
import { MAX_GROUP_NAME, type GroupOwner, type PeerGroup } from "../accounts/peer-groups.ts";
import { readCompanyList } from "../domain/company-list.ts";
import { ServiceError } from "../errors.ts";
import { html } from "../html.ts";
import { type Dataset, findListed, nearestCompany } from "../operations/page-data.ts";
import { pathTo, ROUTES } from "../http/routes.ts";
import type { BrowserSession } from "../http/session-cookies.ts";
import { ownerOf } from "./company-lists.ts";
import { segmentOf } from "./company-request.ts";
import type { WebDeps } from "./deps.ts";
import { redirectTo, withCookies } from "../http/responses.ts";
import { deleteGroupMain, groupMain, groupsMain, keepForm, listText, sharedMain } from "./pages/groups.ts";
import { show, showProblem, showRefusal } from "./show.ts";
import type { Viewer } from "./viewer.ts";

/** `/groups` and the pages below it, and `/peers`, where the link itself contains the list. */
export function groupPages(deps: WebDeps) {
  return new Elysia({ name: "group-pages" })
    .get(ROUTES.peerGroups.path, ({ request }) => keeping(deps, request, (keeper) => showGroups(keeper)))
    .post(ROUTES.peerGroups.path, ({ request }) => keeping(deps, request, create), { parse: "none" })
    .get(ROUTES.peerGroup.path, ({ request }) =>
      withGroup(deps, request, (keeper, group) => showGroup(keeper, group)),
    )
    .post(ROUTES.peerGroup.path, ({ request }) => withGroup(deps, request, change), { parse: "none" })
    .get(ROUTES.deletePeerGroup.path, ({ request }) =>
      withGroup(deps, request, (keeper, group) => {
        const main = deleteGroupMain(group, keeper.browserSession.csrf);
        return show(keeper.viewer, { title: `Delete ${group.name}`, main });
      }),
    )
    .post(ROUTES.deletePeerGroup.path, ({ request }) => withGroup(deps, request, remove), { parse: "none" })
    .get(
      ROUTES.sharedList.path,
      deps.conditional((request) => showShared(deps, request)),
    );
}

/** A viewer who may save groups, and their browser. */
interface Keeper {
  deps: WebDeps & { peerGroups: NonNullable<WebDeps["peerGroups"]> };
  request: Request;
  viewer: Viewer;
  owner: GroupOwner;
  dataset: Dataset;
  browserSession: BrowserSession;
  /** The fields of the submitted form. Refuses forms from other sites with `forbidden`. */
  fields(): Promise<ReadonlyMap<string, string>>;
}

/** Calls `answer` for viewers who may save groups; shows all others why they cannot. */
async function keeping(
  deps: WebDeps,
  request: Request,
  answer: (keeper: Keeper) => Response | Promise<Response>,
): Promise<Response> {
  const viewer = await deps.viewers.find(request);
  const { peerGroups, sessionCookies } = deps;
  const owner = ownerOf(deps, viewer);
  if (peerGroups === null || sessionCookies === null) {
    const text =
      "This server runs without accounts, so peer groups cannot be saved. A link can contain a list instead.";
    return showProblem(viewer, 404, "Peer groups", text);
  }
  if (owner === undefined) {
    const { pathname } = deps.contextOf(request).url;
    const main = html`<h1>Peer groups</h1>
      <p class="note">
        <a href="/sign-in?next=${encodeURIComponent(pathname)}">Sign in</a> to save lists of companies.
      </p>`;
    return show(viewer, { title: "Peer groups", main });
  }
  const browserSession = await sessionCookies.browserSession(request);
  try {
    const made = await answer({
      deps: { ...deps, peerGroups },
      request,
      viewer,
      owner,
      dataset: deps.snapshots.current(),
      browserSession,
      fields: () => sessionCookies.form(request, browserSession),
    });
    // The page of a signed-in person sets these cookies already.
    return viewer.kind === "person" ? made : withCookies(made, browserSession.cookies);
  } catch (refused) {
    return showRefusal(viewer, refused);
  }
}

/** The same for a page of one group, which only its owner sees. */
function withGroup(
  deps: WebDeps,
  request: Request,
  answer: (keeper: Keeper, group: PeerGroup) => Response | Promise<Response>,
): Promise<Response> {
  return keeping(deps, request, async (keeper) => {
    const group = await keeper.deps.peerGroups.find(keeper.owner, segmentOf(deps, request, 2));
    return group === undefined ? showNoGroup(keeper.viewer) : answer(keeper, group);
  });
}

/** The page shown when the viewer has no such group. */
export function showNoGroup(viewer: Viewer): Response {
  const text = "You have no such peer group. It may have been deleted, or it belongs to another account.";
  return showProblem(viewer, 404, "Not found", text);
}

/** The content of a rejected form. */
interface Refused {
  name: string;
  companies: string;
  problem: string;
}

async function showGroups(
  { deps, owner, viewer, browserSession }: Keeper,
  refused?: Refused,
): Promise<Response> {
  const form = { csrf: browserSession.csrf, name: "", companies: "", problem: null, ...refused };
  const main = groupsMain(await deps.peerGroups.list(owner), form);
  return show(viewer, { title: "Peer groups", main, status: refused === undefined ? 200 : 400 });
}

function showGroup(keeper: Keeper, group: PeerGroup, refused?: Refused): Response {
  const { deps, request, viewer, dataset, browserSession } = keeper;
  const { found } = findListed(
    dataset,
    group.ciks.map((cik) => `CIK${cik}`),
  );
  const content = { name: group.name, companies: listText(found, ", ") };
  const shared = new URLSearchParams({ name: group.name, t: listText(found, ",") });
  const sharedAt = `${deps.contextOf(request).baseUrls.origin}${ROUTES.sharedList.path}?${shared}`;
  const form = { csrf: browserSession.csrf, problem: null, ...content, ...refused };
  const main = groupMain(group, found, form, sharedAt);
  return show(viewer, { title: group.name, main, status: refused === undefined ? 200 : 400 });
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

/** Saves the content of a form; if it is rejected, shows the form again with the error. */
async function save(
  keeper: Keeper,
  keep: (content: { name: string; ciks: readonly string[] }) => Promise<string>,
  again: (refused: Refused) => MaybePromise<Response>,
): Promise<Response> {
  const fields = await keeper.fields();
  const [name, companies] = [fields.get("name") ?? "", fields.get("companies") ?? ""];
  try {
    const id = await keep({ name, ciks: await companiesOf(keeper.dataset, companies) });
    return backTo(keeper, pathTo("peerGroup", { id }));
  } catch (refused) {
    if (!(refused instanceof ServiceError) || refused.kind !== "invalid_parameter") throw refused;
    return again({ name, companies, problem: refused.message });
  }
}

function create(keeper: Keeper): Promise<Response> {
  const { deps, owner } = keeper;
  return save(
    keeper,
    (content) => deps.peerGroups.create(owner, content),
    (refused) => showGroups(keeper, refused),
  );
}

function change(keeper: Keeper, group: PeerGroup): Promise<Response> {
  const { deps, owner } = keeper;
  return save(
    keeper,
    async (content) => {
      await deps.peerGroups.change(owner, group.id, content);
      return group.id;
    },
    (refused) => showGroup(keeper, group, refused),
  );
}

async function remove(keeper: Keeper, { id }: PeerGroup): Promise<Response> {
  await keeper.fields();
  await keeper.deps.peerGroups.delete(keeper.owner, id);
  return backTo(keeper, ROUTES.peerGroups.path);
}

function backTo({ deps, request }: Keeper, path: string): Response {
  return redirectTo(deps.contextOf(request).baseUrls.origin + path, []);
}

/** A list contained in the link itself: anyone with the link sees it, and of each company what they may see. */
async function showShared(deps: WebDeps, request: Request): Promise<Response> {
  const viewer = await deps.viewers.find(request);
  const { url } = deps.contextOf(request);
  const name = (url.searchParams.get("name") ?? "").trim().slice(0, MAX_GROUP_NAME);
  const listed = findListed(deps.snapshots.current(), readCompanyList(url.searchParams.get("t") ?? ""));
  const session = await deps.sessionCookies?.browserSession(request);
  const isKeeper = session !== undefined && ownerOf(deps, viewer) !== undefined;
  const keep = isKeeper
    ? keepForm(name, listed.found, session.csrf)
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
