/** No parameter is read and then forgotten: each, with a value that nobody has, changes the answer. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Parameter } from "../../src/domain/parameters.ts";
import type { Endpoint } from "../../src/operations/endpoint.ts";
import { ENDPOINTS } from "../../src/operations/endpoints.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer({ unmetered: "true", rateKey: "60000" });
  key = await server.createKey();
});
afterAll(() => server.stop());

/** A question that has an answer, with more than one row or item. */
const ASKED: Readonly<Record<string, string>> = {
  getExecutiveCompensation: "ticker=AAPL",
  queryExecutiveCompensation: "fiscal_year_gte=2022&max_rows=50",
  getExecutiveCompensationStatistics: "fiscal_year_gte=2022",
  exportExecutiveCompensation: "fiscal_year_gte=2022",
  queryCeoPay: "fiscal_year_gte=2022",
  getCeoPayStatistics: "fiscal_year_gte=2022",
  findCompanies: "q=international",
};

/** Words whose answer is certain to differ, where not every word's is. */
const TELLING: Readonly<Record<string, string>> = { period: "quarterly", index: "sp500" };

/** A value that no row, company or page has, or none that is allowed. */
function valueOf({ name, kind, words, default: byDefault }: Parameter): string {
  if (TELLING[name] !== undefined) return TELLING[name];
  if (kind === "flag") return "true";
  const other = words?.find((word) => word !== byDefault && word !== `-${byDefault}`);
  if (other !== undefined) return other;
  if (name === "limit" || name === "max_rows") return "1";
  if (kind === "whole") return /_gte?$/.test(name) ? "9999" : "1900";
  if (kind === "number")
    return name.endsWith("_gte") || name.endsWith("_gt") ? "999999999999" : "-999999999999";
  return name === "cik" ? "9999999999" : "zzzzq";
}

const answerTo = async (path: string, query: URLSearchParams) => {
  const answer = await server.get(`${path}?${query}`, { key });
  return `${answer.status} ${await answer.text()}`;
};

describe.each(Object.values(ENDPOINTS).map((one: Endpoint) => [one.id, one] as const))(
  "%s",
  (id, endpoint) => {
    const { path, parameters } = endpoint;
    const asked = () => new URLSearchParams(ASKED[id] ?? "");

    test.each(parameters.map((one) => [one.name, one] as const))("%s", async (name, parameter) => {
      const before = await answerTo(path, asked());
      expect(before).toStartWith("200 ");
      const query = asked();
      query.set(name, valueOf(parameter));
      expect(await answerTo(path, query)).not.toBe(before);
    });
  },
);
