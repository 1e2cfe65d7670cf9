/** The workers of a server: starts them, restarts those that die, and stops them together. */
import type { Company } from "../domain/company.ts";
import { OperatorError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Metric, Registry } from "../metrics.ts";
import { sumMetrics, withOthers } from "../server/metrics/sum.ts";
import type { OnDemand } from "../operations/operation.ts";
import { type Access, createDecisions } from "./decisions.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

/** Dependencies of the pool. */
export interface PoolDeps {
  count: number;
  /** The worker's command line and environment. */
  command: readonly string[];
  environment: Record<string, string | undefined>;
  access: Access;
  onDemand: OnDemand | null;
  /** The company with a CIK; undefined if unknown. */
  companyOf(cik: string): Company | undefined;
  registry: Registry;
  log: Log;
  /** Writes lines of a worker's log. */
  note(lines: string): void;
  monotonic(): number;
  /** Interval of checks for silent workers; ten seconds by default. */
  watchMs?: number;
}

/** Workers that answer on the server's port. */
export interface Pool {
  /** Resolves once all are listening. Rejects if one exits before that. */
  ready: Promise<void>;
  /** The metrics of this process and all workers combined. */
  registry: Registry;
  /** Makes each worker reload its files. */
  reload(): void;
  /** Lets responses in flight finish, for at most `graceMs`, then ends all workers. */
  stop(graceMs?: number): Promise<void>;
}

interface Worker {
  child: Bun.Subprocess<"ignore", "ignore", "pipe">;
  isListening: boolean;
  metrics: readonly Metric[];
  residentBytes: number;
  /** Checks since its last message. */
  silentFor: number;
}

/** A worker that exits this soon after its start is restarted with a delay. */
const QUICK_MS = 5000;
const AGAIN_MS = 1000;
/** Workers report metrics every second; one that is silent for this many checks in a row is considered hung. */
const WATCH_MS = 10_000;
const MAX_SILENT = 4;
/** Workers drain for eight seconds. */
const DRAIN_MS = 9000;

/** Starts the workers. */
// oxlint-disable-next-line max-lines-per-function -- its methods share the workers
export function startPool(deps: PoolDeps): Pool {
  const { count, registry, log } = deps;
  const workers = new Map<number, Worker>();
  /** Metrics of workers that have exited. */
  let exitedMetrics: readonly Metric[] = [];
  let isStopping = false;
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {});
  const restarts = registry.counter("execcomp_worker_restarts_total", "Restarts of workers that exited.");
  registry.gauge("execcomp_workers", "Workers that are listening.", () => [
    [{}, [...workers.values()].filter(({ isListening }) => isListening).length],
  ]);
  registry.gauge("execcomp_worker_resident_memory_bytes", "Resident memory of each worker.", () =>
    [...workers].map(([place, { residentBytes }]) => [{ worker: String(place) }, residentBytes] as const),
  );
  const together = withOthers(registry, () => [
    exitedMetrics,
    ...[...workers.values()].map(({ metrics }) => metrics),
  ]);

  const start = (place: number) => {
    const startedMs = deps.monotonic();
    const child = Bun.spawn([...deps.command], {
      env: deps.environment,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      serialization: "json",
      // Sent by `serve-worker` of this program.
      ipc: (message: FromWorker) => receive(worker, message),
    });
    const worker: Worker = { child, isListening: false, metrics: [], residentBytes: 0, silentFor: 0 };
    const decide = createDecisions(deps.access, (message) => tell(child, message));
    const receive = (from: Worker, message: FromWorker) => {
      switch (message.kind) {
        case "decide":
          return decide(message.requests);
        case "listening":
          from.isListening = true;
          // It reports nothing while it starts.
          from.silentFor = 0;
          if (workers.size === count && [...workers.values()].every((one) => one.isListening))
            ready.resolve();
          return;
        case "metrics":
          from.silentFor = 0;
          from.metrics = message.metrics;
          from.residentBytes = message.residentBytes;
          return;
        case "wanted":
          return tellFetching(child, message.cik, message.mayStart);
      }
    };
    workers.set(place, worker);
    void relayLines(child.stderr, deps.note);
    void untilEnded(place, worker, startedMs);
  };
  const untilEnded = async (place: number, worker: Worker, startedMs: number) => {
    const { child } = worker;
    await child.exited;
    workers.delete(place);
    exitedMetrics = sumMetrics([exitedMetrics, worker.metrics]);
    if (isStopping) return;
    log.error("worker_ended", { worker: place, code: child.exitCode, signal: child.signalCode });
    if (!worker.isListening) {
      const why = "A worker process (--processes) exited before it was ready; see its log above.";
      ready.reject(new OperatorError(why));
    }
    restarts.add({});
    const wait = deps.monotonic() - startedMs < QUICK_MS ? AGAIN_MS : 0;
    setTimeout(() => (isStopping ? undefined : start(place)), wait);
  };
  const tellFetching = (child: Worker["child"], cik: string, mayStart: boolean) => {
    const company = deps.companyOf(cik);
    if (company === undefined || deps.onDemand === null) return;
    const refusal = company.hasRows ? null : deps.onDemand.request(company, mayStart);
    tell(child, { kind: "fetching", cik, refusal });
  };
  const watch = setInterval(() => {
    for (const [place, worker] of workers) {
      worker.silentFor += 1;
      if (!worker.isListening || worker.silentFor < MAX_SILENT) continue;
      log.error("worker_silent", { worker: place });
      worker.child.kill("SIGKILL");
    }
  }, deps.watchMs ?? WATCH_MS);
  watch.unref();
  for (let place = 1; place <= count; place += 1) start(place);
  const tellAll = (message: ToWorker) => {
    for (const { child } of workers.values()) tell(child, message);
  };
  return {
    registry: together,
    ready: ready.promise,
    reload: () => tellAll({ kind: "reload" }),
    async stop(graceMs = DRAIN_MS) {
      isStopping = true;
      clearInterval(watch);
      tellAll({ kind: "stop" });
      const children = [...workers.values()].map(({ child }) => child);
      await Promise.race([Promise.all(children.map(({ exited }) => exited)), Bun.sleep(graceMs)]);
      for (const child of children) child.kill("SIGKILL");
    },
  };
}

/** Sends a message, unless the worker has exited. */
function tell(child: Worker["child"], message: ToWorker): void {
  if (child.exitCode === null && child.signalCode === null) child.send(message);
}

/** Relays whole lines, because lines of several processes writing to one pipe could be interleaved. */
async function relayLines(stream: ReadableStream<Uint8Array>, note: (lines: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const text = rest + decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf("\n");
    rest = text.slice(end + 1);
    if (end >= 0) note(text.slice(0, end));
  }
  if (rest !== "") note(rest);
}
