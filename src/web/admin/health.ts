import { ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
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
  version: string;
}

/** Results older than this are replaced when the page is opened. */
const FRESH_MS = 10_000;
/** How long the page waits for the checks, which read the whole store; the script shows later results. */
const PATIENCE_MS = 3000;

/** `/admin/health`: the results of `/readyz` and `doctor`. The checks run when the page is opened. */
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
      const failures = [deps.storeFailure(), deps.snapshots.failure()].filter((failure) => failure !== null);
      const { findings, atMs } = deps.examined;
      return html`${
          failures.length === 0
            ? html`<p class="figure"><strong>Ready</strong></p>`
            : failures.map((failure) => html`<p class="error" role="alert">${failure}</p>`)
        }
        ${processFacts(deps.version)}
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
        </section>`;
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

function processFacts(version: string): Html {
  const { user, system } = process.cpuUsage();
  return factsOf([
    ["Version", version],
    ["Uptime", duration(process.uptime())],
    ["Memory", `${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`],
    ["CPU time", `${((user + system) / 1e6).toFixed(1)} s`],
  ]);
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.floor(seconds)} seconds`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} minutes`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} hours`;
  return `${Math.floor(seconds / 86_400)} days`;
}
