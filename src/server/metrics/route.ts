/** Names of routes for metrics and logs, from a closed list whatever the path. */
import { ROUTE_NAMES, type RouteName } from "../../http/routes.ts";

/** Groups by the names of their routes, the first that matches; other routes have a group of their own. */
const GROUPS: readonly (readonly [group: string, names: RegExp])[] = [
  ["admin", /^admin/],
  ["download", /Download/],
  ["preview", /Chart|Embed|Preview/],
  ["ceo_pay", /^ceoPay(Statistics)?$/],
  ["changes", /^changes/],
  ["docs", /^(docs|changelog)/],
  ["mcp", /^(mcp|llms)/],
  ["well_known", /^wellKnown$/],
  ["oauth", /^(register|authorize|consent|token|revoke)$/],
  ["company_page", /^(company|person|amount)(ByCik)?$/],
  ["assets", /Script|Font|^(icon|favicon|stylesheet)$/],
  ["sign_in", /^(setUp|sign|singleSignOn|invite|reset|forgotPassword)/],
  ["health", /^(livez|readyz)$/],
  ["pages", /Page$|^(search|rankings|compare|coverage|peerGroup|sharedList)/],
  ["other", /^robots$/],
];

/** Returns a function that maps routes to groups; `other` for unknown paths. */
export function routeGrouper(): (name: RouteName | undefined) => string {
  const groupOf = (name: RouteName) => GROUPS.find(([, names]) => names.test(name))?.[0] ?? name;
  const groups = new Map<string, string>(ROUTE_NAMES.map((name) => [name, groupOf(name)]));
  return (name) => groups.get(name ?? "") ?? "other";
}
