import { expect } from "bun:test";
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
import { createAnalyst } from "../../src/analysis/analyst.ts";
import type { Dataset } from "../../src/dataset/dataset.ts";
import { openEmbedded } from "../../src/dataset/embedded.ts";
import { datasetOf } from "../../src/dataset/reader.ts";

const analyst = createAnalyst();

/** A dataset that has not been searched yet; a search that does not wait fails. */
export function unsearched(): Dataset {
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
/** Facts of a symbol. */
export const facts = (current: () => Dataset, ticker: string) =>
  factsOperation(deps(current))({ ...request({}), ticker, historyUrl: "" });

/** Requests to the current dataset. */
export const ASKED: Readonly<Record<string, (current: () => Dataset) => unknown>> = {
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

/** The outcome: the body of an answer, or the message of a refusal. */
export async function outcome(ask: () => unknown): Promise<unknown> {
  try {
    const answer = await ask();
    const isBody = typeof answer === "object" && answer !== null && "body" in answer;
    return isBody && answer.body instanceof Uint8Array ? new TextDecoder().decode(answer.body) : answer;
  } catch (refused) {
    if (!(refused instanceof ServiceError)) throw refused;
    return `${refused.kind}: ${refused.message}`;
  }
}

/** Callers before the search is ready get the same answer as those after. */
export async function expectWaits(
  ask: (current: () => Dataset) => unknown,
  searched: Dataset,
): Promise<void> {
  const dataset = unsearched();
  const first = await outcome(() => ask(() => dataset));
  expect(first).toEqual(await outcome(() => ask(() => searched)));
  expect(JSON.stringify(first)).toMatch(/Apple Inc|Meta Platforms|MICROSOFT/i);
  expect(dataset.searchReady()).toBeUndefined();
}
