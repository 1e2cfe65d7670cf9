/**
 * Callers that need the name search before it is ready wait for it and get the same answer as later callers; the
 * other requests are in a slow test.
 */
import { expect, test } from "bun:test";
import { ServiceError } from "../../src/errors.ts";
import { ASKED, expectWaits, facts, outcome, unsearched } from "./searches.ts";

test.each(["facts of an unknown symbol", "companies"])("%s", async (what) => {
  const searched = unsearched();
  await searched.searchReady();
  await expectWaits((current) => ASKED[what]?.(current), searched);
});

test("a known company is answered immediately and starts no search", () => {
  let wanted = 0;
  const dataset = { ...unsearched(), searchReady: () => ((wanted += 1), undefined) };
  expect(facts(() => dataset, "AAPL")).not.toBeInstanceOf(Promise);
  expect(wanted).toBe(0);
});

test("after a swap, the new dataset answers callers who waited for the old one", async () => {
  const [before, next] = [unsearched(), unsearched()];
  let current = before;
  const waiting = outcome(() => facts(() => current, "AAPLL"));
  current = next;
  expect(await waiting).toBe('unknown_company: No ticker "AAPLL". Did you mean Apple Inc. (AAPL)?');
  expect(next.searchReady()).toBeUndefined();
});

test("if a dataset has become unreadable, waiting callers are refused", async () => {
  const unreadable = new ServiceError("unavailable", "The dataset cannot be read.");
  const dataset = { ...unsearched(), searchReady: () => Promise.reject(unreadable) };
  expect(await outcome(() => facts(() => dataset, "AAPLL"))).toBe("unavailable: The dataset cannot be read.");
});
