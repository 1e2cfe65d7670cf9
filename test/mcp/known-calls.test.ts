import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { McpEndpoint } from "../../src/http/base-urls.ts";
import { plainCall, revisionOf } from "../../src/mcp/classify.ts";
import { createKnownCalls } from "../../src/mcp/known-calls.ts";

const endpoint: McpEndpoint = { url: "http://x/mcp", metadataUrl: "", eager: false, toolset: "spec" };
const other: McpEndpoint = { ...endpoint, toolset: "analyst" };
const headers = { version: null, method: null, name: null };
const ARGUMENTS = `"params":{"name":"t","arguments":{"ticker":"AAPL"}}`;
const first = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call",${ARGUMENTS}}`;
const last = (id: string) => `{"method":"tools/call",${ARGUMENTS},"jsonrpc":"2.0","id":${id}}`;

/** What a new cache knows of a text once another has been answered. */
function knownAfter(answered: string, text: string) {
  const calls = createKnownCalls();
  const message: unknown = JSON.parse(answered);
  const plain = plainCall(message, headers);
  if (plain !== undefined) {
    calls.keep("known", answered, endpoint, headers, {
      plain,
      message,
      revision: revisionOf(message, headers),
    });
  }
  return calls.find("known", text, endpoint, headers)?.plain;
}

test.each([
  [first("1"), first("2"), 2],
  [first("1"), first('"a-b_7"'), "a-b_7"],
  [last('"x"'), last("0"), 0],
  [first("1").replaceAll(":", ": "), first("900719925474099").replaceAll(":", ": "), 900719925474099],
])("%s is known from %s, with its own id", (answered, text, id) => {
  expect(knownAfter(answered, text)).toEqual({
    family: "legacy",
    id,
    name: "t",
    arguments: { ticker: "AAPL" },
  });
});

test.each([
  ["an id that can be written in two ways", first("1"), first("1.0")],
  ["an id with an escape", first("1"), first(String.raw`"\u0061"`)],
  ["a negative id", first("1"), first("-1")],
  ["a second id after it", first("1").replace(/\}$/, ',"id":9}'), first("2").replace(/\}$/, ',"id":9}')],
  ["a second id before it", last("1").replace("{", '{"id":9,'), last("1").replace("{", '{"id":8,')],
  ["other arguments", first("1"), first("1").replace("AAPL", "MSFT")],
  ["a long text", first("1"), first("1").replace("AAPL", "A".repeat(1000))],
])("%s is parsed anew", (_what, answered, text) => {
  expect(knownAfter(answered, text)).toBeUndefined();
});

test("nothing is known at another address, with other headers, or for another kind of caller", () => {
  const calls = createKnownCalls();
  const message: unknown = JSON.parse(first("1"));
  const plain = plainCall(message, headers);
  if (plain === undefined) throw new Error("a plain call");
  calls.keep("known", first("1"), endpoint, headers, { plain, message, revision: "" });
  expect(calls.find("known", first("2"), endpoint, headers)).toBeDefined();
  expect(calls.find("known", first("2"), other, headers)).toBeUndefined();
  expect(calls.find("known", first("2"), endpoint, { ...headers, version: "2025-11-25" })).toBeUndefined();
  expect(calls.find("anyone", first("2"), endpoint, headers)).toBeUndefined();
});

test("with any members in any order, a recognized message equals one parsed anew", () => {
  const id = fc.oneof(
    fc.integer(),
    fc.string({ maxLength: 4 }),
    fc.constantFrom("a", "b", 0, 7, null, 1.5, "\\", '"'),
  );
  const member = fc.oneof(
    id.map((value) => ["id", value] as const),
    fc.constantFrom(
      ["jsonrpc", "2.0"] as const,
      ["method", "tools/call"] as const,
      ["params", { name: "t", arguments: {} }] as const,
      ["params", { name: "t", arguments: { id: 7 } }] as const,
      ["params", { name: '"id":7}', arguments: {} }] as const,
      ["id", 7] as const,
    ),
  );
  const whole = fc.constant([
    ["jsonrpc", "2.0"],
    ["method", "tools/call"],
    ["params", { name: "t", arguments: {} }],
  ] as const);
  const text = (members: readonly (readonly [string, unknown])[], place: number, ours: unknown) => {
    const all = [...members.slice(0, place), ["id", ours] as const, ...members.slice(place)];
    return `{${all.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`;
  };
  const members = fc
    .tuple(whole, fc.array(member, { maxLength: 2 }))
    .chain(([needed, more]) =>
      fc.shuffledSubarray([...needed, ...more], { minLength: needed.length + more.length }),
    );
  fc.assert(
    fc.property(members, fc.nat(5), id, id, (all, place, one, two) => {
      const known = knownAfter(text(all, place, one), text(all, place, two));
      if (known === undefined) return;
      const asked: unknown = JSON.parse(text(all, place, two));
      expect(known).toEqual(plainCall(asked, headers) ?? expect.unreachable());
    }),
    { numRuns: 5000, seed: 20261122 },
  );
});
