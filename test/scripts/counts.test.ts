import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countSource, countsOf } from "../../scripts/counts.ts";
import { tempFolder } from "../support/folder.ts";

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
  expect(countSource(SOURCE)).toEqual({ files: 1, code: 4, import: 6, comment: 4, blank: 1, lines: 15 });
  expect(countSource("")).toEqual({ files: 1, code: 0, import: 0, comment: 0, blank: 0, lines: 0 });
});

test("the table has each folder of src, all of it, and scripts", () => {
  const root = tempFolder();
  for (const file of ["src/main.ts", "src/a/one.ts", "src/a/b/two.ts", "scripts/three.ts"]) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), SOURCE);
  }
  const rows = countsOf(root).split("\n").slice(1);
  expect(rows.map((row) => row.trim().split(/ {2,}/))).toEqual([
    ["src", "1", "4", "6", "4", "1", "15"],
    ["src/a", "2", "8", "12", "8", "2", "30"],
    ["all of src", "3", "12", "18", "12", "3", "45"],
    ["scripts", "1", "4", "6", "4", "1", "15"],
  ]);
});
