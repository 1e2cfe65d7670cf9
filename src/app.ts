import { Elysia, type ErrorHandler } from "elysia";
import packageJson from "../package.json";
import { createCompressor, createEdge, createInFlight, type Peer, type UnderWay } from "./edge/index.ts";
import { ROUTE_NAMES, routeFinder, ROUTES } from "./routes.ts";
import { copyForDownload } from "./admin/backup.ts";
import { createDatasetAdmin } from "./admin/dataset.ts";
import { examine } from "./admin/examination.ts";
import { createIngestAdmin } from "./admin/ingest.ts";
import { createSessionCookies, type SessionCookies } from "./session-cookies.ts";
import type { Accounts, Services } from "./compose.ts";
import { BoundedCache } from "./domain/cache.ts";
import { OperatorError, ServiceError } from "./errors.ts";
import { clientAddress, datasetHeader, isLoopbackClient, refusal } from "./http.ts";
import { type McpHandler, mcp, mcpHandler } from "./mcp/index.ts";
import { listen, type Listener } from "./edge/listener.ts";
import { serveMetrics } from "./edge/metrics-listener.ts";
import type { Log } from "./log.ts";
import { addProcessMetrics } from "./metrics/process-metrics.ts";
import { startTelemetry, type Telemetry } from "./telemetry/index.ts";
import { errorResponse, oauthErrorOf } from "./oauth/errors.ts";
import { oauth } from "./oauth/index.ts";
import { type Visit, visitOf } from "./rate-limits/visits.ts";
import { type RequestHandler, type RestHandlers, restHandlers } from "./rest/handlers.ts";
import { rest } from "./rest/index.ts";
import {
  type RequestContext,
  type ContextOf,
  type ServerUrls,
  createServerUrls,
  isReachableByOthers,
} from "./base-urls.ts";
import { admin } from "./web/admin/index.ts";
import { developer } from "./web/developer/index.ts";
import { health } from "./web/health.ts";
import { web } from "./web/index.ts";
import { refusalHeaders } from "./refusals.ts";
import { problemPage } from "./web/show.ts";
import { createViewers, type Viewers } from "./web/viewer.ts";
import { robots } from "./web/robots.ts";
import { forgotPassword } from "./web/forgot-password.ts";
import { signIn } from "./web/sign-in.ts";
import { signUp } from "./web/sign-up.ts";
import { type Provider, singleSignOn } from "./web/single-sign-on.ts";

/** What surfaces own and commands need; loaded when asked for, so that a server's start does not pay for it. */
export const onDemand = {
  /** MCP over standard input and output. */
  mcpOverStdio: async () => (await import("./mcp/stdio.ts")).mcpOverStdio,
  /** The OpenAPI document. */
  openApiDocument: async () => (await import("./rest/docs.ts")).openApiDocument(),
  openInherited: async (fd: number) => (await import("./edge/inherited.ts")).openInherited(fd),
};

/** A socket that a service manager hands over. */
export type { InheritedSocket } from "./edge/inherited.ts";
export { createForward, peerBehind } from "./edge/forward.ts";
export { checkListenSettings, freePort, listen, type Listener, serverBehind } from "./edge/listener.ts";
export { isMetered } from "./rate-limits/visits.ts";
export { pathOf } from "./edge/host.ts";
export { readListenAddress as readMetricsAddress } from "./edge/metrics-listener.ts";

/** A server that answers. */
export interface RunningServer {
  serverUrls: ServerUrls;
  port: number;
  /** Reads the certificate again, where it serves https itself. */
  renewCertificate(): Promise<void>;
  /** Refuses new connections, lets answers in flight finish (at most `graceMs`), then ends. */
  stop(graceMs?: number): Promise<void>;
}

/** Peers whose network is remembered. */
const CACHED_ADDRESSES = 4096;

/** What is also answered past the router. */
type Handlers = RestHandlers & { mcp: McpHandler };

/** The server's table of contents: every surface in one line. */
function surfaces(
  services: Services,
  handlers: Handlers,
  contextOf: ContextOf,
  serverUrls: () => ServerUrls,
  { sessionCookies, viewers }: Browsers,
  onError: ErrorHandler,
) {
  // Elysia applies a hook to the routes that are added after it: this one has to stand first.
  return new Elysia({ handler: { standardHostname: false } })
    .onError(onError)
    .use(health(services))
    .use(rest(handlers, contextOf, services.runtime))
    .use(mcp(handlers.mcp, contextOf, serverUrls))
    .use(robots({ contextOf, runtime: services.runtime, securityContact: services.config.securityContact }))
    .use(pages(services, contextOf, { sessionCookies, viewers }))
    .use(accountSurfaces(services, contextOf, serverUrls, sessionCookies));
}

/** Who sits in front of the browsers that ask. */
interface Browsers {
  /** Null where there are no accounts. */
  sessionCookies: SessionCookies | null;
  viewers: Viewers;
}

function createBrowsers(services: Services, contextOf: ContextOf): Browsers {
  const { accounts, config, runtime } = services;
  const sessionCookies =
    accounts && createSessionCookies({ runtime, contextOf, findPerson: accounts.findPerson });
  const viewers = createViewers({
    contextOf,
    accounts:
      accounts === null || sessionCookies === null
        ? null
        : { ...accounts, sessionCookies, credits: counted(accounts.credits, services.metrics) },
    isLocal: (address) => config.localPages === "open" && isLocal(services, address),
  });
  return { sessionCookies, viewers };
}

/** Charges as before, and counts what was charged: pages charge past the operations, which count their own. */
function counted(
  credits: Accounts["credits"],
  metrics: Services["metrics"],
): Pick<Accounts["credits"], "charge"> {
  return {
    async charge(wanted) {
      const receipt = await credits.charge(wanted);
      if (receipt.charged > 0) metrics.charged(wanted.operation, receipt.charged);
      return receipt;
    },
  };
}

/** The pages about compensation. */
function pages(services: Services, contextOf: ContextOf, { sessionCookies, viewers }: Browsers) {
  const { accounts, analyst, changes, config, operations, rasterizer, snapshots } = services;
  const { publicRankings } = config;
  const { admit } = operations;
  const { version } = packageJson;
  return web({
    snapshots,
    analyst,
    rasterizer,
    changes,
    contextOf,
    viewers,
    sessionCookies,
    peerGroups: accounts?.peerGroups ?? null,
    prices: config,
    admit,
    publicRankings,
    version,
  });
}

/** What needs accounts: the authorization server, and the pages where people sign in. */
function accountSurfaces(
  services: Services,
  contextOf: ContextOf,
  serverUrls: () => ServerUrls,
  sessionCookies: SessionCookies | null,
) {
  const { accounts, config, runtime, log, outbox } = services;
  const app = new Elysia({ name: "people" });
  if (accounts === null || sessionCookies === null) return app;
  const { grants, creditsOf } = accounts;
  const provider = providerOf(config);
  const providerName = provider === null ? null : config.ssoName;
  const entry = { runtime, contextOf, sessionCookies, accounts, signUpMode: config.signUp, providerName };
  const canMail = outbox !== null;
  const fromHere = (address: string) => isLocal({ config }, address);
  app.use(oauth({ contextOf, serverUrls, sessionCookies, grants, log, creditsOf, isLocal: fromHere }));
  app.use(signIn({ ...entry, canMail }));
  app.use(signUp(entry));
  if (outbox !== null) app.use(forgotPassword({ ...entry, outbox }));
  if (provider !== null) {
    app.use(singleSignOn({ ...entry, log, provider, signInByIdentity: accounts.signInByIdentity }));
  }
  const { connections } = grants;
  app.use(
    developer({
      ...accounts,
      runtime,
      contextOf,
      sessionCookies,
      connections,
      prices: config,
      creditsNote: config.creditsNote,
    }),
  );
  app.use(
    admin({ ...accounts, ...administration(services), runtime, contextOf, sessionCookies, connections }),
  );
  return app;
}

/** What the pages for owners look at and start besides accounts. */
function administration({
  config,
  runtime,
  snapshots,
  outbox,
  metrics,
  examined,
  program,
  ...rest
}: Services) {
  const { dataDir } = config;
  const copyStore = program && ((id: string) => copyForDownload(program, dataDir, id, runtime.now()));
  return {
    signUpMode: config.signUp,
    outbox,
    snapshots,
    dataDir,
    backups: config,
    registry: metrics.registry,
    version: packageJson.version,
    examined,
    storeFailure: () => rest.storeFailure(),
    hasPassword: async (userId: string) =>
      (await rest.accounts?.users.findById(userId))?.hasPassword === true,
    ingestAdmin: createIngestAdmin(program, config, runtime.now),
    datasetAdmin: program && createDatasetAdmin(program, dataDir),
    copyStore: config.store === "" ? copyStore : null,
    examine: program && (async () => (await examine(examined, program, config, runtime.now())) !== null),
  };
}

/** Whether a caller is on this computer and nobody else can reach the server. */
function isLocal({ config }: Pick<Services, "config">, address: string): boolean {
  return !isReachableByOthers(config) && isLoopbackClient(address);
}

/** What is said to an address that asks for too many pages: in the form of what it asked for. */
function visitRefusal(refused: unknown, visit: Visit, request: Request): Response {
  if (!(refused instanceof ServiceError)) throw refused;
  if (visit === "oauth") return errorResponse(oauthErrorOf(refused));
  const headers = refusalHeaders(refused);
  return (
    problemPage(request, { kind: "visitor" }, 429, refused.message, headers) ??
    refusal(429, refused.message, headers)
  );
}

/** The provider that people may sign in through; none where nothing may leave the machine. */
function providerOf({
  ssoIssuer,
  ssoClientId,
  ssoClientSecret,
  offline,
}: Services["config"]): Provider | null {
  if (ssoIssuer === null || offline) return null;
  if (ssoClientId === "")
    throw new OperatorError("--sso-issuer needs --sso-client-id: the client id at the provider.");
  return { issuer: ssoIssuer, clientId: ssoClientId, clientSecret: ssoClientSecret };
}

/** Answers one request, whoever carries it here: a listener, or `execcomp get` without one. */
export type App = (request: Request, peer: Peer) => ReturnType<RequestHandler>;

/**
 * The whole server but the listener: host check, request id, every surface, log line.
 *
 * @param serverUrls the base URLs at the time of a request; they are known once a port is
 * @param underWay what the listener knows of its requests
 */
// oxlint-disable-next-line max-lines-per-function -- every surface is put together here, in the order of a request
export function createApp(
  services: Services,
  serverUrls: () => ServerUrls,
  underWay: UnderWay = { pending: () => 0, isOver: () => true },
  telemetry: Telemetry | null = null,
): App {
  const { runtime } = services;
  const log = telemetry === null ? services.log : withTelemetry(services.log, telemetry);
  const contexts = new WeakMap<Request, RequestContext>();
  const contextOf = (request: Request): RequestContext => {
    const context = contexts.get(request);
    if (context === undefined) throw new Error("a request that did not come through the server");
    return context;
  };
  const { purchaseStatus } = services.config;
  const handlers: Handlers = {
    ...restHandlers({ ...services.operations, purchaseStatus, corsOrigins: services.config.corsOrigins }),
    mcp: mcpHandler({
      ...services.operations,
      serverUrls,
      purchaseStatus,
      onToolCall: services.metrics.toolCalled,
    }),
  };
  const browsers = createBrowsers(services, contextOf);
  const app = surfaces(services, handlers, contextOf, serverUrls, browsers, ({ code, error, request }) =>
    code === "NOT_FOUND"
      ? notFound(
          request,
          contextOf(request),
          methodsAt(contextOf(request).url.pathname),
          handlers,
          browsers.viewers,
        )
      : (unavailablePage(error, request) ?? rethrow(error)),
  );
  const mounted = new Set(app.routes.map(({ path }) => path));
  const findRoute = routeFinder(ROUTE_NAMES.filter((name) => mounted.has(ROUTES[name].path)));
  const methodsAt = (pathname: string): string | undefined => {
    const found = findRoute(pathname);
    return found === undefined ? undefined : ROUTES[found].methods.join(", ");
  };
  const routed: RequestHandler = (request, context) => {
    const visit = visitOf(request.method, context.url.pathname);
    if (visit !== null && !isLocal(services, context.address)) {
      try {
        services.visits.acquire(visit, context.address);
      } catch (refused) {
        return visitRefusal(refused, visit, request);
      }
    }
    if (request.method !== "HEAD") {
      contexts.set(request, context);
      return app.handle(request);
    }
    const asGet = new Request(request, { method: "GET" });
    const { id, url, baseUrls, address } = context;
    contexts.set(asGet, { id, url, baseUrls, address, isHead: true });
    return app.handle(asGet);
  };
  // Cutting an IPv6 address to its network is a third of the cost of an answer; most come again and again.
  const networks = new BoundedCache<string, string>(CACHED_ADDRESSES);
  const addressOf = (request: Request, peer: string): string => {
    const forwardedFor = request.headers.get("x-forwarded-for");
    return forwardedFor === null
      ? networks.getOrMake(peer, () => clientAddress(peer, null, services.trustedProxy))
      : clientAddress(peer, forwardedFor, services.trustedProxy);
  };
  const inFlight = createInFlight(underWay);
  const deps = {
    log,
    runtime,
    serverUrls,
    addressOf,
    inFlight,
    compress: createCompressor(),
    observe: services.metrics.request,
    datasetSince: (startedMs: number) => {
      const info = services.snapshots.inUseSince(startedMs);
      return info && datasetHeader(info);
    },
    callerOf: services.callerOf,
    problemPage: (request: Request, status: number, message: string, headers?: Record<string, string>) =>
      problemPage(request, { kind: "visitor" }, status, message, headers),
  };
  // What nearly every request asks for is found by one look-up and never by the router, which costs 1.5 us more.
  const fastPaths = fastPathsOf(handlers);
  const findFastPath = routeFinder(FAST_PATHS);
  const handlerOf = (url: URL): RequestHandler => {
    const found = findFastPath(url.pathname);
    return found === undefined ? routed : fastPaths[found];
  };
  // Addresses that come again are one object each.
  const found = new WeakMap<URL, RequestHandler>();
  return createEdge(deps, (request, context) => {
    const { url } = context;
    const known = found.get(url);
    if (known !== undefined) return known(request, context);
    const handler = handlerOf(url);
    found.set(url, handler);
    return handler(request, context);
  });
}

/** The routes that are answered past the router, where they are not mounted. */
const FAST_PATHS = ["compensation", "tickers", "facts", "mcp"] as const;

function fastPathsOf({ mcp: { answer }, compensation, tickers, facts }: Handlers) {
  return { compensation, tickers, facts, mcp: answer } satisfies Record<
    (typeof FAST_PATHS)[number],
    RequestHandler
  >;
}

/** For the edge to tell the operator: the router would make an answer of its own of it. */
function rethrow(error: unknown): never {
  throw error;
}

/**
 * Answers until stopped.
 *
 * @param listener open already where callers may wait; else the one that the configuration names is opened
 * @throws OperatorError when the port is taken or the addresses do not fit together, naming the flag to change
 */
export function startServer(services: Services, listener?: Listener): RunningServer {
  const { config, log } = services;
  // Checks the settings before a port is taken; made again with the real one right after.
  let serverUrls = createServerUrls(config, config.port);
  const open = listener ?? listen(config, log);
  const pending = () => open.pending();
  const port = open.port === 0 ? config.port : open.port;
  serverUrls = createServerUrls(config, port);
  const observers = observe(services, pending);
  open.answerWith(createApp(services, () => serverUrls, open, observers.telemetry));
  if (listener === undefined) open.publish();
  const endPurging = purgeHourly(services);
  const endChecking = checkDaily(services);
  return {
    serverUrls,
    port,
    renewCertificate: () => open.renewCertificate(),
    async stop(graceMs = 8000) {
      endPurging();
      endChecking();
      await observers.close();
      await open.stop(graceMs);
      await observers.telemetry?.stop();
    },
  };
}

/** What looks at the server from outside: a listener for a scraper, a collector that is sent to. */
function observe(services: Services, pending: () => number) {
  const { config, runtime, snapshots, accounts, metrics, log } = services;
  const { registry } = metrics;
  const listener = config.metricsListen === "" ? null : serveMetrics(config.metricsListen, registry);
  if (listener !== null) log.info("metrics", { address: listener.address });
  const telemetry = openTelemetry(services);
  const endMeasuring =
    listener === null && telemetry === null
      ? () => {}
      : addProcessMetrics(registry, {
          version: packageJson.version,
          now: runtime.now,
          monotonic: runtime.monotonic,
          pending,
          storePath: accounts?.store.path ?? null,
          dataset: () => snapshots.current().info,
          isReady: () => services.storeFailure() === null && snapshots.failure() === null,
        });
  return {
    telemetry,
    async close() {
      endMeasuring();
      await listener?.stop();
    },
  };
}

/** Null where no collector is set, or nothing may leave the machine. */
function openTelemetry({ config, runtime, metrics, log }: Services): Telemetry | null {
  const { otlpEndpoint, otlpHeaders, otlpTracePercent, offline } = config;
  if (otlpEndpoint === null || offline) return null;
  const pairs = otlpHeaders === "" ? [] : otlpHeaders.split(",");
  const headers = Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
  const { version } = packageJson;
  return startTelemetry(
    {
      endpoint: otlpEndpoint,
      headers,
      percent: otlpTracePercent,
      version,
      instance: runtime.id(),
      now: runtime.now,
    },
    metrics.registry,
    log,
  );
}

/** The log, of which every request is told to telemetry as well. */
function withTelemetry(log: Log, telemetry: Telemetry): Log {
  return {
    ...log,
    request(line) {
      log.request(line);
      telemetry.request(line);
    },
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Codes, tokens, requests and clients that are over, old audit entries and old entries of the ledger go once an hour, and a minute after the
 * start; what is over is refused long before that.
 *
 * @returns what ends it
 */
function purgeHourly({ accounts, log, config }: Services): () => void {
  if (accounts === null) return () => {};
  const purge = () => {
    void accounts.grants.purge().then(
      (rows) => log.info("oauth_purged", { rows }),
      (error) => log.warn("oauth_purge_failed", { error: String(error) }),
    );
    if (config.ledgerRetention > 0) {
      void accounts.credits.rollUp(config.ledgerRetention * DAY_MS).then(
        (entries) => log.info("ledger_rolled_up", { entries }),
        (error) => log.warn("ledger_roll_up_failed", { error: String(error) }),
      );
    }
    if (config.auditRetention === 0) return;
    void accounts.audit.expire(config.auditRetention * DAY_MS).then(
      (entries) => log.info("audit_expired", { entries }),
      (error) => log.warn("audit_expiry_failed", { error: String(error) }),
    );
  };
  const first = setTimeout(purge, MINUTE_MS);
  const timer = setInterval(purge, HOUR_MS);
  first.unref();
  timer.unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}

/**
 * Every byte of the dataset in use is looked at right after listening, and once a day: storage rots.
 *
 * @returns what ends it
 */
function checkDaily({ snapshots, log }: Services): () => void {
  const check = () =>
    void snapshots
      .check()
      .catch((error: unknown) => log.error("snapshot_check_failed", { error: String(error) }));
  const timer = setInterval(check, DAY_MS);
  timer.unref();
  check();
  return () => clearInterval(timer);
}

/** What a page that could not be made answers while the store does not work; undefined for everything else. */
function unavailablePage(error: unknown, request: Request): Response | undefined {
  if (!(error instanceof ServiceError) || error.kind !== "unavailable") return undefined;
  const headers = refusalHeaders(error);
  // Who asks is in the store, which does not work: the page is a visitor's.
  return (
    problemPage(request, { kind: "visitor" }, 503, error.message, headers) ??
    refusal(503, error.message, headers)
  );
}

/** What no route answers: a page for a person's browser outside the API, else a refusal that counts like any answer. */
async function notFound(
  request: Request,
  context: RequestContext,
  methods: string | undefined,
  { nowhere }: Handlers,
  viewers: Viewers,
): Promise<Response> {
  // A raw `#` in an address is read in two ways; where the method is served, it is not the method that is wrong.
  const isServed = methods?.split(", ").includes(request.method) === true;
  if (isServed) return nowhere(request, context, undefined);
  const message = `Nothing is served at ${context.url.pathname.slice(0, 200)}.`;
  const shown =
    methods === undefined ? problemPage(request, await viewers.find(request), 404, message) : undefined;
  return shown ?? nowhere(request, context, methods);
}
