/** Hostile requests as bytes, from a seed: REST, MCP, OAuth and data that is not HTTP at all. */
import { mutantOf } from "../contract/mcp/mutations.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** The target of a request. */
export type HostileKind = "rest" | "mcp" | "oauth" | "http";

/** One request as sent. */
export interface HostileRequest {
  kind: HostileKind;
  /** Latin-1 bytes of the whole request. */
  text: string;
  /** Whether the server may close the connection without a response. */
  mayBeSilent: boolean;
}

const PATHS = [
  "/api/executive-compensation",
  "/api/executive-compensation/tickers",
  "/api/executive-compensation/query",
  "/api/executive-compensation/statistics",
  "/api/companies",
  "/t/AAPL/facts",
  "/t/%00/facts",
  "/t/AAPL",
  "/coverage",
  "/api/openapi.json",
  "/sign-in",
  "/developer",
  "/nothing",
  "//",
  "/../../etc/passwd",
  "/.well-known/oauth-authorization-server",
];
const NAMES = [
  "ticker",
  "cik",
  "limit",
  "fiscal_year",
  "fiscal_year_gte",
  "period",
  "q",
  "search",
  "page",
  "x",
];
const VALUES = [
  "AAPL",
  "BRK.B",
  "NOSUCH",
  "0000320193",
  "-1",
  "99999999999",
  "4",
  "1e9",
  "",
  "%00",
  "%zz",
  "'--",
  "é",
];
const METHODS = ["GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"];
const HOSTS = [
  "",
  " ",
  "a b",
  "[",
  "a:99999",
  "%00",
  "a@b",
  "a/b",
  "::1",
  "\xff",
  "evil.example",
  "localhost",
  "a,b",
];
const OAUTH = [
  "/oauth/authorize",
  "/oauth/token",
  "/oauth/register",
  "/oauth/revoke",
  "/oauth/authorize/consent",
];

/** The frequency of each kind. */
export const KINDS: readonly HostileKind[] = [
  "rest",
  "rest",
  "rest",
  "mcp",
  "mcp",
  "mcp",
  "oauth",
  "oauth",
  "http",
  "http",
];

/**
 * The next request of a seed.
 *
 * @param host a host that the server answers for
 * @param key a valid API key, for requests that get past the first refusal
 * @param kinds the kinds to choose from
 */
export function hostileRequest(
  random: SeededRandom,
  host: string,
  key: string,
  kinds: readonly HostileKind[] = KINDS,
): HostileRequest {
  const from = random.chance(0.7)
    ? `203.0.${random.whole(0, 255)}.${random.whole(1, 254)}`
    : `2001:db8:${random.whole(0, 0xffff).toString(16)}:${random.whole(0, 0xffff).toString(16)}::1`;
  const head = { host, "x-forwarded-for": from };
  const kind = random.pick(kinds);
  if (kind === "rest") return { kind, mayBeSilent: false, text: restRequest(random, head, key) };
  if (kind === "mcp") return { kind, mayBeSilent: false, text: mcpRequest(random, head, key) };
  if (kind === "oauth") return { kind, mayBeSilent: false, text: oauthRequest(random, head) };
  return { kind, mayBeSilent: true, text: brokenRequest(random, head) };
}

function query(random: SeededRandom, names: readonly string[]): string {
  const pairs = Array.from({ length: random.whole(0, 4) }, () => {
    const value = random.chance(0.02) ? "x".repeat(random.whole(1, 6000)) : random.pick(VALUES);
    return `${random.pick(names)}=${encodeURI(value).replaceAll("%25", "%")}`;
  });
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function restRequest(random: SeededRandom, head: Record<string, string>, key: string): string {
  const headers: Record<string, string> = { ...head };
  if (random.chance(0.3)) headers["x-api-key"] = random.chance(0.5) ? key : "xc_live_nonsense";
  if (random.chance(0.2)) headers["accept-encoding"] = random.pick(["gzip", "zstd", "gzip, zstd;q=0", ",,,"]);
  if (random.chance(0.1)) headers["accept"] = random.pick(["text/html", "*/*", ";q=", "text/html;q=x"]);
  if (random.chance(0.1)) headers["if-none-match"] = random.pick(["*", '"x"', "W/", ",".repeat(500)]);
  if (random.chance(0.05)) headers["origin"] = random.pick(["https://evil.example", "null", "x"]);
  const body = random.chance(0.1) ? "x".repeat(random.whole(0, 3000)) : "";
  return written(random.pick(METHODS), random.pick(PATHS) + query(random, NAMES), headers, body);
}

function mcpRequest(random: SeededRandom, head: Record<string, string>, key: string): string {
  const fraction = () => random.whole(0, 2 ** 30 - 1) / 2 ** 30;
  const mutant = mutantOf(fraction);
  let { body } = mutant;
  if (random.chance(0.05)) {
    const icons = `[${"1,".repeat(random.whole(1, 30_000))}1]`;
    body = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1","icons":${icons}}}}`;
  }
  const headers = { ...mutant.headers, ...head };
  if (headers["x-api-key"] !== undefined) headers["x-api-key"] = random.chance(0.5) ? key : "bad";
  return written("POST", mutant.path, headers, Buffer.from(body, "utf8").toString("latin1"));
}

function oauthRequest(random: SeededRandom, head: Record<string, string>): string {
  const path = random.pick(OAUTH);
  const names = [
    "client_id",
    "redirect_uri",
    "state",
    "code",
    "grant_type",
    "refresh_token",
    "code_challenge",
    "resource",
  ];
  const values = [
    "x",
    "http://localhost:1/cb",
    "authorization_code",
    "refresh_token",
    "xc_client_x",
    "javascript:1",
    "",
  ];
  const pairs = Array.from({ length: random.whole(0, 8) }, () => {
    const value = random.chance(0.05) ? "s".repeat(random.whole(1, 5000)) : random.pick(values);
    return `${random.pick(names)}=${encodeURIComponent(value)}`;
  }).join("&");
  if (path.startsWith("/oauth/authorize") && random.chance(0.7))
    return written("GET", `${path}?${pairs}`, head, "");
  if (path === "/oauth/register") {
    const uris = Array.from({ length: random.whole(0, 12) }, () => random.pick(values));
    const body = JSON.stringify({
      redirect_uris: uris,
      client_name: random.pick(["x", "\u202e", "n".repeat(3000)]),
    });
    return written(
      "POST",
      path,
      { ...head, "content-type": "application/json" },
      Buffer.from(body).toString("latin1"),
    );
  }
  const type = random.pick(["application/x-www-form-urlencoded", "application/json", "text/plain", ""]);
  return written("POST", path, { ...head, "content-type": type }, pairs);
}

function brokenRequest(random: SeededRandom, head: Record<string, string>): string {
  const path = random.pick(PATHS);
  const fine = `GET ${path} HTTP/1.1\r\nHost: ${head["host"]}\r\n`;
  const post = `POST ${random.pick([...PATHS, ...OAUTH, "/mcp"])} HTTP/1.1\r\nHost: ${head["host"]}\r\nContent-Type: application/json\r\n`;
  const host = `Host: ${random.pick(HOSTS)}\r\n`;
  return random.pick([
    `GET ${path} HTTP/1.1\r\n${host}\r\n`,
    `GET ${path} HTTP/1.1\r\n${host}${host}\r\n`,
    `GET ${path} HTTP/1.1\r\n\r\n`,
    `GET ${path} HTTP/1.0\r\n\r\n`,
    `GET http://evil.example${path} HTTP/1.1\r\n${host}\r\n`,
    `GET ${path}\r\n\r\n`,
    // Methods that Bun does not know end the connection below our code.
    `BREW ${path} HTTP/1.1\r\nHost: ${head["host"]}\r\n\r\n`,
    `get ${path} HTTP/1.1\r\nHost: ${head["host"]}\r\n\r\n`,
    `GET ${path} HTTP/9.9\r\nHost: x\r\n\r\n`,
    `${fine}X-Long: ${"a".repeat(random.whole(1, 20_000))}\r\n\r\n`,
    `${fine}${"X: y\r\n".repeat(random.whole(1, 300))}\r\n`,
    `${fine}Bad Header: x\r\n\r\n`,
    `${fine} folded\r\n\r\n`,
    `${fine}X: \0\r\n\r\n`,
    `${post}Content-Length: 100\r\n\r\n{`,
    `${post}Content-Length: -1\r\n\r\n`,
    `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    `${post}Content-Length: 300000\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nQ\r\n`,
    `${post}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: gzip\r\n\r\nx`,
    `\r\n\r\n`,
    `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03`,
    "x".repeat(random.whole(1, 500)),
  ]);
}

function written(method: string, path: string, headers: Record<string, string>, body: string): string {
  const lines = Object.entries({
    ...headers,
    ...(body === "" ? {} : { "content-length": String(body.length) }),
  });
  const plain = lines.map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]/g, "")}\r\n`).join("");
  return `${method} ${path.replaceAll(/[\r\n ]/g, "+")} HTTP/1.1\r\n${plain}\r\n${body}`;
}
