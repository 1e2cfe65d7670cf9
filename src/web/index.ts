import type { AccountDeps, WebDeps } from "./deps.ts";
import { answerVisit, type PageVisit } from "./page-visit.ts";
import { conditionalPages } from "./page-cache.ts";
import { developerPage, SIGNED_IN } from "./pages/developer.ts";
import { ENTRY, type EntryPage } from "./entry-pages.ts";
import { signUpPages } from "./pages/sign-up.ts";
import { signInPages } from "./pages/sign-in.ts";
import { singleSignOn } from "./pages/single-sign-on.ts";
import { folderOf, ROUTE_NAMES, type RouteName, ROUTES } from "../http/routes.ts";
import type { AdminDeps } from "./admin/frame.ts";
import type { AdminRoute } from "./admin/pages.ts";
import { Forms, mount } from "./forms.ts";
import { Elysia } from "elysia";
import { ceoPayPages } from "./pages/ceo-pay.ts";
import { companyPages } from "./pages/company.ts";
import { comparePage } from "./pages/compare.ts";
import { showCoverage } from "./pages/coverage.ts";
import { groupPages, showShared } from "./pages/groups.ts";
import { homePage } from "./pages/home.ts";
import { personChart, showPerson } from "./pages/person.ts";
import { rankingPages } from "./pages/rankings.ts";
import { showSearch, suggest } from "./pages/search.ts";
import { showAmount } from "./pages/source.ts";
import { statisticsPages } from "./pages/statistics.ts";
import linkPicture from "./preview.png" with { type: "file" };
import { orRefusal } from "./refusals.ts";
import chartStyle from "../charts/charts.css" with { type: "text" };
import sans from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" with { type: "file" };
import serif from "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2" with { type: "file" };
import { browserScript } from "../http/browser-script.ts" with { type: "macro" };
import { style } from "./style/index.ts";

const SITE_SCRIPT: string = browserScript("web/browser/site.ts");
const ACCOUNT_SCRIPT: string = browserScript("web/browser/account.ts");

/** The logo: three bars, the last one the highest. */
const ICON_TEXT = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#14506b"/><path d="M7 24V16h4v8zm7 0V11h4v13zm7 0V6h4v18z" fill="#fff"/></svg>
`;

/** Paths that crawlers should not visit: endpoints for programs, and personal pages. */
const { compensation, mcp, developer, peerGroups, sharedList, signIn, signUp } = ROUTES;
const DISALLOWED = [
  compensation,
  mcp,
  { path: `/${folderOf(ROUTES.token.path)}/` },
  developer,
  peerGroups,
  sharedList,
  signIn,
  signUp,
];
/** @see RFC 9309 */
const ROBOTS_TEXT = `User-agent: *\n${DISALLOWED.map(({ path }) => `Disallow: ${path}\n`).join("")}`;

/** The pages for people, with their stylesheet, fonts, script and icons. */
export function web(given: Omit<WebDeps, "conditional">) {
  const deps: WebDeps = { ...given, conditional: conditionalPages(given) };
  const page = (show: (visit: PageVisit) => Promise<Response>) =>
    deps.conditional((request) => answerVisit(deps, request, show));
  const asset = (type: string, text: string) => () =>
    new Response(text, { headers: { "content-type": type, "cache-control": "public, max-age=3600" } });
  const file = (type: string, path: string) => async () =>
    new Response(await Bun.file(path).bytes(), {
      headers: { "content-type": type, "cache-control": "public, max-age=31536000, immutable" },
    });
  return (
    new Elysia({ name: "web" })
      .get(ROUTES.stylesheet.path, asset("text/css; charset=utf-8", chartStyle + style))
      .get(ROUTES.sansFont.path, file("font/woff2", sans))
      .get(ROUTES.serifFont.path, file("font/woff2", serif))
      .get(ROUTES.siteScript.path, asset("text/javascript; charset=utf-8", SITE_SCRIPT))
      .get(ROUTES.accountScript.path, asset("text/javascript; charset=utf-8", ACCOUNT_SCRIPT))
      .get(ROUTES.icon.path, asset("image/svg+xml", ICON_TEXT))
      // Browsers request it on pages whose HTML we do not control, such as the API reference.
      .get(ROUTES.favicon.path, asset("image/svg+xml", ICON_TEXT))
      .get(ROUTES.robots.path, asset("text/plain; charset=utf-8", ROBOTS_TEXT))
      .get(ROUTES.linkPicture.path, file("image/png", linkPicture))
      .get(ROUTES.home.path, page(homePage(deps)))
      .get(ROUTES.search.path, page(showSearch))
      .get(ROUTES.suggest.path, ({ request }) => orRefusal({ kind: "visitor" }, () => suggest(deps, request)))
      .get(ROUTES.coverage.path, page(showCoverage))
      .use(companyPages(deps))
      .get(ROUTES.person.path, page(showPerson))
      .get(ROUTES.personByCik.path, page(showPerson))
      .get(ROUTES.personChart.path, page(personChart))
      .get(ROUTES.personChartByCik.path, page(personChart))
      .get(ROUTES.amount.path, page(showAmount))
      .get(ROUTES.amountByCik.path, page(showAmount))
      .use(rankingPages(deps))
      .use(ceoPayPages(deps))
      .use(statisticsPages(deps))
      .use(comparePage(deps))
      .get(ROUTES.sharedList.path, page(showShared))
      .use(groupPages(deps))
  );
}

/** The pages through which people come in, and the developer page. */
export function accountPages(deps: AccountDeps) {
  const forms = new Forms(deps.forms, ENTRY);
  const app = new Elysia({ name: "account-pages" });
  mount(app, "developer", new Forms(deps.forms, SIGNED_IN).at(developerPage(deps)));
  const { provider } = deps;
  const pages: Partial<Record<RouteName, EntryPage>> = { ...signInPages(deps), ...signUpPages(deps) };
  for (const name of ROUTE_NAMES) {
    const page = pages[name];
    if (page !== undefined) mount(app, name, forms.at(page));
  }
  return provider === null ? app : app.use(singleSignOn(deps, provider));
}

const ADMIN_ROUTES = ROUTE_NAMES.filter((name): name is AdminRoute => name.startsWith("admin"));

/**
 * `/admin`: where owners run the service. The pages are loaded by the first request for one, to keep them out of the
 * startup time.
 * @see docs/contract.md, "Pages"
 */
export function admin(deps: AdminDeps) {
  let loaded: Promise<ReturnType<(typeof import("./admin/pages.ts"))["adminPages"]>> | undefined;
  const load = () => (loaded ??= import("./admin/pages.ts").then(({ adminPages }) => adminPages(deps)));
  const app = new Elysia({ name: "admin" });
  for (const name of ADMIN_ROUTES) mount(app, name, async (pageRequest) => (await load())[name](pageRequest));
  return app;
}
