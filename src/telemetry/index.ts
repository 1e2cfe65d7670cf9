/**
 * Sends traces and metrics to the operator's collector by OTLP over HTTP. The library is loaded
 * only if one is configured.
 */
import type { Log, RequestLine } from "../log.ts";
import type { Registry } from "../metrics.ts";
import type { Otlp, TelemetrySettings } from "./otlp.ts";

/** Reports requests to the collector. */
export interface Telemetry {
  request(line: RequestLine): void;
  /** Sends what is pending and stops. */
  stop(): Promise<void>;
}

/** Maximum number of requests buffered while the library loads. */
const MAX_EARLY = 1000;

/** Starts telemetry. An unreachable collector is logged and never affects requests. */
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
