/**
 * The walk over what is sold, which both stores take: two datasets differ in paid amounts and in nothing else, every amount
 * and every order of them; whatever a viewer is told who has not paid is the same, byte for byte. A route without a rule does
 * not compile.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { TEST_SYMBOLS } from "../../src/operations/test-keys.ts";
import { ROUTE_NAMES, type RouteName, ROUTES } from "../../src/http/routes.ts";
import { latestOf, type MadeRow, paidDataset, SYMBOLS } from "../support/paid-dataset.ts";
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
/** Whatever else narrows, sorts, groups or shows; asked of each question across companies. */
const FILTERS = [
  ..."evidence=linked evidence=typed evidence=collected evidence=typed,collected complete_only=true".split(
    " ",
  ),
  ..."executive=paul executive=alder,birch executive_id=paul-alder state=CA sic=24 sector=materials".split(
    " ",
  ),
  ..."index=sp500 reporting_currency=EUR one_per_company_year=true office=peo office=pfo office=other".split(
    " ",
  ),
  ..."salary_lte=3000000 total_compensation_gte=20000000 peo_total_lt=9000000 equity_share_gte=0.1".split(
    " ",
  ),
  ..."sort=equity_share sort=fiscal_year sort=-company_name sort=-peo_total sort=-total_change_percent".split(
    " ",
  ),
  ..."fiscal_year_lt=2025 fiscal_year_gt=2023 fiscal_year=2025 fiscal_year=2024&total_compensation_lt=9000000".split(
    " ",
  ),
  ..."ticker=AAA,AAD cik=101,104 companies=AAA,AAD ticker=AAL&fiscal_year=2024 max_rows=1 doubtful=include".split(
    " ",
  ),
  ..."measures=total_change,equity_share field=total_change group_by=fiscal_year group_by=state rank_ticker=AAA".split(
    " ",
  ),
  ..."group_by=fiscal_year&same_companies=true who=cfo who=all own=AAB own=AAD&include_own=true same=true".split(
    " ",
  ),
  ..."by=state by=company&companies=AAA,AAD unit=dollars one_per_company_year=false opens=more year=2025".split(
    " ",
  ),
  "evidence=collected&fiscal_year=2024",
  "evidence=collected&sort=-total_change",
];
const withFilters = (path: string): string[] => withAll(path, ...FILTERS);
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
      ...[
        { fiscal_year: 2024 },
        { ticker: "AAA" },
        { sort: "-total_change" },
        { evidence: "collected" },
        { measures: "total_change", detail: "full" },
        { executive: "alder", fiscal_year: 2024, total_compensation_lt: 9_000_000 },
      ].map((given) => call(query, given)),
      call("get_executive_compensation_statistics", { group_by: "fiscal_year", rank_ticker: "AAA" }),
      call("get_executive_compensation_statistics", { evidence: "collected", field: "total_change" }),
      call("query_ceo_pay", { group_by: "fiscal_year" }),
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "resources/list" }),
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
  query: [
    ...withAll("/api/executive-compensation/query?ticker=AAA"),
    ...withFilters("/api/executive-compensation/query"),
  ],
  statistics: [
    ...withAll("/api/executive-compensation/statistics?ticker=AAA"),
    ...withFilters("/api/executive-compensation/statistics"),
  ],
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
  rankings: [
    ...withAll("/rankings?office=peo", "companies=AAA", "executive=paul"),
    ...withFilters("/rankings"),
  ],
  rankingsDownload: withFilters("/rankings/download?format=csv"),
  rankingsChart: charts("/rankings/chart", "distribution", "bars"),
  rankingsEmbed: withAll("/rankings/embed?office=peo"),
  ceoPay: [...withAll("/api/ceo-pay?ticker=AAA"), ...withFilters("/api/ceo-pay")],
  ceoPayStatistics: withFilters("/api/ceo-pay/statistics"),
  ceoPayPage: withFilters("/ceo-pay"),
  ceoPayDownload: withAll("/ceo-pay/download", "format=xlsx"),
  statisticsPage: [
    ...withAll("/statistics", "own=AAA", "companies=AAA,AAB", "companies=AAA", "by=index"),
    ...withFilters("/statistics"),
  ],
  statisticsDownload: [
    ...withAll("/statistics/download", "format=xlsx"),
    ...withFilters("/statistics/download"),
  ],
  statisticsChart: charts("/statistics/chart", "years"),
  statisticsEmbed: withAll("/statistics/embed"),
  compare: [
    ...withFilters("/compare?t=AAA,AAB"),
    ...[
      "own=AAL",
      "own=AAC",
      "own=AAC&include_own=true",
      "own=AAI&year=2024",
      "own=AAI&who=cfo",
      "own=TAGS",
      "own=TAGS&year=2024",
    ].map((query) => `/compare?companies=AAA,AAB,AAC,AAD,AAE,AAF,AAG,AAH&${query}`),
  ],
  compareDownload: withAll("/compare/download?t=AAA,AAB&format=csv"),
  compareChart: withAll("/compare/chart?t=AAA,AAB&chart=years&format=svg", "format=csv", "chart=bars"),
  compareEmbed: withAll("/compare/embed?t=AAA,AAB", "chart=years"),
  coverage: ["/coverage", "/coverage?search=AAA"],
  peerGroups: ["/groups"],
  peerGroup: ["/groups/none"],
  sharedList: ["/peers?name=Two&t=AAA,AAB"],
  company: [
    ...withAll("/t/AAA"),
    ...withAll("/t/AAL"),
    ...withAll("/t/AAD", "year=2025", "format=xlsx"),
    ...withAll("/t/TAGS"),
  ],
  companyDownload: withAll("/t/AAA/download?format=csv"),
  companyChart: [...charts("/t/AAA/chart", "years", "officers"), ...charts("/t/AAL/chart", "years")],
  companyEmbed: withAll("/t/AAA/embed", "chart=years", "chart=officers"),
  person: ["/t/AAA/2025/paul-alder", "/t/AAA/2024/paul-alder", "/t/AAA/2024/petra-alder"],
  personChart: ["png", "svg", "csv"].flatMap((format) => [
    `/t/AAA/2025/paul-alder/chart?format=${format}`,
    `/t/AAA/2024/paul-alder/chart?format=${format}`,
  ]),
  personChartByCik: ["/c/0000000101/2025/paul-alder/chart?format=csv"],
  amount: ["/t/AAA/2025/paul-alder/total_compensation", "/t/AAA/2024/paul-alder/salary"],
  companyByCik: [...withAll("/c/0000000101"), "/c/0000000114", "/c/0000000114?year=2024"],
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
export interface Asked {
  server: TestServer;
  /** Of the member; empty for others. */
  cookie: string;
  /** Of a user without credits, or a test key; undefined for a visitor. */
  key: string | undefined;
  /** The drawings that became pictures. */
  drawn: string[];
}

/** Who asks, and where. */
export interface AskedBy {
  publicRankings: "on" | "off";
  /** Of a member; null for a visitor. */
  credits: number | null;
  /** Whether only some of the many filters are tried. */
  isThin?: boolean;
  /** Whether only with a test key, on a dataset that has the companies of these. */
  isTest?: boolean;
  /** The URL of a database; default SQLite. */
  store?: () => Promise<string>;
}

/** The symbols of a dataset that test keys know. */
const KNOWN_TO_TESTS = SYMBOLS.map((symbol, at) => TEST_SYMBOLS[at] ?? symbol);

async function start(versionOf: (row: MadeRow) => number, by: AskedBy): Promise<Asked> {
  const { publicRankings, credits, isTest = false, store } = by;
  const dataDir = paidDataset(versionOf, isTest ? KNOWN_TO_TESTS : SYMBOLS);
  const server = await startTestServer({
    dataDir,
    publicUrl: "http://pay.example.com",
    publicRankings,
    rateKey: "1000000",
    rateAnonymous: "1000000",
    ...(store === undefined ? {} : { store: await store() }),
  });
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
  const { keys } = server.accounts;
  const { secret: key } = await keys.create(id, { name: "walk", isTest });
  await server.accounts.credits.grant(id, credits - 100);
  return { server, drawn, cookie: isTest ? "" : cookie, key };
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
export function neutral({ server }: Asked, text: string): string {
  const { contentHash } = server.services.snapshots.current().info;
  return (
    text
      .replaceAll(/[\w-]{30,}/g, (token) => {
        const decoded = Buffer.from(token, "base64url").toString("latin1");
        return decoded.startsWith(contentHash.slice(0, 16)) ? `CURSOR${decoded.slice(16)}` : token;
      })
      // Servers of a database take ids for other work, too.
      .replaceAll(/00000000-0000-7000-8000-\d{12}/g, "ID")
      // A key's last use is written once a minute, at different moments.
      .replaceAll(/2026-06-01T1\d:\d\d:\d\d\.\d{3}Z">[^<]*/g, "TIME")
      .replaceAll(contentHash, "HASH")
      .replaceAll(contentHash.slice(0, 16), "HASH")
      .replaceAll(contentHash.slice(0, 8), "HASH")
      .replaceAll(server.services.config.dataDir, "FOLDER")
  );
}

/** A request of a walk. */
interface Told {
  accept: string;
  method?: string;
  body?: string;
  headers?: Readonly<Record<string, string>>;
}

/** Everything that an answer tells: status, headers, body, the drawing of a picture. */
async function told(
  asked: Asked,
  path: string,
  { accept, method, body, headers: more }: Told,
): Promise<string> {
  const { server, cookie, key, drawn } = asked;
  drawn.length = 0;
  const isCall = body !== undefined && more === undefined;
  const headers = {
    accept,
    ...(cookie === "" || isCall ? {} : { cookie }),
    ...(isCall ? { "content-type": "application/json" } : {}),
    ...more,
  };
  const isApi = path.startsWith("/api") || path.startsWith("/export") || isCall;
  const answer = await server.get(path, {
    headers,
    ...(isApi && key !== undefined ? { key } : {}),
    ...(body === undefined ? {} : { method: "POST", body }),
    ...(method === undefined ? {} : { method }),
  });
  const content = await answer.text();
  // A workbook is packed with the dataset's hash in it; it is of the same rows as the CSV.
  const isWorkbook = answer.headers.get("content-type")?.includes("spreadsheet") === true;
  const seen = [...answer.headers].filter(
    // PostgreSQL counts requests by its own clock.
    ([name]) =>
      !/^(date|dataset|ratelimit|retry-after)$/.test(name) && !(isWorkbook && name === "content-length"),
  );
  const text = isWorkbook ? "workbook" : content;
  return neutral(asked, [answer.status, ...seen.map((pair) => pair.join(": ")), text, ...drawn].join("\n"));
}

/** The first place where two answers differ, with what stands around it. */
export function differenceOf(one: string, other: string): string[] {
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

/** Ways to ask beside the plain one. */
const OTHERWISE: readonly Omit<Told, "body">[] = [
  { accept: "*/*" },
  { accept: "text/html", method: "HEAD" },
  { accept: "text/html", headers: { "if-none-match": "*", range: "bytes=0-99" } },
  { accept: "application/json;q=0.5,text/csv" },
];

async function expectSame([one, other]: readonly [Asked, Asked], path: string, ask: Told): Promise<void> {
  // A key may not be used too often in a minute.
  for (const { server } of [one, other]) server.advance(1000);
  const [first, second] = [await told(one, path, ask), await told(other, path, ask)];
  const asked = JSON.stringify({ path, ...ask });
  expect([asked, first.slice(0, 1) < "5", differenceOf(first, second)]).toEqual([asked, true, []]);
}

async function walk(
  name: RouteName,
  asked: readonly [Asked, Asked],
  { isTest = false, isThin = false }: AskedBy,
): Promise<void> {
  // The first companies of the dataset are those of test keys.
  const own = (text: string) =>
    isTest ? text.replaceAll(/\bAA[A-E]\b/g, (symbol) => knownAs(symbol)) : text;
  const requests = requestsOf(name).filter((_, at) => at < PLAIN || !isThin || at % 5 === 0);
  for (const [at, { path, body }] of requests.entries()) {
    const accept = body === undefined ? "text/html" : "application/json, text/event-stream";
    await expectSame(asked, own(path), { accept, ...(body === undefined ? {} : { body: own(body) }) });
    // Not every combination: what a filter tells does not depend on how the page is asked for.
    if (body === undefined && at < PLAIN)
      for (const ask of OTHERWISE) await expectSame(asked, own(path), ask);
  }
}

/** Paths of a route that are asked for in every way. */
const PLAIN = 6;

function knownAs(symbol: string): string {
  return KNOWN_TO_TESTS[SYMBOLS.indexOf(symbol)] ?? symbol;
}

/** Pages with a button that opens something. */
const BUTTONS = [
  "/t/AAA",
  "/c/0000000104",
  "/compare?companies=AAA,AAB",
  "/statistics?fiscal_year=2024",
  "/rankings?fiscal_year=2024",
  "/rankings?fiscal_year=2024&office=peo&companies=AAA&total_compensation_gte=20m",
  "/rankings?fiscal_year=2024&executive=zzzz",
  "/rankings?sort=-total_change",
  "/ceo-pay?fiscal_year=2024",
];

/** Presses the buttons of pages without a credit. */
async function press(asked: readonly [Asked, Asked]): Promise<void> {
  for (const path of BUTTONS)
    for (const opens of ["", "more"]) {
      const pages = await Promise.all(asked.map(({ server, cookie }) => pageOf(server, path, cookie)));
      const [csrf = "", other] = pages.map(({ text }) => /name="csrf" value="([^"]*)"/.exec(text)?.[1]);
      expect([path, csrf]).not.toEqual([path, ""]);
      expect(csrf).toBe(other ?? "");
      const [{ server, cookie }] = asked;
      const type = "application/x-www-form-urlencoded";
      const headers = { origin: server.origin, cookie, "content-type": type };
      const body = String(new URLSearchParams({ csrf, opens }));
      await expectSame(asked, path, { accept: "text/html", method: "POST", body, headers });
    }
}

/** Two servers whose datasets differ in these paid rows. */
export function pair(differs: (row: MadeRow) => boolean, by: AskedBy): Promise<[Asked, Asked]> {
  return Promise.all([start(() => 1, by), start((row) => (differs(row) ? 2 : 1), by)]);
}

/** Walks all routes as somebody who has paid for nothing. */
export function describeUnpaid(who: string, by: AskedBy): void {
  describe(who, () => {
    let asked: [Asked, Asked];
    beforeAll(async () => {
      const { isTest = false } = by;
      asked = await pair(() => true, by);
      expect(asked.every(({ key }) => (key?.startsWith("xc_test_") ?? false) === isTest)).toBe(true);
    });
    afterAll(() => Promise.all(asked.map(({ server }) => server.stop())));

    test.each(ROUTE_NAMES.map((name) => [name]))(
      "is told nothing at %s that follows from a paid amount",
      (name) => walk(name, asked, by),
      120_000,
    );
    if (by.credits !== null && by.isTest !== true)
      test("is told nothing by the buttons of pages either", () => press(asked));
  });
}

/** A button, and the paid rows that it opens. */
interface Opened {
  path: string;
  /** Whether it is the button for what the page has beside its rows. */
  isMore?: boolean;
  isOpened(row: MadeRow): boolean;
  /** What the page shows then. */
  shows: string;
}

/** A button for each kind of opening. */
const OPENED = {
  "the CEOs of 2024": {
    path: "/rankings?fiscal_year=2024&office=peo",
    isOpened: ({ fiscalYear, office }) => fiscalYear === 2024 && office === "peo",
    shows: "Paul Alder",
  },
  "the changes of CFOs": {
    path: "/rankings?sort=-total_change&office=pfo",
    isOpened: ({ company, fiscalYear, office }) => office === "pfo" && fiscalYear === latestOf(company) - 1,
    shows: "Petra Alder",
  },
  "the totals of 2024": {
    path: "/ceo-pay?fiscal_year=2024",
    isOpened: ({ fiscalYear, office }) => fiscalYear === 2024 && office === "peo",
    shows: "Paul Alder",
  },
  "the statistics of California": {
    path: "/statistics?state=CA",
    isMore: true,
    isOpened: ({ company }) => company % 2 === 0,
    shows: "Median total",
  },
  "the history of two companies": {
    path: "/compare?companies=AAA,AAD",
    isOpened: ({ company }) => company === 0 || company === 3,
    shows: "total over the years",
  },
} as const satisfies Record<string, Opened>;

/** What they open. */
export const OPENED_KINDS: readonly (keyof typeof OPENED)[] = [
  "the CEOs of 2024",
  "the changes of CFOs",
  "the totals of 2024",
  "the statistics of California",
  "the history of two companies",
];

/** Walks all routes as a member who opened something. */
export function describeOpened(what: keyof typeof OPENED, by: AskedBy): void {
  const { path, isOpened, shows, ...more }: Opened = OPENED[what];
  describe(`who opened ${what}`, () => {
    let asked: [Asked, Asked];
    beforeAll(async () => {
      asked = await pair((row) => !isOpened(row) && row.fiscalYear < latestOf(row.company), by);
      for (const { server, cookie } of asked) {
        const { text } = await pageOf(server, path, cookie);
        const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? "";
        const opened = await server.get(path, {
          method: "POST",
          body: String(new URLSearchParams({ csrf, opens: more.isMore === true ? "more" : "" })),
          headers: { cookie, origin: server.origin, "content-type": "application/x-www-form-urlencoded" },
        });
        expect(opened.status).toBe(303);
        expect((await pageOf(server, path, cookie)).text).toContain(shows);
      }
    });
    afterAll(() => Promise.all(asked.map(({ server }) => server.stop())));

    test.each(ROUTE_NAMES.map((name) => [name]))(
      "is told nothing at %s of what is not opened",
      (name) => walk(name, asked, by),
      120_000,
    );
  });
}

async function pageOf(server: TestServer, path: string, cookie: string) {
  const answer = await server.get(path, { headers: { accept: "text/html", cookie } });
  return { status: answer.status, text: await answer.text() };
}

/** What the local operator is told at a path, of two datasets that differ in what is sold. */
export async function toldToOperators(paths: readonly string[]): Promise<Map<string, string[]>> {
  const servers = await Promise.all(
    [1, 2].map((version) => startTestServer({ dataDir: paidDataset(() => version) })),
  );
  const texts = new Map<string, string[]>();
  for (const path of paths) {
    const both = servers.map(async (server) => {
      const text = await (await server.get(path)).text();
      return neutral({ server, cookie: "", key: undefined, drawn: [] }, text);
    });
    texts.set(path, await Promise.all(both));
  }
  await Promise.all(servers.map((server) => server.stop()));
  return texts;
}
