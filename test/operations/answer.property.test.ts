import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { loadConfig } from "../../src/config/load.ts";
import { COMPENSATION_PARAMETERS, TICKERS_PARAMETERS } from "../../src/domain/company-parameters.ts";
import { type Parameter, parameterSchema } from "../../src/domain/parameters.ts";
import { etagOf } from "../../src/operations/answer.ts";
import { compensationOperation, tickersOperation } from "../../src/operations/compensation.ts";
import type { Answer, OperationDeps } from "../../src/operations/operation.ts";
import { openEmbedded } from "../../src/dataset/embedded.ts";
import { datasetOf } from "../../src/dataset/read-snapshot.ts";
import * as fc from "fast-check";

const dataset = datasetOf(openEmbedded(tmpdir()), "embedded");

/** Symbols of companies whose answers could be confused: few, so that they often coincide. */
const SYMBOLS = dataset.tickers().slice(0, 3);
const CIKS = SYMBOLS.map((symbol) => dataset.findBySymbol(symbol)?.cik ?? "");

function deps(): OperationDeps {
  return {
    snapshots: { current: () => dataset },
    admit: async () => ({ principal: { kind: "operator" }, window: null }),
    charge: async () => ({ charged: 0, remaining: null }),
    prices: loadConfig({}, undefined, {}).config,
    onDemand: null,
  };
}

/** Values for a parameter, derived from its entry in the list: a new parameter is tested without a change here. */
function valuesOf(parameter: Parameter): fc.Arbitrary<string> {
  const { name } = parameter;
  const schema = parameterSchema(parameter);
  if (name === "ticker") return fc.constantFrom(...SYMBOLS, ...SYMBOLS.map((one) => one.toLowerCase()));
  if (name === "cik") return fc.constantFrom(...CIKS);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...schema["enum"]);
  if (schema["type"] !== "integer") return fc.constantFrom("a", "b", "a~b", "a-b");
  const [min, max] = schema["maximum"] === undefined ? [2020, 2026] : [Number(schema["minimum"]), 6];
  return fc.integer({ min, max }).map(String);
}

function queriesOf(parameters: readonly Parameter[]): fc.Arbitrary<Map<string, string[]>> {
  const entries = parameters.map((one) =>
    fc.option(valuesOf(one), { nil: undefined }).map((value) => [one.name, value] as const),
  );
  return fc
    .tuple(...entries)
    .map((all) => new Map(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, [value]]]))));
}

const OPERATIONS = [
  ["compensation", COMPENSATION_PARAMETERS, compensationOperation],
  ["tickers", TICKERS_PARAMETERS, tickersOperation],
] as const;

for (const [name, parameters, operation] of OPERATIONS) {
  test(`${name}: a cached answer equals a fresh one, whatever was requested before`, async () => {
    const kept = operation(deps());
    const bodies = new Map<string, string>();
    const ask = async (getAnswer: typeof kept, query: Map<string, string[]>): Promise<Answer | string> => {
      const caller = { presented: { kind: "none" as const }, address: "", requestId: "" };
      try {
        return await getAnswer({ caller, parameters: query, ifNoneMatch: null, need: "any" });
      } catch (refused) {
        return String(refused);
      }
    };
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(queriesOf(parameters), async (query) => {
        const [cached, fresh] = [await ask(kept, query), await ask(operation(deps()), query)];
        if (typeof cached === "string" || typeof fresh === "string") return expect(cached).toEqual(fresh);
        const body = new TextDecoder().decode(fresh.body);
        expect(new TextDecoder().decode(cached.body)).toBe(body);
        expect(cached.etag).toBe(fresh.etag);
        // One tag, one body; and one body, one tag, or a client would fetch what it already has.
        expect(bodies.get(fresh.etag) ?? body).toBe(body);
        bodies.set(fresh.etag, body);
        answered += 1;
      }),
      { numRuns: 600, seed: 12 },
    );
    expect(answered).toBeGreaterThan(100);
    expect(bodies.size).toBeGreaterThan(5);
  });
}

test("no two answers share a tag", () => {
  const identity = fc.stringMatching(/^[A-Z~" .,-]{0,4}$/);
  fc.assert(
    fc.property(identity, identity, (one, other) => {
      expect(etagOf("x", dataset, one) === etagOf("x", dataset, other)).toBe(one === other);
      expect(etagOf("x", dataset, one)).toMatch(/^"[\w-]+"$/);
    }),
    { numRuns: 4000, seed: 12 },
  );
});
