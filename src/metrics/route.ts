/** The name of a route, for metrics and log lines: one of a closed list, whatever path was asked. */

const EXACT: Readonly<Record<string, string>> = {
  "/": "home",
  "/api/executive-compensation": "compensation",
  "/api/executive-compensation/tickers": "tickers",
  "/api/executive-compensation/query": "query",
  "/api/executive-compensation/statistics": "statistics",
  "/api/companies": "companies",
  "/api/executive-compensation/export": "export",
  "/api/openapi.json": "openapi",
  "/api/docs": "docs",
  "/mcp": "mcp",
  "/mcp/private": "mcp",
  "/mcp/analyst": "mcp",
  "/livez": "health",
  "/readyz": "health",
};

const PREFIXES: readonly (readonly [string, string])[] = [
  ["/.well-known/", "well_known"],
  ["/oauth/", "oauth"],
  ["/developer", "developer"],
  ["/admin", "admin"],
  ["/api/", "api_other"],
];

/** The route that a path belongs to; `other` for what none serves. */
export function routeOf(path: string): string {
  const exact = EXACT[path];
  if (exact !== undefined) return exact;
  if (path.startsWith("/t/")) return path.endsWith("/facts") ? "facts" : "company_page";
  return PREFIXES.find(([prefix]) => path.startsWith(prefix))?.[1] ?? "other";
}
