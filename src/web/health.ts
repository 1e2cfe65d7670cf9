import { Elysia } from "elysia";
import type { Log } from "../log.ts";
import type { OperationDeps } from "../operations/operation.ts";

/** What health tells of. */
export interface HealthDeps {
  snapshots: OperationDeps["snapshots"];
  log: Log;
  /** Null when the writable store works, else why not. */
  storeFailure(): string | null;
}

/** `/livez` (the process answers), `/readyz` (it can serve everyone), `/metrics` (counters for a scraper). */
export function health(deps: HealthDeps) {
  const plain = { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } };
  return new Elysia({ name: "health" })
    .get("/livez", () => new Response("ok\n", plain))
    .get("/readyz", () => {
      const failure = deps.storeFailure();
      const { info } = deps.snapshots.current();
      if (failure !== null) return new Response(`${failure}\n`, { ...plain, status: 503 });
      return new Response(`ok\nsnapshot ${info.contentHash}\n`, plain);
    })
    .get("/metrics", () => {
      const lines = [...deps.log.counters()].map(([name, count]) => `execcomp_${name}_total ${count}\n`);
      return new Response(lines.toSorted().join(""), plain);
    });
}
