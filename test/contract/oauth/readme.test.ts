import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REQUIREMENTS } from "./requirements.ts";
import { heldBy, readme } from "./table.ts";

test("every line of the acceptance list has a test", () => {
  const held = heldBy();
  expect(REQUIREMENTS.filter(({ id }) => !held.has(id)).map(({ id }) => id)).toEqual([]);
});

test("README.md is what `bun test/contract/oauth/table.ts` writes", () => {
  expect(readFileSync(join(import.meta.dir, "README.md"), "utf8")).toBe(readme());
});
