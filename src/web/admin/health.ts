import { figure, MARGIN, WIDTH } from "../../charts/frame.ts";
import { ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
import type { Metric, Registry } from "../../metrics.ts";
import { factsOf, tableOf, time } from "../account-tables.ts";
import { countsTable, withTable } from "../pages/parts.ts";
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
            findings.map(checkRow),
            "The checks have not finished since the server started.",
          )}
          ${deps.examine !== null && visit.form("examine", html`<button>Run checks now</button>`)}
        </section>
        <h2>Since startup</h2>
        ${requestsSection(metrics)}
        ${distribution(metrics, COMMITS, "commits", "Commits to disk by duration (upper bound in ms)")}`;
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

function checkRow({ check, status, message }: CheckShown): Html {
  return html`<tr>
    <th scope="row">${check}</th>
    <td>${status === "broken" ? html`<strong class="error">broken</strong>` : status}</td>
    <td>${message}</td>
  </tr>`;
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

function requestsSection(metrics: readonly Metric[]): Html {
  const found = metrics.find((metric) => metric.name === DURATIONS);
  if (found?.type !== "histogram" || found.distributions.length === 0) return html``;
  const rows = found.distributions
    .map(({ labels, counts, sum }) => {
      const requests = counts.reduce((all, one) => all + one, 0);
      return { route: labels["route"] ?? "", status: labels["status"] ?? "", requests, sum };
    })
    .toSorted((a, b) => b.requests - a.requests);
  return html`${distribution(metrics, DURATIONS, "requests", "Requests by duration (upper bound in ms)")}
  ${tableOf(
    "Requests by route and status",
    ["Route", "Status", { number: "Requests" }, { number: "Mean, ms" }],
    rows.map(
      ({ route, status, requests, sum }) =>
        html`<tr>
          <th scope="row">${route}</th>
          <td>${status}</td>
          <td class="number">${requests.toLocaleString("en-US")}</td>
          <td class="number">${((sum / requests) * 1000).toFixed(2)}</td>
        </tr>`,
    ),
    "",
  )}`;
}

/** A histogram over all its labels as bars, with the same data as a table. */
function distribution(metrics: readonly Metric[], name: string, id: string, title: string): Html {
  const found = metrics.find((metric) => metric.name === name);
  if (found?.type !== "histogram") return html``;
  const counts = [...found.bounds, Number.POSITIVE_INFINITY].map((_, place) =>
    found.distributions.reduce((sum, one) => sum + (one.counts[place] ?? 0), 0),
  );
  const chart: BarChart = {
    id,
    title,
    bars: counts.map((count, place) => ({ label: boundText(found.bounds[place]), count })),
  };
  return bars(chart);
}

function boundText(seconds: number | undefined): string {
  return seconds === undefined ? "more" : String(Number((seconds * 1000).toPrecision(3)));
}

/** A bar chart of counts by class. */
interface BarChart {
  /** Unique on the page. */
  id: string;
  title: string;
  bars: readonly { label: string; count: number }[];
}

const HEIGHT = 180;

/** Bars with the count above each, and the same data as a table. */
function bars({ id, title, bars: all }: BarChart): Html {
  const most = Math.max(1, ...all.map(({ count }) => count));
  const sum = all.reduce((total, { count }) => total + count, 0);
  const step = (WIDTH - 2 * MARGIN.right) / all.length;
  const floor = HEIGHT - MARGIN.bottom;
  const drawing = all.map(({ label, count }, place) => {
    const height = count === 0 ? 1 : Math.max(3, Math.round((count / most) * (floor - MARGIN.top)));
    const left = MARGIN.right + place * step;
    const middle = left + step / 2;
    return html`<rect
        class="series-2"
        x="${left + 2}"
        y="${floor - height}"
        width="${step - 4}"
        height="${height}"
        rx="2"
      />
      <text class="tick" x="${middle}" y="${HEIGHT - 10}" text-anchor="middle">${label}</text>
      ${count > 0 && html`<text class="tick" x="${middle}" y="${floor - height - 4}" text-anchor="middle">${count}</text>`}`;
  });
  const description = `${sum} in total. ${all
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${label === "more" ? "longer" : `up to ${label}`}: ${count}`)
    .join(", ")}`;
  return withTable(
    figure({ id, title, description, height: HEIGHT, drawing: html`${drawing}` }),
    countsTable("Up to", "Count", all),
  );
}
