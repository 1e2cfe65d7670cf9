/**
 * Routes for everything the fast paths of `app.ts` do not answer. Loaded with the first request that needs it: loading
 * it would be a fifth of the startup time.
 */
import { Elysia } from "elysia";
import { shownSettings } from "../config/load.ts";
import { copyForDownload } from "../jobs/backups.ts";
import { createDatasetAdmin } from "../jobs/dataset.ts";
import { selfCheck } from "../jobs/self-check.ts";
import { createIngestAdmin } from "../jobs/ingest.ts";
import {
  type ContextOf,
  isReachableByOthers,
  type RequestContext,
  type ServerUrls,
} from "../http/base-urls.ts";
import type { Services } from "./compose.ts";
import { ServiceError } from "../errors.ts";
import { isLoopbackClient, nothingServedAt, refusal, refusalHeaders, STATUS } from "../http/responses.ts";
import type { McpHandler } from "../mcp/handler.ts";
import { mcp } from "../mcp/index.ts";
import { errorResponse, oauthErrorOf } from "../oauth/endpoint.ts";
import { oauth } from "../oauth/index.ts";
import { type Visit, visitOf } from "../accounts/rate-limits/rate-limits.ts";
import type { RequestHandler, RestHandlers } from "../rest/handlers.ts";
import { rest } from "../rest/index.ts";
import { ROUTES } from "../http/routes.ts";
import { SessionCookies } from "../http/session-cookies.ts";
import type { FormDeps } from "../web/forms.ts";
import { accountPages, admin, health, web } from "../web/index.ts";
import { problemPage } from "../web/show.ts";
import type { Provider } from "../web/deps.ts";
import { createViewers, type Viewers } from "../web/viewer.ts";
import packageJson from "../../package.json";

/** Handlers that also have fast paths. */
export type Handlers = RestHandlers & { mcp: McpHandler };

/** What the router needs besides the services. */
export interface RouterDeps {
  /** The current base URLs. */
  serverUrls(): ServerUrls;
  /** The single sign-on provider; null without one. */
  provider: Provider | null;
}

/** Identifies the users of browsers. */
interface Browsers {
  /** Null where there are no accounts. */
  sessionCookies: SessionCookies | null;
  forms: FormDeps | null;
  viewers: Viewers;
}

function createBrowsers(services: Services, contextOf: ContextOf): Browsers {
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
function pages(services: Services, contextOf: ContextOf, browsers: Browsers) {
  const { accounts, config, operations } = services;
  return web({
    ...services,
    ...browsers,
    contextOf,
    peerGroups: accounts?.peerGroups ?? null,
    prices: config,
    admit: operations.admit,
    publicRankings: config.publicRankings,
    version: packageJson.version,
  });
}

/** Routes that need accounts: the authorization server and the pages for signed-in users. */
function accountSurfaces(
  services: Services,
  contextOf: ContextOf,
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

/** The answer to a rate-limited visitor, in the form the request calls for. */
function visitRefusal(refused: unknown, visit: Visit, request: Request): Response {
  if (!(refused instanceof ServiceError)) throw refused;
  return visit === "oauth" ? errorResponse(oauthErrorOf(refused)) : visitorRefusal(refused, request);
}

/** A refusal as a page or in the flat envelope. Identifying the caller needs the store, which may be down: the visitor's page. */
function visitorRefusal(refused: ServiceError, request: Request): Response {
  const [status, headers] = [STATUS[refused.kind], refusalHeaders(refused)];
  return (
    problemPage(request, { kind: "visitor" }, status, refused.message, headers) ??
    refusal(status, refused.message, headers)
  );
}

/** Creates the handler for requests at any path. */
export function createRouter(services: Services, handlers: Handlers, deps: RouterDeps): RequestHandler {
  const contexts = new WeakMap<Request, RequestContext>();
  const contextOf = (request: Request): RequestContext => {
    const context = contexts.get(request);
    if (context === undefined) throw new Error("the request did not come through the server");
    return context;
  };
  const browsers = createBrowsers(services, contextOf);
  // Elysia applies a hook only to routes added after it, so this one comes first.
  const app = new Elysia({ handler: { standardHostname: false } })
    .onError(({ code, error, request }) => {
      const context = contextOf(request);
      if (code === "NOT_FOUND")
        return notFound(request, context, methodsAt(context), handlers, browsers.viewers);
      const isElsewhere = error instanceof ServiceError && error.kind === "no_route";
      return isElsewhere
        ? notFound(request, context, undefined, handlers, browsers.viewers)
        : unavailablePage(error, request);
    })
    // The server's table of contents: one line per surface.
    .use(health(services))
    .use(rest(handlers, contextOf, services.runtime))
    .use(mcp(handlers.mcp, contextOf, deps.serverUrls))
    .use(pages(services, contextOf, browsers))
    .use(accountSurfaces(services, contextOf, deps, browsers));
  const mounted = new Set(app.routes.map(({ path }) => path));
  const methodsAt = ({ routeName }: RequestContext): string | undefined => {
    const route = routeName && ROUTES[routeName];
    return route && mounted.has(route.path) ? route.methods.join(", ") : undefined;
  };
  const handle: RequestHandler = (request, context) => {
    // Pages answer HEAD as they answer GET; what has no HEAD refuses it.
    const asGet =
      request.method === "HEAD" && methodsAt(context) !== "GET"
        ? new Request(request, { method: "GET" })
        : request;
    contexts.set(asGet, context);
    return app.handle(asGet);
  };
  return async (request, context) => {
    // MCP has its own limits, including at the operator's custom address.
    const visit = handlers.mcp.serves(context.url) ? null : visitOf(request.method, context.url);
    if (visit === null || isLocal(services, context.address)) return handle(request, context);
    try {
      await services.visits.acquire(visit, context.address);
    } catch (refused) {
      return visitRefusal(refused, visit, request);
    }
    return handle(request, context);
  };
}

/** The page shown while the store is down. Rethrows others for the edge to log: Elysia would turn them into its own answer. */
function unavailablePage(error: unknown, request: Request): Response {
  if (error instanceof ServiceError && error.kind === "unavailable") return visitorRefusal(error, request);
  throw error;
}

/** Answers unmatched paths: a page for browsers outside the API, otherwise a refusal that counts as a request. */
async function notFound(
  request: Request,
  context: RequestContext,
  methods: string | undefined,
  { notFound: refuseNotFound }: Handlers,
  viewers: Viewers,
): Promise<Response> {
  // URL parsers disagree about a raw `#`. If the path serves this method, do not answer 405.
  const isServed = methods?.split(", ").includes(request.method) === true;
  if (isServed) return refuseNotFound(request, context, undefined);
  const message = nothingServedAt(context.url.pathname);
  const shown =
    methods === undefined ? problemPage(request, await viewers.find(request), 404, message) : undefined;
  return shown ?? refuseNotFound(request, context, methods);
}
