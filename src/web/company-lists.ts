/** The companies that a page's address names: a list of its own, or a peer group of the viewer. */
import type { GroupOwner, PeerGroup } from "../accounts/peer-groups.ts";
import { ServiceError } from "../errors.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { findListed, findTyped, type ListedCompanies, nearestCompany } from "../operations/companies.ts";
import type { WebDeps } from "./deps.ts";
import { showProblem } from "./show.ts";
import type { Viewer } from "./viewer.ts";

/** The owner of the groups a viewer sees; undefined for visitors and on servers without accounts. */
export function ownerOf({ peerGroups }: Pick<WebDeps, "peerGroups">, viewer: Viewer): GroupOwner | undefined {
  if (peerGroups === null || viewer.kind === "visitor") return undefined;
  return viewer.kind === "person" ? viewer.person.userId : null;
}

/** The peer groups that a viewer can choose from. */
export async function groupsOf(deps: Pick<WebDeps, "peerGroups">, viewer: Viewer): Promise<PeerGroup[]> {
  const owner = ownerOf(deps, viewer);
  try {
    return owner === undefined ? [] : ((await deps.peerGroups?.list(owner)) ?? []);
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
  deps: Pick<WebDeps, "peerGroups">,
  dataset: Dataset,
  viewer: Viewer,
  { group: id, list }: { group: string | null; list: string | null },
): Promise<RequestedCompanies> {
  if (id === null || id === "") return { group: null, ...findTyped(dataset, list ?? "") };
  const owner = ownerOf(deps, viewer);
  const group = owner === undefined ? undefined : await deps.peerGroups?.find(owner, id);
  return { group, ...findListed(dataset, group?.ciks.map((cik) => `CIK${cik}`) ?? []) };
}

/** The page shown when the viewer has no such group. */
export function showNoGroup(viewer: Viewer): Response {
  const text = "You have no such peer group. It may have been deleted, or it belongs to another account.";
  return showProblem(viewer, 404, "Not found", text);
}

/** Entries that get a suggestion; each takes a search. */
const MAX_SUGGESTED = 3;

/** The companies that entries may mean which match none. */
export function meantBy(dataset: Dataset, unknown: readonly string[]) {
  const meant = unknown.slice(0, MAX_SUGGESTED).map((one) => nearestCompany(dataset, one));
  return meant.filter((one) => one !== undefined);
}
