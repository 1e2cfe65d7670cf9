/**
 * Ten thousand random selections, sensible or not: each is answered consistently, or refused with a documented code.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import * as fc from "fast-check";
import { parameterSchema } from "../../../src/domain/parameters.ts";
import { QUERY_PARAMETERS } from "../../../src/operations/query.ts";
import { STATISTICS_PARAMETERS } from "../../../src/operations/statistics.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let ask: (path: string) => Promise<Response>;
beforeAll(async () => {
  server = await startTestServer();
  ask = server.asOperator();
});
afterAll(() => server.stop());

/** A value that may or may not suit the parameter. */
function valueOf(schema: Readonly<Record<string, unknown>>): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    "",
    "-1",
    "1e9",
    "null",
    "%00",
    "ÿ",
    "'; drop table rows",
    "999999999999",
    "true",
    "4.0",
  );
  const fitting = Array.isArray(schema["enum"])
    ? fc.constantFrom(...schema["enum"].map(String))
    : schema["type"] === "integer"
      ? fc.integer({ min: 0, max: 2030 }).map(String)
      : schema["type"] === "number"
        ? fc.integer({ min: -1_000_000, max: 100_000_000 }).map(String)
        : schema["type"] === "boolean"
          ? fc.constantFrom("true", "false")
          : fc.constantFrom(
              "AAPL",
              "AAPL,MSFT",
              "320193",
              "cook",
              "35",
              "2834",
              "USD",
              "CAD",
              "sector,office",
              "fiscal_year",
              "tim-cook",
            );
  return fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: odd });
}

const search = (parameters: typeof QUERY_PARAMETERS | typeof STATISTICS_PARAMETERS) =>
  fc
    .subarray([...parameters], { maxLength: 6 })
    .chain((chosen) =>
      fc.tuple(...chosen.map((one) => fc.tuple(fc.constant(one.name), valueOf(parameterSchema(one))))),
    )
    .map((pairs) => new URLSearchParams(Object.fromEntries(pairs)).toString());

const ALLOWED = [200, 400, 404, 410];

test("10,000 random queries give no 5xx, and every answer is consistent", async () => {
  const statuses = new Map<number, number>();
  const tried = async (path: string) => {
    const answer = await ask(path);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    expect([path, ALLOWED.includes(answer.status)]).toEqual([path, true]);
    // The members read are checked below.
    const body = (await answer.json()) as {
      executive_compensation?: unknown[];
      statistics?: { rows: number; min: number; median: number; max: number }[];
      matched: { rows: number; companies: number; company_years: number; incomplete_company_years: number };
      fiscal_years: Record<string, number>;
    };
    if (answer.status !== 200) return;
    const { rows, companies, company_years: years, incomplete_company_years: incomplete } = body.matched;
    expect(rows >= years && years >= companies && years >= incomplete).toBe(true);
    expect(Object.values(body.fiscal_years).reduce((sum, count) => sum + count, 0)).toBe(years);
    expect((body.executive_compensation?.length ?? 0) <= rows).toBe(true);
    for (const { min, median, max } of body.statistics ?? [])
      expect(min <= median && median <= max).toBe(true);
  };
  await fc.assert(
    fc.asyncProperty(search(QUERY_PARAMETERS), (text) => tried(`/api/executive-compensation/query?${text}`)),
    { numRuns: 6000 },
  );
  await fc.assert(
    fc.asyncProperty(search(STATISTICS_PARAMETERS), (text) =>
      tried(`/api/executive-compensation/statistics?${text}`),
    ),
    { numRuns: 4000 },
  );
  expect(statuses.get(200) ?? 0).toBeGreaterThan(2000);
}, 300_000);
