/** The router: every request that the edge lets in is routed here. Loaded by the first request, and the pages by the first for one. */
import { Elysia } from "elysia";
import type { ServerUrls } from "../http/base-urls.ts";
import { datasetHeader } from "../http/headers.ts";
import { ROUTES } from "../http/routes.ts";
import { McpHandler } from "../mcp/handler.ts";
import { mcp } from "../mcp/index.ts";
import { rest } from "../rest/index.ts";
import type { Services } from "./compose.ts";
import { codingFor, type Coding, createCompressor } from "./edge/compression.ts";
import { contextOf, edge, type EdgeDeps } from "./edge/plugin.ts";
import type { Provider } from "../web/deps.ts";

/** What the router needs besides the services. */
export interface RouterDeps {
  edge: EdgeDeps;
  /** The current base URLs. */
  serverUrls(): ServerUrls;
  /** The single sign-on provider; null without one. */
  provider: Provider | null;
}

/** Creates the handler of all requests. */
export function createRouter(
  services: Services,
  deps: RouterDeps,
): (request: Request) => Promise<Response> | Response {
  const { purchaseStatus, corsOrigins } = services.config;
  const mcpHandler = new McpHandler({
    ...services.operations,
    serverUrls: deps.serverUrls,
    purchaseStatus,
    onToolCall: services.metrics.toolCalled,
  });
  const surface = rest({ ...services.operations, purchaseStatus, corsOrigins, contextOf });
  const pages = pagesOf(services, deps, surface.unmatched);
  // Its table of contents: what all requests share, then a line for each surface.
  const app = new Elysia(routing(services.config))
    .use(edge(deps.edge))
    .use(surface.app)
    .use(health(services, surface.unmatched))
    .use(mcp(mcpHandler, contextOf, deps.serverUrls, pages))
    .all("/*", ({ request }) => pages(request), { parse: "none" });
  const compress = createCompressor();
  const compressed = async (request: Request, coding: Coding) =>
    compress(await app.fetch(request), coding, request, contextOf(request).pathname);
  return (request) => {
    const coding = codingFor(request.headers.get("accept-encoding"));
    return coding === null ? app.fetch(request) : compressed(request, coding);
  };
}

/**
 * Elysia finds the path behind the seventh character of a URL, or the eleventh. With http the seventh, or a short host would hide the
 * path's first segment; with https the seventh is a slash of the scheme, and every host has the three characters that are left.
 */
export function routing({ tlsCert }: Pick<Services["config"], "tlsCert">) {
  return { handler: { standardHostname: tlsCert !== "" } };
}

/** Refuses a request for a path or a method that is not there. @param allow the path's methods, if there is one */
export type Unmatched = (request: Request, allow?: string) => Promise<Response>;

/** Pages, OAuth and files, loaded by the first request for one: they take half as long to load as all else. */
function pagesOf(services: Services, deps: RouterDeps, unmatched: Unmatched) {
  let loaded: Promise<(request: Request) => Promise<Response>> | undefined;
  return async (request: Request): Promise<Response> => {
    contextOf(request).keepOpen();
    const answer = await (loaded ??= import("./pages.ts").then(({ createPages }) =>
      createPages(services, deps, unmatched),
    ));
    return answer(request);
  };
}

/** `/livez` (the process answers), `/readyz` (it can serve everyone). */
function health({ snapshots, storeFailure, examined }: Services, unmatched: Unmatched) {
  const plain = { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } };
  const ready = () => {
    const failures = [storeFailure(), snapshots.failure(), ...examined.broken].filter(
      (failure) => failure !== null,
    );
    // The hourly checks may find what the store has reported.
    if (failures.length > 0)
      return new Response(`${[...new Set(failures)].join("\n")}\n`, { ...plain, status: 503 });
    const { info } = snapshots.current();
    // Load balancers and scripts use it to wait until all servers have the same edition.
    const headers = { ...plain.headers, dataset: datasetHeader(info) };
    return new Response(`ok\nsnapshot ${info.contentHash}\n`, { headers });
  };
  const { livez, readyz } = ROUTES;
  const app = new Elysia({ name: "health" })
    .get(livez.path, () => new Response("ok\n", plain))
    .get(readyz.path, ready);
  for (const { path, methods } of [livez, readyz])
    app.all(path, ({ request }) => unmatched(request, methods.join(", ")), { parse: "none" });
  return app;
}
