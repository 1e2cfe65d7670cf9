/** Metrics of the server, each with its name, help and labels. */
import { createRegistry, type Registry } from "../../metrics.ts";

/** Records the server's metrics. */
export interface ServerMetrics {
  registry: Registry;
  /** An answered request. @param route from a fixed list @param micros from arrival to response */
  request(route: string, status: number, micros: number): void;
  charged(operation: string, credits: number): void;
  rateLimited(limit: string): void;
  /** A failed check of the hourly self-check. */
  examined(check: string, status: string): void;
  /** A scheduled backup. */
  backedUp(outcome: "made" | "failed"): void;
  committed(jobs: number, milliseconds: number): void;
  edgarAnswered(status: number | "failed"): void;
  onDemandEnded(outcome: string): void;
  /** @param client the name it reports, or its user agent */
  toolCalled(tool: string, client: string): void;
}

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
const CHARGED = ["getExecutiveCompensation", "page:history", "page:query"];
const CHECKS = ["store", "owner", "ledger", "dataset"];

/** Creates the metrics, all at zero. */
export function createServerMetrics(): ServerMetrics {
  const registry = createRegistry();
  const durations = registry.histogram(
    "execcomp_http_request_duration_seconds",
    "Time from arrival to response, by route and status class.",
    REQUEST_SECONDS,
  );
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
  const observerOf = memoizeByTwo((route: string, status: number) =>
    durations.series({ route, status: `${status}xx` }),
  );
  const callCounterOf = memoizeByTwo((tool: string, client: string) => calls.series({ tool, client }));
  const creditCounterOf = memoize((operation: string) => credits.series({ operation }));
  const observeCommit = commits.series({});
  const observeBatch = batches.series({});
  return {
    registry,
    request(route, status, micros) {
      observerOf(route, Math.floor(status / 100))(micros / 1e6);
    },
    charged: (operation, amount) => creditCounterOf(operation)(amount),
    rateLimited: (limit) => limited.add({ limit }),
    examined: (check, status) => troubles.add({ check, status }),
    backedUp: (outcome) => backups.add({ outcome }),
    committed(jobs, milliseconds) {
      observeCommit(milliseconds / 1000);
      observeBatch(jobs);
    },
    edgarAnswered: (status) => edgar.add({ status: String(status) }),
    onDemandEnded: (outcome) => onDemand.add({ outcome }),
    toolCalled: (tool, client) => callCounterOf(tool, clientLabel(client))(1),
  };
}

/** Caches a value by name. */
function memoize<Name, Made>(make: (name: Name) => Made): (name: Name) => Made {
  const made = new Map<Name, Made>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const fresh = make(name);
    made.set(name, fresh);
    return fresh;
  };
}

/** The same by two names, to avoid building labels per request: a response takes some ten microseconds in all. */
function memoizeByTwo<First, Second, Made>(
  make: (first: First, second: Second) => Made,
): (first: First, second: Second) => Made {
  const byFirst = memoize((first: First) => memoize((second: Second) => make(first, second)));
  return (first, second) => byFirst(first)(second);
}

function clientLabel(client: string): string {
  const asked = client.toLowerCase();
  return CLIENTS.find((name) => asked.includes(name)) ?? "other";
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
