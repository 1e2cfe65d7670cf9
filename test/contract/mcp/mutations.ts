/**
 * Malformed JSON-RPC derived from valid messages with a seed. `bun run fuzz mcp` sends 100,000 of them, the test
 * suite a sample.
 */
import { KEY, type McpUnderTest, TOKEN, compensationCall, legacy, mirrored, modern } from "./support.ts";

/** Reproducible random numbers from 0 to 1. @see mulberry32 */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Random = () => number;

/** A request as sent. */
export interface Mutant {
  body: string;
  headers: Record<string, string>;
  path: string;
}

const INITIALIZE = legacy("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "x", version: "1" },
});
/** A valid message. */
interface Good {
  message: object;
  headers: Record<string, string>;
}

const toolCall = (name: string, given: object): Good[] => {
  const params = { name, arguments: given };
  return [
    { message: legacy("tools/call", params), headers: { "mcp-protocol-version": "2025-11-25" } },
    { message: modern("tools/call", params), headers: mirrored("tools/call", name) },
  ];
};

/** Messages of the tools across companies. */
const GOOD_ACROSS: readonly Good[] = [
  ...toolCall("query_executive_compensation", {
    ticker: ["AAPL", "MSFT"],
    office: "peo",
    fiscal_year_gte: 2022,
  }),
  ...toolCall("get_executive_compensation_statistics", { group_by: "sector", rank_ticker: "AAPL" }),
  ...toolCall("search", { query: "Apple CEO 2024" }),
  ...toolCall("fetch", { id: "year:320193:2024" }),
  { message: legacy("resources/list"), headers: {} },
  { message: legacy("resources/read", { uri: "ui://execcomp/company-pay" }), headers: {} },
];

const GOOD: readonly Good[] = [
  { message: INITIALIZE, headers: {} },
  { message: legacy("tools/list"), headers: {} },
  { message: legacy("ping"), headers: { "mcp-protocol-version": "2025-06-18" } },
  { message: { jsonrpc: "2.0", method: "notifications/initialized" }, headers: {} },
  { message: modern("server/discover"), headers: mirrored("server/discover") },
  { message: modern("tools/list"), headers: mirrored("tools/list") },
  compensationCall("legacy", { ticker: "AAPL", limit: 4 }),
  compensationCall("modern", { ticker: "AAPL", limit: 4 }),
  compensationCall("legacy", { cik: "320193", fiscal_year_gte: 2022 }),
  compensationCall("modern", { ticker: "MSFT" }),
];

const deep = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as unknown;
const JUNK: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  "x",
  "\u0000",
  "\ud800",
  "AAPL",
  "../../etc/passwd",
  "' OR 1=1 --",
  "x".repeat(5000),
  [],
  {},
  [[[]]],
  { a: { b: {} } },
  { __proto__: null, toString: 1 },
  "__proto__",
  "constructor",
  "tools/call",
  "tools/list",
  "2026-07-28",
  "2025-11-25",
  deep(2000),
];
const NAMES = [
  "__proto__",
  "constructor",
  "id",
  "method",
  "params",
  "_meta",
  "arguments",
  "name",
  "task",
  "limit",
  "",
];
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ["mcp-protocol-version", ["2026-07-28", "2025-11-25", "2025-03-26", "1999-01-01", "", "x"]],
  ["mcp-method", ["tools/call", "tools/list", "", "é".repeat(1)]],
  ["mcp-name", ["get_executive_compensation", "=?base64?!!?=", "=?base64?eA==?=", "x", ""]],
  ["mcp-session-id", ["stale"]],
  ["accept", ["application/json", "text/event-stream", "*/*", "text/html", ""]],
  [
    "content-type",
    ["application/json", "application/json", "text/plain", "application/json; charset=utf-16"],
  ],
  ["user-agent", ["openai-mcp/1.0.0", "Claude-User", "x"]],
];

function pick<T>(random: Random, from: readonly T[]): T {
  const chosen = from[Math.floor(random() * from.length)];
  if (chosen === undefined && from.length === 0) throw new Error("nothing to pick from");
  // The index is below the length.
  return chosen as T;
}

/** Every object and array in a value, itself first. */
function nodesOf(value: unknown, found: object[] = []): object[] {
  if (typeof value === "object" && value !== null && found.length < 50) {
    found.push(value);
    for (const child of Object.values(value)) nodesOf(child, found);
  }
  return found;
}

function mutateValue(random: Random, message: object): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(message));
  const changes = 1 + Math.floor(random() * 3);
  for (let change = 0; change < changes; change++) {
    if (random() < 0.03) return structuredClone(pick(random, JUNK));
    // Any object may be written to by any name.
    const node = pick(random, nodesOf(copy)) as Record<string, unknown> | undefined;
    if (node === undefined) return copy;
    const name = random() < 0.7 ? pick(random, [...Object.keys(node), "x"]) : pick(random, NAMES);
    if (random() < 0.3) delete node[name];
    else
      Object.defineProperty(node, name, {
        value: structuredClone(pick(random, JUNK)),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return random() < 0.05 ? [copy, copy] : copy;
}

function mutateText(random: Random, text: string): string {
  const at = Math.floor(random() * (text.length + 1));
  const kind = random();
  if (kind < 0.3) return text.slice(0, at);
  if (kind < 0.6)
    return (
      text.slice(0, at) +
      pick(random, ["}", "{", "[", "]", ",", '"', "\\", "\u0000", "\ufffd", "1e999", "NaN", "//"]) +
      text.slice(at + 1)
    );
  if (kind < 0.8) return text.slice(0, at) + text.slice(Math.floor(random() * text.length));
  return text + pick(random, [text, " ", "\n{}", "]", "\u2028"]);
}

/** Addresses of the specification's two tools, and of those across companies. */
export type FuzzedTools = "spec" | "analyst";

/** A request that started out valid. */
export function mutantOf(random: Random, tools: FuzzedTools = "spec"): Mutant {
  const good = pick(random, tools === "analyst" && random() < 0.7 ? GOOD_ACROSS : GOOD);
  let body = JSON.stringify(random() < 0.75 ? mutateValue(random, good.message) : good.message) ?? "";
  if (random() < 0.35) body = mutateText(random, body);
  const headers: Record<string, string> = { "content-type": "application/json", ...good.headers };
  while (random() < 0.25) {
    const [name, values] = pick(random, HEADERS);
    headers[name] = pick(random, values);
  }
  if (random() < 0.5) headers["x-api-key"] = random() < 0.9 ? KEY : "bad";
  else if (random() < 0.3)
    headers["authorization"] = pick(random, [`Bearer ${TOKEN}`, "Bearer", "Bearer bad", "Basic eDp5"]);
  if (tools === "analyst") return { body, headers, path: "/mcp/analyst" };
  return { body, headers, path: random() < 0.9 ? "/mcp" : "/mcp/private" };
}

/** Sends malformed messages. @returns what was wrong with the answers, with the message, of the first ten */
export async function fuzzMcp(mcp: McpUnderTest, count: number, seed: number): Promise<object[]> {
  const random = randomFrom(seed);
  const wrong: object[] = [];
  for (let number = 0; number < count && wrong.length < 10; number++) {
    const mutant = mutantOf(random);
    const complaint = await complaintAbout(mcp, mutant);
    if (complaint !== undefined)
      wrong.push({ number, complaint, ...mutant, body: mutant.body.slice(0, 2000) });
  }
  return wrong;
}

/** Maximum length of any answer except the card's document: a result with its envelope. */
const MAX_ANSWER = 61_000;
/** Far longer than a busy machine needs: only an answer that never comes takes this long. */
const HANGS_MS = 60_000;

/** What is wrong with the answer to a mutant; undefined if nothing. */
export async function complaintAbout(
  mcp: Pick<McpUnderTest, "fetch" | "charged">,
  mutant: Mutant,
): Promise<string | undefined> {
  const before = mcp.charged();
  const { body, headers, path } = mutant;
  const never = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => never.resolve(undefined), HANGS_MS);
  const answered = mcp.fetch(path, { method: "POST", headers, body });
  const answer = await Promise.race([answered, never.promise]).finally(() => clearTimeout(timer));
  if (answer === undefined) return "no answer";
  const text = await answer.text();
  if (path === "/mcp/analyst" && text.length > MAX_ANSWER && !text.includes("<!doctype html>"))
    return `${text.length} characters`;
  if (answer.status >= 500) return `status ${answer.status}: ${text}`;
  if (answer.status === 202) return text === "" ? undefined : "202 with a body";
  if (answer.headers.get("content-type")?.startsWith("text/event-stream") === true) return undefined;
  let said: { result?: { isError?: boolean; structuredContent?: object }; error?: unknown };
  try {
    said = JSON.parse(text);
  } catch {
    return `not JSON: ${text.slice(0, 200)}`;
  }
  const isSuccess = answer.status === 200 && said.result?.structuredContent !== undefined;
  if (mcp.charged() > before && !isSuccess) return `charged for ${answer.status} ${text.slice(0, 200)}`;
  if (said.error !== undefined && /\bat .*\.[jt]s/.test(text))
    return `tells of its inside: ${text.slice(0, 300)}`;
  return undefined;
}
