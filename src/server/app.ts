import packageJson from "../../package.json";
import { InFlight, type PendingRequests, UnreadBodies } from "./edge/in-flight.ts";
import type { EdgeDeps } from "./edge/plugin.ts";
import type { Services } from "./compose.ts";
import { OperatorError } from "../errors.ts";
import { datasetHeader } from "../http/headers.ts";
import { wantsPage } from "../http/requests.ts";
import { clientAddress } from "../http/addresses.ts";
import { type Connections, listen, type Listener } from "./edge/listener.ts";
import { addProcessMetrics, serveMetrics } from "./metrics.ts";
import { AdvisoryLock } from "../shared-store/connection.ts";
import { purge, purgeFolder, purgeHourly } from "../jobs/purge.ts";
import type { Provider } from "../web/deps.ts";
import { createServerUrls, type ServerUrls } from "../http/base-urls.ts";
import { DAY_MS } from "../domain/fiscal-year.ts";

/** Parts of the surfaces that commands need, imported on demand to keep server startup fast. */
export const onDemand = {
  /** MCP over standard input and output. */
  mcpOverStdio: async () => (await import("../mcp/stdio.ts")).mcpOverStdio,
};

export { checkListenSettings, listen, type Listener, serverBehind } from "./edge/listener.ts";
export { readListenAddress as readMetricsAddress } from "./metrics.ts";

/** A running server. */
export interface RunningServer {
  serverUrls: ServerUrls;
  port: number;
  /** Reloads the certificate, where the server itself speaks HTTPS. */
  renewCertificate(): Promise<void>;
  /** Refuses new connections, lets in-flight responses finish (for at most `graceMs`), then stops. */
  stop(graceMs?: number): Promise<void>;
}

/** The configured single sign-on provider; null without one, or with `--offline`. @throws OperatorError for half of one */
export function providerOf({
  ssoIssuer,
  ssoClientId,
  ssoClientSecret,
  ssoDomains,
  offline,
}: Services["config"]): Provider | null {
  if (ssoIssuer === null && (ssoClientId !== "" || ssoClientSecret !== "" || ssoDomains.length > 0))
    throw new OperatorError(
      "--sso-client-id, --sso-client-secret and --sso-domains are about a provider. Add its address with --sso-issuer, or remove them.",
    );
  if (ssoIssuer === null || offline) return null;
  if (ssoClientId === "")
    throw new OperatorError("--sso-issuer needs --sso-client-id: the client id at the provider.");
  return { issuer: ssoIssuer, clientId: ssoClientId, clientSecret: ssoClientSecret };
}

/** Answers one request, from a listener or from `execcomp get` without one. */
export type App = (request: Request) => Promise<Response> | Response;

/** What is known of requests without a listener, which come from this machine. */
export const NO_LISTENER: PendingRequests & Connections = {
  peerOf: () => "127.0.0.1",
  pending: () => 0,
  isFinished: () => true,
  keep() {},
  release() {},
  allowMinutes() {},
};

/**
 * Assembles the server without its listener.
 *
 * @param serverUrls the current base URLs; known once a port is bound
 * @param listener its view of its requests and their connections
 */
export function createApp(
  services: Services,
  serverUrls: () => ServerUrls,
  listener: PendingRequests & Connections = NO_LISTENER,
): App {
  const provider = providerOf(services.config);
  let router: App | undefined;
  const load = async () =>
    (router ??= (await import("./router.ts")).createRouter(services, {
      edge: edgeDeps(services, serverUrls, listener),
      serverUrls,
      provider,
    }));
  return (request) => (router === undefined ? load().then((loaded) => loaded(request)) : router(request));
}

/** What the requests of a server share. */
function edgeDeps(
  services: Services,
  serverUrls: () => ServerUrls,
  listener: PendingRequests & Connections,
): EdgeDeps {
  const bodies = new UnreadBodies();
  return {
    log: services.log,
    runtime: services.runtime,
    serverUrls,
    addressOf: (request) =>
      clientAddress(listener.peerOf(request), request.headers.get("x-forwarded-for"), services.trustedProxy),
    inFlight: new InFlight({
      pending: () => listener.pending() - bodies.size,
      isFinished: listener.isFinished,
    }),
    bodies,
    connections: listener,
    observe: services.metrics.request,
    datasetSince(startedMs) {
      const info = services.snapshots.inUseSince(startedMs);
      return info && datasetHeader(info);
    },
    async problemPage(request, status, ...answer) {
      if (!wantsPage(request)) return undefined;
      const { problemPage } = await import("../web/refusals.ts");
      return problemPage(request, { kind: "visitor" }, status, ...answer);
    },
  };
}

/**
 * Starts answering requests until stopped.
 *
 * @param listener an open listener on which callers may already be waiting; by default, the configured one is opened
 * @throws OperatorError when the port is taken or the addresses conflict; it names the flag to change
 */
export function startServer(services: Services, listener?: Listener): RunningServer {
  const { config, log } = services;
  // Validates the settings before a port is taken; rebuilt below with the actual port.
  let serverUrls = createServerUrls(config, config.port);
  const open = listener ?? listen(config, log);
  const pending = () => open.pending();
  const port = open.port === 0 ? config.port : open.port;
  serverUrls = createServerUrls(config, port);
  const endObserving = observe(services, pending);
  open.answerWith(createApp(services, () => serverUrls, open));
  if (listener === undefined) open.publish();
  const endPurging = startPurging(services);
  const endChecking = checkDaily(services);
  return {
    serverUrls,
    port,
    renewCertificate: () => open.renewCertificate(),
    async stop(graceMs = 8000) {
      endPurging?.();
      endChecking();
      await endObserving();
      await open.stop(graceMs);
    },
  };
}

/** Starts the metrics listener, if one is configured. @returns a function that stops it */
function observe(services: Services, pending: () => number): () => Promise<void> {
  const { config, runtime, snapshots, accounts, metrics, log } = services;
  if (config.metricsListen === "") return async () => {};
  const listener = serveMetrics(config.metricsListen, metrics.registry);
  log.info("metrics", { address: listener.address });
  const endMeasuring = addProcessMetrics(metrics.registry, {
    version: packageJson.version,
    now: runtime.now,
    monotonic: runtime.monotonic,
    pending,
    storePath: accounts?.store.path ?? null,
    dataDir: config.dataDir,
    dataset: () => snapshots.current().info,
    isReady: () => services.storeFailure() === null && snapshots.failure() === null,
  });
  return async () => {
    endMeasuring();
    await listener.stop();
  };
}

/** @returns a function that stops it; null without a store */
function startPurging({ accounts, config, program, log }: Services): (() => void) | null {
  if (accounts === null) return null;
  if (config.store === "" && program !== null)
    return purgeHourly(() => purgeFolder(program, config), log, null);
  const lock = config.store === "" ? null : new AdvisoryLock(config.store, "execcomp: purge");
  return purgeHourly(() => purge(accounts, config), log, lock);
}

/** Leaves the first answers to themselves. */
const FIRST_CHECK_MS = 1000;

/**
 * Verifies every byte of the dataset in use soon after startup and once a day, to detect bit rot.
 *
 * @returns a function that stops the checks
 */
function checkDaily({ snapshots, log }: Services): () => void {
  const check = () =>
    void snapshots
      .check()
      .catch((error: unknown) => log.error("snapshot_check_failed", { error: String(error) }));
  const first = setTimeout(check, FIRST_CHECK_MS);
  const timer = setInterval(check, DAY_MS);
  for (const one of [first, timer]) one.unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}
