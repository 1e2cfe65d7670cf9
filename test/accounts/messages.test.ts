import { expect, test } from "bun:test";
import { insufficientCredits } from "../../src/accounts/charges.ts";
import { credits } from "../../src/web/account-tables.ts";

test.each([
  [0, 1, "This answer costs 1 credit and 0 credits are left."],
  [1, 2, "This answer costs 2 credits and 1 credit is left."],
  [5, 10, "This answer costs 10 credits and 5 credits are left."],
])("%d credits left of %d: one credit is one credit", (balance, cost, words) => {
  expect(insufficientCredits(balance, cost).message).toStartWith(words);
  expect(insufficientCredits(balance, cost).details.credits).toEqual({ balance, cost });
});

test("so on pages", () => {
  expect([0, 1, 2, 1200].map(credits)).toEqual(["0 credits", "1 credit", "2 credits", "1,200 credits"]);
});
