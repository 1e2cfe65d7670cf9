import { test } from "bun:test";
import { askAtRandom } from "./random-statements.ts";

test("each of 10,000 random statements has an answer inside its bounds or a refusal, and no file changes", () =>
  askAtRandom(10_000));
