import { Elysia } from "elysia";
import { type ContextOf, mcpEndpoints, type RequestContext, type ServerUrls } from "../http/base-urls.ts";
import { ROUTES } from "../http/routes.ts";
import { llmsText, serverDescription } from "./directory.ts";
import type { McpHandler } from "./handler.ts";

/** The MCP surface: a handler for each endpoint, and descriptions for models and registries. */
export function mcp(handler: McpHandler, contextOf: ContextOf, serverUrls: () => ServerUrls) {
  const app = new Elysia({ name: "mcp" });
  const serve = ({ request }: { request: Request }) => handler.answer(request, contextOf(request));
  const paths = new Set(mcpEndpoints(serverUrls()).map(({ url }) => new URL(url).pathname));
  // A legacy endpoint at the root of its own host is distinguished by host, because other hosts
  // serve a page at that path.
  const isWholeHost = ({ url }: RequestContext) =>
    url.pathname === ROUTES.home.path && url.host === serverUrls().mcpLegacy?.host;
  if (paths.delete(ROUTES.home.path)) {
    app.onRequest((context) => (isWholeHost(contextOf(context.request)) ? serve(context) : undefined));
  }
  // Has a fast path (`app.ts`).
  paths.delete(ROUTES.mcp.path);
  for (const path of paths) app.all(path, serve, { parse: "none" });
  return app
    .get(ROUTES.mcpServer.path, ({ request }) =>
      document("application/json", JSON.stringify(serverDescription(contextOf(request).baseUrls), null, 2)),
    )
    .get(ROUTES.llms.path, ({ request }) =>
      document("text/plain; charset=utf-8", llmsText(contextOf(request).baseUrls)),
    );
}

function document(type: string, text: string): Response {
  const headers = {
    "content-type": type,
    "cache-control": "public, max-age=300",
    "access-control-allow-origin": "*",
  };
  return new Response(text, { headers });
}
