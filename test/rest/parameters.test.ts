/** No parameter is read and then forgotten: each, with an allowed value that nobody has and with what it needs, changes what is answered. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Parameter } from "../../src/domain/parameters.ts";
import type { Endpoint } from "../../src/operations/endpoint.ts";
import { ENDPOINTS } from "../../src/operations/endpoints.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { itemsOf, tellingValue } from "../support/telling.ts";

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer({ unmetered: "true", rateKey: "60000" });
  key = await server.createKey();
});
afterAll(() => server.stop());

const YEARS = "fiscal_year_gte=2022";

/** A question that has an answer, with more than one row or item. */
const ASKED: Readonly<Record<string, string>> = {
  getExecutiveCompensation: "ticker=AAPL",
  queryExecutiveCompensation: `${YEARS}&max_rows=1000`,
  getExecutiveCompensationStatistics: YEARS,
  exportExecutiveCompensation: YEARS,
  queryCeoPay: `${YEARS}&max_rows=1000`,
  getCeoPayStatistics: YEARS,
  findCompanies: "q=international",
};

/** The other parameter that one means nothing without, as its description says. */
function neededBy({ about }: Parameter): string | undefined {
  return /^with (\w+=\w+): /.exec(about)?.[1];
}

/** What is refused, as a company or a period that is not there. */
const REFUSED: Readonly<Record<string, 400 | 404>> = { ticker: 404, cik: 404, rank_ticker: 404 };

describe.each(Object.values(ENDPOINTS).map((one: Endpoint) => [one.id, one] as const))(
  "%s",
  (id, { path, parameters }) => {
    const answerTo = async (query: URLSearchParams) => {
      const answer = await server.get(`${path}?${query}`, { key });
      return { status: answer.status, text: await answer.text() };
    };

    test.each(parameters.map((one) => [one.name, one] as const))("%s", async (name, parameter) => {
      const query = new URLSearchParams(`${ASKED[id] ?? ""}&${neededBy(parameter) ?? ""}`);
      const before = await answerTo(query);
      expect(before.status).toBe(200);
      const { next_cursor: next } = name === "cursor" ? JSON.parse(before.text) : { next_cursor: null };
      // One period is all there is.
      query.set(name, name === "period" ? "quarterly" : (next ?? tellingValue(parameter)));
      const isAlone = id === "getExecutiveCompensation";
      if (isAlone && name === "cik") query.delete("ticker");
      const after = await answerTo(query);
      expect(after.status).toBe(isAlone && name === "period" ? 400 : (REFUSED[name] ?? 200));
      if (after.status === 200) expect(itemsOf(after.text)).not.toEqual(itemsOf(before.text));
    });

    const dependent = parameters.flatMap((one) =>
      neededBy(one) === undefined ? [] : ([[one.name, one]] as const),
    );
    if (dependent.length > 0)
      test.each(dependent)("%s alone is refused with what it needs", async (name, parameter) => {
        const query = new URLSearchParams(ASKED[id]);
        query.set(name, tellingValue(parameter));
        const { status, text } = await answerTo(query);
        expect([status, text]).toEqual([400, expect.stringContaining(`Cannot read ${name}: `)]);
        expect(text).toContain(`Add ${neededBy(parameter)}`);
      });
  },
);
