import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compileData } from "../../scripts/compile-data.ts";
import { recordedCiks } from "../../src/dataset/read-records.ts";
import { tempFolder } from "../support/folder.ts";
import { datasetIn } from "../support/snapshot.ts";

const DATA = join(import.meta.dir, "../../data");

test("data compiles to the same bytes twice, which are those that the other tests read, and every row is served", () => {
  const folder = tempFolder();
  const files = ["one.sqlite", "two.sqlite"].map((name) => join(folder, name));
  const [compiled, again] = files.map((file) => compileData(DATA, file));
  expect(again).toEqual(compiled);
  const [one, two] = files.map((file) => readFileSync(file));
  expect(two?.equals(one ?? Buffer.of())).toBe(true);
  expect(readFileSync(join(DATA, "snapshot.sqlite")).equals(one ?? Buffer.of())).toBe(true);
  const dataset = datasetIn(files[0] ?? "");
  const served = recordedCiks(dataset).flatMap((cik) => dataset.years(cik).flatMap(({ rowJson }) => rowJson));
  expect(served.length).toBe(compiled?.rows ?? 0);
});
