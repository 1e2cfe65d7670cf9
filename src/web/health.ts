import { datasetHeader } from "../http.ts";
import { ROUTES } from "../routes.ts";
import { Elysia } from "elysia";
import type { OperationDeps } from "../operations/operation.ts";

/** What health tells of. */
export interface HealthDeps {
  snapshots: OperationDeps["snapshots"] & {
    /** Null when what was installed is what answers, else why not. */
    failure(): string | null;
  };
  /** Null when the writable store works, else why not. */
  storeFailure(): string | null;
  examined: { broken: readonly string[] };
}

/** `/livez` (the process answers), `/readyz` (it can serve everyone). */
export function health(deps: HealthDeps) {
  const plain = { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } };
  return new Elysia({ name: "health" })
    .get(ROUTES.livez.path, () => new Response("ok\n", plain))
    .get(ROUTES.readyz.path, () => {
      const failures = [deps.storeFailure(), deps.snapshots.failure(), ...deps.examined.broken].filter(
        (failure) => failure !== null,
      );
      if (failures.length > 0) return new Response(`${failures.join("\n")}\n`, { ...plain, status: 503 });
      const { info } = deps.snapshots.current();
      // A balancer, or a script, waits for all servers to answer from one edition.
      const headers = { ...plain.headers, dataset: datasetHeader(info) };
      return new Response(`ok\nsnapshot ${info.contentHash}\n`, { headers });
    });
}
