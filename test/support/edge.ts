import { Elysia } from "elysia";
import { loadConfig } from "../../src/config/load.ts";
import { createServerUrls } from "../../src/http/base-urls.ts";
import { silentLog } from "../../src/log.ts";
import { NO_LISTENER } from "../../src/server/app.ts";
import { UnreadBodies } from "../../src/server/edge/in-flight.ts";
import { edge, type EdgeDeps } from "../../src/server/edge/plugin.ts";
import { testRuntime } from "./runtime.ts";

/** The edge at http://localhost:8402 around a surface, without a listener. @param deps what a test watches or replaces */
export function testEdge(surface: (request: Request) => Promise<Response>, deps: Partial<EdgeDeps> = {}) {
  const serverUrls = createServerUrls(loadConfig({}, undefined, {}).config, 8402);
  const plugin = edge({
    log: silentLog(),
    runtime: testRuntime(),
    serverUrls: () => serverUrls,
    addressOf: () => "203.0.113.1",
    inFlight: { enter() {} },
    bodies: new UnreadBodies(),
    connections: NO_LISTENER,
    observe() {},
    datasetSince: () => null,
    problemPage: async () => undefined,
    ...deps,
  });
  const app = new Elysia().use(plugin).all("/*", ({ request }) => surface(request), { parse: "none" });
  return async (request: Request): Promise<Response> => app.fetch(request);
}
