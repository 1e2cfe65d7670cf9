import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REQUIREMENTS } from "./oauth/requirements.ts";
import { heldBy } from "./oauth/table.ts";

/** The requirements of section 3 that lines of the acceptance list hold (`oauth/README.md`), by the numbers of these. */
const IN_OAUTH: Readonly<Record<string, readonly number[]>> = {
  "R-1": [10, 11],
  "R-2": [8, 9, 21],
  "R-3": [9, 11],
  "R-4": [12, 13],
  "R-5": [14],
  "R-6": [15],
  "R-7": [30],
  "A-1": [22],
  "A-2": [25],
  "A-3": [24, 26],
  "A-4": [33],
  "A-5": [30, 36],
  "A-6": [31, 32],
  "A-7": [39, 43, 46],
  "A-8": [51],
  "K-1": [45],
  "K-2": [40, 41],
  "K-3": [44],
  "K-4": [47, 48, 49],
  "K-5": [46],
  "K-6": [50],
  "K-7": [50],
  "K-8": [52],
  "K-9": [53],
  "P-1": [34, 35],
  "P-2": [12],
  "P-3": [33],
  "P-4": [37],
};

/** The text of all tests of MCP. */
function mcpTests(): string {
  const folders = ["contract/mcp", "mcp", "mcp/analyst"].map((one) => join(import.meta.dir, "..", one));
  return folders
    .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
}

test("every requirement of protocols.md has a test by its number", () => {
  const ids = [
    ...readFileSync(join(import.meta.dir, "protocols.md"), "utf8").matchAll(/^\| ((?:TL?|R|A|K|P)-\d+) \|/gm),
  ].map(([, id = ""]) => id);
  expect(ids.length).toBeGreaterThan(45);
  expect(new Set(ids).size).toBe(ids.length);
  const tests = mcpTests();
  const held = heldBy();
  const known = new Set(REQUIREMENTS.map(({ id }) => id));
  const isHeld = (id: string) => {
    const lines = IN_OAUTH[id];
    if (lines !== undefined) return lines.every((line) => known.has(line) && held.has(line));
    // At the beginning of the name of a test or of a group of tests.
    return new RegExp(`"(?:TL?-\\d+, )*${id}[,:] `).test(tests);
  };
  expect(ids.filter((id) => !isHeld(id))).toEqual([]);
  expect(Object.keys(IN_OAUTH).filter((id) => !ids.includes(id))).toEqual([]);
});
