import Ajv, { type ValidateFunction } from "ajv/dist/2020.js";
import { createApp, NO_LISTENER } from "../../src/server/app.ts";
import { COMPONENTS } from "../../src/domain/row-fields.ts";
import { COMPENSATION_PARAMETERS } from "../../src/domain/company-parameters.ts";
import { openApiDocument } from "../../src/rest/docs.ts";
import { createServerUrls } from "../../src/http/base-urls.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";
import { startTestServer } from "./server.ts";

/** The result of a round of random requests. */
export interface FuzzReport {
  requests: number;
  /** Responses by status. */
  statuses: Record<string, number>;
  /** Each violated invariant with its request, the first twenty. */
  broken: string[];
}

interface Shot {
  method: string;
  /** From the first slash. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Entity tags that are occasionally sent back. */
const KEPT_TAGS = 50;
const BREACHES_TOLD = 20;
/** Concurrent requests, so that their charges share commits as they do on a server. */
const AT_ONCE = 32;

/**
 * Sends random and mutated requests to the whole server, in process, and checks every response against the OpenAPI
 * document and the contract: no 5xx, only declared statuses, bodies of the declared schema, rows that add up, refusals
 * in the flat envelope, no key in any response, no credit for an error.
 *
 * @param seed the same seed sends the same requests
 */
export async function fuzzRequests(count: number, seed: number): Promise<FuzzReport> {
  const server = await startTestServer();
  try {
    const { credits, users } = server.accounts;
    const emails = ["rich", "poor", "free"].map((name) => `${name}@example.com`);
    const keys = await Promise.all(emails.map((email) => server.createKey(email)));
    const [rich, poor, free] = await Promise.all(emails.map((email) => users.findOrCreate(email)));
    if (rich === undefined || poor === undefined || free === undefined)
      throw new Error("the users were just made");
    await credits.grant(rich.id, 1_000_000);
    await credits.grant(poor.id, -80);
    await credits.setUnmetered(free.id, true);
    const before = await balancesOf(server.accounts, emails);

    const random = seededRandom(seed);
    const tags: string[] = [];
    const nextShot = createShots(random, keys, server.services.snapshots.current().tickers(), tags);
    const judge = await createJudge(keys);
    const serverUrls = createServerUrls(server.services.config, server.port);
    const peers = new WeakMap<Request, string>();
    const peerOf = (request: Request) => peers.get(request) ?? "";
    const app = createApp(server.services, () => serverUrls, { ...NO_LISTENER, peerOf });
    const report: FuzzReport = { requests: 0, statuses: {}, broken: [] };
    let charged = 0;
    const fire = async (n: number, shot: Shot, address: string) => {
      const request = requestOf(server.origin, shot);
      peers.set(request, address);
      const answer = await app(request);
      const body = await answer.text();
      report.requests += 1;
      report.statuses[answer.status] = (report.statuses[answer.status] ?? 0) + 1;
      charged += Number(answer.headers.get("credits-charged") ?? 0);
      if (answer.status === 200 && tags.push(answer.headers.get("etag") ?? "*") > KEPT_TAGS) tags.shift();
      for (const wrong of judge(shot, answer, body)) {
        if (report.broken.length < BREACHES_TOLD)
          report.broken.push(`#${n} ${wrong}: ${JSON.stringify(shot)}`);
      }
    };
    for (let n = 0; n < count; n += AT_ONCE) {
      // Rate limits fill up and empty again.
      server.advance(random.whole(0, random.chance(0.01) ? 60_000 : 200));
      const batch = Array.from({ length: Math.min(AT_ONCE, count - n) }, (_, i) =>
        fire(n + i, nextShot(), `203.0.113.${random.whole(1, 40)}`),
      );
      await Promise.all(batch);
    }
    const spent = before - (await balancesOf(server.accounts, emails));
    if (spent !== charged) report.broken.push(`answers say ${charged} credits, the ledger ${spent}`);
    const untrue = await credits.problems();
    if (untrue.length > 0) report.broken.push(`ledgers that do not add up: ${JSON.stringify(untrue)}`);
    return report;
  } finally {
    await server.stop();
  }
}

type Accounts = Awaited<ReturnType<typeof startTestServer>>["accounts"];

async function balancesOf({ credits, users }: Accounts, emails: readonly string[]): Promise<number> {
  const all = await Promise.all(emails.map((email) => users.findOrCreate(email)));
  const summaries = await Promise.all(all.map(({ id }) => credits.summary(id)));
  return summaries.reduce((sum, { balance }) => sum + balance, 0);
}

function requestOf(origin: string, { method, path, headers, body }: Shot): Request {
  const host = headers["host"] ?? new URL(origin).host;
  return new Request(origin + path, { method, body, headers: { ...headers, host }, redirect: "manual" });
}

const METHODS = ["HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];
const ODD_PATHS = [
  "/",
  "/api",
  "/api/",
  "/api/executive-compensation/",
  "/api/executive-compensation/tickers/",
  "/API/executive-compensation",
  "//api/executive-compensation",
  "/api/executive-compensation%2Ftickers",
  "/api/openapi.json",
  "/t",
  "/t/",
  "/t//facts",
  "/t/AAPL",
  "/t/AAPL/facts/",
  "/t/AAPL/facts/x",
  "/mcp",
  "/mcp/private",
  "/oauth/token",
  "/oauth/register",
  "/oauth/authorize",
  "/.well-known/oauth-protected-resource",
  "/.well-known/nothing",
  "/sign-in",
  "/developer",
  "/livez",
];
const ODD_VALUES = [
  "",
  " ",
  "0",
  "-1",
  "+4",
  "4.0",
  "4e0",
  "1e3",
  "0x10",
  "2147483648",
  "999999999",
  "9999999999",
  "٤",
  "null",
  "undefined",
  "NaN",
  "annual",
  "ANNUAL",
  "true",
  "%00",
  "%",
  "%zz",
  "'--",
  "<script>",
  "../../etc",
  "__proto__",
  "constructor",
  "a".repeat(300),
  "é",
  "😀",
  "\u0000",
  "&&",
  "=",
];
const MARKS = ["%", "&", "=", "?", "#", "/", "\\", ";", ",", " ", "+", "\t", "é", "\u0001", "0", "A", "_"];

/** Mostly requests that are nearly right: being wrong in a single place finds more than noise does. */
function createShots(
  random: SeededRandom,
  keys: readonly string[],
  tickers: readonly string[],
  tags: readonly string[],
) {
  const symbol = (): string => {
    const ticker = random.pick(tickers);
    return random.pick([
      ticker,
      ticker,
      ticker.toLowerCase(),
      ticker.replace("-", "."),
      ` ${ticker} `,
      "BRK/B",
      "FB",
      "ZZZZZ",
      random.pick(ODD_VALUES),
    ]);
  };
  const value = (name: string): string => {
    if (random.chance(0.1)) return random.pick(ODD_VALUES);
    if (name === "ticker") return symbol();
    if (name === "cik")
      return random.pick(["320193", "0000320193", "CIK320193", "1067983", "1", "0000000000"]);
    if (name === "period") return random.pick(["annual", "annual", "quarterly"]);
    if (name === "limit") return String(random.whole(-1, 110));
    return String(random.whole(2018, 2028));
  };
  const query = (): string => {
    const names = Array.from({ length: random.whole(0, 3) }, () =>
      random.chance(0.05)
        ? random.pick(["fiscal_year_get", "tickers", "Limit", "", "a b"])
        : random.pick(COMPENSATION_PARAMETERS).name,
    );
    if (random.chance(0.85)) names.unshift(random.pick(["ticker", "ticker", "cik"]));
    const pairs = names.map(
      (name) => `${name}=${random.chance(0.9) ? encodeURIComponent(value(name)) : value(name)}`,
    );
    return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  };
  const path = (): string => {
    const which = random.whole(0, 9);
    if (which < 5) return `/api/executive-compensation${query()}`;
    if (which < 6)
      return `/api/executive-compensation/tickers${random.chance(0.5) ? "" : `?limit=${value("limit")}`}`;
    if (which < 9) return `/t/${encodeURIComponent(symbol())}/facts${random.chance(0.8) ? "" : query()}`;
    return random.pick(ODD_PATHS) + (random.chance(0.7) ? "" : query());
  };
  const mutated = (text: string): string => {
    const at = random.whole(1, text.length);
    const cut = random.whole(0, 2);
    return text.slice(0, at) + (random.chance(0.7) ? random.pick(MARKS) : "") + text.slice(at + cut);
  };
  const credential = (): Record<string, string> => {
    const which = random.whole(0, 19);
    if (which < 14) return { "x-api-key": random.pick(keys) };
    if (which === 14) return { "x-api-key": mutated(random.pick(keys)).replaceAll(/[^\x21-\x7e]/g, "") };
    if (which === 15) return { "x-api-key": "" };
    if (which === 16) return { authorization: "Bearer nonsense" };
    if (which === 17) return { authorization: `Bearer ${random.pick(keys)}`, "x-api-key": random.pick(keys) };
    return {};
  };

  return (): Shot => {
    const headers = credential();
    if (random.chance(0.05)) headers["if-none-match"] = tags.length > 0 ? random.pick(tags) : "*";
    if (random.chance(0.03)) headers["if-none-match"] = random.pick(["*", "W/x", '"', ",", 'W/"a", "b"']);
    if (random.chance(0.05))
      headers["accept"] = random.pick(["text/html", "*/*", "application/json", ";q=", "text/html;q=x"]);
    if (random.chance(0.02))
      headers["host"] = random.pick(["evil.example", "localhost", "localhost:1", "[::1]", "a@b"]);
    if (random.chance(0.02)) headers["x-forwarded-for"] = random.pick(["1.2.3.4", ",", "::1, x", "%"]);
    const method = random.chance(0.92) ? "GET" : random.pick(METHODS);
    const bare = path();
    const body = ["GET", "HEAD"].includes(method)
      ? null
      : random.pick([null, "", "{}", "[", '{"jsonrpc":"2.0"}', "a=b"]);
    if (body !== null && random.chance(0.7))
      headers["content-type"] = random.pick(["application/json", "text/plain", "x"]);
    return { method, path: random.chance(0.15) ? `/${mutated(bare).slice(1)}` : bare, headers, body };
  };
}

/** The parts of the document that are used here. */
interface Described {
  paths: Record<string, { get: { responses: Record<string, { content?: Record<string, unknown> }> } }>;
}

/** Describes what is wrong with a response. */
async function createJudge(keys: readonly string[]) {
  const document = await openApiDocument();
  const ajv = new Ajv({ formats: { date: true }, strict: false, allErrors: false });
  ajv.addSchema(document, "doc");
  // The document is ours and passes a public linter (test/rest/openapi.test.ts).
  const { paths } = document as unknown as Described;
  const checks = new Map<string, ValidateFunction>();
  const checkOf = (path: string, status: number): ValidateFunction | undefined => {
    const declared = paths[path]?.get.responses[status]?.content?.["application/json"];
    if (declared === undefined) return undefined;
    const pointer = `${path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")}`;
    const ref = `doc#/paths/${pointer}/get/responses/${status}/content/application~1json/schema`;
    const check = checks.get(ref) ?? ajv.compile({ $ref: ref });
    checks.set(ref, check);
    return check;
  };

  return function* judge(shot: Shot, answer: Response, body: string): Generator<string> {
    const { status } = answer;
    if (status >= 500) yield `status ${status}`;
    if (keys.some((key) => body.includes(key))) yield "a key is in the body";
    const { pathname } = new URL(`http://localhost${shot.path}`);
    const operation = /^\/t\/[^/]+\/facts$/.test(pathname) ? "/t/{ticker}/facts" : pathname;
    const described = paths[operation];
    if (described !== undefined) {
      const odd =
        (status === 403 && shot.headers["host"] !== undefined) ||
        (status === 405 && shot.method !== "GET") ||
        (status === 204 && shot.method === "OPTIONS");
      if (!odd && described.get.responses[status] === undefined) yield `status ${status} is not declared`;
      if (shot.method !== "HEAD" && (status === 200 || (status >= 400 && !odd))) {
        const check = checkOf(operation, status);
        if (check === undefined) yield `no schema is declared for ${status}`;
        else if (!check(parsed(body))) yield `body breaks the schema: ${ajv.errorsText(check.errors)}`;
      }
      if (status === 200 && shot.method !== "HEAD") yield* judgeRows(parsed(body), answer);
    }
    if (status === 304 && body !== "") yield "a 304 with a body";
    if (status === 405 && answer.headers.get("allow") === null) yield "a 405 without Allow";
    if (status === 429 && !/^\d+$/.test(answer.headers.get("retry-after") ?? ""))
      yield "a 429 without Retry-After";
    if (status >= 400 && (described !== undefined || pathname.startsWith("/api/"))) {
      if (answer.headers.get("cache-control") !== "no-store") yield "a refusal that may be stored";
      if (Number(answer.headers.get("credits-charged") ?? 0) !== 0) yield "a refusal that is charged";
      const names = Object.keys(Object(parsed(body)))
        .toSorted()
        .join();
      const expected = status === 402 ? "error,message,purchase" : "error,message";
      if (shot.method !== "HEAD" && names !== expected) yield `an envelope of ${names}`;
    }
  };
}

function* judgeRows(body: unknown, answer: Response): Generator<string> {
  // The schema of the response was checked before.
  const { executive_compensation: rows = [] } = body as { executive_compensation?: Record<string, number>[] };
  const cents = (row: Record<string, number>, name: string) => Math.round((row[name] ?? Number.NaN) * 100);
  for (const row of rows) {
    const sum = COMPONENTS.reduce((total, name) => total + cents(row, name), 0);
    if (sum !== cents(row, "total_compensation")) yield `a row does not add up: ${JSON.stringify(row)}`;
  }
  const years = rows.map((row) => row["fiscal_year"] ?? 0);
  if (years.some((year, at) => year > (years[at - 1] ?? Infinity)))
    yield `years out of order: ${years.join()}`;
  const incomplete = (answer.headers.get("incomplete-fiscal-years") ?? "").split(", ").filter(Boolean);
  if (incomplete.some((year) => !years.includes(Number(year))))
    yield `marks a year that is not there: ${incomplete.join()}`;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
