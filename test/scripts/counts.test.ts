import { expect, test } from "bun:test";
import { countSource, readTable, report } from "../../scripts/counts.ts";

const SOURCE = `/**
 * A docstring.
 */
import { a } from "./a.ts";
import {
  b,
  c, // why
} from "./b.ts";
export { d } from "./d.ts";

// Alone.
export const e = 1; // beside code
const text = "// no comment, and no import { x } from 'y'";
export const f = \`
\`;
`;

test("every line is of one kind: code, import, comment or blank", () => {
  expect(countSource(SOURCE)).toEqual({ files: 1, code: 4, import: 6, comment: 4, blank: 1 });
  expect(countSource("")).toEqual({ files: 1, code: 0, import: 0, comment: 0, blank: 0 });
});

test("the report compares with the kept table and states the aims", () => {
  const kept = readTable(
    "| Folder | Files |\n|---|---|\n| src/a | 2 | 1,030 | 3 | 4 | 5 | 1,042 |\n| src/b | 1 | 1 | 0 | 0 | 0 | 1 |\n",
  );
  expect(kept.get("src/a")).toEqual({ files: 2, code: 1030, import: 3, comment: 4, blank: 5 });
  const now = new Map([["src/a", { files: 1, code: 1000, import: 2, comment: 4, blank: 5 }]]);
  const told = report(now, kept);
  expect(told).toMatch(/^src\/a +1 +1,000 +2 +4 +5 +1,011 {2}code -30$/m);
  expect(told).toMatch(/^all of src .* code -31$/m);
  expect(told).toContain("gone: src/b");
  expect(told).toContain("code in src 1000 of 42000, lines in src 1011 of 57000, files in src 1 of 340");
});
