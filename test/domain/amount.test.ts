import { expect, test } from "bun:test";
import { centsOf, isCents, readCents, unitsOf, writeCents } from "../../src/domain/amount.ts";

test("an amount is read to the cent and written back unchanged", () => {
  for (const [text, cents] of [
    ["0", 0],
    ["1", 100],
    ["74294811", 7_429_481_100],
    ["12.5", 1250],
    ["12.05", 1205],
    ["0.01", 1],
    ["-50001", -5_000_100],
    ["-0.5", -50],
    ["9999999999999", 999_999_999_999_900],
  ] as const) {
    expect(readCents(text)).toBe(cents);
    expect(writeCents(cents)).toBe(text);
  }
});

test("trailing zeros are dropped and minus zero is zero", () => {
  expect(writeCents(readCents("10.10") ?? Number.NaN)).toBe("10.1");
  expect(writeCents(readCents("10.00") ?? Number.NaN)).toBe("10");
  expect(Object.is(readCents("-0"), 0)).toBe(true);
});

test("only plain digits are an amount", () => {
  for (const text of [
    "",
    " 1",
    "1,000",
    "1.234",
    "1e3",
    "+1",
    "--1",
    "$1",
    "(1)",
    ".5",
    "1.",
    "NaN",
    "12345678901234",
  ]) {
    expect(readCents(text)).toBeUndefined();
  }
});

test("amounts convert between numbers and hundredths without loss, and print alike", () => {
  let seed = 7;
  for (let round = 0; round < 20_000; round++) {
    seed = (seed * 48_271) % 2_147_483_647;
    const cents = (round % 3 === 0 ? -seed : seed) * (1 + (seed % 1000));
    expect(centsOf(unitsOf(cents))).toBe(cents);
    expect(JSON.stringify(unitsOf(cents))).toBe(writeCents(cents));
  }
});

test("an amount too large for exact sums is invalid", () => {
  expect(isCents(Number.MAX_SAFE_INTEGER)).toBe(true);
  expect(isCents(Number.MAX_SAFE_INTEGER + 1)).toBe(false);
  expect(isCents(0.5)).toBe(false);
});
