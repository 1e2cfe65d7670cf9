/**
 * Plain tool calls are answered without the protocol library (docs/decisions, "mcp-two-paths"). Here every
 * message goes both paths, through two servers over the same data, and both must say the same: status, headers
 * that a client reads, and the JSON as a value.
 */
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { mirroredHeaders, plainCall } from "../../../src/mcp/classify.ts";
import { KEY, POOR_KEY, TOKEN, mcpUnderTest } from "./support.ts";

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

/** Mostly the usual part, now and then a strange one: so most messages differ from a good one in one place or two. */
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

test("both paths answer every call alike, in both protocol families", async () => {
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
    { numRuns: 1500, seed: 20261121 },
  );
  // The comparison says something only when a good part of the calls took the fast path.
  expect(plain).toBeGreaterThan(400);
}, 120_000);
