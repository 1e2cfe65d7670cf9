import type { Registry } from "./registry.ts";

/**
 * The metrics of services that count requests for several servers.
 *
 * @param up each of them by name, and whether it answers
 * @returns what counts that one was lost
 */
export function addWindowMetrics(
  registry: Registry,
  up: () => ReadonlyMap<string, boolean>,
): (service: string) => void {
  const losses = registry.counter(
    "execcomp_rate_limit_service_losses_total",
    "Times that a service which counts requests for several servers was lost.",
  );
  registry.gauge(
    "execcomp_rate_limit_service_up",
    "Whether the service that counts requests for several servers answers.",
    () => [...up()].map(([service, isUp]) => [{ service }, isUp ? 1 : 0] as const),
  );
  return (service) => losses.add({ service });
}
