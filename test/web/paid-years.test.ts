/**
 * No paid year, nor a change that gives one away, reaches a visitor or a member without a credit, on any route: pages,
 * downloads, pictures, frames, documents. A route without a rule does not compile.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { formatAmount } from "../../src/domain/amount.ts";
import { AMOUNTS, readRows } from "../../src/domain/row-fields.ts";
import { ROUTE_NAMES, type RouteName, ROUTES } from "../../src/http/routes.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

/** What is asked of a route: paths, each as it is and with everything that could open more. */
type Rule = readonly string[] | "post only";

const OLD = [
  "year=2024",
  "fiscal_year=2024",
  "fiscal_year_gte=2020",
  "sort=-total_change",
  "sort=total_change_percent",
];
const MORE = ["unit=percent", "columns=change,components,mix", "total_change_gte=1", "cursor=AAAA"];
const withAll = (path: string, ...queries: string[]): string[] =>
  ["", ...OLD, ...MORE, ...queries].map(
    (query) => `${path}${query === "" ? "" : path.includes("?") ? `&${query}` : `?${query}`}`,
  );
const charts = (path: string, ...names: string[]): string[] =>
  names.flatMap((chart) =>
    ["png", "svg", "csv"].flatMap((format) => withAll(`${path}?chart=${chart}&format=${format}`)),
  );

/** Routes that show no amounts to anyone, asked once each all the same. */
function noData<const Name extends RouteName>(...names: Name[]): Record<Name, Rule> {
  // One entry for each name.
  return Object.fromEntries(names.map((name) => [name, [ROUTES[name].path]])) as unknown as Record<
    Name,
    Rule
  >;
}

const RULES: Readonly<Record<RouteName, Rule>> = {
  compensation: withAll("/api/executive-compensation?ticker=AAPL&limit=100"),
  tickers: ["/api/executive-compensation/tickers"],
  query: withAll("/api/executive-compensation/query?ticker=AAPL"),
  statistics: withAll("/api/executive-compensation/statistics?ticker=AAPL"),
  export: withAll("/export?format=csv"),
  companies: ["/api/companies?q=apple"],
  facts: withAll("/t/AAPL/facts"),
  openapi: ["/api/openapi.json"],
  docs: ["/api/docs"],
  docsScript: [],
  mcp: "post only",
  mcpPrivate: "post only",
  mcpAnalyst: "post only",
  mcpServer: ["/mcp/server.json"],
  llms: ["/llms.txt"],
  wellKnown: ["/.well-known/oauth-protected-resource"],
  register: "post only",
  authorize: ["/oauth/authorize"],
  consent: ["/oauth/authorize/consent"],
  token: "post only",
  revoke: "post only",
  home: withAll("/"),
  homePreview: ["/preview.png"],
  search: ["/search?q=tim+cook", "/search?q=jeff+williams", "/search?q=apple"],
  suggest: ["/suggest?q=cook"],
  rankings: withAll("/rankings?office=peo", "companies=AAPL", "executive=cook", "complete_only=true"),
  rankingsDownload: withAll("/rankings/download?office=peo&format=csv"),
  rankingsPreview: withAll("/rankings/preview.png"),
  ceoPayPreview: withAll("/ceo-pay/preview.png", "companies=AAPL"),
  statisticsPreview: withAll("/statistics/preview.png", "companies=AAPL,MSFT"),
  rankingsChart: charts("/rankings/chart", "distribution"),
  rankingsEmbed: withAll("/rankings/embed?office=peo"),
  ceoPay: withAll("/api/ceo-pay?ticker=AAPL"),
  ceoPayStatistics: withAll("/api/ceo-pay/statistics"),
  ceoPayPage: withAll("/ceo-pay", "index=sp500", "companies=AAPL"),
  ceoPayDownload: withAll("/ceo-pay/download", "format=xlsx"),
  statisticsPage: withAll("/statistics", "own=AAPL", "companies=AAPL,MSFT", "companies=AAPL", "by=index"),
  statisticsDownload: withAll("/statistics/download", "format=xlsx"),
  statisticsChart: charts("/statistics/chart", "years"),
  statisticsEmbed: withAll("/statistics/embed"),
  compare: withAll("/compare?t=AAPL,MSFT"),
  compareDownload: withAll("/compare/download?t=AAPL,MSFT&format=csv"),
  compareChart: withAll("/compare/chart?t=AAPL,MSFT&chart=years&format=svg", "format=csv", "chart=bars"),
  compareEmbed: withAll("/compare/embed?t=AAPL,MSFT", "chart=years"),
  comparePreview: ["/compare/preview.png?t=AAPL,MSFT"],
  coverage: ["/coverage", "/coverage?search=AAPL"],
  peerGroups: ["/groups"],
  peerGroup: ["/groups/none"],
  sharedList: ["/peers?name=Two&t=AAPL,MSFT"],
  company: withAll("/t/AAPL"),
  companyPreview: ["/t/AAPL/preview.png"],
  companyDownload: withAll("/t/AAPL/download?format=csv"),
  companyChart: charts("/t/AAPL/chart", "years", "officers"),
  companyEmbed: withAll("/t/AAPL/embed", "chart=years", "chart=officers"),
  person: ["/t/AAPL/2025/tim-cook", "/t/AAPL/2024/tim-cook", "/t/AAPL/2024/jeff-williams"],
  amount: ["/t/AAPL/2025/tim-cook/total_compensation", "/t/AAPL/2024/tim-cook/salary"],
  companyByCik: withAll("/c/0000320193"),
  companyPreviewByCik: ["/c/0000320193/preview.png"],
  companyDownloadByCik: withAll("/c/0000320193/download?format=csv"),
  companyChartByCik: charts("/c/0000320193/chart", "years", "officers"),
  companyEmbedByCik: withAll("/c/0000320193/embed", "chart=years"),
  personByCik: ["/c/0000320193/2025/tim-cook", "/c/0000320193/2024/tim-cook"],
  amountByCik: ["/c/0000320193/2025/tim-cook/salary", "/c/0000320193/2024/tim-cook/total_compensation"],
  sansFont: [],
  serifFont: [],
  ...noData("stylesheet", "siteScript", "icon", "favicon", "accountScript"),
  ...noData(
    "setUp",
    "signUp",
    "invite",
    "reset",
    "forgotPassword",
    "signIn",
    "signOut",
    "singleSignOn",
    "singleSignOnCallback",
  ),
  ...noData(
    "developer",
    "admin",
    "adminUser",
    "adminUsage",
    "adminUsageDownload",
    "adminSettings",
    "adminKeys",
    "adminApps",
    "adminDataset",
    "adminUpload",
    "adminIngest",
  ),
  ...noData("adminHealth", "adminBackup", "adminBackupDownload", "adminAudit", "adminAuditDownload"),
  ...noData("changelog", "livez", "readyz", "robots"),
};

const PASSWORD = "correct horse battery staple";

/** A server that others can reach, and whoever asks it. */
interface Asked {
  server: TestServer;
  /** Of the member; empty for a visitor. */
  cookie: string;
  /** The drawings that became pictures. */
  drawn: string[];
}

async function start(publicRankings: "on" | "off", isMember: boolean): Promise<Asked> {
  const server = await startTestServer({ localPages: "sign-in", publicRankings });
  const drawn: string[] = [];
  const { rasterizer } = server.services;
  // The drawing is what can be read; its picture is drawn from nothing else.
  rasterizer.png = (svg) => {
    drawn.push(svg);
    return Promise.resolve(new Uint8Array());
  };
  return { server, drawn, cookie: isMember ? await signIn(server, "ann@example.com") : "" };
}

async function signIn(server: TestServer, email: string): Promise<string> {
  await server.accounts.signUps.createWithPassword(email, PASSWORD);
  const form = await server.get("/sign-in");
  const jar = form.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  const csrf = /name="csrf" value="([^"]*)"/.exec(await form.text())?.[1] ?? "";
  const body = String(new URLSearchParams({ csrf, email, password: PASSWORD }));
  const type = "application/x-www-form-urlencoded";
  const headers = { cookie: jar.join("; "), origin: server.origin, "content-type": type };
  const entered = await server.get("/sign-in", { method: "POST", body, headers });
  return [...jar, ...entered.headers.getSetCookie().map((line) => line.split(";")[0] ?? "")].join("; ");
}

/** The amounts of earlier years that no latest year has, as pages and files print them. */
function paidAmounts({ services }: TestServer): Set<string> {
  const dataset = services.snapshots.current();
  const amounts = { open: new Set<number>(), paid: new Set<number>() };
  for (const { cik } of dataset.all<{ cik: string }>(
    "select printf('%010d', cik) as cik from companies where row_count > 0",
  )) {
    dataset.years(cik).forEach(({ rowJson }, index) => {
      for (const row of readRows("", rowJson)) {
        for (const name of AMOUNTS) (index === 0 ? amounts.open : amounts.paid).add(row[name]);
      }
    });
  }
  // Small and round amounts are everywhere.
  const isTelling = (amount: number) => amount > 200_000 && amount % 1000 !== 0 && !amounts.open.has(amount);
  return new Set(
    [...amounts.paid].filter(isTelling).flatMap((amount) => [formatAmount(amount), String(amount)]),
  );
}

/** What an answer gives away: paid amounts, and any change on the year before. */
function givenAway(text: string, paid: ReadonlySet<string>): string[] {
  // On pages with separators; in files without, where a comma separates cells. A mean with cents is nobody's amount.
  const numbers = [
    ...(text.match(/\b\d{1,3}(?:,\d{3})+\b/g) ?? []),
    ...(text.match(/\d{6,}(?!\d|\.\d)/g) ?? []),
  ];
  const changes = text.match(/class="(?:up|down)"[^>]*>[▲▼]|▲|▼|[+-]\d+(?:\.\d)?%|on 202[0-9]</g) ?? [];
  return [...new Set([...numbers.filter((number) => paid.has(number)), ...changes])];
}

describe.each([
  ["a visitor", false, "off"],
  ["a visitor where rankings are public", false, "on"],
  ["a member without a credit", true, "off"],
  ["a member without a credit where rankings are public", true, "on"],
] as const)("%s", (_who, isMember, publicRankings) => {
  let asked: Asked;
  let paid: ReadonlySet<string>;
  beforeAll(async () => {
    asked = await start(publicRankings, isMember);
    paid = paidAmounts(asked.server);
    expect(paid.size).toBeGreaterThan(5000);
  });
  afterAll(() => asked.server.stop());

  test.each(ROUTE_NAMES.map((name) => [name]))(
    "sees no paid year at %s",
    async (name) => {
      const rule = RULES[name];
      const { server, cookie, drawn } = asked;
      for (const path of rule === "post only" ? [ROUTES[name].path] : rule) {
        for (const accept of ["text/html", "*/*"]) {
          drawn.length = 0;
          const headers = { accept, ...(cookie === "" ? {} : { cookie }) };
          const answer = await server.get(
            path,
            rule === "post only" ? { method: "POST", body: "{}", headers } : { headers },
          );
          const text = [await answer.text(), ...drawn].join("\n");
          // The documents of the API show an example, which is of a latest year when it is written.
          expect([path, answer.status < 500, givenAway(text, paid)]).toEqual([path, true, []]);
        }
      }
    },
    120_000,
  );
});

test("the walk would notice: what the local operator sees gives paid years away", async () => {
  const server = await startTestServer();
  const paid = paidAmounts(server);
  for (const path of [
    "/t/AAPL",
    "/t/AAPL/chart?chart=years&format=csv",
    "/compare?t=AAPL,MSFT",
    "/rankings?office=peo",
  ]) {
    const text = await (await server.get(path, { headers: { accept: "text/html" } })).text();
    expect([path, givenAway(text, paid).length > 0]).toEqual([path, true]);
  }
  await server.stop();
});
