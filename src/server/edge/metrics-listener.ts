/** A separate listener for metrics, out of reach for callers. */
import { OperatorError } from "../../errors.ts";
import type { Registry } from "../../metrics.ts";

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
