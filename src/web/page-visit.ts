/** A request for a page about compensation, and its answer. */
import type { Dataset } from "../dataset/dataset.ts";
import type { Viewer } from "./viewer.ts";
import { orRefusal } from "./refusals.ts";
import type { WebDeps } from "./deps.ts";

/** A request for a page about compensation: what it asks, for whom, of which dataset. */
export interface PageVisit {
  deps: WebDeps;
  request: Request;
  url: URL;
  /** Of the addresses that the page names. */
  origin: string;
  viewer: Viewer;
  dataset: Dataset;
}

/** What all pages begin with. */
export function visitOf(deps: WebDeps, request: Request, viewer: Viewer): PageVisit {
  const { url, baseUrls } = deps.contextOf(request);
  return { deps, request, url, origin: baseUrls.origin, viewer, dataset: deps.snapshots.current() };
}

/** Answers a request with a page for its viewer, or with the one that says why there is none. */
export async function answerVisit(
  deps: WebDeps,
  request: Request,
  answer: (visit: PageVisit) => Promise<Response> | Response,
): Promise<Response> {
  const visit = visitOf(deps, request, await deps.viewers.find(request));
  return orRefusal(visit.viewer, () => answer(visit));
}
