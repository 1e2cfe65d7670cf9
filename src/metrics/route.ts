/** The name of a route, for metrics and log lines: one of a closed list, whatever path was asked. */
import { ROUTE_NAMES, type RouteName, routeFinder } from "../routes.ts";

/** What a route is counted as; a new one does not compile until it stands here. */
const GROUPS: Readonly<Record<RouteName, string>> = {
  compensation: "compensation",
  tickers: "tickers",
  query: "query",
  statistics: "statistics",
  companies: "companies",
  export: "export",
  facts: "facts",
  openapi: "openapi",
  docs: "docs",
  docsScript: "docs",
  mcp: "mcp",
  mcpPrivate: "mcp",
  mcpAnalyst: "mcp",
  mcpServer: "mcp",
  llms: "mcp",
  wellKnown: "well_known",
  securityText: "well_known",
  register: "oauth",
  authorize: "oauth",
  consent: "oauth",
  token: "oauth",
  revoke: "oauth",
  home: "home",
  search: "pages",
  suggest: "suggest",
  rankings: "pages",
  rankingsDownload: "download",
  compare: "pages",
  coverage: "pages",
  companySearch: "pages",
  company: "company_page",
  companyByCik: "company_page",
  person: "company_page",
  personByCik: "company_page",
  amount: "company_page",
  amountByCik: "company_page",
  companyDownload: "download",
  companyDownloadByCik: "download",
  siteScript: "assets",
  icon: "assets",
  stylesheet: "assets",
  developerScript: "assets",
  favicon: "assets",
  setUp: "sign_in",
  signUp: "sign_in",
  invite: "sign_in",
  reset: "sign_in",
  forgotPassword: "sign_in",
  signIn: "sign_in",
  signOut: "sign_in",
  singleSignOn: "sign_in",
  singleSignOnCallback: "sign_in",
  developer: "developer",
  createKey: "developer",
  renameKey: "developer",
  rotateKey: "developer",
  revokeKey: "developer",
  signOutEverywhere: "developer",
  disconnect: "developer",
  livez: "health",
  readyz: "health",
  robots: "other",
};

/** Says what a path is counted as; `other` for what none serves. */
export function routeGrouper(): (path: string) => string {
  const find = routeFinder(ROUTE_NAMES);
  return (path) => {
    const name = find(path);
    return name === undefined ? "other" : GROUPS[name];
  };
}
