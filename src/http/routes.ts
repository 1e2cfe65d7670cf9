/**
 * All paths of the server, each defined once: those of REST with their operation, all others here. Surfaces mount their routes from
 * this table; limits, the log, the `Allow` header and the OpenAPI document read it. `:name` in a path matches one segment.
 */
import { ENDPOINTS } from "../operations/endpoints.ts";

/** A path and its methods, in the order of `Allow`. */
export interface Route {
  readonly path: string;
  readonly methods: readonly ("GET" | "HEAD" | "POST" | "OPTIONS")[];
  /** Which limit of an address it counts in, if not that of pages and forms. */
  readonly limit?: "oauth" | "drawn";
}

/** The name of the route that is declared with a path. */
export function routeAt(path: string): RouteName | undefined {
  return NAMES.get(path);
}

/** Makes routes that have the same methods. */
function route<const Methods extends Route["methods"]>(...methods: Methods) {
  return <const Path extends string>(path: Path) => ({ path, methods });
}

const get = route("GET", "HEAD");
const post = route("POST");
/** A page with a form that posts to the page's own path. */
const form = route("GET", "HEAD", "POST");
/** What programs on other sites send, too. */
const open = <const Path extends string>(path: Path) => ({
  ...route("POST", "OPTIONS")(path),
  limit: "oauth" as const,
});
/** A chart, or the picture of a link. */
const drawn = <const Path extends string>(path: Path) => ({ ...get(path), limit: "drawn" as const });

/** What is below the path of a page: its rows as a file, its chart as one, and its chart in a frame of another site. */
export const SUBPATHS = { download: "/download", chart: "/chart", embed: "/embed" } as const;

/** The routes by name. The legacy MCP path is not here: it is a setting. */
export const ROUTES = {
  // REST
  ...ENDPOINTS,
  openapi: get("/api/openapi.json"),
  docs: get("/api/docs"),
  changelog: get("/changelog"),
  docsScript: get("/api/docs/reference.js"),
  docsLibrary: get("/api/docs/scalar.js"),
  // MCP
  mcp: post("/mcp"),
  mcpPrivate: post("/mcp/private"),
  mcpAnalyst: post("/mcp/analyst"),
  mcpServer: get("/mcp/server.json"),
  llms: get("/llms.txt"),
  // OAuth
  wellKnown: { path: "/.well-known/*", methods: ["GET", "HEAD", "OPTIONS"] },
  register: open("/oauth/register"),
  authorize: { path: "/oauth/authorize", methods: ["GET"] },
  consent: { path: "/oauth/authorize/consent", methods: ["GET", "POST"] },
  token: open("/oauth/token"),
  revoke: open("/oauth/revoke"),
  // Pages
  home: get("/"),
  linkPicture: get("/preview.png"),
  search: get("/search"),
  suggest: get("/suggest"),
  rankings: form("/rankings"),
  rankingsDownload: get(`/rankings${SUBPATHS.download}`),
  rankingsChart: drawn(`/rankings${SUBPATHS.chart}`),
  rankingsEmbed: get(`/rankings${SUBPATHS.embed}`),
  ceoPayPage: form("/ceo-pay"),
  ceoPayDownload: get(`/ceo-pay${SUBPATHS.download}`),
  statisticsPage: form("/statistics"),
  statisticsDownload: get(`/statistics${SUBPATHS.download}`),
  statisticsChart: drawn(`/statistics${SUBPATHS.chart}`),
  statisticsEmbed: get(`/statistics${SUBPATHS.embed}`),
  compare: form("/compare"),
  compareDownload: get(`/compare${SUBPATHS.download}`),
  compareChart: drawn(`/compare${SUBPATHS.chart}`),
  compareEmbed: get(`/compare${SUBPATHS.embed}`),
  coverage: get("/coverage"),
  peerGroups: form("/groups"),
  peerGroup: form("/groups/:id"),
  sharedList: get("/peers"),
  company: form("/t/:ticker"),
  companyDownload: get(`/t/:ticker${SUBPATHS.download}`),
  companyChart: drawn(`/t/:ticker${SUBPATHS.chart}`),
  companyEmbed: get(`/t/:ticker${SUBPATHS.embed}`),
  person: get("/t/:ticker/:year/:executive"),
  personChart: drawn(`/t/:ticker/:year/:executive${SUBPATHS.chart}`),
  amount: get("/t/:ticker/:year/:executive/:field"),
  companyByCik: form("/c/:cik"),
  companyDownloadByCik: get(`/c/:cik${SUBPATHS.download}`),
  companyChartByCik: drawn(`/c/:cik${SUBPATHS.chart}`),
  companyEmbedByCik: get(`/c/:cik${SUBPATHS.embed}`),
  personByCik: get("/c/:cik/:year/:executive"),
  personChartByCik: drawn(`/c/:cik/:year/:executive${SUBPATHS.chart}`),
  amountByCik: get("/c/:cik/:year/:executive/:field"),
  stylesheet: get("/assets/style.css"),
  sansFont: get("/assets/inter.woff2"),
  serifFont: get("/assets/source-serif-4.woff2"),
  siteScript: get("/assets/site.js"),
  icon: get("/assets/icon.svg"),
  favicon: get("/favicon.ico"),
  // Accounts
  setUp: form("/set-up"),
  signUp: form("/sign-up"),
  invite: form("/invite"),
  reset: form("/reset"),
  forgotPassword: form("/forgot-password"),
  signIn: form("/sign-in"),
  signOut: post("/sign-out"),
  singleSignOn: get("/sign-in/provider"),
  singleSignOnCallback: get("/sign-in/provider/callback"),
  developer: form("/developer"),
  accountScript: get("/assets/account.js"),
  // Owners
  admin: form("/admin"),
  adminUsers: form("/admin/users"),
  adminUser: form("/admin/users/:id"),
  adminUsage: get("/admin/usage"),
  adminUsageDownload: get("/admin/usage/download"),
  adminKeys: form("/admin/keys"),
  adminApps: form("/admin/apps"),
  adminDataset: form("/admin/dataset"),
  adminUpload: post("/admin/dataset/upload"),
  adminIngest: form("/admin/ingest"),
  adminHealth: form("/admin/health"),
  adminSettings: form("/admin/settings"),
  adminBackup: form("/admin/backup"),
  adminBackupDownload: post("/admin/backup/download"),
  adminAudit: get("/admin/audit"),
  adminAuditDownload: get("/admin/audit/download"),
  // Operators and robots
  livez: get("/livez"),
  readyz: get("/readyz"),
  robots: get("/robots.txt"),
} as const satisfies Readonly<Record<string, Route>>;

/** The name of a route. */
export type RouteName = keyof typeof ROUTES;

/** The names of all routes. */
// Object.keys is typed as string[]; the keys of this constant are exactly the route names.
export const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[];

const NAMES: ReadonlyMap<string, RouteName> = new Map(ROUTE_NAMES.map((name) => [ROUTES[name].path, name]));

/** The first segment of a path. */
export function folderOf(pathname: string): string {
  return pathname.split("/", 2)[1] ?? "";
}

const OF_PROGRAMS: ReadonlySet<string> = new Set(
  [ROUTES.compensation, ROUTES.export, ROUTES.mcp, ROUTES.token].map(({ path }) => folderOf(path)),
);

/** Whether programs ask for a path and what is below it: a refusal there is in the flat envelope for everybody. */
export function isForPrograms(pathname: string): boolean {
  return OF_PROGRAMS.has(folderOf(pathname));
}

/** The path of a route with its segments filled in. @throws Error if one is missing */
export function pathTo(name: RouteName, segments: Readonly<Record<string, string>> = {}): string {
  return ROUTES[name].path.replace(/:(\w+)/g, (_, segment: string) => {
    const value = segments[segment];
    if (value === undefined) throw new Error(`a path of ${name} needs ${segment}`);
    return encodeURIComponent(value);
  });
}
