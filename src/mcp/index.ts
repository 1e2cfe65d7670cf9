import { Elysia } from "elysia";
import packageJson from "../../package.json";
import {
  type BaseUrls,
  type ContextOf,
  isLoopback,
  mcpEndpoints,
  type RequestContext,
  type ServerUrls,
} from "../http/base-urls.ts";
import { ROUTES } from "../http/routes.ts";
import type { McpHandler } from "./handler.ts";
import { COMPENSATION_TOOL, IMPLEMENTATION, TICKERS_TOOL } from "./tools.ts";

/** The MCP surface: a handler for each endpoint. @param home answers the path `/` for hosts that are no endpoint */
export function mcp(
  handler: McpHandler,
  contextOf: ContextOf,
  serverUrls: () => ServerUrls,
  home: (request: Request) => Promise<Response>,
) {
  const app = new Elysia({ name: "mcp" });
  const serve = ({ request }: { request: Request }) => handler.answer(request, contextOf(request));
  const paths = new Set(mcpEndpoints(serverUrls()).map(({ url }) => new URL(url).pathname));
  // A legacy endpoint at the root of its own host is distinguished by host, because other hosts
  // serve a page at that path.
  const isWholeHost = ({ url }: RequestContext) =>
    url.pathname === ROUTES.home.path && url.host === serverUrls().mcpLegacy?.host;
  if (paths.delete(ROUTES.home.path))
    app.all(
      ROUTES.home.path,
      ({ request }) => (isWholeHost(contextOf(request)) ? serve({ request }) : home(request)),
      { parse: "none" },
    );
  for (const path of paths) app.all(path, serve, { parse: "none" });
  return app;
}

/** Descriptions of the server for models and registries. */
export function mcpDocuments(contextOf: ContextOf) {
  return new Elysia({ name: "mcp-documents" })
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

/** Version of the registry's schema. */
const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** One sentence for server lists; the registry allows 100 characters. */
const DESCRIPTION =
  "Executive pay of US public companies from SEC proxy filings, each row with its source filing.";

/** The server's description for the MCP registry and other lists, served at `/mcp/server.json`. */
function serverDescription(baseUrls: BaseUrls): object {
  const header = {
    name: "X-API-KEY",
    description: `API key from ${baseUrls.developer}. Leave it out for the latest fiscal year, or to sign in instead.`,
    isRequired: false,
    isSecret: true,
  };
  const analystHeader = { ...header, description: `API key from ${baseUrls.developer}, or sign in instead.` };
  return {
    $schema: SCHEMA,
    name: `${reverseDomain(baseUrls)}/${IMPLEMENTATION.name}`,
    title: IMPLEMENTATION.title,
    description: DESCRIPTION,
    version: packageJson.version,
    websiteUrl: baseUrls.origin,
    remotes: [
      { type: "streamable-http", url: baseUrls.mcp, headers: [header] },
      { type: "streamable-http", url: `${baseUrls.mcp}/analyst`, headers: [analystHeader] },
    ],
  };
}

/** The reverse-domain namespace of the host: `com.example.pay` for `pay.example.com`. */
function reverseDomain({ origin }: BaseUrls): string {
  const { hostname } = new URL(origin);
  return isLoopback(hostname) ? "localhost" : hostname.split(".").reverse().join(".");
}

/** A description of the site for language models, served at `/llms.txt`. @see llmstxt.org */
function llmsText(baseUrls: BaseUrls): string {
  const { origin, api, mcp, developer } = baseUrls;
  return `# Executive Compensation

> What US public companies paid their named executive officers: one row per executive and fiscal year, from the Summary Compensation Table of SEC proxy filings, each with its filing.

Amounts are in units of \`reporting_currency\`. The eight components of a row add up to \`total_compensation\`, the total as printed by the filer. The latest fiscal year of one company is free and needs no credential; an answer with any earlier year costs one credit, and 100 credits come with the first key or sign-in. A fiscal year named in the header \`Incomplete-Fiscal-Years\` lacks executives who left. No pay ratio, pay versus performance, director pay or insider trades.

## For models

- [MCP server](${mcp}): Streamable HTTP, POST only; tools \`${COMPENSATION_TOOL}\` and \`${TICKERS_TOOL}\`; without a credential, with \`Authorization: Bearer\` (OAuth 2.1, dynamic registration) or with \`X-API-KEY\`, never both
- [MCP server, immediate sign-in](${mcp}/private): the same server, for clients that sign in on connecting
- [MCP server for analysts](${mcp}/analyst): the same two tools and rankings, statistics, \`search\` and \`fetch\` across all companies; every message needs sign-in or a key
- [Registry description](${mcp}/server.json)

## For programs

- [OpenAPI document](${api}/openapi.json): \`GET ${api}/executive-compensation?ticker=AAPL\` and \`GET ${api}/executive-compensation/tickers\`, with \`X-API-KEY\`
- [Latest fiscal year of Apple](${origin}/t/AAPL/facts): \`GET ${origin}/t/{ticker}/facts\`, no credential

## For people

- [Reference](${api}/docs)
- [Keys, credits and connected applications](${developer})
- [A company's page](${origin}/t/AAPL)
`;
}
