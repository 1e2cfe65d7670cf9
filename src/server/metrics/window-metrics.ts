import type { Registry } from "../../metrics.ts";

/**
 * Adds metrics about the services that share rate limits.
 *
 * @param up the services by name, and whether each is reachable
 * @returns a function that counts the loss of a service
 */
export function addWindowMetrics(
  registry: Registry,
  up: () => ReadonlyMap<string, boolean>,
): (service: string) => void {
  const losses = registry.counter(
    "execcomp_rate_limit_service_losses_total",
    "Losses of a shared rate limit service.",
  );
  registry.gauge(
    "execcomp_rate_limit_service_up",
    "1 while the shared rate limit service is reachable.",
    () => [...up()].map(([service, isUp]) => [{ service }, isUp ? 1 : 0] as const),
  );
  for (const service of up().keys()) losses.add({ service }, 0);
  return (service) => losses.add({ service });
}
