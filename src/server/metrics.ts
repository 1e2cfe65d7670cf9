/** Metrics of the server, each with its name, help and labels; gauges about the process; the listener that serves them. */
import { readdirSync, statfsSync, statSync } from "node:fs";
import { messageOf, OperatorError } from "../errors.ts";
import { ROUTE_NAMES, type RouteName, ROUTES } from "../http/routes.ts";
import { createRegistry, type Registry } from "../metrics.ts";

/** Records the server's metrics. */
export type ServerMetrics = ReturnType<typeof createServerMetrics>;

const REQUEST_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const COMMIT_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
const COMMIT_JOBS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Client names used as labels; all others are `other`, so that callers cannot create unlimited series. */
const CLIENTS = [
  "claude",
  "chatgpt",
  "openai",
  "cursor",
  "vscode",
  "copilot",
  "gemini",
  "inspector",
] as const;

// Known labels: a counter that appears with its first event hides that event from an alert on the increase.
const EDGAR_STATUSES = ["200", "304", "403", "404", "429", "500", "502", "503", "504", "failed"];
const CHARGED = [ROUTES.compensation.id, "page:history", "page:query"];
const CHECKS = ["store", "owner", "ledger", "dataset"];

/** Creates the metrics, all at zero. */
export function createServerMetrics() {
  const registry = createRegistry();
  const request = requestObserver(registry);
  const credits = registry.counter("execcomp_credits_charged_total", "Credits charged, by operation.");
  const limited = registry.counter("execcomp_rate_limit_refusals_total", "Requests refused by a rate limit.");
  const commits = registry.histogram(
    "execcomp_store_commit_duration_seconds",
    "Duration of a commit to disk.",
    COMMIT_SECONDS,
  );
  const batches = registry.histogram(
    "execcomp_store_commit_jobs",
    "Charges and other writes per commit.",
    COMMIT_JOBS,
  );
  const edgar = registry.counter("execcomp_edgar_requests_total", "Requests to EDGAR, by status.");
  const onDemand = registry.counter("execcomp_on_demand_total", "Companies fetched on demand, by outcome.");
  const calls = registry.counter("execcomp_mcp_tool_calls_total", "Calls of MCP tools, by tool and client.");
  const troubles = registry.counter(
    "execcomp_examination_troubles_total",
    "Failed checks of the hourly self-check, by check and status.",
  );
  const backups = registry.counter("execcomp_backups_total", "Scheduled backups, by outcome.");
  for (const outcome of ["made", "failed"]) backups.add({ outcome }, 0);
  for (const status of EDGAR_STATUSES) edgar.add({ status }, 0);
  for (const limit of ["anon", "key", "token", "handshake"]) limited.add({ limit }, 0);
  for (const outcome of ["held", "nothing", "elsewhere", "unavailable"]) onDemand.add({ outcome }, 0);
  for (const operation of CHARGED) credits.add({ operation }, 0);
  for (const check of CHECKS) troubles.add({ check, status: "broken" }, 0);
  // Series are kept, to build no labels per call.
  const chargedFor = new Map<string, ReturnType<typeof credits.series>>();
  const calledBy = new Map<string, ReturnType<typeof calls.series>>();
  const observeCommit = commits.series({});
  const observeBatch = batches.series({});
  return {
    registry,
    /** An answered request. @param route from a fixed list @param micros from arrival to response */
    request,
    charged(operation: string, amount: number): void {
      chargedFor.getOrInsertComputed(operation, () => credits.series({ operation }))(amount);
    },
    rateLimited: (limit: string) => limited.add({ limit }),
    /** A failed check of the hourly self-check. */
    examined: (check: string, status: string) => troubles.add({ check, status }),
    /** A scheduled backup. */
    backedUp: (outcome: "made" | "failed") => backups.add({ outcome }),
    committed(jobs: number, milliseconds: number): void {
      observeCommit(milliseconds / 1000);
      observeBatch(jobs);
    },
    edgarAnswered: (status: number | "failed") => edgar.add({ status: String(status) }),
    onDemandEnded: (outcome: string) => onDemand.add({ outcome }),
    /** @param client the name it reports, or its user agent */
    toolCalled(tool: string, client: string): void {
      const label = labelOf(client);
      const key = `${tool} ${label}`;
      calledBy.getOrInsertComputed(key, () => calls.series({ tool, client: label }))(1);
    },
  };
}

function labelOf(client: string): string {
  const small = client.toLowerCase();
  return CLIENTS.find((name) => small.includes(name)) ?? "other";
}

/** Series are kept, to build no labels per request: a response takes some ten microseconds in all. */
function requestObserver(registry: Registry) {
  const durations = registry.histogram(
    "execcomp_http_request_duration_seconds",
    "Time from arrival to response, by route and status class.",
    REQUEST_SECONDS,
  );
  const cached = new Map<string, ReturnType<typeof durations.series>[]>();
  return (route: string, status: number, micros: number): void => {
    const hundreds = Math.floor(status / 100);
    const ofRoute = cached.getOrInsertComputed(route, () => []);
    (ofRoute[hundreds] ??= durations.series({ route, status: `${hundreds}xx` }))(micros / 1e6);
  };
}

/**
 * Adds metrics about the services that share rate limits.
 *
 * @param up the services by name, and whether each is reachable
 * @returns a function that counts the loss of a service
 */
export function addWindowMetrics(
  registry: Registry,
  up: () => ReadonlyMap<string, boolean>,
): (service: string) => void {
  const losses = registry.counter(
    "execcomp_rate_limit_service_losses_total",
    "Losses of a shared rate limit service.",
  );
  registry.gauge(
    "execcomp_rate_limit_service_up",
    "1 while the shared rate limit service is reachable.",
    () => [...up()].map(([service, isUp]) => [{ service }, isUp ? 1 : 0] as const),
  );
  for (const service of up().keys()) losses.add({ service }, 0);
  return (service) => losses.add({ service });
}

/** Groups by the names of their routes, the first that matches; other routes have a group of their own. */
const GROUPS: readonly (readonly [group: string, names: RegExp])[] = [
  ["admin", /^admin/],
  ["download", /Download/],
  ["preview", /Chart|Embed/],
  ["ceo_pay", /^ceoPay(Statistics)?$/],
  ["docs", /^(docs|changelog)/],
  ["mcp", /^(mcp|llms)/],
  ["well_known", /^wellKnown$/],
  ["oauth", /^(register|authorize|consent|token|revoke)$/],
  ["company_page", /^(company|person|amount)(ByCik)?$/],
  ["assets", /Script|Font|^(icon|favicon|stylesheet)$/],
  ["sign_in", /^(setUp|sign|singleSignOn|invite|reset|forgotPassword)/],
  ["health", /^(livez|readyz)$/],
  ["pages", /Page$|^(search|rankings|compare|coverage|peerGroup|sharedList)/],
  ["other", /^robots$/],
];

/** Returns a function that maps routes, by their declared path, to groups; `other` for unknown paths. */
export function routeGrouper(): (path: string | undefined) => string {
  const groupOf = (name: RouteName) => GROUPS.find(([, names]) => names.test(name))?.[0] ?? name;
  const groups = new Map<string, string>(ROUTE_NAMES.map((name) => [ROUTES[name].path, groupOf(name)]));
  return (path) => groups.get(path ?? "") ?? "other";
}

/** What the gauges read. */
export interface ProcessSources {
  version: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a monotonic clock. */
  monotonic(): number;
  /** Requests in flight. */
  pending(): number;
  /** The store's file; null without one. */
  storePath: string | null;
  dataDir: string;
  /** The dataset in use. */
  dataset(): { edition: string; contentHash: string; origin: string };
  /** Whether everything `/readyz` checks is working. */
  isReady(): boolean;
}

/** Interval at which the event loop's delay is measured. */
const LOOP_MS = 250;
const LOOP_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const MICROS = 1e6;

/** Adds the gauges to a registry. @returns a function that stops measuring the event loop */
export function addProcessMetrics(registry: Registry, sources: ProcessSources): () => void {
  const gauge = (name: string, help: string, read: () => number) =>
    registry.gauge(name, help, () => [[{}, read()]]);
  const startedSeconds = sources.now() / 1000 - process.uptime();
  const { storePath } = sources;
  registry.gauge("execcomp_build_info", "1, with the version and the runtime as labels.", () => [
    [{ version: sources.version, bun: Bun.version }, 1],
  ]);
  gauge("execcomp_ready", "1 while the store and the dataset work, like /readyz.", () =>
    Number(sources.isReady()),
  );
  gauge("execcomp_http_requests_in_flight", "Requests in flight.", sources.pending);
  registry.gauge("execcomp_snapshot_info", "1, with the dataset in use as labels.", () => {
    const { edition, contentHash, origin } = sources.dataset();
    return [[{ edition, content_hash: contentHash.slice(0, 16), origin }, 1]];
  });
  gauge(
    "execcomp_snapshot_age_seconds",
    "Age of the dataset in use.",
    () => (sources.now() - Date.parse(sources.dataset().edition)) / 1000,
  );
  gauge("execcomp_disk_free_bytes", "Free space on the disk of the data folder.", () => {
    const { bavail, bsize } = statfsSync(sources.dataDir);
    return bavail * bsize;
  });
  if (storePath !== null) {
    gauge(
      "execcomp_store_wal_bytes",
      "Size of the store's write-ahead log.",
      () => statSync(`${storePath}-wal`).size,
    );
    gauge(
      "execcomp_store_checkpoint_age_seconds",
      "Time since the last checkpoint of the store.",
      () => (sources.now() - statSync(storePath).mtimeMs) / 1000,
    );
  }
  gauge("process_resident_memory_bytes", "Resident memory.", process.memoryUsage.rss);
  gauge("process_open_fds", "Open file descriptors.", () => readdirSync("/proc/self/fd").length);
  gauge("process_start_time_seconds", "Start time of the process since the epoch.", () => startedSeconds);
  registry.total("process_cpu_seconds_total", "User and system CPU time.", () => {
    const { user, system } = process.cpuUsage();
    return [[{}, (user + system) / MICROS]];
  });
  return measureLoop(registry, sources.monotonic);
}

function measureLoop(registry: Registry, monotonic: () => number): () => void {
  const delays = registry.histogram(
    "execcomp_event_loop_delay_seconds",
    "Delay of an event loop timer, measured four times a second.",
    LOOP_SECONDS,
  );
  const observe = delays.series({});
  let due = monotonic() + LOOP_MS;
  const timer = setInterval(() => {
    const now = monotonic();
    observe(Math.max(0, now - due) / 1000);
    due = now + LOOP_MS;
  }, LOOP_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Parses `PORT` or `HOST:PORT`; the default host is loopback. @throws OperatorError */
export function readListenAddress(text: string): { hostname: string; port: number } {
  const [, host = "127.0.0.1", digits = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535)
    throw new OperatorError(
      `Cannot read --metrics-listen ${JSON.stringify(text)}: expected PORT or ADDRESS:PORT.`,
    );
  return { hostname: host.replace(/^\[(.*)\]$/, "$1"), port };
}

/** Serves only `/metrics`. @throws OperatorError when the address is taken */
export function serveMetrics(text: string, registry: Registry) {
  const { hostname, port } = readListenAddress(text);
  try {
    const server = Bun.serve({
      hostname,
      port,
      development: false,
      fetch(request) {
        if (new URL(request.url).pathname !== "/metrics")
          return new Response("See /metrics.\n", { status: 404 });
        return new Response(registry.text(), {
          headers: {
            "content-type": "text/plain; version=0.0.4; charset=utf-8",
            "cache-control": "no-store",
          },
        });
      },
    });
    return { address: server.url.host, stop: () => server.stop(true) };
  } catch (cause) {
    throw new OperatorError(
      `Cannot listen on ${text} (--metrics-listen): ${messageOf(cause)} Choose another port.`,
    );
  }
}
