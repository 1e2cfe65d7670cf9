/** The routes of pages, OAuth and files. Loaded by the first request for one: loading them is a fifth of the time of a start. */
import { Elysia } from "elysia";
import { shownSettings } from "../config/load.ts";
import { copyForDownload } from "../jobs/backups.ts";
import { createDatasetAdmin } from "../jobs/dataset.ts";
import { selfCheck } from "../jobs/self-check.ts";
import { createIngestAdmin } from "../jobs/ingest.ts";
import { isReachableByOthers } from "../http/base-urls.ts";
import type { Services } from "./compose.ts";
import { ServiceError } from "../errors.ts";
import { nothingServedAt, refusal, refusalHeaders, STATUS } from "../http/refusals.ts";
import { wantsPage } from "../http/requests.ts";
import { isLoopbackClient } from "../http/addresses.ts";
import { mcpDocuments } from "../mcp/index.ts";
import { docs } from "../rest/docs.ts";
import { errorResponse, oauthErrorOf } from "../oauth/endpoint.ts";
import { oauth } from "../oauth/index.ts";
import { addressLimitOf } from "../accounts/rate-limits/rate-limits.ts";
import { ROUTES, routeAt, type Route, type RouteName } from "../http/routes.ts";
import { contextOf, inContextOf } from "./edge/plugin.ts";
import { type RouterDeps, routing, type Unmatched } from "./router.ts";
import { SessionCookies } from "../http/session-cookies.ts";
import type { FormDeps } from "../web/forms.ts";
import { accountPages, admin, web } from "../web/index.ts";
import { problemPage } from "../web/refusals.ts";
import { createViewers, type Viewers } from "../web/viewer.ts";
import packageJson from "../../package.json";

/** Identifies the users of browsers. */
interface Browsers {
  /** Null where there are no accounts. */
  sessionCookies: SessionCookies | null;
  forms: FormDeps | null;
  viewers: Viewers;
}

function createBrowsers(services: Services): Browsers {
  const { accounts, config, runtime } = services;
  const sessionCookies =
    accounts && new SessionCookies({ runtime, contextOf, findPerson: accounts.findPerson });
  const viewers = createViewers({
    contextOf,
    accounts: accounts === null || sessionCookies === null ? null : { ...accounts, sessionCookies },
    isLocal: (address) => config.localPages === "open" && isLocal(services, address),
  });
  const forms = sessionCookies && { runtime, contextOf, sessionCookies, viewers };
  return { sessionCookies, forms, viewers };
}

/** The pages about compensation. */
function pages(services: Services, browsers: Browsers) {
  const { accounts, config, operations } = services;
  return web({
    ...services,
    ...browsers,
    contextOf,
    peerGroups: accounts?.peerGroups ?? null,
    prices: config,
    admit: operations.admit,
    publicRankings: config.publicRankings,
    signUp: config.signUp,
    version: packageJson.version,
  });
}

/** Routes that need accounts: the authorization server and the pages for signed-in users. */
function accountSurfaces(
  services: Services,
  { serverUrls, provider }: RouterDeps,
  { sessionCookies, forms }: Browsers,
) {
  const { accounts, config, runtime, log, outbox } = services;
  if (accounts === null || sessionCookies === null || forms === null) return new Elysia();
  const { grants, creditsOf } = accounts;
  const isLocalCaller = (address: string) => isLocal({ config }, address);
  const people = { ...accounts, forms, runtime, log, config, outbox, provider };
  return new Elysia({ name: "people" })
    .use(oauth({ contextOf, serverUrls, sessionCookies, grants, log, creditsOf, isLocal: isLocalCaller }))
    .use(accountPages(people))
    .use(admin({ ...people, ...administration(services) }));
}

/** What the owners' pages need besides accounts. */
function administration({ config, runtime, snapshots, examined, program, ...rest }: Services) {
  const { dataDir } = config;
  const copyStore = program && ((id: string) => copyForDownload(program, dataDir, id, runtime.now()));
  return {
    snapshots,
    settings: () => shownSettings(config, rest.origins),
    version: packageJson.version,
    examined,
    backups: rest.backups,
    storeFailure: () => rest.storeFailure(),
    ingestAdmin: createIngestAdmin(program, config, runtime.now),
    datasetAdmin: program && createDatasetAdmin(program, dataDir),
    copyStore: config.store === "" ? copyStore : null,
    examine:
      program && (async () => (await selfCheck({ config, runtime, examined, ...rest }, program)) !== null),
  };
}

/** Whether the caller is on this computer and the server cannot be reached from any other. */
function isLocal({ config }: Pick<Services, "config">, address: string): boolean {
  return !isReachableByOthers(config) && isLoopbackClient(address);
}

/** A refusal as a page or in the flat envelope. Identifying the caller needs the store, which may be down: the visitor's page. */
function visitorRefusal(refused: ServiceError, request: Request): Response {
  const [status, headers] = [STATUS[refused.kind], refusalHeaders(refused)];
  return (
    problemPage(request, { kind: "visitor" }, status, refused.message, headers) ??
    refusal(status, refused.message, headers)
  );
}

/** What a page's address answers when no page is shown: over a limit, not there, refused. */
function answersBeside(services: Services, { viewers }: Browsers, unmatched: Unmatched) {
  /** Counts a visit in its window. @param route undefined where there is none */
  const admit = async (request: Request, route: RouteName | undefined): Promise<void> => {
    const { method, url, address } = contextOf(request);
    if (isLocal(services, address)) return;
    const of: Route | undefined = route && ROUTES[route];
    await services.addressLimits.acquire(addressLimitOf(of, method, url), address);
  };
  /** A page for browsers outside the API, otherwise a refusal that counts as a request. */
  const notFound = async (request: Request): Promise<Response> => {
    if (!wantsPage(request)) return unmatched(request);
    await admit(request, undefined);
    const message = nothingServedAt(contextOf(request).pathname);
    const page = problemPage(request, await viewers.find(request), 404, message);
    return page ?? unmatched(request);
  };
  const refuse = async (request: Request, refused: unknown, route: RouteName | undefined) => {
    if (!(refused instanceof ServiceError)) throw refused;
    // The address is none of the page's that was asked.
    if (refused.kind === "no_route") return notFound(request);
    if (refused.kind === "wrong_method") return unmatched(request, refused.details.allow);
    const { limit }: Route = route === undefined ? ROUTES.home : ROUTES[route];
    return limit === "oauth" ? errorResponse(oauthErrorOf(refused)) : visitorRefusal(refused, request);
  };
  return { admit, notFound, refuse };
}

/** Creates the handler of what the router has no other route for. */
export function createPages(
  services: Services,
  deps: RouterDeps,
  unmatched: Unmatched,
): (request: Request) => Promise<Response> {
  const browsers = createBrowsers(services);
  const { admit, notFound, refuse } = answersBeside(services, browsers, unmatched);
  const app = new Elysia(routing(services.config))
    // Elysia applies a hook to the routes that are added after it.
    .onError(async ({ code, error, request, route }) => {
      if (code !== "NOT_FOUND") return refuse(request, error, routeAt(route));
      try {
        return await notFound(request);
      } catch (refused) {
        return refuse(request, refused, undefined);
      }
    })
    .onBeforeHandle(async ({ request, route }) => {
      const [context, name] = [contextOf(request), routeAt(route)];
      context.route = route;
      await admit(request, name);
      const methods: readonly string[] = name === undefined ? [context.method] : ROUTES[name].methods;
      // A surface that refuses methods in its own form has them all.
      if (methods.includes("OPTIONS") || methods.includes(context.method)) return;
      throw new ServiceError("wrong_method", "", { allow: methods.join(", ") });
    })
    // A line for each surface.
    .use(docs(contextOf))
    .use(mcpDocuments(contextOf))
    .use(pages(services, browsers))
    .use(accountSurfaces(services, deps, browsers));
  const mounted = new Map(app.routes.map(({ path, method }) => [path, method]));
  for (const { path } of Object.values(ROUTES))
    if (mounted.has(path) && mounted.get(path) !== "ALL")
      app.all(path, () => new Response(null), { parse: "none" });
  // Pages answer HEAD as they answer GET.
  return async (request) =>
    app.fetch(
      request.method === "HEAD" ? inContextOf(request, new Request(request, { method: "GET" })) : request,
    );
}
