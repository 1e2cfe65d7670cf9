import { expect, test } from "bun:test";
import { join } from "node:path";
import { SLOW_TESTS } from "../../scripts/check.ts";

const ROOT = join(import.meta.dir, "../..");

test("every test file is run by npm test or by npm run test:slow, and none by both", async () => {
  const { scripts } = await Bun.file(join(ROOT, "package.json")).json();
  const left = [...String(scripts["test"]).matchAll(/--path-ignore-patterns "([^"]+)"/g)].map(
    ([, pattern = ""]) => pattern,
  );
  expect(left).toEqual(SLOW_TESTS);
  const [, , ...given] = String(scripts["test:slow"]).split(" ");
  const filters = given.filter((one) => !one.startsWith("--"));
  const files = [...new Bun.Glob("test/**/*.test.ts").scanSync(ROOT)];
  const slow = files.filter((file) => filters.some((filter) => file.includes(filter)));
  const ignored = files.filter((file) => left.some((pattern) => new Bun.Glob(pattern).match(file)));
  expect(slow.toSorted()).toEqual(ignored.toSorted());
  expect(slow.length).toBeGreaterThan(5);
});
