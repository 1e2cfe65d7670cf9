/**
 * Plain tool calls and handshakes are answered without the protocol library (docs/decisions, "mcp-two-paths"). Here
 * every message takes both paths, through two servers over the same data, and the answers must be equal: status,
 * headers that a client reads, and the JSON as a value.
 */
import { expect } from "bun:test";
import * as fc from "fast-check";
import { mirroredHeaders, plainCall, plainHandshake } from "../../../src/mcp/plain.ts";
import { KEY, POOR_KEY, TOKEN, mcpUnderTest } from "./support.ts";

/** What a server offers, where a test asks only whether a message is plain. */
export const NOTHING_OFFERED = { tools: () => [], instructions: "", resources: null };

const META = "io.modelcontextprotocol/";

const id = fc.oneof(
  { weight: 6, arbitrary: fc.integer() },
  { weight: 3, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.constantFrom(null, 1.5, true, {}, []) },
);

const argument = fc.oneof(
  fc.constantFrom(
    "AAPL",
    "msft",
    "NOPE",
    "BARE",
    "320193",
    320193,
    1,
    2,
    4,
    "4",
    null,
    2023,
    "2023",
    "annual",
  ),
  fc.constantFrom(true, 1.5, -1, {}, [], "", "\u0000", "é"),
);

const given = fc.oneof(
  fc.dictionary(
    fc.constantFrom(
      "ticker",
      "cik",
      "period",
      "limit",
      "fiscal_year",
      "fiscal_year_gte",
      "fiscal_year_lt",
      "x",
    ),
    argument,
    { maxKeys: 4 },
  ),
  fc.constantFrom(undefined, null, [], "x", 1),
);

const capabilities = fc.oneof(
  fc.constant({}),
  fc.constantFrom<unknown>(
    { elicitation: {} },
    { elicitation: { form: {}, url: {} } },
    { sampling: {}, roots: {} },
    { roots: { listChanged: true } },
    { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["x"] } } },
    { experimental: { a: {} } },
    { elicitation: "yes" },
    { sampling: { tools: 1 } },
    "none",
    null,
    undefined,
  ),
);

const client = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    { name: "x", version: "1" },
    { name: "x", version: "1", title: "X" },
    { name: "openai-mcp", version: "1" },
    { name: "x", version: "1", websiteUrl: "https://x.example" },
    { name: "x" },
    { name: 1, version: "1" },
    "x",
  ),
);

const revision = fc.constantFrom("2026-07-28", "2026-07-28", "2026-07-28", "2025-11-25", "2030-01-01", 7);

const meta = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>({}, { progressToken: 1 }, { progressToken: {} }, { x: 1 }, "x", null),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({
        revision,
        capabilities,
        client,
        progress: fc.constantFrom<unknown>(undefined, "p", 3, 1.5, {}),
      })
      .map((parts) => ({
        [`${META}protocolVersion`]: parts.revision,
        [`${META}clientCapabilities`]: parts.capabilities,
        [`${META}clientInfo`]: parts.client,
        progressToken: parts.progress,
      })),
  },
);

const TOOL = "get_executive_compensation";
const name = fc.constantFrom<unknown>(TOOL, "list_available_tickers", "nope", 7);

/**
 * Usually the regular part, sometimes an unusual one, so that most messages differ from a valid one in one or two
 * places.
 */
const mostly = <T>(usual: fc.Arbitrary<T>, strange: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: strange });

const goodMeta = fc
  .record({ client, progressToken: fc.constantFrom<unknown>(undefined, "p", 3) })
  .map((parts) => ({
    [`${META}protocolVersion`]: "2026-07-28",
    [`${META}clientCapabilities`]: {},
    [`${META}clientInfo`]: parts.client,
    progressToken: parts.progressToken,
  }));

const exchange = (family: "legacy" | "modern") =>
  fc
    .record({
      jsonrpc: mostly(fc.constant<unknown>("2.0"), fc.constantFrom<unknown>("1.0", undefined, 2)),
      id: mostly<unknown>(fc.integer(), id),
      name: mostly<unknown>(fc.constant(TOOL), name),
      given: mostly<unknown>(
        fc.dictionary(fc.constantFrom("ticker", "limit", "fiscal_year_gte", "x"), argument),
        given,
      ),
      meta: mostly<unknown>(family === "modern" ? goodMeta : fc.constant(undefined), meta),
      extra: mostly<object>(fc.constant({}), fc.constant({ extra: 1 })),
      extraParam: mostly<object>(fc.constant({}), fc.constantFrom({ task: {} }, { inputResponses: {} })),
      version: mostly<string | undefined>(
        fc.constant(family === "modern" ? "2026-07-28" : "2025-11-25"),
        fc.constantFrom(undefined, "2026-07-28", "2025-06-18", "2025-03-26", "1999-01-01"),
      ),
      method: mostly<string | undefined>(
        fc.constant(family === "modern" ? "tools/call" : undefined),
        fc.constantFrom(undefined, "tools/call", "tools/list"),
      ),
      nameHeader: mostly<string | undefined>(
        fc.constant(family === "modern" ? TOOL : undefined),
        fc.constantFrom(undefined, TOOL, "list_available_tickers", ` ${TOOL}`, "=?base64?x?="),
      ),
      key: fc.constantFrom<string | undefined>(undefined, KEY, KEY, POOR_KEY, "bad"),
      token: mostly<string | undefined>(
        fc.constant(undefined),
        fc.constantFrom(`Bearer ${TOKEN}`, "Bearer bad"),
      ),
      agent: fc.constantFrom("test", "test", "openai-mcp/1.0.0"),
    })
    .map((parts) => ({
      message: {
        jsonrpc: parts.jsonrpc,
        id: parts.id,
        method: "tools/call",
        params: { name: parts.name, arguments: parts.given, _meta: parts.meta, ...parts.extraParam },
        ...parts.extra,
      },
      headers: definedOnly({
        "mcp-protocol-version": parts.version,
        "mcp-method": parts.method,
        "mcp-name": parts.nameHeader,
        "x-api-key": parts.key,
        authorization: parts.token,
        "user-agent": parts.agent,
      }),
    }));

function definedOnly(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const SEEN = [
  "content-type",
  "www-authenticate",
  "retry-after",
  "ratelimit-policy",
  "credits-charged",
  "credits-remaining",
  "incomplete-fiscal-years",
];

const read = async (response: Response) => ({
  status: response.status,
  headers: Object.fromEntries(SEEN.map((name) => [name, response.headers.get(name)])),
  body: JSON.parse((await response.text()) || "null"),
});

/** Random calls are answered identically by both paths, and a good share of them takes the fast one. */
export async function callsAlike(numRuns: number): Promise<void> {
  const short = mcpUnderTest();
  const long = mcpUnderTest({ fastPath: false });
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(exchange("legacy"), exchange("modern")), async ({ message, headers: sent }) => {
      const wire: unknown = JSON.parse(JSON.stringify(message));
      if (plainCall(wire, mirroredHeaders(new Headers(sent))) !== undefined) plain += 1;
      expect(await read(await short.post(wire, sent))).toEqual(await read(await long.post(wire, sent)));
      expect(short.charged()).toBe(long.charged());
      expect(short.admissions.splice(0)).toEqual(long.admissions.splice(0));
    }),
    { numRuns, seed: 20261121 },
  );
  // The comparison is meaningful only if a good share of the calls took the fast path.
  expect(plain).toBeGreaterThan((numRuns * 4) / 15);
}

const strangeParams = fc.constantFrom<unknown>(
  { cursor: "x" },
  { _meta: {} },
  { _meta: 7 },
  [],
  "x",
  null,
  1,
);

const initialize = fc.record({
  protocolVersion: mostly<unknown>(
    fc.constantFrom("2025-11-25", "2025-06-18", "2025-03-26"),
    fc.constantFrom<unknown>("2024-11-05", "2026-07-28", "1999-01-01", 7, undefined),
  ),
  capabilities: mostly<unknown>(
    fc.constantFrom({}, { roots: {} }, { roots: { listChanged: true } }, { sampling: {}, elicitation: {} }),
    fc.oneof(capabilities, fc.constantFrom<unknown>({ roots: { listChanged: "x" } }, { tools: true })),
  ),
  clientInfo: mostly<unknown>(
    fc.constantFrom({ name: "x", version: "1" }, { name: "x", version: "1", title: "X" }),
    client,
  ),
  _meta: mostly<unknown>(fc.constant(undefined), fc.constantFrom({}, { progressToken: 1 })),
});

const legacyHandshake = fc.oneof(
  fc.record({ method: fc.constant("initialize"), params: mostly<unknown>(initialize, strangeParams) }),
  fc.record({
    method: fc.constantFrom(
      "tools/list",
      "tools/list",
      "ping",
      "notifications/initialized",
      "resources/list",
      "nope",
    ),
    params: mostly<unknown>(fc.constantFrom(undefined, undefined, {}), strangeParams),
  }),
);

const modernHandshake = fc
  .record({
    method: fc.constantFrom("tools/list", "server/discover", "server/discover", "ping", "resources/list"),
    meta: mostly<unknown>(goodMeta, meta),
    more: mostly<object>(fc.constant({}), fc.constant({ cursor: "x" })),
  })
  .map(({ method, meta: _meta, more }) => ({ method, params: { _meta, ...more } }));

const handshake = (family: "legacy" | "modern") =>
  fc
    .record({
      jsonrpc: mostly(fc.constant<unknown>("2.0"), fc.constantFrom<unknown>("1.0", undefined, 2)),
      id: mostly<unknown>(fc.oneof(fc.integer(), fc.string()), fc.constantFrom(null, 1.5, true, undefined)),
      request: family === "modern" ? modernHandshake : legacyHandshake,
      extra: mostly<object>(fc.constant({}), fc.constant({ extra: 1 })),
      version: mostly<string | undefined>(
        family === "modern" ? fc.constant("2026-07-28") : fc.constantFrom(undefined, "2025-06-18"),
        fc.constantFrom(undefined, "2026-07-28", "2025-03-26", "1999-01-01"),
      ),
      mirrors: mostly(fc.constant(true), fc.constant(false)),
      nameHeader: mostly<string | undefined>(fc.constant(undefined), fc.constant("x")),
      key: fc.constantFrom<string | undefined>(undefined, KEY, "bad"),
    })
    .map(({ jsonrpc, id: given, request, extra, version, mirrors, nameHeader, key }) => ({
      message: {
        jsonrpc,
        ...(request.method.startsWith("notifications/") ? {} : { id: given }),
        method: request.method,
        params: request.params,
        ...extra,
      },
      headers: definedOnly({
        "mcp-protocol-version": version,
        "mcp-method": family === "modern" && mirrors ? request.method : undefined,
        "mcp-name": nameHeader,
        "x-api-key": key,
      }),
    }));

/**
 * Random handshakes are answered identically by both paths, byte for byte. @param least minimum number of fast-path
 * answers per method
 */
export async function handshakesAlike(numRuns: number, least: number): Promise<void> {
  const short = mcpUnderTest();
  const long = mcpUnderTest({ fastPath: false });
  const plain: Record<string, number> = {};
  const whole = async (response: Response) => ({
    status: response.status,
    // The edge, which these requests to the slow path bypass, adds these.
    headers: Object.fromEntries(
      [...response.headers].filter(([name]) => !["x-request-id", "cache-control", "dataset"].includes(name)),
    ),
    text: await response.text(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(handshake("legacy"), handshake("modern")),
      async ({ message, headers: sent }) => {
        const wire: { method?: unknown } = JSON.parse(JSON.stringify(message));
        if (plainHandshake(wire, mirroredHeaders(new Headers(sent)), NOTHING_OFFERED) !== undefined)
          plain[String(wire.method)] = (plain[String(wire.method)] ?? 0) + 1;
        expect(await whole(await short.post(wire, sent))).toEqual(await whole(await long.post(wire, sent)));
        expect(short.admissions.splice(0)).toEqual(long.admissions.splice(0));
      },
    ),
    { numRuns, seed: 20261122 },
  );
  for (const method of ["initialize", "notifications/initialized", "ping", "tools/list", "server/discover"])
    expect([method, (plain[method] ?? 0) > least]).toEqual([method, true]);
}
