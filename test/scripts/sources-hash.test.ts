import { expect, test } from "bun:test";
import { Glob } from "bun";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { sourcePaths } from "../../scripts/sources-hash.ts";

const ROOT = dirname(dirname(import.meta.dir));

test("a change to anything that the program imports from outside `src` makes the executable stale", () => {
  const known = new Set(sourcePaths());
  const imported = new Set<string>();
  for (const file of new Glob("src/**/*.ts").scanSync(ROOT)) {
    for (const [, path = ""] of readFileSync(join(ROOT, file), "utf8").matchAll(/ from "(\.\.\/[^"]+)"/g)) {
      imported.add(relative(ROOT, join(ROOT, dirname(file), path)));
    }
  }
  const outside = [...imported].filter((path) => !/^(src|node_modules)\//.test(path));
  expect(outside).toContain("package.json");
  expect(outside.filter((path) => !known.has(path))).toEqual([]);
});
