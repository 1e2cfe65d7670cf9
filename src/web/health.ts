import { datasetHeader } from "../http/responses.ts";
import { ROUTES } from "../http/routes.ts";
import { Elysia } from "elysia";
import type { OperationDeps } from "../operations/operation.ts";

/** Dependencies of the health endpoints. */
export interface HealthDeps {
  snapshots: OperationDeps["snapshots"] & {
    /** Null if the installed dataset is the one being served, otherwise the reason it is not. */
    failure(): string | null;
  };
  /** Null if the writable store works, otherwise the reason. */
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
      // Load balancers and scripts use it to wait until all servers have the same edition.
      const headers = { ...plain.headers, dataset: datasetHeader(info) };
      return new Response(`ok\nsnapshot ${info.contentHash}\n`, { headers });
    });
}
