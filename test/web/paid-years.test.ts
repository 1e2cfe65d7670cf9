/**
 * Nothing that is sold reaches a visitor or a member without a credit, on any route: no paid amount, and no order, median, end
 * or length that follows from one. Two datasets differ in paid amounts and in nothing else, every amount and every order of
 * them; whatever a viewer is told who has not paid is the same, byte for byte. A route without a rule does not compile.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ROUTE_NAMES, type RouteName, ROUTES } from "../../src/http/routes.ts";
import { latestOf, type MadeRow, paidDataset } from "../support/paid-dataset.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

/** What is asked of a route: paths, each as it is and with everything that could open more; or bodies to post. */
type Rule = readonly string[] | "post only" | { post: string; bodies: readonly string[] };

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

/** What AI clients ask. */
function toolCalls(post: string): Rule {
  const call = (name: string, given: Readonly<Record<string, unknown>>) =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } });
  const query = "query_executive_compensation";
  return {
    post,
    bodies: [
      ...[{ ticker: "AAA" }, { ticker: "AAL" }, { ticker: "AAA", limit: 4 }].map((given) =>
        call("get_executive_compensation", given),
      ),
      ...["highest paid ceo 2024", "ceo pay 2023", "alder 2024", "paul", "whose pay rose most"].map((words) =>
        call("search", { query: words }),
      ),
      ...["company:0000000101", "year:0000000101:2024", "executive:0000000101:paul-alder"].map((id) =>
        call("fetch", { id }),
      ),
      ...[{ fiscal_year: 2024 }, { ticker: "AAA" }, { sort: "-total_change" }].map((given) =>
        call(query, given),
      ),
      call("get_executive_compensation_statistics", { fiscal_year: 2024 }),
      call("query_ceo_pay", { fiscal_year: 2024 }),
      call("query_ceo_pay", {}),
    ],
  };
}

/** Routes that show no amounts to anyone, asked once each all the same. */
function noData<const Name extends RouteName>(...names: Name[]): Record<Name, Rule> {
  // One entry for each name.
  return Object.fromEntries(names.map((name) => [name, [ROUTES[name].path]])) as unknown as Record<
    Name,
    Rule
  >;
}

const RULES: Readonly<Record<RouteName, Rule>> = {
  compensation: withAll("/api/executive-compensation?ticker=AAA&limit=100"),
  tickers: ["/api/executive-compensation/tickers"],
  query: withAll("/api/executive-compensation/query?ticker=AAA"),
  statistics: withAll("/api/executive-compensation/statistics?ticker=AAA"),
  export: withAll("/export?format=csv"),
  companies: ["/api/companies?q=trees"],
  facts: withAll("/t/AAA/facts"),
  openapi: ["/api/openapi.json"],
  docs: ["/api/docs"],
  docsScript: [],
  docsLibrary: [],
  mcp: toolCalls("/mcp"),
  mcpPrivate: toolCalls("/mcp/private"),
  mcpAnalyst: toolCalls("/mcp/analyst"),
  mcpServer: ["/mcp/server.json"],
  llms: ["/llms.txt"],
  wellKnown: ["/.well-known/oauth-protected-resource"],
  register: "post only",
  authorize: ["/oauth/authorize"],
  consent: ["/oauth/authorize/consent"],
  token: "post only",
  revoke: "post only",
  home: withAll("/"),
  linkPicture: ["/preview.png"],
  search: ["/search?q=paul", "/search?q=alder", "/search?q=trees"],
  suggest: ["/suggest?q=paul"],
  rankings: withAll("/rankings?office=peo", "companies=AAA", "executive=paul", "complete_only=true"),
  rankingsDownload: withAll("/rankings/download?office=peo&format=csv"),
  rankingsChart: charts("/rankings/chart", "distribution"),
  rankingsEmbed: withAll("/rankings/embed?office=peo"),
  ceoPay: withAll("/api/ceo-pay?ticker=AAA"),
  ceoPayStatistics: withAll("/api/ceo-pay/statistics"),
  ceoPayPage: withAll("/ceo-pay", "index=sp500", "companies=AAA"),
  ceoPayDownload: withAll("/ceo-pay/download", "format=xlsx"),
  statisticsPage: withAll("/statistics", "own=AAA", "companies=AAA,AAB", "companies=AAA", "by=index"),
  statisticsDownload: withAll("/statistics/download", "format=xlsx"),
  statisticsChart: charts("/statistics/chart", "years"),
  statisticsEmbed: withAll("/statistics/embed"),
  compare: withAll("/compare?t=AAA,AAB"),
  compareDownload: withAll("/compare/download?t=AAA,AAB&format=csv"),
  compareChart: withAll("/compare/chart?t=AAA,AAB&chart=years&format=svg", "format=csv", "chart=bars"),
  compareEmbed: withAll("/compare/embed?t=AAA,AAB", "chart=years"),
  coverage: ["/coverage", "/coverage?search=AAA"],
  peerGroups: ["/groups"],
  peerGroup: ["/groups/none"],
  sharedList: ["/peers?name=Two&t=AAA,AAB"],
  company: [...withAll("/t/AAA"), ...withAll("/t/AAL")],
  companyDownload: withAll("/t/AAA/download?format=csv"),
  companyChart: [...charts("/t/AAA/chart", "years", "officers"), ...charts("/t/AAL/chart", "years")],
  companyEmbed: withAll("/t/AAA/embed", "chart=years", "chart=officers"),
  person: ["/t/AAA/2025/paul-alder", "/t/AAA/2024/paul-alder", "/t/AAA/2024/petra-alder"],
  amount: ["/t/AAA/2025/paul-alder/total_compensation", "/t/AAA/2024/paul-alder/salary"],
  companyByCik: withAll("/c/0000000101"),
  companyDownloadByCik: withAll("/c/0000000101/download?format=csv"),
  companyChartByCik: charts("/c/0000000101/chart", "years", "officers"),
  companyEmbedByCik: withAll("/c/0000000101/embed", "chart=years"),
  personByCik: ["/c/0000000101/2025/paul-alder", "/c/0000000101/2024/paul-alder"],
  amountByCik: ["/c/0000000101/2025/paul-alder/salary", "/c/0000000101/2024/paul-alder/total_compensation"],
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
    "adminUsers",
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
  /** Of a user without credits; undefined for a visitor. */
  key: string | undefined;
  /** The drawings that became pictures. */
  drawn: string[];
}

async function start(
  versionOf: (row: MadeRow) => number,
  settings: { publicRankings: "on" | "off"; credits: number | null },
): Promise<Asked> {
  const { publicRankings, credits } = settings;
  const dataDir = paidDataset(versionOf);
  const server = await startTestServer({ dataDir, publicUrl: "http://pay.example.com", publicRankings });
  const drawn: string[] = [];
  const { rasterizer } = server.services;
  // The drawing is what can be read; its picture is drawn from nothing else.
  rasterizer.png = (svg) => {
    drawn.push(svg);
    return Promise.resolve(new Uint8Array());
  };
  if (credits === null) return { server, drawn, cookie: "", key: undefined };
  // The first account is an owner's.
  await server.accounts.signUps.createWithPassword("owner@example.com", PASSWORD);
  const cookie = await signIn(server, "ann@example.com");
  const { id } = await server.accounts.users.requireByEmail("ann@example.com");
  const key = await server.createKey("ann@example.com");
  await server.accounts.credits.grant(id, credits - 100);
  return { server, drawn, cookie, key };
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

/** An answer without what names the dataset and its folder: its hash, also in entity tags and cursors. */
function neutral({ server }: Asked, text: string): string {
  const { contentHash } = server.services.snapshots.current().info;
  return text
    .replaceAll(/[\w-]{30,}/g, (token) => {
      const decoded = Buffer.from(token, "base64url").toString("latin1");
      return decoded.startsWith(contentHash.slice(0, 16)) ? `CURSOR${decoded.slice(16)}` : token;
    })
    .replaceAll(contentHash, "HASH")
    .replaceAll(contentHash.slice(0, 16), "HASH")
    .replaceAll(contentHash.slice(0, 8), "HASH")
    .replaceAll(server.services.config.dataDir, "FOLDER");
}

/** Everything that an answer tells: status, headers, body, the drawing of a picture. */
async function told(asked: Asked, path: string, init: { accept: string; body?: string }): Promise<string> {
  const { server, cookie, key, drawn } = asked;
  drawn.length = 0;
  const headers = {
    accept: init.accept,
    ...(cookie === "" || init.body !== undefined ? {} : { cookie }),
    ...(init.body === undefined ? {} : { "content-type": "application/json" }),
  };
  const isApi = path.startsWith("/api") || path.startsWith("/export") || init.body !== undefined;
  const answer = await server.get(path, {
    headers,
    ...(isApi && key !== undefined ? { key } : {}),
    ...(init.body === undefined ? {} : { method: "POST", body: init.body }),
  });
  const body = await answer.text();
  // A workbook is packed with the dataset's hash in it; it is of the same rows as the CSV.
  const isWorkbook = body.startsWith("PK");
  const seen = [...answer.headers].filter(
    ([name]) => !/^(date|dataset)$/.test(name) && !(isWorkbook && name === "content-length"),
  );
  const text = isWorkbook ? "workbook" : body;
  return neutral(asked, [answer.status, ...seen.map((pair) => pair.join(": ")), text, ...drawn].join("\n"));
}

/** The first place where two answers differ, with what stands around it. */
function differenceOf(one: string, other: string): string[] {
  if (one === other) return [];
  let at = 0;
  while (one[at] === other[at]) at++;
  return [one, other].map((text) => text.slice(Math.max(0, at - 200), at + 80));
}

function requestsOf(name: RouteName): { path: string; body?: string }[] {
  const rule = RULES[name];
  if (rule === "post only") return [{ path: ROUTES[name].path, body: "{}" }];
  if ("post" in rule) return rule.bodies.map((body) => ({ path: rule.post, body }));
  return rule.map((path) => ({ path }));
}

async function walk(name: RouteName, [one, other]: readonly [Asked, Asked]): Promise<void> {
  for (const { path, ...given } of requestsOf(name)) {
    for (const accept of given.body === undefined
      ? ["text/html", "*/*"]
      : ["application/json, text/event-stream"]) {
      // A key may not be used too often in a minute.
      for (const { server } of [one, other]) server.advance(1000);
      const texts = [
        await told(one, path, { accept, ...given }),
        await told(other, path, { accept, ...given }),
      ];
      const [first = "", second = ""] = texts;
      expect([path, given.body, first.slice(0, 1) < "5", differenceOf(first, second)]).toEqual([
        path,
        given.body,
        true,
        [],
      ]);
    }
  }
}

/** Two servers whose datasets differ in these paid rows. */
function pair(
  differs: (row: MadeRow) => boolean,
  settings: Parameters<typeof start>[1],
): Promise<[Asked, Asked]> {
  return Promise.all([start(() => 1, settings), start((row) => (differs(row) ? 2 : 1), settings)]);
}

describe.each([
  ["a visitor", { publicRankings: "off", credits: null }],
  ["a visitor where rankings are public", { publicRankings: "on", credits: null }],
  ["a member without a credit", { publicRankings: "off", credits: 0 }],
  ["a member without a credit where rankings are public", { publicRankings: "on", credits: 0 }],
] as const)("%s", (_who, settings) => {
  let asked: [Asked, Asked];
  beforeAll(async () => {
    asked = await pair(() => true, settings);
  });
  afterAll(() => Promise.all(asked.map(({ server }) => server.stop())));

  test.each(ROUTE_NAMES.map((name) => [name]))(
    "is told nothing at %s that follows from a paid amount",
    (name) => walk(name, asked),
    120_000,
  );
});

describe("who opened the CEOs of 2024", () => {
  let asked: [Asked, Asked];
  beforeAll(async () => {
    const isOpened = ({ fiscalYear, office }: MadeRow) => fiscalYear === 2024 && office === "peo";
    asked = await pair((row) => !isOpened(row) && row.fiscalYear < latestOf(row.company), {
      publicRankings: "off",
      credits: 1,
    });
    for (const { server, cookie } of asked) {
      const path = "/rankings?fiscal_year=2024&office=peo";
      const { text } = await pageOf(server, path, cookie);
      const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? "";
      const opened = await server.get(path, {
        method: "POST",
        body: String(new URLSearchParams({ csrf })),
        headers: { cookie, origin: server.origin, "content-type": "application/x-www-form-urlencoded" },
      });
      expect(opened.status).toBe(303);
      expect((await pageOf(server, path, cookie)).text).toContain("Paul Alder");
    }
  });
  afterAll(() => Promise.all(asked.map(({ server }) => server.stop())));

  test.each(ROUTE_NAMES.map((name) => [name]))(
    "is told nothing at %s of the other officers and years",
    (name) => walk(name, asked),
    120_000,
  );
});

async function pageOf(server: TestServer, path: string, cookie: string) {
  const answer = await server.get(path, { headers: { accept: "text/html", cookie } });
  return { status: answer.status, text: await answer.text() };
}

test("the walk would notice: what the local operator is told differs", async () => {
  const servers = await Promise.all(
    [1, 2].map((version) => startTestServer({ dataDir: paidDataset(() => version) })),
  );
  for (const path of [
    "/t/AAA",
    "/t/AAA/chart?chart=years&format=csv",
    "/t/AAL?year=2024",
    "/t/AAL/chart?chart=years&format=csv",
    "/compare?t=AAA,AAB",
    "/rankings?office=peo",
    "/statistics",
    "/ceo-pay?fiscal_year=2024",
    "/ceo-pay?companies=AAL&fiscal_year=2024",
  ]) {
    const texts = await Promise.all(
      servers.map(async (server) =>
        neutral({ server, cookie: "", key: undefined, drawn: [] }, await (await server.get(path)).text()),
      ),
    );
    expect([path, texts[0] === texts[1]]).toEqual([path, false]);
  }
  await Promise.all(servers.map((server) => server.stop()));
});
