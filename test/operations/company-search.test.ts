/** Who wants the search by name before it is ready waits for it, whatever was asked, and is answered as later callers are. */
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { loadConfig } from "../../src/config.ts";
import { ServiceError } from "../../src/errors.ts";
import { companiesOperation } from "../../src/operations/companies.ts";
import { compensationOperation } from "../../src/operations/compensation.ts";
import { searchOperation } from "../../src/operations/documents/search.ts";
import { factsOperation } from "../../src/operations/facts.ts";
import { nearestCompany, rankingOf } from "../../src/operations/page-data.ts";
import { queryOperation } from "../../src/operations/query.ts";
import { statisticsOperation } from "../../src/operations/statistics.ts";
import { createAnalyst } from "../../src/snapshot/analysis/analyst.ts";
import type { Dataset } from "../../src/snapshot/dataset.ts";
import { openEmbedded } from "../../src/snapshot/embedded.ts";
import { datasetOf } from "../../src/snapshot/reader.ts";

const analyst = createAnalyst();

/** A dataset that nobody has searched, where a search that did not wait is a failure. */
function unsearched(): Dataset {
  const dataset = datasetOf(openEmbedded(tmpdir()), "embedded");
  return {
    ...dataset,
    search(words, max) {
      if (dataset.searchReady() !== undefined) throw new Error("a search did not wait");
      return dataset.search(words, max);
    },
  };
}

function deps(current: () => Dataset) {
  return {
    snapshots: { current },
    admit: () => ({ principal: { kind: "operator" as const }, window: null }),
    charge: () => ({ charged: 0, remaining: null }),
    prices: loadConfig({}, undefined, {}).config,
    onDemand: null,
    analyst,
  };
}

const caller = { presented: { kind: "none" as const }, address: "", requestId: "" };
const request = (given: Record<string, string>) => ({
  caller,
  parameters: new Map(Object.entries(given).map(([name, value]) => [name, [value]])),
  ifNoneMatch: null,
  need: "any" as const,
});
const facts = (current: () => Dataset, ticker: string) =>
  factsOperation(deps(current))({ ...request({}), ticker, historyUrl: "" });

/** What is asked of the dataset in use. */
const ASKED: Readonly<Record<string, (current: () => Dataset) => unknown>> = {
  "facts of an unknown symbol": (current) => facts(current, "AAPLL"),
  "rows of an unknown symbol": (current) =>
    compensationOperation(deps(current))(request({ ticker: "FACEBOOK" })),
  "a query for one": (current) => queryOperation(deps(current))(request({ ticker: "AAPLL" })),
  "statistics that rank one": (current) =>
    statisticsOperation(deps(current))(request({ rank_ticker: "AAPLL", office: "peo" })),
  "a ranking of a page": (current) => rankingOf(current(), analyst, new Map([["ticker", ["AAPLL"]]])),
  "the company that a page's address means": (current) => nearestCompany(current(), "AAPLL"),
  companies: (current) => companiesOperation(deps(current))(request({ q: "microsft" })),
  documents: (current) => searchOperation(deps(current))(request({ query: "what did apple pay in 2024" })),
};

/** What came of it: of an answer its body, of a refusal its sentence. */
async function outcome(ask: () => unknown): Promise<unknown> {
  try {
    const answer = await ask();
    const isBody = typeof answer === "object" && answer !== null && "body" in answer;
    return isBody && answer.body instanceof Uint8Array ? new TextDecoder().decode(answer.body) : answer;
  } catch (refused) {
    if (!(refused instanceof ServiceError)) throw refused;
    return `${refused.kind}: ${refused.message}`;
  }
}

const searched = unsearched();
await searched.searchReady();

test.each(Object.entries(ASKED))("%s", async (_, ask) => {
  const dataset = unsearched();
  const first = await outcome(() => ask(() => dataset));
  expect(first).toEqual(await outcome(() => ask(() => searched)));
  expect(JSON.stringify(first)).toMatch(/Apple Inc|Meta Platforms|MICROSOFT/i);
  expect(dataset.searchReady()).toBeUndefined();
});

test("a known company is answered at once and begins no search", () => {
  let wanted = 0;
  const dataset = { ...unsearched(), searchReady: () => ((wanted += 1), undefined) };
  expect(facts(() => dataset, "AAPL")).not.toBeInstanceOf(Promise);
  expect(wanted).toBe(0);
});

test("a dataset that comes into use meanwhile answers who waited for the one before", async () => {
  const [before, next] = [unsearched(), unsearched()];
  let current = before;
  const waiting = outcome(() => facts(() => current, "AAPLL"));
  current = next;
  expect(await waiting).toBe('unknown_company: No ticker "AAPLL". Did you mean Apple Inc. (AAPL)?');
  expect(next.searchReady()).toBeUndefined();
});

test("a dataset that can no longer be read refuses who waits", async () => {
  const unreadable = new ServiceError("unavailable", "The dataset cannot be read.");
  const dataset = { ...unsearched(), searchReady: () => Promise.reject(unreadable) };
  expect(await outcome(() => facts(() => dataset, "AAPLL"))).toBe("unavailable: The dataset cannot be read.");
});
