import { test } from "bun:test";
import { askAtRandom } from "./random-statements.ts";

test("each of 10,000 random statements has a bounded answer or a refusal, and no file changes", () =>
  askAtRandom(10_000));
