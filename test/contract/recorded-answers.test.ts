/**
 * The answers of the spec's own surface stay as recorded, byte for byte. After a change of data that is meant to
 * change answers: run `bun scripts/record-answers.ts` and review the difference.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { answersOfTheSpec, RECORDED_ANSWERS } from "../support/recorded-answers.ts";

test("at least 500 answers of both REST operations and both MCP tools equal the recorded ones", async () => {
  const recorded = readFileSync(join(import.meta.dir, "../..", RECORDED_ANSWERS), "utf8").trimEnd();
  const answers = await answersOfTheSpec();
  expect(answers.length).toBeGreaterThanOrEqual(500);
  expect(answers.filter((line) => !line.includes("\t200\t"))).toEqual([]);
  const before = new Set(recorded.split("\n"));
  expect(answers.filter((line) => !before.has(line))).toEqual([]);
  expect(before.size).toBe(answers.length);
});
