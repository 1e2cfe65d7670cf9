/** Gauges about the process and its files, read at each scrape. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Registry } from "../../metrics.ts";
import { OperatorError } from "../../errors.ts";

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
  const one = (value: number) => [[{}, value]] as const;
  const startedSeconds = sources.now() / 1000 - process.uptime();
  const { storePath } = sources;
  registry.gauge("execcomp_build_info", "1, with the version and the runtime as labels.", () => [
    [{ version: sources.version, bun: Bun.version }, 1],
  ]);
  registry.gauge("execcomp_ready", "1 while the store and the dataset work, like /readyz.", () =>
    one(sources.isReady() ? 1 : 0),
  );
  registry.gauge("execcomp_http_requests_in_flight", "Requests in flight.", () => one(sources.pending()));
  registry.gauge("execcomp_snapshot_info", "1, with the dataset in use as labels.", () => {
    const { edition, contentHash, origin } = sources.dataset();
    return [[{ edition, content_hash: contentHash.slice(0, 16), origin }, 1]];
  });
  registry.gauge("execcomp_snapshot_age_seconds", "Age of the dataset in use.", () =>
    one((sources.now() - Date.parse(sources.dataset().edition)) / 1000),
  );
  if (storePath !== null) {
    registry.gauge("execcomp_store_wal_bytes", "Size of the store's write-ahead log.", () =>
      one(statSync(`${storePath}-wal`).size),
    );
    registry.gauge(
      "execcomp_store_checkpoint_age_seconds",
      "Time since the last checkpoint of the store.",
      () => one((sources.now() - statSync(storePath).mtimeMs) / 1000),
    );
  }
  registry.gauge("process_resident_memory_bytes", "Resident memory.", () => one(process.memoryUsage.rss()));
  registry.gauge("process_open_fds", "Open file descriptors.", () =>
    one(readdirSync(join("/proc", "self", "fd")).length),
  );
  registry.gauge("process_start_time_seconds", "Start time of the process since the epoch.", () =>
    one(startedSeconds),
  );
  registry.total("process_cpu_seconds_total", "User and system CPU time.", () => {
    const { user, system } = process.cpuUsage();
    return one((user + system) / MICROS);
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

/** The metrics listener. */
export interface MetricsListener {
  address: string;
  stop(): Promise<void>;
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
export function serveMetrics(text: string, registry: Registry): MetricsListener {
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
    throw new OperatorError(`Cannot listen on ${text} (--metrics-listen): ${String(cause)}`);
  }
}
