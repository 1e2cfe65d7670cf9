/**
 * A worker process that answers REST and MCP on the server's port together with others: it asks the owner process who is
 * admitted and at what cost, and forwards everything else to it.
 */
import { createForward, isMetered, listen, type Listener, pathOf, startServer } from "../../server/app.ts";
import { compose } from "../../server/compose.ts";
import { createRegistry } from "../../metrics.ts";
import { createServerMetrics } from "../../server/metrics/server-metrics.ts";
import type { FromWorker, ToWorker } from "../../processes/messages.ts";
import { createOwnerAccess } from "../../processes/owner-access.ts";
import { openSnapshots } from "../../dataset/snapshots.ts";
import { bufferedLog, logOptions } from "./buffered-log.ts";
import { command } from "../command.ts";

/** Interval of reports of this worker's metrics to the owner. */
const METRICS_MS = 1000;

/** `execcomp serve-worker`: used internally, and not listed. */
export const serveWorker = command({
  name: "serve-worker",
  summary: "Answer on the port of another execcomp, which owns the store.",
  operands: [{ name: "SOCKET", about: "Where that one listens." }],
  flags: {},
  settings: "all",
  examples: [],
  async run({ operands: [socket = ""] }, io) {
    const { config } = io.loaded;
    const { runtime } = io;
    const log = bufferedLog(runtime, logOptions(io), (lines) => io.note(lines));
    const send = (message: FromWorker) => void process.send?.(message);
    const access = createOwnerAccess(send);
    const stop = Promise.withResolvers<string>();
    const snapshots = openSnapshots({
      dataDir: config.dataDir,
      monotonic: runtime.monotonic,
      who: "server",
      onFault: (error) => log.error("snapshot_unreadable", { message: error.message }),
    });
    const metrics = createServerMetrics();
    const { registry } = metrics;
    const isFetching = config.contact !== "" && !config.offline;
    const services = compose(
      config,
      runtime,
      log,
      // This worker's counts are merged into the owner's metrics, and exported to a collector from there.
      {
        snapshots,
        accounts: null,
        onDemand: isFetching ? access.onDemand : null,
        metrics: { ...metrics, registry: createRegistry() },
      },
      access,
    );
    const forward = createForward(runtime.fetch, socket);
    const listener = listen({ ...config, isPortShared: true }, log);
    const server = startServer(services, forwarding(listener, forward));
    process.on("message", (message: ToWorker) => {
      if (message.kind === "stop") stop.resolve("stop");
      else if (message.kind === "reload") reload();
      else access.receive(message);
    });
    // Without its owner a worker can admit no one, and pending decisions never arrive.
    process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
    const reload = () => {
      snapshots.current();
      void server.renewCertificate().catch((error: unknown) => {
        log.error("certificate_not_renewed", { error: String(error) });
      });
    };
    const report = () =>
      send({ kind: "metrics", metrics: registry.read(), residentBytes: process.memoryUsage.rss() });
    const timer = setInterval(report, METRICS_MS);
    Bun.unsafe.setJITPolicy(1);
    send({ kind: "listening" });
    await Promise.race([stop.promise, io.untilStopped()]);
    await server.stop();
    clearInterval(timer);
    report();
    await services.close();
    log.flush();
    return 0;
  },
});

/** A listener that passes only metered requests to the server in this process and forwards all others. */
function forwarding(listener: Listener, forward: ReturnType<typeof createForward>): Listener {
  const forwardHeld = (request: Request, peer: string) => {
    if (request.method !== "GET" && request.method !== "HEAD") return forward(request, peer);
    listener.keep(request);
    return forward(request, peer).finally(() => listener.release(request));
  };
  return {
    ...listener,
    answerWith: (answer) =>
      listener.answerWith((request, peer) =>
        isMetered(pathOf(request)) || !URL.canParse(request.url)
          ? answer(request, peer)
          : forwardHeld(request, peer),
      ),
  };
}
