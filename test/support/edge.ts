import { loadConfig } from "../../src/config/load.ts";
import { createServerUrls } from "../../src/http/base-urls.ts";
import { silentLog } from "../../src/log.ts";
import { UnreadBodies } from "../../src/server/edge/in-flight.ts";
import { createEdge } from "../../src/server/edge/index.ts";
import { testRuntime } from "./runtime.ts";

type Edge = Parameters<typeof createEdge>;

/** The edge at http://localhost:8402 in front of a surface, without a listener. @param deps what a test watches or replaces */
export function testEdge(surface: Edge[1], deps: Partial<Edge[0]> = {}): ReturnType<typeof createEdge> {
  const serverUrls = createServerUrls(loadConfig({}, undefined, {}).config, 8402);
  return createEdge(
    {
      log: silentLog(),
      runtime: testRuntime(),
      serverUrls: () => serverUrls,
      addressOf: (_request, peer) => peer,
      inFlight: { enter() {} },
      bodies: new UnreadBodies(),
      connections: { keep() {}, release() {}, allowMinutes() {} },
      compress: (answer) => Promise.resolve(answer),
      observe() {},
      datasetSince: () => null,
      problemPage: async () => undefined,
      ...deps,
    },
    surface,
  );
}
