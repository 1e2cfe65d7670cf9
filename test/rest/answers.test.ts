/** Real answers of every operation against what its file in `operations/` declares: nothing more, nothing else, all of it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isObject } from "../../src/lib/json-schema.ts";
import { type } from "../../src/lib/schema.ts";
import { ENDPOINTS, type EndpointName } from "../../src/operations/endpoints.ts";
import { openApiDocument } from "../../src/rest/docs.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
const keys = { live: "", test: "" };
beforeAll(async () => {
  server = await startTestServer({ rateKey: "10000", unmetered: "false" });
  const { id } = await server.accounts.users.findOrCreate("ann@example.com");
  keys.live = await server.createKey("ann@example.com");
  keys.test = (await server.accounts.keys.create(id, { name: "tests", isTest: true })).secret;
});
afterAll(() => server.stop());

const ROWS = "/api/executive-compensation";

/** Requests that are answered with every member and header that an operation may say. */
const ASKED: Readonly<Record<Exclude<EndpointName, "export">, readonly string[]>> = {
  compensation: [`${ROWS}?ticker=AAPL`, `${ROWS}?ticker=AAPL&limit=1`, `${ROWS}?ticker=AAPL&limit=0`],
  tickers: [`${ROWS}/tickers`, `${ROWS}/tickers?limit=3`],
  query: [
    `${ROWS}/query?ticker=Apple&measures=total_change,cash_share`,
    `${ROWS}/query?index=sp500&max_rows=2&office=pfo`,
    `${ROWS}/query?executive=cook&ticker=MSFT`,
    `${ROWS}/query?ticker=AAPL&fiscal_year=1990`,
  ],
  statistics: [
    `${ROWS}/statistics?office=peo&group_by=fiscal_year,sector&fiscal_year_gte=2015&rank_ticker=AAPL`,
    `${ROWS}/statistics?index=sp500&group_by=office,index&rank_ticker=Microsoft`,
    `${ROWS}/statistics?ticker=AAPL&fiscal_year=1990`,
    `${ROWS}/statistics?rank_ticker=AAPL`,
  ],
  ceoPay: [
    "/api/ceo-pay?ticker=Apple",
    "/api/ceo-pay?index=sp500&max_rows=1000",
    "/api/ceo-pay?max_rows=1000&doubtful=include",
    "/api/ceo-pay?ticker=AAPL&fiscal_year=1990",
  ],
  ceoPayStatistics: [
    "/api/ceo-pay/statistics?group_by=fiscal_year,index&fiscal_year_gte=2015&index=sp500",
    "/api/ceo-pay/statistics?ticker=Apple",
    "/api/ceo-pay/statistics?ticker=AAPL&fiscal_year=1990",
  ],
  companies: ["/api/companies?q=facebook", "/api/companies?q=apple&max_rows=20"],
  facts: ["/t/AAPL/facts", "/t/KO/facts"],
};

/** The optional members of a body's definition, and not those of its parts. */
function optionalOf(definition: unknown): string[] {
  const [members] = Array.isArray(definition) ? definition : [];
  return isObject(members) ? Object.keys(members).filter((name) => name.endsWith("?")) : [];
}

describe.each(Object.entries(ASKED))("%s", (name, asked) => {
  // The keys of ASKED are names of endpoints.
  const { path, price, answer } = ENDPOINTS[name as keyof typeof ASKED];
  const schema = type.raw(answer.body).onDeepUndeclaredKey("reject");

  test("its answers are as declared, and all that is declared is answered", async () => {
    const seen = new Set<string>();
    const charged = new Set<string | null>();
    for (const request of asked)
      for (const key of request.startsWith("/t/") ? [undefined] : [keys.live, keys.test]) {
        const answered = await server.get(request, key === undefined ? {} : { key });
        // It knows five companies by their symbols, and their latest years.
        if (key === keys.test && [402, 404].includes(answered.status)) continue;
        if (key === keys.live) charged.add(answered.headers.get("credits-charged"));
        const body: unknown = await answered.json();
        const checked: unknown = schema(body);
        const problems = checked instanceof type.errors ? checked.summary : null;
        expect({ request, status: answered.status, problems }).toEqual({
          request,
          status: 200,
          problems: null,
        });
        for (const member of Object.keys(isObject(body) ? body : {})) seen.add(`${member}?`);
      }
    expect(optionalOf(answer.body).filter((one) => !seen.has(one))).toEqual([]);
    expect([name, charged.has("1")]).toEqual([name, price !== null]);
  });

  test("its headers are those of the OpenAPI document", async () => {
    const document = JSON.parse(JSON.stringify(await openApiDocument()));
    const declared = Object.keys(
      document.paths[path.replace(/:(\w+)/, "{$1}")].get.responses["200"].headers,
    ).map((one) => one.toLowerCase());
    for (const request of asked)
      for (const key of Object.values(keys)) {
        const answered = await server.get(request, { key, headers: { origin: "https://other.example" } });
        const own = [...answered.headers.keys()].filter((one) => OURS.has(one));
        expect({ request, undeclared: own.filter((one) => !declared.includes(one)) }).toEqual({
          request,
          undeclared: [],
        });
      }
  });
});

/** What our answers say in headers, besides what every server does. */
const OURS: ReadonlySet<string> = new Set(
  (
    "ETag, RateLimit, RateLimit-Policy, Credits-Charged, Credits-Remaining, Incomplete-Fiscal-Years, " +
    "Fiscal-Years-Left-Out, Row-Evidence, Newer-Filing, Dataset, Test-Key"
  )
    .toLowerCase()
    .split(", "),
);
