import { expect, test } from "bun:test";
import { parseMessage } from "../../src/mcp/request.ts";

const told = (message: unknown) => {
  const read = parseMessage(JSON.stringify(message));
  return read.kind === "protocol_error" ? `${read.code} ${/values|levels/.exec(read.text)?.[0]}` : read.kind;
};
const deep = (levels: number): unknown => (levels === 0 ? 1 : { next: deep(levels - 1) });

test("a message has at most 256 values, wherever they are", () => {
  const refused = "-32600 values";
  for (const many of [
    (values: number) => ({ list: Array(values - 2).fill(0) }),
    (values: number) => Object.fromEntries(Array.from({ length: values - 1 }, (_, n) => [`name ${n}`, n])),
    // Two values each: a list and its number.
    (values: number) => ({ lists: Array.from({ length: (values - 2) / 2 }, () => [0]) }),
  ]) {
    expect(told(many(256))).toBe("message");
    expect(told(many(258))).toBe(refused);
  }
  expect(told({ list: Array(255).fill(0) })).toBe(refused);
});

test("a message has at most 32 levels", () => {
  expect(told(deep(32))).toBe("message");
  expect(told(deep(33))).toBe("-32600 levels");
});
