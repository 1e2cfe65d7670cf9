import { ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
import type { Metric, Registry } from "../../metrics.ts";
import { factsOf, tableOf, time } from "../account-tables.ts";
import type { SnapshotsShown } from "./dataset.ts";
import type { AdminPage } from "./frame.ts";

/** A result of a `doctor` check. */
export interface CheckShown {
  check: string;
  status: string;
  message: string;
}

export interface HealthPageDeps {
  snapshots: SnapshotsShown;
  /** Null if the writable store works, otherwise the reason. */
  storeFailure(): string | null;
  examined: { findings: readonly CheckShown[]; atMs: number | null };
  /** Runs the checks of `doctor` again; null where no child process can be started. */
  examine: (() => Promise<boolean>) | null;
  registry: Registry;
  version: string;
}

const DURATIONS = "execcomp_http_request_duration_seconds";
const COMMITS = "execcomp_store_commit_duration_seconds";

/** Results older than this are replaced when the page is opened. */
const FRESH_MS = 10_000;
/** How long the page waits for the checks, which read the whole store; the script shows later results. */
const PATIENCE_MS = 3000;

/** `/admin/health`: the results of `/readyz`, `doctor` and the metrics. The checks run when the page is opened. */
export function healthPage(deps: HealthPageDeps): AdminPage {
  let running: Promise<boolean> | null = null;
  const check = (): Promise<boolean> => {
    running ??= (deps.examine?.() ?? Promise.resolve(false)).finally(() => void (running = null));
    return running;
  };
  return {
    title: "Health",
    async main(visit) {
      const last = deps.examined.atMs;
      if (deps.examine !== null && (last === null || visit.nowMs - last > FRESH_MS || visit.nowMs < last)) {
        await Promise.race([check(), Bun.sleep(PATIENCE_MS)]);
      }
      const metrics = deps.registry.read();
      const failures = [deps.storeFailure(), deps.snapshots.failure()].filter((failure) => failure !== null);
      const { findings, atMs } = deps.examined;
      return html`${
          failures.length === 0
            ? html`<p class="figure"><strong>Ready</strong></p>`
            : failures.map((failure) => html`<p class="error" role="alert">${failure}</p>`)
        }
        ${processFacts(deps.version, metrics)}
        <section id="doctor" aria-labelledby="checks" ${running !== null && html`data-live`}>
          <h2 id="checks">Checks</h2>
          ${running !== null && html`<p role="status">The checks are running. Their results appear here.</p>`}
          ${atMs !== null && html`<p>Last run ${time(atMs)}; also every hour.</p>`}
          ${tableOf(
            "Checks of execcomp doctor",
            ["Check", "Status", "Result"],
            findings.map(({ check, status, message }) => [
              check,
              status === "broken" ? html`<strong class="error">broken</strong>` : status,
              message,
            ]),
            "The checks have not finished since the server started.",
          )}
          ${deps.examine !== null && visit.form("examine", html`<button>Run checks now</button>`)}
        </section>
        <h2>Since startup</h2>
        ${durations(metrics)}`;
    },
    acts: {
      examine: {
        async run() {
          if (await check()) return { said: "The checks were run just now." };
          throw new ServiceError(
            "unavailable",
            "The checks could not be run. See the log, or run execcomp doctor.",
          );
        },
      },
    },
  };
}

function processFacts(version: string, metrics: readonly Metric[]): Html {
  const { user, system } = process.cpuUsage();
  const uptime = process.uptime();
  const credits = total(metrics, "execcomp_credits_charged_total");
  const limited = total(metrics, "execcomp_rate_limit_refusals_total");
  const facts: [string, string][] = [
    ["Version", version],
    ["Uptime", duration(uptime)],
    ["Memory", `${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`],
    ["CPU time", `${((user + system) / 1e6).toFixed(1)} s`],
    ["Credits charged", credits.toLocaleString("en-US")],
    ["Rate-limited requests", limited.toLocaleString("en-US")],
  ];
  return factsOf(facts);
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.floor(seconds)} seconds`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} minutes`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} hours`;
  return `${Math.floor(seconds / 86_400)} days`;
}

function total(metrics: readonly Metric[], name: string): number {
  const found = metrics.find((metric) => metric.name === name);
  return found === undefined || found.type === "histogram"
    ? 0
    : found.samples.reduce((sum, [, value]) => sum + value, 0);
}

/** Requests by route and status, and commits to disk: how many, and how long they took. */
function durations(metrics: readonly Metric[]): Html {
  const rows = [DURATIONS, COMMITS].flatMap((name) => {
    const found = metrics.find((metric) => metric.name === name);
    if (found?.type !== "histogram") return [];
    return found.distributions
      .map(({ labels, counts, sum }) => {
        const times = counts.reduce((all, one) => all + one, 0);
        const what = name === COMMITS ? "commit to disk" : (labels["route"] ?? "");
        return {
          what,
          status: labels["status"] ?? "–",
          times,
          sum,
          bound: within(found.bounds, counts, times),
        };
      })
      .filter(({ times }) => times > 0)
      .toSorted((one, other) => other.times - one.times);
  });
  return tableOf(
    "Requests by route and status, and commits",
    ["What", "Status", { number: "Times" }, { number: "Mean, ms" }, { number: "95% within, ms" }],
    rows.map(({ what, status, times, sum, bound }) => [
      what,
      status,
      times.toLocaleString("en-US"),
      ((sum / times) * 1000).toFixed(2),
      bound === undefined ? "more" : Number((bound * 1000).toPrecision(3)),
    ]),
    "",
  );
}

/** The upper bound, in seconds, of the class that holds the 95th percentile; undefined beyond the last bound. */
function within(bounds: readonly number[], counts: readonly number[], times: number): number | undefined {
  let sum = 0;
  return bounds[counts.findIndex((count) => (sum += count) >= times * 0.95)];
}
