/** Traces and metrics for a collector of the operator's, by OTLP over HTTP. The library is loaded only where one is set. */
import type { Log, RequestLine } from "../log.ts";
import type { Registry } from "../metrics/registry.ts";
import type { Otlp, TelemetrySettings } from "./otlp.ts";

/** What hears of every request and tells the collector. */
export interface Telemetry {
  request(line: RequestLine): void;
  /** Sends what is left. */
  stop(): Promise<void>;
}

/** Requests that are kept until the library is there. */
const MAX_EARLY = 1000;

/** Starts sending. A collector that cannot be reached costs a line in the log, never a request. */
export function startTelemetry(settings: TelemetrySettings, registry: Registry, log: Log): Telemetry {
  const early: RequestLine[] = [];
  let otlp: Otlp | null = null;
  const loaded = (async () => {
    const { createOtlp } = await import("./otlp.ts");
    otlp = createOtlp(settings, registry, log);
    for (const line of early.splice(0)) otlp.request(line);
    return otlp;
  })();
  loaded.catch((error: unknown) => log.error("otlp_not_started", { error: String(error) }));
  return {
    request(line) {
      if (otlp !== null) otlp.request(line);
      else if (early.length < MAX_EARLY) early.push(line);
    },
    async stop() {
      await (await loaded.catch(() => null))?.stop();
    },
  };
}
